"""Keys that a family's code does not read, parts of a file that are taken out of it, files that leave much to a family.

Each value is that of the family's own code in transformers, or of its publisher's, by hand.
"""

import warnings

import numpy as np
import pytest

from ropelib import cards, from_config, inverse_frequencies
from ropelib.__main__ import main

FULL, SLIDING = "full_attention", "sliding_attention"


def said(config, **which):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return from_config(config, **which), [str(each.message) for each in caught]


def head(family, **more):
    return {"model_type": family, "head_dim": 64, "rope_theta": 1e4, **more}


# --- the part that sees, under the text model's name

QWEN3_VL = {"depth": 27, "hidden_size": 1152, "num_heads": 16, "patch_size": 16, "num_position_embeddings": 2304}
QWEN2_VL = {"depth": 32, "embed_dim": 1280, "num_heads": 16, "hidden_size": 3584, "patch_size": 14, "spatial_merge_size": 2}
PADDLE = {"architectures": ["SiglipVisionModel"], "hidden_size": 1152, "num_attention_heads": 16, "patch_size": 14}


@pytest.mark.parametrize(
    "family, config",
    [
        *[(name, QWEN3_VL) for name in "qwen3_vl qwen3_vl_moe qwen3_5 qwen3_5_moe".split()],
        *[(name, QWEN2_VL) for name in ("qwen2_vl", "qwen2_5_vl", None)],
        ("paddleocr_vl", PADDLE),
        ("new_thing", {"head_dim": 72, "image_size": 384}),
    ],
)
def test_a_part_that_sees_is_refused_with_a_way_on(family, config):
    named = {} if family is None else {"model_type": family}
    got = "image_size=384" if family == "new_thing" else f"patch_size={config['patch_size']}"
    with pytest.raises(ValueError, match=f"a text model, got .*{got} and no vocab_size: .* for which there is axial"):
        from_config(config | named)
    with pytest.raises(ValueError, match=f"{got} and no vocab_size"):
        from_config(config | named | {"vocab_size": None})


def test_a_text_model_that_reads_patches_has_words():
    """Fuyu's patches are projected by its text model."""
    rope = from_config({"model_type": "fuyu", "patch_size": 30, "vocab_size": 262_144, "head_dim": 64, "rope_theta": 25_000.0})
    assert rope.rotary_dim == 64


# --- keys that a family's code does not read


@pytest.mark.parametrize("family", "lfm2_moe cwm gpt_oss apertus ministral3 mimi blt xcodec2".split())
def test_a_part_of_the_head_is_told_where_the_code_turns_whole_heads(family):
    block = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
    rope, told = said({"model_type": family, "head_dim": 64, "rope_parameters": block})
    assert rope.rotary_dim == 32
    assert f"partial_rotary_factor=0.5 is applied, though the code of {family} in transformers turns whole heads" in told


def test_bambas_code_writes_over_a_part():
    rope, told = said(head("bamba", attn_layer_indices=[0], partial_rotary_factor=0.25))
    assert rope.rotary_dim == 32
    assert told == ["partial_rotary_factor=0.25 is passed over: the code of bamba writes 0.5 over it"]


LONGROPE = {"rope_type": "longrope", "short_factor": [1.0] * 32, "long_factor": [2.0] * 32}
SIDES = {"short_mscale": 1.5, "long_mscale": 2.0}


@pytest.mark.parametrize("family", ["llama", "phi3", "minicpm"])
def test_factors_of_each_side_are_those_of_phi_35_moe_alone(family):
    block = LONGROPE | SIDES | {"factor": 4.0, "original_max_position_embeddings": 4096}
    rope, told = said(head(family, rope_scaling=block))
    assert rope.attention_factor == pytest.approx((1 + np.log(4) / np.log(4096)) ** 0.5)
    assert told == [
        f"{key}={value} is passed over: the code of {family} does not read it, only that of phimoe"
        for key, value in SIDES.items()
    ]
    rope, told = said(head("phimoe", rope_scaling=block))
    assert (rope.attention_factor, told) == (1.5, [])


@pytest.mark.parametrize("family", ["phi3", "phi4_multimodal"])
def test_phi3_reads_its_trained_length_beside_the_block_alone(family):
    config = head(family, max_position_embeddings=131_072)
    rope, told = said(config | {"rope_scaling": LONGROPE | {"original_max_position_embeddings": 8192}})
    assert rope.attention_factor == pytest.approx((1 + np.log(32) / np.log(4096)) ** 0.5)
    assert len(told) == 1 and "reads it beside the rope settings alone, and takes 4,096 without" in told[0]
    rope, told = said(config | {"original_max_position_embeddings": 8192, "rope_scaling": LONGROPE})
    assert rope.attention_factor == pytest.approx((1 + np.log(16) / np.log(8192)) ** 0.5)
    assert told == []


@pytest.mark.parametrize("family", "gemma3_text gemma3n_text olmo3 step3p5 t5gemma2_text t5gemma2_decoder".split())
def test_one_block_for_families_that_read_a_block_for_each_type_of_layer_is_told(family):
    block = {"rope_type": "default", "rope_theta": 777_777.0}
    rope, told = said({"model_type": family, "head_dim": 64, "rope_parameters": block}, layer_type=FULL)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, 777_777.0))
    assert any("rope_parameters is one block and is applied, though the code of" in each for each in told)
    _, told = said(head(family, rope_scaling={"rope_type": "linear", "factor": 8.0}), layer_type=FULL)
    assert not any("one block" in each for each in told)


