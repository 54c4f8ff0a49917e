"""What the keys and values of one token take in the cache of one layer, or why no number can be given."""

from collections.abc import Mapping
from typing import Any

from .._arguments import whole
from ..rope import Rope
from . import families as known
from .spellings import levels_of

# How many heads have keys of their own: one setting's names, those inside attn_config among them. "multi_query_group_num"
# and "num_query_groups" count unless the switch beside them is off.
_HEADS = ("num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv", "kv_n_heads", "num_attention_groups")
_HEADS += ("decoder_num_key_value_heads", "num_key_value_heads_per_layer", "num_multi_query_heads")
_SWITCHED = {"multi_query_group_num": "multi_query_attention", "num_query_groups": "group_query_attention"}
_WHOLE = {*_HEADS, *_SWITCHED, "kv_lora_rank", "swa_kv_lora_rank", "qk_rope_head_dim", "v_head_dim", "swa_v_head_dim"}
_WHOLE |= {"swa_num_key_value_heads", "num_global_key_value_heads", "sliding_window", "attention_chunk_size"}
_WHOLE |= {"num_kv_shared_layers", "cla_share_factor", "attention_window_size", "index_head_dim", "local_attention"}
_READ = _WHOLE | {*_SWITCHED.values(), "multi_query", "new_decoder_architecture", "attn_type", "attention_k_eq_v", "use_cla"}
_READ |= {"is_decoder", "use_bidirectional_attention", "cross_attention_layers", "block_configs"}
_LENGTHS = ("seq_length", "max_seq_len", "model_max_length", "max_sequence_length", "max_context_length", "n_ctx")
_OF_LAYER = ("num_key_value_heads", "kv_lora_rank", "v_head_dim", "num_attention_heads")


def found(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the cache depends on, in the config or in the text part of it; what stands inside counts."""
    levels = [part for each in levels_of(config) for part in (each, each.get("attn_config")) if isinstance(part, Mapping)]
    sizes = {name: each[name] for each in levels for name in (*_READ, *_LENGTHS) if each.get(name) is not None}
    for name in _WHOLE & sizes.keys():
        for each in sizes[name] if name in _HEADS and isinstance(sizes[name], list) else [sizes[name]]:
            whole(each, name, -1)  # -1 for none, as windows are published
    return {**sizes, "length": next((sizes[name] for name in _LENGTHS if name in sizes), None)}


def differs(settings: Mapping[str, Any], family: str) -> bool:
    """Whether layers that turn alike may differ in what they keep."""
    lists = any(isinstance(settings.get(name), list) for name in _HEADS)
    lists = lists or bool(settings.get("cross_attention_layers") or settings.get("block_configs"))
    return lists or bool(settings.get("use_cla") or settings.get("num_kv_shared_layers", known.KV_SHARED.get(family)))


def cache(rope: Rope, settings: Mapping[str, Any], family: str, kind: str, layer: int | None) -> tuple[int | None, str]:
    """Bytes a token at 2 bytes a number; or None, and the reason."""
    each = settings.get("per_layer_config") or {}
    own: Mapping[str, Any] = next((each[key] for key in each if str(key).lstrip("0") == str(layer or "")), {})
    settings = {**settings, **{key: own[key] for key in _OF_LAYER if own.get(key) is not None}}
    sliding = kind.startswith("sliding")
    if reads_both_ways(settings, family):
        return None, "none, for an encoder reads all at once"
    if layer is not None and layer in (settings.get("cross_attention_layers") or ()):
        return None, "none of the text, but keys of the image"
    if _shared(settings, family, layer):
        return None, "none of its own, but the keys of an earlier layer"
    if rope.rotates_values:  # one vector is key and value
        return (2 * int(rope.head_dim or 0), "") if sliding else (None, "one vector for several tokens, not counted")
    rank = (settings.get("swa_kv_lora_rank") if sliding else None) or settings.get("kv_lora_rank")
    if settings.get("qk_rope_head_dim"):
        turning = settings["qk_rope_head_dim"] if rope.rotary_dim else 0
        each_token = known.ATTENTIONS.get(family, 1) * 2 * (int(rank or 0) + int(turning))
        return (each_token, "") if rank else (None, "kv_lora_rank is not given")
    heads = _heads(settings, family, kind, layer)
    if heads is None:
        return None, "the number of key-value heads is not given"
    value = (settings.get("swa_v_head_dim") if sliding else None) or settings.get("v_head_dim") or rope.head_dim
    return 2 * heads * (int(rope.head_dim or 0) + int(value or 0)), ""


def reads_both_ways(settings: Mapping[str, Any], family: str) -> bool:
    """Whether a token sees those after it, in a model of text that keeps no cache."""
    decodes = settings.get("is_decoder") or str(settings.get("model_type", "")).endswith("decoder")
    return settings.get("use_bidirectional_attention") is True or (family in known.ENCODERS and not decodes)


def _shared(settings: Mapping[str, Any], family: str, layer: int | None) -> bool:
    """Whether a layer looks at the keys of another: the last few of Gemma 3n, all but each n-th of Hunyuan Large."""
    if layer is None:
        return False
    count = settings.get("num_hidden_layers") or 0
    last = settings.get("num_kv_shared_layers", known.KV_SHARED.get(family, 0))
    if 0 < last < count and layer >= count - last:
        return True
    return bool(settings.get("use_cla")) and layer % int(settings.get("cla_share_factor") or 1) != 0


def _heads(settings: Mapping[str, Any], family: str, kind: str, layer: int | None) -> int | None:
    """How many heads keep keys and values; None if neither the config nor its family says it."""
    every = settings.get("num_attention_heads")
    every = None if every is None else whole(every, "num_attention_heads")
    if kind.startswith("sliding") and settings.get("swa_num_key_value_heads"):
        return int(settings["swa_num_key_value_heads"])
    if kind.startswith("full") and settings.get("attention_k_eq_v") and settings.get("num_global_key_value_heads"):  # Gemma 4
        return int(settings["num_global_key_value_heads"])
    if settings.get("attn_type") in ("multihead_attention", "multiquery_attention"):  # MPT
        return 1 if settings["attn_type"] == "multiquery_attention" else every
    if family in known.MULTI_QUERY and not settings.get("new_decoder_architecture"):
        if settings.get("multi_query", known.MULTI_QUERY[family]):
            return 1
    blocks = settings.get("block_configs")
    if blocks and every:  # Nemotron's search for an architecture
        group = None if layer is None else blocks[layer]["attention"].get("n_heads_in_group")
        return every // group if group else None
    for name, switch in _SWITCHED.items():
        if name in settings:
            return int(settings[name]) if settings.get(switch, True) else every
    given = next((settings[name] for name in _HEADS if settings.get(name)), known.KV_HEADS.get(family))
    if isinstance(given, list):
        given = given[layer] if layer is not None and layer < len(given) else None
    elif given is None and (settings.get("native") or family in known.ROTATING):  # as many as there are queries
        given = every
    if given is None:
        return None
    return int(given) * (2 if family in known.TWICE_SLIDING and kind.startswith("sliding") else 1)
