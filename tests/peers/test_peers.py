"""Agreement with the libraries that people run; where they differ from ours, the test says who is right and why.

transformers builds frequencies and angles in float32, so agreement is to float32's own error: `rounding` says how much
that is for a frequency, and an angle is off by that part of itself.
"""

import importlib
import logging
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ropelib
from ropelib.config.builder import METHODS


class Late:
    """A module imported when it is first used: every worker collects this file, one runs it, and torch takes seconds."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        if name.startswith("_") or name.startswith("pytest"):  # what pytest asks of everything it collects
            raise AttributeError(name)
        return getattr(importlib.import_module(self._module), name)


torch, transformers, lucidrains = map(Late, ("torch", "transformers", "rotary_embedding_torch"))
rope_utils, llama = Late("transformers.modeling_rope_utils"), Late("transformers.models.llama.modeling_llama")

logging.getLogger("transformers").setLevel(logging.ERROR)
settings.register_profile("peers", deadline=None, max_examples=25)
settings.load_profile("peers")

FLOAT32 = 1.5e-6  # `rounding` at the largest base used here


def rounding(base):
    """float32's error in base ** exponent: that of the exponent times ln(base), and a few operations more."""
    return (math.log(base) + 8) * 2**-24


def theirs(config, seq_len=None, layer_type=None):
    """What transformers computes from the same settings."""
    made = transformers.LlamaConfig(**config)
    kind = made.rope_parameters["rope_type"]
    if kind == "default":
        inv_freq, factor = llama.LlamaRotaryEmbedding.compute_default_rope_parameters(made)
    else:
        inv_freq, factor = rope_utils.ROPE_INIT_FUNCTIONS[kind](made, None, seq_len=seq_len, layer_type=layer_type)
    return inv_freq.double().numpy(), factor


def agree(config, seq_len=None, blend=0.0):
    """To float32; where a method blends by a part that is itself off by `blend`, to as much of the span of factors."""
    inv_freq, factor = theirs(config, seq_len)
    rope = ropelib.from_config(config, seq_len=seq_len)
    settings = config["rope_parameters"]
    near = rounding(settings["rope_theta"]) + blend * settings.get("factor", 1)
    np.testing.assert_allclose(rope.inv_freq, inv_freq, rtol=near)
    np.testing.assert_allclose(rope.attention_factor, factor, rtol=1e-12)


# --- frequencies, each type on random settings

DIMS = st.integers(2, 64).map(lambda n: 2 * n)
BASES = st.sampled_from([1e3, 1e4, 5e5, 1e6, 1e7])
FACTORS = st.floats(1, 64)
LENGTHS = st.sampled_from([256, 2048, 4096, 8192, 32768])


def config(dim, base, length, **inside):
    # transformers reads head_dim only beside hidden_size and heads
    return {
        "head_dim": dim,
        "hidden_size": 4 * dim,
        "num_attention_heads": 4,
        "max_position_embeddings": length,
        "rope_parameters": {"rope_theta": base, **inside},
    }


@given(DIMS, BASES, LENGTHS)
def test_default(dim, base, length):
    agree(config(dim, base, length, rope_type="default"))


@given(DIMS, BASES, LENGTHS, FACTORS)
def test_linear(dim, base, length, factor):
    agree(config(dim, base, length, rope_type="linear", factor=factor))


@given(DIMS, BASES, LENGTHS, FACTORS, st.one_of(st.none(), st.integers(1, 200_000)))
def test_dynamic(dim, base, length, factor, seq_len):
    agree(config(dim, base, length, rope_type="dynamic", factor=factor), seq_len)


@pytest.mark.filterwarnings("ignore:original_max_position_embeddings=.* is passed over")
@pytest.mark.parametrize("seq_len", [2048, 8192, 16_384])
def test_dynamic_counts_from_max_position_embeddings(seq_len):
    block = {"rope_type": "dynamic", "factor": 4.0, "original_max_position_embeddings": 2048}
    agree(config(128, 5e5, 8192, **block) | {"model_type": "llama"}, seq_len)


@given(
    DIMS,
    BASES,
    LENGTHS,
    FACTORS,
    st.booleans(),
    st.sampled_from([{}, {"attention_factor": 1.5}, {"mscale": 0.707, "mscale_all_dim": 1.0}]),
    st.sampled_from([(32.0, 1.0), (64.0, 2.0), (8.0, 0.5)]),
)
def test_yarn(dim, base, length, factor, truncate, attention, betas):
    settings = {"factor": factor, "original_max_position_embeddings": length, "truncate": truncate, **attention}
    # Beyond these the ends of the ramp cross or round to nothing: see the next tests.
    low, high = (dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in betas)
    if max(low, 0) + 1 < min(high, dim - 1):
        made = config(dim, base, length, rope_type="yarn", beta_fast=betas[0], beta_slow=betas[1], **settings)
        agree(made, blend=2**-23 * high / (high - max(low, 0)))


