"""Chapter 8's PyTorch listing: the page shows the file, and it does what ropelib and transformers do."""

import importlib
import importlib.util
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

import ropelib

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "listings" / "rope_torch.py"
SIZES = {"width": 48, "heads": 6, "kv_heads": 2, "head_dim": 16}
PLACES = torch.tensor([[0, 1, 2, 3, 4, 5, 6], [900, 901, 905, 906, 907, 1000, 4000]])


def listing():
    spec = importlib.util.spec_from_file_location("rope_torch", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rope_torch = listing()


@pytest.fixture
def x():
    torch.manual_seed(8)
    return torch.randn(2, 7, 48, dtype=torch.float64)


def attention(**options):
    torch.manual_seed(0)
    return rope_torch.RotaryAttention(**SIZES, **options).double()


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_page_shows_the_file(language):
    book = nbformat.read(ROOT / "chapters" / language / "08-implement-rope.ipynb", as_version=4)
    shown = [c.source for c in book.cells if c.id.startswith("torch")]
    blocks = [b for source in shown for b in re.findall(r"^```python\n(.*?)^```$", source, re.M | re.S)]
    assert "\n\n".join(blocks) == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("rotary_dim", [None, 8])
def test_attention_is_that_of_ropelib(x, layout, rotary_dim):
    ours = attention(layout=layout, rotary_dim=rotary_dim, base=500.0)
    inv_freq = ropelib.inverse_frequencies(rotary_dim or 16, 500.0)
    with torch.no_grad():
        got = ours(x, PLACES).numpy()
        q, k, v = (f(x).unflatten(-1, (-1, 16)).transpose(1, 2).numpy() for f in (ours.q, ours.k, ours.v))
    for b, positions in enumerate(PLACES.numpy()):
        turned = [ropelib.rotate(a[b], *ropelib.cos_sin(positions, inv_freq), layout=layout) for a in (q, k)]
        y, _ = ropelib.attend(*turned, v[b], mask=positions[:, None] >= positions)
        np.testing.assert_allclose(y.swapaxes(0, 1).reshape(7, -1) @ ours.o.weight.detach().numpy().T, got[b], atol=1e-12)


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_attention_is_that_of_transformers(x, layout):
    """Llama is half-split there; for the interleaved layout its weights are permuted."""
    llama = importlib.import_module("transformers.models.llama.modeling_llama")
    config = importlib.import_module("transformers").LlamaConfig(
        hidden_size=48, num_attention_heads=6, num_key_value_heads=2, head_dim=16, attn_implementation="sdpa"
    )
    theirs, ours = llama.LlamaAttention(config, layer_idx=0).double(), attention(layout=layout)
    weights = {n: getattr(theirs, f"{n}_proj").weight.detach() for n in "qkvo"}
    if layout == "interleaved":
        for n, heads in (("q", 6), ("k", 2)):
            weights[n] = torch.from_numpy(ropelib.permute_weights(weights[n], heads, to="interleaved"))
    ours.load_state_dict({f"{n}.weight": w for n, w in weights.items()})
    mask = torch.where(PLACES[:, None, :, None] >= PLACES[:, None, None, :], 0.0, -torch.inf).double()
    angles = PLACES[..., None].double() * torch.from_numpy(ropelib.inverse_frequencies(16))
    table = tuple(torch.cat([f(angles)] * 2, dim=-1) for f in (torch.cos, torch.sin))
    with torch.no_grad():
        want = theirs(x, position_embeddings=table, attention_mask=mask)[0]
        torch.testing.assert_close(ours(x, PLACES), want, atol=1e-12, rtol=0)


def test_interleaved_rotation_is_that_of_transformers():
    glm = importlib.import_module("transformers.models.glm.modeling_glm")
    q, k = torch.randn(2, 2, 3, 7, 16, dtype=torch.float64)
    cos, sin = rope_torch.tables(PLACES, 8, 10_000.0, torch.float64)
    want = glm.apply_rotary_pos_emb(q, k, *(torch.cat([a[:, 0]] * 2, dim=-1) for a in (cos, sin)))
    for got, right in zip((rope_torch.rotate(a, cos, sin, "interleaved") for a in (q, k)), want, strict=True):
        torch.testing.assert_close(got, right, atol=1e-15, rtol=0)


def test_angles_stay_exact_in_a_narrow_model():
    """A table made in bfloat16 would be off by radians at such positions."""
    cos, sin = rope_torch.tables(torch.tensor([[100_001]]), 16, 10_000.0, torch.bfloat16)
    right = ropelib.cos_sin([100_001], ropelib.inverse_frequencies(16))
    for got, want in zip((cos, sin), right, strict=True):
        np.testing.assert_allclose(got[0, 0].float().numpy(), want, atol=2**-9)


@pytest.mark.parametrize("name", ["neox", "Half", "", True, None])
def test_an_unknown_layout_is_refused(x, name):
    with pytest.raises(ValueError, match=f"layout: got {name!r}"):
        attention(layout=name)(x, PLACES)
