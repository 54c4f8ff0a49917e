"""Which layer of a model is of which kind, and which of them rotate, where config or family tell."""

from collections.abc import Mapping
from typing import Any

from .._arguments import whole
from . import families as known
from . import names
from .spellings import mapping

_LINEAR_FULL = ("linear_attention", "full_attention")
_EVERY = {  # the last of every n layers is of the second type; of ModernBERT's, the first
    "full_attention_interval": _LINEAR_FULL,
    "global_attn_every_n_layers": ("sliding_attention", "full_attention"),
    "layer_group_size": _LINEAR_FULL,
}
_LETTERS = {
    "A": "attention",
    "C": "conv",
    "G": "full_attention",
    "H": "hybrid",
    "I": "indexed_attention",
    "L": "sliding_attention",
    "N": "linear_attention",
    "R": "recurrent",
    "S": "compressed_sparse_attention",
    "V": "heavily_compressed_attention",
}


def types(beside: Mapping[str, Any], family: str, count: int) -> list[str] | None:
    """The type of each layer, or at least of the first `count`, where config or family tell."""
    count = max(count, beside.get("num_hidden_layers") or 0)
    if "layer_types" in beside:
        named, expected = len(beside["layer_types"]), beside.get("num_hidden_layers") or 0
        if named < expected:  # longer lists name the layers that predict further tokens, too
            raise ValueError(f"layer_types must name the kind of each of {expected} layers, got {named} names")
        listed = list(map(str, beside["layer_types"]))
        for name in dict.fromkeys(listed):
            meant = names.kind_of_layer(name)
            if meant:
                raise ValueError(f"layer_types must name kinds of layers, got {name!r}; the nearest that is known is {meant!r}")
        return listed
    if "hybrid_layer_ids" in beside and count:  # Zamba 2
        return ["hybrid" if i in beside["hybrid_layer_ids"] else "linear_attention" for i in range(count)]
    if "hybrid_layer_pattern" in beside:  # MiMo-V2-Flash
        return ["sliding_attention" if each else "full_attention" for each in beside["hybrid_layer_pattern"]]
    if "attn_type_list" in beside:  # MiniMax-Text-01
        return ["full_attention" if each else "linear_attention" for each in beside["attn_type_list"]]
    if "attn_layer_indices" in beside and count:  # Bamba
        return ["full_attention" if i in beside["attn_layer_indices"] else "mamba" for i in range(count)]
    if "block_configs" in beside:  # Nemotron's search for an architecture leaves some attentions out
        blocks = [mapping("block_configs", each).get("attention", {}) for each in beside["block_configs"]]
        idle = [each.get("no_op") or each.get("replace_with_linear") for each in blocks]
        return ["no_attention" if each else "full_attention" for each in idle]
    if "full_attn_idxs" in beside and count:  # LFM2
        return ["full_attention" if i in beside["full_attn_idxs"] else "conv" for i in range(count)]
    if beside.get("block_types"):  # RecurrentGemma's, round and round
        blocks = beside["block_types"]
        return [str(blocks[i % len(blocks)]) for i in range(max(count, len(blocks)))]
    if "compress_ratios" in beside:
        return [
            known.COMPRESS_RATIO.get(ratio if isinstance(ratio, int) else -1, str(ratio)) for ratio in beside["compress_ratios"]
        ]
    if family in known.CHUNK and beside.get("attention_chunk_size", 0) is not None:
        return ["chunked_attention" if turns else "full_attention" for turns in flags(beside, family, count) or ()] or None
    if family in known.UNLESS_NO_WINDOW and beside.get("sliding_window", 0) is None:
        return ["full_attention"] * count
    for key, kinds in _EVERY.items():
        if key in beside and count:
            every, first = whole(beside[key], key), family == "modernbert"
            whole_groups = count // every * every if family in known.LINEAR_TURNS and "num_hidden_layers" in beside else count
            return [kinds[(i if first else i + 1) % every == 0 or i >= whole_groups] for i in range(count)]
    return _pattern(beside, family, count)


def _pattern(beside: Mapping[str, Any], family: str, count: int) -> list[str] | None:
    """The types of layers by a rule, round and round, that config or family give."""
    every = beside.get("sliding_window_pattern")
    if not count:
        return None
    if isinstance(every, str):  # "LLLG", EXAONE 4
        return ["full_attention" if every[i % len(every)] == "G" else "sliding_attention" for i in range(count)]
    if every is not None:
        every = whole(every, "sliding_window_pattern")
        return ["sliding_attention" if (i + 1) % every else "full_attention" for i in range(count)]
    if family in known.LATER_SLIDE and beside.get("sliding_window") and "max_window_layers" in beside:
        if family == "dots1" or beside.get("use_sliding_window"):
            first = whole(beside["max_window_layers"], "max_window_layers", 0)
            return ["sliding_attention" if i >= first else "full_attention" for i in range(count)]
    if family in known.EVEN_SLIDE and beside.get("sliding_window") and beside.get("use_sliding_window"):
        last = whole(beside.get("max_window_layers", count), "max_window_layers", 0)
        return ["full_attention" if i % 2 or i >= last else "sliding_attention" for i in range(count)]
    letters = known.PATTERN.get(family)
    if letters is None:
        return None
    once, _, again = letters.rstrip("!").rpartition("+")
    kinds = [_LETTERS[once[i] if i < len(once) else again[(i - len(once)) % len(again)]] for i in range(count)]
    ends = letters.endswith("!") and count == beside.get("num_hidden_layers")
    return [*kinds[:-1], "full_attention"] if ends else kinds


def flags(beside: Mapping[str, Any], family: str, count: int) -> list[Any] | None:
    """1 for each layer that rotates, 0 for each that does not, as Llama 4 and SmolLM3 publish it."""
    given = beside.get("no_rope_layers")
    if given:
        listed, expected = list(given), beside.get("num_hidden_layers")
        odd = any(flag not in (0, 1) for flag in listed)
        if odd or expected not in (None, len(listed)):
            each = "each layer" if expected is None else f"each of {expected} layers"
            hint = "; indices of layers?" if odd else ""
            raise ValueError(f"no_rope_layers must hold a 1 (rotates) or 0 for {each}, got {listed!r}{hint}")
        return listed
    every = beside.get("no_rope_layer_interval", known.INTERVAL.get(family))
    if every is None:
        return None
    every = whole(every, "no_rope_layer_interval")
    return [int((i + 1) % every != 0) for i in range(max(count, every, beside.get("num_hidden_layers") or 0))]
