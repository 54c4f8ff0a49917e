"""SmolLM2 in NumPy gives the logits of transformers, and its tokenizer the numbers of `tokenizers`."""

import ast
import importlib
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from ropelib import to_half
from ropelib.book import models, realmodel
from ropelib.book.labels import LANGUAGES
from ropelib.book.realmodel import gguf
from ropelib.book.realmodel.faults import FAULTS, plant
from ropelib.book.realmodel.wheel import Missing, model_file

ROOT = Path(__file__).parents[2]
LISTING = ROOT / "docs" / "listings" / "stages_transformers.py"


@pytest.fixture(scope="module")
def model():
    try:
        return realmodel.load()
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def text():
    kjv = models.load("kjv")
    return "".join(map(kjv.decode, kjv.heldout[:4]))


def half(weight, heads):
    """The rows of each head in the layout of Hugging Face's files."""
    return to_half(weight.reshape(heads, -1, weight.shape[1]), axis=1).reshape(weight.shape)


@pytest.fixture(scope="module")
def theirs(model):
    import torch  # takes seconds: only the worker that runs this
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=len(model.embedding), hidden_size=576, intermediate_size=1536, num_hidden_layers=len(model.layers),
        num_attention_heads=model.heads, num_key_value_heads=model.key_heads, rms_norm_eps=1e-5, tie_word_embeddings=True,
        max_position_embeddings=model.trained_length, rope_parameters={"rope_type": "default", "rope_theta": model.base},
    )  # fmt: skip
    names = {"attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "attn_norm": "input_layernorm",
             "ffn_norm": "post_attention_layernorm"}  # fmt: skip
    names |= {f"ffn_{name}": f"mlp.{name}_proj" for name in ("gate", "up", "down")}
    state = {"model.embed_tokens.weight": model.embedding, "lm_head.weight": model.embedding, "model.norm.weight": model.norm}
    for n, layer in enumerate(model.layers):
        state |= {f"model.layers.{n}.{name}.weight": layer[ours] for ours, name in names.items()}
        state[f"model.layers.{n}.self_attn.q_proj.weight"] = half(layer["attn_q"], model.heads)
        state[f"model.layers.{n}.self_attn.k_proj.weight"] = half(layer["attn_k"], model.key_heads)
    with torch.device("meta"):
        peer = transformers.LlamaForCausalLM(config)
    peer = peer.to_empty(device="cpu")
    peer.model.rotary_emb = type(peer.model.rotary_emb)(config)  # its frequencies are no weights
    peer.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in state.items()}, strict=False)
    return peer.eval()


def test_logits_are_those_of_transformers(model, theirs, text):
    import torch

    ids = model.encode(text)[:200]
    with torch.no_grad():
        expected = theirs(torch.from_numpy(ids)[None]).logits[0].numpy()
    assert np.abs(model(ids) - expected).max() < 5e-3
    np.testing.assert_array_equal(model(ids).argmax(-1), expected.argmax(-1))


def cells(language):
    return nbformat.read(next((ROOT / "chapters" / language).glob("18-*.ipynb")), as_version=4).cells


def blocks(language):
    source = next(cell.source for cell in cells(language) if cell.id == "bisect-read")
    return re.findall(r"^```python\n(.*?)^```$", source, re.M | re.S)


def from_the_chapter(*names):
    """Functions of the port lab's open cell, without what it runs."""
    source = next(cell.source for cell in cells("en") if cell.id == "bisect-code")
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    exec(compile(tree, "bisect-code", "exec"), made := {})
    return [made[name] for name in names]


@pytest.fixture
def stages(monkeypatch):
    monkeypatch.syspath_prepend(LISTING.parent)
    return importlib.import_module("stages_transformers").stages


def test_the_page_shows_the_listing_and_both_languages_use_it_alike():
    shown, use = blocks("en")
    assert shown == LISTING.read_text("utf-8")
    assert [blocks(language) for language in LANGUAGES] == [[shown, use]] * len(LANGUAGES)


