"""What a card says of a model, by families and shapes of config: the cache, the scaling, the axes, and what is not given."""

import numpy as np
import pytest

from ropelib import dynamic_ntk, from_config, inverse_frequencies
from ropelib.config.cards import cards, differences


def lines(config):
    """The lines of a model's cards, and what it was told with."""
    made, told = cards(config)
    return [line.strip() for card in made for line in card.lines()], told


def cache(config):
    return [line.removeprefix("cache: ") for line in lines(config)[0] if line.startswith("cache")]


def kept(heads, width):
    return [f"{2 * 2 * heads * width:,} bytes a token a layer in 16 bits"]


LLAMA = {"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4}
NOT_GIVEN = ["the number of key-value heads is not given"]
FALCON = {"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 71, "rope_theta": 1e4}
FALCON_40B = {"model_type": "falcon", "hidden_size": 8192, "num_attention_heads": 128, "new_decoder_architecture": True}
DBRX = {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "n_layers": 40, "max_seq_len": 32768}
CODESHELL = {"model_type": "codeshell", "n_embd": 4096, "n_head": 32, "rope_theta": 1e4, "num_query_groups": 8}
MPT = {"model_type": "mpt", "d_model": 4096, "n_heads": 32}
CHATGLM = {"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "multi_query_group_num": 2}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (DBRX | {"attn_config": {"kv_n_heads": 8, "rope_theta": 5e5}}, kept(8, 128)),
        (FALCON | {"multi_query": True, "new_decoder_architecture": False}, kept(1, 64)),  # 7B
        (FALCON | {"multi_query": True, "new_decoder_architecture": False, "num_kv_heads": 71}, kept(1, 64)),
        (FALCON | {"multi_query": False}, kept(71, 64)),
        (FALCON_40B | {"num_kv_heads": 8, "multi_query": True}, kept(8, 64)),
        ({"model_type": "RefinedWeb", "hidden_size": 8192, "n_head": 128, "n_head_kv": 8}, kept(8, 64)),  # 40B
        ({"model_type": "RefinedWebModel", "hidden_size": 4544, "n_head": 71, "multi_query": True}, kept(1, 64)),
        (CODESHELL | {"group_query_attention": True}, kept(8, 128)),
        (CODESHELL | {"group_query_attention": False}, kept(32, 128)),
        (CHATGLM | {"multi_query_attention": True}, kept(2, 128)),
        (MPT | {"attn_config": {"rope": True, "rope_theta": 1e4, "attn_type": "multiquery_attention"}}, kept(1, 128)),
        (MPT | {"attn_config": {"rope": True, "attn_type": "grouped_query_attention", "kv_n_heads": 8}}, kept(8, 128)),
        (LLAMA | {"model_type": "llama"}, kept(32, 128)),  # as many as heads that ask
        (LLAMA | {"model_type": "mistral"}, kept(8, 128)),  # what its code fills in
        (LLAMA | {"model_type": "step3p5", "num_attention_groups": 4}, kept(4, 128)),
        (LLAMA, NOT_GIVEN),
        (LLAMA | {"model_type": "made-up"}, NOT_GIVEN),
        (LLAMA | {"model_type": "modernbert"}, ["none, for an encoder reads all at once"] * 2),
        (LLAMA | {"model_type": "nomic_bert"}, ["none, for an encoder reads all at once"]),
        (LLAMA | {"model_type": "roformer"}, ["none, for an encoder reads all at once"]),
        (LLAMA | {"model_type": "roformer", "is_decoder": True}, kept(32, 128)),
        ({"model_type": "deepseek_v3", "qk_rope_head_dim": 64}, [f"{2 * (512 + 64):,} bytes a token a layer in 16 bits"]),
        ({"model_type": "made-up", "qk_rope_head_dim": 64, "qk_nope_head_dim": 128}, ["kv_lora_rank is not given"]),
        (
            {"model_type": "longcat_flash", "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "kv_lora_rank": 512},
            [f"{2 * 2 * (512 + 64):,} bytes a token a layer in 16 bits"],  # two attentions in a layer
        ),
    ],
)
def test_how_many_heads_keep_keys(config, said):
    assert cache(config) == said


def test_a_model_that_leaves_its_heads_to_its_family():
    """Gemma 3 4B as published: neither heads nor their width."""
    inner = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}
    assert cache({"model_type": "gemma3", "text_config": inner}) == kept(4, 256) * 2


def test_layers_that_turn_alike_and_keep_unlike():
    openelm = {"model_type": "openelm", "head_dim": 64, "num_transformer_layers": 3, "num_kv_heads": [3, 3, 4]}
    openelm |= {"max_context_length": 2048}
    said = lines(openelm)[0]
    assert said[0].startswith("rotating (layers 0, 1)") and cache(openelm) == kept(3, 64) + kept(4, 64)
    assert "of 32 pairs make no full turn in 2,048 positions" in said[3]
    deci = LLAMA | {"model_type": "llama", "num_hidden_layers": 2, "num_key_value_heads_per_layer": [4, 2]}
    assert cache(deci) == kept(4, 128) + kept(2, 128)
    shared = ["none of its own, but the keys of an earlier layer"]
    hunyuan = {"model_type": "hunyuan", "hidden_size": 1024, "num_attention_heads": 8, "num_key_value_heads": 2}
    hunyuan |= {"num_hidden_layers": 4, "use_cla": True, "cla_share_factor": 2, "rope_theta": 1e4}
    assert cache(hunyuan) == kept(2, 128) + shared
    gemma3n = {"model_type": "gemma3n_text", "num_hidden_layers": 20, "layer_types": ["sliding_attention"] * 20}
    assert cache(gemma3n) == kept(2, 256) + shared
    mllama = LLAMA | {"model_type": "mllama", "num_hidden_layers": 5, "cross_attention_layers": [3], "num_key_value_heads": 8}
    assert cache(mllama) == [*kept(8, 128), "none of the text, but keys of the image"]


def test_a_slice_that_some_layers_do_without():
    latent = {"model_type": "mistral_large4_text", "qk_rope_head_dim": 64, "qk_nope_head_dim": 64, "kv_lora_rank": 512}
    latent |= {"num_hidden_layers": 4, "rope_theta": 1e4}
    assert cache(latent) == [f"{2 * width:,} bytes a token a layer in 16 bits" for width in (576, 512)]


# --- scaling: what is run, whoever says it


YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
PHI = {"type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64}


LONG = {"rope_scaling": PHI, "original_max_position_embeddings": 4096, "max_position_embeddings": 8192}
QWEN = {"use_dynamic_ntk": True, "seq_length": 8192, "rotary_emb_base": 10000}
ALPHA = {"rope_theta": 1e4, "max_position_embeddings": 32768, "rope_scaling": {"type": "dynamic", "alpha": 1000.0}}
DYNAMIC = {"max_position_embeddings": 2048, "rope_scaling": {"type": "dynamic", "factor": 2.0}}
LINEAR = {"rope_scaling": {"type": "linear", "factor": 4.0}}
BY_LENGTH = "by the length of the sequence"


@pytest.mark.parametrize(
    ("model_type", "config", "base", "said"),
    [
        ("gpt_oss", {"head_dim": 64}, 1.5e5, "yarn by 32 from 4,096, its bounds not rounded (gpt_oss's own, not in the file)"),
        ("cwm", {"head_dim": 64}, 1e6, "llama3 by 16 from 8,192 (cwm's own, not in the file)"),
        ("llama", {"rope_theta": 5e5, "rope_scaling": YARN}, 5e5, "yarn by 4 from 4,096"),
        ("llama", LINEAR, 1e4, "linear by 4"),
        ("llama", DYNAMIC, 1e4, f"dynamic by 2 from 2,048, {BY_LENGTH}"),
        ("qwen", QWEN, 1e4, f"dynamic from 8,192, in steps, {BY_LENGTH}"),
        ("phi3", LONG, 1e4, f"longrope from 4,096, {BY_LENGTH}"),
        ("hunyuan_v1_dense", ALPHA, 1e4 * 1000 ** (128 / 126), "ntk by 1000, from base 10,000"),
        ("chatglm", {"rope_ratio": 500, "padded_vocab_size": 151_552}, 5e6, "none"),
    ],
)
def test_the_base_and_the_scaling_are_those_that_are_run(model_type, config, base, said):
    assert f"base {base:,.10g}, scaling {said}" in lines({"model_type": model_type, "head_dim": 128} | config)[0]


def test_a_base_stands_against_a_base_however_it_is_said():
    qwen = {"model_type": "qwen", "head_dim": 128, "use_dynamic_ntk": True, "seq_length": 8192}
    told = differences(qwen, {"model_type": "llama", "head_dim": 128})
    assert not any("base" in each for each in told) and any("scaling: dynamic from 8,192" in each for each in told)


# --- what is not given


def test_what_is_not_given_is_said():
    plain = {"model_type": "llama", "head_dim": 128, "num_attention_heads": 8}
    assert "64 pairs; the longest context is not given" in lines(plain)[0]
    sliding = {"head_dim": 128, "num_hidden_layers": 2, "rope_theta": 1e4}
    assert "window: its width is not given" in lines(sliding | {"layer_types": ["full_attention", "sliding_attention"]})[0]
    assert "window: 4,096 positions (gemma2's own, not in the file)" in lines(sliding | {"model_type": "gemma2"})[0]
    scout = {"model_type": "llama4_text", "head_dim": 128, "num_hidden_layers": 4, "rope_theta": 5e5}
    assert "window: 8,192 positions (llama4's own, not in the file)" in lines(scout)[0]
    assert "window: 8,192 positions" in lines(scout | {"attention_chunk_size": 8192})[0]


@pytest.mark.parametrize(
    ("model_type", "pairs", "order"),
    [
        ("qwen2_vl", (16, 24, 24), "in blocks"),
        ("qwen3_vl", (24, 20, 20), "in turn: 0, 1, 2, 0, 1, 2, ..."),
        ("ernie4_5_vl_moe", (20, 22, 22), "in turn: 1, 2, 1, 2, 1, 2, ..."),
    ],
)
def test_axes_have_names(model_type, pairs, order):
    t, h, w = pairs
    words = f"pairs: {t} on axis 0 (time), {h} on axis 1 (height), {w} on axis 2 (width); {order}"
    assert words in lines({"model_type": model_type, "head_dim": 128})[0]


# --- layers that a config does not list


def kinds(config):
    return [card.layers for card in cards(config)[0]]


THREE_OF_FOUR = "layers 0, 1, 2, 4, 5, 6"
EVEN, ODD = "layers 0, 2, 4, 6", "layers 1, 3, 5, 7"
SLIDE = {"rope_theta": 1e6, "sliding_window": 64, "max_window_layers": 6}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "qwen3_next"}, {"linear_attention": THREE_OF_FOUR, "full_attention": "layers 3, 7"}),
        ({"model_type": "qwen3_5"}, {"linear_attention": THREE_OF_FOUR, "full_attention": "layers 3, 7"}),
        ({"model_type": "afmoe", "global_attn_every_n_layers": 4},
         {"sliding_attention": THREE_OF_FOUR, "full_attention": "layers 3, 7"}),
        ({"model_type": "gpt_oss", "rope_theta": None}, {"sliding_attention": EVEN, "full_attention": ODD}),
        ({"model_type": "minimax"}, {"full_attention": EVEN, "linear_attention": ODD}),
        ({"model_type": "lfm2", "full_attn_idxs": [2, 5]}, {"conv": "layers 0, 1, 3, 4, 6, 7", "full_attention": "layers 2, 5"}),
        ({"model_type": "gemma4", "rope_theta": None},  # the last is global, too
         {"sliding_attention": "layers 0, 1, 2, 3, 4, 6", "full_attention": "layers 5, 7"}),
        ({"model_type": "qwen2", "use_sliding_window": True} | SLIDE,
         {"full_attention": "layers 0, 1, 2, 3, 4, 5", "sliding_attention": "layers 6, 7"}),
        ({"model_type": "qwen2", "use_sliding_window": False} | SLIDE, {"all layers": ""}),
    ],
)  # fmt: skip
def test_layers_are_of_the_kinds_that_the_family_has(config, said):
    config = {"rope_theta": 1e6, "head_dim": 256, "num_hidden_layers": 8} | config
    config = {key: value for key, value in config.items() if value is not None}
    names = [f"{kind} ({which})" if which else kind for kind, which in said.items()]
    assert kinds(config) == names and not cards(config)[1]


