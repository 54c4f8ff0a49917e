"""What `from_config` once got wrong in silence, one test each, with the right value. The number is the case's in the list.

The values come from float64 arithmetic on the formula of the model's own published code, not from this library.
"""

import warnings

import numpy as np
import pytest

import ropelib
from ropelib import Rope, from_config, inverse_frequencies

X = [1.0, 2.0, 3.0, 4.0]
SLIDING, FULL = "sliding_attention", "full_attention"


def near(got, want, digits=10):
    np.testing.assert_allclose(got, want, rtol=0.6 * 10.0 ** (1 - digits), atol=0.6 * 10.0**-digits)


def moved(rope, channels=None, position=5):
    """Which channels of a head of ones move."""
    head = np.ones(rope.head_dim if channels is None else channels)
    return np.flatnonzero(rope.rotate(head, position) != head)


def quiet(config, **which):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return from_config(config, **which)


# --- layers without rotation

EXAONE4 = {"model_type": "exaone4", "head_dim": 128, "rope_theta": 1e6, "layer_types": [SLIDING] * 3 + [FULL]}
COHERE2 = {"model_type": "cohere2", "head_dim": 128, "rope_theta": 5e4, "sliding_window": 4096}
COHERE2 |= {"layer_types": [SLIDING] * 3 + [FULL]}
SMOLLM3 = {"model_type": "smollm3", "head_dim": 128, "rope_theta": 5e6, "num_hidden_layers": 36}
SMOLLM3 |= {"no_rope_layers": [1, 1, 1, 0] * 9}
LLAMA4 = {"model_type": "llama4_text", "head_dim": 128, "rope_theta": 5e5, "num_hidden_layers": 48}


def test_n01_exaone_4_has_no_position_in_its_full_layers():
    config = EXAONE4 | {"sliding_window": 4096}
    assert len(moved(quiet(config, layer_type=SLIDING))) == 128
    assert len(moved(quiet(config, layer_type=FULL))) == 0
    assert [quiet(config, layer=i).rotary_dim for i in range(4)] == [128, 128, 128, 0]


def test_n01_exaone_4_without_a_window_rotates_everywhere():
    config = EXAONE4 | {"sliding_window": None, "layer_types": [FULL] * 4}
    assert len(moved(quiet(config, layer_type=FULL))) == 128
    assert quiet(config).rotary_dim == 128


def test_n02_command_r7b_has_no_position_in_its_full_layers():
    near_, far = (quiet(COHERE2, layer_type=kind) for kind in (SLIDING, FULL))
    assert (len(moved(near_)), len(moved(far))) == (128, 0)
    assert (far.head_dim, far.rotary_dim, far.inv_freq.shape) == (128, 0, (0,))
    without_list = {key: value for key, value in COHERE2.items() if key != "layer_types"}
    assert [quiet(without_list, layer=i).rotary_dim for i in range(4)] == [128, 128, 128, 0]


@pytest.mark.parametrize("config", [EXAONE4, COHERE2, SMOLLM3, LLAMA4])
def test_n01_a_model_whose_layers_differ_asks_which(config):
    with pytest.raises(ValueError, match=r"layer.* must be"):
        from_config(config)


def test_n03_smollm3s_flag_is_one_where_a_layer_does_rotate():
    rotating = [quiet(SMOLLM3, layer=i).rotary_dim > 0 for i in range(36)]
    assert [i for i, turns in enumerate(rotating) if not turns] == [3, 7, 11, 15, 19, 23, 27, 31, 35]
    with pytest.raises(ValueError, match="layer must be given, for layers 3, 7"):
        from_config(SMOLLM3)
    with pytest.raises(ValueError, match="layer must be less than num_hidden_layers, 36, got 36"):
        from_config(SMOLLM3, layer=36)
    assert quiet(SMOLLM3 | {"no_rope_layers": [1] * 36}).rotary_dim == 128


def test_n03_the_interval_serves_where_the_list_is_missing():
    config = {key: value for key, value in SMOLLM3.items() if key != "no_rope_layers"}
    assert [quiet(config, layer=i).rotary_dim for i in (2, 3, 34, 35)] == [128, 0, 128, 0]
    assert [quiet(config | {"no_rope_layer_interval": 2}, layer=i).rotary_dim for i in (0, 1, 2, 3)] == [128, 0, 128, 0]


@pytest.mark.parametrize("which", [{"layer": 3}, {"layer_type": FULL}])
@pytest.mark.parametrize("listed", [{}, {"no_rope_layers": []}, {"no_rope_layers": [1, 1, 1, 0] * 12}])
def test_n04_llama_4_scales_the_queries_of_layers_without_rotation(which, listed):
    config = LLAMA4 | listed | {"attn_scale": 0.1, "floor_scale": 8192, "attn_temperature_tuning": True}
    rope = quiet(config, **which)
    assert len(moved(rope)) == 0
    near(rope.query_factor([8190, 8191, 16383]), [1, 1.0693147181, 1.1098612289])
    rotating = quiet(config, layer=0)
    assert rotating.rotary_dim == 128 and rotating.layout == "interleaved"
    np.testing.assert_array_equal(rotating.query_factor([8190, 8191, 16383]), 1)
    np.testing.assert_array_equal(quiet(config | {"attn_temperature_tuning": False}, **which).query_factor([16383]), 1)