def reseated(steps):
    """The book's stages, with q and k in the layout of Hugging Face."""
    return [step | {name: to_half(step[name]) for name in ("q", "k", "turned_q", "turned_k")} for step in steps]


def test_the_lines_on_the_page_find_nothing_and_each_fault(model, theirs, stages):
    """The port lab's own function on transformers' stages, as the chapter says."""
    import torch

    theirs.set_attn_implementation("eager")
    prompt = model.encode("Beloved, believe not every spirit")
    book_stages, first_difference = from_the_chapter("stages", "first_difference")
    said, names = [], {"torch": torch, "prompt": prompt, "hf_model": theirs, "first_difference": first_difference}
    lines = blocks("en")[1].replace("print(", "said.append(")

    def compare(port, most=10**6):
        turns = [model.rope(np.minimum(start + np.arange(len(prompt)), most)) for start in (0, 6141)]
        exec(lines, names | {"said": said, "mine": [reseated(book_stages(port, prompt, turn)) for turn in turns]})

    for port in [model, *(plant(model, fault, layer=16) for fault in FAULTS)]:
        compare(port)
    assert said == [each for found in (None, *((16, fault) for fault in FAULTS)) for each in [found] * 2]
    said.clear()
    compare(model, most=4095)
    assert said == [None, (0, "turned_q")]


def test_what_cannot_be_compared_is_said(model):
    """Key heads already repeated, attention without weights, and a stage that is none."""
    book_stages, first_difference = from_the_chapter("stages", "first_difference")
    ids = model.encode("Beloved, believe not every spirit")
    sound, port = book_stages(model, ids), book_stages(plant(model, "weights", layer=16), ids)
    with pytest.raises(ValueError, match=r"0 k: \(3, 7, 64\), \(9, 7, 64\)"):
        first_difference(sound, [step | {"k": np.repeat(step["k"], 3, 0)} for step in sound])
    fused = [{name: x for name, x in step.items() if name != "weights"} for step in port]
    with pytest.raises(ValueError, match="layer 0: no weights; see only="):
        first_difference(sound, fused)
    assert first_difference(sound, fused, only=("v", "mixed", "out")) == (16, "mixed")
    with pytest.raises(ValueError, match="layer 0: no turned q; see only="):
        first_difference(sound, port, only=["turned q"])


def test_the_listing_sees_what_the_book_does(model, theirs, stages):
    """The same names, order and shapes; q and k in another layout."""
    import torch

    theirs.set_attn_implementation("eager")
    ids, steps = model.encode("Beloved, believe not every spirit"), []
    model(ids, trace=steps)
    found, again = (stages(theirs, torch.from_numpy(ids)[None]) for _ in range(2))
    assert len(found) == len(again) == len(steps) == 30
    for step, layer, same in zip(steps, found, again, strict=True):
        assert list(layer) == list(step._fields)
        for name in step._fields:
            ours = getattr(step, name)
            assert ours.shape == layer[name].shape
            np.testing.assert_array_equal(layer[name], same[name])
            if name in ("q", "k", "turned_q", "turned_k"):
                assert np.abs(ours - layer[name]).mean() > 0.1 * np.abs(ours).mean()


SIZES = {"hidden_size": 48, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 16, "num_hidden_layers": 3,
         "intermediate_size": 64, "vocab_size": 50, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}  # fmt: skip


def small(family, attention="eager", **options):
    import torch
    import transformers

    torch.manual_seed(18)
    config = getattr(transformers, f"{family}Config")(**SIZES | options, attn_implementation=attention)
    name = f"{family.removesuffix('Text')}ForCausalLM"
    return getattr(transformers, name)(config).eval()