def test_rope_interleaved_is_no_more_read_than_rope_interleave():
    rope, told = said(head("llama", rope_interleaved=True))
    assert rope.layout == "half"
    assert told == [
        "rope_interleaved=True is passed over: the code of llama does not read it, and its layout is 'half'; to ask for "
        "another, give layout"
    ]
    assert said(head("llama", rope_interleaved=False))[1] == []  # SmolLM2 as published
    assert said(head("llama", layout="interleaved"))[0].layout == "interleaved"
    assert said({"head_dim": 64, "rope_theta": 1e4, "rope_interleaved": True})[0].layout == "interleaved"


def mpt(**attention):
    return {"model_type": "mpt", "d_model": 4096, "n_heads": 32, "attn_config": {"rope": True, "rope_theta": 1e4, **attention}}


def test_mpts_rope_impl_says_which_block_counts():
    linear = {"rope_hf_config": {"type": "linear", "factor": 4.0}}
    plain = inverse_frequencies(128)
    rope, told = said(mpt(rope_impl="hf", **linear))
    assert told == []
    np.testing.assert_allclose(rope.inv_freq, plain / 4)
    for impl in ({"rope_impl": "dail", "rope_dail_config": {"type": "original"}}, {}):
        rope, told = said(mpt(**impl, **linear))
        np.testing.assert_array_equal(rope.inv_freq, plain)
        assert len(told) == 1 and "rope_hf_config is passed over: the code of mpt reads it where rope_impl is 'hf'" in told[0]
    assert said(mpt(rope_impl="dail", rope_hf_config={"type": "no_scaling", "factor": 1.0}))[1] == []
    with pytest.raises(ValueError, match=r"got attn_config.rope_dail_config.type='xpos': not supported"):
        from_config(mpt(rope_impl="dail", rope_dail_config={"type": "xpos", "xpos_scale_base": 512}))


@pytest.mark.parametrize(
    "key, value, hint",
    [
        ("base", 5e5, "; the nearest that is read is 'rope_theta'"),
        ("rope_base", 5e5, "; the nearest that is read is 'rope_theta'"),
        ("rotary_base", 5e5, "; the nearest that is read is 'rope_theta'"),
        ("rope_type", "linear", "; it is read inside rope_parameters"),
        ("hidden_size_per_head", 32, "; the nearest that is read is 'head_dim'"),
        ("compression_ratio", 2.0, ""),
        ("is_neox_style", True, ""),
        ("ntk_alpha", 4.0, ""),
        ("ntk_alpha", True, ""),  # which equals 1, by which it would say nothing
        ("scaling", True, ""),
        ("position_interpolation_factor", 2.0, ""),
        ("scaling", {"type": "linear"}, ""),
    ],
)
def test_keys_that_speak_of_rotation_by_another_word_are_told(key, value, hint):
    assert said(head("llama", **{key: value}))[1] == [f"{key} is not read, got {value!r}{hint}"]


def test_ernie_as_published_names_a_compression_that_changes_nothing():
    assert said(head("ernie4_5", compression_ratio=1.0))[1] == []


def test_vllms_words_for_yarn():
    block = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    rope, told = said(head("llama", rope_scaling=block | {"extrapolation_factor": 1, "attn_factor": 1.0}))
    assert told == [] and rope.attention_factor == pytest.approx(0.1 * np.log(4) + 1)
    with pytest.raises(ValueError, match="got 'extrapolation_factor'; those that are read"):
        from_config(head("llama", rope_scaling=block | {"extrapolation_factor": 0.5}))


def test_an_attention_factor_of_nothing_is_refused():
    block = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096, "attention_factor": 0}
    with pytest.raises(ValueError, match="attention_factor must be greater than 0, got 0"):
        from_config(head("llama", rope_scaling=block))


def test_a_list_of_bases_is_step_35s():
    with pytest.raises(TypeError, match=r"rope_theta must be a number, a list only for step3p5, ultrabert, got \[500000.0\]"):
        from_config(head("llama") | {"rope_theta": [5e5]})
    with pytest.raises(TypeError, match=r"rope_parameters.rope_theta must be a number, a list only for step3p5"):
        from_config({"model_type": "llama", "head_dim": 64, "rope_parameters": {"rope_type": "default", "rope_theta": [5e5]}})
    assert len(from_config(head("step3p5") | {"rope_theta": [1e4, 5e5]}, layer=1).inv_freq) == 32


def test_a_class_of_another_layout_is_told():
    rope, told = said(head("llama", architectures=["CohereForCausalLM"]))
    assert rope.layout == "half"
    assert told == [
        "model_type 'llama', which is half, is taken, though 'CohereForCausalLM' in architectures speaks of 'cohere', which is "
        "interleaved"
    ]
    assert said(head("kimi_k2", architectures=["DeepseekV3ForCausalLM"]))[1] == []


@pytest.mark.parametrize("family", ["glm", "jetmoe", "ernie4_5"])
def test_a_null_width_is_divided_where_the_code_does_so(family):
    config = {"model_type": family, "hidden_size": 512, "num_attention_heads": 8, "rope_theta": 1e4}
    assert from_config(config).head_dim == 128
    assert from_config(config | {"head_dim": None}).head_dim == 64


