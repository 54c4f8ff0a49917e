"""Settings that models were published with: each is read without a guess, and what their cards say is worked out by hand here."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from ropelib import from_config, inverse_frequencies
from ropelib.book.published import MODELS
from ropelib.config.cards import cards, differences


def card(name, kind="all"):
    return next(each for each in cards(MODELS[name].config)[0] if each.layers.startswith(kind))


@pytest.mark.parametrize("name", MODELS)
def test_read_without_a_guess(name):
    each = MODELS[name]
    made, told = cards(each.config)
    assert made and not told
    assert (each.name, 2021 <= each.year <= 2026, each.hub.count("/")) == (name, True, 1) and len(each.seen) > 10
    layers = each.config.get("text_config", each.config).get("num_hidden_layers")
    counts = [int(c.layers.partition("(")[2].split(" layers")[0]) for c in made if " layers: " in c.layers]
    counts += [len(c.layers.partition("(layer")[2].split(",")) for c in made if "(layer" in c.layers]
    assert not counts or layers is None or sum(counts) == layers


@pytest.mark.parametrize(
    ("name", "kind", "layout", "channels", "base", "slow"),
    [
        ("GPT-J 6B", "all", "interleaved", "64 of 256 channels", 1e4, "11 of 32"),
        ("GPT-NeoX 20B", "all", "half", "24 of 96 channels", 1e4, "4 of 12"),
        ("Llama 2 7B", "all", "half", "128 of 128 channels", 1e4, "18 of 64"),
        ("Phi-2", "all", "half", "32 of 80 channels", 1e4, "5 of 16"),
        ("GLM-4 9B", "all", "interleaved", "64 of 128 channels", 5e6, "11 of 32"),
        ("GLM-4.5", "all", "half", "64 of 128 channels", 1e6, "8 of 32"),
        ("Command R", "all", "interleaved", "128 of 128 channels", 8e6, "35 of 64"),
        ("DeepSeek-V3", "all", "interleaved", "64 of 192 channels, from 128", 1e4, "9 of 32"),
        ("Gemma 4 12B", "full", "half", "128 of 512 channels, spread over the head", 1e6, "0 of 64"),
        ("ModernBERT base", "full", "half", "64 of 64 channels", 1.6e5, "12 of 32"),
        ("ModernBERT base", "sliding", "half", "64 of 64 channels", 1e4, "7 of 32"),
        ("MiMo-V2-Flash", "sliding", "half", "64 of 192 channels", 1e4, "0 of 32"),
        ("DeepSeek-V4-Flash", "sliding", "interleaved", "64 of 512 channels, from 448", 1e4, "0 of 32"),
    ],
)
def test_cards(name, kind, layout, channels, base, slow):
    got = card(name, kind)
    assert (got.layout, got.channels, got.base) == (layout, channels, base)
    assert got.unfinished.startswith(f"{slow} pairs make no full turn")


@pytest.mark.parametrize(
    ("name", "kind", "size"),
    [
        ("Llama 3.1 8B", "all", 2 * 2 * 8 * 128),
        ("GLM-4 9B", "all", 2 * 2 * 2 * 128),  # multi_query_group_num
        ("DeepSeek-V3", "all", 2 * (512 + 64)),
        ("Gemma 4 12B", "sliding", 2 * 2 * 8 * 256),
        ("Gemma 4 12B", "full", 2 * 2 * 1 * 512),
        ("MiMo-V2-Flash", "sliding", 2 * 8 * (192 + 128)),
        ("MiMo-V2-Flash", "full", 2 * 4 * (192 + 128)),
        ("DeepSeek-V4-Flash", "sliding", 2 * 512),  # one vector is key and value
        ("DeepSeek-V4-Flash", "compressed", None),
        ("Qwen3.5 397B", "linear", None),
    ],
)
def test_cache(name, kind, size):
    assert card(name, kind).cache_bytes == size


def test_what_else_a_card_says():
    assert card("DeepSeek-V3.2-Exp").indexer == "layout half, 64 of 128 channels"
    assert card("DeepSeek-V4-Flash", "compressed").indexer == "layout interleaved, 64 of 128 channels, from 64"
    assert not card("DeepSeek-V4-Flash", "heavily").indexer and card("DeepSeek-V4-Flash", "heavily").rotates_values
    assert card("gpt-oss 120b", "full").scaling == "yarn by 32 from 4,096, its bounds not rounded"
    assert (card("Gemma 4 12B", "full").scaling, card("Gemma 4 12B", "sliding").window) == ("proportional", 1024)
    assert (card("Llama 4 Scout", "chunked").window, card("Llama 4 Scout", "full").window) == (8192, None)
    linear = cards(MODELS["Qwen3.5 397B"].config)[0][0].lines()
    assert len(linear) == 1 and "no softmax attention" in linear[0]
    with pytest.warns(UserWarning, match="10000 is its code's own default"):
        from_config({"model_type": "qwen3", "head_dim": 8})


def test_a_card_by_length_tells_of_the_longest_sequence():
    phi = card("Phi-3 mini 128k")
    config = MODELS["Phi-3 mini 128k"].config
    far = inverse_frequencies(96) / config["rope_scaling"]["long_factor"]
    assert phi.base == 1e4 and phi.longest_wavelength == pytest.approx(2 * np.pi / far.min())
    assert phi.unfinished.startswith(f"{(far * 131_072 < 2 * np.pi).sum()} of 48")


def test_differences_by_kind_of_layer():
    assert differences(MODELS["DeepSeek-V3"].config, MODELS["DeepSeek-V3.2-Exp"].config) == [
        "all layers: indexer: none against layout half, 64 of 128 channels"
    ]
    told = differences(MODELS["Gemma 3 12B"].config, MODELS["Gemma 4 12B"].config)
    assert "full_attention: scaling: linear by 8 against proportional" in told
    assert not any("sliding" in each or "only in one" in each for each in told)


def test_one_kind_of_layer_is_compared_with_each_of_the_others():
    gemma = {"model_type": "gemma3_text", "head_dim": 8, "num_hidden_layers": 6, "num_key_value_heads": 1, "sliding_window": 4}
    told = differences({"model_type": "llama", "head_dim": 8, "num_key_value_heads": 1, "rope_theta": 1e6}, gemma)
    assert told == [
        "sliding_attention: base: 1,000,000 against 10,000",
        "sliding_attention: inv_freq: pair 1: 0.0316228 against 0.1",
        "sliding_attention: window: none against 4",
    ]
    assert [each.split(":")[0] for each in differences(gemma, {"model_type": "smollm3", "head_dim": 8})] == [
        "sliding_attention", "full_attention", "rotating", "without rotation"
    ]  # fmt: skip


def test_axes_are_compared_layer_by_layer():
    config = MODELS["Qwen3-VL 235B"].config["text_config"] | {"layer_types": ["full_attention", "sliding_attention"] * 2}
    config |= {"num_hidden_layers": 4, "model_type": "qwen3_vl_text"}
    assert [each.layers.split()[0] for each in cards(config)[0]] == ["full_attention", "sliding_attention"]


# --- settings that were passed over


def test_deepseek_ocr_leaves_latent_attention_out():
    inner = {"model_type": "deepseek_v2", "hidden_size": 1280, "num_attention_heads": 10, "rope_theta": 1e4, "use_mla": False}
    inner |= {"qk_rope_head_dim": 0, "qk_nope_head_dim": 0, "v_head_dim": 0, "kv_lora_rank": None}
    rope = from_config({"model_type": "deepseek_vl_v2", "language_config": inner})
    assert (rope.head_dim, rope.rotary_dim, rope.rotary_start, rope.layout) == (128, 128, 0, "half")


def test_molmo_2_scales_some_layers_alone():
    config = {"model_type": "molmo2_text", "head_dim": 8, "rope_theta": 1e6, "num_hidden_layers": 3, "rope_scaling_layers": [1]}
    config |= {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    for layer in range(3):
        want = inverse_frequencies(8, 1e6) / (4 if layer == 1 else 1)
        np.testing.assert_array_equal(from_config(config, layer=layer).inv_freq, want)
    with pytest.raises(ValueError, match="layer must be given, for only layers 1 are scaled"):
        from_config(config)
    np.testing.assert_array_equal(
        from_config(config | {"rope_scaling_layers": [0, 1, 2]}).inv_freq, inverse_frequencies(8, 1e6) / 4
    )


def test_dual_chunk_attention_is_told():
    config = {"model_type": "qwen2", "head_dim": 8, "rope_theta": 1e7}
    with pytest.warns(UserWarning, match="dual_chunk_attention_config maps relative positions beyond a chunk"):
        from_config(config | {"dual_chunk_attention_config": {"chunk_size": 262_144, "local_size": 8192}})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        from_config(config | {"dual_chunk_attention_config": None})


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_chapter_names_every_source(language):
    page = Path(__file__).parents[2] / "chapters" / language / "16-read-model-configs.ipynb"
    text = "".join(line for cell in json.loads(page.read_text("utf-8"))["cells"] for line in cell["source"])
    assert not [each.hub for each in MODELS.values() if f"`{each.hub}`" not in text or each.name not in text]