@pytest.mark.parametrize("family", ["Llama", "Mistral", "Qwen2", "Qwen3", "Gemma2", "Mixtral"])
def test_the_listing_sees_other_families(stages, family):
    import torch

    model, ids = small(family), torch.tensor([[3, 1, 4, 1, 5, 9, 2]])
    found = stages(model, ids)
    assert len(found) == 3
    with torch.no_grad():
        told = model(ids, output_attentions=True, output_hidden_states=True)
    for n, layer in enumerate(found):
        assert {name: x.shape for name, x in layer.items()} == {
            "q": (6, 7, 16), "k": (2, 7, 16), "v": (2, 7, 16), "turned_q": (6, 7, 16), "turned_k": (2, 7, 16),
            "weights": (6, 7, 7), "mixed": (7, 48), "out": (7, 48),
        }  # fmt: skip
        np.testing.assert_allclose(layer["weights"], told.attentions[n][0], atol=1e-6)
        if n < 2:  # the last is told behind the norm
            np.testing.assert_allclose(layer["out"], told.hidden_states[n + 1][0], atol=1e-5)
        for name in "qk":  # turned by position: not at 0, and no longer or shorter
            plain, turned = layer[name], layer[f"turned_{name}"]
            np.testing.assert_allclose(turned[:, 0], plain[:, 0], atol=1e-6)
            assert np.abs(turned[:, 1:] - plain[:, 1:]).max() > 0.01 * np.abs(plain).max()
            np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), np.linalg.norm(plain, axis=-1), rtol=1e-5)
        mixed = np.hstack(layer["weights"] @ np.repeat(layer["v"], 3, 0))
        weight = model.model.layers[n].self_attn.o_proj.weight.detach().numpy()
        np.testing.assert_allclose(mixed @ weight.T, layer["mixed"], atol=1e-5)


@pytest.mark.parametrize(
    ("family", "attention", "options", "said"),
    [
        ("Llama", "sdpa", {}, 'load with attn_implementation="eager"'),
        ("Gemma4Text", "eager", {}, "q and k are not turned in one call"),
        ("SmolLM3", "eager", {"no_rope_layers": [1, 0, 1]}, r"layer 1: did not see \['q', 'k', 'turned_q', 'turned_k'\]"),
    ],
)
def test_what_the_listing_cannot_see_it_says(stages, family, attention, options, said):
    import torch

    model = small(family, attention, **options)
    home = importlib.import_module(type(model).__module__)
    turn = home.apply_rotary_pos_emb
    with pytest.raises(ValueError, match=said):
        stages(model, torch.tensor([[3, 1, 4]]))
    assert home.apply_rotary_pos_emb is turn
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_a_family_without_that_function_is_refused(stages):
    from types import SimpleNamespace

    import torch

    layer = SimpleNamespace(self_attn=torch.nn.MultiheadAttention(4, 1))
    model = SimpleNamespace(model=SimpleNamespace(layers=[layer]))
    with pytest.raises(ValueError, match=r"no apply_rotary_pos_emb in torch\.nn\.modules\.activation"):
        stages(model, torch.tensor([[3]]))


def test_tokens_are_those_of_tokenizers(model, text):
    import tokenizers

    settings, _ = gguf.read(model_file())
    tokens, merges = settings["tokenizer.ggml.tokens"], settings["tokenizer.ggml.merges"]
    pairs = [tuple(pair.split(" ")) for pair in merges]
    peer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={t: n for n, t in enumerate(tokens)}, merges=pairs))
    cut = tokenizers.pre_tokenizers
    peer.pre_tokenizer = cut.Sequence([cut.Digits(individual_digits=True), cut.ByteLevel(add_prefix_space=False)])
    odd = "Hello 12345  \n\n\t naïve 你好 😀 don't I'LL x=3.14; _foo__bar é 3rd\n\n\n  x² ½ Ⅷ"
    for words in (text, odd):
        assert list(model.encode(words)) == peer.encode(words).ids
        assert model.decode(model.encode(words)) == words
