"""Faults that an outside examination found, each with the right value of its kind."""

import pickle
import warnings

import numpy as np
import pytest

import ropelib
from ropelib import KVCache, Rope, from_config, inverse_frequencies

pytestmark = pytest.mark.filterwarnings("ignore:rope_theta is not given")  # where the base plays no part

LONG = {
    "type": "longrope",
    "short_factor": [1.0, 1.0],
    "long_factor": [2.0, 2.0],
    "original_max_position_embeddings": 4,
}


def longrope(**settings):
    return {"head_dim": 4, "rope_theta": 1e4, "max_position_embeddings": 8, "rope_scaling": {**LONG, **settings}}


@pytest.mark.parametrize(
    "config, layer, base",
    [
        ({"head_dim": 8, "swa_rope_theta": 1e3}, "sliding_attention", 1e3),
        ({"head_dim": 8, "swa_rope_theta": 1e3, "rope_theta": 5e6}, "full_attention", 5e6),
        ({"head_dim": 8, "attn_config": {"rope_theta": 5e5}}, None, 5e5),
        ({"head_dim": 8, "attn_config": {"rope_theta": 5e5, "rope_hf_config": {"type": "no_scaling", "factor": 1.0}}}, None, 5e5),
        ({"head_dim": 8, "rope_embedding_base": 1e6}, None, 1e6),
        ({"head_dim": 8, "rope_theta": 1e6, "swa_rope_theta": 1e6}, None, 1e6),
        ({"model_type": "olmo3", "head_dim": 8, "rope_theta": 1e6}, None, 1e6),
        ({"model_type": "olmo3", "head_dim": 8}, "sliding_attention", 5e5),
        (
            {"model_type": "olmo3", "head_dim": 8, "rope_theta": 1e6, "rope_scaling": {"type": "linear", "factor": 2}},
            "sliding_attention",
            1e6,
        ),
    ],
)
def test_a_base_by_any_name(config, layer, base):
    np.testing.assert_array_equal(from_config(config, layer_type=layer).inv_freq, inverse_frequencies(8, base))


GEMMA = {
    "head_dim": 256,
    "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"],
    "per_layer_config": {"01": {"head_dim": 512}, "03": {"head_dim": 512}},
}


@pytest.mark.parametrize(
    "config, layer, sizes",
    [
        ({"hidden_size": 2560, "num_attention_heads": 32, "attention_head_dim": 160, "kv_channels": 80}, None, (160, 160)),
        (GEMMA, "full_attention", (512, 512)),
        (GEMMA, "sliding_attention", (256, 256)),
        ({"head_dim": 8, "swa_head_dim": 16}, "sliding_attention", (16, 16)),
        ({"head_dim": 8, "rotary_emb_fraction": 0.5}, None, (8, 4)),
        ({"head_dim": 512, "partial_rotary_factor": 0.125, "qk_rope_head_dim": 64}, None, (512, 64)),
        (
            {"head_dim": 256, "partial_rotary_factor": 0.25, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128},
            None,
            (192, 64),
        ),
    ],
)
def test_a_head_by_any_name(config, layer, sizes):
    rope = from_config(config, layer_type=layer)
    assert (rope.head_dim, rope.rotary_dim) == sizes


def test_flash_attention_names_its_layout():
    assert from_config({"head_dim": 8, "rotary_emb_interleaved": True}).layout == "interleaved"