def test_hunyuan_vls_sections_are_told_to_be_its_publishers():
    block = {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [8, 8, 8, 8]}
    rope, told = said({"model_type": "hunyuan_vl", "head_dim": 64, "rope_parameters": block})
    np.testing.assert_array_equal(rope.axes, np.repeat([0, 1, 2, 3], 8))
    assert len(told) == 1 and "as in its publisher's code: that of transformers" in told[0]


# --- files that say little, or that hold two parts


def test_sizes_of_the_text_part_are_its_own_or_its_familys():
    text = {"model_type": "llama", "rope_theta": 5e5}
    whole = text | {"hidden_size": 4096, "num_attention_heads": 32}
    rope, told = said({"model_type": "xyz", "head_dim": 64, "text_config": whole})
    assert (rope.head_dim, told) == (128, [])
    rope, told = said({"hidden_size": 1024, "num_attention_heads": 16, "text_config": text | {"hidden_size": 4096}})
    assert (rope.head_dim, told) == (128, ["num_attention_heads is not given: 32 is llama's own"])
    outer = {"hidden_size": 1024, "num_attention_heads": 16, "text_config": {"rope_theta": 5e5}}
    assert from_config(outer).head_dim == 64  # a part that says nothing of itself


@pytest.mark.parametrize(
    "part, text, base",
    [
        ("text_config", {"model_type": "llama", "max_position_embeddings": 4096, "vocab_size": 32_064}, 1e4),  # LLaVA 1.5
        ("text_config", {"model_type": "mistral", "num_key_value_heads": 8, "rope_theta": 1e6}, 1e6),  # LLaVA-NeXT
        ("text_config", {"model_type": "qwen2", "intermediate_size": 11_008, "rope_theta": 1e4}, 1e4),  # Qwen2-Audio
        ("language_config", {"model_type": "llama", "num_hidden_layers": 30}, 1e4),  # DeepSeek-VL
    ],
)
def test_a_text_part_that_gives_no_sizes_has_its_familys(part, text, base):
    sees = {"model_type": "clip_vision_model", "hidden_size": 1024, "image_size": 336, "patch_size": 14}
    rope, told = said({"model_type": "llava", part: text, "vision_config": sees})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, base))
    assert told == [f"hidden_size and num_attention_heads are not given: 4,096 and 32 are {text['model_type']}'s own"]


def test_a_file_without_sizes_is_refused_with_its_familys_own():
    with pytest.raises(ValueError, match="llama's own hidden_size and num_attention_heads are 4,096 and 32"):
        from_config({"model_type": "llama", "rope_theta": 1e4})
    with pytest.raises(ValueError, match="dim is not read, got 4096; the nearest that is read is 'hidden_size'"):
        from_config({"model_type": "openlm", "dim": 4096, "n_heads": 32})


def test_grok_2_as_published_calls_itself_git():
    grok = {"architectures": ["Grok1ForCausalLM"], "model_type": "git", "hidden_size": 8192, "num_attention_heads": 64}
    rope, told = said(grok | {"head_dim": 128, "rope_theta": 208_533_496, "attn_temperature_len": 1024})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, 208_533_496))
    assert rope.layout == "half" and rope.by_position is not None
    assert told == [
        "model_type 'git' is passed over, for the model of that name learns its positions: 'grok-1' is taken, after "
        "'Grok1ForCausalLM'"
    ]
    with pytest.raises(ValueError, match="'git', which learns its positions"):
        from_config({"model_type": "git", "hidden_size": 768, "num_attention_heads": 12})


def test_music_flamingos_sounds_turn_by_themselves():
    sounds, words = ({"rope_type": "default", "rope_theta": base} for base in (1200, 1e6))
    text = {"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "rope_parameters": words}
    rope, told = said({"model_type": "musicflamingo", "rope_parameters": sounds, "text_config": text})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, 1e6))
    assert told == []


# --- words


