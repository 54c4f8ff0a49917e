"""What other callers ask: few rows, a token alone, keys, a batch, and positions that are not those of one text from its start."""

from collections.abc import Iterator

import numpy as np

from .contract import SHORT
from .found import Found
from .named import NAMED, Beside, elsewhere
from .report import Array


def served(rows: int) -> dict[str, Array]:
    """Positions below `rows` as programs that serve models give them."""
    start = min(rows // 2, 37)
    text = np.arange(min(rows - start, 24))
    return {
        "start after 0 (a prompt in chunks)": start + text,
        "start again (two texts in one row)": np.r_[text, text[: len(text) // 2]],
        "stay at 0 first (padding on the left)": np.r_[0 * text[:5], text],
    }


def other_calls(side: Beside) -> Found | None:
    """The first of these that comes out otherwise than expected."""
    return _few(side) or _keys(side) or _alone(side) or _batch(side) or _placed(side)


def _asked(side: Beside) -> Iterator[tuple[int, str, Array]]:
    """q, and k where there is one: which, in words, and random numbers."""
    x = side.x[:, :, : side.length]
    yield 0, "", x
    if side.code.pair:
        yield 1, " of k", x[:, : side.code.kv_heads]


def _off(side: Beside, x: Array, at: Array | None = None, which: int = 0) -> int | None:
    """The first row that is not as expected."""
    rows = np.arange(x.shape[2]) if at is None else at
    wrong = side.wrong(side.code.call(x, at, which), side.rope.rotate(x, at), rows)
    return int(np.argmax(wrong)) if wrong.any() else None


def _few(side: Beside) -> Found | None:
    for n in range(1, SHORT):
        for which, of, x in _asked(side):
            if (row := _off(side, x[:, :, :n], which=which)) is not None:
                return Found(f"; S = {n}, row {row}{of}", named=("few rows", "as in many", "others"))
    return None


def _keys(side: Beside) -> Found | None:
    for _, of, x in [*_asked(side)][1:]:
        for n in sorted({SHORT, 64, side.length}):
            if (row := _off(side, x[:, :, :n], which=1)) is not None:
                y, at = side.code.call(x[:, :, :n], which=1), np.arange(row, min(row + NAMED, n))
                place = elsewhere(side, x[0, 0, at], y[0, 0, at], at, 2 * side.length)
                named = ("positions of k", "row by row", place) if place else ("k", "turned as expected", "otherwise; q is")
                return Found(f"; first at row {row} of {n}{of}", named=named)
    return None


def _alone(side: Beside) -> Found | None:
    """Decoding: a new token comes alone."""
    axes = side.code.position_axes
    for place in sorted({1, 3, 100 % side.length, side.length - 1} - {0}) if side.code.has_positions else ():
        at = np.full((1,) if axes == 1 else (axes, 1), place)
        for which, of, x in _asked(side):
            if _off(side, x[:, :, :1], at, which) is not None:
                return Found(f"; S = 1, position {place}{of}", named=("one row", "as among many", "otherwise"))
    return None


def _batch(side: Beside) -> Found | None:
    if "b" not in side.code.axes:
        return None
    x = side.x[:, :, : side.length]
    y, want = side.code.call(np.concatenate([x, -x])), np.concatenate([side.turned, -side.turned])
    wrong = side.wrong(y, want, np.arange(side.length))
    told = ("a batch of two", "as each alone", "others")
    return Found(f"; first at row {np.argmax(wrong)} of {side.length}", named=told) if wrong.any() else None


def _placed(side: Beside) -> Found | None:
    """Positions that are not 0, 1, 2, ..., with gaps, in no order, and as `served`."""
    if not side.code.has_positions:
        return None
    n, axes = min(256, max(side.length // 5, 2)), side.code.position_axes
    asked = served(side.length)
    if not side.rope.length_dependent:
        rising, mixed = np.cumsum(1 + np.arange(n) % 7), np.random.default_rng(0).permutation(n) * 3 + 5
        asked = {"are not consecutive": rising, "are in no order": mixed} | asked
    for name, at in asked.items():
        several = [np.stack([at] * axes), np.stack([np.roll(at, axis) for axis in range(axes)])]  # text, and an image
        for places in several if axes > 1 else (at,):
            for which, of, x in _asked(side):
                if (row := _off(side, x[:, :, : len(at)], places, which)) is not None:
                    where = f"; first at row {row} of positions {', '.join(map(str, at[:3]))}, ...{of}"
                    return Found(where, named=("positions", "as given", f"others where they {name}"))
    return None