@pytest.mark.parametrize("model_type", ["lfm2", "minimax_text_01", "bamba", "mllama"])
def test_a_pattern_that_nobody_gives_is_told(model_type):
    made, told = cards({"model_type": model_type, "head_dim": 64, "num_hidden_layers": 8, "rope_theta": 1e4})
    assert [card.layers for card in made] == ["all layers"]
    assert told == [f"layer_types is not given: which layers of {model_type} rotate is not known, all are taken to"]


def test_the_kinds_are_told_without_the_number_of_layers():
    for model_type, two in (("qwen3_next", "linear_attention"), ("cohere2", "sliding_attention"), ("smollm3", "rotating")):
        first, second = kinds({"model_type": model_type, "head_dim": 64, "rope_theta": 1e4})
        assert first == f"{two} (num_hidden_layers is not given)" and second.endswith("(num_hidden_layers is not given)")


def test_a_list_of_layers_that_ends_early_is_refused():
    short = {"model_type": "llama", "head_dim": 64, "num_hidden_layers": 4, "rope_theta": 1e4}
    with pytest.raises(ValueError, match="layer_types must name the kind of each of 4 layers, got 2 names"):
        cards(short | {"layer_types": ["full_attention", "sliding_attention"]})
    further = cards(short | {"layer_types": ["full_attention", "sliding_attention"] * 3})[0]  # and layers that predict further
    assert [card.layers for card in further] == ["full_attention (layers 0, 2)", "sliding_attention (layers 1, 3)"]


