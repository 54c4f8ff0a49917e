"""What a card says beside the rotation, against what transformers does: the cache, and which layers are of which kind."""

import pytest
from families import as_published, kept, module, rotary_classes, rotary_families, text_models
from test_families import GIVEN, text_configs

from ropelib.config import families as known
from ropelib.config import memory
from ropelib.config.builder import _Model
from ropelib.config.cards import _layers
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
            if more and family not in known.LATER_SLIDE:
                continue
            try:
                listed = as_published(type(config)(**silent | more))
                want = kinds(listed)
            except Exception:  # of any kind: no model by default, or one that other tests know to be refused
                continue
            assert kinds(silent | more) == want, (family, more)


PARTS = {"rope_parameters", "rope_theta", "partial_rotary_factor"}


def frequencies(embedding, config):
    return {
        key: tensor for key, tensor in embedding(config).named_buffers() if key.endswith("inv_freq") and "original" not in key
    }


@pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])
def test_whose_code_passes_over_a_part(folder, stem):
    """A warning says so of families whose frequencies stay as they are with half of the head asked for."""
    of = module(folder, stem)
    for config in text_configs(of):
        family = _Model(read(as_published(config))).family
        if family not in known.WHOLE_HEADS:
            continue
        whole = {key: value for key, value in as_published(config).items() if key not in PARTS} | {"rope_theta": 1e4}
        for embedding in rotary_classes(of):
            try:
                plain = frequencies(embedding, type(config)(**whole))
                half = frequencies(embedding, type(config)(**whole, partial_rotary_factor=0.5))
            except Exception:  # of any kind: an embedding of another part of the model
                continue
            assert all((plain[key] == half[key]).all() for key in plain), family