@pytest.mark.parametrize(
    "config, words",
    [
        (
            {"model_type": "qwen2_vl", "hidden_size": 1280, "num_attention_heads": 16},
            r"sum to the 40 pairs that rotate, got \[16, 24, 24\], qwen2_vl's own, for none is given",
        ),
        ({"head_dim": 64, "rope_scaling_factor": 32.0, "rope_ntk_alpha": 1}, "it is rope_type 'yarn' with this factor"),
        ({"model_type": "glm5_next", "qk_rope_head_dim": 0}, "'glm5_next', which has no code of position"),
        ({"model_type": "nomic_bert", "head_dim": 64, "rotary_emb_fraction": 0.0}, "got rotary_emb_fraction=0.0: no channel"),
        (
            {"model_type": "gemma3_text", "head_dim": 64, "rope_parameters": {"full_atention": {}, SLIDING: {"rope_theta": 9}}},
            "by kinds of layers, got 'full_atention'; the nearest that is known is 'full_attention'",
        ),
    ],
)
def test_what_is_refused_says_where_it_comes_from(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


def test_a_card_of_a_part_that_sees_is_refused(tmp_path, capsys):
    import json

    path = tmp_path / "config.json"
    path.write_text(json.dumps(QWEN3_VL | {"model_type": "qwen3_vl"}), encoding="utf-8")
    assert main(["card", str(path)]) != 0
    assert "a part that sees" in capsys.readouterr().err


def test_a_card_of_layers_that_differ_in_an_unknown_way_counts_no_cache():
    """Baichuan-M1, whose sliding layers have heads of another number; PLaMo 2, half of whose layers are Mamba's."""
    config = head("baichuan_m1", num_attention_heads=40, num_key_value_heads=2, num_hidden_layers=40, sliding_window=8192)
    (card,), told = cards(config | {"num_swa_attention_heads": 20, "num_swa_key_value_heads": 8, "sliding_window_layers": [1, 3]})
    assert card.cache_bytes is None and card.cache.startswith("not counted, for layers differ")
    assert "sliding_window=8192 is given, and not which layers it is for: no window is told" in told
    (card,), told = cards(head("new_thing", num_attention_heads=8, num_key_value_heads=2))
    assert card.cache_bytes == 2 * 2 * 2 * 64


def test_keys_by_which_a_family_reads_a_part_or_a_width():
    rope, told = said(head("step3p5", partial_rotary_factor=0.5), layer_type=FULL)
    assert rope.rotary_dim == 64
    assert "partial_rotary_factor=0.5 is passed over: the code of step3p5 does not read it, but partial_rotary_factors" in told
    rope, told = said(head("step3p5", partial_rotary_factors=[0.5, 1.0]), layer=0)
    assert rope.rotary_dim == 32 and not any("passed over" in each for each in told)
    sizes = {"hidden_size": 1280, "num_attention_heads": 10}
    rope, told = said(head("deepseek_ocr2") | sizes | {"head_dim": 96})
    assert rope.head_dim == 128
    but = "divides hidden_size by num_attention_heads, 1280 / 10"
    assert f"head_dim=96 is passed over: the code of deepseek_ocr2 {but}" in told


# --- keys of other families: widths, bases, scalings

SIZES = {"hidden_size": 4096, "num_attention_heads": 32}
DIVIDES = "divides hidden_size by num_attention_heads, 4096 / 32"


@pytest.mark.parametrize("key", ["kv_channels", "attention_head_dim"])
@pytest.mark.parametrize("family, but", [("llama", DIVIDES), ("starcoder2", DIVIDES), ("qwen3", "reads head_dim alone")])
def test_a_width_by_another_familys_name_is_passed_over(key, family, but):
    config = {"model_type": family, "rope_theta": 1e4, **SIZES}
    rope, told = said(config | {key: 64})
    assert (rope.head_dim, rope.rotary_dim) == (128, 128)
    assert told == [f"{key}=64 is passed over: the code of {family} {but}"]
    assert said(config | {key: 128})[1] == []
    rope, told = said(config | {key: 64, "head_dim": 64})  # which says it too
    assert (rope.head_dim, told) == (64, [])


def test_a_width_by_a_familys_own_name_is_its_width():
    for family, key in (("chatglm", "kv_channels"), ("qwen", "kv_channels"), ("jetmoe", "kv_channels")):
        own = {} if family == "jetmoe" else {"use_dynamic_ntk": False, "use_logn_attn": False}
        rope, told = said({"model_type": family, key: 64, **SIZES, **({} if family == "chatglm" else own)})
        assert rope.head_dim == 64 and not any(key in each for each in told)
    assert said({"model_type": "hunyuan_vl", "attention_head_dim": 64, "rope_theta": 1e4, **SIZES})[0].head_dim == 64


@pytest.mark.parametrize(
    "family, turning", [("gpt_neox", 32), ("stablelm", 32), ("persimmon", 64), ("falcon", 128), ("gptj", 64), ("baichuan", 128)]
)
def test_a_width_that_is_divided_whatever_the_file_says(family, turning):
    config = {"model_type": family, **SIZES}
    embeds = family not in ("gptj", "baichuan")
    rope, told = said(config | {"head_dim": 64})
    assert (rope.head_dim, rope.rotary_dim) == (128, turning)
    but = ", though its rotary embedding in transformers reads it" if embeds else ""
    assert told == [f"head_dim=64 is passed over: the code of {family} {DIVIDES}{but}"]
    rope, told = said(config | {"head_dim": 128})
    assert (rope.head_dim, rope.rotary_dim, told) == (128, turning, [])


@pytest.mark.parametrize("family", "gptj codegen chatglm baichuan internlm roformer".split())
def test_a_base_in_a_family_that_reads_none_is_passed_over(family):
    config = {"model_type": family, **SIZES}
    rope, told = said(config | {"rope_theta": 5e5})
    np.testing.assert_array_equal(rope.inv_freq, said(config)[0].inv_freq)
    assert rope.inv_freq[1] == pytest.approx(1e4 ** (-2 / rope.rotary_dim))
    assert told == [f"rope_theta=500000.0 is passed over: the code of {family} reads no base, and takes 10,000 without"]
    assert said(config | {"rope_theta": 1e4})[1] == []


@pytest.mark.parametrize("family", "gptj codegen chatglm baichuan internlm qwen".split())
@pytest.mark.parametrize("kind", [{"type": "linear"}, {"rope_type": "yarn", "original_max_position_embeddings": 2048}])
def test_rope_settings_in_a_family_that_reads_none_are_passed_over(family, kind):
    plain = {"use_dynamic_ntk": False, "use_logn_attn": False} if family == "qwen" else {}
    config = {"model_type": family, **SIZES, **plain}
    rope, told = said(config | {"rope_scaling": kind | {"factor": 4.0}})
    np.testing.assert_array_equal(rope.inv_freq, said(config)[0].inv_freq)
    assert rope.attention_factor == 1
    assert told == [f"rope_scaling is passed over: the code of {family} reads no rope settings"]
    assert told == cards(config | {"num_key_value_heads": 32, "rope_scaling": kind | {"factor": 4.0}})[1]
    assert said(config | {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4}})[1] == []


