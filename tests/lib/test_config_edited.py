"""Edited configs: a setting that the family's own code reads otherwise is told, or two that disagree are refused."""

import warnings

import numpy as np
import pytest

import ropelib
from ropelib import dynamic_ntk, from_config, inverse_frequencies

SLIDING, FULL = {"layer_type": "sliding_attention"}, {"layer_type": "full_attention"}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}
LINEAR = {"rope_type": "linear", "factor": 4.0}
DYNAMIC = {"rope_type": "dynamic", "factor": 4.0}


def said(config, **asked):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rope = from_config(config, **asked)
    return rope, [str(each.message) for each in told]


def scaled(family, block, **beside):
    return {"model_type": family, "head_dim": 64, "rope_theta": 1e4, "rope_scaling": block, **beside}


@pytest.mark.parametrize("block", [{}, LINEAR, YARN, DYNAMIC | {"factor": 2.0}])
@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_a_part_in_channels_beside_any_scaling(family, block):
    config = scaled(family, block, rotary_dim=32, max_position_embeddings=32_768)
    rope, told = said(config)
    assert rope.rotary_dim == 32
    assert f"rotary_dim=32 is applied, though the code of {family} in transformers turns whole heads" in told
    inside, told = said(scaled(family, block | {"rotary_dim": 32}, max_position_embeddings=32_768))
    assert inside.rotary_dim == 32 and any("turns whole heads" in each for each in told)


def test_a_part_by_the_name_that_a_scaling_reads_is_silent():
    config = scaled("llama", LINEAR, partial_rotary_factor=0.5)
    rope, told = said(config)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(32) / 4)
    assert told == []


def test_a_part_in_channels_that_a_proportional_scaling_does_not_read():
    rope, told = said(scaled("llama", {"rope_type": "proportional", "partial_rotary_factor": 0.5}, rotary_dim=16))
    assert (rope.rotary_dim, np.count_nonzero(rope.inv_freq)) == (64, 16)
    assert told == ["rotary_dim=16 is not read by rope_type 'proportional', only partial_rotary_factor"]


def test_hunyuans_alpha_is_for_whole_heads():
    block = {"rope_type": "dynamic", "factor": 1.0, "alpha": 1000.0}
    rope, told = said(scaled("hunyuan_v1_dense", block, partial_rotary_factor=0.5, max_position_embeddings=4096))
    np.testing.assert_allclose(rope.inv_freq, inverse_frequencies(32, 1e4 * 1000 ** (32 / 30)), rtol=1e-12)
    assert told == ["partial_rotary_factor=0.5 is applied, though the code of hunyuan_v1_dense in transformers turns whole heads"]


@pytest.mark.parametrize("family", ["gemma3", "gemma3n", "olmo3", "modernbert", "t5gemma2"])
@pytest.mark.parametrize("asked", [SLIDING, FULL])
def test_two_bases_that_disagree_where_layers_have_their_own(family, asked):
    config = {"model_type": family, "hidden_size": 512, "num_attention_heads": 8, "rope_scaling": LINEAR | {"rope_theta": 2e4}}
    name = "global_rope_theta" if family == "modernbert" else "rope_theta"
    with pytest.raises(ValueError, match=f"rope_theta must be the same wherever it is given, got {name}=50000"):
        from_config(config | {name: 5e4}, **asked)


def test_a_base_in_the_block_of_an_older_file():
    config = {"model_type": "olmo3", "head_dim": 8, "rope_scaling": {"rope_type": "default", "rope_theta": 2e4}}
    rope, told = said(config, **SLIDING)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 2e4))
    assert told == [
        "rope_theta=20000.0 is taken in sliding layers too, though the code of olmo3 in transformers 5 keeps 500,000 there"
    ]
    sizes = {"hidden_size": 64, "num_attention_heads": 8}
    config = {"model_type": "modernbert", **sizes, "rope_scaling": LINEAR | {"rope_theta": 2e4}}
    rope, told = said(config, **SLIDING)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 1e4) / 4)
    assert any("is taken in full layers alone, though the code of modernbert" in each for each in told)
    rope, told = said({"model_type": "cohere2_moe", "head_dim": 8, "rope_scaling": {"rope_theta": 2e4}}, **SLIDING)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 2e4))
    assert any("rope_scaling.rope_theta=20000.0 is applied, though the code of cohere2_moe" in each for each in told)


