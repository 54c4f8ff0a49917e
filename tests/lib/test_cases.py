"""Mistakes that others made, one test each, with the right value. The number is the case's in the project's list.

The values come from 50-digit or float64 arithmetic, not from this library.
"""

import json
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ropelib
from ropelib import cos_sin, from_config, inverse_frequencies, rotate

pytestmark = pytest.mark.filterwarnings("ignore:rope_theta is not given")  # where the base plays no part

X = np.array([1.0, 2.0, 3.0, 4.0])
INTERLEAVED = [-1.1426396637, 1.9220755965, 2.9598506679, 4.0297995017]
HALF = [-1.9841106486, 1.9599006675, 2.4623779024, 4.0197996683]


def near(got, want, digits=10):
    np.testing.assert_allclose(got, want, rtol=0.6 * 10.0 ** (1 - digits), atol=0.6 * 10.0**-digits)


def same_products(got, want, sizes):
    """Equal but for the order in which each product's terms were added, which is the machine's to choose; sizes holds the
    sum of the terms' magnitudes."""
    assert (np.abs(got - want) <= 8 * np.finfo(float).eps * sizes).all(), np.abs(got - want).max()


def at_one(x, layout, dim=4):
    return rotate(x, *cos_sin(1, inverse_frequencies(dim)), layout=layout)


# --- layout


def test_r01_both_layouts_are_the_same_rotation_permuted():
    near(at_one(X, "interleaved"), INTERLEAVED)
    near(at_one(X, "half"), HALF)
    permutation = [0, 2, 1, 3]
    np.testing.assert_array_equal(at_one(X[permutation], "half"), at_one(X, "interleaved")[permutation])
    np.testing.assert_array_equal(ropelib.to_half(X), X[permutation])
    q, k = np.random.default_rng(0).standard_normal((2, 6, 4))
    table = cos_sin(np.arange(6), inverse_frequencies(4))
    turned = [
        [rotate(move(x), *table, layout=layout) for x in (q, k)]
        for move, layout in ((np.asarray, "interleaved"), (ropelib.to_half, "half"))
    ]
    same_products(*(q @ k.T for q, k in turned), np.abs(turned[0][0]) @ np.abs(turned[0][1]).T)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_r03_a_table_in_one_order_cannot_meet_pairs_in_the_other(layout):
    """[t0, t0, t1, t1] used with pairs (i, i + d/2) gives |y|^2 = 34.377; here a table has one entry a pair."""
    y = at_one(X, layout)
    assert abs(y @ y - 30) < 1e-13
    doubled = np.repeat(cos_sin(1, inverse_frequencies(4)), 2, axis=-1)
    with pytest.raises(ValueError, match=r"4 pairs, which need x to have at least 8 channels, .* holds each pair twice"):
        rotate(X, *doubled, layout=layout)


def test_r05_deinterleaved_weights_give_the_same_scores_in_half_order():
    q, k = X, X[::-1]
    table = cos_sin(1, inverse_frequencies(4)), cos_sin(5, inverse_frequencies(4))
    half = [rotate(ropelib.to_half(v), *t, layout="half") for v, t in zip((q, k), table, strict=True)]
    inter = [rotate(v, *t, layout="interleaved") for v, t in zip((q, k), table, strict=True)]
    same_products(half[0] @ half[1], inter[0] @ inter[1], np.abs(half[0]) @ np.abs(half[1]))
    np.testing.assert_array_equal(half[0], ropelib.to_half(inter[0]))


@pytest.mark.parametrize("layout", ["neox", "gptj", "", "HALF", None, True, 0, ["half"]])
def test_r06_layout_is_one_of_two_names(layout):
    with pytest.raises(ValueError, match="layout must be one of 'interleaved', 'half'"):
        rotate(X, *cos_sin(1, inverse_frequencies(4)), layout=layout)
    with pytest.raises(ValueError, match=r"layout|rope_interleaved"):
        from_config({"head_dim": 4, "layout": "both", "rope_interleaved": layout})


def test_r06_layout_has_no_default():
    with pytest.raises(TypeError, match="layout"):
        rotate(X, *cos_sin(1, inverse_frequencies(4)))


