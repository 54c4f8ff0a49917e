"""A model's published settings, in the spellings in use, to the rotation that it runs."""

import warnings
from collections.abc import Mapping
from functools import partial

import numpy as np

from . import scaling
from ._arguments import LAYOUTS, WrongType, choice, even, flag, number, whole
from .axes import mrope_axes
from .rope import Rope

_ORIGINAL = "original_max_position_embeddings"
_YARN_MAY_HAVE = ("beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim")

# Each type of scaling: its function, the settings it must have, and those it may have.
_METHODS = {
    "default": (scaling.linear, (), ()),
    "linear": (scaling.linear, ("factor",), ()),
    "ntk": (scaling.ntk, ("factor",), ()),
    "dynamic": (scaling.dynamic_ntk, ("factor", "max_position_embeddings"), ()),
    "yarn": (scaling.yarn, ("factor", _ORIGINAL), _YARN_MAY_HAVE),
    "longrope": (scaling.longrope, ("short_factor", "long_factor", _ORIGINAL), ("factor", "attention_factor")),
    "llama3": (scaling.llama3, ("factor", "low_freq_factor", "high_freq_factor", _ORIGINAL), ()),
    "proportional": (scaling.proportional, (), ("factor", "partial_rotary_factor")),
}
_ALIASES = {"su": "longrope", "mrope": "default", "no_scaling": "default"}
_NEEDS_TYPE = ("factor", "alpha", "short_factor", "long_factor", "low_freq_factor", "high_freq_factor")
_LAYERS = ("full_attention", "sliding_attention", "chunked_attention")

_SPELLINGS = {
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "hidden_size": ("hidden_size", "n_embd", "d_model"),
    "max_position_embeddings": ("max_position_embeddings", "n_positions"),
    "num_attention_heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "partial_rotary_factor": ("partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_percent", "rotary_emb_fraction"),
    "rope_interleaved": ("rope_interleaved", "rope_interleave", "original_rope", "rotary_emb_interleaved"),
    "rope_local_base_freq": ("rope_local_base_freq", "local_rope_theta", "swa_rope_theta"),
    "rope_parameters": ("rope_parameters", "rope_scaling", "rope_hf_config"),
    "rope_theta": ("rope_theta", "rotary_emb_base", "global_rope_theta", "rope_embedding_base"),
}

# Settings that some keep in an `attn_config` of their own, that some give layer by layer, or by a name of their own.
_IN_ATTENTION = ("alibi", "rope_hf_config", "rope_theta")
_BY_LAYER = ("head_dim", "qk_nope_head_dim", "qk_rope_head_dim")
_HEAD_OF = {"full_attention": "global_head_dim", "sliding_attention": "swa_head_dim"}
# No rotation, or one whose scaling is spelled unlike any other and not read.
_UNREAD = ("alibi", "rope_scaling_factor", "rotary")

# What a family's own code does where its configs are silent.
_INTERLEAVED = (
    "blt chatglm codegen cohere cohere2 cohere2_moe deepseek_v2 deepseek_v3 deepseek_v32 ernie4_5 ernie4_5_moe glm "
    "glm4 glm4_moe_lite glm4v glm_moe_dsa glm_ocr gptj helium llama4 longcat_flash mistral4 moonshine roformer youtu"
).split()
_HALF_ROTATES = "chatglm glm glm4 glm4_moe nemotron persimmon phi recurrent_gemma".split()
_SILENT = {
    "partial_rotary_factor": dict.fromkeys(_HALF_ROTATES, 0.5) | dict.fromkeys("gpt_neox qwen3_next stablelm".split(), 0.25),
    "rope_theta": dict.fromkeys("mixtral phimoe gemma3 gemma3n".split(), 1e6)
    | dict.fromkeys("cohere llama4 olmo3".split(), 5e5)
    | {"gpt_oss": 1.5e5, "smollm3": 2e6},
    "rope_local_base_freq": {"gemma3": 1e4, "gemma3n": 1e4},
    "head_dim": dict.fromkeys("gemma gemma2 gemma3 gemma3n qwen3_next".split(), 256) | {"gpt_oss": 64},
}


