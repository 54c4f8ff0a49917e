"""A model's rotation on one card, layer type by layer type, and what differs between two."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..rope import Rope
from . import memory
from .builder import _Frequencies, _Model
from .families import (
    ALL_SLIDE,
    BY_TYPE,
    BY_TYPE_SLIDE,
    CHUNK,
    INTERVAL,
    PATTERN,
    SLIDE_IF_SAID,
    WINDOW,
    WINDOWLESS,
    WITHOUT_ATTENTION,
)
from .spellings import read
from .turning import LAYERS

SCHEMA = 1  # of Card.to_dict: rises when a key goes or changes what it means
_DEEPEST = 1024  # layers looked at where the config gives a list but no count
_SOME = 24  # layers in which every kind of a family's pattern comes


@dataclass
class Card:
    """The layers of one kind, in plain numbers; `None` where a number does not apply or is not in the config."""

    layers: str
    indices: list[int] | None  # None where it is not known, or where all layers are alike
    layout: str
    head_dim: int
    rotary_dim: int  # channels that turn
    rotary_start: int
    still: int  # pairs among those that rotate which stand still
    direction: int
    base: float | None
    scaling: str
    method: dict[str, Any] | None  # the scaling, in numbers
    axes: list[int] | None
    inv_freq: list[float] = field(repr=False)
    longest_wavelength: float | None
    length: int | None  # the longest context that the config names
    slow: int | None  # pairs that make no full turn in it
    attention_factor: float
    far_factor: float  # the same in the longest context
    softmax_factor: float
    scales_queries: bool  # by a factor that depends on their positions
    query_factor: float | None  # that of the last position in the longest context
    cache_bytes: int | None
    cache: str  # why there is no number of bytes
    window: int | None
    both_sides: bool  # whether the window reaches as far ahead as back
    usual_window: str  # the family whose own it is, where the file gives none
    rotates_values: bool
    turning_head: dict[str, Any] | None  # of the indexer
    windowless: bool = False  # whatever its layers are called, the family's code has no window

    def to_dict(self) -> dict[str, Any]:
        """What `python -m ropelib card --json` prints of these layers, in JSON's own types.

        Returns
        -------
        dict
            "layers", the kind, and "indices" (null where not known, or all alike); "rotates"; "layout"; "head_dim",
            "rotary_dim" (channels that turn), "rotary_start"; "still_pairs", which have frequency 0; "direction", 1 or -1;
            "base"; "scaling", null or {"type", "factor", "original_length", "by_length", "in_steps", "of_family": not in
            the file}; "axes", of each pair, or null; "inv_freq"; "longest_wavelength"; "context", the longest in the
            file, and "pairs_without_a_turn" in it; "attention_factor" on cos and sin, "softmax_factor"; where
            the length of the sequence counts, "inv_freq" and "attention_factor" are those within the trained length, and
            "longest_wavelength", "pairs_without_a_turn" and "attention_factor_in_context" those in the longest context;
            "scales_queries" by position, and "last_query_factor" at the end of the context; "cache_bytes" a token at 16 bits, or
            "no_cache_bytes", why not; "window" in positions, "window_both_sides", "window_of_family": not in the file;
            "rotates_values"; "indexer", null or {"layout", "head_dim", "rotary_dim", "rotary_start"}. Under one "schema"
            number keys may come; none goes or changes what it means.
        """
        return {
            "layers": _kind(self.layers),
            "indices": self.indices,
            "rotates": bool(self.inv_freq),
            "layout": self.layout,
            "head_dim": self.head_dim,
            "rotary_dim": self.rotary_dim,
            "rotary_start": self.rotary_start,
            "still_pairs": self.still,
            "direction": self.direction,
            "base": self.base,
            "scaling": self.method,
            "axes": self.axes,
            "inv_freq": self.inv_freq,
            "longest_wavelength": self.longest_wavelength,
            "context": self.length,
            "pairs_without_a_turn": self.slow,
            "attention_factor": self.attention_factor,
            "attention_factor_in_context": self.far_factor,
            "softmax_factor": self.softmax_factor,
            "scales_queries": self.scales_queries,
            "last_query_factor": self.query_factor,
            "cache_bytes": self.cache_bytes,
            "no_cache_bytes": self.cache or None,
            "window": self.window,
            "window_both_sides": self.both_sides,
            "window_of_family": bool(self.usual_window),
            "rotates_values": self.rotates_values,
            "indexer": self.turning_head,
        }

    @property
    def channels(self) -> str:
        """How many channels of a head turn, and which."""
        width = f"{self.rotary_dim} of {self.head_dim} channels"
        return width + (", spread over the head" if self.still else f", from {self.rotary_start}" if self.rotary_start else "")

    @property
    def unfinished(self) -> str:
        """How many pairs make no full turn in the longest context."""
        turning = len(self.inv_freq) - self.still
        words = f"{turning} pairs; the longest context is not given"
        if self.slow is not None:
            words = f"{self.slow} of {turning} pairs make no full turn in {self.length:,} positions"
        return words + (f"; {self.still} more stand still" if self.still else "")

    @property
    def temperature(self) -> str:
        """Every factor on scores."""
        parts = [f"{self.far_factor:.6g} on cos and sin"] if self.far_factor != 1 else []
        parts += [f"{self.softmax_factor:.6g} on the softmax scale"] if self.softmax_factor != 1 else []
        far, last = self.query_factor, f"position {(self.length or 0) - 1:,}"
        if self.scales_queries and far is None:
            parts.append("a factor on queries that grows with the position; the longest context is not given")
        elif self.scales_queries:
            parts.append(f"a factor on queries that {f'grows to {far:.4g} at' if far != 1 else 'is 1 up to'} {last}")
        return ", ".join(parts)

    @property
    def indexer(self) -> str:
        """The sparse indexer beside attention."""
        if self.turning_head is None:
            return ""
        where = f", from {self.turning_head['rotary_start']}" if self.turning_head["rotary_start"] else ""
        return "layout {layout}, {rotary_dim} of {head_dim} channels".format(**self.turning_head) + where

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
            f"  base {_number(self.base)}, scaling {self.scaling}",
            f"  longest wavelength {self.longest_wavelength:,.0f} positions",
            f"  {self.unfinished}",
        ]
        if self.axes is not None:
            names = dict(enumerate((" (time)", " (height)", " (width)"))) if max(self.axes) == 2 else {}
            counts = [f"{self.axes.count(axis)} on axis {axis}{names.get(axis, '')}" for axis in sorted({*self.axes})]
            order = "in blocks" if self.axes == sorted(self.axes) else f"in turn: {', '.join(map(str, self.axes[:6]))}, ..."
            rows.append(f"  pairs: {', '.join(counts)}; {order}")
        return [*rows, *self._last()]

    def _last(self) -> list[str]:
        rows = [f"  temperature: {self.temperature}"] if self.temperature else []
        rows += ["  values turn too, and the output is turned back"] if self.rotates_values else []
        rows += [f"  indexer: {self.indexer}"] if self.indexer else []
        if self.window or (self.layers.startswith(("sliding", "chunked")) and not self.windowless):
            width = f"{self.window:,} positions" if self.window else "its width is not given"
            width += " to each side" if self.both_sides else ""
            rows.append(f"  window: {width}" + (f" ({self.usual_window}'s own, not in the file)" if self.usual_window else ""))
        size = self.cache if self.cache_bytes is None else f"{self.cache_bytes:,} bytes a token a layer in 16 bits"
        return rows + ([f"  cache: {size}"] if size else [])


def cards(config: Mapping[str, Any]) -> tuple[list[Card], list[str]]:
    """A card for each kind of layer, and warnings, from a model's published settings.

    What `python -m ropelib card` prints: `card.lines()` for people, `card.to_dict()` for programs.

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

    References
    ----------
    As `from_config`; for the cache, the same code's `past_key_values`.

    Examples
    --------
    >>> (card,), _ = cards({"model_type": "llama", "head_dim": 128, "rope_theta": 1e4, "max_position_embeddings": 4096})
    >>> print(card.lines()[0])
    all layers: layout half, 128 of 128 channels
    >>> card.to_dict()["rotary_dim"], card.to_dict()["pairs_without_a_turn"]
    (128, 18)
    """
    made, told = _made(config)
    return [card for card, _ in made], told


class _Layers(NamedTuple):
    """What the layers of one kind have in common."""

    rope: Rope
    method: _Frequencies | None
    own: str  # the family, where its rope settings are not in the file
    cache: tuple[int | None, str]
    indices: list[int] | None = None


def _made(config: Mapping[str, Any]) -> tuple[list[tuple[Card, Rope]], list[str]]:
    """A card for each kind of layer with the rotation that it tells of, and warnings."""
    model, sizes = _Model(read(config)), memory.found(config)
    told = model.untold()
    kinds = _kinds(model, sizes, told)
    told += model.remarks()
    indexed = [name for name in kinds if _indexed(name)]
    indexer = _indexer(model, indexed[0], told) if sizes.get("index_head_dim") and indexed else None
    told += _unlike_windows(model, [*kinds])
    made = [(_card(name, each, model, sizes, indexer), each.rope) for name, each in kinds.items()]
    return made, [*dict.fromkeys(told)]


def _unlike_windows(model: _Model, layers: list[str]) -> list[str]:
    """A word, if the kinds of layers speak of windows that the family's code does not have, or has in all of them."""
    family, types = model.family, {_kind(name) for name in layers}
    if family in WINDOWLESS and "sliding_attention" in types and model.beside.get("sliding_window"):
        return [f"sliding_attention is passed over: the code of {family} has no window, and all of its layers see everything"]
    if "full_attention" in types and _all_slide(model.beside, family) and family not in BY_TYPE_SLIDE and len(types) > 1:
        return [f"full_attention is passed over: the code of {family} reads sliding_window alone, and for all layers"]
    return []


