"""Published settings of models beyond the golden file, spellings, and settings that are refused."""

import warnings

import numpy as np
import pytest

import ropelib
from ropelib import cards, from_config, inverse_frequencies

pytestmark = pytest.mark.filterwarnings("ignore:rope_theta is not given")  # where the base plays no part

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def plain(dim, base):
    return lambda: (inverse_frequencies(dim, base), 1.0)


MODELS = {
    "Llama-3.1-8B": (
        {
            "model_type": "llama",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "max_position_embeddings": 131072,
            "rope_theta": 500000.0,
            "rope_scaling": LLAMA3,
        },
        (128, 128, "half"),
        lambda: ropelib.llama3(128, factor=8, original_max_position_embeddings=8192),
    ),
    "Qwen3-32B": (
        {"hidden_size": 5120, "num_attention_heads": 64, "head_dim": 128, "rope_scaling": None, "rope_theta": 1000000},
        (128, 128, "half"),
        plain(128, 1e6),
    ),
    "Phi-2": (
        {
            "model_type": "phi",
            "hidden_size": 2560,
            "num_attention_heads": 32,
            "partial_rotary_factor": 0.4,
            "rope_theta": 10000.0,
            "rope_scaling": None,
        },
        (80, 32, "half"),
        plain(32, 1e4),
    ),
    "Phi-2, as first published": (
        {"model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "rotary_dim": 32},
        (80, 32, "half"),
        plain(32, 1e4),
    ),
    "Pythia-1.4B": (
        {
            "model_type": "gpt_neox",
            "hidden_size": 2048,
            "num_attention_heads": 16,
            "rotary_pct": 0.25,
            "rotary_emb_base": 10000,
        },
        (128, 32, "half"),
        plain(32, 1e4),
    ),
    "CodeGen-350M": (
        {"model_type": "codegen", "n_embd": 1024, "n_head": 16, "rotary_dim": 32},
        (64, 32, "interleaved"),
        plain(32, 1e4),
    ),
    "Falcon-7B": (
        {"model_type": "falcon", "alibi": False, "hidden_size": 4544, "num_attention_heads": 71},
        (64, 64, "half"),
        plain(64, 1e4),
    ),
    "Falcon-7B, as first published": (
        {"model_type": "RefinedWebModel", "alibi": False, "hidden_size": 4544, "n_head": 71},
        (64, 64, "half"),
        plain(64, 1e4),
    ),
    "StableLM-3B": (
        {"model_type": "stablelm", "hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.25},
        (80, 20, "half"),
        plain(20, 1e4),
    ),
    "StableLM-3B, as first published": (
        {"model_type": "stablelm_epoch", "hidden_size": 2560, "num_attention_heads": 32, "rope_pct": 0.25},
        (80, 20, "half"),
        plain(20, 1e4),
    ),
    "GLM-4-9B": (
        {
            "model_type": "chatglm",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "kv_channels": 128,
            "original_rope": True,
            "rope_ratio": 500,
            "padded_vocab_size": 151552,
        },
        (128, 64, "interleaved"),
        plain(64, 5e6),
    ),
    "GLM-4-9B-hf": (
        {
            "model_type": "glm",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "head_dim": 128,
            "partial_rotary_factor": 0.5,
            "rope_theta": 10000.0,
        },
        (128, 64, "interleaved"),
        plain(64, 1e4),
    ),
    "DeepSeek-V2-Lite": (
        {
            "model_type": "deepseek_v2",
            "hidden_size": 2048,
            "num_attention_heads": 16,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "max_position_embeddings": 163840,
            "rope_theta": 10000,
            "rope_scaling": {
                "beta_fast": 32,
                "beta_slow": 1,
                "factor": 40,
                "mscale": 0.707,
                "mscale_all_dim": 0.707,
                "original_max_position_embeddings": 4096,
                "type": "yarn",
            },
        },
        (192, 64, "interleaved"),
        lambda: (ropelib.yarn(64, factor=40, original_max_position_embeddings=4096)[0], 1.0),
    ),
    "gpt-oss-20b": (
        {
            "model_type": "gpt_oss",
            "hidden_size": 2880,
            "num_attention_heads": 64,
            "head_dim": 64,
            "max_position_embeddings": 131072,
            "rope_theta": 150000,
            "rope_scaling": {
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "factor": 32.0,
                "original_max_position_embeddings": 4096,
                "rope_type": "yarn",
                "truncate": False,
            },
        },
        (64, 64, "half"),
        lambda: ropelib.yarn(64, 150000, factor=32, original_max_position_embeddings=4096, truncate=False),
    ),
    "Command R7B": (
        {
            "model_type": "cohere2",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "head_dim": 128,
            "rope_theta": 50000,
            "layer_types": ["sliding_attention"],
        },
        (128, 128, "interleaved"),
        plain(128, 5e4),
    ),
    "InternLM3-8B": (
        {
            "model_type": "internlm3",
            "head_dim": 128,
            "max_position_embeddings": 32768,
            "rope_theta": 50000000,
            "rope_scaling": {"factor": 6.0, "rope_type": "dynamic"},
        },
        (128, 128, "half"),
        plain(128, 5e7),
    ),
    "Hunyuan-7B": (
        {
            "model_type": "hunyuan_v1_dense",
            "head_dim": 128,
            "max_position_embeddings": 32768,
            "rope_theta": 10000.0,
            "rope_scaling": {"alpha": 1000.0, "factor": 1.0, "mscale": 1.0, "mscale_all_dim": 0.0, "type": "dynamic"},
        },
        (128, 128, "half"),
        lambda: ropelib.ntk(128, factor=1000),
    ),
    "Yarn-Llama-2-7b-64k": (
        {
            "model_type": "llama",
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "max_position_embeddings": 65536,
            "rope_scaling": {
                "factor": 16.0,
                "original_max_position_embeddings": 4096,
                "type": "yarn",
                "finetuned": True,
            },
        },
        (128, 128, "half"),
        lambda: ropelib.yarn(128, factor=16, original_max_position_embeddings=4096),
    ),
    "OLMo-1B, as first published": (
        {"d_model": 2048, "n_heads": 16, "rope": True, "rope_theta": 10000.0},
        (128, 128, "half"),
        plain(128, 1e4),
    ),
    "MiniMax-M2": (
        {"model_type": "minimax_m2", "head_dim": 128, "rotary_dim": 64, "rope_theta": 5000000},
        (128, 64, "half"),
        plain(64, 5e6),
    ),
    "Qwen3-VL, text inside": (
        {
            "model_type": "qwen3_vl",
            "hidden_size": 1,
            "vision_config": {"hidden_size": 1152},
            "text_config": {
                "model_type": "qwen3_vl_text",
                "head_dim": 128,
                "rope_theta": 5000000,
                "rope_scaling": {"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"},
            },
        },
        (128, 128, "half"),
        plain(128, 5e6),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_model(name):
    config, sizes, made = MODELS[name]
    rope, (inv_freq, attention_factor) = from_config(config), made()
    assert (rope.head_dim, rope.rotary_dim, rope.layout) == sizes
    np.testing.assert_array_equal(rope.inv_freq, inv_freq)
    np.testing.assert_allclose(rope.attention_factor, attention_factor, rtol=1e-15)


def test_deepseek_puts_its_temperature_in_the_softmax():
    rope = from_config(MODELS["DeepSeek-V2-Lite"][0])
    np.testing.assert_allclose(rope.softmax_factor, (0.1 * 0.707 * np.log(40) + 1) ** 2, rtol=1e-15)
    assert from_config(MODELS["gpt-oss-20b"][0]).softmax_factor == 1.0


@pytest.mark.parametrize("part", [1.0, 1 / 3])
def test_a_part_beside_latent_attention_is_of_the_whole_head_or_of_the_rotating_one(part):
    sizes = {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64}
    rope = from_config({**sizes, "rope_parameters": {"rope_type": "default", "partial_rotary_factor": part}})
    assert (rope.head_dim, rope.rotary_dim) == (192, 64)


def test_vision_axes_are_read_from_the_text_part():
    rope = from_config(MODELS["Qwen3-VL, text inside"][0])
    np.testing.assert_array_equal(rope.axes, ropelib.mrope_axes([24, 20, 20], interleaved=True))


def test_gemma_4_layers_have_heads_of_two_widths():
    config = {
        "model_type": "gemma4_text",
        "head_dim": 256,
        "global_head_dim": 512,
        "rope_parameters": {
            "full_attention": {"partial_rotary_factor": 0.25, "rope_theta": 1000000.0, "rope_type": "proportional"},
            "sliding_attention": {"rope_theta": 10000.0, "rope_type": "default"},
        },
    }
    far, near = (from_config(config, layer_type=f"{kind}_attention") for kind in ("full", "sliding"))
    assert (far.head_dim, far.rotary_dim, near.head_dim) == (512, 512, 256)
    assert np.count_nonzero(far.inv_freq) == 64
    np.testing.assert_array_equal(far.inv_freq[:64], inverse_frequencies(512, 1e6)[:64])
    np.testing.assert_array_equal(near.inv_freq, inverse_frequencies(256, 1e4))


def test_gemma_3_says_little_and_its_family_the_rest():
    config = {"model_type": "gemma3_text", "hidden_size": 2560, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}
    near, far = (from_config(config, layer_type=f"{kind}_attention") for kind in ("sliding", "full"))
    np.testing.assert_array_equal(near.inv_freq, inverse_frequencies(256, 1e4))
    np.testing.assert_array_equal(far.inv_freq, inverse_frequencies(256, 1e6) / 8)


def test_olmo_3_extends_its_global_layers_alone():
    config = {"model_type": "olmo3", "head_dim": 128, "rope_theta": 500000, "rope_scaling": {**YARN, "factor": 8.0}}
    near, far = (from_config(config, layer_type=f"{kind}_attention") for kind in ("sliding", "full"))
    np.testing.assert_array_equal(near.inv_freq, inverse_frequencies(128, 5e5))
    want = ropelib.yarn(128, 5e5, factor=8, original_max_position_embeddings=32768)
    np.testing.assert_array_equal(far.inv_freq, want[0])
    assert (near.attention_factor, far.attention_factor) == (1.0, want[1])


def test_phi_35_moe_gives_the_attention_factor_of_each_side():
    config = {
        "head_dim": 4,
        "rope_scaling": {
            "type": "longrope",
            "short_factor": [1.0, 1.0],
            "long_factor": [2.0, 2.0],
            "short_mscale": 1.25,
            "long_mscale": 1.5,
            "original_max_position_embeddings": 4096,
        },
    }
    assert [from_config(config, seq_len=n).attention_factor for n in (4096, 4097)] == [1.25, 1.5]


def test_layers_that_turn_alike_need_no_type():
    same = {"rope_type": "default", "rope_theta": 5e5}
    rope = from_config({"head_dim": 8, "rope_parameters": {"full_attention": same, "chunked_attention": same}})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 5e5))


@pytest.mark.parametrize("scalar", [np.int64, np.int32, np.uint16, np.float64, np.float32])
def test_numpy_scalars_are_numbers(scalar):
    size = np.int64(64) if scalar in (np.float64, np.float32) else scalar(64)
    settings = {**YARN, "factor": scalar(4), "original_max_position_embeddings": scalar(32768)}
    rope = from_config({"head_dim": size, "rope_theta": scalar(10000), "rope_scaling": settings})
    want = ropelib.yarn(64, factor=4, original_max_position_embeddings=32768)
    np.testing.assert_array_equal(rope.inv_freq, want[0])
    assert type(rope.head_dim) is type(rope.rotary_dim) is int


def test_null_is_absent():
    nothing = dict.fromkeys(
        (
            "rope_parameters rope_scaling rope_theta partial_rotary_factor rotary_dim rotary_pct text_config layout "
            "rope_interleaved original_max_position_embeddings qk_rope_head_dim global_head_dim layer_types alibi "
            "rope_local_base_freq model_type mrope_section rope_ratio use_dynamic_ntk"
        ).split()
    )
    rope = from_config({**nothing, "head_dim": None, "hidden_size": 64, "num_attention_heads": 1})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64))
    inside = {
        **YARN,
        **dict.fromkeys("attention_factor beta_fast beta_slow truncate mscale mscale_all_dim type".split()),
    }
    rope = from_config({"head_dim": 64, "rope_parameters": inside})
    want = ropelib.yarn(64, factor=4, original_max_position_embeddings=32768)
    np.testing.assert_array_equal(rope.inv_freq, want[0])