# --- configs that say less than they seem to, or are copied from another family, or are no config of this kind


def told(config):
    return cards(config)[1]


NAMED = LLAMA | {"model_type": "llama", "num_hidden_layers": 4}


def test_a_file_without_its_family_is_named():
    assert told(LLAMA) == ["model_type is not given: layout 'half' in every layer is assumed"]
    native = {"dim": 4096, "n_heads": 32, "n_layers": 32, "rope_theta": 5e5}
    assert told(native) == ["read as the params file of native weights (dim, n_heads): layout 'interleaved' is theirs"]
    unknown = LLAMA | {"model_type": "new_thing"}
    assert told(unknown) == ["model_type 'new_thing' is not known: that it rotates, with layout 'half', is assumed"]
    assert told(unknown | {"rope_interleave": True}) == [
        "model_type 'new_thing' is not known, nor what its code does where the config is silent"
    ]
    assert told(LLAMA | {"model_type": "llama"}) == []


@pytest.mark.parametrize(
    ("key", "value", "readers"),
    [
        ("no_rope_layers", [1, 1, 1, 0], "llama4, mistral_large4, smollm3"),
        ("no_rope_layer_interval", 4, "llama4, mistral_large4, smollm3"),
        ("rope_ratio", 16, "chatglm"),
        ("use_dynamic_ntk", True, "qwen"),
        ("use_logn_attn", True, "qwen"),
        ("full_attn_idxs", [0], "lfm2, lfm2_moe"),
        ("cross_attention_layers", [1], "mllama"),
        ("attn_type_list", [1, 1, 1, 0], "minimax, minimax_m1, minimax_text_01"),
        ("block_configs", [{"attention": {"no_op": True}}] * 4, "nemotron-nas"),
        ("block_types", ["recurrent"], "recurrent_gemma"),
        ("compress_rope_theta", 16e4, "deepseek_v4"),
        ("compress_ratios", [4, 4, 4, 4], "deepseek_v4"),
        ("global_head_dim", 64, "diffusion_gemma, embedding_gemma2, gemma4, gemma4_unified"),
        ("hybrid_layer_ids", [0], "zamba2"),
        ("hybrid_layer_pattern", [1, 1, 1, 1], "mimo_v2_flash"),
        ("layer_group_size", 3, "bailing_hybrid, bailing_moe_linear, bailing_moe_v2_5"),
        ("layer_rope_theta", [0, 0, 0, 0], "granite_swa, granitemoe_swa, muse_glimmer, muse_glimmer_assistant, muse_spark"),
        ("rope_local_base_freq", 5e5, "dots3_note, gemma3, gemma3n, mimo_v2_flash, modernbert, t5gemma2, t5gemma2_decoder"),
        ("rope_scaling_layers", [0], "molmo2"),
        ("swa_head_dim", 64, "mimo_v2_flash"),
        ("yarn_only_types", ["sliding_attention"], "step3p5"),
    ],
)
def test_what_another_familys_code_reads_is_passed_over(key, value, readers):
    words = f"{key} is passed over: the code of llama does not read it, only that of {readers}"
    assert told(NAMED | {key: value}) == [words]
    with pytest.warns(UserWarning, match=words):
        rope = from_config(NAMED | {key: value}, layer=3)
    np.testing.assert_array_equal(rope.inv_freq, inverse_frequencies(128))