def _attends(layers: str) -> bool:
    return _kind(layers) not in WITHOUT_ATTENTION


def _kind(layers: str) -> str:
    """The kind of layer that a card is named after."""
    return layers.partition(" (")[0].partition(",")[0]


def _indexed(layers: str) -> bool:
    """Layers whose keys an indexer chooses, where the model has one: not those that see a window, or everything."""
    return _attends(layers) and not layers.startswith(("sliding", "heavily"))


def _indexer(model: _Model, layers: str, told: list[str]) -> dict[str, Any] | None:
    """The head of the sparse indexer beside attention; what had to be said about it is added to `told`."""
    for layer_type in (None, _kind(layers)):  # if layers differ, the first that rotates tells
        model = _Model(model.as_read)
        try:
            rope = model.rope(None, layer_type, None, "indexer")
        except ValueError:
            continue
        told += model.warnings
        return {name: getattr(rope, name) for name in ("layout", "head_dim", "rotary_dim", "rotary_start")}
    return None


def _kinds(model: _Model, sizes: Mapping[str, Any], told: list[str]) -> dict[str, _Layers]:
    """The layers of each kind, by a name for them; what had to be said about them is added to `told`."""
    refusal: ValueError | None = None
    types, beside = model.types(0), model.beside
    count = beside.get("num_hidden_layers") or len(types or ())
    told_by_family = not count and model.family in {*PATTERN, *INTERVAL}
    if told_by_family:  # the kinds that there are, whatever the number of layers
        count, types = _SOME, model.types(_SOME)
    if len({*(types or ())}) < 2 and not (count and memory.differs(sizes, model.family)):
        try:
            return {"all layers": _layers(model, sizes, told, "")}
        except ValueError as error:
            if "layer" not in str(error):
                raise
            refusal = error
            if types is None and "layer_type must be" in str(error) and count:
                told.append("layer_types is not given: which layers are of which kind is not known")
                count = 0
    found: dict[str, _Layers] = {}
    groups: dict[str, list[int]] = {}
    for layer in range(min(count, _DEEPEST)):
        kind = types[layer] if types is not None and layer < len(types) else ""
        each = _layers(model, sizes, told, kind, layer=layer)
        kind = kind or ("rotating" if each.rope.rotary_dim else "without rotation")
        same = [name for name, other in found.items() if name.startswith(kind) and _alike(each, other)]
        name = same[0] if same else kind if kind not in found else f"{kind}, from layer {layer}"
        found.setdefault(name, each)
        groups.setdefault(name, []).append(layer)
    if found:
        which = {name: "num_hidden_layers is not given" if told_by_family else _numbers(groups[name]) for name in found}
        counted = {name: each if told_by_family else each._replace(indices=groups[name]) for name, each in found.items()}
        return {f"{name} ({which[name]})": each for name, each in counted.items()}
    for kind in dict.fromkeys([*model.settings.of_type, *BY_TYPE.get(model.family, ()), *LAYERS]):
        try:
            found[kind] = _layers(model, sizes, told, kind, layer_type=kind)
        except ValueError:
            continue
    if not found:
        raise ValueError(f"config must have num_hidden_layers, for its layers differ and a card is of each kind: {refusal}")
    return found