def test_a_config_is_left_as_it_was():
    config = {"head_dim": 64, "rope_theta": 1e4, "rope_scaling": dict(YARN), "text_config": {"rope_theta": 1e4}}
    kept = {**config, "rope_scaling": dict(YARN), "text_config": {"rope_theta": 1e4}}
    from_config(config)
    assert config == kept


def test_keys_that_no_rotation_reads_are_ignored_beside_the_rope_settings():
    config = {"head_dim": 64, "vocab_size": "many", "rope_parameters": {"rope_type": "default"}}
    np.testing.assert_array_equal(from_config(config).inv_freq, inverse_frequencies(64))


@pytest.mark.parametrize(
    "config, words",
    [
        ({"rope_theta": 1e4, "rope_parameters": {"rope_theta": 5e5}}, "rope_theta must be the same"),
        ({"rope_theta": 1e4, "rotary_emb_base": 1e5}, "rope_theta must be the same"),
        (
            {"rope_scaling": YARN, "rope_parameters": {**YARN, "factor": 8.0}},
            "factor must be the same .* rope_scaling.factor=4.0",
        ),
        ({"partial_rotary_factor": 0.5, "rotary_pct": 0.25}, "partial_rotary_factor must be the same"),
        (
            {"partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 1.0}},
            "partial_rotary_factor must",
        ),
        ({"partial_rotary_factor": 0.5, "rotary_dim": 16}, "rotary_dim must be the same"),
        (
            {"original_max_position_embeddings": 4096, "rope_scaling": YARN},
            "original_max_position_embeddings must be the",
        ),
        ({"layout": "half", "rope_interleaved": True}, "layout must be the same"),
        ({"rope_interleaved": True, "rope_interleave": False}, "rope_interleaved must be the same"),
        ({"kv_channels": 128}, "head_dim must be the same"),
        ({"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "qk_head_dim": 128}, "qk_head_dim must be the same"),
        (
            {"qk_rope_head_dim": 64, "qk_nope_head_dim": 64, "partial_rotary_factor": 0.25},
            "rotary_dim must be the same",
        ),
    ],
)
def test_settings_that_disagree_are_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config({"head_dim": 64, **config})


@pytest.mark.parametrize(
    "config, words",
    [
        ([("head_dim", 64)], "config must be a mapping"),
        (None, "config must be a mapping"),
        ({}, "config must have head_dim, or hidden_size and num_attention_heads"),
        ({"hidden_size": 64}, "config must have head_dim"),
        ({"hidden_size": 65, "num_attention_heads": 2}, "hidden_size must be a multiple"),
        ({"hidden_size": 64, "num_attention_heads": 0}, "num_attention_heads must be at least 1"),
        ({"head_dim": 64.0}, "head_dim must be an integer"),
        ({"head_dim": "64"}, "head_dim must be an integer"),
        ({"head_dim": True}, "head_dim must be an integer"),
        ({"head_dim": 64, "rotary_dim": 128}, "rotary_dim must be at most head_dim"),
        ({"head_dim": 64, "partial_rotary_factor": 1.5}, "partial_rotary_factor must be at most 1"),
        ({"head_dim": 64, "partial_rotary_factor": 0}, "got partial_rotary_factor=0: no channel rotates"),
        ({"head_dim": 64, "rope_theta": "1e4"}, "rope_theta must be a number"),
        ({"head_dim": 64, "rope_scaling": "yarn"}, "rope_scaling must be a mapping"),
        ({"head_dim": 64, "rope_interleaved": "yes"}, "rope_interleaved must be True or False"),
        ({"head_dim": 64, "alibi": True}, "config must be that of a model with RoPE"),
        ({"head_dim": 64, "rope_scaling": {"type": "linear"}}, "must have 'factor' for rope_type 'linear'"),
        ({"head_dim": 64, "rope_scaling": {"type": "dynamic", "factor": 2}}, "must have 'max_position_embeddings'"),
        ({"head_dim": 64, "rope_scaling": {"type": "mrope"}}, "must have 'mrope_section'"),
        ({"head_dim": 64, "rope_scaling": {**YARN, "truncate": 1}}, "truncate must be True or False"),
        ({"head_dim": 64, "rope_scaling": {**YARN, "beta_fast": "32"}}, "beta_fast must be a number"),
        ({"head_dim": 64, "rope_scaling": {**YARN, "attention_factor": -1}}, "attention_factor must be greater than 0"),
        ({"head_dim": 64, "rope_theta": 1, "rope_scaling": YARN}, "base must be greater than 1"),
        ({"head_dim": 64, "rope_scaling": {**LLAMA3, "low_freq_factor": 0}}, "low_freq_factor must be greater than 0"),
        ({"head_dim": 64, "text_config": 3}, "text_config must be a mapping"),
        ({1: 2, "heads": 3}, "config must have head_dim"),
        ({"head_dim": 64, "rope_theta": np.array([1e4, 1e5])}, "layer must be given, for rope_theta differs"),
        ({"head_dim": 64, "rope_theta": {"full": 1e4}}, "rope_theta must be a number"),
        ({"model_type": ["llama"], "head_dim": 64}, r"model_type must be a string, got \['llama'\]"),
        ({"head_dim": 64, "rope_scaling": []}, "rope_scaling must be a mapping"),
        ({"head_dim": 64, "rope_ratio": 0}, "rope_ratio must be greater than 0"),
        ({"head_dim": 64, "use_dynamic_ntk": 1}, "use_dynamic_ntk must be True or False"),
        ({"head_dim": 64, "use_dynamic_ntk": True}, "must have 'max_position_embeddings'"),
    ],
)
def test_settings_that_are_wrong_are_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"short_factor": [1.0] * 31}, r"short_factor must have one entry a pair, 32, got shape \(31,\)"),
        ({"long_factor": [1.0] * 31 + [0]}, "long_factor must be greater than 0"),
        ({"long_factor": [1.0] * 31 + [None]}, "long_factor must hold real numbers"),
        ({"long_factor": [1.0] * 31 + [np.nan]}, "long_factor must be finite"),
        ({"long_factor": "1"}, "long_factor must hold real numbers"),
        ({"long_factor": None}, "must have 'long_factor'"),
        ({"factor": None}, "factor must be given when attention_factor is not"),
        ({"factor": 0}, "factor must be greater than 0"),
        ({"original_max_position_embeddings": 1}, "original_max_position_embeddings must be greater than 1"),
    ],
)
def test_wrong_longrope_settings_are_refused(change, words):
    settings = {"rope_type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "factor": 4.0}
    settings |= {"original_max_position_embeddings": 4096, **change}
    with pytest.raises(ValueError, match=words):
        from_config({"head_dim": 64, "rope_scaling": settings})


@pytest.mark.parametrize("seq_len", [0, -1, "4096", np.nan, True])
def test_a_length_that_is_none_is_refused(seq_len):
    with pytest.raises(ValueError, match="seq_len must be"):
        from_config({"head_dim": 64}, seq_len=seq_len)


@pytest.mark.parametrize("layer_type", ["full", "", 3])
def test_an_unknown_layer_type_is_refused(layer_type):
    with pytest.raises(ValueError, match="layer_type must be one of 'full_attention', 'sliding_attention'"):
        from_config({"head_dim": 64}, layer_type=layer_type)


def test_layers_without_rotation_are_told():
    config = {"head_dim": 64, "rope_parameters": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": None}}
    from_config(config, layer_type="sliding_attention")
    assert from_config(config, layer_type="full_attention").rotary_dim == 0
    with pytest.raises(ValueError, match="layer_type must be one of 'full_attention', 'sliding_attention'"):
        from_config(config)


def test_a_base_of_the_layer_wins_over_the_one_beside():
    nested = {
        "full_attention": {"rope_type": "default"},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    config = {"head_dim": 8, "rope_theta": 1e6, "rope_parameters": nested}
    for kind, base in (("full", 1e6), ("sliding", 1e4)):
        np.testing.assert_array_equal(from_config(config, layer_type=f"{kind}_attention").inv_freq, inverse_frequencies(8, base))


def test_arrays_are_lists():
    lists = {"short_factor": np.ones(4), "long_factor": np.ones(4), "original_max_position_embeddings": 4, "factor": 2}
    settings = [{"rope_type": "longrope", **lists}, {"rope_type": "longrope", **lists}]
    rope = from_config({"head_dim": 8, "rope_parameters": settings[0], "rope_scaling": settings[1]})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8))


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"inv_freq": [[1.0]]}, "inv_freq must have rotary_dim / 2 entries"),
        ({"inv_freq": 1.0}, "inv_freq must have rotary_dim / 2 entries"),
        ({"rotary_dim": 4}, "inv_freq must have rotary_dim / 2 entries"),
        ({"head_dim": 1}, "rotary_dim be at most head_dim"),
        ({"layout": "both"}, "layout must be one of"),
        ({"attention_factor": "1"}, "attention_factor must be a number"),
        ({"softmax_factor": -1}, "softmax_factor must be at least 0"),
        ({"axes": [0, 1]}, "axes must have the shape of inv_freq"),
        ({"axes": [-1]}, "axes must be 0 or more"),
        ({"axes": [0.0]}, "axes must hold integers"),
    ],
)
def test_a_rope_that_does_not_fit_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        ropelib.Rope(**{"inv_freq": [1.0], **settings})


