"""What a card says beside the rotation, against what transformers does: the cache, which layers are of which kind, and what
fills in a head's width or a base that stands alone."""

import inspect

import numpy as np
import pytest
from families import as_published, kept, module, rotary_classes, rotary_families, speeds, text_models
from test_families import BORROWED, GIVEN, NEAR, SAID, quiet, text_configs

from ropelib.config import families as known
from ropelib.config import memory
from ropelib.config.builder import _Model
from ropelib.config.cards import _layers, cards
from ropelib.config.spellings import read

HEADS = {*memory._HEADS, *memory._SWITCHED}
# Where transformers keeps otherwise than a card counts.
OTHERWISE = {
    "deepseek_v4": "a vector for several tokens, which a card does not count",
    "unlimited_ocr": "keys in tensors of its own, which this does not see",
    "recurrent_gemma": "the keys of its window in each layer, and in no cache",
}


def counted(published):
    """What cards count for each layer, and its kind."""
    model, sizes = _Model(read(published)), memory.found(published)
    layers = model.beside["num_hidden_layers"]
    types = model.types(layers) or [""] * layers
    return [(_layers(model, sizes, [], types[i], layer=i).cache, types[i]) for i in range(layers)]


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_the_cache_of_each_layer(folder, stem):
    """With the file's numbers of heads, and with those that the family's code fills in."""
    of = module(folder, stem)
    for model_class in text_models(of):
        config_class = model_class.config_class
        for fewer in ({"num_hidden_layers": 8}, {}):
            try:
                config = config_class(**{**fewer, **GIVEN.get(config_class.model_type, {})})
                theirs = kept(of, model_class, config)
                break
            except Exception:  # of any kind: HEARD_IN_PART says which may
                theirs = None
        family = config_class.model_type.removesuffix("_text")
        if theirs is None or family in OTHERWISE or family in known.UNSUPPORTED or family in known.WITHOUT:
            continue
        full = as_published(config)
        if family in known.ATTENTIONS:
            theirs = [one + two for one, two in zip(theirs[::2], theirs[1::2], strict=True)]
        silent = {key: value for key, value in full.items() if key not in HEADS}
        for published in (full,) if HEADS & {*GIVEN.get(config_class.model_type, {})} else (full, silent):
            ours = [each for each, kind in counted(published) if kind != "mlp"]
            if not theirs:
                assert all(size is None for size, _ in ours), (family, ours)
            for size, (own, _) in zip(theirs, ours, strict=False):
                assert size == own or (own is None and size is None), (family, theirs, ours, published is full)


LISTS = {"layer_types", "sliding_window_pattern", "full_attention_interval", "no_rope_layers", "no_rope_layer_interval"}
LISTS |= {"_sliding_window_pattern", "hybrid_layer_pattern", "block_types", "layers_block_type", "attn_layer_indices"}
LISTS |= {"global_attn_every_n_layers", "compress_ratios", "cross_attention_layers", "full_attn_idxs"}
UNSEEN = {"dory": "publishes a layer as two, and asks for the type", "ministral": "its layers all slide, and turn alike"}
UNSEEN |= {"muse_glimmer": "its pattern counts from the last layer", "muse_spark": "its pattern counts from the last layer"}


def kinds(published):
    """Of each layer, whether it slides, and how many channels turn."""
    model = _Model(read(published))
    layers = model.beside["num_hidden_layers"]
    types = model.types(layers) or [""] * layers
    turning = [_Model(read(published)).rope(None, None, i, "attention").rotary_dim for i in range(layers)]
    return list(zip([each.startswith("sliding") for each in types], turning, strict=False))


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_the_layers_that_a_config_does_not_list(folder, stem):
    """As the family's code lists them, with or without later layers that slide."""
    for config in text_configs(module(folder, stem)):
        family = _Model(read(as_published(config))).family
        if family in known.UNTOLD | known.WITHOUT.keys() | UNSEEN.keys() | known.UNSUPPORTED.keys():
            continue
        silent = {key: value for key, value in as_published(config).items() if key not in LISTS}
        for more in ({}, {"use_sliding_window": True, "sliding_window": 64, "max_window_layers": 2}):
            if more and family not in known.LATER_SLIDE | known.EVEN_SLIDE:
                continue
            try:
                listed = as_published(type(config)(**silent | more))
                want = kinds(listed)
            except Exception:  # of any kind: no model by default, or one that other tests know to be refused
                continue
            assert kinds(silent | more) == want, (family, more)


def frequencies(embedding, config):
    return speeds(embedding(config))


def frequencies_of(of, config_class, settings):
    """The frequencies of each embedding of a file that takes these settings."""
    for embedding in rotary_classes(of):
        try:
            yield frequencies(embedding, config_class(**settings))
        except Exception:  # of any kind: an embedding of another part of the model
            continue


