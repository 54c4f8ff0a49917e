"""Any published spelling of a rotation's settings, to one canonical form. Nothing is interpreted here."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._arguments import WrongType, number, whole
from .families import HEAD_DIM, ROTATING
from .names import family

Given = list[tuple[str, Any]]  # (spelling, value) pairs of one setting

# Each setting that stands beside the rope settings, and its other spellings. What is not named here is ignored.
BESIDE = {
    "alibi": (),
    "architectures": (),
    "attention_chunk_size": (),
    "attn_layer_indices": (),
    "attn_rotary_emb": (),
    "attn_scale": (),
    "attn_temperature_len": (),
    "attn_temperature_tuning": (),
    "attn_type_list": (),
    "block_configs": (),
    "block_types": ("_block_types",),
    "compress_ratios": (),
    "compress_rope_theta": (),
    "cross_attention_layers": (),
    "dual_chunk_attention_config": (),
    "floor_scale": (),
    "freq_allocation": (),
    "global_attn_every_n_layers": (),
    "full_attention_interval": (),
    "full_attn_idxs": (),
    "global_head_dim": (),
    "head_dim": ("attention_head_dim",),
    "hybrid_layer_ids": (),
    "hybrid_layer_pattern": (),
    "hidden_size": ("n_embd", "d_model"),
    "index_head_dim": ("indexer_head_dim",),
    "indexer_rope_interleave": ("indexer_rope_interleaved",),
    "kv_channels": (),
    "layer_group_size": (),
    "layer_rope_theta": (),
    "layer_types": ("layers_block_type",),
    "layout": (),
    "linear_rope": (),
    "llama_4_scaling": (),
    "local_attention": (),
    "log_scaling_n_floor": (),
    "max_position_embeddings": ("n_positions",),
    "max_window_layers": (),
    "mla_use_nope": ("use_mla_nope",),
    "model_type": (),
    "mrope_interleaved": (),
    "mrope_section": (),
    "no_rope_layer_interval": (),
    "no_rope_layers": (),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_num_attention_heads"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "num_transformer_layers", "decoder_num_hidden_layers"),
    "original_max_position_embeddings": (),
    "padded_vocab_size": (),
    "partial_rotary_factor": (
        "rotary_pct",
        "rope_pct",
        "rotary_percent",
        "rotary_emb_fraction",
        "partial_rotary_factors",
    ),
    "per_layer_config": (),
    "position_encoding_2d": (),
    "position_embedding_type": ("position_embeddings_type",),
    "qk_head_dim": (),
    "qk_nope_head_dim": (),
    "qk_rope_head_dim": (),
    "rope_3d": (),
    "rope_condense_ratio": (),
    "rope_interleaved": ("rope_interleave", "original_rope", "rotary_emb_interleaved"),
    "rope_local_base_freq": ("local_rope_theta", "swa_rope_theta"),
    "rope_parameters": ("rope_scaling", "rope_hf_config"),
    "rope_ratio": (),
    "rope_scaling_layers": (),
    "rope_scaling_factor": (),
    "rope_theta": ("rotary_emb_base", "global_rope_theta", "rope_embedding_base", "rotary_embedding_base", "rope_freq_constant"),
    "rotary_dim": (),
    "rotary_scaling_factor": (),
    "rotary_emb_scale_base": ("rotary_scale_base",),
    "rotary_value": (),
    "seq_length": (),
    "sliding_window": (),
    "sliding_window_pattern": ("_sliding_window_pattern",),
    "swa_head_dim": (),
    "use_dynamic_ntk": (),
    "use_logn_attn": (),
    "use_long_context": (),
    "use_mla": (),
    "use_mem_rope": (),
    "yarn": (),
    "yarn_only_types": (),
    "use_xpos": (),
    "use_scaled_rope": (),
    "use_sliding_window": (),
    "use_rope": ("rope", "rotary", "use_rotary", "use_rotary_embedding", "use_rotary_embeddings", "use_rotary_pos_emb"),
}

# The same for the rope settings themselves.
INSIDE = {
    "alpha": (),
    "attention_factor": (),
    "beta_fast": (),
    "beta_slow": (),
    "factor": (),
    "high_freq_factor": (),
    "layout": (),
    "llama_4_scaling_beta": (),
    "long_factor": (),
    "long_mscale": (),
    "low_freq_factor": (),
    "mrope_interleaved": ("interleaved",),
    "mrope_section": ("xdrope_section",),
    "mscale": (),
    "mscale_all_dim": (),
    "original_max_position_embeddings": (),
    "partial_rotary_factor": (),
    "rope_interleaved": ("rope_interleave",),
    "rope_theta": (),
    "rope_type": ("type",),
    "rotary_dim": (),
    "short_factor": (),
    "short_mscale": (),
    "truncate": (),
}
INSIDE_KIND = ("rope_type", "type")  # the names of the method, the newer first
_MEANT = {  # what other programs call settings of a block, by sense
    **dict.fromkeys(("scale", "scale_factor", "scaling", "scaling_factor", "rope_factor", "rope_scale"), "factor"),
    **dict.fromkeys(("original_context_length", "original_max_position", "original_seq_len"), "original_max_position_embeddings"),
    **dict.fromkeys(("base", "rope_base", "theta"), "rope_theta"),
}
_SAYS_NOTHING = {"attn_factor": 1, "extrapolation_factor": 1}  # vLLM's words for YaRN, by the values that change nothing
_REMARKS = ("finetuned", "max_position_embeddings")  # written into rope settings (Yarn-Llama 2, Ministral 3), read by no code

# Configs that hold a text model's config under a key of its own, and keys of others' attention that concern rotation.
NESTED = ("text_config", "thinker_config", "llm_config", "language_config")
_IN_ATTENTION = ("alibi", "rope", "rope_hf_config", "rope_theta")
# Keys that speak of rotation by their name and say nothing of it, and misspellings that do not even name it.
_SILENT = ("rope_impl", "rope_max_length", "rope_pos_id_version", "use_mrope")
_MISSPELT = {
    "partial_rotary_factor": "rope_fraction rope_percent rope_percentage rotary_fraction rotary_percentage rotary_ratio".split(),
    "head_dim": (
        "attention_head_size d_head dim_head dim_per_head head_dims head_size headdim hidden_size_per_head key_length kv_channel"
    ).split(),
    "hidden_size": ["dim"],
    "rope_theta": "base freq_base rope_base rope_freq_base rotary_base theta".split(),
    "rotary_dim": ["n_rot", "rope_dim", "rope_dims", "rotary_dims"],
    "no_rope_layers": ["nope_layers", "nope_layer", "nope_layer_ids"],
    "no_rope_layer_interval": ["nope_layer_interval", "nope_interval"],
    "rope_parameters": ["yarn_factor", "yarn_scale"],
    "num_key_value_heads": ["key_value_heads"],
    "kv_lora_rank": ["kv_lora_dim"],
}
# Names that speak of rotation without its word, and the values by which they say nothing.
_SPEAKING: Mapping[str, tuple[Any, ...]] = {
    "alpha_value": (1,),
    "compress_pos_emb": (1,),
    "compression_ratio": (1,),
    "extrapolation_factor": (1,),
    "interpolation_factor": (1,),
    "is_neox_style": (),
    "ntk_alpha": (1,),
    "ntk_factor": (1,),
    "position_interpolation_factor": (1,),
    "scaling": (1, False),
    "seq_len_interpolation_factor": (1,),
}
# What a setting holds that is not a number, or numbers by layer.
_HOLDS: Mapping[str, type | tuple[type, ...]] = {
    "model_type": str,
    "rope_parameters": Mapping,
    **dict.fromkeys(("mrope_section", "short_factor", "long_factor"), (list, tuple)),
    **dict.fromkeys(("rope_type", "layout"), str),
    **dict.fromkeys(("rope_interleaved", "mrope_interleaved", "use_rope", "alibi", "use_mem_rope", "use_scaled_rope"), bool),
    "truncate": bool,
}
# Parts of a model that a card of its text leaves out.
_OTHERS = (
    "vision_config",
    "visual",
    "vit_config",
    "vision_tower_config",
    "audio_config",
    "talker_config",
    "depth_decoder_config",
)
# Names of keys that speak of layers without softmax attention, or of attention that is not the same in all.
_MIXERS = re.compile(
    "deltanet|linear_attn|linear_attention|mamba|mixer_types|recurrent|rwkv|short_conv|ssm|swa_|"
    "(attn|attention|global|local|sliding|window).*(layers?|idxs?|index|indices|ids|pattern|period|offset|interval|every_n.*)$"
)
# Settings that are lists, one entry a layer, or the layers that they name.
_LISTS = (
    "attn_layer_indices attn_type_list block_configs block_types compress_ratios cross_attention_layers full_attn_idxs "
    "hybrid_layer_ids hybrid_layer_pattern layer_types no_rope_layers rope_scaling_layers yarn_only_types"
).split()
# Keys of models of images, whose rotation has axes of its own, and of files that hold no settings of this kind.
_AXES = ("axes_dims_rope", "axes_dim_rope", "axes_dims", "axes_dim", "axes_lens", "rope_axes_dim")
# Where null says something: no window, or a width that is not the family's own.
NULL = ("sliding_window", "attention_chunk_size", "head_dim")
_NULL_TOLD = ("partial_rotary_factor", "per_layer_config")  # of which some families' code takes null for whole heads
# Settings that an outer config repeats; all others there may describe another part of the model.
_SHARED = ("rope_theta", "rope_parameters", "partial_rotary_factor", "rotary_dim", "rope_interleaved", "layout", "mrope_section")
_ROTATES_APART = ("musicflamingo",)  # whose outer settings are those of sounds
# Sizes of heads and layers, which a part of a model has of its own.
_SIZES = (
    "global_head_dim head_dim hidden_size kv_channels num_attention_heads num_hidden_layers qk_head_dim qk_nope_head_dim "
    "qk_rope_head_dim swa_head_dim"
).split()
_SEES = ("patch_size", "spatial_patch_size", "spatial_merge_size", "image_size", "deepstack_visual_indexes")
_BLOCKS = ("main", "compress")  # DeepSeek V4's names

ALIASES = {"su": "longrope", "mrope": "default", "no_scaling": "default"}


def _inverse(table: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {spelling: name for name, others in table.items() for spelling in (name, *others)}


_NAME_BESIDE, _NAME_INSIDE = _inverse(BESIDE), _inverse(INSIDE)
# what a misspelt key is held against: not the names that routers and experts come near to
_ROTATING = ["model_type"] + [
    key
    for key in _NAME_BESIDE
    if ("rope" in key or "rotary" in key) and len(key) > 6 and not key.endswith(("_interval", "_layers", "_scaling_factor"))
]


class Settings(NamedTuple):
    """Canonical settings: what stands beside, the rope settings of all layers, and those of one type of layer.

    A type of layer whose settings are None has no rotation. `is_mrope` says that an "mrope" was named; `spelled` is how
    the config names what stands beside, `given` each name with its value; `unread` tells of each key that seems to speak of
    rotation and that is not read; `others` are the configs of other parts of the model, which may rotate in a way of their
    own, `parts` those that hold sizes and are not looked into; `mixers` are keys that speak of layers that differ, and that
    are not read. `sees` is a setting of images in a config without words, and `nested` says that the text model stands
    inside the config. `nulls` are the places of a base that is null, `null_block` that of rope settings that are, or are empty;
    `kind_at` is where the method is named; `nulls_beside` names a part of a head, or sizes by layer, that are null;
    `shared` names, for each type of layer, the settings that its own block does not hold and that stand beside the blocks.
    """

    beside: dict[str, Any]
    rope: dict[str, Any]
    of_type: dict[str, dict[str, Any] | None]
    is_mrope: bool
    spelled: dict[str, str]
    given: dict[str, Given]
    unread: list[str]
    others: list[str]
    parts: list[str]
    mixers: list[str]
    sees: str
    nested: bool
    nulls: list[str]
    null_block: str
    kind_at: str
    nulls_beside: dict[str, list[str]]
    shared: dict[str, list[str]]


def read(config: Mapping[Any, Any]) -> Settings:
    """The canonical form of a published config, which stays as it is."""
    if not isinstance(config, Mapping):
        hint = "; open the file" if isinstance(config, str | Path) else ""
        hint = "; give its to_dict()" if hasattr(config, "to_dict") else hint
        raise WrongType(f"config must be a mapping, as json.load gives it, got {type(config).__name__}{hint}")
    _refuse(config)
    given = _collected(config)
    blocks = given.pop("rope_parameters", [])
    beside = {name: agreed(name, pairs) for name, pairs in given.items()}
    unread = _unread(config)
    if not blocks and _of_deepseek(config):
        block, told = _model_args(config)
        blocks, unread = [("ModelArgs", block)], [*told, *unread]
    rope, of_type, shared, is_mrope = _rope_settings(blocks)
    spelled = {name: next((each for each, _ in pairs if each != name), name) for name, pairs in given.items()}
    spelled["rope_parameters"] = blocks[0][0] if blocks else "rope_parameters"
    for name in _LISTS:
        if not isinstance(beside.get(name, []), list):
            raise WrongType(f"{spelled[name]} must be a list, got {beside[name]!r}")
    if "num_hidden_layers" in beside:
        beside["num_hidden_layers"] = whole(beside["num_hidden_layers"], spelled["num_hidden_layers"], 0)
    levels = levels_of(config)
    if len(levels) > 1 and (outer := family(str(config.get("model_type", "")))) in ROTATING:
        apart = [key for key in _SIZES if config.get(key) is not None and beside.get(key) not in (None, config[key])]
        said = ", ".join(f"{key}={config[key]!r}" for key in apart)
        where = next(key for key in NESTED if isinstance(config.get(key), Mapping))
        unread += [f"{said} of {outer} {'is' if len(apart) == 1 else 'are'} passed over: {where} has its own"] if apart else []
    others = [*dict.fromkeys(where for where in _OTHERS for level in levels if level.get(where))]
    parts = [key for key, value in config.items() if isinstance(value, Mapping) and {"hidden_size", "head_dim"} & {*value}]
    mixers = [str(key) for level in levels for key in level if key not in _NAME_BESIDE and _MIXERS.search(str(key))]
    nested = len(levels) > 1
    words = nested or config.get("vocab_size") is not None
    sees = "" if words else next((f"{key}={config[key]!r}" for key in _SEES if config.get(key) is not None), "")
    nulls, null_blocks = _nulls(config)
    nulls_beside = {
        name: [key for level in levels for key in level if level[key] is None and _NAME_BESIDE.get(key) == name]
        for name in _NULL_TOLD
    }
    block = null_blocks[0] if null_blocks and not any(each for _, each in blocks) else ""
    named = [f"{where}.{key}" for where, each in blocks for key in INSIDE_KIND if each.get(key) is not None]
    told = (nulls, block, named[0] if named else "", nulls_beside, shared)
    return Settings(beside, rope, of_type, is_mrope, spelled, given, unread, others, parts, mixers, sees, nested, *told)


def levels_of(config: Mapping[Any, Any]) -> list[Mapping[Any, Any]]:
    """A config, and those inside it that describe the text model."""
    inner = [config[key] for key in NESTED if isinstance(config.get(key), Mapping)]
    return [config, *(level for each in inner for level in levels_of(each))]


def _nulls(config: Mapping[Any, Any], where: str = "", inside: bool = False) -> tuple[list[str], list[str]]:
    """Where a base is null, beside rope settings and inside them, and where `rope_parameters` are null or empty."""
    bases, blocks = list[str](), list[str]()
    for key, value in config.items():
        name = _NAME_BESIDE.get(key)
        if value is None:
            bases += [f"{where}{key}"] if name == "rope_theta" else []
            blocks += [f"{where}{key}=None"] if key == "rope_parameters" else []
        elif isinstance(value, Mapping) and not value and key == "rope_parameters":
            blocks += [f"{where}{key}={{}}"]
        elif isinstance(value, Mapping) and (inside or key in NESTED or name == "rope_parameters"):
            found = _nulls(value, f"{where}{key}.", inside or name == "rope_parameters")
            bases, blocks = bases + found[0], blocks + found[1]
    return bases, blocks


# ModelArgs of the code beside DeepSeek's own files (inference/model.py), as rope settings: they hold where a file is silent.
_MODEL_ARGS = {
    "rope_theta": ("rope_theta", 10_000.0),
    "rope_factor": ("factor", 40.0),
    "original_seq_len": ("original_max_position_embeddings", 4096),
    "beta_fast": ("beta_fast", 32),
    "beta_slow": ("beta_slow", 1),
    "mscale": ("mscale", 1.0),
}
_MODEL_ARGS_LENGTH = 16_384  # its max_seq_len


def _of_deepseek(config: Mapping[Any, Any]) -> bool:
    """Whether this is a file of DeepSeek's own, before transformers: Mistral's, of the same sizes, say what they scale."""
    keys = {str(key) for key, value in config.items() if value is not None}
    return {"dim", "n_heads", "qk_rope_head_dim"} <= keys and not {"model_type", "head_dim", "yarn", "llama_4_scaling"} & keys


def _model_args(config: Mapping[Any, Any]) -> tuple[dict[str, Any], list[str]]:
    """The rope settings of DeepSeek's own file, and what is said of those that its code fills in."""
    given = {key: config[key] for key in _MODEL_ARGS if config.get(key) is not None}
    block = {name: given.get(key, usual) for key, (name, usual) in _MODEL_ARGS.items()}
    lacking = ", ".join(f"{key} {usual:g}" for key, (_, usual) in _MODEL_ARGS.items() if key not in given)
    told = [f"rope settings are taken from DeepSeek's ModelArgs where the file gives none: {lacking}"] if lacking else []
    longest = config.get("max_seq_len")
    longest = number(_MODEL_ARGS_LENGTH if longest is None else longest, "max_seq_len", above=0)
    if longest <= number(block["original_max_position_embeddings"], "original_seq_len", above=0):
        told.append(f"nothing is scaled, as its code does: max_seq_len={longest:,.10g} is within the trained length")
        return {"rope_theta": block["rope_theta"]}, told
    return block | {"rope_type": "yarn", "mscale_all_dim": block["mscale"]}, told  # its softmax has the temperature, squared