@pytest.mark.parametrize("family", ["ministral3", "mistral4"])
def test_n05_a_query_scale_among_the_rope_settings(family):
    inside = {"type": "yarn", "rope_theta": 1e6, "factor": 16.0, "original_max_position_embeddings": 16384}
    inside |= {"mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}
    rope = quiet({"model_type": family, "head_dim": 128, "rope_parameters": inside})
    assert rope.attention_factor == 1
    near(rope.query_factor([16383, 16384, 32768]), [1, 1.0693147181, 1.1098612289])


def test_qwens_log_n_starts_past_the_trained_length():
    rope = quiet({"model_type": "qwen", "kv_channels": 128, "use_dynamic_ntk": False, "use_logn_attn": True, "seq_length": 8192})
    near(rope.query_factor([0, 8191, 8192**2 - 1]), [1, 1, 2])


def test_a_list_of_bases_by_layer_with_0_for_none():
    config = {"model_type": "muse_glimmer_text", "head_dim": 8, "layer_rope_theta": [1e4, 1e4, 1e4, 0]}
    assert [quiet(config, layer=i).rotary_dim for i in range(4)] == [8, 8, 8, 0]
    with pytest.raises(ValueError, match="layer must be given, for layer_rope_theta differs"):
        from_config(config)
    config = {"model_type": "step3p5", "head_dim": 8, "rope_theta": [5e6, 1e4], "partial_rotary_factors": [0.5, 1.0]}
    np.testing.assert_array_equal(quiet(config, layer=0).inv_freq, inverse_frequencies(4, 5e6))
    np.testing.assert_array_equal(quiet(config, layer=1).inv_freq, inverse_frequencies(8, 1e4))


def test_a_scaling_that_is_for_some_types_of_layer_alone():
    inside = {"rope_type": "llama3", "factor": 2.0, "low_freq_factor": 1.0, "high_freq_factor": 32.0}
    inside |= {"original_max_position_embeddings": 131072}
    config = {"model_type": "step3p5", "head_dim": 8, "rope_theta": [5e6, 1e4], "layer_types": [FULL, SLIDING]}
    config |= {"rope_scaling": inside, "yarn_only_types": [FULL]}
    np.testing.assert_array_equal(quiet(config, layer=1).inv_freq, inverse_frequencies(8))
    want, _ = ropelib.llama3(8, 5e6, factor=2, low_freq_factor=1, high_freq_factor=32, original_max_position_embeddings=131072)
    np.testing.assert_array_equal(quiet(config, layer=0).inv_freq, want)
    with pytest.raises(ValueError, match="layer_type must be given, for only 'full_attention' is scaled"):
        from_config(config | {"rope_theta": 1e4})


@pytest.mark.parametrize(
    "said, types",
    [
        ({"model_type": "qwen3_next", "full_attention_interval": 4}, [0, 0, 0, 8]),
        ({"model_type": "minimax_text_01", "attn_type_list": [0, 0, 1, 0]}, [0, 0, 8, 0]),
    ],
)
def test_layers_of_another_attention_are_told_by_any_list(said, types):
    config = {"head_dim": 8, "rope_theta": 1e4, "partial_rotary_factor": 1.0, **said}
    assert [quiet(config, layer=i).rotary_dim for i in range(4)] == types


def test_modernberts_first_of_three_layers_is_global():
    config = {"model_type": "modernbert", "head_dim": 8, "global_attn_every_n_layers": 3, "num_hidden_layers": 22}
    for i in range(6):
        want = inverse_frequencies(8, 160000 if i % 3 == 0 else 1e4)
        np.testing.assert_array_equal(quiet(config, layer=i).inv_freq, want)


@pytest.mark.parametrize(
    "config, layer, rotary_dim",
    [
        ({"model_type": "mllama_text_model", "head_dim": 8, "cross_attention_layers": [3, 8]}, 3, 0),
        ({"model_type": "mllama_text_model", "head_dim": 8, "cross_attention_layers": [3, 8]}, 4, 8),
        ({"model_type": "lfm2", "head_dim": 8, "layer_types": ["conv", FULL]}, 0, 0),
        ({"model_type": "lfm2", "head_dim": 8, "layer_types": ["conv", FULL]}, 1, 8),
        ({"model_type": "qwen3_next", "head_dim": 8, "rope_theta": 1e7, "layer_types": ["linear_attention", FULL]}, 0, 0),
        ({"model_type": "recurrent_gemma", "head_dim": 8, "block_types": ["recurrent", "recurrent", "attention"]}, 4, 0),
        ({"model_type": "recurrent_gemma", "head_dim": 8, "block_types": ["recurrent", "recurrent", "attention"]}, 5, 4),
        ({"model_type": "bamba", "head_dim": 8, "rope_theta": 1e4, "attn_layer_indices": [9]}, 8, 0),
        ({"model_type": "bamba", "head_dim": 8, "rope_theta": 1e4, "attn_layer_indices": [9]}, 9, 4),
        ({"model_type": "beam", "head_dim": 8, "rope_parameters": {SLIDING: {"rope_theta": 1e4}, FULL: None}}, None, 0),
    ],
)
def test_a_layer_that_does_not_rotate_in_a_model_that_does(config, layer, rotary_dim):
    which = {"layer_type": FULL} if layer is None else {"layer": layer}
    assert quiet(config, **which).rotary_dim == rotary_dim


# --- models without rotation


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "granitemoehybrid", "hidden_size": 1536, "num_attention_heads": 12, "position_embedding_type": "nope"},
        {"model_type": "granitemoehybrid", "hidden_size": 1536, "num_attention_heads": 12},
        {"model_type": "gpt2", "n_embd": 768, "n_head": 12},
        {"model_type": "gpt_bigcode", "n_embd": 768, "n_head": 12},
        {"model_type": "bloom", "hidden_size": 1024, "n_head": 16},
        {"model_type": "jamba", "hidden_size": 4096, "num_attention_heads": 32},
        {"model_type": "kimi_linear", "qk_rope_head_dim": 64, "qk_nope_head_dim": 128},
        {"model_type": "kimi_k3", "qk_rope_head_dim": 64, "mla_use_nope": True},
        {"model_type": "bert", "hidden_size": 768, "num_attention_heads": 12},
        {"model_type": "opt", "hidden_size": 768, "num_attention_heads": 12},
        {"model_type": "whisper", "d_model": 384, "head_dim": 64},
        {"model_type": "t5", "d_model": 512, "num_heads": 8},
        {"model_type": "inkling_text", "head_dim": 128},
        {"model_type": "nemotron_h", "head_dim": 128},
        {"model_type": "siglip_vision_model", "hidden_size": 1152, "num_attention_heads": 16},
        {"model_type": "some_bert", "head_dim": 64, "position_embedding_type": "absolute"},
        {"model_type": "esm", "hidden_size": 320, "num_attention_heads": 20},
        {"model_type": "falcon", "head_dim": 64, "alibi": True},
        {"model_type": "baichuan", "hidden_size": 5120, "num_attention_heads": 40, "alibi": True},
        {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary": False},
        {"model_type": "olmo", "head_dim": 64, "rope": False},
        {"model_type": "baichuan", "hidden_size": 5120, "num_attention_heads": 40, "model_max_length": 4096},
        {"model_type": "mpt", "d_model": 4096, "n_heads": 32, "attn_config": {"alibi": False}},
        {"model_type": "zamba2", "attention_head_dim": 160},
        {"model_type": "smollm3", "head_dim": 128, "no_rope_layers": [0, 0]},
    ],
)
def test_n07_a_model_that_never_rotates_is_refused(config):
    with pytest.raises(ValueError, match="must be that of a model with RoPE"):
        from_config({"rope_theta": 1e4, **config})