def _layers(model: _Model, sizes: Mapping[str, Any], told: list[str], kind: str, **which: Any) -> _Layers:
    model = _Model(model.as_read)
    rope = model.rope(None, which.get("layer_type"), which.get("layer"), "attention")
    told += model.warnings
    latent = {"qk_rope_head_dim": model.beside.get("qk_rope_head_dim", 0)}  # as the family's code reads it, or not
    said = {**model.beside, **sizes, "native": model.native, **latent}
    cache = memory.cache(rope, said, model.family, kind, which.get("layer")) if _attends(kind) else (None, "")
    if model.unlike() and cache[0] is not None:
        cache = (None, "not counted, for layers differ, and the file does not say which is which")
    return _Layers(rope, model.method, model.family if model.own else "", cache)


def longest_context(config: Mapping[str, Any]) -> int | None:
    """How many positions a model's settings name, if they do."""
    beside = read(config).beside
    length = beside.get("max_position_embeddings") or beside.get("seq_length")
    return int(length) if isinstance(length, int | float) and length >= 1 else None


def _numbers(layers: list[int]) -> str:
    if len(layers) > 6:
        return f"{len(layers)} layers: {', '.join(map(str, layers[:3]))}, ..."
    return f"layer{'s' if len(layers) > 1 else ''} {', '.join(map(str, layers))}"