@pytest.mark.parametrize("positions", [20, [3, 20], [[3, 20], [1, 2]]])
def test_length_and_axes_together(positions):
    settings = {"rope_type": "dynamic", "factor": 2.0}
    config = {"head_dim": 8, "max_position_embeddings": 8}
    seeing = from_config({**config, "rope_parameters": {**settings, "mrope_section": [2, 1, 1]}})
    text = from_config({**config, "rope_parameters": settings})
    everywhere = positions if np.ndim(positions) < 2 else np.stack([positions] * 3)
    np.testing.assert_array_equal(seeing.cos_sin(everywhere), text.cos_sin(positions))
    assert "0x" not in repr(text)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (), (2, 3, 4)])
@pytest.mark.parametrize("kind", ["default", "dynamic"])
def test_positions_of_any_shape(kind, shape):
    settings = {"rope_type": kind, "factor": 1.0 if kind == "default" else 2.0}
    rope = from_config({"head_dim": 4, "max_position_embeddings": 8, "rope_parameters": settings})
    cos, sin = rope.cos_sin(np.zeros(shape, int))
    assert cos.shape == sin.shape == (*shape, 2)


@pytest.mark.parametrize(
    ("family", "hidden", "heads", "own"),
    [
        ("qwen3", 1024, 16, 128),
        ("seed_oss", 5120, 80, 128),
        ("ernie4_5", 1024, 16, 128),
        ("glm4", 4096, 64, 128),
        ("helium", 960, 20, 128),
        ("mimo_v2_flash", 4096, 64, 192),
        ("vaultgemma", 960, 20, 256),
        ("llama", 1024, 16, 64),  # has none of its own
    ],
)
def test_heads_are_as_wide_as_the_family_makes_them(family, hidden, heads, own):
    config = {"model_type": family, "hidden_size": hidden, "num_attention_heads": heads, "rope_theta": 1e6}
    kind = {"layer_type": "full_attention"} if family == "mimo_v2_flash" else {}
    config |= {"rope_local_base_freq": 1e4} if kind else {}
    assert from_config(config, **kind).head_dim == own
    assert from_config(config | {"head_dim": 32}, **kind).head_dim == 32