def test_a_part_in_a_block_that_is_not_read_is_told():
    rope, told = said({"model_type": "baichuan", **SIZES, "rope_parameters": {"rope_theta": 1e4, "partial_rotary_factor": 0.5}})
    assert rope.rotary_dim == 128
    assert told == ["rope_parameters is passed over: the code of baichuan reads no rope settings"]


def test_internlms_own_block_is_read():
    config = {"model_type": "internlm", "max_position_embeddings": 2048, **SIZES}
    rope, told = said(config | {"rotary": {"base": 20_000, "type": "origin"}})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, 20_000.0))
    assert told == []
    rope, told = said(config | {"rotary": {"base": 10_000, "type": "dynamic"}, "rope_theta": 5e5})
    assert rope.by_length is not None and told[0].startswith("rope_theta=500000.0 is passed over")


def test_gpt_j_reads_its_part_by_rotary_dim_alone():
    config = {"model_type": "gptj", "n_embd": 4096, "n_head": 16}
    rope, told = said(config | {"partial_rotary_factor": 0.5})
    assert (rope.rotary_dim, rope.head_dim) == (64, 256)
    assert told == ["partial_rotary_factor=0.5 is passed over: the code of gptj does not read it"]
    assert said(config | {"rotary_dim": 128})[0].rotary_dim == 128


@pytest.mark.parametrize(
    "family, keys, base",
    [
        ("llama", {"rope_embedding_base": 5e5}, 1e4),
        ("llama", {"global_rope_theta": 5e5}, 1e4),
        ("llama", {"rotary_embedding_base": 5e5}, 1e4),
        ("llama", {"rope_freq_constant": 5e5}, 1e4),
        ("llama", {"attn_config": {"rope_theta": 5e5}}, 1e4),
        ("mixtral", {"rotary_emb_base": 5e5}, 1e6),
        ("qwen", {"rope_theta": 5e5, "use_dynamic_ntk": False, "use_logn_attn": False}, 1e4),
    ],
)
def test_a_base_by_another_familys_name_is_passed_over(family, keys, base):
    rope, told = said({"model_type": family, **SIZES, **keys})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, base))
    name = "attn_config.rope_theta" if "attn_config" in keys else next(iter(keys))
    own = "rotary_emb_base" if family == "qwen" else "rope_theta"
    assert told == [f"{name}=500000.0 is passed over: the code of {family} reads {own} alone, and takes {base:,.0f} without"]
    rope, told = said({"model_type": family, **SIZES, **keys, own: 5e5})  # which says it too
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, 5e5))
    assert told == []


def test_dynamic_counts_from_the_length_that_the_code_reads():
    """modeling_rope_utils: factor * seq_len / max_position_embeddings - (factor - 1), whatever the trained length is."""
    config = {"model_type": "llama", "rope_theta": 5e5, "max_position_embeddings": 8192, **SIZES}
    block, original = {"type": "dynamic", "factor": 4.0}, {"original_max_position_embeddings": 2048}
    plain, told = said(config | {"rope_scaling": block})
    assert told == []
    for edited in ({"rope_scaling": block | original}, {"rope_scaling": block, **original}):
        rope, told = said(config | edited)
        np.testing.assert_array_equal(rope.by_length(8192.0)[0], inverse_frequencies(128, 5e5))
        raised = inverse_frequencies(128, 5e5 * (4 * 16_384 / 8192 - 3) ** (128 / 126))
        np.testing.assert_allclose(rope.by_length(16_384.0)[0], raised, rtol=1e-12)
        np.testing.assert_array_equal(rope.by_length(16_384.0)[0], plain.by_length(16_384.0)[0])
        but = "the code of llama counts from max_position_embeddings, 8,192, with rope_type 'dynamic'"
        assert told == [f"original_max_position_embeddings=2048 is passed over: {but}"]
    bare = {key: value for key, value in config.items() if key != "model_type"}
    rope, told = said(bare | {"rope_scaling": block | original})  # whose code is not known
    np.testing.assert_allclose(rope.by_length(4096.0)[0], inverse_frequencies(128, 5e5 * 5 ** (128 / 126)), rtol=1e-12)
    assert told == []


# --- what a file says without changing anything


