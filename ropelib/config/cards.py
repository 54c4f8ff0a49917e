"""A model's rotation on one card, layer type by layer type, and what differs between two."""

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..rope import Rope
from .builder import from_config
from .spellings import Settings, read

_TYPES = ("full_attention", "sliding_attention", "chunked_attention")
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

    def lines(self) -> list[str]:
        """For people."""
        if not self.inv_freq:
            return [f"{self.layers}: does not rotate ({self.head_dim} channels)", *self._last()]
        rows = [
            f"{self.layers}: layout {self.layout}, {self.channels}"
            + (", turns by minus the angle" if self.direction < 0 else ""),
            f"  base {'not one' if self.base is None else f'{self.base:g}'}, scaling {self.scaling}",
            f"  longest wavelength {self.longest_wavelength:,.0f} positions; {self.unfinished}",
        ]
        if self.axes is not None:
            counts = ", ".join(f"{self.axes.count(axis)} on axis {axis}" for axis in sorted({*self.axes}))
            rows.append(f"  pairs: {counts}; the first are {self.axes[:6]}")
        return [*rows, *self._last()]

    def _last(self) -> list[str]:
        rows = [f"  temperature: {self.temperature}"] if self.temperature else []
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ropes = _ropes(config)
    settings = read(config)
    told = [*dict.fromkeys(str(each.message) for each in caught)]
    return [_card(name, rope, settings, _found(config)) for name, rope in ropes.items()], told


def _found(config: Mapping[str, Any]) -> dict[str, Any]:
    """Sizes of the cache, which no rotation reads, in the config or in the text part of it."""
    inner = [value for key, value in config.items() if isinstance(value, Mapping) and str(key).endswith("_config")]
    names = ("kv_lora_rank", "qk_rope_head_dim", "num_key_value_heads")
    return {name: each[name] for each in (*inner, config) for name in names if each.get(name)}


def _ropes(config: Mapping[str, Any]) -> dict[str, Rope]:
    """The rotation of each kind of layer, by a name for them."""
    try:
        return {"all layers": from_config(config)}
    except ValueError as error:
        if "layer" not in str(error):
            raise
        refusal = error
    beside = read(config).beside
    types = beside.get("layer_types")
    count = beside.get("num_hidden_layers") or (len(types) if isinstance(types, list) else 0)
    found: dict[str, Rope] = {}
    groups: dict[str, list[int]] = {}
    for layer in range(min(count, _DEEPEST)):
        rope = from_config(config, layer=layer)
        kind = (
            str(types[layer])
            if isinstance(types, list) and layer < len(types)
            else "rotating"
            if rope.rotary_dim
            else "without rotation"
        )
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
        raise refusal
    return found


def _numbers(layers: list[int]) -> str:
    if len(layers) > 6:
        return f"{len(layers)} layers: {', '.join(map(str, layers[:4]))}, ..."
    return f"layer{'s' if len(layers) > 1 else ''} {', '.join(map(str, layers))}"


def _alike(a: Rope, b: Rope) -> bool:
    plain = ("head_dim", "rotary_dim", "rotary_start", "layout", "direction", "attention_factor", "softmax_factor")
    same_axes = (a.axes is None) == (b.axes is None) and (a.axes is None or np.array_equal(a.axes, b.axes or 0))
    return all(getattr(a, name) == getattr(b, name) for name in plain) and same_axes and np.array_equal(a.inv_freq, b.inv_freq)


def _card(name: str, rope: Rope, settings: Settings, beside: Mapping[str, Any]) -> Card:
    speeds, pairs = rope.inv_freq, len(rope.inv_freq)
    kind = str(settings.rope.get("rope_type") or "default")
    turning = speeds[speeds > 0]
    length = settings.beside.get("max_position_embeddings")
    unfinished = f"{pairs} pairs"
    if isinstance(length, int | float) and pairs:
        unfinished = f"{int((speeds * length < 2 * np.pi).sum())} of {pairs} pairs make no full turn in {length:,.0f} positions"
    if pairs > len(turning):
        unfinished += f"; {pairs - len(turning)} stand still"
    width = f"{rope.rotary_dim} of {rope.head_dim} channels"
    if rope.rotary_start:
        width += f", from {rope.rotary_start}"
    return Card(
        layers=name,
        layout=rope.layout,
        head_dim=int(rope.head_dim or 0),
        channels=width,
        base=_base(rope),
        scaling=_scaling(rope, kind, settings.rope),
        axes=None if rope.axes is None else rope.axes.tolist(),
        longest_wavelength=float(2 * np.pi / turning.min()) if len(turning) else None,
        unfinished=unfinished,
        temperature=_temperature(rope),
        cache_bytes=_cache(rope, {**settings.beside, **beside}),
        direction=rope.direction,
        inv_freq=speeds.tolist(),
    )


def _base(rope: Rope) -> float | None:
    """That of the first two pairs, where no list divides them."""
    speeds = rope.inv_freq
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
    return kind if factor is None else f"{kind} by {factor:g}"


def _temperature(rope: Rope) -> str:
    parts = [f"{rope.attention_factor:.6g} on cos and sin"] if rope.attention_factor != 1 else []
    parts += [f"{rope.softmax_factor:.6g} on the softmax scale"] if rope.softmax_factor != 1 else []
    if rope.by_position is not None:
        far = rope.query_factor([131_071])[0]
        parts.append(f"a factor on queries that grows to {far:.4g} at position 131,071")
    return ", ".join(parts)


def _cache(rope: Rope, beside: Mapping[str, Any]) -> int | None:
    """Bytes that keys and values of one token take in one layer, at 2 bytes a number."""
    if beside.get("kv_lora_rank") and beside.get("qk_rope_head_dim"):
        return 2 * (int(beside["kv_lora_rank"]) + int(beside["qk_rope_head_dim"]))
    heads = beside.get("num_key_value_heads") or beside.get("num_attention_heads")
    return 2 * 2 * heads * int(rope.head_dim or 0) if isinstance(heads, int) else None


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
    left, right = ({card.layers: asdict(card) for card in cards(each)[0]} for each in (a, b))
    if {*left} != {*right} and len(left) == len(right) == 1:
        left, right = ({"all layers": next(iter(each.values()))} for each in (left, right))
    out = [f"{name}: only in one of the two" for name in [*left, *right] if (name in left) != (name in right)]
    for name in [name for name in left if name in right]:
        for what, one in left[name].items():
            two = right[name][what]
            if what in ("layers", "longest_wavelength", "unfinished") or one == two:
                continue
            if what == "inv_freq" and len(one) == len(two):
                k = next(k for k in range(len(one)) if one[k] != two[k])
                out.append(f"{name}: inv_freq: pair {k}: {one[k]:.6g} against {two[k]:.6g}")
            elif what == "inv_freq":
                out.append(f"{name}: inv_freq: {len(one)} pairs against {len(two)}")
            else:
                out.append(f"{name}: {what}: {_text(one)} against {_text(two)}")
    return out


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value) if value != "" else "none"