def test_null_divides_where_the_family_says_so():
    config = {"hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 1e6, "head_dim": None}
    widths = [from_config(config | {"model_type": family}).head_dim for family in ("ernie4_5", "qwen3", "llama")]
    assert widths == [64, 128, 64]


def test_global_layers_of_gemma_4_have_a_width_of_their_own():
    config = {"model_type": "gemma4_text", "hidden_size": 1536, "num_attention_heads": 8}
    assert [from_config(config, layer_type=f"{kind}_attention").head_dim for kind in ("sliding", "full")] == [256, 512]


def test_deepseek_v4_turns_an_eighth_of_its_head():
    for given in ({}, {"qk_rope_head_dim": 64}):
        config = {"model_type": "deepseek_v4", "hidden_size": 4096, "num_attention_heads": 64, "rope_theta": 1e4} | given
        rope = from_config(config, layer_type="sliding_attention")
        assert (rope.head_dim, rope.rotary_dim, rope.rotary_start) == (512, 64, 448)


@pytest.mark.parametrize("rest", [{}, {"rope_scaling": None}])
def test_a_base_alone_leaves_the_scaling_of_the_family(rest):
    config = {"model_type": "gpt_oss", "head_dim": 64, **rest}
    with pytest.warns(UserWarning, match="gpt_oss's own, yarn by 32, are taken, with rope_theta=150000"):
        rope = from_config(config | {"rope_theta": 150_000})
    np.testing.assert_array_equal(rope.inv_freq, from_config(config).inv_freq)
    assert round(rope.attention_factor, 5) == 1.34657
    with pytest.warns(UserWarning, match="with rope_theta=1000000.0"):
        assert from_config(config | {"rope_theta": 1e6}).inv_freq[1] == 1e6 ** (-1 / 32)
    said = {"rope_parameters": {"rope_type": "default", "rope_theta": 1.5e5}}
    assert from_config(config | said).attention_factor == 1


@pytest.mark.parametrize(
    ("family", "method"),
    [
        ("apertus", "llama3 by 8"),
        ("cwm", "llama3 by 16"),
        ("higgs_audio_v2", "llama3 by 32"),
        ("ministral3", "yarn by 16"),
        ("mistral4", "yarn by 128"),
        ("mistral_large4_text", "yarn by 2048"),
    ],
)
def test_a_base_alone_that_the_family_does_not_read_is_passed_over(family, method):
    config = {"model_type": family, "head_dim": 128, "num_hidden_layers": 4}
    config |= {"qk_rope_head_dim": 64, "qk_nope_head_dim": 64} if family.startswith("mistral") else {}
    with pytest.warns(UserWarning) as told:
        rope = from_config(config | {"rope_theta": 1234567.0}, layer=0)
    assert any(f"own, {method}, are taken, and their base" in str(each.message) for each in told)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of learned weights that are left out
        np.testing.assert_array_equal(rope.inv_freq, from_config(config, layer=0).inv_freq)


@pytest.mark.parametrize(
    ("family", "far", "near"),
    [
        ("gemma3_text", 5e6, 1e4),
        ("gemma3n_text", 5e6, 1e4),
        ("neomme", 5e6, 5e6),
        ("modernbert", 160_000.0, 1e4),
        ("gemma4_text", 1e6, 1e4),
        ("lfm3", 1e6, 1e4),
    ],
)
def test_a_base_alone_is_that_of_the_layers_that_the_family_says(family, far, near):
    config = {"model_type": family, "head_dim": 64, "num_hidden_layers": 6, "rope_theta": 5e6}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ropes = [from_config(config, layer_type=f"{kind}_attention") for kind in ("full", "sliding")]
    for rope, base in zip(ropes, (far, near), strict=True):
        assert np.isclose(rope.inv_freq[1], base ** (-2 / (16 if rope.rotary_dim == 16 else rope.head_dim)))
    words = f"rope_theta=5000000.0 is passed over, as the code of {family.removesuffix('_text')} does"
    over = [words in str(each.message) for each in told]
    assert any(over) == (far != 5e6)


@pytest.mark.parametrize(
    ("family", "layer_type", "base"),
    [
        ("cosmos3_edge", None, 1e8),
        ("moonshine_streaming", None, 1e4),
        ("muse_spark", "sliding_attention", 5e5),
        ("nemotron3_5_transcribe_word_timestamp", None, 1e4),
        ("mellum", None, 5e5),
        ("mellum", "sliding_attention", 1e4),
        ("zaya", None, 5e6),
        ("zaya", "hybrid_sliding", 1e4),
    ],
)
def test_a_base_alone_that_a_family_without_scaling_passes_over(family, layer_type, base):
    config = {"model_type": family, "head_dim": 160 if family == "moonshine_streaming" else 128}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        silent = from_config(config, layer_type=layer_type)
        assert not told
        stated = from_config(config | {"rope_theta": 1234567.0}, layer_type=layer_type)
    np.testing.assert_allclose(silent.inv_freq[1], base ** (-2 / silent.rotary_dim))
    np.testing.assert_array_equal(silent.inv_freq, stated.inv_freq)
    assert len(told) == 1 and "rope_theta=1234567.0 is passed over" in str(told[0].message)


def test_a_base_by_layer_is_not_passed_over():
    config = {"model_type": "muse_spark", "head_dim": 8, "layer_rope_theta": [1e4, 1e4, 1e4, 0.0]}
    np.testing.assert_array_equal(from_config(config, layer=0).inv_freq, inverse_frequencies(8, 1e4))


def test_olmo_3_has_one_base_and_transformers_two():
    config = {"model_type": "olmo3", "head_dim": 8, "rope_theta": 1e6}
    with pytest.warns(UserWarning, match="in sliding layers too, though the code of olmo3 in transformers 5 keeps 500,000"):
        rope = from_config(config, layer_type="sliding_attention")
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 1e6))