def test_n07_the_switch_that_says_yes():
    config = {"model_type": "granitemoehybrid", "hidden_size": 1536, "num_attention_heads": 12, "rope_theta": 1e4}
    assert quiet(config | {"position_embedding_type": "rope"}).rotary_dim == 128
    assert quiet({"model_type": "zamba2", "attention_head_dim": 160, "use_mem_rope": True}).rotary_dim == 160


@pytest.mark.parametrize(
    "config, words",
    [
        ({"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6, "rope_theta": 100.0}, "by coordinates"),
        ({"model_type": "roformer", "head_dim": 64, "rotary_value": True}, "rotary_value rotates values"),
        ({"model_type": "clvp_encoder", "head_dim": 64}, "rotates values"),
        ({"model_type": "wav2vec2-conformer", "position_embeddings_type": "rotary"}, "before they are projected"),
        (
            {"model_type": "wav2vec2-bert", "position_embeddings_type": "relative_key"},
            "got position_embeddings_type='relative_key'",
        ),
        ({"model_type": "qwen3", "head_dim": 64, "rope_3d": True}, "rope_3d"),
        ({"model_type": "nomic_bert", "head_dim": 64, "rotary_scaling_factor": 2}, "rotary_scaling_factor=2: not supported"),
        ({"model_type": "nomic_bert", "head_dim": 64, "rotary_emb_scale_base": 512}, "rotary_emb_scale_base=512"),
        ({"model_type": "llama", "head_dim": 64, "rope_condense_ratio": 8}, "rope_condense_ratio=8"),
        ({"model_type": "new", "head_dim": 64, "rope_scaling": {"type": "ntk", "factor": 2.0}}, "not supported"),
        ({"model_type": "qwen3", "head_dim": 64, "log_scaling_n_floor": 128000}, "log_scaling_n_floor"),
        ({"model_type": "qwen3", "head_dim": 64, "attn_temperature_tuning": True}, "attn_temperature_tuning"),
    ],
)
def test_n32_a_rotation_that_is_not_supported_is_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


# --- slices, direction, values


def test_n08_deepseeks_rotating_channels_are_the_last():
    rope = quiet({"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "rope_theta": 1e4})
    np.testing.assert_array_equal(moved(rope), np.arange(128, 192))
    tiny = quiet({"qk_nope_head_dim": 2, "qk_rope_head_dim": 2, "rope_theta": 1e4})
    near(tiny.rotate(X, 1), [1, 2, -1.7449770216, 4.6856221779])


def test_n09_deepseek_v4_turns_the_last_channels_of_values_too():
    config = {"model_type": "deepseek_v4", "head_dim": 512, "qk_rope_head_dim": 64, "rope_theta": 1e4}
    config |= {"compress_rope_theta": 160000, "compress_ratios": [0, 4, 128]}
    config |= {"rope_scaling": {"type": "yarn", "factor": 16, "original_max_position_embeddings": 65536}}
    near_, far = quiet(config, layer=0), quiet(config, layer=1)
    np.testing.assert_array_equal(moved(near_), np.arange(448, 512))
    assert near_.layout == far.layout == "interleaved" and near_.rotates_values and far.rotates_values
    np.testing.assert_array_equal(near_.inv_freq, inverse_frequencies(64, 1e4))
    want, _ = ropelib.yarn(64, 160000, factor=16, original_max_position_embeddings=65536)
    np.testing.assert_array_equal(far.inv_freq, want)
    assert far.attention_factor == 1  # it does without YaRN's temperature
    with pytest.raises(ValueError, match="layer_type must be one of 'sliding_attention', 'compressed_sparse_attention'"):
        from_config(config)


def test_n10_nanochat_turns_the_other_way():
    rope = quiet({"model_type": "nanochat", "hidden_size": 8, "num_attention_heads": 2})
    near(rope.rotate(X, 1), [3.0647152603, 2.0398993342, 0.7794359328, 3.9798003350])
    assert rope.direction == -1


@pytest.mark.parametrize(
    "config, layout",
    [
        ({"model_type": "hy_v4", "qk_rope_head_dim": 64}, "half"),
        ({"model_type": "minicpm3", "qk_rope_head_dim": 32}, "half"),
        ({"model_type": "deepseek_v3", "qk_rope_head_dim": 64}, "interleaved"),
        ({"model_type": "moonshine_streaming", "head_dim": 40}, "interleaved"),
        ({"model_type": "openai_privacy_filter", "head_dim": 64}, "interleaved"),
        ({"model_type": "ernie4_5_vl_moe_text", "head_dim": 128}, "interleaved"),
    ],
)
def test_n39_layouts_that_a_key_does_not_tell(config, layout):
    assert from_config({"rope_theta": 1e4, **config}).layout == layout


# --- several axes


@pytest.mark.parametrize(
    "said",
    [
        {"model_type": "ernie4_5_vl_moe_text", "rope_parameters": {"rope_theta": 5e5, "mrope_section": [22, 22, 20]}},
        {"model_type": "ernie4_5_moe_vl", "rope_theta": 5e5, "rope_3d": True, "freq_allocation": 20},
        {"model_type": "ernie4_5_vl_moe_text", "rope_theta": 5e5},
    ],
)
def test_n11_ernie_alternates_height_and_width_and_puts_time_last(said):
    rope = quiet({"head_dim": 128, **said})
    assert rope.layout == "interleaved"
    np.testing.assert_array_equal(rope.axes, [1, 2] * 22 + [0] * 20)


def test_n11_ernies_angles():
    inside = {"rope_theta": 1e4, "mrope_section": [1, 1, 2]}
    rope = quiet({"model_type": "ernie4_5_vl_moe_text", "head_dim": 8, "rope_parameters": inside})
    cos, sin = rope.cos_sin(np.array([7, 3, 5]).reshape(3, 1))
    near(np.arctan2(sin, cos)[0], [3, 0.5, 0.07, 0.007])


@pytest.mark.parametrize(
    "inside", [{"mrope_section": [11, 11, 10]}, {"mrope_section": [11, 11, 10], "mrope_interleaved": True}, {}]
)
def test_n12_sections_are_interleaved_though_no_flag_says_so(inside):
    inside = {"rope_theta": 1e7, "partial_rotary_factor": 0.25, **inside}
    rope = quiet({"model_type": "qwen3_5_text", "head_dim": 256, "rope_parameters": inside})
    np.testing.assert_array_equal(rope.axes, ropelib.mrope_axes([11, 11, 10], interleaved=True))


def test_n12_a_flag_that_the_family_contradicts_is_refused():
    for family, flag in (("qwen3_vl_text", False), ("qwen2_vl_text", True)):
        inside = {"rope_theta": 1e6, "mrope_section": [24, 20, 20], "mrope_interleaved": flag}
        with pytest.raises(ValueError, match=f"mrope_interleaved must be {not flag} for {family.removesuffix('_text')}"):
            from_config({"model_type": family, "head_dim": 128, "rope_parameters": inside})


@pytest.mark.parametrize("family, section", [("qwen2_vl_text", [16, 24, 24]), ("glm4v_text", [8, 12, 12])])
def test_n12_a_familys_own_sections(family, section):
    rope = from_config({"model_type": family, "head_dim": 2 * sum(section), "rope_theta": 1e6})
    np.testing.assert_array_equal(rope.axes, ropelib.mrope_axes(section))


@pytest.mark.parametrize("inside", [{}, {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 262144}])
def test_n26_and_n27_part_of_the_head_three_axes_and_yarn(inside):
    inside = {"rope_theta": 1e7, "partial_rotary_factor": 0.25, "mrope_section": [11, 11, 10], **inside}
    rope = quiet({"model_type": "qwen3_5_text", "head_dim": 256, "rope_parameters": inside})
    assert (rope.rotary_dim, [np.count_nonzero(rope.axes == i) for i in range(3)]) == (64, [11, 11, 10])
    x = np.random.default_rng(0).standard_normal((1, 256))
    y = rope.rotate(x, np.array([7, 3, 5]).reshape(3, 1))
    np.testing.assert_array_equal(y[:, 64:], x[:, 64:])
    near(rope.attention_factor, 1.1386294361 if "factor" in inside else 1)


def test_hunyuan_vl_as_its_publisher_spells_it():
    """HunyuanOCR: a base raised by alpha, and four axes."""
    inside = {"type": "xdrope", "alpha": 1000.0, "factor": 1.0, "xdrope_section": [16, 16, 16, 16]}
    config = {"model_type": "hunyuan_vl", "head_dim": 128, "rope_theta": 1e4, "max_position_embeddings": 32768}
    with pytest.warns(UserWarning, match="as in its publisher's code: that of transformers gives the two channels of a pair"):
        rope = from_config(config | {"rope_scaling": inside})
    base = 1e4 * 1000 ** (128 / 126)
    np.testing.assert_allclose(rope.inv_freq, base ** (-np.arange(64) / 64), rtol=1e-12)
    np.testing.assert_array_equal(rope.axes, np.repeat([0, 1, 2, 3], 16))


def test_n24_four_axes_are_blocks_under_any_spelling():
    inside = {"rope_theta": 1e4, "xdrope_section": [16, 16, 16, 16]}
    with pytest.warns(UserWarning, match="is taken as in its publisher's code"):
        rope = from_config({"model_type": "hunyuan_vl", "head_dim": 128, "rope_parameters": inside})
    np.testing.assert_array_equal(rope.axes, np.repeat([0, 1, 2, 3], 16))


@pytest.mark.parametrize("kind", ["telechat3-yarn", "deepseek_yarn", "dynamic-yarn", "xdrope", "axial"])
def test_n24_a_surname_is_no_known_type(kind):
    with pytest.raises(ValueError, match=f"rope_type must be one of 'default', 'linear', .*, got '{kind}'"):
        from_config({"head_dim": 128, "rope_theta": 1e4, "rope_scaling": {"rope_type": kind, "factor": 4.0}})


# --- keys


YARN = {"type": "yarn", "factor": 4, "original_max_position_embeddings": 4096}


@pytest.mark.parametrize(
    "key, near_key",
    [
        ("beta_fats", "beta_fast"),
        ("attn_factor", "attention_factor"),
        ("original_max_position_embedding", "original_max_position_embeddings"),
        ("partial_rotary_factors", "partial_rotary_factor"),
        ("mrope_sections", "mrope_section"),
    ],
)
def test_n19_a_key_that_no_method_reads_is_named_with_the_nearest(key, near_key):
    with pytest.raises(ValueError, match=f"rope_scaling must hold settings .*, got '{key}'; the nearest .* '{near_key}'"):
        from_config({"head_dim": 128, "rope_theta": 1e4, "rope_scaling": YARN | {key: 0.5}})


def test_n19_a_key_far_from_all_is_named_with_those_that_are_read():
    with pytest.raises(ValueError, match="got 'zzzz'; those that are read: alpha, "):
        from_config({"head_dim": 128, "rope_theta": 1e4, "rope_scaling": YARN | {"zzzz": 1}})


@pytest.mark.parametrize(
    "settings, key, reader",
    [
        ({"type": "linear", "factor": 2, "beta_fast": 32}, "beta_fast", "yarn"),
        ({"type": "llama3", "truncate": False}, "truncate", "yarn"),
        (YARN | {"low_freq_factor": 1.0}, "low_freq_factor", "llama3"),
        ({"type": "default", "original_max_position_embeddings": 4096}, "original_max_position_embeddings", "yarn"),
    ],
)
def test_n19_a_key_that_only_another_method_reads_is_told(settings, key, reader):
    if settings["type"] == "llama3":
        settings = settings | {"factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}
    with pytest.warns(UserWarning, match=f"{key}=.* is not read by rope_type '{settings['type']}', only by .*{reader}"):
        from_config({"head_dim": 128, "rope_theta": 1e4, "rope_scaling": settings})


def test_n20_old_and_new_blocks_that_agree():
    old, new = {"rope_type": "linear", "factor": 2}, {"type": "linear", "factor": 2, "rope_theta": 10000.0}
    rope = quiet({"head_dim": 8, "rope_scaling": old, "rope_parameters": new})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8) / 2)
    with pytest.raises(ValueError, match=r"factor must be the same .* rope_scaling.factor=2, rope_parameters.factor=4"):
        from_config({"head_dim": 8, "rope_scaling": old, "rope_parameters": new | {"factor": 4}})
    with pytest.raises(ValueError, match="rope_type must be the same"):
        from_config({"head_dim": 8, "rope_scaling": old, "rope_parameters": new | {"type": "ntk"}})


def test_n20_an_old_block_beside_one_by_layer_type_is_that_of_the_global_layers():
    nested = {SLIDING: {"rope_theta": 1e4}, FULL: {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}
    config = {"model_type": "gemma3_text", "head_dim": 8, "rope_parameters": nested}
    config |= {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    np.testing.assert_array_equal(quiet(config, layer_type=SLIDING).inv_freq, inverse_frequencies(8))
    np.testing.assert_array_equal(quiet(config, layer_type=FULL).inv_freq, inverse_frequencies(8, 1e6) / 8)
    with pytest.raises(ValueError, match="factor must be the same"):
        from_config(config | {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}, layer_type=FULL)


def test_n21_and_n40_a_base_that_nobody_gave_is_a_guess_and_says_so():
    inside = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    config = {"model_type": "qwen3", "head_dim": 128, "rope_parameters": inside}
    with pytest.warns(UserWarning, match="rope_theta is not given, for model_type 'qwen3': 10000 is its code's own default"):
        near(from_config(config).inv_freq[1], 0.8659643234)
    near(quiet(config | {"rope_theta": 1e6}).inv_freq[1], 0.8058421878)


@pytest.mark.parametrize("family, base", [("llama", 1e4), ("smollm3", 2e6), ("mixtral", 1e6), ("nomic_bert", 1e3)])
def test_n40_a_base_that_the_family_gives_is_none(family, base):
    rope = quiet({"model_type": family, "head_dim": 8}, layer=0)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, base))


def test_n40_a_family_may_give_whole_settings():
    rope = quiet({"model_type": "gpt_oss"})
    want = ropelib.yarn(64, 1.5e5, factor=32, original_max_position_embeddings=4096, truncate=False)
    np.testing.assert_array_equal(rope.inv_freq, want[0])
    assert (rope.head_dim, rope.attention_factor) == (64, want[1])


def test_an_unknown_model_type_is_told():
    with pytest.warns(UserWarning, match="model_type 'new_thing' is not known: that it rotates, with layout 'half'"):
        assert from_config({"model_type": "new_thing", "head_dim": 8, "rope_theta": 1e4}).layout == "half"
    assert quiet({"model_type": "new_thing", "head_dim": 8, "rope_theta": 1e4, "layout": "interleaved"}).layout == "interleaved"
    assert quiet({"head_dim": 8, "rope_theta": 1e4}).layout == "half"


def test_weights_that_enter_the_rotation_are_told():
    with pytest.warns(UserWarning, match=r"mistral_large4 multiplies the frequencies by exp\(alpha\)"):
        from_config({"model_type": "mistral_large4_text", "qk_rope_head_dim": 8, "rope_theta": 1e4}, layer=0)


def test_n25_the_indexer_has_a_layout_of_its_own():
    sizes = {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "index_head_dim": 128, "rope_theta": 1e4}
    attention, indexer = (quiet({"model_type": "deepseek_v32", **sizes}, part=part) for part in ("attention", "indexer"))
    assert (attention.layout, attention.head_dim, attention.rotary_start) == ("interleaved", 192, 128)
    assert (indexer.layout, indexer.head_dim, indexer.rotary_start, indexer.rotary_dim) == ("half", 128, 0, 64)
    np.testing.assert_array_equal(indexer.inv_freq, attention.inv_freq)
    said = {"model_type": "glm_moe_dsa", **sizes, "indexer_rope_interleave": True}
    assert quiet(said, part="indexer").layout == "interleaved"
    assert quiet({"model_type": "hy_v4", **sizes}, part="indexer").rotary_start == 64
    with pytest.raises(ValueError, match="part must be 'attention' for a config without index_head_dim"):
        from_config({"model_type": "llama", "head_dim": 8}, part="indexer")
    with pytest.raises(ValueError, match="part must be one of 'attention', 'indexer'"):
        from_config({"head_dim": 8}, part="values")
    with pytest.warns(UserWarning, match="the indexer of model_type 'acme' is not known"):
        from_config({"model_type": "acme", "layout": "half", **sizes}, part="indexer")


def test_n28_theta_beside_a_block_that_lacks_it_and_theta_twice():
    beside = {"head_dim": 8, "rope_theta": 600000, "rope_parameters": {"rope_type": "default"}}
    np.testing.assert_array_equal(quiet(beside).inv_freq, inverse_frequencies(8, 6e5))
    with pytest.raises(ValueError, match="rope_theta must be the same"):
        from_config({"head_dim": 8, "rope_theta": 1e4, "rope_parameters": {"rope_type": "default", "rope_theta": 5e5}})


def test_n29_a_part_given_twice_is_applied_once():
    config = {"head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 1e4, "rope_parameters": {"partial_rotary_factor": 0.5}}
    assert quiet(config).rotary_dim == 64


def test_n30_the_divisor_of_a_blended_pair():
    inside = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    inside |= {"original_max_position_embeddings": 8192}
    rope = quiet({"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "rope_scaling": inside})
    near(inverse_frequencies(128, 5e5)[30] / rope.inv_freq[30], 1.5534146285)


def test_n34_modernberts_older_keys():
    config = {"model_type": "modernbert", "head_dim": 64, "global_rope_theta": 160000.0, "local_rope_theta": 1e4}
    np.testing.assert_array_equal(quiet(config, layer_type=SLIDING).inv_freq, inverse_frequencies(64))
    np.testing.assert_array_equal(quiet(config, layer_type=FULL).inv_freq, inverse_frequencies(64, 160000))
    silent = {"model_type": "modernbert", "head_dim": 64}
    np.testing.assert_array_equal(quiet(silent, layer_type=FULL).inv_freq, inverse_frequencies(64, 160000))


def test_n37_a_switch_that_says_yes():
    rope = quiet({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary": True, "rotary_dim": 64})
    assert (rope.head_dim, rope.rotary_dim, rope.layout) == (256, 64, "interleaved")


INNER = {"model_type": "qwen2", "head_dim": 128, "rope_theta": 1e6}


@pytest.mark.parametrize(
    "config",
    [
        {"text_config": INNER},
        {"llm_config": INNER, "hidden_size": 1},
        {"language_config": INNER, "vision_config": {"rope_theta": 3}},
        {"model_type": "internvl_chat", "llm_config": INNER},
        {"thinker_config": {"text_config": INNER}, "talker_config": {"rope_theta": 3}},
    ],
)
def test_n38_settings_one_level_deeper(config):
    np.testing.assert_array_equal(quiet(config).inv_freq, inverse_frequencies(128, 1e6))


def test_n38_levels_that_disagree_are_named():
    with pytest.raises(
        ValueError, match=r"rope_theta must be the same .*text_config.rope_theta=1000000.0, llm_config.rope_theta=3"
    ):
        from_config({"text_config": INNER, "llm_config": {"rope_theta": 3}})
    with pytest.raises(ValueError, match=r"got rope_theta=3, text_config.rope_theta"):
        from_config({"rope_theta": 3, "text_config": INNER})


def test_a_rope_for_a_still_layer_rotates_nothing():
    rope = quiet(COHERE2, layer_type=FULL)
    assert isinstance(rope, Rope)
    x = np.random.default_rng(0).standard_normal((2, 5, 128))
    np.testing.assert_array_equal(rope.rotate(x), x)


# --- keys as they are published, and as they are misspelt

PLAIN = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("rope_thetta", 5e5, "rope_theta"),
        ("ropetheta", 5e5, "rope_theta"),
        ("theta", 5e5, "rope_theta"),
        ("rotary_base", 5e5, "rope_theta"),
        ("rope_scalling", {"type": "linear", "factor": 4.0}, "rope_scaling"),
        ("ropeScaling", {"type": "linear", "factor": 4.0}, "rope_scaling"),
        ("rope_params", {"rope_type": "linear", "factor": 4.0}, "rope_parameters"),
        ("partial_rotary_factr", 0.4, "partial_rotary_factor"),
        ("rope_interleved", False, "rope_interleaved"),
        ("qk_rope_dim", 64, "qk_rope_head_dim"),
        ("head_size", 64, "head_dim"),
        ("kv_channel", 64, "head_dim"),
        ("n_rot", 64, "rotary_dim"),
        ("model_tpye", "cohere", "model_type"),
    ],
)
def test_a_near_miss_beside_the_rope_settings_is_told(key, value, meant):
    for config in (PLAIN | {key: value}, {"model_type": "llava", "text_config": PLAIN | {key: value}}):
        with pytest.warns(UserWarning, match=rf"{key} is not read, got .*; the nearest that is read is '{meant}'"):
            from_config(config)


@pytest.mark.parametrize(
    "key",
    ["routed_scaling_factor", "router_scaling_factor", "moe_layer_interval", "v_head_dim", "num_key_value_heads", "hidden_act"],
)
def test_keys_of_other_things_are_no_near_misses(key):
    quiet(PLAIN | {key: 2})


@pytest.mark.parametrize("key", ["use_xpos", "use_scaled_rope"])
def test_a_switch_that_is_on_is_no_factor_of_one(key):
    with pytest.raises(ValueError, match=f"got {key}=True: not supported"):
        from_config(PLAIN | {key: True})
    quiet(PLAIN | {key: False})


def test_command_r7b_as_published_names_its_layout_by_gpt_j():
    config = {key: value for key, value in COHERE2.items() if key != "layer_types"} | {"num_hidden_layers": 32}
    config |= {"position_embedding_type": "rope_gptj", "rotary_pct": 1.0, "sliding_window_pattern": 4}
    turning = quiet(config, layer=0)
    assert (turning.layout, turning.rotary_dim, quiet(config, layer=3).rotary_dim) == ("interleaved", 128, 0)
    unnamed = {"head_dim": 128, "rope_theta": 1e4}
    assert quiet(unnamed | {"position_embedding_type": "rope_gptj"}).layout == "interleaved"
    assert quiet(unnamed | {"position_embedding_type": "rope_gpt_neox"}).layout == "half"
    with pytest.raises(ValueError, match="layout must be the same wherever it is given"):
        from_config(unnamed | {"position_embedding_type": "rope_gptj", "rope_interleaved": False})


def test_modernbert_as_published_carries_a_key_of_berts():
    config = {"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 22}
    config |= {"global_attn_every_n_layers": 3, "global_rope_theta": 160_000.0, "local_rope_theta": 1e4}
    config |= {"position_embedding_type": "absolute"}
    near([quiet(config, layer=i).inv_freq[-1] for i in (0, 1, 3)], [base ** (-31 / 32) for base in (1.6e5, 1e4, 1.6e5)])
    with pytest.raises(ValueError, match="position_embedding_type='absolute', which is another code"):
        from_config(PLAIN | {"position_embedding_type": "absolute"})


def test_mimos_own_list_of_layers_has_1_for_sliding():
    config = {"model_type": "mimo_v2_flash", "head_dim": 192, "swa_head_dim": 192, "partial_rotary_factor": 0.334}
    config |= {"rope_theta": 5e6, "swa_rope_theta": 1e4, "num_hidden_layers": 4, "hybrid_layer_pattern": [0, 1, 1, 0]}
    near([quiet(config, layer=i).inv_freq[1] for i in range(4)], [base ** (-1 / 32) for base in (5e6, 1e4, 1e4, 5e6)])


def test_params_json_is_of_weights_that_turn_neighbours():
    mistral = {"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "rope_theta": 1e6}
    assert (quiet(mistral).layout, quiet(mistral).rotary_dim) == ("interleaved", 128)
    llama = {"dim": 4096, "n_heads": 32, "n_kv_heads": 8, "n_layers": 32, "rope_theta": 5e5}
    assert (quiet(llama).layout, quiet(llama).rotary_dim) == ("interleaved", 128)
    for key, value in {"yarn": {"factor": 16, "beta": 32, "alpha": 1}, "llama_4_scaling": {"beta": 0.1}}.items():  # Ministral 3's
        with pytest.raises(ValueError, match=f"got {key}=.*: not supported"):
            from_config(mistral | {key: value})
    with pytest.raises(ValueError, match="use_scaled_rope=True"):  # Llama 3.1: by what, no key says
        from_config(llama | {"use_scaled_rope": True})


def test_openelms_name_of_the_base():
    config = {"model_type": "openelm", "head_dim": 64, "rope_freq_constant": 5e5, "rope_max_length": 4096}
    near(quiet(config).inv_freq[1], 5e5 ** (-1 / 32))


def test_architectures_name_the_family_of_a_file_without_model_type():
    config = {"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4}
    for name, family in {"CohereForCausalLM": "cohere", "ChatGLMModel": "chatglm", "Glm4MoeForCausalLM": "glm4_moe"}.items():
        with pytest.warns(UserWarning, match=f"model_type is not given: '{family}' is taken, after '{name}' in architectures"):
            rope = from_config(config | {"architectures": [name]})
        same = quiet(config | {"model_type": family})
        assert (rope.layout, rope.rotary_dim, rope.head_dim) == (same.layout, same.rotary_dim, same.head_dim)
    with pytest.raises(ValueError, match="model_type 'gpt2', which learns its positions"):
        from_config(config | {"architectures": ["GPT2LMHeadModel"]})
    with pytest.warns(UserWarning, match="model_type is not given, though architectures is .*: layout 'half' is assumed"):
        from_config(config | {"architectures": ["MineForCausalLM"]})


def test_the_nearest_family_is_named_and_not_taken():
    config = {"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4}
    for name, near, layout in (("Cohere", "cohere", "interleaved"), ("lama", "llama", "half")):
        with pytest.warns(UserWarning, match=f"'half', is assumed; the nearest that is known, '{near}', is {layout}$"):
            assert from_config(config | {"model_type": name}).layout == "half"
    for name in ("deepseek_v5", "glm5"):  # of another layout, and another model: it would mislead
        with pytest.warns(
            UserWarning, match=f"model_type '{name}' is not known: that it rotates, with layout 'half', is assumed$"
        ):
            from_config(config | {"model_type": name})


def test_a_slip_in_the_kind_of_a_layer_is_refused():
    config = {"model_type": "olmo3", "head_dim": 8, "num_hidden_layers": 2, "rope_theta": 5e5}
    with pytest.raises(ValueError, match="got 'sliding_atention'; the nearest that is known is 'sliding_attention'"):
        from_config(config | {"layer_types": ["sliding_atention", "full_attention"]}, layer=0)
    with pytest.warns(UserWarning, match="layer_types holds 'wavelets', which is not known: layers of this kind are taken to"):
        from_config(config | {"layer_types": ["wavelets", "full_attention"]}, layer=0)


@pytest.mark.parametrize(
    ("key", "value"), [("mamba_step", 2), ("sliding_window_layers", [1, 3]), ("global_attn_idx", [0]), ("num_swa_heads", 4)]
)
def test_keys_that_speak_of_layers_that_differ_are_told(key, value):
    config = {"head_dim": 8, "rope_theta": 1e4, key: value}
    for family, who in (({"model_type": "mine"}, "model_type 'mine' is not known"), ({}, "model_type is not given")):
        with pytest.warns(UserWarning, match=f"{key} speaks of layers that differ, and {who}: all are taken to rotate alike"):
            from_config(config | family, layer=0)
    quiet(config | {"model_type": "falcon_h1"}, layer=0)


def test_jinas_roberta_rotates():
    config = {"model_type": "xlm-roberta", "hidden_size": 1024, "num_attention_heads": 16, "rotary_emb_base": 20000.0}
    rope = quiet(config | {"position_embedding_type": "rotary"})
    assert (rope.layout, rope.rotary_dim) == ("half", 64)
    near(rope.inv_freq[1], 20000 ** (-1 / 32))
    with pytest.raises(ValueError, match="'xlm-roberta', which learns its positions"):
        from_config(config | {"position_embedding_type": "absolute"})


def test_zambas_long_context_is_passed_over():
    config = {"model_type": "zamba2", "head_dim": 8, "use_mem_rope": True, "rope_theta": 1e4, "hybrid_layer_ids": [0]}
    quiet(config | {"use_long_context": False}, layer=0)
    with pytest.warns(UserWarning, match="use_long_context is passed over"):
        from_config(config | {"use_long_context": True}, layer=0)


@pytest.mark.parametrize("family", ["gpt_neox", "gpt_neox_japanese"])
def test_a_base_by_a_name_that_gpt_neox_does_not_read(family):
    config = {"model_type": family, "head_dim": 64, "rotary_pct": 1.0}
    with pytest.warns(UserWarning, match="rope_theta=5.0 is passed over: the code of .* reads rotary_emb_base alone, and takes"):
        near(from_config(config | {"rope_theta": 5.0}).inv_freq[1], 1e4 ** (-1 / 32))
    for said in ({"rotary_emb_base": 5}, {"rope_theta": 5, "rotary_emb_base": 5}):
        near(quiet(config | said).inv_freq[1], 5 ** (-1 / 32))


def test_mpt_is_told_by_its_own_key():
    with pytest.raises(ValueError, match=r"only with attn_config.rope=True, got attn_config.rope=None: by default it has ALiBi"):
        from_config({"model_type": "mpt", "d_model": 4096, "n_heads": 32})


@pytest.mark.parametrize("method", [{"type": "yarn"}, {"type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0}])
def test_what_transformers_takes_for_the_trained_length_is_said(method):
    config = {"model_type": "qwen3", "rope_theta": 1e6, "max_position_embeddings": 131072}
    config |= {"rope_scaling": {"factor": 4.0} | method}
    with pytest.raises(ValueError, match=r"must have 'original_max_.*; transformers takes max_position_embeddings, 131072, in"):
        from_config(config)


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("use_scaled_rope", True, "rope_type 'llama3' with factor 8"),
        ("yarn", {"factor": 16, "beta": 32, "alpha": 1}, "its beta as beta_fast"),
        ("llama_4_scaling", {"beta": 0.1}, "llama_4_scaling_beta"),
    ],
)
def test_keys_of_native_files_are_said_in_the_words_of_the_others(key, value, hint):
    with pytest.raises(ValueError, match=f"got {key}=.*: not supported; there .*{hint}"):
        from_config({"dim": 4096, "n_heads": 32, "rope_theta": 5e5, key: value})


def test_what_is_no_mapping_is_told_what_to_give():
    with pytest.raises(TypeError, match="got str; open the file"):
        from_config("config.json")
    with pytest.raises(TypeError, match=r"got Settings; give its to_dict\(\)"):
        from_config(type("Settings", (), {"to_dict": dict})())


@pytest.mark.parametrize("flags", [[3, 7], [3, 7, 11, 15, 19, 23, 27, 31, 35], [*range(36)], [1, 1, 1, 0], ["yes"] * 36])
def test_indices_of_layers_are_no_flags(flags):
    """The name reads like a list of layers; it is a 1 or 0 for each."""
    with pytest.raises(ValueError, match="no_rope_layers must hold a 1"):
        ropelib.from_config(SMOLLM3 | {"no_rope_layers": flags}, layer=2)
