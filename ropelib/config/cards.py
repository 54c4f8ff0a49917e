"""A model's rotation on one card, layer type by layer type, and what differs between two."""

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..rope import Rope
from .builder import _Model, from_config
from .families import WITHOUT_ATTENTION
from .spellings import NESTED, Settings, read

_TYPES = ("full_attention", "sliding_attention", "chunked_attention")
_HEADS = ("num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num")  # one setting's names
_SIZES = (*_HEADS, "kv_lora_rank", "qk_rope_head_dim", "v_head_dim", "num_global_key_value_heads", "attention_k_eq_v")
_SIZES += ("sliding_window", "attention_chunk_size", "index_head_dim", "swa_num_key_value_heads")
_DEEPEST = 1024  # layers looked at where the config gives a list but no count


@dataclass
class Card:
    """The layers of one kind, in plain numbers; `None` where a number does not apply or is not in the config."""

    layers: str
    layout: str
    head_dim: int
    channels: str
    base: float | None
    scaling: str
    axes: list[int] | None
    longest_wavelength: float | None
    unfinished: str
    temperature: str
    cache_bytes: int | None
    direction: int
    inv_freq: list[float] = field(repr=False)
    window: int | None = None
    rotates_values: bool = False
    indexer: str = ""

    def lines(self) -> list[str]:
        """For people."""
        if not self.inv_freq and _attends(self.layers):
            return [f"{self.layers}: does not rotate", *self._last()]
        if not self.inv_freq:
            return [f"{self.layers}: no softmax attention, and nothing rotates"]
        turns = f"layout {self.layout}, {self.channels}" + (", turns by minus the angle" if self.direction < 0 else "")
        longer = len(self.layers) + len(turns) > 68
        rows = [
            *([f"{self.layers}:", f"  {turns}"] if longer else [f"{self.layers}: {turns}"]),
            f"  base {'not one' if self.base is None else f'{self.base:g}'}, scaling {self.scaling}",
            f"  longest wavelength {self.longest_wavelength:,.0f} positions",
            f"  {self.unfinished}",
        ]
        if self.axes is not None:
            counts = ", ".join(f"{self.axes.count(axis)} on axis {axis}" for axis in sorted({*self.axes}))
            rows.append(f"  pairs: {counts}; the first are {self.axes[:6]}")
        return [*rows, *self._last()]

    def _last(self) -> list[str]:
        rows = [f"  temperature: {self.temperature}"] if self.temperature else []
        rows += ["  values turn too, and the output is turned back"] if self.rotates_values else []
        rows += [f"  indexer: {self.indexer}"] if self.indexer else []
        rows += [f"  window: {self.window:,} positions"] if self.window else []
        return rows + ([f"  cache: {self.cache_bytes:,} bytes a token a layer in 16 bits"] if self.cache_bytes else [])


def cards(config: Mapping[str, Any]) -> tuple[list[Card], list[str]]:
    """A card for each kind of layer, and warnings, from a model's published settings.

    Parameters
    ----------
    config : mapping
        As `from_config` takes it.

    Returns
    -------
    cards : list of Card
    warnings : list of str

    Raises
    ------
    TypeError, ValueError
        As `from_config`.

    Examples
    --------
    >>> from ropelib.config.cards import cards
    >>> (card,), _ = cards({"model_type": "llama", "head_dim": 128, "rope_theta": 1e4, "max_position_embeddings": 4096})
    >>> print(card.lines()[0])
    all layers: layout half, 128 of 128 channels
    """
    made, told = _made(config)
    return [card for card, _ in made], told