def _alike(one: _Layers, two: _Layers) -> bool:
    a, b = one.rope, two.rope
    plain = ("head_dim", "rotary_dim", "rotary_start", "layout", "direction", "attention_factor", "softmax_factor")
    same_axes = (a.axes is None) == (b.axes is None) and (a.axes is None or b.axes is None or np.array_equal(a.axes, b.axes))
    same = all(getattr(a, name) == getattr(b, name) for name in plain) and one.cache == two.cache
    return same and same_axes and np.array_equal(a.inv_freq, b.inv_freq)


def _card(name: str, layers: _Layers, model: _Model, sizes: Mapping[str, Any], indexer: dict[str, Any] | None) -> Card:
    rope, (size, why) = layers.rope, layers.cache
    length = model.beside.get("max_position_embeddings", sizes.get("length"))
    both = memory.reads_both_ways({**model.beside, **sizes}, model.family)
    speeds, longest, far = rope.inv_freq, rope.inv_freq, rope.attention_factor
    context = int(length) if isinstance(length, int | float) else None
    if rope.by_length is not None and context is not None:
        longest, far = rope.by_length(float(context))  # as it turns in the longest sequence
    turning = longest[longest > 0]
    still = len(speeds) - len(turning)
    window = _window(name, model, sizes, both)
    given = {"sliding_window", "local_attention", "attention_window_size", "attention_chunk_size"} & {*model.beside, *sizes}
    factor = None
    if rope.by_position is not None and context is not None:
        factor = float(rope.query_factor([context - 1])[0])
    return Card(
        layers=name,
        indices=layers.indices,
        layout=rope.layout,
        head_dim=int(rope.head_dim or 0),
        rotary_dim=rope.rotary_dim - 2 * still,
        rotary_start=rope.rotary_start,
        still=still,
        direction=rope.direction,
        base=_base(layers.method),
        scaling=_scaling(layers),
        method=_numbers_of(layers),
        axes=None if rope.axes is None else rope.axes.tolist(),
        inv_freq=speeds.tolist(),
        longest_wavelength=float(2 * np.pi / turning.min()) if len(turning) else None,
        length=context,
        slow=None if context is None or not len(speeds) else int((turning * context < 2 * np.pi).sum()),
        attention_factor=float(rope.attention_factor),
        far_factor=float(far),
        softmax_factor=float(rope.softmax_factor),
        scales_queries=rope.by_position is not None,
        query_factor=factor,
        cache_bytes=size,
        cache=why,
        window=window,
        both_sides=both and window is not None,
        usual_window=model.family if window is not None and not given else "",
        rotates_values=rope.rotates_values,
        turning_head=indexer if _indexed(name) else None,
        windowless=model.family in WINDOWLESS,
    )


def _window(name: str, model: _Model, sizes: Mapping[str, Any], both: bool) -> int | None:
    """How far the layers of a kind see; to each side where they see both."""
    beside, family = model.beside, model.family
    if name.startswith("chunked"):
        width = beside.get("attention_chunk_size", CHUNK.get(family))
    elif name.startswith("attention"):  # RecurrentGemma
        width = sizes.get("attention_window_size", WINDOW.get(family))
    elif family in WINDOWLESS:
        width = None
    elif name.startswith("sliding") or (_all_slide(beside, family) and (name.startswith("all") or family not in BY_TYPE_SLIDE)):
        width = beside.get("sliding_window", WINDOW.get(family))
        if family == "modernbert" and "local_attention" in beside:  # counts both sides
            width = beside["local_attention"] // 2
        elif both and family == "gemma3" and width:  # so does Embedding Gemma's
            width //= 2
    else:
        width = None
    return int(width) if width and width > 0 else None


