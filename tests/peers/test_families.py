"""Every rotary family of transformers against its own code: frequencies, layout, direction, slice, axes, layers.

Nothing here lists what should agree: all that the installed transformers has is swept. What is left out stands in a table
with the reason, and a reason that no longer holds fails.
"""

import inspect
import warnings

import numpy as np
import pytest
from families import (
    LENGTH,
    POSITIONS,
    as_published,
    heard,
    module,
    other_families,
    own_classes,
    replayed,
    rotary_classes,
    rotary_families,
    text_models,
)

import ropelib
from ropelib.config import families as known

NEAR = 3e-6  # float32's error in base ** exponent, at the largest base
SCORES = 1e-4  # and in the angles of these positions, a score over the root of its channels

PLAIN = {"rope_type": "default", "rope_theta": 1e4}
# What a config must be given to make a model at all, or to be that of a published model.
GIVEN = {
    "bamba": {"attn_layer_indices": [1, 3]},
    "cohere_compass_text": {"rope_parameters": {"full_attention": PLAIN}},
    "deepseek_ocr2_text": {"mlp_layer_types": ["dense"] * 8},
    "deepseek_v2": {"topk_group": 1, "n_group": 1, "num_experts_per_tok": 2},
    "diffusion_gemma_text": {"moe_intermediate_size": 64, "num_experts": 4, "top_k_experts": 2},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "esm": {"vocab_size": 33, "pad_token_id": 1, "position_embedding_type": "rotary"},
    "gemma3n_text": {"num_hidden_layers": 35},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "glm4v_text": {"partial_rotary_factor": 0.5},
    "glm_image_text": {"partial_rotary_factor": 0.5},
    "granitemoehybrid": {"position_embedding_type": "rope", "layer_types": ["linear_attention", "full_attention"] * 4},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "hunyuan_vl_text": {"head_dim": 128, "rope_parameters": PLAIN | {"mrope_section": [16, 16, 16, 16]}},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 4},
    "minimax_m3_vl_text": {"rope_parameters": {"rope_type": "default", "rope_theta": 5e6, "partial_rotary_factor": 0.5}},
    "ministral": {"head_dim": 128},
    "nemotron": {"head_dim": 128, "num_key_value_heads": 8},
    "qwen3_omni_moe_text": {"head_dim": 128},
    "qwen3_omni_moe_talker_text": {"shared_expert_intermediate_size": 64},
    "qwen4_exp_text": {
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e7, "partial_rotary_factor": 0.25},
        "indexer_head_dim": 128,
        "indexer_n_heads": 4,
        "indexer_kv_heads": 1,
        "indexer_budget": 64,
        "indexer_compress_ratio": 4,
    },
    "zamba2": {"use_mem_rope": True},
}

# Models whose pass over seven tokens does not come to its end, or that are not made at all from their default config: their
# rotary classes are compared alone, without slices and layers.
_MORE = "its pass asks for more than tokens"
_NUMBERS = "its pass looks at numbers, of which the meta device has none"
_NO_MODEL = "its default config makes no model"
HEARD_IN_PART = (
    dict.fromkeys(
        "BltLocalEncoder BltLocalDecoder CsmDepthDecoderModel CsmBackboneModel DiaDecoder DiaModel "
        "EvollaSaProtProteinEncoder HiggsAudioV2Model IdeficsModel KyutaiSpeechToTextModel MoonshineEncoder MoonshineModel "
        "Nemotron3_5TranscribeWordTimestampModel Qwen3OmniMoeTalkerCodePredictorModel T5GemmaModel T5Gemma2Model "
        "VoxtralRealtimeEncoder VoxtralRealtimeTextModel Qwen3OmniMoeTalkerModel".split(),
        _MORE,
    )
    | dict.fromkeys("JetMoeModel OpenAIPrivacyFilterModel Qwen4ExpTextModel Step3p7TextModel".split(), _NUMBERS)
    | dict.fromkeys(
        "ChameleonModel DbrxModel MoonshineStreamingDecoder MoonshineStreamingModel T5GemmaEncoder T5GemmaDecoder "
        "T5GemmaEncoderModel T5Gemma2TextEncoder T5Gemma2Decoder".split(),
        _NO_MODEL,
    )
)

COMPOSED = ["BltModel"]  # of models that come by themselves