def test_zamba_2_attends_to_twice_the_hidden_size():
    config = {"model_type": "zamba2", "use_mem_rope": True, "hidden_size": 96, "num_attention_heads": 4, "rope_theta": 1e4}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of which layers rotate
        assert from_config(config).head_dim == 48
        assert from_config(config | {"attention_head_dim": 32}).head_dim == 32


@pytest.mark.parametrize(
    ("family", "turning", "head"), [("deepseek_v3", 64, 192), ("minicpm3", 32, 96), ("glm_moe_dsa", 64, 256), ("axk2", 32, 96)]
)
def test_latent_attention_whose_sizes_a_config_leaves_out(family, turning, head):
    rope = from_config({"model_type": family, "hidden_size": 7168, "num_attention_heads": 128, "rope_theta": 1e4})
    assert (rope.rotary_dim, rope.head_dim, rope.rotary_start) == (turning, head, head - turning)
    said = cards({"model_type": family, "rope_theta": 1e4})[1]
    assert f"qk_rope_head_dim is not given: {turning} is {family}'s own" in said


@pytest.mark.parametrize(("family", "part"), [("moonshine_streaming", 0.8), ("nemotron3_5_transcribe_word_timestamp", 0.5)])
def test_a_part_that_a_family_fills_in_with_the_rest_of_its_settings(family, part):
    config = {"model_type": family, "head_dim": 160, "rope_theta": 1e4}
    assert from_config(config).rotary_dim == 160 * part
    assert from_config(config | {"rope_scaling": {"type": "linear", "factor": 2.0}}).rotary_dim == 160


def test_modernberts_scaling_is_for_all_its_layers():
    config = {"model_type": "modernbert", "head_dim": 8, "rope_scaling": {"rope_type": "linear", "factor": 2.0}}
    named = config | {"global_rope_theta": 5e5, "local_rope_theta": 2e4}
    for each, far, near in ((config, 160_000, 1e4), (named, 5e5, 2e4)):
        for layer_type, base in (("full_attention", far), ("sliding_attention", near)):
            rope = from_config(each, layer_type=layer_type)
            np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, base) / 2)
    with pytest.warns(UserWarning, match="rope_theta=7.0 is passed over, as the code of modernbert does: 160,000 is its own"):
        rope = from_config(config | {"rope_theta": 7.0}, layer_type="full_attention")
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 160_000) / 2)


@pytest.mark.parametrize("family", ["phi3", "phi4_multimodal"])
def test_phis_trained_length(family):
    config = {"model_type": family, "head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 131_072}
    config |= {"rope_scaling": {"type": "longrope", "short_factor": [1.0] * 4, "long_factor": [2.0] * 4}}
    rope = from_config(config)
    assert rope.attention_factor == pytest.approx((1 + np.log(32) / np.log(4096)) ** 0.5)
    np.testing.assert_array_equal(rope.by_length(4097.0)[0], inverse_frequencies(8, 1e4) / 2)


def test_scaling_that_a_family_does_not_know():
    config = {"model_type": "esm", "position_embedding_type": "rotary", "head_dim": 8, "rope_theta": 1e4}
    with pytest.warns(UserWarning, match="rope_type 'linear' is applied, though the code of esm in transformers scales nothing"):
        rope = from_config(config | {"rope_scaling": {"type": "linear", "factor": 2.0}})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 1e4) / 2)