def _made(config: Mapping[str, Any]) -> tuple[list[tuple[Card, Rope]], list[str]]:
    """A card for each kind of layer with the rotation that it tells of, and warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ropes = _ropes(config)
    settings, beside = read(config), _found(config)
    indexed = [name for name in ropes if _indexed(name)]
    indexer = _indexer(config, indexed[0]) if beside.get("index_head_dim") and indexed else ""
    told = [*dict.fromkeys(str(each.message) for each in caught)]
    return [(_card(name, rope, settings, beside, indexer), rope) for name, rope in ropes.items()], told


def _found(config: Mapping[str, Any]) -> dict[str, Any]:
    """Sizes of the cache, which no rotation reads, in the config or in the text part of it; what stands inside counts."""
    inner = [config[key] for key in NESTED if isinstance(config.get(key), Mapping)]
    inner += [each[key] for each in inner for key in NESTED if isinstance(each.get(key), Mapping)]
    found = {name: each[name] for each in (config, *inner) for name in _SIZES if each.get(name)}
    heads = [found[name] for name in _HEADS if name in found]
    return found | ({"num_key_value_heads": heads[0]} if heads else {})


def _attends(layers: str) -> bool:
    return _kind(layers) not in WITHOUT_ATTENTION


def _kind(layers: str) -> str:
    """The kind of layer that a card is named after."""
    return layers.partition(" (")[0].partition(",")[0]


def _indexed(layers: str) -> bool:
    """Layers whose keys an indexer chooses, where the model has one: not those that see a window, or everything."""
    return _attends(layers) and not layers.startswith(("sliding", "heavily"))


def _indexer(config: Mapping[str, Any], layers: str) -> str:
    """The sparse indexer beside attention, on one line."""
    try:
        rope = from_config(config, part="indexer")
    except ValueError:  # layers differ: the first that rotates tells
        try:
            rope = from_config(config, part="indexer", layer_type=_kind(layers))
        except ValueError:
            return ""
    where = f", from {rope.rotary_start}" if rope.rotary_start else ""
    return f"layout {rope.layout}, {rope.rotary_dim} of {rope.head_dim} channels{where}"


def _ropes(config: Mapping[str, Any]) -> dict[str, Rope]:
    """The rotation of each kind of layer, by a name for them."""
    refusal: ValueError | None = None
    model = _Model(read(config))
    types, beside = model.types(0), model.beside
    if len({*(types or ())}) < 2:
        try:
            return {"all layers": from_config(config)}
        except ValueError as error:
            if "layer" not in str(error):
                raise
            refusal = error
    count = beside.get("num_hidden_layers") or len(types or ())
    found: dict[str, Rope] = {}
    groups: dict[str, list[int]] = {}
    for layer in range(min(count, _DEEPEST)):
        rope = from_config(config, layer=layer)
        kind = types[layer] if types is not None and layer < len(types) else "rotating" if rope.rotary_dim else "without rotation"
        same = [name for name, other in found.items() if name.startswith(kind) and _alike(rope, other)]
        name = same[0] if same else kind if kind not in found else f"{kind}, from layer {layer}"
        found.setdefault(name, rope)
        groups.setdefault(name, []).append(layer)
    if found:
        return {f"{name} ({_numbers(groups[name])})": rope for name, rope in found.items()}
    for kind in _TYPES:
        try:
            found[kind] = from_config(config, layer_type=kind)
        except ValueError:
            continue
    if not found:
        raise refusal or ValueError(f"config must tell how many layers it has, got {', '.join(beside)}")
    return found


def _numbers(layers: list[int]) -> str:
    if len(layers) > 6:
        return f"{len(layers)} layers: {', '.join(map(str, layers[:3]))}, ..."
    return f"layer{'s' if len(layers) > 1 else ''} {', '.join(map(str, layers))}"


def _alike(a: Rope, b: Rope) -> bool:
    plain = ("head_dim", "rotary_dim", "rotary_start", "layout", "direction", "attention_factor", "softmax_factor")
    same_axes = (a.axes is None) == (b.axes is None) and (a.axes is None or b.axes is None or np.array_equal(a.axes, b.axes))
    return all(getattr(a, name) == getattr(b, name) for name in plain) and same_axes and np.array_equal(a.inv_freq, b.inv_freq)


def _card(name: str, rope: Rope, settings: Settings, beside: Mapping[str, Any], indexer: str) -> Card:
    settings = settings._replace(rope=settings.of_type.get(_kind(name)) or settings.rope)
    length = settings.beside.get("max_position_embeddings") or settings.beside.get("seq_length")
    speeds, longest = rope.inv_freq, rope.inv_freq
    if rope.by_length is not None and isinstance(length, int | float):
        longest = rope.by_length(float(length))[0]  # as it turns in the longest sequence
    kind, turning = str(settings.rope.get("rope_type") or "default"), longest[longest > 0]
    still = len(speeds) - len(turning)
    unfinished = f"{len(turning)} pairs"
    if isinstance(length, int | float) and len(speeds):
        slow = int((turning * length < 2 * np.pi).sum())
        unfinished = f"{slow} of {len(turning)} pairs make no full turn in {length:,.0f} positions"
    unfinished += f"; {still} more stand still" if still else ""
    width = f"{rope.rotary_dim - 2 * still} of {rope.head_dim} channels"
    width += ", spread over the head" if still else f", from {rope.rotary_start}" if rope.rotary_start else ""
    return Card(
        layers=name,
        layout=rope.layout,
        head_dim=int(rope.head_dim or 0),
        channels=width,
        base=_base(rope, settings),
        scaling=_scaling(rope, kind, settings.rope),
        axes=None if rope.axes is None else rope.axes.tolist(),
        longest_wavelength=float(2 * np.pi / turning.min()) if len(turning) else None,
        unfinished=unfinished,
        temperature=_temperature(rope),
        cache_bytes=_cache(rope, {**settings.beside, **beside}, name) if _attends(name) else None,
        direction=rope.direction,
        inv_freq=speeds.tolist(),
        window=_window(name, beside),
        rotates_values=rope.rotates_values,
        indexer=indexer if _indexed(name) else "",
    )


def _window(name: str, beside: Mapping[str, Any]) -> int | None:
    key = {"sliding": "sliding_window", "chunked": "attention_chunk_size"}.get(name.partition("_")[0], "")
    return int(beside[key]) if beside.get(key) else None


def _base(rope: Rope, settings: Settings) -> float | None:
    """That of the first two pairs, where no list divides them."""
    speeds = rope.inv_freq
    given = settings.rope.get("rope_theta", settings.beside.get("rope_theta"))
    if rope.by_length is not None and isinstance(given, int | float):
        return float(given)
    if len(speeds) < 2 or speeds[1] <= 0:
        return None
    base = float((speeds[0] / speeds[1]) ** (len(speeds)))
    short = float(f"{base:.6g}")
    return short if abs(short / base - 1) < 1e-9 and rope.by_length is None else None if rope.by_length else base


def _scaling(rope: Rope, kind: str, given: Mapping[str, Any]) -> str:
    if rope.length_dependent:
        return f"{kind}, by the length of the sequence"
    factor = given.get("factor")
    plain = (
        len(rope.inv_freq)
        and rope.inv_freq[0] == 1
        and np.allclose(np.diff(np.log(rope.inv_freq[rope.inv_freq > 0]), 2), 0, atol=1e-9)
    )
    if plain and (rope.inv_freq > 0).all():
        return "none"
    rounded = ", its bounds not rounded" if kind == "yarn" and given.get("truncate") is False else ""
    return (kind if factor is None else f"{kind} by {factor:g}") + rounded


def _temperature(rope: Rope) -> str:
    parts = [f"{rope.attention_factor:.6g} on cos and sin"] if rope.attention_factor != 1 else []
    parts += [f"{rope.softmax_factor:.6g} on the softmax scale"] if rope.softmax_factor != 1 else []
    if rope.by_position is not None:
        far = rope.query_factor([131_071])[0]
        parts.append(f"a factor on queries that grows to {far:.4g} at position 131,071")
    return ", ".join(parts)


def _cache(rope: Rope, beside: Mapping[str, Any], name: str) -> int | None:
    """Bytes that keys and values of one token take in one layer, at 2 bytes a number."""
    if beside.get("kv_lora_rank") and beside.get("qk_rope_head_dim"):
        return 2 * (int(beside["kv_lora_rank"]) + int(beside["qk_rope_head_dim"]))
    if rope.rotates_values:  # one vector is key and value; layers that keep one for several tokens are not counted
        return 2 * rope.head_dim if name.startswith("sliding") else None
    heads = beside.get("num_key_value_heads") or beside.get("num_attention_heads")
    if name.startswith("sliding"):
        heads = beside.get("swa_num_key_value_heads") or heads
    elif beside.get("attention_k_eq_v"):  # Gemma 4
        heads = beside.get("num_global_key_value_heads") or heads
    value = int(beside.get("v_head_dim") or rope.head_dim)
    return 2 * heads * (rope.head_dim + value) if isinstance(heads, int) else None


def differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """What differs between the rotations of two configs, a line each; none where they turn alike.

    Parameters
    ----------
    a, b : mapping
        As `from_config` takes them.

    Returns
    -------
    list of str

    Raises
    ------
    TypeError, ValueError
        As `from_config`.

    Examples
    --------
    >>> from ropelib.config.cards import differences
    >>> differences({"head_dim": 4, "rope_theta": 1e4}, {"head_dim": 4, "rope_theta": 1e6})
    ['all layers: base: 10000 against 1e+06', 'all layers: inv_freq: pair 1: 0.01 against 0.001']
    """
    left, right = ({card.layers.partition(" (")[0]: (asdict(card), rope) for card, rope in _made(each)[0]} for each in (a, b))
    if {*left} != {*right} and len(left) == len(right) == 1:
        left, right = ({"all layers": (card | {"layers": ""}, rope)} for ((card, rope),) in (left.values(), right.values()))
    out = [f"{name}: only in one of the two" for name in [*left, *right] if (name in left) != (name in right)]
    for name in [name for name in left if name in right]:
        (card, rope), (other, other_rope) = left[name], right[name]
        for what, one in card.items():
            two = other[what]
            if what in ("longest_wavelength", "unfinished") or one == two:
                continue
            if what == "inv_freq" and len(one) == len(two):
                k = next(k for k in range(len(one)) if one[k] != two[k])
                out.append(f"{name}: inv_freq: pair {k}: {one[k]:.6g} against {two[k]:.6g}")
            elif what == "inv_freq":
                out.append(f"{name}: inv_freq: {len(one)} pairs against {len(two)}")
            else:
                out.append(f"{name}: {what}: {_text(one)} against {_text(two)}")
        out += [f"{name}: {each}" for each in _apart_by_length(rope, other_rope)]
    return out


def _apart_by_length(a: Rope, b: Rope) -> list[str]:
    """Where two rotations that depend on the length of the sequence part first: a card shows one length alone."""
    if (a.by_length is None and b.by_length is None) or len(a.inv_freq) != len(b.inv_freq):
        return []
    for length in (2.0**k for k in range(8, 21)):
        (one, by_one), (two, by_two) = (
            (rope.inv_freq, rope.attention_factor) if rope.by_length is None else rope.by_length(length) for rope in (a, b)
        )
        if not np.array_equal(one, two):
            k = int(np.argmax(one != two))
            return [f"at length {length:,.0f}: inv_freq: pair {k}: {one[k]:.6g} against {two[k]:.6g}"]
        if by_one != by_two:
            return [f"at length {length:,.0f}: attention_factor: {by_one:g} against {by_two:g}"]
    return []


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value) if value not in ("", None) else "none"