@pytest.mark.parametrize(
    "config, words",
    [
        ({"head_dim": 8, "rope_scaling": {"factor": 4.0}}, "rope_type must .* factor=4.0, one of 'default', 'linear'"),
        ({"head_dim": 8, "rope_scaling": {"rope_type": "default", "factor": 4.0}}, "rope_type must .* got 'default'"),
        ({"head_dim": 8, "rope_scaling": {"short_factor": [1.0] * 4}}, "rope_type must"),
        ({"head_dim": 8, "rope_scaling_factor": 32.0}, "rope_scaling, got rope_scaling_factor=32.0"),
        ({"head_dim": 8, "rotary": {"base": 1e4, "type": "dynamic"}}, "rotary must be True or False, got"),
        ({"head_dim": 8, "attn_config": {"alibi": True}}, "alibi=True"),
        ({"head_dim": 8, "attn_config": 3}, "attn_config must be a mapping"),
        ({"head_dim": 8, "rope_theta": 1e4, "attn_config": {"rope_theta": 5e5}}, "rope_theta must be the same"),
        ({"head_dim": 8, "rope_theta": 1e4, "rope_embedding_base": 1e6}, "rope_theta must be the same"),
        ({"head_dim": 8, "attention_head_dim": 16}, "head_dim must be the same"),
        ({"head_dim": 8, "layer_types": ["a", "a"], "per_layer_config": {"1": {"head_dim": 4}}}, "head_dim of layers"),
        ({"head_dim": 8, "per_layer_config": {"0": {"head_dim": 4}}}, "head_dim of layers"),
        ({"head_dim": 8, "per_layer_config": {"0": 3}}, "per_layer_config.* must be a mapping, got 3"),
        ({"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "rotary_dim": 32}, "rotary_dim=32, qk_rope_head_dim=64"),
        (longrope(long_factor=[1.0, 0.0]), "long_factor must be greater than 0"),
        (longrope(short_mscale=1.0, long_mscale="2"), "long_mscale must be a number"),
    ],
)
def test_what_would_have_to_be_guessed_is_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


def test_a_factor_that_is_not_the_ratio_is_used_with_a_warning():
    with pytest.warns(UserWarning, match="factor=16"):
        from_config(longrope(factor=16))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for settings in ({}, {"factor": 2.0}, {"factor": 16, "attention_factor": 1.0}):
            from_config(longrope(**settings))


@pytest.mark.parametrize("rows", [2, 4])
def test_positions_have_a_row_for_each_axis_and_no_other(rows):
    rope = from_config({"head_dim": 8, "rope_scaling": {"type": "mrope", "mrope_section": [2, 1, 1]}})
    with pytest.raises(ValueError, match="positions must have a first axis of 3"):
        rope.rotate(np.ones((4, 8)), np.ones((rows, 4)))
    assert rope.rotate(np.ones((4, 8)), np.ones((3, 4))).shape == (4, 8)


@pytest.mark.parametrize("channels", [5, 6, 16])
def test_x_has_the_channels_of_the_head_or_those_that_rotate(channels):
    rope = from_config({"head_dim": 8, "partial_rotary_factor": 0.5})
    with pytest.raises(ValueError, match=f"x must have 8 or 4 channels, got shape .2, {channels}."):
        rope.rotate(np.ones((2, channels)))
    for fits in (4, 8):
        assert rope.rotate(np.ones((2, fits))).shape == (2, fits)


def test_a_rope_shares_no_array():
    axes = np.array([0, 1])
    rope = Rope([1.0, 0.1], axes=axes)
    axes[0] = 1
    np.testing.assert_array_equal(rope.axes, [0, 1])
    assert not rope.axes.flags.writeable and not rope.inv_freq.flags.writeable


def test_a_rope_outlives_changes_of_its_config():
    config = longrope(short_mscale=1.0, long_mscale=2.0)
    rope, positions = from_config(config), np.arange(6)
    before = rope.cos_sin(positions)
    config["rope_scaling"]["long_factor"][0] = 99.0
    config["rope_scaling"]["long_mscale"] = 99.0
    np.testing.assert_array_equal(rope.cos_sin(positions), before)


@pytest.mark.parametrize("config", [{"head_dim": 4}, longrope(), {"head_dim": 4, "use_dynamic_ntk": True, "seq_length": 4}])
def test_a_rope_can_be_pickled(config):
    rope = from_config(config)
    again = pickle.loads(pickle.dumps(rope))
    np.testing.assert_array_equal(again.cos_sin(np.arange(9)), rope.cos_sin(np.arange(9)))
    assert not again.inv_freq.flags.writeable


@pytest.mark.parametrize("tokens", [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]])
def test_a_window_counts_tokens_and_no_padding(tokens):
    random = np.random.default_rng(0)
    q, k, v = random.normal(size=(3, 1, 1, 5, 8))
    held = np.array([*tokens, 1], bool)
    padded, packed = (KVCache(from_config({"head_dim": 8}), window=2) for _ in range(2))
    padded.attend(*(a[:, :, :4] for a in (q, k, v)), tokens=[tokens])
    kept = np.append(padded.order[0] >= 0, True)
    output, weights = padded.attend(*(a[:, :, 4:] for a in (q, k, v)))
    want, short = packed.attend(*(a[:, :, held] for a in (q, k, v)))
    np.testing.assert_allclose(output[0, 0, 0], want[0, 0, -1], rtol=1e-12)
    np.testing.assert_allclose(weights[0, 0, 0, kept], short[0, 0, -1, -kept.sum() :], rtol=1e-12)
    assert (weights[0, 0, 0, ~kept] == 0).all()


@pytest.mark.parametrize("rope", [None, "x", 3])
def test_a_cache_needs_a_rope(rope):
    with pytest.raises(TypeError, match="rope must be a Rope"):
        ropelib.KVCache(rope)