@pytest.mark.parametrize(
    "key, idle, tells",
    [
        ("attn_type_list", [1] * 4, [1, 1, 0, 1]),  # MiniMax-M2 as published
        ("no_rope_layers", [1] * 4, [1, 1, 1, 0]),
        ("hybrid_layer_pattern", [0] * 4, [0, 1, 0, 1]),
        ("compress_ratios", [0] * 4, [0, 4, 0, 4]),
        ("attn_layer_indices", [0, 1, 2, 3], [1, 3]),
        ("full_attn_idxs", [0, 1, 2, 3], [1, 3]),
        ("full_attention_interval", 1, 4),
        ("rope_ratio", 1, 50),
        ("attn_temperature_len", -1, 1024),
        ("swa_head_dim", 64, 32),
        ("rope_local_base_freq", 1e4, 2e4),
    ],
)
def test_a_list_that_says_what_the_code_does_anyway_is_silent(key, idle, tells):
    config = head("minimax_m2", num_hidden_layers=4)
    assert said(config | {key: idle})[1] == []
    rope, told = said(config | {key: tells})
    assert rope.rotary_dim == 64 and len(told) == 1 and told[0].startswith(f"{key} is passed over: the code of minimax_m2")


HUNYUAN = {
    "alpha": 1000.0,
    "beta_fast": 32,
    "beta_slow": 1,
    "factor": 1.0,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
    "type": "dynamic",
}


@pytest.mark.parametrize("family", ["hunyuan", "hunyuan_v1_dense", "hunyuan_v1_moe"])
def test_hunyuan_as_published_is_told_without_noise(family):
    config = head(family, max_position_embeddings=32_768, use_rotary_pos_emb=True, rope_scaling=HUNYUAN)
    rope, told = said(config)
    np.testing.assert_allclose(rope.inv_freq, inverse_frequencies(64, 1e4 * 1000 ** (64 / 62)))
    assert told == []
    assert said(config | {"rope_scaling": HUNYUAN | {"beta_fast": 16, "mscale": 0.7}})[1] == [
        "beta_fast=16, mscale=0.7 are not read by rope_type 'dynamic', only by yarn"
    ]
    with pytest.raises(ValueError, match="got use_rotary_pos_emb=False: this model does not rotate"):
        from_config(config | {"use_rotary_pos_emb": False})


def test_a_key_beside_another_that_says_the_same_is_silent():
    bamba = {"model_type": "bamba", "rope_theta": 1e4, "attn_layer_indices": [9, 18, 27], "attn_rotary_emb": 64, **SIZES}
    rope, told = said(bamba, layer=9)
    assert (rope.rotary_dim, rope.head_dim, told) == (64, 128, [])
    assert said(bamba | {"attn_rotary_emb": 32}, layer=9)[1] == ["attn_rotary_emb is not read, got 32: 64 channels rotate"]
    lfm2 = {"model_type": "lfm2", "rope_theta": 1e6, "full_attn_idxs": [2, 5], "theta": 1e6, **SIZES}
    assert said(lfm2, layer=2)[1] == []
    assert said(lfm2 | {"theta": 5e5}, layer=2)[1] == [
        "theta is not read, got 500000.0; the nearest that is read is 'rope_theta'"
    ]


# --- DeepSeek's own files, before transformers: what is not in them stands in ModelArgs of inference/model.py

NATIVE = {"vocab_size": 129_280, "dim": 7168, "n_layers": 61, "n_heads": 128, "q_lora_rank": 1536, "kv_lora_rank": 512}
NATIVE |= {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
R1 = {"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "kv_lora_rank": 512, "rope_theta": 10_000}
R1 |= {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
YARN = {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}
YARN |= {"original_max_position_embeddings": 4096}
FROM_ARGS = "rope settings are taken from DeepSeek's ModelArgs where the file gives none: "


def test_deepseeks_own_file_turns_as_its_code_fills_it_in():
    rope, told = said(NATIVE)
    want, _ = said(R1 | {"rope_scaling": YARN})
    np.testing.assert_array_equal(rope.inv_freq, want.inv_freq)
    assert 2 * np.pi / rope.inv_freq[-1] == pytest.approx(1_884_690, rel=1e-6)
    assert (rope.attention_factor, rope.softmax_factor) == (1, pytest.approx((0.1 * np.log(40) + 1) ** 2))
    assert (rope.head_dim, rope.rotary_dim, rope.rotary_start, rope.layout) == (192, 64, 128, "interleaved")
    every = "rope_theta 10000, rope_factor 40, original_seq_len 4096, beta_fast 32, beta_slow 1, mscale 1"
    assert told == [FROM_ARGS + every]


def test_what_deepseeks_own_file_gives_is_taken():
    rope, told = said(NATIVE | {"rope_factor": 8, "original_seq_len": 8192, "mscale": 0.707, "rope_theta": 1e6})
    block = YARN | {"factor": 8, "original_max_position_embeddings": 8192, "mscale": 0.707, "mscale_all_dim": 0.707}
    want, _ = said(R1 | {"rope_scaling": block, "rope_theta": 1e6})
    np.testing.assert_array_equal(rope.inv_freq, want.inv_freq)
    assert rope.softmax_factor == want.softmax_factor == pytest.approx((0.0707 * np.log(8) + 1) ** 2)
    assert told == [FROM_ARGS + "beta_fast 32, beta_slow 1"]
    rope, told = said(NATIVE | {"max_seq_len": 4096})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64))
    assert rope.softmax_factor == 1
    assert told[1:] == ["nothing is scaled, as its code does: max_seq_len=4,096 is within the trained length"]
    mistrals = NATIVE | {"yarn": {"factor": 16, "original_max_position_embeddings": 8192}}
    with pytest.raises(ValueError, match=r"got yarn=.*: not supported"):
        from_config(mistrals)


def test_the_indexer_of_deepseeks_own_file_is_half(recwarn):
    config = NATIVE | {"index_n_heads": 64, "index_head_dim": 128, "index_topk": 2048}
    rope, told = said(config, part="indexer")
    assert (rope.layout, rope.head_dim, rope.rotary_dim, rope.rotary_start) == ("half", 128, 64, 0)
    assert len(told) == 1
    (card,), told = cards(config)
    assert (card.layout, card.indexer) == ("interleaved", "layout half, 64 of 128 channels")
    assert not any("indexer" in each for each in told)
    (card,), told = cards(head("new_thing", index_head_dim=128))
    assert "the indexer of model_type 'new_thing' is not known: layout 'half' of attention is assumed" in told
    assert not recwarn.list


def test_qwen_1_has_its_two_switches_on():
    config = {"model_type": "qwen", "kv_channels": 128, "rotary_emb_base": 10_000, "seq_length": 8192, **SIZES}
    on, told = said(config | {"use_dynamic_ntk": True, "use_logn_attn": True})  # as published
    assert told == []
    rope, told = said(config)
    assert told == ["use_dynamic_ntk and use_logn_attn are not given: on, as qwen's own class has it"]
    for length in (8192.0, 20_000.0):
        np.testing.assert_array_equal(rope.by_length(length)[0], on.by_length(length)[0])
    np.testing.assert_array_equal(rope.query_factor([0, 20_000]), on.query_factor([0, 20_000]))
    rope, told = said(config | {"use_logn_attn": False})
    assert rope.by_length is not None and rope.by_position is None
    assert told == ["use_dynamic_ntk is not given: on, as qwen's own class has it"]
    bare = {key: value for key, value in config.items() if key != "seq_length"}
    rope, told = said(bare)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128))
    assert told == ["use_dynamic_ntk and use_logn_attn, on in qwen's own class, are left out: seq_length is not given"]