def test_a_part_that_the_familys_code_passes_over_is_told():
    part = {"partial_rotary_factor": 0.5}
    assert told(NAMED | part) == [
        "partial_rotary_factor=0.5 is applied, though the code of llama in transformers turns whole heads"
    ]
    assert told(NAMED | {"rotary_dim": 64}) == [
        "rotary_dim=64 is applied, though the code of llama in transformers turns whole heads"
    ]
    axes = {"rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}}
    assert told(NAMED | axes) == ["mrope_section=[16, 24, 24] is applied, though the code of llama turns by one position"]
    assert told(NAMED | {"model_type": "phi"} | part) == [] and told(NAMED | {"partial_rotary_factor": 1.0}) == []


def test_rope_ratio_means_two_things():
    chatglm = CHATGLM | {"rope_ratio": 16}
    (said,) = told(chatglm)
    assert said.startswith("rope_ratio=16 is taken to multiply the base") and "ChatGLM2-32k divides positions by it" in said
    assert "base 160,000, scaling none" in lines(chatglm)[0]
    assert told(chatglm | {"padded_vocab_size": 151_552}) == [] and told(chatglm | {"rope_ratio": 1}) == []  # GLM-4; no matter


def test_other_parts_of_the_model_are_left_out_by_name():
    eyes = {"model_type": "qwen2_5_vl", "vision_config": {"depth": 32}, "rope_theta": 1e6, "head_dim": 128}
    assert told(eyes) == ["vision_config is left out: that part of the model is not read"]
    assert told({"model_type": "llava", "vision_config": {"depth": 32}, "audio_config": {}, "text_config": NAMED}) == [
        "vision_config is left out: that part of the model is not read"
    ]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"attention_head_dim": 128, "num_attention_heads": 24, "axes_dims_rope": [16, 56, 56]}, "got axes_dims_rope="),
        ({"_class_name": "WanTransformer3DModel", "attention_head_dim": 128}, "a part of a pipeline of diffusers"),
        ({"general.architecture": "llama", "llama.rope.freq_base": 1e4}, "got the header of a GGUF file"),
        (CHATGLM | {"position_encoding_2d": True}, "turns halves of a head by two positions"),  # ChatGLM's first
        (LLAMA | {"rotary": {"base": 1e4, "type": "dynamic"}}, "rotary must be True or False, got"),
    ],
)
def test_what_would_be_read_amiss_is_refused(config, words):
    with pytest.raises(ValueError, match=words):
        from_config(config)


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("rope_fraction", 0.5, "; the nearest that is read is 'partial_rotary_factor'"),
        ("rope_position_scale", 2.0, ""),
        ("rope_scale", 2.0, ""),  # a number is no rope_scaling
        ("rope_scalings", {"type": "linear", "factor": 4.0}, "; the nearest that is read is 'rope_scaling'"),
        ("rope_interleaving", "yes", ""),
        ("rope_dimensions", [16, 56], ""),
    ],
)
def test_a_hint_is_given_where_the_value_fits(key, value, hint):
    assert told(NAMED | {key: value}) == [f"{key} is not read, got {value!r}{hint}"]