@pytest.mark.parametrize(
    "settings, layout",
    [
        ({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64}, "interleaved"),
        ({"n_embd": 4096, "n_head": 16, "rotary_dim": 64}, "interleaved"),
        ({"model_type": "codegen", "n_embd": 1024, "n_head": 16, "rotary_dim": 32}, "interleaved"),
        ({"model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "rotary_dim": 32}, "half"),
        ({"model_type": "glm4", "head_dim": 128}, "interleaved"),
        ({"model_type": "chatglm", "kv_channels": 128, "original_rope": True}, "interleaved"),
        ({"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "qk_nope_head_dim": 128}, "interleaved"),
        ({"model_type": "minicpm3", "qk_rope_head_dim": 32, "qk_nope_head_dim": 64}, "half"),
        ({"model_type": "cohere2", "head_dim": 128, "layer_types": ["sliding_attention"]}, "interleaved"),
        ({"model_type": "llama4_text", "head_dim": 128, "no_rope_layers": [1]}, "interleaved"),
        *[({"model_type": name, "head_dim": 128}, "half") for name in ("llama", "qwen3", "gemma2", "phi", "gpt_neox")],
        ({"model_type": "llama", "head_dim": 128, "layout": "interleaved"}, "interleaved"),
        ({"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_interleave": False}, "half"),
    ],
)
def test_r06_families(settings, layout):
    assert from_config(settings).layout == layout


# --- dtype


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_r08_angles_are_built_in_float64_whatever_the_dtype(dtype):
    cos, _ = cos_sin(1857, inverse_frequencies(32), dtype)
    assert cos.dtype == dtype
    assert abs(cos[1] - 0.3066928098) <= max(6e-11, np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_r09_position_257_is_not_256(dtype):
    near(cos_sin(257, [1.0])[1], [-0.5733571748])
    want = np.sin(257.0).astype(dtype)
    assert cos_sin(257, [1.0], dtype)[1][0] == want
    assert from_config({"head_dim": 2}).rotate(np.array([[1.0, 0.0]], dtype), [257])[0, 1] == want


def test_r11_far_neighbours_stay_apart():
    _, sin = cos_sin(np.arange(65536, 65540), [1.0])
    near(sin[:, 0], [0.6920654538, -0.2334784382, -0.9443633309, -0.7870049323])
    for far in (2**24, 2**40):
        _, sin = cos_sin([far, far + 1], [1.0])
        np.testing.assert_array_equal(sin[:, 0], np.sin([float(far), float(far + 1)]))


def test_r13_no_call_changes_a_later_one():
    rope = from_config({"head_dim": 64})
    x = np.random.default_rng(0).standard_normal((1024, 64))
    fresh = from_config({"head_dim": 64}).rotate(x.astype("f4"))
    rope.rotate(x.astype("f2"))
    np.testing.assert_array_equal(rope.rotate(x.astype("f4")), fresh)
    with pytest.raises(ValueError, match="read-only"):
        rope.inv_freq[0] = 2.0


# --- dynamic


def dynamic(factor, longest, **more):
    return {
        "head_dim": 128,
        "max_position_embeddings": longest,
        "rope_theta": 1e4,
        "rope_scaling": {"type": "dynamic", "factor": factor},
        **more,
    }


def test_r15_dynamic_ntk_follows_the_length_and_uses_its_factor():
    config = dynamic(4.0, 2048)
    for length, want in ((1000, 1.1547819847e-4), (8192, 8.8829383438e-6)):
        near(from_config(config, seq_len=length).inv_freq[63] / want, 1.0)
        near(from_config(config).cos_sin([length - 1])[1][0, 63], np.sin((length - 1) * want), 9)


def test_r17_keys_and_queries_turn_by_one_base():
    settings = {"factor": 2, "max_position_embeddings": 8}
    q, k = X, X[::-1]

    def turned(x, position, length):
        inv_freq, _ = ropelib.dynamic_ntk(4, seq_len=length, **settings)
        return rotate(x, *cos_sin(position, inv_freq), layout="half")

    near(turned(q, 15, 16) @ turned(k, 2, 16), 14.4302122977)
    near(turned(q, 15, 16) @ turned(k, 2, 9), 14.5270835059)  # the mistake

    config = {
        "head_dim": 4,
        "max_position_embeddings": 8,
        "rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 1e4},
    }
    cache, row = ropelib.KVCache(from_config(config)), np.zeros((1, 1, 1, 4))
    for position in range(16):
        key = k if position == 2 else row
        _, weights = cache.attend(row + q if position == 15 else row, row + key, row)
    score = np.log(weights[0, 0, 0, 2] / weights[0, 0, 0, 0]) * np.sqrt(4)  # the other keys score 0
    near(score, 14.4302122977, 9)


def test_r18_positions_are_not_scaled_and_length_is_theirs():
    config = dynamic(6.0, 32768)
    near(from_config(config, seq_len=65536).inv_freq[63] / 1.6496885496e-5, 1.0)
    x = np.random.default_rng(0).standard_normal((1, 32, 2, 128))  # 32 heads are no length
    positions = np.array([0, 65535])
    fixed = from_config(config, seq_len=65536).rotate(x, positions)
    np.testing.assert_array_equal(from_config(config).rotate(x, positions), fixed)


def test_r19_stepwise_alpha_is_each_sequences_own():
    for length, alpha in ((2048, 1), (2049, 3), (4096, 3), (4097, 7), (8192, 7)):
        got = ropelib.dynamic_ntk(128, factor=1, seq_len=length, max_position_embeddings=2048, stepwise=True)[0]
        np.testing.assert_allclose(got, ropelib.ntk(128, factor=alpha)[0], rtol=1e-15)
    rope = from_config({"kv_channels": 128, "seq_length": 2048, "use_dynamic_ntk": True, "rotary_emb_base": 10000})
    positions = np.array([[0, 2047], [0, 8191]])
    cos, _ = rope.cos_sin(positions)
    for row, alpha in ((0, 1), (1, 7)):
        np.testing.assert_allclose(cos[row], cos_sin(positions[row], ropelib.ntk(128, factor=alpha)[0])[0], atol=1e-12)


def test_r20_no_table_is_too_short():
    for positions in ([4096], [[3, 8]], [2**40], [-5]):
        cos, _ = from_config({"head_dim": 2, "max_position_embeddings": 8}).cos_sin(positions)
        np.testing.assert_array_equal(cos[..., 0], np.cos(np.asarray(positions, float)))


# --- yarn


def yarn_ramp(*arguments, **settings):
    """Part of each pair that is divided, read off the result."""
    factor, inv_freq = settings["factor"], inverse_frequencies(*arguments)
    return (1 - ropelib.yarn(*arguments, **settings)[0] / inv_freq) / (1 - 1 / factor)


def test_r21_bounds_are_not_rounded_when_truncate_is_false():
    settings = {"factor": 32, "original_max_position_embeddings": 4096}
    low, high, pair = 8.092779115512402, 17.398024501588555, np.arange(32)
    np.testing.assert_allclose(
        yarn_ramp(64, 150000, truncate=False, **settings), np.clip((pair - low) / (high - low), 0, 1), atol=1e-13
    )
    np.testing.assert_allclose(yarn_ramp(64, 150000, **settings), np.clip((pair - 8) / 10, 0, 1), atol=1e-13)
    near(ropelib.yarn(64, 150000, **settings)[1], 1.3465735903)


def test_r21_truncate_is_read_in_every_spelling():
    inside = {
        "rope_type": "yarn",
        "rope_theta": 150000,
        "factor": 32.0,
        "original_max_position_embeddings": 4096,
        "truncate": False,
    }
    want = ropelib.yarn(64, 150000, factor=32, original_max_position_embeddings=4096, truncate=False)[0]
    flat = from_config({"head_dim": 64, "rope_parameters": inside})
    nested = from_config({"head_dim": 64, "rope_parameters": {"full_attention": inside}}, layer_type="full_attention")
    np.testing.assert_array_equal(flat.inv_freq, want)
    np.testing.assert_array_equal(nested.inv_freq, want)


def test_r23_bounds_may_be_zero_and_may_meet():
    pair = np.arange(32)
    ramp = yarn_ramp(64, 1e4, factor=4, original_max_position_embeddings=256)
    np.testing.assert_allclose(ramp, np.clip(pair / 13, 0, 1), atol=1e-13)
    step = ropelib.yarn(64, factor=4, original_max_position_embeddings=2048, beta_fast=32, beta_slow=32, truncate=False)[0]
    np.testing.assert_allclose(step / inverse_frequencies(64), np.where(pair <= 8, 1, 0.25), rtol=1e-15)


def test_ends_that_meet_on_a_pair_leave_that_pair_as_it_was():
    """Published code divides what lies beyond the end; Llama's keeps what turns exactly so often."""
    settings = {"factor": 4, "original_max_position_embeddings": 64 * np.pi}
    got = ropelib.yarn(64, beta_fast=32, beta_slow=32, truncate=False, **settings)[0]
    np.testing.assert_array_equal(got / inverse_frequencies(64), [1] + 31 * [0.25])
    got = ropelib.llama3(64, low_freq_factor=32, high_freq_factor=32, step=True, **settings)[0]
    np.testing.assert_array_equal(got / inverse_frequencies(64, 5e5), [1] + 31 * [0.25])


def test_proportional_divides_by_its_factor():
    plain = inverse_frequencies(8)
    got = ropelib.proportional(8, partial_rotary_factor=0.5, factor=4)[0]
    np.testing.assert_array_equal(got, [plain[0] / 4, plain[1] / 4, 0, 0])


def test_r23_ends_beyond_the_table_are_cut_before_the_slope_is_taken():
    """Raw ends -2.43, 9.61 and 0.06, 8.41 (of 4 channels, so cut to 3)."""
    ramp = yarn_ramp(64, 1e4, factor=4, original_max_position_embeddings=100)
    np.testing.assert_allclose(ramp, np.clip(np.arange(32) / 10, 0, 1), atol=1e-13)
    settings = {"factor": 4, "original_max_position_embeddings": 1e5, "beta_fast": 15000, "truncate": False}
    low = 4 * np.log(1e5 / (15000 * 2 * np.pi)) / (2 * np.log(10))
    np.testing.assert_allclose(yarn_ramp(4, 10.0, **settings), [0, (1 - low) / (3 - low)], atol=1e-13)


def test_r23_a_ramp_beyond_either_end_leaves_no_pair_on_the_wrong_side():
    """Bounds that cross once they are cut to the table reverse the ramp where it is computed blindly."""
    np.testing.assert_allclose(yarn_ramp(64, 1e4, factor=4, original_max_position_embeddings=4), 1, atol=1e-13)
    np.testing.assert_allclose(yarn_ramp(4, 10.0, factor=4, original_max_position_embeddings=1e9), 0, atol=1e-13)


@pytest.mark.parametrize("fast, slow", [(1, 32), (0.5, 1)])
def test_r25_swapped_betas_are_refused(fast, slow):
    with pytest.raises(ValueError, match="beta_fast must not be less than beta_slow"):
        ropelib.yarn(64, factor=4, original_max_position_embeddings=4096, beta_fast=fast, beta_slow=slow)


@pytest.mark.parametrize("name", ["beta_fast", "beta_slow"])
def test_r25_a_beta_of_zero_is_not_taken_for_absent(name):
    with pytest.raises(ValueError, match=f"{name} must be greater than 0"):
        ropelib.yarn(64, factor=4, original_max_position_embeddings=4096, **{name: 0})


def test_r26_the_factor_divides_the_frequency_not_the_base():
    got = ropelib.yarn(128, factor=4, original_max_position_embeddings=4096)[0]
    near(got[60] / 4.4456985251e-5, 1.0)
    np.testing.assert_allclose(got[46:] / inverse_frequencies(128)[46:], 0.25, rtol=1e-15)


@pytest.mark.parametrize("value", [1.0, 1, np.float32(1), np.int64(1), 0.5])
def test_r27_an_explicit_attention_factor_is_used(value):
    inside = {"rope_type": "yarn", "factor": 64.0, "original_max_position_embeddings": 4096, "attention_factor": value}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert from_config({"head_dim": 128, "rope_theta": 1e4, "rope_parameters": inside}).attention_factor == value
    inside.pop("attention_factor")
    near(from_config({"head_dim": 128, "rope_theta": 1e4, "rope_parameters": inside}).attention_factor, 1.4158883083)


def test_r27_a_mscale_of_zero_is_not_taken_for_absent():
    settings = {"factor": 40, "original_max_position_embeddings": 4096}
    assert ropelib.yarn(64, mscale=0, mscale_all_dim=0, **settings)[1] == 1.0
    near(ropelib.yarn(64, mscale=0, mscale_all_dim=1, **settings)[1], 1 / 1.3688879454)
    near(ropelib.yarn(64, mscale=0.707, mscale_all_dim=0.707, **settings)[1], 1.0)


def test_r30_the_factor_given_is_used_and_a_mismatch_is_told():
    config = {
        "head_dim": 128,
        "max_position_embeddings": 40960,
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768},
    }
    with pytest.warns(UserWarning, match=r"factor=4.0 is used, though .* is 1.25"):
        rope = from_config(config)
    near(rope.attention_factor, 1.1386294361)
    np.testing.assert_allclose(rope.inv_freq[-1] / inverse_frequencies(128)[-1], 0.25, rtol=1e-15)


def test_r30_a_context_window_still_unextended_is_no_mismatch():
    """As Qwen2.5 is published: 32768 in both places, and the factor says how far to go."""
    settings = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rope = from_config({"head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": 32768, "rope_scaling": settings})
    near(rope.attention_factor, 1.1386294361)


def test_r31_the_trained_length_decides_the_ramp():
    settings = {"factor": 32, "truncate": False}
    pair = np.arange(32)
    for trained, low, high in ((4096, 8.0928, 17.3980), (131072, 17.3980, 26.7033)):
        ramp = yarn_ramp(64, 150000, original_max_position_embeddings=trained, **settings)
        np.testing.assert_allclose(ramp, np.clip((pair - low) / (high - low), 0, 1), atol=2e-5)


@pytest.mark.parametrize("kind", ["yarn", "llama3", "longrope"])
def test_r31_the_trained_length_is_required(kind):
    settings = {"rope_type": kind, "factor": 4.0, "low_freq_factor": 1, "high_freq_factor": 4}
    settings |= {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
    with pytest.raises(ValueError, match="must have 'original_max_position_embeddings'"):
        from_config({"head_dim": 64, "max_position_embeddings": 131072, "rope_parameters": settings})


# --- longrope

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden.json").read_text())
LONGROPE = next(model["config"] for model in GOLDEN["models"] if model["id"] == "phi-3-mini-128k-short")


def test_r33_the_sequence_not_the_context_window_chooses_the_list():
    for length, first, last in ((4096, 0.9523809524, 3.9722218316e-5), (4097, 0.9708738134, 1.8693525984e-6)):
        near(from_config(LONGROPE, seq_len=length).inv_freq[[0, 47]] / [first, last], [1.0, 1.0])


def test_r34_a_long_prefill_is_long_from_its_first_position():
    positions = np.arange(5000)
    long = from_config(LONGROPE, seq_len=5000)
    np.testing.assert_array_equal(from_config(LONGROPE).cos_sin(positions), long.cos_sin(positions))
    both = np.stack([positions, np.minimum(positions, 4095)])
    cos, _ = from_config(LONGROPE).cos_sin(both)
    np.testing.assert_array_equal(cos[1], from_config(LONGROPE, seq_len=4096).cos_sin(both[1])[0])
    np.testing.assert_array_equal(cos[0], long.cos_sin(positions)[0])


def test_r35_crossing_the_trained_length_while_decoding():
    """As at 4096, with a trained length of 8: the last row of scores is that of a full computation."""
    config = {
        "head_dim": 4,
        "max_position_embeddings": 64,
        "original_max_position_embeddings": 8,
        "rope_scaling": {"type": "longrope", "short_factor": [1.0, 2.0], "long_factor": [3.0, 9.0]},
    }
    random = np.random.default_rng(0)
    q, k, v = random.standard_normal((3, 1, 1, 9, 4))
    cache = ropelib.KVCache(from_config(config))
    for i in range(9):
        output, weights = cache.attend(*(a[:, :, i : i + 1] for a in (q, k, v)))
    rope = from_config(config, seq_len=9)
    want, want_weights = ropelib.attend(rope.rotate(q), rope.rotate(k), v, mask=ropelib.causal_mask(9, 9))
    np.testing.assert_allclose(output[0, 0, -1], want[0, 0, -1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights[0, 0, -1], want_weights[0, 0, -1], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "factor, trained, want", [(32, 4096, 1.1902380714), (8, 2048, 1.1281521496), (1, 4096, 1.0), (0.5, 4096, 1.0)]
)
def test_r36_attention_factor_of_longrope(factor, trained, want):
    lists = {"short_factor": [1.0] * 48, "long_factor": [2.0] * 48}
    for seq_len in (trained, trained + 1):
        got = ropelib.longrope(96, factor=factor, original_max_position_embeddings=trained, seq_len=seq_len, **lists)[1]
        near(got, want)
    implied = {
        "head_dim": 96,
        "max_position_embeddings": factor * trained,
        "rope_scaling": {"type": "su", "original_max_position_embeddings": trained, **lists},
    }
    near(from_config(implied).attention_factor, want)


# --- llama3


def test_r38_llama3_bands():
    config = {
        "head_dim": 64,
        "rope_theta": 5e5,
        "rope_scaling": {
            "rope_type": "llama3",
            "factor": 32.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 8192,
        },
    }
    got, plain = from_config(config).inv_freq, inverse_frequencies(64, 5e5)
    np.testing.assert_allclose(got[:15], plain[:15], rtol=1e-15)
    near(got[15:18] / [1.2905479282e-3, 4.2955679656e-4, 9.7082878026e-5], 1.0)
    np.testing.assert_allclose(got[18:], plain[18:] / 32, rtol=1e-15)


@pytest.mark.parametrize("low, high", [(4, 1), (4, 4)])
def test_r40_bands_out_of_order_are_refused(low, high):
    settings = {"factor": 8.0, "low_freq_factor": low, "high_freq_factor": high}
    with pytest.raises(ValueError, match="high_freq_factor must be greater than low_freq_factor"):
        ropelib.llama3(128, original_max_position_embeddings=8192, **settings)
    inside = {"rope_type": "llama3", "original_max_position_embeddings": 8192, **settings}
    with pytest.raises(ValueError, match="high_freq_factor must be greater than low_freq_factor"):
        from_config({"head_dim": 128, "rope_scaling": inside})


def test_r40_llama_4_scout_is_published_with_equal_factors():
    inside = {
        "rope_type": "llama3",
        "factor": 16.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 1.0,
        "original_max_position_embeddings": 8192,
    }
    config = {"model_type": "llama4_text", "head_dim": 128, "rope_theta": 5e5, "rope_scaling": inside}
    rope = from_config(config, layer=0)
    plain = inverse_frequencies(128, 5e5)
    want = np.where(ropelib.wavelengths(plain) <= 8192, plain, plain / 16)
    np.testing.assert_allclose(rope.inv_freq, want, rtol=1e-15)


# --- partial


def test_r41_an_odd_partial_dimension_is_refused():
    with pytest.raises(ValueError, match="rotary_dim must be even, got 3"):
        from_config({"head_dim": 4, "partial_rotary_factor": 0.75})


def test_r41_a_part_is_rounded_down_but_not_by_floating_point():
    assert from_config({"head_dim": 192, "partial_rotary_factor": 0.334}).rotary_dim == 64  # MiMo-V2-Flash
    assert from_config({"head_dim": 80, "partial_rotary_factor": 0.4}).rotary_dim == 32  # Phi-2
    assert from_config({"head_dim": 200, "partial_rotary_factor": 0.29}).rotary_dim == 58  # 57.99999999999999


@pytest.mark.parametrize(
    "settings",
    [
        {"partial_rotary_factor": 0.5},
        {"rotary_pct": 0.5},
        {"rope_pct": 0.5},
        {"rotary_dim": 4},
        {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
        {"partial_rotary_factor": 0.5, "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
    ],
)
@pytest.mark.parametrize("mrope", [False, True])
def test_r42_partial_rotary_is_honoured_in_every_spelling(settings, mrope):
    config = {"head_dim": 8, "rope_theta": 1e4, **settings}
    if mrope:
        config["rope_parameters"] = {**config.get("rope_parameters", {}), "mrope_section": [1, 1, 0]}
    rope = from_config(config)
    np.testing.assert_allclose(rope.inv_freq, [1, 0.01], rtol=1e-15)
    x = np.random.default_rng(0).standard_normal((5, 8))
    np.testing.assert_array_equal(rope.rotate(x)[:, 4:], x[:, 4:])


@pytest.mark.parametrize("kind", ["linear", "ntk", "dynamic", "yarn", "longrope", "llama3"])
def test_r42_partial_rotary_is_honoured_by_every_type(kind):
    settings = {"rope_type": kind, "factor": 2.0, "original_max_position_embeddings": 64}
    settings |= {"low_freq_factor": 1, "high_freq_factor": 4, "short_factor": [1.0, 1.0], "long_factor": [2.0, 2.0]}
    rope = from_config({"head_dim": 8, "partial_rotary_factor": 0.5, "max_position_embeddings": 64, "rope_parameters": settings})
    assert (rope.rotary_dim, rope.inv_freq.shape) == (4, (2,))


# --- positions


def test_r45_left_padding():
    mask = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    got = ropelib.padded_positions(mask)
    np.testing.assert_array_equal(got[mask == 1], [0, 1, 2, 0, 1, 2, 3, 4])
    step = np.concatenate([mask, [[1], [1]]], axis=1)
    np.testing.assert_array_equal(ropelib.padded_positions(step)[:, -1:], [[3], [5]])

    random, rope = np.random.default_rng(0), from_config({"head_dim": 8})
    q, k, v = random.standard_normal((3, 2, 2, 6, 8))
    cache = ropelib.KVCache(rope)
    cache.attend(q[:, :, :5], k[:, :, :5], v[:, :, :5], tokens=mask)
    output, _ = cache.attend(q[:, :, 5:], k[:, :, 5:], v[:, :, 5:])
    np.testing.assert_array_equal(cache.positions[:, -1], [3, 5])
    alone = ropelib.KVCache(rope)  # the short row without its padding
    want, _ = alone.attend(q[:1, :, 2:], k[:1, :, 2:], v[:1, :, 2:])
    np.testing.assert_allclose(output[0, :, -1], want[0, :, -1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seq_axis", [-2, 1])
def test_r46_each_row_has_its_own_offset(seq_axis):
    rope = from_config({"head_dim": 8})
    x = np.random.default_rng(0).standard_normal((2, 3, 1, 8) if seq_axis == -2 else (2, 1, 3, 8))
    got = rope.rotate(x, [[5], [3]], seq_axis=seq_axis)
    for row, offset in enumerate((5, 3)):
        np.testing.assert_array_equal(got[row], rope.rotate(x[row], [offset], seq_axis=-2 if seq_axis == -2 else 0))
    same = rope.rotate(x, [5], seq_axis=seq_axis)
    np.testing.assert_array_equal(same, rope.rotate(x, [[5], [5]], seq_axis=seq_axis))


def test_r48_decoding_equals_a_full_forward():
    random = np.random.default_rng(0)
    layers = [(random.standard_normal((3, 1, 2, 9, 8)), ropelib.KVCache(from_config({"head_dim": 8}))) for _ in range(2)]
    for (q, k, v), cache in layers:
        outputs, seen = [], []
        for start, stop in pairwise((0, 6, 7, 8, 9)):
            output, _ = cache.attend(*(a[:, :, start:stop] for a in (q, k, v)))
            outputs.append(output)
            seen.append(cache.positions[0, start:stop].tolist())
        assert seen == [[0, 1, 2, 3, 4, 5], [6], [7], [8]]
        rope = from_config({"head_dim": 8})
        want, _ = ropelib.attend(rope.rotate(q), rope.rotate(k), v, mask=ropelib.causal_mask(9, 9))
        np.testing.assert_allclose(np.concatenate(outputs, axis=2), want, rtol=0, atol=1e-12)


def test_r49_packed_sequences():
    np.testing.assert_array_equal(ropelib.packed_positions([0, 3, 7]), [0, 1, 2, 0, 1, 2, 3])
    rope = from_config({"head_dim": 8})
    q, k, v = np.random.default_rng(0).standard_normal((3, 7, 8))
    positions = ropelib.packed_positions([0, 3, 7])
    packed, weights = ropelib.attend(rope.rotate(q, positions), rope.rotate(k, positions), v, mask=ropelib.packed_mask([0, 3, 7]))
    assert not weights[3:, :3].any()
    for start, stop in ((0, 3), (3, 7)):
        part = slice(start, stop)
        mask = ropelib.causal_mask(stop - start, stop - start)
        want, _ = ropelib.attend(rope.rotate(q[part]), rope.rotate(k[part]), v[part], mask=mask)
        np.testing.assert_allclose(packed[part], want, rtol=0, atol=1e-14)


# --- shapes and sizes


def test_r52_shapes_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match=r"x must have 16 channels, got shape \(2, 6, 8\)"):
        from_config({"head_dim": 16}).rotate(np.zeros((2, 6, 8)))
    rope = from_config({"head_dim": 8})
    with pytest.raises(ValueError, match="a row for each of the 6 positions of x"):
        rope.rotate(np.zeros((1, 6, 2, 8)), np.arange(5), seq_axis=1)
    with pytest.raises(ValueError, match="a row for each of the 6 positions of x"):
        rope.rotate(np.zeros((1, 6, 2, 8)), [3], seq_axis=1)


@pytest.mark.parametrize("dim", [9, 33, 65, 3, 1, 0, -2])
def test_r53_odd_or_non_positive_dimensions_are_refused(dim):
    makers = (
        lambda: inverse_frequencies(dim),
        lambda: from_config({"head_dim": dim}),
        lambda: ropelib.linear(dim, factor=2),
        lambda: ropelib.ntk(dim, factor=2),
        lambda: ropelib.dynamic_ntk(dim, factor=2, seq_len=9, max_position_embeddings=4),
        lambda: ropelib.yarn(dim, factor=2, original_max_position_embeddings=64),
        lambda: ropelib.llama3(dim, factor=2, original_max_position_embeddings=64),
        lambda: ropelib.longrope(dim, short_factor=[], long_factor=[], original_max_position_embeddings=64, factor=2),
        lambda: ropelib.proportional(dim),
        lambda: ropelib.axial(dim),
        lambda: ropelib.pixel_frequencies(dim),
        lambda: ropelib.xpos_scale(0, dim),
        lambda: ropelib.critical_dimension(dim, 4096),
    )
    for make in makers:
        with pytest.raises(ValueError, match=f"must be (even|at least [12]), got {dim}"):
            make()


@pytest.mark.parametrize("channels", [0, 1, 9])
def test_r53_odd_arrays_are_refused(channels):
    for move in (lambda x: ropelib.to_complex(x, layout="half"), ropelib.to_half, ropelib.to_interleaved):
        with pytest.raises(ValueError, match=f"must be (even|at least 2), got {channels}"):
            move(np.zeros(channels))


@pytest.mark.parametrize("base", [10_000_000, np.int32(10_000_000), np.int64(10_000_000), np.float32(1e7), 1e7])
def test_r55_an_integer_base_does_not_overflow(base):
    near(inverse_frequencies(128, base)[63] / 1.2863969449e-7, 1.0)


@pytest.mark.parametrize("base", [0, -1, -1e4, np.nan, np.inf, -np.inf, 10**400])
def test_r55_a_base_that_is_no_base_is_refused(base):
    with pytest.raises(ValueError, match=r"base must be (finite|greater than 1)"):
        inverse_frequencies(128, base)
    with pytest.raises(ValueError, match=r"rope_theta must be (finite|greater than 0)"):
        from_config({"head_dim": 128, "rope_theta": base})


# --- config


def test_r56_type_and_rope_type():
    def made(**settings):
        return from_config({"head_dim": 64, "rope_scaling": settings}).inv_freq

    want = inverse_frequencies(64) / 2
    np.testing.assert_array_equal(made(type="linear", factor=2.0), want)
    np.testing.assert_array_equal(made(type="linear", rope_type="linear", factor=2), want)
    with pytest.raises(ValueError, match="rope_type must be the same wherever it is given"):
        made(type="linear", rope_type="dynamic", factor=2)
    section = [16, 8, 8]
    for names in ({"type": "mrope"}, {"rope_type": "default"}, {"type": "mrope", "rope_type": "default"}):
        rope = from_config({"head_dim": 64, "rope_scaling": {**names, "mrope_section": section}})
        np.testing.assert_array_equal(rope.axes, ropelib.mrope_axes(section))


@pytest.mark.parametrize("old", [False, True])
def test_r58_gemma_3_local_and_global_layers(old):
    config = {"head_dim": 256, "sliding_window_pattern": 6}
    if old:
        config |= {
            "rope_theta": 1e6,
            "rope_local_base_freq": 1e4,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        }
    else:
        config["rope_parameters"] = {
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
        }
    near(from_config(config, layer_type="sliding_attention").inv_freq[1], 0.9305720409)
    assert from_config(config, layer_type="full_attention").inv_freq[0] == 0.125
    with pytest.raises(ValueError, match=r"layer_type must be one of .*sliding_attention.*, got None"):
        from_config(config)
    with pytest.raises(ValueError, match=r"layer_type must be one of .*, got 'global'"):
        from_config(config, layer_type="global")


@pytest.mark.parametrize("factor", [0.5, 0, -1, "2", None, True, np.nan, np.inf, [2]])
@pytest.mark.parametrize("kind", ["linear", "ntk", "dynamic", "yarn", "llama3"])
def test_r59_bad_factors_are_refused(kind, factor):
    settings = {"rope_type": kind, "factor": factor, "original_max_position_embeddings": 64}
    settings |= {"low_freq_factor": 1, "high_freq_factor": 4}
    with pytest.raises(ValueError, match="factor"):
        from_config({"head_dim": 8, "rope_parameters": settings})


@pytest.mark.parametrize("kind", ["foo", "Linear", "", 3, ["linear"]])
def test_r59_an_unknown_type_is_refused_with_the_known_ones(kind):
    with pytest.raises(ValueError, match=r"rope_type must be one of 'default', 'linear', .*'proportional', got"):
        from_config({"head_dim": 8, "rope_parameters": {"rope_type": kind, "factor": 2.0}})


def test_r60_the_factor_divides_positions():
    table = cos_sin(8, ropelib.linear(4, factor=4)[0])
    near(rotate([1.0, 0, 1, 0], *table, layout="interleaved"), [-0.4161468365, 0.9092974268, 0.9998000067, 0.0199986667])


# --- axes


def test_r61_chunked_and_interleaved_sections():
    chunked = ropelib.mrope_axes([16, 24, 24])
    np.testing.assert_array_equal(chunked, [0] * 16 + [1] * 24 + [2] * 24)
    interleaved = ropelib.mrope_axes([24, 20, 20], interleaved=True)
    np.testing.assert_array_equal(np.flatnonzero(interleaved == 1), np.arange(1, 59, 3))
    np.testing.assert_array_equal(np.flatnonzero(interleaved == 2), np.arange(2, 60, 3))
    np.testing.assert_array_equal(np.flatnonzero(interleaved == 0), [*range(0, 60, 3), 60, 61, 62, 63])
    for axes in (chunked, interleaved):
        table = ropelib.cos_sin_axes(np.tile(np.arange(9), (3, 1)), inverse_frequencies(128), axes)
        np.testing.assert_array_equal(table, cos_sin(np.arange(9), inverse_frequencies(128)))


def test_r61_text_through_a_model_that_sees_is_1d_rope():
    section = {"rope_type": "default", "mrope_section": [16, 24, 24]}
    rope = from_config({"head_dim": 128, "rope_parameters": section})
    x = np.random.default_rng(0).standard_normal((2, 4, 9, 128))
    want = from_config({"head_dim": 128}).rotate(x)
    np.testing.assert_array_equal(rope.rotate(x), want)
    np.testing.assert_array_equal(rope.rotate(x, np.arange(9)), want)
    np.testing.assert_array_equal(rope.rotate(x, np.broadcast_to(np.arange(9), (3, 2, 9))), want)


@pytest.mark.parametrize("section", [[16, 24], [16, 24, 25], [-16, 40, 40], [], "64", [16.0, 24, 24], [True, 31, 32]])
def test_r61_bad_sections_are_refused(section):
    with pytest.raises(ValueError, match="section"):
        from_config({"head_dim": 128, "rope_parameters": {"rope_type": "default", "mrope_section": section}})


def test_r61_a_section_that_cannot_be_interleaved_is_refused():
    with pytest.raises(ValueError, match="section must leave every axis its places"):
        ropelib.mrope_axes([10, 30, 24], interleaved=True)


def test_r63_row_comes_first_and_reading_order_is_row_major():
    positions = ropelib.grid_positions(3, 5)
    assert positions[:, 7].tolist() == [1, 2]
    inv_freq, axes = ropelib.axial(8)
    tall = ropelib.cos_sin_axes(positions, inv_freq, axes)[0].reshape(3, 5, 4)
    wide = ropelib.cos_sin_axes(ropelib.grid_positions(5, 3), inv_freq, axes)[0].reshape(5, 3, 4)
    np.testing.assert_array_equal(tall.transpose(1, 0, 2), np.roll(wide, 2, axis=-1))


def test_r65_pixel_frequencies():
    near(ropelib.pixel_frequencies(6, 256), [3.1415926536, 202.6327261565, 402.1238596595])


# --- masks


def test_r66_causal_masks_are_aligned_at_the_bottom_right():
    np.testing.assert_array_equal(ropelib.causal_mask(2, 5), [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
    q, k = np.ones((5, 2)), np.ones((2, 2))
    output, weights = ropelib.attend(q, k, k, mask=ropelib.causal_mask(5, 2))
    np.testing.assert_array_equal(output[:3], 0)
    np.testing.assert_array_equal(weights[:3], 0)
    np.testing.assert_array_equal(output[3:], 1)


# --- other encodings


def test_r68_slopes_for_any_number_of_heads():
    twelve = [2.0**-h for h in range(1, 9)] + [0.7071067812, 0.3535533906, 0.1767766953, 0.0883883476]
    near(ropelib.alibi_slopes(12), twelve)
    near(ropelib.alibi_slopes(6), [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125])
    near(ropelib.alibi_slopes(10), twelve[:10])
    for heads in range(1, 65):
        slopes = ropelib.alibi_slopes(heads)
        assert slopes.shape == (heads,) and len(set(slopes)) == heads and (0 < slopes).all() and (slopes < 1).all()


def test_r69_exponent_and_sign():
    slopes = ropelib.alibi_slopes(8)
    assert (slopes[0], slopes[7]) == (0.5, 0.00390625)
    assert ropelib.alibi_bias(8, 4, 4)[0, 3, 1] == -0.5 * 2


def test_r70_the_bias_stays_while_decoding():
    np.testing.assert_array_equal(ropelib.alibi_bias(8, 1, 5)[0, 0], [-2, -1.5, -1, -0.5, 0])


def test_r72_xpos_pairs_and_centre():
    zeta = ropelib.xpos_scale(512, 8)
    near(zeta, [0.2857142857, 0.4642857143, 0.6428571429, 0.8214285714])

    def score(m, n, centre, layout):
        total = np.ones(8)
        for position, power in ((m, 1), (n, -1)):
            scale = ropelib.xpos_scale(position, 8, centre=centre) ** power
            cos, sin = cos_sin(position, inverse_frequencies(8))
            total = total * rotate(np.ones(8), cos * scale, sin * scale, layout=layout)
        return total.sum()

    for layout in ("interleaved", "half"):
        for centre in (0, 4, 256):
            near(score(7, 4, centre, layout), 3.9282167630)
        near(score(512, 0, 0, layout), 1.9240110766)


def test_r73_xpos_scales_stay_finite_or_are_refused():
    scale = ropelib.xpos_scale(8192, 8)
    near(scale[0] / 1.972e-9, 1.0, 4)
    near(1 / scale[0] / 5.0709e8, 1.0, 5)
    cos, sin = cos_sin(8192, inverse_frequencies(8))
    for dtype in ("f4", "f8"):
        assert np.isfinite(rotate(np.ones(8, dtype), cos / scale, sin / scale, layout="half")).all()
    with pytest.warns(RuntimeWarning, match="overflow"):
        rotate(np.ones(8, "f2"), cos / scale, sin / scale, layout="half")
    assert (ropelib.xpos_scale([8192, 8190], 8, centre=8191) > 0.99).all()
    with pytest.raises(ValueError, match="positions must stay within float64's range"):
        ropelib.xpos_scale(-(10**9), 8)


def test_r74_odd_widths_and_two_orders():
    interleaved = ropelib.sinusoidal(1, 5)
    angles = 1e4 ** (-np.arange(0, 5, 2) / 5)
    np.testing.assert_allclose(interleaved[::2], np.sin(angles), rtol=1e-15)
    np.testing.assert_allclose(interleaved[1::2], np.cos(angles[:2]), rtol=1e-15)
    np.testing.assert_array_equal(ropelib.sinusoidal(1, 5, layout="half"), interleaved[[0, 2, 4, 1, 3]])
    np.testing.assert_array_equal(ropelib.sinusoidal(3, 6, layout="half"), ropelib.to_half(ropelib.sinusoidal(3, 6)))


def test_r75_dimension_two():
    np.testing.assert_array_equal(inverse_frequencies(2), [1.0])
    for make in (
        lambda: ropelib.ntk(2, factor=2),
        lambda: ropelib.dynamic_ntk(2, factor=2, seq_len=9, max_position_embeddings=4),
    ):
        with pytest.raises(ValueError, match=r"rotary_dim must be at least 4 for NTK scaling, whose exponent is R / \(R - 2\)"):
            make()