@pytest.mark.parametrize("beside", [{}, {"max_position_embeddings": None}])
def test_a_dynamic_scaling_without_the_length_that_its_code_counts_from(beside):
    config = scaled("llama", DYNAMIC | {"original_max_position_embeddings": 4096}, **beside)
    rope, told = said(config, seq_len=16_384)
    want, _ = dynamic_ntk(64, 1e4, factor=4.0, max_position_embeddings=4096, seq_len=16_384)
    np.testing.assert_array_equal(rope.inv_freq, want)
    assert told == [
        "original_max_position_embeddings=4096 is taken, though the code of llama counts from max_position_embeddings, "
        "which is not given"
    ]


@pytest.mark.parametrize("stated", [1e4, 5e4])
def test_gemma_4_keeps_its_bases_whatever_stands_beside(stated):
    config = {"model_type": "gemma4_text", "head_dim": 64, "rope_theta": stated}
    rope, told = said(config, **FULL)
    assert (rope.head_dim, np.count_nonzero(rope.inv_freq)) == (512, 64)
    np.testing.assert_array_equal(rope.inv_freq[:64], inverse_frequencies(512, 1e6)[:64])
    assert len(told) == 1 and f"rope_theta={stated!r} is passed over, as the code of gemma4 does" in told[0]
    assert said(config | {"rope_theta": 1e6}, **FULL)[1] == []


@pytest.mark.parametrize(
    "family, own, others",
    [
        ("gemma3", "rope_local_base_freq", ("local_rope_theta", "swa_rope_theta")),
        ("dots3_note", "swa_rope_theta", ("local_rope_theta", "rope_local_base_freq")),
        ("modernbert", "local_rope_theta", ("rope_local_base_freq", "swa_rope_theta")),
    ],
)
def test_a_local_base_by_another_familys_name_is_passed_over(family, own, others):
    config = {"model_type": family, "hidden_size": 512, "num_attention_heads": 8, "head_dim": 64}
    config |= {"qk_rope_head_dim": 64, "qk_nope_head_dim": 0} if family == "dots3_note" else {}
    usual = 5e4 if family == "dots3_note" else 1e4
    rope, told = said(config | {own: 2e4}, **SLIDING)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, 2e4))
    for key in others:
        rope, told = said(config | {key: 2e4}, **SLIDING)
        np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, usual))
        assert f"{key}=20000.0 is passed over: the code of {family} does not read it, but {own}" in told


@pytest.mark.parametrize("family", ["glm", "glm4", "glm4_moe", "persimmon", "phi", "nemotron"])
def test_a_part_that_is_null_is_taken_for_absent_and_told(family):
    config = {"model_type": family, "hidden_size": 512, "num_attention_heads": 8, "head_dim": 64, "rope_theta": 1e4}
    rope, told = said(config | {"partial_rotary_factor": None})
    assert (rope.head_dim, rope.rotary_dim) == (64, 32)
    assert told == ["partial_rotary_factor is null and is taken for absent: 32 of 64 channels rotate"]
    assert said(config)[1] == []


def test_a_null_beside_channels_and_a_null_of_widths_by_layer():
    config = {"model_type": "minimax_m2", "head_dim": 128, "rope_theta": 1e4, "rotary_dim": 64, "partial_rotary_factor": None}
    rope, told = said(config)
    assert rope.rotary_dim == 64
    assert told == ["partial_rotary_factor is null and is taken for absent: 64 of 128 channels rotate"]
    config = {"model_type": "gemma4_text", "head_dim": 64, "per_layer_config": None}
    rope, told = said(config, **FULL)
    assert rope.head_dim == 512
    assert told == ["per_layer_config is null and is taken for absent: 512 of 512 channels rotate"]
    with pytest.raises(ValueError, match="head_dim must be the same wherever it is given, got per_layer_config=512, global"):
        from_config({**config, "per_layer_config": {"5": {"head_dim": 512}}, "global_head_dim": 96}, layer=5, **FULL)


def test_channels_inside_the_block_that_minimax_m2_does_not_read_there():
    block = {"rope_type": "default", "rope_theta": 1e4, "rotary_dim": 32}
    rope, told = said({"model_type": "minimax_m2", "head_dim": 64, "rope_parameters": block})
    assert rope.rotary_dim == 64
    assert told == ["rotary_dim=32 is passed over: the code of minimax_m2 reads it beside the rope settings alone"]