def _refuse(config: Mapping[Any, Any]) -> None:
    """Files of another kind, whose settings would be read amiss."""
    for key in config:
        if str(key).startswith("general.") or str(key).endswith(".rope.freq_base"):
            raise ValueError(f"config must be a config.json, got the header of a GGUF file ({key!r}), which is not read")
    for key in _AXES:
        if config.get(key) is not None:
            raise ValueError(f"config must be that of a text model, got {key}={config[key]!r}: it turns by axes of an image")
    if "_class_name" in config:
        name = config["_class_name"]
        raise ValueError(f"config must be that of a text model, got _class_name={name!r}: a part of a pipeline of diffusers")


def agreed(name: str, given: Iterable[tuple[str, Any]], default: Any = None) -> Any:
    """The one value that all (spelling, value) pairs agree on; None is no value."""
    given = [(spelling, value) for spelling, value in given if value is not None]
    if any(value != given[0][1] for _, value in given[1:]):
        spelled = ", ".join(f"{spelling}={value!r}" for spelling, value in given)
        raise ValueError(f"{name} must be the same wherever it is given, got {spelled}")
    return given[0][1] if given else default


def mapping(name: str, value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise WrongType(f"{name} must be a mapping, got {value!r}")
    return value


def _collected(config: Mapping[Any, Any], where: str = "") -> dict[str, Given]:
    """What a config and those inside it say of each setting."""
    found: dict[str, Given] = {}
    for key, value in config.items():
        name = _NAME_BESIDE.get(key)
        if key == "rotary" and isinstance(value, Mapping) and config.get("model_type") == "internlm":
            name, value = "rope_parameters", _internlm(value)
        if name is not None and (value is not None or name in NULL):
            found.setdefault(name, []).append((where + key, _plain(value)))
    if "model_type" not in config and config.get("dim") is not None:  # params.json, which Meta and Mistral keep beside weights
        found.setdefault("hidden_size", []).append((where + "dim", _plain(config["dim"])))
    attention = mapping("attn_config", config.get("attn_config") or {})
    for key in _IN_ATTENTION:
        if attention.get(key) is not None and not (key == "rope_hf_config" and _by_dail(attention)):
            found.setdefault(_NAME_BESIDE[key], []).append((f"{where}attn_config.{key}", _plain(attention[key])))
    if _by_dail(attention) and (attention.get("rope_dail_config") or {}).get("type") == "xpos":
        found.setdefault("use_xpos", []).append((f"{where}attn_config.rope_dail_config.type", "xpos"))
    inner: dict[str, Given] = {}
    for key in NESTED:
        if config.get(key) is not None:
            for name, pairs in _collected(mapping(where + key, config[key]), f"{where}{key}.").items():
                inner.setdefault(name, []).extend(pairs)
    if {"model_type", *_SIZES} & {*inner}:  # a part that says what it is has its own sizes, or its family's
        found = {name: pairs for name, pairs in found.items() if name not in _SIZES}
    if inner and config.get("model_type") in _ROTATES_APART:
        found = {name: pairs for name, pairs in found.items() if name not in _SHARED}
    for name, pairs in inner.items():
        found[name] = [*found.get(name, ()), *pairs] if name in _SHARED else pairs
    wide = found.get("head_dim", [])
    if any(spelling.endswith("attention_head_dim") and value is not None for spelling, value in wide):
        found.pop("kv_channels", None)  # Zamba 2, whose kv_channels no layer reads
    if "kv_channels" in found:
        found.setdefault("head_dim", []).extend(found.pop("kv_channels"))
    return found


def _by_dail(attention: Mapping[Any, Any]) -> bool:
    """Whether MPT's rotation is that of flash-attention, its default, which reads no rope_hf_config."""
    return (attention.get("rope_impl") or "dail") == "dail"


def _internlm(rotary: Mapping[Any, Any]) -> dict[str, Any]:
    """The block of InternLM's first models, in the words of the others."""
    others = {"base": "rope_theta", "type": "rope_type", "scaling_factor": "factor"}
    block = {others.get(str(key), str(key)): value for key, value in rotary.items()}
    if block.get("rope_type") == "dynamic":
        block.setdefault("factor", 1.0)
    return block | {"rope_type": "default"} if block.get("rope_type") == "origin" else block


_KV_HEADS = ("num_key_value_heads", "n_kv_heads", "num_kv_heads")  # read for the cache alone


def _bare_name(key: str) -> str:
    """A key without what a slip adds or leaves out: underscores, and the s of a plural."""
    return key.replace("_", "").removesuffix("s")


# Sizes and lists that a card reads, by their bare names: a key that differs by no more is a slip.
_SLIPS = {_bare_name(name): name for name in [*_NAME_BESIDE, *_KV_HEADS]}


# Longer ones, of which a card tells more than of any other: a letter or two too many or too few.
_OF_CARDS = ("layer_types", "sliding_window", "sliding_window_pattern", "num_key_value_heads", "kv_lora_rank")
_NO_REMARK = {*_NAME_BESIDE, *_KV_HEADS, *_OF_CARDS, *_SILENT}


@lru_cache(4096)  # the names of a config are few and the same for every layer
def _meant(key: str) -> list[str]:
    """The setting that a key is taken to misspell, if any."""
    slip = _SLIPS.get(_bare_name(key))
    named = [name for name, others in _MISSPELT.items() if key in others]
    near = [] if slip or "num_key_value" in key[1:] else get_close_matches(key, _OF_CARDS, 1, 0.93)  # "swa_num_key_value_heads"
    return named or ([slip] if slip else []) or near or get_close_matches(key, _ROTATING, 1, 0.8)


def _unread(config: Mapping[Any, Any], where: str = "") -> list[str]:
    """A remark on each key beside the rope settings that seems to speak of rotation, has a value, and is not read."""
    said = []
    attention = config.get("attn_config")
    if isinstance(attention, Mapping) and attention.get("rope_hf_config") and _by_dail(attention):
        block = attention["rope_hf_config"]
        if not isinstance(block, Mapping) or block.get("type", "no_scaling") != "no_scaling":
            but = f"the code of mpt reads it where rope_impl is 'hf', got {attention.get('rope_impl')!r}"
            said.append(f"{where}attn_config.rope_hf_config is passed over: {but}")
    for key, value in config.items():
        if key in NESTED and isinstance(value, Mapping):
            said += _unread(value, f"{where}{key}.")
        if not isinstance(key, str) or key in _NO_REMARK or value is None or (key in _MODEL_ARGS and _of_deepseek(config)):
            continue
        plain = key.lower()
        meant = _meant(plain)
        if "head_dim" in meant and _divided(config) == value:
            continue
        if (
            _says_nothing(plain, value)
            or any(config.get(each) == value for each in meant)
            or (plain == "dim" and ("model_type" not in config or _wide(config)))
        ):
            continue
        if meant or "rope" in plain or "rotary" in plain or plain in _SPEAKING:
            hint = ""
            if plain == "rope_type":
                hint = "; it is read inside rope_parameters"
            elif meant and _fits(value, _NAME_BESIDE.get(meant[0], meant[0])):
                hint = f"; the nearest that is read is {meant[0]!r}"
            said.append(f"{where}{key} is not read, got {value!r}{hint}")
    return said


def _says_nothing(plain: str, value: Any) -> bool:
    """Whether a name that speaks of rotation holds a value by which it says nothing; true is no 1."""
    return any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in _SPEAKING.get(plain, ()))