# Rotary embeddings that are not compared.
APART = {
    "EsmFold2RotaryEmbedding": "takes widths, not a config, and turns atoms and residues by several bases",
    "HunYuanVLRotaryEmbedding": "is no rotation in this version, see the test of its norm below: from_config is right",
    "MusicFlamingoRotaryEmbedding": "turns by seconds of sound; from_config refuses its two bases",
}
# The config of a rotary embedding whose own annotation names another, or none.
CONFIG_OF = {
    "GlmAsrRotaryEmbedding": "GlmAsrEncoderConfig",
    "Nemotron3DiarizationRotaryEmbedding": "Nemotron3DiarizationAudioConfig",
    "Qwen3OmniMoeRotaryEmbedding": "Qwen3OmniMoeTalkerCodePredictorConfig",
    "SeamlessM4TConformerRotaryPositionalEmbedding": "SeamlessM4TConfig",
    "Step3p7RotaryEmbedding": "Step3p7TextConfig",
    "T5GemmaRotaryEmbedding": "T5GemmaModuleConfig",
    "Wav2Vec2BertRotaryPositionalEmbedding": "Wav2Vec2BertConfig",
    "Wav2Vec2ConformerRotaryPositionalEmbedding": "Wav2Vec2ConformerConfig",
}
# Configs with a vocabulary in a folder without a rotary embedding that do rotate, by the code of another family.
BORROWED = "exaone internlm3 iquestcoder roformer sarvam_mla sarvam_moe".split()
# What cannot be seen from outside.
START_UNSEEN = {"longcat_flash": "the slice is scaled, and so copied, before it is rotated"}
LAYERS_UNSEEN = {
    "hrm": "eight layers run again and again, and count as sixty-four",
    "longcat_flash": "two attentions a layer have an index each",
    "zamba2": "the shared attention bears no layer's index",
}


recorded = []  # what was seen of transformers, for tools/peers.py to keep


def quiet(config, **which):
    """The rope, and the words it was told with."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return ropelib.from_config(config, **which), [str(each.message) for each in told]


def scores(q, k, seq_axis):
    q, k = (np.moveaxis(np.asarray(x), seq_axis, -2)[0, 0] for x in (q, k))
    return q @ k.T


def agree(embedding, function, arguments, shape, seq_axis, rope, layer_type, said):
    """The scores of random heads that either side rotated, and the frequencies, if the embedding keeps them.

    `said` is what `from_config` was given: the config and which of its layers.
    """
    import torch

    places = POSITIONS if rope.axes is None else np.stack([POSITIONS * (i + 1) + i for i in range(rope.axes.max() + 1)])
    accepts = inspect.signature(embedding.forward).parameters
    which = {"layer_type": layer_type} if "layer_type" in accepts else {}
    given = torch.tensor(places)[None] if rope.axes is None else torch.tensor(places)[:, None]
    tables = embedding(torch.zeros(1), given, **which)
    q, k = np.random.default_rng(0).standard_normal((2, *shape)).astype("f4")
    theirs = scores(*[x.detach().numpy() for x in replayed(function, arguments, tables, q, k)], seq_axis)
    recorded.append(("scores", *said, places, shape, seq_axis, theirs))
    ours = scores(rope.rotate(q, places, seq_axis=seq_axis), rope.rotate(k, places, seq_axis=seq_axis), seq_axis)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=SCORES * shape[-1] ** 0.5)
    kept = dict(embedding.named_buffers())
    kept = kept.get(f"{layer_type}_inv_freq", kept.get("inv_freq"))
    if kept is not None:  # ERNIE 4.5 VL keeps them in another order; GPT-J keeps tables, which the scores have tried
        np.testing.assert_allclose(np.sort(rope.inv_freq), np.sort(kept.double().numpy()), rtol=NEAR)


def made(of, model_class):
    """A config of at most eight layers, and what is heard of its model; None if the family's own code cannot make one."""
    config_class = model_class.config_class
    given = GIVEN.get(config_class.model_type, {})
    for fewer in ({"num_hidden_layers": 8}, {}):
        try:
            config = config_class(**{**fewer, **given})
            return config, heard(of, model_class, config)
        except Exception:  # of any kind: HEARD_IN_PART says which may
            continue
    return None