def _all_slide(beside: Mapping[str, Any], family: str) -> bool:
    return family in ALL_SLIDE or (family in SLIDE_IF_SAID and bool(beside.get("use_sliding_window")))


def _base(method: _Frequencies | None) -> float | None:
    """The base of the rotation, raised where the method is to raise it."""
    if method is None or method.kind != "ntk":
        return None if method is None else method.base
    return float(method.base * method.settings["factor"] ** (method.rotary_dim / (method.rotary_dim - 2)))


def _scaling(layers: _Layers) -> str:
    """The method, by how much, from which length on, and whose it is if the file does not say it."""
    rope, method = layers.rope, layers.method
    if method is None or _plain(method, rope):
        return "none"
    kind, factor = method.kind, None if method.settings.get("stepwise") else method.settings.get("factor")
    original = method.settings.get("original_max_position_embeddings", method.settings.get("max_position_embeddings"))
    words = kind if factor is None or kind == "longrope" else f"{kind} by {factor:g}"
    words += "" if original is None else f" from {original:,}"
    words += f", from base {method.base:,.10g}" if kind == "ntk" else ""
    words += ", its bounds not rounded" if method.settings.get("truncate") is False else ""
    words += ", in steps" if method.settings.get("stepwise") else ""
    words += ", by the length of the sequence" if rope.length_dependent else ""
    return words + (f" ({layers.own}'s own, not in the file)" if layers.own else "")


def _numbers_of(layers: _Layers) -> dict[str, Any] | None:
    """The scaling in numbers; None where the base alone says how fast."""
    rope, method = layers.rope, layers.method
    if method is None or _plain(method, rope):
        return None
    given, stepwise = method.settings, bool(method.settings.get("stepwise"))
    return {
        "type": method.kind,
        "factor": None if stepwise or given.get("factor") is None else float(given["factor"]),
        "original_length": given.get("original_max_position_embeddings", given.get("max_position_embeddings")),
        "by_length": rope.length_dependent,
        "in_steps": stepwise,
        "of_family": bool(layers.own),
    }


def _plain(method: _Frequencies, rope: Rope) -> bool:
    """Whether every pair turns as the base alone says."""
    if rope.length_dependent or method.kind == "ntk":
        return False
    pairs = np.arange(len(rope.inv_freq))
    return bool(np.allclose(rope.inv_freq, method.base ** (-2 * pairs / rope.rotary_dim), rtol=1e-12, atol=0))


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
    ['all layers: base: 10,000 against 1,000,000', 'all layers: inv_freq: pair 1: 0.01 against 0.001']
    """
    left, right = ({card.layers.partition(" (")[0]: (card, rope) for card, rope in _made(each)[0]} for each in (a, b))
    both = [(name, name) for name in left if name in right]
    if not both and 1 in (len(left), len(right)):  # all layers of the one, against those of each kind
        both = [(one, two) for one in left for two in right]
    out = [f"{name}: only in one of the two" for name in [*left, *right] if not any(name in pair for pair in both)]
    for one, two in both:
        name = one if one == two or len(left) > 1 else two if len(right) > 1 else "all layers"
        out += [f"{name}: {each}" for each in _apart(*left[one], *right[two])]
    return out


_COMPARED = (
    "layout head_dim channels base scaling axes inv_freq temperature cache_bytes direction window rotates_values indexer cache"
).split()


def _apart(card: Card, rope: Rope, other: Card, other_rope: Rope) -> list[str]:
    """What differs between two cards, a line each."""
    out = []
    for what in _COMPARED:
        one, two = getattr(card, what), getattr(other, what)
        if one == two:
            continue
        if what == "inv_freq" and len(one) == len(two):
            k = next(k for k in range(len(one)) if one[k] != two[k])
            out.append(f"inv_freq: pair {k}: {one[k]:.6g} against {two[k]:.6g}")
        elif what == "inv_freq":
            out.append(f"inv_freq: {len(one)} pairs against {len(two)}")
        else:
            out.append(f"{what}: {_text(one)} against {_text(two)}")
    return out + _apart_by_length(rope, other_rope)


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


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:,.10g}"


def _text(value: Any) -> str:
    return _number(value) if isinstance(value, float) else str(value) if value not in ("", None) else "none"