def from_config(config, *, seq_len=None, layer_type=None):
    """The rotation that a model's published settings describe.

    Parameters
    ----------
    config : mapping
        What its `config.json` holds. Read: `rope_parameters`, or the older `rope_scaling` with `rope_theta`, flat or by
        layer type, `type` beside `rope_type`; `head_dim`, or `hidden_size / num_attention_heads`, and the older names
        of each (`n_embd`, `n_head`, `kv_channels`, `qk_rope_head_dim`, `rotary_pct`, `rotary_emb_base`, ...);
        `partial_rotary_factor` inside or beside; `rotary_dim`; `mrope_section` with `mrope_interleaved`; `layout` or
        `rope_interleaved`; `model_type`, for what its family leaves unsaid; `text_config`, for models that also see.
        Null is absent; keys that no rotation reads are ignored.
    seq_len : float, optional
        Length of the sequence, for types that depend on it (dynamic, longrope): frequencies are then fixed. If not
        given, `Rope` takes each sequence's length from its positions.
    layer_type : str, optional
        "full_attention", "sliding_attention", ..., where layers differ.

    Returns
    -------
    Rope

    Raises
    ------
    TypeError, ValueError
        If a setting is missing, of the wrong type or out of its range, if two spellings disagree, or if the type of
        scaling is not known.

    Warns
    -----
    UserWarning
        If the `factor` of YaRN or LongRoPE is not the ratio of the two lengths given: the factor is used.

    References
    ----------
    Hugging Face transformers 5, `modeling_rope_utils.py`, and the families' own code.

    Examples
    --------
    >>> rope = from_config({"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0})
    >>> rope.rotary_dim, rope.layout
    (128, 'half')
    """
    if not isinstance(config, Mapping):
        raise WrongType(f"config must be a mapping, as json.load gives it, got {type(config).__name__}")
    if seq_len is not None:
        seq_len = number(seq_len, "seq_len", above=0)
    config = _plain({**config, **_mapping("text_config", config)})
    attention = _mapping("attn_config", config)
    for key in _IN_ATTENTION:
        config[key] = _agreed(key, [(key, config.get(key)), (f"attn_config.{key}", attention.get(key))])
    for key in _UNREAD:
        if config.get(key) and not (key == "rope_scaling_factor" and config[key] == 1):
            need = "config must be that of a model with RoPE, scaled by rope_parameters or rope_scaling"
            raise ValueError(f"{need}, got {key}={config[key]!r}")
    family = str(config.get("model_type", "")).removesuffix("_text")
    rope, base, layer_type = _parameters(config, layer_type, family)
    kind = _kind(rope)
    config = _of_layer(config, layer_type)
    head_dim, rotary_dim = _sizes(config, rope, kind, layer_type, family)
    at, depends = _frequencies(config, rope, kind, rotary_dim, base, family)
    layout, axes, softmax_factor = _layout(config, rope, family), _axes(config, rope, rotary_dim // 2), 1.0
    if kind == "yarn" and "qk_rope_head_dim" in config and "mscale_all_dim" in rope:
        softmax_factor = scaling.temperature(rope.get("factor", _ratio(config, rope)), rope["mscale_all_dim"]) ** 2
    by_length = at if depends and seq_len is None else None
    return Rope(*at(seq_len), softmax_factor, head_dim, rotary_dim, layout, axes, by_length)


def _plain(value):
    """A copy, with arrays as lists and NumPy's scalars as Python's, so that settings can be compared."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _mapping(name, config):
    value = _look(name, config, default={})
    if not isinstance(value, Mapping):
        raise WrongType(f"{name} must be a mapping, got {value!r}")
    return value


def _of_layer(config, layer_type):
    """The config with what all layers of the type give themselves."""
    each, named = _mapping("per_layer_config", config), config.get("layer_types")
    layers = {str(key).lstrip("0") or "0": _mapping(key, each) for key in each}
    indices = [i for i, name in enumerate(named if isinstance(named, list) else ()) if layer_type in (None, name)]
    of_type = [layers.get(str(i), {}) for i in indices] or [*layers.values(), config]
    for key in _BY_LAYER:
        given = [(key, own.get(key, config.get(key))) for own in of_type]
        config = config | {key: _agreed(f"{key} of layers of one type", given)}
    return {key: value for key, value in config.items() if value is not None}


def _agreed(name, given, default=None):
    """The one value that all (spelling, value) pairs agree on; None is no value."""
    given = [(spelling, value) for spelling, value in given if value is not None]
    if any(value != given[0][1] for _, value in given[1:]):
        spelled = ", ".join(f"{spelling}={value!r}" for spelling, value in given)
        raise ValueError(f"{name} must be the same wherever it is given, got {spelled}")
    return given[0][1] if given else default


def _look(name, *sources, default=None):
    """What the sources say of a setting under any of its spellings."""
    spellings = _SPELLINGS.get(name, (name,))
    return _agreed(name, [(key, source.get(key)) for source in sources for key in spellings], default)


def _kind(rope):
    names = []
    for key in ("rope_type", "type"):
        name = rope.get(key)
        if isinstance(name, str):
            name = name.partition(" (")[0]  # a remark in brackets is no part of the name
            name = _ALIASES.get(name, name)
        names.append((key, name))
    kind = choice(_agreed("rope_type", names, "default"), "rope_type", tuple(_METHODS))
    given = [f"{key}={rope[key]!r}" for key in _NEEDS_TYPE if kind == "default" and rope.get(key) not in (None, 1)]
    if given:
        known = ", ".join(map(repr, _METHODS))
        raise ValueError(f"rope_type must be that of a scaling with {', '.join(given)}, one of {known}, got {names[0][1]!r}")
    return kind


def _parameters(config, layer_type, family):
    """Settings of the rotation for one type of layer, its base, and the type."""
    given = _mapping("rope_parameters", config)
    nested = {key: value for key, value in given.items() if isinstance(value, Mapping)}
    silent, local = _SILENT["rope_theta"].get(family, 10_000.0), _look("rope_local_base_freq", config)
    if not nested:
        base = _look("rope_theta", given, config, default=silent)
        if local is None:  # OLMo 3 has one base, which only its global layers extend
            local = base if family == "olmo3" else _SILENT["rope_local_base_freq"].get(family)
        if local == base and _kind(given) == "default":
            local = None
    known = [*nested] if nested else [*_LAYERS[:2]] if local is not None else None
    alike = all(given[key] == given[known[0]] for key in given if nested and key in (*nested, *_LAYERS))
    if nested and alike and layer_type is None:
        layer_type = known[0]
    if known and layer_type is None:
        raise ValueError(f"layer_type must be one of {', '.join(map(repr, known))}, which rotate differently, got None")
    if layer_type is not None:
        named = config.get("layer_types")
        choice(layer_type, "layer_type", known or [*_LAYERS, *(named if isinstance(named, list | tuple) else ())])

    rope = {**given, **nested[layer_type]} if nested else given
    if layer_type == "sliding_attention" and local is not None:
        rope, base = (rope, _look("rope_theta", rope, default=local)) if nested else ({}, local)
    elif nested:  # what stands beside is the default of all layers
        base = _look("rope_theta", rope, default=_look("rope_theta", config, default=silent))
    ratio = number(_look("rope_ratio", config, default=1), "rope_ratio", above=0)
    rope = {key: value for key, value in rope.items() if value is not None}
    return rope, number(base, "rope_theta", above=0) * ratio, layer_type


def _sizes(config, rope, kind, layer_type, family):
    """Channels of a head, and those of them that rotate."""
    part, latent = _look("partial_rotary_factor", rope, config), _look("qk_rope_head_dim", config)
    rotary = _look("rotary_dim", rope, config)
    if latent is not None:
        head, part = even(latent, "qk_rope_head_dim"), None if part == 1 else part
        given = None if part is None else _look("head_dim", config)
        apart = _look("qk_nope_head_dim", config)
        summed = None if apart is None else head + whole(apart, "qk_nope_head_dim", 0)
        head = _agreed("qk_head_dim", [("sum", summed), ("qk_head_dim", _look("qk_head_dim", config))], given or head)
        wide = whole(head if given is None else given, "head_dim")
    else:
        if "attention_head_dim" in config:  # Zamba 2, whose kv_channels no layer reads
            config = config | {"kv_channels": None}
        head = _look(_HEAD_OF.get(layer_type, ""), config)
        head = _look("head_dim", config, default=_SILENT["head_dim"].get(family)) if head is None else head
        head = wide = _head_dim(config) if head is None else whole(head, "head_dim")
        if kind == "proportional":
            return head, even(head, "head_dim")
        if rotary is None and part is None:
            part = _SILENT["partial_rotary_factor"].get(family, 1.0)
    if part is not None:
        part = scaling.channels(wide, scaling.fraction(part, "partial_rotary_factor"))
    spelled = [("rotary_dim", rotary), ("qk_rope_head_dim", latent), ("head_dim * partial_rotary_factor", part)]
    rotary = even(_agreed("rotary_dim", spelled), "rotary_dim")
    if rotary > head:
        raise ValueError(f"rotary_dim must be at most head_dim, got {rotary} and {head}")
    return head, rotary


def _head_dim(config):
    width, heads = _look("hidden_size", config), _look("num_attention_heads", config)
    if width is None or heads is None:
        raise ValueError(f"config must have head_dim, or hidden_size and num_attention_heads, got {sorted(map(str, config))}")
    width, heads = whole(width, "hidden_size"), whole(heads, "num_attention_heads")
    if width % heads:
        raise ValueError(f"hidden_size must be a multiple of num_attention_heads, got {width} and {heads}")
    return width // heads


def _layout(config, rope, family):
    interleaved = _look("rope_interleaved", config, rope)
    if interleaved is not None:
        interleaved = "interleaved" if flag(interleaved, "rope_interleaved") else "half"
    # GPT-J's own keys, and those of multi-head latent attention, tell where the family is not named
    unnamed = not family and "n_embd" in config and "rotary_dim" in config
    latent = "qk_rope_head_dim" in config and family != "minicpm3"
    default = "interleaved" if family in _INTERLEAVED or unnamed or latent else "half"
    layout = _agreed("layout", [("layout", _look("layout", config, rope)), ("rope_interleaved", interleaved)], default)
    return choice(layout, "layout", LAYOUTS)


def _axes(config, rope, pairs):
    section = _look("mrope_section", rope, config)
    if section is None:
        if "mrope" in (rope.get("type"), rope.get("rope_type")):
            raise ValueError(f"rope_parameters must have 'mrope_section' for rope_type 'mrope', got {sorted(map(str, rope))}")
        return None
    axes = mrope_axes(section, interleaved=rope.get("mrope_interleaved", False))
    if len(axes) != pairs:
        raise ValueError(f"mrope_section must sum to the {pairs} pairs that rotate, got {section}")
    return axes


def _ratio(config, rope):
    """The extended length over the trained one, where both are given."""
    longest, original = _look("max_position_embeddings", config), _look(_ORIGINAL, rope, config)
    if longest is None or original is None:
        return None
    return number(longest, "max_position_embeddings", above=0) / number(original, _ORIGINAL, above=0)


def _frequencies(config, rope, kind, rotary_dim, base, family):
    """A function of the sequence's length (or None) to (inv_freq, attention_factor), and whether it depends on it."""
    stepwise = flag(_look("use_dynamic_ntk", config, default=False), "use_dynamic_ntk")
    original, longest = _look(_ORIGINAL, rope, config), _look("max_position_embeddings", config)
    values = rope | {"partial_rotary_factor": _look("partial_rotary_factor", rope, config), _ORIGINAL: original}
    fixed = {"factor": 1.0} if kind == "default" else {}
    if kind == "default" and stepwise:  # Qwen's first models
        kind, fixed, longest = "dynamic", {"stepwise": True}, _look("seq_length", config, default=longest)
        values["factor"] = 1.0
    elif kind == "dynamic" and "alpha" in rope:  # Hunyuan: a fixed alpha is the static method
        kind, values["factor"] = "ntk", rope["alpha"]
    elif kind in ("yarn", "longrope"):
        values.setdefault("factor", _ratio(config, rope))
    elif kind == "llama3":
        fixed = {"step": family == "llama4"}
    values["max_position_embeddings"] = longest if original is None else original

    _, required, optional = _METHODS[kind]
    for key in required:
        if values.get(key) is None:
            raise ValueError(f"rope_parameters must have {key!r} for rope_type {kind!r}, got {sorted(map(str, rope))}")
    settings = fixed | {key: values[key] for key in required + optional if values.get(key) is not None}
    ratio = _ratio(config, rope)
    used = kind == "yarn" or (kind == "longrope" and "attention_factor" not in settings)
    if used and ratio not in (None, 1, settings.get("factor")):
        but = f"though max_position_embeddings / {_ORIGINAL} is {ratio:g}"
        warnings.warn(f"factor={settings['factor']!r} is used, {but}", stacklevel=3)

    given = [side for side in ("short_mscale", "long_mscale") if kind == "longrope" and side in rope]  # Phi-3.5-MoE
    sides = {side: number(rope[side], side, least=0) for side in given}
    return partial(_scaled, kind, rotary_dim, base, settings, sides), kind in ("dynamic", "longrope")


def _scaled(kind, rotary_dim, base, settings, sides, length):
    """What the method gives for a length, or within the trained length for None."""
    own = {}
    if kind == "dynamic":
        own["seq_len"] = settings["max_position_embeddings"] if length is None else length
    if kind == "longrope":
        own["seq_len"] = length
        side = "long_mscale" if length is not None and length > settings[_ORIGINAL] else "short_mscale"
        if side in sides:
            own["attention_factor"] = sides[side]
    return _METHODS[kind][0](rotary_dim, base, **(own | settings))