def test_gemma_3_with_a_base_alone_is_gemma_3():
    config = {"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6}
    for kind in ("full", "sliding"):
        one = from_config(config, layer_type=f"{kind}_attention")
        two = from_config(config | {"rope_local_base_freq": 1e4}, layer_type=f"{kind}_attention")
        np.testing.assert_array_equal(one.inv_freq, two.inv_freq)
    scaled = config | {"rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    near = from_config(scaled, layer_type="sliding_attention")
    np.testing.assert_array_equal(near.inv_freq, inverse_frequencies(256, 1e4))


def said(config, **which):
    """A rotation, and everything that was said of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rope = from_config(config, **which)
    return rope, [str(each.message) for each in caught]


RING = {"head_dim": 128, "num_hidden_layers": 20, "layer_group_size": 5, "partial_rotary_factor": 0.5, "rope_theta": 6e5}


@pytest.mark.parametrize("layer", [0, 4])
def test_linear_layers_of_ring_rotate(layer):
    ring = RING | {"model_type": "bailing_moe_linear"}
    rope, told = said(ring, layer=layer)
    assert (rope.rotary_dim, rope.layout, told) == (64, "half", [])
    assert said(ring | {"linear_rope": False}, layer=layer)[0].rotary_dim == (0 if layer == 0 else 64)
    assert all(card.inv_freq for card in cards(ring)[0])


LING25 = {
    "architectures": ["BailingMoeV2_5ForCausalLM"],
    "model_type": "bailing_hybrid",
    "hidden_size": 8192,
    "num_attention_heads": 64,
    "num_hidden_layers": 80,
    "head_dim": 128,
    "layer_group_size": 8,
    "kv_lora_rank": 512,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "qk_head_dim": 192,
    "v_head_dim": 128,
    "partial_rotary_factor": 0.5,
    "rotary_dim": 64,
    "rope_interleave": True,
    "rope_scaling": None,
    "rope_theta": 6_000_000,
    "num_kv_heads_for_linear_attn": 64,
}


def test_ling_25_turns_half_of_plain_heads_in_its_linear_layers():
    """vLLM's bailing_moe_linear.py and transformers' pull request 46713, both of 2026: half of 128, in halves."""
    for config in (LING25, LING25 | {"model_type": "bailing_moe_linear"}, LING25 | {"model_type": "bailing2_5_moe"}):
        for layer in (0, 78):
            rope, told = said(config, layer=layer)
            assert (rope.head_dim, rope.rotary_dim, rope.rotary_start, rope.layout, told) == (128, 64, 0, "half", [])
            np.testing.assert_allclose(rope.inv_freq, 6e6 ** (-np.arange(32) / 32), rtol=1e-14)
        rope, told = said(config, layer=79)
        assert (rope.head_dim, rope.rotary_dim, rope.rotary_start, rope.layout, told) == (192, 64, 128, "interleaved", [])
    scaled = {"type": "yarn", "factor": 2.0, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 131_072}
    ropes = [said(LING25 | {"rope_scaling": scaled}, layer=layer)[0] for layer in (0, 7)]
    assert [rope.softmax_factor for rope in ropes] == [1, pytest.approx((0.1 * np.log(2) + 1) ** 2)]  # no softmax, no factor
    silent = {key: value for key, value in LING25.items() if key not in ("head_dim", "partial_rotary_factor", "rotary_dim")}
    assert [said(silent, layer=layer)[0].rotary_dim for layer in (0, 7)] == [64, 64]
    assert said(LING25 | {"linear_rope": False}, layer=0)[0].rotary_dim == 0
    with pytest.raises(ValueError, match="layer_type must be 'full_attention' or 'linear_attention', which rotate differently"):
        from_config(LING25)
    linear, full = cards(LING25)[0]
    assert (linear.rotary_dim, linear.cache_bytes, full.cache_bytes, len(full.indices)) == (64, None, 1152, 10)


@pytest.mark.parametrize("config", [LING25, RING | {"model_type": "bailing_moe_linear"}])
def test_layers_beyond_the_last_whole_group_are_full(config):
    size = config["layer_group_size"]
    odd = config | {"num_hidden_layers": 2 * size + 2}
    full = next(card.indices for card in cards(odd)[0] if card.layers.startswith("full"))
    assert full == [size - 1, 2 * size - 1, 2 * size, 2 * size + 1]


def test_ling_3_shares_ling_25s_name_and_not_its_linear_layers():
    for own in ({"architectures": ["BailingMoeV3ForCausalLM"]}, {"architectures": ["BailingHybridForCausalLM"], "head_dim": 64}):
        ropes = [said(LING25 | own, layer=layer) for layer in (0, 7)]
        assert [(rope.rotary_dim, rope.rotary_start, told) for rope, told in ropes] == [(0, 0, []), (64, 128, [])]
    nobodys = {key: value for key, value in LING25.items() if key != "architectures"}
    assert said(nobodys | {"short_conv_kernel_size": 4}, layer=0)[0].rotary_dim == 0
    for config in (nobodys, nobodys | {"architectures": ["MineForCausalLM"]}):
        assert said(config, layer=7)[0].rotary_dim == 64  # the same in both
        with pytest.raises(ValueError, match="architectures must be 'BailingMoeV3ForCausalLM' or 'BailingMoeV2_5ForCausalLM'"):
            from_config(config, layer=0)
    with pytest.raises(ValueError, match="got use_mla_nope=True: this model does not rotate"):
        from_config(LING25 | {"use_mla_nope": True}, layer=7)


OLMO_HYBRID = {"model_type": "olmo_hybrid", "hidden_size": 3840, "num_attention_heads": 30, "num_hidden_layers": 32}


@pytest.mark.parametrize(
    "null, name",
    [
        ({"rope_parameters": {"rope_theta": None}}, "rope_parameters.rope_theta"),  # Olmo-Hybrid-7B as published
        ({"rope_parameters": {"rope_theta": None, "rope_type": "default"}, "rope_theta": 5e5}, "rope_parameters.rope_theta"),
        ({"rope_theta": None}, "rope_theta"),
        ({"rope_theta": None, "rope_parameters": None}, "rope_theta"),
    ],
)
def test_olmo_hybrid_without_a_base_does_not_rotate(null, name):
    for config in (OLMO_HYBRID | null, {"text_config": OLMO_HYBRID | null}):
        with pytest.raises(ValueError, match=rf"got (text_config.)?{name}=None: without a base olmo_hybrid does not rotate"):
            from_config(config, layer=3)


def test_olmo_hybrid_with_a_base_rotates():
    for given in ({"rope_theta": 5e5}, {"rope_parameters": {"rope_theta": 5e5}, "rope_theta": None}):
        rope, told = said(OLMO_HYBRID | given | {"rope_scaling": None}, layer=3)
        np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, 5e5))
        assert told == []
    with pytest.raises(ValueError, match="rope_theta must be given beside rope_parameters=None, a number or null, got none"):
        from_config(OLMO_HYBRID | {"rope_parameters": None}, layer=3)


@pytest.mark.parametrize(
    "config, base, name",
    [
        ({"rope_theta": None}, 1e4, "rope_theta"),
        ({"rope_theta": None, "rope_parameters": None}, 1e4, "rope_theta"),
        ({"rope_parameters": {"rope_theta": None}}, 1e4, "rope_parameters.rope_theta"),
        ({"rope_scaling": {"rope_theta": None}, "rope_theta": 5e5}, 5e5, "rope_scaling.rope_theta"),
        ({"model_type": "gemma3_text", "rope_theta": None}, 1e6, "rope_theta"),
        ({"model_type": "gpt_oss", "rope_theta": None, "rope_scaling": {"rope_type": "default"}}, 1.5e5, "rope_theta"),
        ({"model_type": "dory", "rope_theta": None}, 1e7, None),  # whose own settings hold a base
        ({"model_type": "gpt_neox", "rotary_pct": 1.0, "rotary_emb_base": None}, 1e4, "rotary_emb_base"),
        ({"model_type": "gpt_neox", "rotary_pct": 1.0, "rope_theta": None}, 1e4, None),  # which it does not read
        ({"model_type": "codegen", "rotary_dim": 64, "rope_theta": None}, 1e4, None),
        ({"rope_theta": None, "rope_parameters": {"rope_theta": 5e5}}, 5e5, None),  # the block counts
        ({"rope_parameters": None}, 1e4, None),
    ],
)
def test_a_base_that_is_null_is_taken_for_none_and_told(config, base, name):
    """The code of most families fails on it."""
    rope, told = said({"model_type": "llama", "head_dim": 64} | config, layer_type="full_attention")
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, base))
    assert told == ([] if name is None else [f"{name} is null and is taken for absent: the base is {base!r}"])


@pytest.mark.parametrize("family, part", [("glm4_moe", 0.5), ("stablelm", 0.25), ("phi3", 1), ("qwen3_next", 0.25)])
def test_a_part_in_a_spelling_that_the_familys_code_does_not_read_is_passed_over(family, part):
    config = {"model_type": family, "head_dim": 64, "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 1e4}
    rope, told = said(config | {"rotary_dim": 40})
    but = f"the code of {family} in transformers does not read it, but partial_rotary_factor, and turns {64 * part:g}"
    assert (rope.rotary_dim, told) == (64 * part, [f"rotary_dim=40 is passed over: {but} channels without"])
    assert said(config | {"rotary_dim": int(64 * part)})[1] == []
    rope, told = said(config | {"rotary_pct": 0.625})
    but = f"the code of {family} does not read it, and takes {part:g} without"
    assert (rope.rotary_dim, told) == (64 * part, [f"rotary_pct=0.625 is passed over: {but}"])
    rope, told = said(config | {"rotary_pct": 0.625, "partial_rotary_factor": 0.625})  # by both names
    assert (rope.rotary_dim, told) == (40, [])


@pytest.mark.parametrize("family", ["gptj", "codegen", "minimax_m2"])
def test_a_part_in_channels_is_read_by_the_families_that_do(family):
    rope, told = said({"model_type": family, "head_dim": 64, "rope_theta": 1e4, "rotary_dim": 32})
    assert (rope.rotary_dim, told) == (32, [])


FULL, SPARSE = "full_attention", "compressed_sparse_attention"


@pytest.mark.parametrize(
    "family, which, block, words",
    [
        ("gemma3_text", FULL, {"type": "linear", "factor": 8.0}, "rope_scaling.type='linear' is applied, though"),
        ("gemma3_text", FULL, {"rope_type": "yarn", "factor": 2.0, "truncate": False}, "truncate=False is applied, though"),
        ("gemma3_text", FULL, {"rope_type": "yarn", "factor": 2.0}, "original_max_position_embeddings=8192 is applied"),
        ("deepseek_v4", SPARSE, {"partial_rotary_factor": 0.25}, "partial_rotary_factor=0.25 is passed over"),
        ("esm", None, {"rope_theta": 5e5}, "rope_scaling.rope_theta=500000.0 is applied, though the code of esm"),
    ],
)
def test_what_the_code_of_a_family_reads_elsewhere_is_told(family, which, block, words):
    config = {"model_type": family, "head_dim": 256, "rope_scaling": block, "position_embedding_type": "rotary"}
    config |= {"original_max_position_embeddings": 8192} if "yarn" in block.values() else {"hidden_size": 256}
    config |= {"num_attention_heads": 1}
    config = {key: value for key, value in config.items() if family == "esm" or key != "position_embedding_type"}
    assert any(each.startswith(words) for each in said(config, layer_type=which)[1])


def test_a_block_without_a_part_has_its_familys():
    kinds = {kind: {"rope_type": "default", "rope_theta": 1e4} for kind in ("full_attention", "sliding_attention")}
    for family, full, sliding in (("neomme", 32, 128), ("mimo_v2_flash", 42, 42), ("zaya", None, None)):
        config = {"model_type": family, "head_dim": 128, "rope_parameters": kinds}
        if family == "zaya":
            rope, _ = said(config | {"rope_parameters": {"hybrid": kinds["full_attention"]}}, layer_type="hybrid")
            assert rope.rotary_dim == 128  # its own part is that of its own blocks alone
            continue
        turned = [said(config, layer_type=f"{kind}_attention")[0].rotary_dim for kind in ("full", "sliding")]
        assert turned == [full, sliding]


def test_an_empty_block_is_taken_for_none_and_told():
    rope, told = said({"model_type": "apertus", "head_dim": 128, "rope_parameters": {}})
    np.testing.assert_array_equal(rope.inv_freq, ropelib.llama3(128, 1.2e7, factor=8, original_max_position_embeddings=8192)[0])
    assert told == [
        "rope_parameters={} is taken for absent: apertus's own are taken, though its code in transformers then has a base alone"
    ]
    assert said({"model_type": "apertus", "head_dim": 128})[1] == []


def test_phi_4_mini_flash_has_no_code_of_position():
    """Phi4Flash, by its publisher's code and vLLM's: no layer of it turns."""
    with pytest.raises(ValueError, match="got model_type 'phi4flash', which has no code of position"):
        from_config({"model_type": "phi4flash", "hidden_size": 2560, "num_attention_heads": 40, "mb_per_layer": 2})


def test_linear_layers_of_an_unknown_family_are_told():
    acme = RING | {"model_type": "acme"}
    words = "model_type 'acme' is not known: its layers of linear attention are taken to rotate nothing"
    assert said(acme, layer=0)[1] == [words]
    assert words in cards(acme)[1]


HEAD = {"head_dim": 64, "rope_theta": 1e4}


@pytest.mark.parametrize("family", "cohere deepseek_v2 longcat_flash glm4 gptj ernie4_5 helium llama4 llama qwen3".split())
def test_a_layout_that_the_familys_code_does_not_read_is_passed_over(family):
    own = "half" if family in ("llama", "qwen3") else "interleaved"
    which = {"layer": 0} if family == "llama4" else {}
    rope, told = said(HEAD | {"model_type": family, "rope_interleave": own == "half"}, **which)
    assert rope.layout == own
    assert told == [
        f"rope_interleave={own == 'half'} is passed over: the code of {family} does not read it, and its layout is {own!r}"
        "; to ask for another, give layout"
    ]
    rope, told = said(HEAD | {"model_type": family, "rope_interleave": own == "interleaved"}, **which)
    assert (rope.layout, told) == (own, [])


@pytest.mark.parametrize("family", "axk1 deepseek_v3 glm4_moe_lite mistral4 youtu".split())
def test_a_layout_that_the_familys_code_reads_is_obeyed(family):
    rope, told = said(HEAD | {"model_type": family, "rope_interleave": False, "rope_parameters": {"rope_type": "default"}})
    assert (rope.layout, told) == ("half", [])


ALONE = {"rope_type": "yarn", "factor": 40.0, "original_max_position_embeddings": 4096}


@pytest.mark.parametrize("name, other", [("mscale", "mscale_all_dim"), ("mscale_all_dim", "mscale")])
def test_one_mscale_of_yarn_without_the_other_is_not_read(name, other):
    rope, told = said(HEAD | {"model_type": "llama", "rope_scaling": ALONE | {name: 0.707}})
    assert rope.attention_factor == pytest.approx(0.1 * np.log(40) + 1)
    assert told == [f"{name}=0.707 is passed over: transformers reads it only beside {other}"]


def test_deepseeks_own_code_and_transformers_differ_on_one_mscale():
    rope, told = said({"model_type": "deepseek_v3", "rope_theta": 1e4, "rope_scaling": ALONE | {"mscale_all_dim": 1.0}})
    assert rope.attention_factor == 1
    assert [each.partition(",")[0] for each in told] == ["mscale_all_dim=1.0 is taken as in its publisher's code"]
    both = ALONE | {"mscale": 1.0, "mscale_all_dim": 1.0}
    assert said({"model_type": "deepseek_v3", "rope_theta": 1e4, "rope_scaling": both})[1] == []


def test_alpha_is_hunyuans():
    dynamic = HEAD | {"max_position_embeddings": 4096, "rope_scaling": {"type": "dynamic", "factor": 1.0, "alpha": 1000.0}}
    for family in ("llama", "qwen2"):
        rope, told = said(dynamic | {"model_type": family})
        np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64))
        assert len(told) == 1 and told[0].startswith(f"alpha=1000.0 is passed over: the code of {family} does not read it")
    rope, told = said(dynamic | {"model_type": "hunyuan_v1_dense"})
    assert told == []
    np.testing.assert_allclose(rope.inv_freq, inverse_frequencies(64, 1e4 * 1000 ** (64 / 62)))


def test_a_base_by_gpt_neoxs_name_in_another_family_is_told():
    rope, told = said({"model_type": "llama", "head_dim": 64, "rotary_emb_base": 5e5})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64))
    but = "the code of llama reads rope_theta alone, and takes 10,000 without"
    assert told == [f"rotary_emb_base=500000.0 is passed over: {but}"]
    assert said({"model_type": "gpt_neox", "head_dim": 64, "rotary_emb_base": 5e5})[1] == []


def test_sizes_of_latent_attention_in_a_family_without_it_are_passed_over():
    llama = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8, "rope_theta": 1e4}
    rope, told = said(llama | {"qk_rope_head_dim": 64})
    assert (rope.rotary_dim, rope.head_dim) == (128, 128)
    assert len(told) == 1 and told[0].startswith("qk_rope_head_dim is passed over: the code of llama does not read it")
    assert cards(llama | {"qk_rope_head_dim": 64})[0][0].cache_bytes == 4096


GROK = {"model_type": "grok-1", "head_dim": 128, "rope_theta": 2e8, "attn_temperature_len": 1024}


def test_groks_queries_grow_beyond_a_length():
    rope, told = said(GROK)
    assert told == []
    np.testing.assert_allclose(rope.query_factor([0, 1, 1024, 2048, 1 << 20]), [1, 1, 1, 1.1, 2], rtol=1e-12)
    assert said(GROK | {"attn_temperature_len": -1})[0].by_position is None
    llama, told = said(GROK | {"model_type": "llama"})
    assert llama.by_position is None and len(told) == 1 and told[0].startswith("attn_temperature_len is passed over")
    with pytest.raises(ValueError, match="attn_temperature_len, which is not supported for 'acme'"):
        from_config(GROK | {"model_type": "acme"})


def test_a_card_tells_the_factor_that_goes_with_its_wavelength():
    lists = {"short_factor": [1.0, 1.0], "long_factor": [2.0, 4.0], "short_mscale": 1.0, "long_mscale": 1.25}
    settings = lists | {"type": "longrope", "original_max_position_embeddings": 4096}
    (card,), _ = cards({"model_type": "phimoe", "head_dim": 4, "max_position_embeddings": 131072, "rope_scaling": settings})
    record = card.to_dict()
    assert (record["attention_factor"], record["attention_factor_in_context"]) == (1.0, 1.25)
    assert record["longest_wavelength"] == pytest.approx(4 * 2 * np.pi / record["inv_freq"][-1])
    assert "  temperature: 1.25 on cos and sin" in card.lines()


MIXTURE = {"head_dim": 8, "rope_theta": 1e4, "num_hidden_layers": 6, "sliding_window": 1024, "num_attention_heads": 8}


def test_windows_of_qwens_mixtures_of_experts():
    slides = MIXTURE | {"use_sliding_window": True, "max_window_layers": 4}
    assert [card.window for card in cards(slides | {"model_type": "qwen3_moe"})[0]] == [1024]
    found = {card.layers: card.window for card in cards(slides | {"model_type": "qwen2_moe"})[0]}
    assert found == {"sliding_attention (layers 0, 2)": 1024, "full_attention (layers 1, 3, 4, 5)": None}
    for family in ("qwen2_moe", "qwen3_moe"):
        assert [card.window for card in cards(MIXTURE | {"model_type": family})[0]] == [None]


@pytest.mark.parametrize(
    "family, slip, value, meant",
    [
        ("llama", "num_key_values_heads", 8, "num_key_value_heads"),
        ("llama", "key_value_heads", 8, "num_key_value_heads"),
        ("deepseek_v3", "kv_lora_dim", 256, "kv_lora_rank"),
        ("gemma2", "layers_types", ["full_attention"] * 4, "layer_types"),
        ("gemma3_text", "sliding_window_patern", 2, "sliding_window_pattern"),
        ("gemma2", "sliding_windw", 1024, "sliding_window"),
    ],
)
def test_slips_in_what_a_card_tells(family, slip, value, meant):
    config = {"model_type": family, "head_dim": 64, "rope_theta": 1e4, "num_hidden_layers": 4, slip: value}
    told = cards(config)[1]
    assert f"{slip} is not read, got {value!r}; the nearest that is read is {meant!r}" in told


@pytest.mark.parametrize("name", ["swa_num_key_value_heads", "num_global_key_value_heads", "decoder_num_key_value_heads"])
def test_names_like_those_of_a_card_are_no_slips(name):
    assert not any(name in each for each in said({"model_type": "llama", "head_dim": 64, "rope_theta": 1e4, name: 4})[1])


def test_phi_3_says_yarn_of_the_lists_of_longrope():
    lists = {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4}
    phi = {"model_type": "phi3", "head_dim": 8, "rope_theta": 1e4, "max_position_embeddings": 131072}
    (yarn, told), (su, _) = (said(phi | {"rope_scaling": lists | {"type": name}}, seq_len=1e5) for name in ("yarn", "su"))
    assert told == []
    assert yarn.attention_factor == su.attention_factor == pytest.approx(1.19024, abs=1e-5)
    np.testing.assert_array_equal(yarn.inv_freq, su.inv_freq)


@pytest.mark.parametrize("keys", [{"attn_layer_period": 4, "attn_layer_offset": 2}, {"mixer_types": ["lightning", "minicpm4"]}])
def test_hybrids_of_an_unknown_family_are_told(keys):
    acme = {"model_type": "acme", "head_dim": 128, "num_hidden_layers": 8, "rope_theta": 1e4} | keys
    assert any(next(iter(keys)) in each and "all are taken to rotate alike" in each for each in cards(acme)[1])


def test_a_name_that_a_card_reads_is_no_slip_of_itself():
    assert not said({"model_type": "deepseek_v3", "rope_theta": 1e4, "kv_lora_rank": 512})[1]