# --- what a reader is led to


def test_deepseek_moe_is_known_and_turns_halves():
    deepseek = {
        "model_type": "deepseek",
        "hidden_size": 2048,
        "num_attention_heads": 16,
        "rope_theta": 10_000,
        "rope_scaling": None,
    }
    rope, told = said(deepseek | {"max_position_embeddings": 4096})  # deepseek-moe-16b, whose attention is Llama's
    assert (rope.layout, rope.rotary_dim, told) == ("half", 128, [])


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt_neox"])
def test_static_ntk_is_ropelibs_own_word(family):
    block = {"type": "ntk", "factor": 4.0}
    rope, told = said({"model_type": family, **SIZES, "rope_scaling": block} | ({"rope_theta": 1e4} if family == "qwen2" else {}))
    raised = 1e4 * 4 ** (rope.rotary_dim / (rope.rotary_dim - 2))
    np.testing.assert_allclose(rope.inv_freq, inverse_frequencies(rope.rotary_dim, raised))
    but = f"though it is ropelib's own word: the code of {family} in transformers has no such type"
    assert told == [f"rope_type 'ntk' is applied, {but}"]
    assert said({"head_dim": 64, "rope_theta": 1e4, "rope_scaling": block})[1] == []


def test_blocks_for_types_of_layers_where_the_code_reads_one_are_told():
    kinds = {FULL: {"rope_theta": 1e6}, SLIDING: {"rope_theta": 1e4}}
    listed = {"layer_types": [FULL, SLIDING], "num_hidden_layers": 2}
    rope, told = said({"model_type": "llama", "head_dim": 64, "rope_parameters": kinds, **listed}, layer=0)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, 1e6))
    but = "though the code of llama in transformers reads one for all"
    assert told == [f"rope_parameters holds a block for each type of layer and is applied, {but}"]
    assert said({"model_type": "gemma3_text", "head_dim": 64, "rope_parameters": kinds, **listed}, layer=0)[1] == []


def test_sizes_beside_a_text_part_that_has_its_own_are_told():
    text = {"model_type": "llama", "hidden_size": 2048, "num_attention_heads": 32, "rope_theta": 1e4}
    rope, told = said({"model_type": "llama", **SIZES, "text_config": text})
    assert rope.head_dim == 64
    assert told == ["hidden_size=4096 of llama is passed over: text_config has its own"]
    assert said({"model_type": "llava", **SIZES, "text_config": text})[1] == []
    assert said({"model_type": "llama", **text, "text_config": text})[1] == []


@pytest.mark.parametrize(
    "key, value, hint",
    [
        ("compress_pos_emb", 4, ""),
        ("seq_len_interpolation_factor", 4, ""),
        ("alpha_value", 2.5, ""),
        ("attention_head_size", 64, "; the nearest that is read is 'head_dim'"),
        ("key_length", 64, "; the nearest that is read is 'head_dim'"),
        ("rope_dim", 64, "; the nearest that is read is 'rotary_dim'"),
    ],
)
def test_scalings_and_widths_under_other_programs_names_are_told(key, value, hint):
    rope, told = said({"model_type": "llama", "rope_theta": 1e4, **SIZES, key: value})
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128))
    assert told == [f"{key} is not read, got {value!r}{hint}"]
    nothing = 128 if "head_dim" in hint else 1
    assert said({"model_type": "llama", "rope_theta": 1e4, **SIZES, key: nothing})[1] == [] or key == "rope_dim"