def _divided(config: Mapping[Any, Any]) -> Any:
    """The width of a head that follows from the hidden size, unless its family has one of its own."""
    if config.get("head_dim") is None and family(str(config.get("model_type", ""))) in HEAD_DIM:
        return None
    width, heads = config.get("hidden_size"), config.get("num_attention_heads")
    return width // heads if isinstance(width, int) and isinstance(heads, int) and heads > 0 else None


def _wide(config: Mapping[Any, Any]) -> bool:
    return any(config.get(key) is not None for key in ("hidden_size", *BESIDE["hidden_size"]))


def _fits(value: Any, name: str, inside: bool = False) -> bool:
    """Whether a value is of the kind that a setting holds, beside or inside the rope settings: a hint at another misleads."""
    if name in _HOLDS:
        return isinstance(value, _HOLDS[name])
    return not isinstance(value, bool | str | list | tuple if inside else bool | str | Mapping)


def _rope_settings(
    blocks: Given,
) -> tuple[dict[str, Any], dict[str, dict[str, Any] | None], dict[str, list[str]], bool]:
    """One form of the rope settings, from the block of one generation of configs or of two, compared key by key."""
    flat: dict[str, Given] = {}
    beside_nested: dict[str, Given] = {}
    nested: dict[str, dict[str, Given]] = {}
    still: set[str] = set()
    for where, block in blocks:
        inside = {key: value for key, value in mapping(where, block).items() if isinstance(value, Mapping)}
        absent = {str(k) for k, v in block.items() if v is None and (str(k).endswith("_attention") or k in _BLOCKS)}
        by_type = bool(inside or absent)
        own = _named({key: value for key, value in block.items() if key not in inside and key not in absent}, where)
        for name, pairs in own.items():
            (beside_nested if by_type else flat).setdefault(name, []).extend(pairs)
        for key, value in inside.items():
            for name, pairs in _named(value, f"{where}.{key}").items():
                nested.setdefault(key, {}).setdefault(name, []).extend(pairs)
            nested.setdefault(key, {})
        still |= absent
    if nested and flat:  # an older block is that of the global layers
        for key in {"full_attention"} & {*nested} or {*nested}:
            for name, pairs in flat.items():
                nested[key].setdefault(name, []).extend(pairs)
        flat = {}
    for name, pairs in beside_nested.items():
        flat.setdefault(name, []).extend(pairs)
    rope, mrope = _settled(flat)
    of_type: dict[str, dict[str, Any] | None] = dict.fromkeys(sorted(still - {*nested}))
    shared: dict[str, list[str]] = {}
    for key, names in nested.items():
        own_settings, own_mrope = _settled(names)
        shared[key] = [name for name in rope if name not in own_settings]
        of_type[key], mrope = {**rope, **own_settings}, mrope or own_mrope
    return rope, of_type, shared, mrope