@pytest.mark.parametrize(
    ("key", "value", "near"), [("short_factors", [1.0, 2.0], "short_factor"), ("mrope_sektion", [1], "mrope_section")]
)
def test_a_hint_inside_the_rope_settings_fits_too(key, value, near):
    with pytest.raises(ValueError, match=f"got '{key}'; the nearest that is read is '{near}'"):
        from_config(NAMED | {"rope_scaling": {"type": "linear", "factor": 2.0, key: value}})


def test_internlms_first_block():
    first = {"model_type": "internlm", "head_dim": 128, "max_position_embeddings": 2048}
    dynamic = first | {"rotary": {"base": 10000, "type": "dynamic"}}
    assert f"base 10,000, scaling dynamic by 1 from 2,048, {BY_LENGTH}" in lines(dynamic)[0] and not told(dynamic)
    far, _ = dynamic_ntk(128, 1e4, factor=1.0, max_position_embeddings=2048, seq_len=8192)
    np.testing.assert_array_equal(from_config(dynamic, seq_len=8192).inv_freq, far)
    origin = first | {"rotary": {"base": 500000, "type": "origin"}}
    np.testing.assert_array_equal(from_config(origin).inv_freq, inverse_frequencies(128, 5e5))


def test_messages_name_what_the_reader_can_change():
    kinds = {"full_attention": {"rope_theta": 1e6}, "sliding_attention": {"rope_theta": 1e4}}
    by_type = {"model_type": "new_thing", "head_dim": 64, "num_hidden_layers": 4, "rope_parameters": kinds}
    made, said = cards(by_type)
    assert [card.base for card in made] == [1e6, 1e4]
    assert said[0] == "layer_types is not given: which layers are of which kind is not known"
    with pytest.raises(ValueError, match="got None: the config has no layer_types to tell which layer is of which"):
        from_config(by_type)
    parts = {"model_type": "t5gemma", "encoder": {"hidden_size": 8}, "decoder": {"head_dim": 8}}
    with pytest.raises(ValueError, match="got model_type; give one of its parts: 'encoder', 'decoder'"):
        from_config(parts)
    some = {"model_type": "molmo2_text", "head_dim": 8, "rope_theta": 1e6, "rope_scaling_layers": [1]} | LINEAR
    with pytest.raises(ValueError, match="config must have num_hidden_layers, for its layers differ"):
        cards(some)
    phi = {"model_type": "phi3", "head_dim": 128, "original_max_position_embeddings": 4096, "rope_scaling": PHI}
    with pytest.raises(ValueError, match="or max_position_embeddings beside the rope settings"):
        from_config(phi)