@pytest.mark.parametrize(("folder", "name"), [("esm", "EsmConfig"), ("cohere2_moe", "Cohere2MoeConfig")])
def test_whose_code_scales_nothing(folder, name):
    of = module(folder, f"modeling_{folder}")
    config_class, plain = getattr(of, name), GIVEN.get(folder, {}) | {"rope_theta": 1e4}
    scaled = plain | {"rope_scaling": {"rope_type": "linear", "factor": 2.0}}
    pairs = zip(frequencies_of(of, config_class, plain), frequencies_of(of, config_class, scaled), strict=True)
    assert folder in known.UNSCALED and all((one[key] == two[key]).all() for one, two in pairs for key in one)


# --- sizes of latent attention that a config leaves out

LATENT = {*known.LATENT["deepseek_v3"], "head_dim", "qk_head_dim"}


def test_latent_sizes_that_a_config_leaves_out():
    """The same rotation and cache with them and without, of each family that has them; which has its own reader apart."""
    swept = set()
    for folder, stem in (*rotary_families(), ("sarvam_mla", "configuration_sarvam_mla")):
        for config in text_configs(module(folder, stem)):
            full = as_published(config)
            silent = {key: value for key, value in full.items() if key not in LATENT}
            family = _Model(read(full)).family
            if full.get("qk_rope_head_dim") and family not in {"deepseek_v4", "dots3_note"}:
                swept.add(family)
                one, two = ([card.to_dict() for card in cards(each)[0]] for each in (full, silent))
                assert one == two, family
    assert {*known.LATENT} - swept == {"bailing_moe_v2_5", "kimi_k2"}, "which are DeepSeek-V3's code"


# --- a base that stands alone

WINDOWS = {"sliding_window", "local_attention", "attention_window_size", "attention_chunk_size"}
ALONE = {*SAID, "layer_rope_theta", "time_step_limit"}  # the last does not come back from JSON as it went
# Where a base that stands alone is another than ropelib takes.
NOT_ITS_BASE = {
    ("olmo3", "sliding_attention"): "its config takes the base out of the file for global layers, and finds none for the others; "
    "in vLLM, by the model's authors, as in transformers 4, all layers have it: ropelib is right, and warns",
}


def asked(config, layer_type):
    """The rope of a type of layer, or of whichever layer rotates."""
    family = _Model(read(config)).family
    named = {block: name for name, block in known.BLOCK_OF.get(family, {}).items()}
    which = [{"layer_type": named.get(layer_type, layer_type)}] if layer_type else [{}, {"layer_type": "sliding_attention"}]
    for each in (*which, {"layer": 0}):
        try:
            return quiet(config, **each)[0]
        except ValueError as error:
            refused = error
    raise refused


def with_a_base_alone(of):
    """Each config of a modeling file as it would be with one base and no rope settings, and its own frequencies."""
    for config in text_configs(of):
        full = as_published(config)
        try:
            quiet(full, layer=0)
        except ValueError:  # refused in the sweep of families too
            continue
        silent = {key: value for key, value in full.items() if key not in ALONE} | {"rope_theta": 12345.0}
        family = _Model(read(silent)).family
        for embedding in rotary_classes(of):
            try:
                found = frequencies(embedding, type(config)(**silent))
            except Exception:  # of any kind: an embedding of another part of the model
                continue
            for key, tensor in found.items():
                layer_type = key.removesuffix("inv_freq").strip("_") or None
                yield family, layer_type, silent, np.sort(tensor.double().numpy().ravel())


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_a_base_that_stands_alone(folder, stem):
    """In the layers where the family's code reads it, and with the scaling that its code fills in."""
    for family, layer_type, silent, theirs in with_a_base_alone(module(folder, stem)):
        ours = np.sort(asked(silent, layer_type).inv_freq)
        agrees = ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=NEAR, atol=0)
        assert agrees == ((family, layer_type) not in NOT_ITS_BASE), (family, layer_type, ours[[1, -2]], theirs[[1, -2]])


WITHOUT_WORDS = {"nemotron3_5_transcribe_asr_audio"}  # test_told sweeps it


def test_each_family_with_settings_of_its_own_is_among_them():
    swept = {family for folder, stem in rotary_families() for family, *_ in with_a_base_alone(module(folder, stem))}
    own = {*known.WHOLE, *known.BY_TYPE, *known.BASE_OF_GLOBAL, *known.BASE_OF_ALL, *known.BASE_BESIDE}
    assert own - known.BASES_BY_LAYER <= swept | WITHOUT_WORDS


# --- windows that a config does not give