@given(DIMS, BASES, LENGTHS, FACTORS, st.one_of(st.none(), st.integers(1, 200_000)), st.data())
def test_longrope(dim, base, length, factor, seq_len, data):
    lists = st.lists(st.floats(1, 64), min_size=dim // 2, max_size=dim // 2)
    settings = {"short_factor": data.draw(lists), "long_factor": data.draw(lists), "factor": factor}
    settings |= {"original_max_position_embeddings": length}
    agree(config(dim, base, length, rope_type="longrope", **settings), seq_len)


@given(DIMS, BASES, LENGTHS, FACTORS, st.sampled_from([(1.0, 4.0), (0.5, 8.0)]))
def test_llama3(dim, base, length, factor, bands):
    settings = {"factor": factor, "low_freq_factor": bands[0], "high_freq_factor": bands[1]}
    made = config(dim, base, length, rope_type="llama3", original_max_position_embeddings=length, **settings)
    agree(made, blend=rounding(base) * bands[1] / (bands[1] - bands[0]))


@given(DIMS, BASES, LENGTHS, FACTORS, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_proportional(dim, base, length, factor, part):
    agree(config(dim, base, length, rope_type="proportional", factor=factor, partial_rotary_factor=part))


def test_every_type_that_transformers_knows_is_known_here():
    assert set(rope_utils.ROPE_INIT_FUNCTIONS) < set(METHODS)


# --- rotations


@given(
    st.integers(1, 3),
    st.integers(1, 4),
    st.integers(1, 70),
    DIMS,
    BASES,
    st.sampled_from([0, 5, 3000]),
    st.integers(0, 99),
)
def test_rotation_as_transformers(batch, heads, length, dim, base, offset, seed):
    q, k = np.random.default_rng(seed).standard_normal((2, batch, heads, length, dim)).astype("f4")
    positions = offset + np.arange(length)
    made = config(dim, base, 4096, rope_type="default")
    table = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(**made))(torch.tensor(q), torch.tensor(positions)[None])
    want = llama.apply_rotary_pos_emb(torch.tensor(q), torch.tensor(k), *table)
    rope = ropelib.from_config(made)
    for x, y in zip((q, k), want, strict=True):
        np.testing.assert_allclose(rope.rotate(x, positions), y.numpy(), rtol=0, atol=FLOAT32 * (positions[-1] + 9) * 4)


def test_rotation_times_the_attention_factor_as_transformers():
    settings = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
    made = config(64, 1e4, 4096, **settings)
    x = np.random.default_rng(0).standard_normal((1, 2, 50, 64)).astype("f4")
    table = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(**made))(torch.tensor(x), torch.arange(50)[None])
    want, _ = llama.apply_rotary_pos_emb(torch.tensor(x), torch.tensor(x), *table)
    np.testing.assert_allclose(ropelib.from_config(made).rotate(x), want.numpy(), rtol=0, atol=3e-5)


def meta(x, inv_freq, positions):
    """Meta's formula for Llama: pairs viewed as complex numbers, times a unit one for each position."""
    turn = torch.polar(torch.ones(len(positions), len(inv_freq)).double(), torch.outer(positions.double(), inv_freq))
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))  # (B, S, H, P)
    return torch.view_as_real(pairs * turn[:, None]).flatten(-2)


@given(st.integers(1, 3), st.integers(1, 70), st.integers(1, 4), DIMS, BASES, st.integers(-(2**40), 2**40))
def test_rotation_as_meta(batch, length, heads, dim, base, offset):
    """The same float64 angles on both sides: agreement to rounding, at any position."""
    x, inv_freq = (
        np.random.default_rng(0).standard_normal((batch, length, heads, dim)),
        ropelib.inverse_frequencies(dim, base),
    )
    positions = offset + np.arange(length)
    want = meta(torch.tensor(x), torch.tensor(inv_freq), torch.tensor(positions))
    got = ropelib.rotate(x, *ropelib.cos_sin(positions, inv_freq), layout="interleaved", seq_axis=1)
    np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=1e-14)