# --- shapes met in the wild


def test_layers_that_a_search_left_without_attention():
    grouped, idle = {"n_heads_in_group": 8, "no_op": False}, {"n_heads_in_group": None, "no_op": True}
    linear = {"n_heads_in_group": None, "replace_with_linear": True}
    nas = {"model_type": "nemotron-nas", "hidden_size": 8192, "num_attention_heads": 64, "num_hidden_layers": 4}
    each = (grouped, idle, linear, grouped | {"n_heads_in_group": 4})
    nas |= {"rope_theta": 5e5, "block_configs": [{"attention": attention} for attention in each]}
    assert kinds(nas) == ["full_attention (layer 0)", "no_attention (layers 1, 2)", "full_attention, from layer 3 (layer 3)"]
    assert cache(nas) == kept(8, 128) + kept(16, 128) and not told(nas)


def test_zamba_2s_ids_are_of_the_layers_that_attend():
    zamba2 = {"model_type": "zamba2", "head_dim": 160, "num_hidden_layers": 4, "hybrid_layer_ids": [2], "use_mem_rope": True}
    assert kinds(zamba2) == ["linear_attention (layers 0, 1, 3)", "hybrid (layer 2)"] and not told(zamba2)


def test_windows_that_all_layers_have():
    mistral = NAMED | {"model_type": "mistral", "sliding_window": 4096}
    assert "window: 4,096 positions" in lines(mistral)[0]
    assert not any("window" in line for line in lines(mistral | {"sliding_window": None})[0])
    recurrent = {"model_type": "recurrent_gemma", "head_dim": 256, "num_hidden_layers": 3, "attention_window_size": 2048}
    assert "window: 2,048 positions" in lines(recurrent)[0]