# Whose windows are not compared, and why.
NO_WINDOW = {
    "kyutai_speech_to": "its mask is causal, whatever the config says",
    "moshi": "as kyutai_speech_to",
    "neomme": "its layers have windows of their own",
    "unlimited_ocr": "its window is of generated tokens alone",
}


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_the_window_that_a_config_leaves_out(folder, stem):
    for config in text_configs(module(folder, stem)):
        silent = {key: value for key, value in as_published(config).items() if key not in WINDOWS}
        model = _Model(read(silent))
        family = model.family
        if family in NO_WINDOW or not model.is_known:
            continue
        theirs = getattr(config, "sliding_window", None)
        try:
            seen = {card.window for card in cards(silent)[0]} - {None}
        except ValueError:  # refused in the sweep of families too
            continue
        slides = any("sliding" in each for each in getattr(config, "layer_types", None) or ["sliding"])
        assert seen - {known.CHUNK.get(family)} == ({theirs} if theirs and slides else set()), family


# --- widths and heads that a config does not give

SIZES = {"hidden_size": 6144, "num_attention_heads": 64}  # 96 channels a head would follow; no family has either by itself
WIDTHS = {"head_dim", "attention_head_dim", "kv_channels", "global_head_dim", "swa_head_dim", "per_layer_config"}
SIZED = [*rotary_families(), *[(folder, f"configuration_{folder}") for folder in BORROWED if folder != "roformer"]]
NO_NULL = {"afmoe", "glm", "zamba2"}  # whose code makes no model where head_dim is null, and so says nothing of one
_PUBLISHERS = "its code is its publisher's, whose kv_channels it is"
NOT_SIZED = {"chatglm": _PUBLISHERS, "qwen": _PUBLISHERS, "jetmoe": "its number of heads is not a setting, but a product"}


def sized(of):
    """Each config class of heads in a file, made of two sizes, first without head_dim, then with null for it."""
    for config_class in {each for each in vars(of).values() if inspect.isclass(each) and each.__name__.endswith("Config")}:
        names = {**getattr(config_class, "__dataclass_fields__", {}), **getattr(config_class, "attribute_map", {})}
        if not {*SIZES} <= {*names} or not config_class.model_type:
            continue
        given = {key: value for key, value in GIVEN.get(config_class.model_type, {}).items() if key not in WIDTHS | HEADS}
        for null in ({}, {"head_dim": None}):
            for fewer in ({}, {"num_hidden_layers": 8}):
                try:
                    config = config_class(**given, **SIZES, **fewer, **null)
                except Exception:  # of any kind: null is refused, or these sizes are
                    continue
                published = {key: value for key, value in as_published(config).items() if key not in WIDTHS} | null
                model = _Model(read(published))
                apart = model.family in known.UNSUPPORTED or model.family in known.WITHOUT
                if model.is_known and not apart and not (null and model.family in NO_NULL):
                    yield model, config, published
                break


def turned(of, config):
    """The channels that rotate in the embeddings that this config makes."""
    for embedding in rotary_classes(of):
        try:
            yield from (2 * tensor.numel() for tensor in frequencies(embedding, config).values())
        except Exception:  # of any kind: an embedding of another part of the model
            continue


@pytest.mark.parametrize("folder, stem", SIZED, ids=[folder for folder, _ in SIZED])
def test_the_width_and_the_number_of_heads_that_a_config_leaves_out(folder, stem):
    of = module(folder, stem)
    for model, config, published in sized(of):
        full = as_published(config)
        latent = "qk_rope_head_dim" in published and model.family not in known.VALUES_TURNED_BACK
        if not latent:  # transformers points head_dim at the slice of it that turns
            theirs = full.get("head_dim") or getattr(config, "head_dim", None) or 6144 // 64
            head, turning, _ = model.sizes(model.settings.rope, "default", None)
            assert head == theirs, (model.family, published.get("head_dim", "absent"))
            if not full.get("head_dim"):  # then its own rotation has divided
                found = {*turned(of, config)}
                assert not found or turning in found, (model.family, turning, found)
        wider = {each["head_dim"] for each in full.get("per_layer_config", {}).values() if "head_dim" in each}
        assert wider == {*filter(None, [known.GLOBAL_HEAD_DIM.get(model.family)])}, model.family
        theirs = full.get("num_key_value_heads", full.get("attn_config", {}).get("kv_n_heads"))  # DBRX's stand inside
        if theirs and not latent and model.family not in known.VALUES_TURNED_BACK:
            sizes = memory.found({key: value for key, value in published.items() if key not in {*HEADS, "attn_config"}})
            assert memory._heads(sizes | SIZES, model.family, "", 0) == theirs, model.family


def test_each_family_with_a_width_or_a_number_of_its_own_is_among_them():
    swept = {model.family for folder, stem in SIZED for model, *_ in sized(module(folder, stem))}
    tables = {*known.HEAD_DIM, *known.GLOBAL_HEAD_DIM, *known.DIVIDED_IF_NULL, *known.TIMES_HIDDEN, *known.KV_HEADS}
    assert tables - swept == {*NOT_SIZED}