def test_a_width_of_latent_attention_is_passed_over_elsewhere():
    rope, told = said({"model_type": "llama", "rope_theta": 1e4, **SIZES, "qk_head_dim": 64})
    assert rope.head_dim == 128
    assert told[0].startswith("qk_head_dim is passed over: the code of llama does not read it")


@pytest.mark.parametrize(
    "block, words",
    [
        ({"type": "linear", "scaling_factor": 4}, "rope_scaling must hold .*, got 'scaling_factor'; the nearest .* is 'factor'"),
        ({"type": "linear", "scale": 4}, "got 'scale'; the nearest that is read is 'factor'"),
        ({"type": "linear", "factor": 4, "base": 5e5}, "got 'base'; the nearest that is read is 'rope_theta'"),
        ({"type": "YaRN", "factor": 4}, "got 'YaRN'; 'yarn' is nearest"),
        ({"type": "SU", "factor": 4}, "got 'SU'; 'longrope' is nearest"),
        ("null", "rope_scaling must be a mapping, got 'null'"),
        (False, "rope_scaling must be a mapping, got False"),
        ({"type": "yarn", "factor": 4}, "rope_scaling must have 'original_max_position_embeddings' for rope_type 'yarn'"),
        ({"type": "mrope"}, "rope_scaling must have 'mrope_section'"),
        ({"type": "linear", "factor": 2, "rope_theta": 5e5}, "got rope_theta=10000.0, rope_scaling.rope_theta=500000.0"),
    ],
)
def test_refusals_of_a_block_name_it_as_the_file_does(block, words):
    with pytest.raises(ValueError, match=words):
        from_config(head("llama", rope_scaling=block))


def test_refusals_name_a_key_as_the_file_does():
    latent = {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_theta": 1e4, "rope_interleave": "false"}
    with pytest.raises(TypeError, match=r"^rope_interleave must be True or False, got 'false'"):
        from_config(latent)
    with pytest.raises(TypeError, match=r"rotary must be True or False, got .*: a block of this name is model_type 'internlm's"):
        from_config(head("llama", rotary={"base": 1e4, "type": "dynamic"}))


@pytest.mark.parametrize(
    "family, layer, base",
    [
        ("bailing_hybrid", 5, 6e6),
        ("ultrabert", 2, 2_560_000.0),
        ("ultrabert", 0, 1e4),
        ("blt_global_transformer", 0, 5e5),
        ("blt_local_encoder", 0, 5e5),
        ("blt_local_decoder", 0, 5e5),
        ("pe_audio_encoder", 0, 2e4),
        ("pe_video_encoder", 0, 2e4),
        ("pe_audio_video_encoder", 0, 2e4),
    ],
)
def test_a_base_of_the_familys_own_is_none_that_is_assumed(family, layer, base):
    rope, told = said({"model_type": family, **SIZES, "num_hidden_layers": 12}, layer=layer)
    assert rope.inv_freq[1] == pytest.approx(base ** (-2 / rope.rotary_dim))
    assert told == []


@pytest.mark.parametrize("family", "qwen2 glm4 cohere2_moe qwen3_omni_moe_talker_text granitemoe".split())
def test_ten_thousand_is_a_default_of_code_or_a_guess_and_told_which(family):
    rope, told = said({"model_type": family, **SIZES}, layer_type=SLIDING)
    assert rope.inv_freq[1] == pytest.approx(1e4 ** (-2 / rope.rotary_dim))
    name = family.removesuffix("_text")
    assert told == [f"rope_theta is not given, for model_type {name!r}: 10000 is its code's own default"]
    assert "rope_theta is not given, for model_type 'kimi_k2': 10000 is assumed" in said({"model_type": "kimi_k2", **SIZES})[1]


def test_sarvams_latent_attention_has_its_own_slice():
    rope, _ = said({"model_type": "sarvam_mla", "hidden_size": 4096, "num_attention_heads": 64, "rope_theta": 1e4})
    assert (rope.head_dim, rope.rotary_dim, rope.rotary_start) == (192, 64, 128)
    _, told = cards({"model_type": "sarvam_mla", "hidden_size": 4096, "num_attention_heads": 64, "rope_theta": 1e4})
    assert "qk_rope_head_dim is not given: 64 is sarvam_mla's own" in told


def test_ultrabert_as_published_has_a_list_of_bases():
    config = {"model_type": "ultrabert", **SIZES, "num_hidden_layers": 3, "rope_theta": [1e4, 1e4, 2.56e6]}
    for layer, base in enumerate(config["rope_theta"]):
        rope, told = said(config, layer=layer)
        np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128, base))
        assert told == []


@pytest.mark.parametrize("ratios", [[[1]], [{}]])
def test_ratios_that_are_no_numbers_are_kinds_of_layers_that_are_not_known(ratios):
    _, told = said({"head_dim": 64, "rope_theta": 1e4, "compress_ratios": ratios}, layer=0)
    assert told == [f"layer_types holds {str(ratios[0])!r}, which is not known: layers of this kind are taken to rotate"]