def test_a_switch_that_says_nothing_is_passed_over():
    assert told(NAMED | {"use_mrope": False}) == []  # in many of Qwen's files


def test_heads_of_a_params_file_that_names_one_kind():
    assert cache({"dim": 4096, "n_heads": 32, "rope_theta": 1e6}) == kept(32, 128)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model_type": "telechat", "hidden_size": 4096, "n_head": 32}, "raises its base by steps of the length"),
        ({"model_type": "stablelm_alpha", "head_dim": 128, "rotary_scale_base": 512}, "got rotary_scale_base=512: not supported"),
    ],
)
def test_rotations_that_are_not_said_by_the_usual_keys_are_refused(config, words):
    with pytest.raises(ValueError, match=words):
        cards(config)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("num_hidden_layers", 3.5, "num_hidden_layers must be an integer, got 3.5"),
        ("n_layer", "x", "n_layer must be an integer, got 'x'"),
        ("sliding_window", {"a": 1}, "sliding_window must be an integer, got"),
        ("num_key_value_heads", "8", "num_key_value_heads must be an integer, got '8'"),
        ("num_key_value_heads", [4, "x"], "num_key_value_heads must be an integer, got 'x'"),
        ("num_attention_heads", [4], r"num_attention_heads must be an integer, got \[4\]"),
        ("block_types", 3, "block_types must be a list, got 3"),
        ("hybrid_layer_pattern", True, "hybrid_layer_pattern must be a list, got True"),
        ("layer_types", "full_attention", "layer_types must be a list, got 'full_attention'"),
    ],
)
def test_values_of_another_kind_are_refused_by_name(key, value, words):
    with pytest.raises(TypeError, match=words):
        cards({"model_type": "recurrent_gemma", "head_dim": 64, key: value})


def test_windows_that_reach_to_both_sides():
    bert = NAMED | {"model_type": "modernbert", "num_hidden_layers": 3, "rope_theta": None, "local_attention": 128}
    assert "window: 64 positions to each side" in lines(bert)[0]
    assert "window: 20 positions to each side" in lines(bert | {"local_attention": 40})[0]
    assert "window: 64 positions" in lines(bert | {"model_type": "modernbert-decoder"})[0]
    gemma = {"model_type": "gemma3_text", "head_dim": 256, "num_hidden_layers": 6, "sliding_window": 512}
    assert "window: 512 positions" in lines(gemma)[0] and cache(gemma) == kept(4, 256) * 2
    seeing_both = gemma | {"use_bidirectional_attention": True}  # Embedding Gemma
    assert "window: 256 positions to each side" in lines(seeing_both)[0]
    assert cache(seeing_both) == ["none, for an encoder reads all at once"] * 2
    assert cache(gemma | {"use_bidirectional_attention": "vision"}) == kept(4, 256) * 2


def test_a_factor_on_queries_is_told_at_the_end_of_the_context():
    qwen = {"model_type": "qwen", "head_dim": 128, "use_logn_attn": True, "seq_length": 2048}
    assert "temperature: a factor on queries that is 1 up to position 2,047" in lines(qwen)[0]
    longer = f"grows to {np.log(8192) / np.log(2048):.4g} at position 8,191"
    assert f"temperature: a factor on queries that {longer}" in lines(qwen | {"max_position_embeddings": 8192})[0]
    stepped = {"rope_type": "yarn", "factor": 128.0, "original_max_position_embeddings": 8192, "llama_4_scaling_beta": 0.1}
    mistral = {"model_type": "mistral4", "head_dim": 128, "rope_parameters": stepped | {"rope_theta": 1e4}}
    assert any("grows with the position; the longest context is not given" in line for line in lines(mistral)[0])
    far = f"grows to {1 + 0.1 * np.log(1 + 1_048_575 // 8192):.4g} at position 1,048,575"
    assert any(far in line for line in lines(mistral | {"max_position_embeddings": 1_048_576})[0])