def _settled(names: dict[str, Given]) -> tuple[dict[str, Any], bool]:
    kinds = names.get("rope_type", [])
    names = {**names, "rope_type": [(spelling, _bare(kind)) for spelling, kind in kinds]}
    is_mrope = any(kind == "mrope" for _, kind in kinds)
    settled = {name: agreed(name, pairs) for name, pairs in names.items()}
    return {name: value for name, value in settled.items() if value is not None}, is_mrope


def _bare(kind: Any) -> Any:
    kind = kind.partition(" (")[0] if isinstance(kind, str) else kind  # a remark in brackets is no part of the name
    return ALIASES.get(kind, kind) if isinstance(kind, str) else kind


def _named(block: Mapping[Any, Any], where: str) -> dict[str, Given]:
    """The settings of a block under their canonical names. A key that no method reads is refused."""
    found: dict[str, Given] = {}
    for key, value in block.items():
        name = _NAME_INSIDE.get(key) if isinstance(key, str) else None
        if value is None or key in _REMARKS or (key in _SAYS_NOTHING and value == _SAYS_NOTHING[key]):
            continue
        if name is None:
            near = [] if key == "extrapolation_factor" else _near_inside(str(key), value)
            hint = f"the nearest that is read is {near[0]!r}" if near else f"those that are read: {', '.join(INSIDE)}"
            raise ValueError(f"{where} must hold settings that a rotation reads, got {key!r}; {hint}")
        found.setdefault(name, []).append((f"{where}.{key}", _plain(value)))
    return found


def _near_inside(key: str, value: Any) -> list[str]:
    """The settings of a block that a key may be a slip of, and that may hold such a value."""
    if key in _MEANT and _fits(value, _MEANT[key], inside=True):
        return [_MEANT[key]]
    guessed = get_close_matches(key, _NAME_INSIDE, 3, 0.5)
    fit = [each for each in guessed if _fits(value, _NAME_INSIDE[each], inside=True)]
    return get_close_matches(key, _NAME_INSIDE, 1, 0.9) or fit


def _plain(value: Any) -> Any:
    """A copy, with arrays as lists and NumPy's scalars as Python's, so that settings can be compared."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