SIZES = {"hidden_size": 512, "num_attention_heads": 8}


MIMO = {"model_type": "mimo_v2_flash", "rope_theta": 4e6, "swa_rope_theta": 1e4, "partial_rotary_factor": 0.334}
DBRX = {"model_type": "dbrx", "d_model": 512, "n_heads": 8, "attn_config": {"rope_theta": 5e5}}


@pytest.mark.parametrize(
    "config, base, name, theirs",
    [
        (DBRX, 5e5, "attn_config.rope_theta", "10,000"),
        ({"model_type": "nomic_bert", **SIZES, "rotary_emb_base": 10_000}, 1e4, "rotary_emb_base", "1,000"),
        ({"model_type": "jina_embeddings_v3", **SIZES, "rotary_emb_base": 5e5}, 5e5, "rotary_emb_base", "20,000"),
        (MIMO, 4e6, "rope_theta", "5,000,000"),
    ],
)
def test_a_base_that_its_publishers_code_reads_alone(config, base, name, theirs):
    rope, told = said(config, **(FULL if config["model_type"] == "mimo_v2_flash" else {}))
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(rope.rotary_dim, base))
    assert len(told) == 1 and f"{name}={config.get(name, 5e5)!r} is taken as in its publisher's code" in told[0]
    assert told[0].endswith(f"in transformers does not read it, and takes {theirs}")


def test_a_width_that_is_misspelt_where_a_family_has_one_of_its_own():
    rope, told = said({"model_type": "qwen3", "rope_theta": 1e4, "headdim": 64, **SIZES})
    assert rope.head_dim == 128
    assert told == ["headdim is not read, got 64; the nearest that is read is 'head_dim'"]
    assert said({"model_type": "llama", "rope_theta": 1e4, "headdim": 64, **SIZES})[1] == []  # 512 / 8 says the same


def test_what_stands_beside_blocks_by_type():
    default = {"rope_type": "default", "rope_theta": 1e4}
    blocks = {"sliding_attention": default, "full_attention": default}
    config = {"model_type": "gemma3_text", "head_dim": 64, "rope_parameters": blocks | {"partial_rotary_factor": 0.5}}
    rope, told = said(config, **FULL)
    assert rope.rotary_dim == 32
    assert told[0] == (
        "rope_parameters.partial_rotary_factor=0.5 is applied to full_attention, though the code of gemma3 in transformers reads "
        "only what stands in a block"
    )
    bare = {"sliding_attention": {"rope_type": "default"}, "full_attention": default}
    rope, told = said({"model_type": "gemma3_text", "head_dim": 64, "rope_theta": 2e4, "rope_parameters": bare}, **SLIDING)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(64, 2e4))
    assert told == [
        "rope_theta=20000.0 is applied to sliding_attention, whose block has none, though the code of gemma3 in transformers "
        "does not read it there"
    ]


def test_a_base_by_layer_that_muse_reads_as_a_flag():
    config = {"model_type": "muse_glimmer", "head_dim": 8, "layer_rope_theta": [2e4, 2e4, 2e4, 0]}
    rope, told = said(config, layer=0)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(8, 2e4))
    assert any("reads of it alone which layers rotate" in each for each in told)
    with pytest.raises(ValueError, match="must be the same wherever it is given, got layer_rope_theta=20000"):
        from_config(config | {"rope_theta": 5e4}, layer=0)


@pytest.mark.parametrize("key, value", [("n_embd", 512), ("d_model", 512)])
def test_a_size_by_another_familys_name(key, value):
    rope, told = said({"model_type": "llama", key: value, "num_attention_heads": 8, "rope_theta": 1e4})
    assert rope.head_dim == 64
    assert told == [f"{key}=512 is applied, though the code of llama in transformers does not read it, but hidden_size"]


def test_a_part_by_a_name_that_gpt_neox_does_not_read():
    config = {"model_type": "gpt_neox", **SIZES, "rotary_emb_base": 1e4, "partial_rotary_factor": 0.5}
    rope, told = said(config)
    assert rope.rotary_dim == 16  # a quarter
    assert told == ["partial_rotary_factor=0.5 is passed over: the code of gpt_neox does not read it, but rotary_pct"]
    assert ropelib.from_config({**SIZES, "model_type": "gpt_neox", "rotary_emb_base": 1e4, "rotary_pct": 0.5}).rotary_dim == 32