def test_a_window_of_minus_one_is_none():
    assert not any("window" in line for line in lines(NAMED | {"model_type": "mistral", "sliding_window": -1})[0])


def test_a_width_that_only_the_family_knows_is_told():
    config = {"model_type": "qwen3", "hidden_size": 1024, "num_attention_heads": 16, "rope_theta": 1e6}
    (card,), told = cards(config)
    assert card.channels == "128 of 128 channels"
    assert told == ["head_dim is not given: 128 is qwen3's own, not hidden_size / num_attention_heads, 1024 / 16"]
    assert cards(config | {"head_dim": 128})[1] == []
    assert cards(config | {"num_attention_heads": 8})[1] == []  # the same either way


@pytest.mark.parametrize(
    ("key", "value", "meant"),
    [
        ("num_key_value_head", 8, "num_key_value_heads"),
        ("n_kv_head", 8, "n_kv_heads"),
        ("num_attention_head", 16, "num_attention_heads"),
        ("max_position_embedding", 4096, "max_position_embeddings"),
        ("layer_type", ["full_attention"], "layer_types"),
        ("nope_layers", [3], "no_rope_layers"),
        ("nope_layer_interval", 4, "no_rope_layer_interval"),
    ],
)
def test_a_slip_in_the_name_of_a_size_is_told(key, value, meant):
    config = {"model_type": "llama", "head_dim": 64, "num_attention_heads": 32, "rope_theta": 1e4}
    assert cards(config | {key: value})[1] == [f"{key} is not read, got {value!r}; the nearest that is read is {meant!r}"]
    assert cards(config | {"num_key_value_heads": 8, "n_kv_heads": 8})[1] == []


def test_a_factor_of_yarn_beside_is_told():
    (told,) = cards({"model_type": "llama", "head_dim": 64, "rope_theta": 1e4, "yarn_factor": 4})[1]
    assert told == "yarn_factor is not read, got 4"


LISTED = {"num_hidden_layers": 4, "layer_types": ["full_attention", "sliding_attention"] * 2, "sliding_window": 1024}
SLIM = {"head_dim": 64, "num_attention_heads": 8, "rope_theta": 1e4, "max_position_embeddings": 4096}


@pytest.mark.parametrize("family", ["llama", "cohere", "olmo2"])
def test_no_window_where_the_familys_code_has_none(family):
    for listed in (LISTED, {"num_hidden_layers": 4, "sliding_window_pattern": 2, "sliding_window": 1024}):
        made, told = cards(SLIM | {"model_type": family, **listed})
        assert [card.window for card in made] == [None, None]
        assert not any("window" in line for card in made for line in card.lines())
        but = f"the code of {family} has no window, and all of its layers see everything"
        assert told == [f"sliding_attention is passed over: {but}"]
    (card,), told = cards(SLIM | {"model_type": family, "num_hidden_layers": 4, "sliding_window": 1024})
    assert (card.window, told) == (None, [])


def test_mistrals_window_is_for_all_layers():
    made, told = cards(SLIM | {"model_type": "mistral", **LISTED})
    assert [card.window for card in made] == [1024, 1024]
    assert told == ["full_attention is passed over: the code of mistral reads sliding_window alone, and for all layers"]
    made, told = cards(SLIM | {"model_type": "ministral", **LISTED})
    assert ([card.window for card in made], told) == ([None, 1024], [])
    made, told = cards(SLIM | {"model_type": "cohere2", **LISTED})
    assert [card.window for card in made] == [None, 1024]
    assert not any("passed over" in each for each in told)