@given(st.integers(1, 3), st.integers(1, 70), DIMS, st.sampled_from([1.0, 2.0, 8.0]), st.sampled_from([0, 7]))
def test_rotation_as_rotary_embedding_torch(batch, length, dim, factor, offset):
    x = np.random.default_rng(0).standard_normal((batch, 2, length, dim)).astype("f4")
    want = lucidrains.RotaryEmbedding(dim, interpolate_factor=factor).rotate_queries_or_keys(torch.tensor(x), offset=offset)
    table = ropelib.cos_sin(offset + np.arange(length), ropelib.linear(dim, factor=factor)[0])
    got = ropelib.rotate(x, *table, layout="interleaved")
    np.testing.assert_allclose(got, want.detach().numpy(), rtol=0, atol=FLOAT32 * (offset + length + 9) * 4)


@given(DIMS, st.sampled_from([2.0, 8.0]))
def test_ntk_as_rotary_embedding_torch(dim, factor):
    want = lucidrains.RotaryEmbedding(dim, theta_rescale_factor=factor).freqs.detach().double().numpy()
    np.testing.assert_allclose(ropelib.ntk(dim, factor=factor)[0], want, rtol=FLOAT32)


def test_axial_as_rotary_embedding_torch():
    peer = lucidrains.RotaryEmbedding(8, freqs_for="pixel", max_freq=256)
    want = peer.get_axial_freqs(3, 5).detach().numpy()  # (rows, columns, both axes' channels), positions -1 to 1
    freqs = ropelib.pixel_frequencies(8, 256)
    positions = np.stack(np.meshgrid(np.linspace(-1, 1, 3), np.linspace(-1, 1, 5), indexing="ij")).reshape(2, -1)
    cos, _ = ropelib.cos_sin_axes(positions, np.tile(freqs, 2), np.repeat([0, 1], 4))
    np.testing.assert_allclose(cos, np.cos(want.reshape(15, 16)[:, ::2].astype("f8")), rtol=0, atol=2e-4)


def test_xpos_as_rotary_embedding_torch():
    q, k = np.random.default_rng(0).standard_normal((2, 1, 2, 12, 16)).astype("f4")
    want = lucidrains.RotaryEmbedding(16, use_xpos=True).rotate_queries_and_keys(torch.tensor(q), torch.tensor(k))
    cos, sin = ropelib.cos_sin(np.arange(12), ropelib.inverse_frequencies(16))
    scale = ropelib.xpos_scale(np.arange(12), 16, centre=6)
    got = [ropelib.rotate(x, cos * s, sin * s, layout="interleaved") for x, s in ((q, scale), (k, 1 / scale))]
    for mine, their in zip(got, want, strict=True):
        np.testing.assert_allclose(mine, their.detach().numpy(), rtol=0, atol=5e-5)


@pytest.mark.parametrize("family, section, interleaved", [("qwen2_vl", [2, 3, 3], False), ("qwen3_vl", [4, 2, 2], True)])
def test_mrope_as_transformers(family, section, interleaved):
    module = importlib.import_module(f"transformers.models.{family}.modeling_{family}")
    name = {"qwen2_vl": "Qwen2VL", "qwen3_vl": "Qwen3VLText"}[family]
    settings = {"rope_type": "default", "mrope_section": section, "mrope_interleaved": interleaved, "rope_theta": 1e4}
    text = getattr(transformers, {"qwen2_vl": "Qwen2VLTextConfig", "qwen3_vl": "Qwen3VLTextConfig"}[family])(
        head_dim=16, hidden_size=64, num_attention_heads=4, rope_parameters=settings
    )
    random = np.random.default_rng(0)
    positions = random.integers(0, 50, (3, 1, 9))
    x = random.standard_normal((1, 4, 9, 16)).astype("f4")
    cos, sin = getattr(module, f"{name}RotaryEmbedding")(text)(torch.tensor(x), torch.tensor(positions))
    want, _ = module.apply_rotary_pos_emb(torch.tensor(x), torch.tensor(x), cos, sin)
    got = ropelib.from_config({"head_dim": 16, "rope_parameters": settings}).rotate(x, positions)
    np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=3e-4)


# --- the other encodings


@pytest.mark.parametrize("bidirectional", [False, True])
def test_t5_buckets_as_transformers(bidirectional):
    from transformers.models.t5.modeling_t5 import T5Attention

    relative = np.arange(-3000, 3000)
    want = T5Attention._relative_position_bucket(torch.tensor(relative), bidirectional=bidirectional)
    np.testing.assert_array_equal(ropelib.t5_bucket(relative, bidirectional=bidirectional), want.numpy())