def compare_model(of, model_class, embeddings):
    """The rotary classes that this model has, after its calls were compared."""
    found = made(of, model_class)
    name = model_class.__name__
    if found is None:
        assert name in HEARD_IN_PART, f"{name} cannot be made"
        return set()
    config, model = found
    if name in COMPOSED:
        return set()
    inside = [each for each in model.model.modules() if isinstance(each, tuple(embeddings))]
    inside = [each for each in inside if getattr(each, "config", config) is config] or inside
    if not inside or type(inside[0]).__name__ in APART:
        return set()
    family = config.model_type.removesuffix("_text")
    published, calls = as_published(config), [call for call in model.calls if "Compressor" not in call.owner]
    if family in known.UNSUPPORTED:
        with pytest.raises(ValueError, match="with a supported rotation"):
            ropelib.from_config(published)
        return {type(each).__name__ for each in inside}
    assert (model.whole and bool(calls)) == (name not in HEARD_IN_PART), (
        f"{name}: heard {'in part' if not model.whole else 'whole'}"
    )
    if not calls:
        return set()

    blocks = 2 if "mlp" in (published.get("layer_types") or ()) else 1  # Dory publishes a layer as two
    turning = {call.layer for call in calls if "Indexer" not in call.owner}
    if model.whole and None not in turning and family not in LAYERS_UNSEEN:
        recorded.append(
            (
                "layers",
                published,
                [int(i // blocks in turning) for i in range(0, blocks * config.num_hidden_layers, blocks)],
                blocks,
            )
        )
        ours = {i for i in range(config.num_hidden_layers) if quiet(published, layer=i * blocks)[0].rotary_dim}
        assert ours == turning, f"layers that rotate: {sorted(turning)}, ours {sorted(ours)}"

    embedding, seen = type(inside[0])(getattr(inside[0], "config", config)), set()
    for call in calls:
        types = getattr(config, "layer_types", None)
        if types is not None and call.layer is None:  # DeepSeek V4's indexer, which only compressed layers have
            layer_type = next(name for name in types if name != "sliding_attention")
        else:
            layer_type = None if types is None else types[call.layer]
        each = (call.function, call.width, call.start, layer_type, call.owner)
        if each in seen:
            continue
        seen.add(each)
        which = {"part": "indexer"} if "Indexer" in call.owner else {}
        if call.layer is not None and family not in LAYERS_UNSEEN:
            which["layer"] = call.layer * blocks
        elif layer_type is not None and family not in LAYERS_UNSEEN:
            which["layer_type"] = layer_type
        rope, told = quiet(published, **which)
        assert not any("not known" in words for words in told), told
        if call.width != rope.head_dim:
            assert call.width == rope.rotary_dim
            assert call.start == rope.rotary_start or family in START_UNSEEN
        shape = [1, 1, 1, call.width]
        shape[call.seq_axis] = LENGTH
        block = known.BLOCK_OF.get(family, {}).get(layer_type, layer_type)
        agree(embedding, call.function, call.arguments, shape, call.seq_axis, rope, block, (published, which))
    return {type(inside[0]).__name__}


def compare_alone(of, embedding):
    """A rotary class by itself, with the apply function of its module: its model was not heard."""
    config_class = CONFIG_OF.get(embedding.__name__) or inspect.signature(embedding.__init__).parameters["config"].annotation
    if not inspect.isclass(config_class):
        config_class = getattr(of, str(config_class).split("|")[0].strip())
    config = config_class(**GIVEN.get(config_class.model_type, {}))
    published = as_published(config)
    settings = published.get("rope_parameters") or {}
    seeing = config.model_type.endswith(known.VISION) or config.model_type in known.UNSUPPORTED
    if seeing or settings.get("rope_type") == "axial":
        with pytest.raises(
            ValueError, match=r"'axial'|with a supported rotation|of a text model|only with position_embeddings_type"
        ):
            ropelib.from_config(published)
        return
    types = [name for name, own in settings.items() if isinstance(own, dict)] or [None]
    for layer_type in types:
        which = {} if layer_type is None else {"layer_type": layer_type}
        rope, told = quiet(published, **which)
        assert not any("not known" in words for words in told), told
        arguments, shape = dict.fromkeys(("q", "k", "cos", "sin")), [1, 1, LENGTH, rope.head_dim]
        agree(embedding(config), of.apply_rotary_pos_emb, arguments, shape, 2, rope, layer_type, (published, which))


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_a_family_turns_as_its_own_code_does(folder, stem):
    of = module(folder, stem)
    embeddings, compared = rotary_classes(of), set()
    for model_class in text_models(of):
        compared |= compare_model(of, model_class, embeddings)
    for embedding in embeddings:
        if embedding.__name__ not in compared and embedding.__name__ not in APART:
            compare_alone(of, embedding)


def test_hunyuan_vl_is_no_rotation_in_this_version():
    """Its table gives the two channels of a pair to different axes: the norm of a pair changes. The model's publisher splits
    either half by the sections, as from_config does."""
    import torch

    of = module("hunyuan_vl", "modeling_hunyuan_vl")
    config = of.HunYuanVLTextConfig(**GIVEN["hunyuan_vl_text"])
    cos, sin = of.HunYuanVLRotaryEmbedding(config)(torch.zeros(1), torch.tensor([[[3]], [[30]], [[7]], [[11]]]))
    x = torch.tensor(np.random.default_rng(0).standard_normal((1, 1, 1, 128)).astype("f4"))
    turned, _ = of.apply_rotary_pos_emb(x, x, cos, sin)
    pairs = [each.numpy().reshape(2, 64) for each in (x, turned)]
    assert np.abs(np.linalg.norm(pairs[1], axis=0) / np.linalg.norm(pairs[0], axis=0) - 1).max() > 0.3
    rope = ropelib.from_config(as_published(config))
    ours = rope.rotate(x.numpy()[0, 0], np.array([3, 30, 7, 11]).reshape(4, 1))
    np.testing.assert_allclose(np.linalg.norm(ours.reshape(2, 64), axis=0), np.linalg.norm(pairs[0], axis=0), rtol=1e-5)
    np.testing.assert_array_equal(rope.axes, np.repeat([0, 1, 2, 3], 16))


def without_rotation(folder, stem):
    """Model types with a vocabulary in a folder whose code has no rotary embedding and borrows none."""
    import transformers

    for config_class in own_classes(module(folder, stem)):
        fields = getattr(config_class, "__dataclass_fields__", {})
        text = issubclass(config_class, transformers.PreTrainedConfig) and "vocab_size" in fields and config_class.model_type
        if text and not config_class.sub_configs and config_class.model_type not in BORROWED:
            yield config_class.model_type


@pytest.mark.parametrize("folder, stem", other_families(), ids=[folder for folder, _ in other_families()])
def test_a_family_without_rotation_is_refused(folder, stem):
    for model_type in without_rotation(folder, stem):
        with pytest.raises(ValueError, match="must be that of a"):
            ropelib.from_config({"head_dim": 64, "rope_theta": 1e4, "model_type": model_type})


SAID = ("rope_parameters", "rope_theta", "partial_rotary_factor", "compress_rope_theta")


def text_configs(of):
    """The configs of a modeling file that hold rope settings of tokens, made by default."""
    for config_class in {each for each in vars(of).values() if inspect.isclass(each) and each.__name__.endswith("Config")}:
        fields = getattr(config_class, "__dataclass_fields__", {})
        if "vocab_size" in fields and "text_config" not in fields and config_class.model_type:
            given = GIVEN.get(config_class.model_type, {})
            if set(SAID) & set(given):  # its own defaults make no model
                continue
            try:
                yield config_class(**given)
            except Exception:  # HEARD_IN_PART has them
                continue


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_what_a_familys_config_leaves_out_is_known_or_told(folder, stem):
    """The same config with and without its rope settings: the same rotation, or a warning that a base is assumed."""
    for config in text_configs(module(folder, stem)):
        full = as_published(config)
        silent = {key: value for key, value in full.items() if key not in SAID}
        for layer_type in dict.fromkeys(full.get("layer_types") or [None]):
            which = {} if layer_type is None else {"layer_type": layer_type}
            try:
                want, _ = quiet(full, **which)
            except ValueError:  # refused by the sweep above too, or asks for a layer
                continue
            got, told = quiet(silent, **which)
            recorded.append(("silent", silent, which, want, bool(told)))
            assert got.rotary_dim == want.rotary_dim, (config.model_type, layer_type)
            np.testing.assert_array_equal(got.axes, want.axes)
            if not any("is assumed" in words for words in told):
                np.testing.assert_allclose(got.inv_freq, want.inv_freq, rtol=1e-12, err_msg=f"{config.model_type} {layer_type}")