@pytest.mark.parametrize("heads", [1, 6, 8, 12, 14, 71])
def test_alibi_as_transformers(heads):
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    want = build_alibi_tensor(torch.ones(1, 5), heads, torch.float32)  # slope * key: equal up to a constant a row
    got = ropelib.alibi_bias(heads, 5, 5)[:, -1]
    np.testing.assert_allclose(got - got[:, :1], want[:, 0].numpy(), rtol=1e-5, atol=1e-6)


# --- where they differ, and why ours is right


def test_transformers_ignores_partial_rotary_in_the_default_type():
    """The setting says half the head; Llama's default function never reads it. Its linear one does."""
    made = config(8, 1e4, 2048, rope_type="default", partial_rotary_factor=0.5)
    assert theirs(made)[0].shape == (4,)
    np.testing.assert_allclose(ropelib.from_config(made).inv_freq, [1, 0.01], rtol=1e-15)
    agree(config(8, 1e4, 2048, rope_type="linear", factor=1.0, partial_rotary_factor=0.5))


def test_transformers_reverses_the_ramp_when_betas_are_swapped():
    """beta_fast counts more turns than beta_slow by definition; the reversed ramp divides the fastest pairs."""
    made = config(64, 1e4, 4096, rope_type="yarn", factor=4.0, original_max_position_embeddings=4096, beta_fast=1, beta_slow=32)
    ratio = theirs(made)[0] / ropelib.inverse_frequencies(64)
    assert ratio[0] < 0.26 and ratio[-1] > 0.99
    with pytest.raises(ValueError, match="beta_fast"):
        ropelib.from_config(made)


def test_transformers_reverses_the_ramp_when_its_ends_cross():
    """Four positions hold no full turn of any pair, so YaRN's rule divides all; here the high end is below pair 0."""
    made = config(64, 1e4, 4, rope_type="yarn", factor=4.0, original_max_position_embeddings=4)
    np.testing.assert_allclose(theirs(made)[0] / ropelib.inverse_frequencies(64), 1, rtol=FLOAT32)
    np.testing.assert_allclose(ropelib.from_config(made).inv_freq / ropelib.inverse_frequencies(64), 0.25, rtol=1e-15)


def test_transformers_takes_a_mscale_of_zero_for_absent():
    """0 and 0 give m(0) / m(0) = 1 by the formula; a test of truth takes them for not given."""
    settings = {"rope_type": "yarn", "factor": 40.0, "original_max_position_embeddings": 4096}
    made = config(64, 1e4, 4096, mscale=0.0, mscale_all_dim=0.0, **settings)
    assert theirs(made)[1] > 1.3
    assert ropelib.from_config(made).attention_factor == 1.0


def test_transformers_builds_angles_in_float32():
    """float32 has no 2**24 + 1: two positions become one. 50-digit arithmetic gives the sine below."""
    made = config(64, 1e4, 4096, rope_type="default")
    embedding = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(**made))
    _, sin = embedding(torch.zeros(1), torch.tensor([[2**24, 2**24 + 1]]))
    assert sin[0, 0, 0] == sin[0, 1, 0]
    _, ours = ropelib.from_config(made).cos_sin([2**24, 2**24 + 1])
    np.testing.assert_array_equal(ours[:, 0], [math.sin(2**24), math.sin(2**24 + 1)])


def test_transformers_lets_one_position_serve_a_whole_sequence():
    """Six tokens and one position: broadcasting turns all six alike; that is never meant."""
    made = config(8, 1e4, 4096, rope_type="default")
    x = torch.ones(1, 2, 6, 8)
    table = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(**made))(x, torch.tensor([[3]]))
    assert llama.apply_rotary_pos_emb(x, x, *table)[0].shape == x.shape
    with pytest.raises(ValueError, match="a row for each of the 6 positions"):
        ropelib.from_config(made).rotate(x.numpy(), [[3]])


def test_rotary_embedding_torch_caches_a_rounded_table():
    """A bfloat16 call fills the cache with rounded positions, and float32 calls then read it."""
    x = torch.tensor(np.random.default_rng(0).standard_normal((1, 1, 1024, 64)), dtype=torch.float32)
    peer = lucidrains.RotaryEmbedding(64)
    peer.rotate_queries_or_keys(x.bfloat16())
    spoilt = peer.rotate_queries_or_keys(x).detach().numpy()
    table = ropelib.cos_sin(np.arange(1024), ropelib.inverse_frequencies(64))
    ours = ropelib.rotate(x.numpy(), *table, layout="interleaved")
    fresh = lucidrains.RotaryEmbedding(64).rotate_queries_or_keys(x).detach().numpy()
    assert np.abs(spoilt - ours).max() > 0.5
    np.testing.assert_allclose(ours, fresh, rtol=0, atol=FLOAT32 * 1024 * 5)
