"""The length from which angles change, where they depend on it: the one that is expected, and the code's own."""

from dataclasses import replace

import numpy as np

from ..rope import Rope
from .calling import Stop, marks
from .found import Found
from .named import NAMED, Beside, Told, elsewhere
from .report import Array

MOST = 2**23  # numbers in the longest x that is made of rows alone
Made = tuple[Array, tuple[Array, ...]]  # rows, and what the code makes of them: of q, and of k where there is one


def of_length(rope: Rope, n: int) -> Rope:
    """The rotation of a text of n rows."""
    if rope.by_length is None:
        return rope
    speeds, factor = rope.by_length(float(n))
    return replace(rope, inv_freq=speeds, attention_factor=factor, by_length=None)


def switch(rope: Rope) -> int | None:
    """The first length whose angles are not those of short texts."""
    short = of_length(rope, 1)

    def changed(n: int) -> bool:
        long = of_length(rope, n)
        return long.attention_factor != short.attention_factor or not np.array_equal(long.inv_freq, short.inv_freq)

    low, high = 1, 2**26
    if rope.by_length is None or not changed(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if changed(middle) else (middle, high)
    return high


def switched(side: Beside) -> Found | None:
    """Lengths beside the switch, the expected one and the code's, and others past it: all rows, and the last one alone."""
    code, first, longest = side.code, switch(side.rope), side.x.shape[2]
    if first is None or code.position_axes > 1:
        return None
    beside = {first - 1, first, first + 1, *((code.switch - 1, code.switch) if code.switch else ())} - {0}
    lengths = [*sorted(beside), *(n for n in range(side.length + 777, longest + 1, max(longest // 6, 1)) if n > first), longest]
    for n in lengths:
        made = _made(side, n)
        for which, of in ((0, ""), (1, " of k"))[: 1 + code.pair]:
            if (row := _off(side, n, made, which)) is not None:
                return Found(f"; first at row {row} of {n}{of}", row, named=_named(side, n, first, made, which, row))
            at = np.array([n - 1])
            if (
                code.has_positions
                and _wrong(side, code.call(_given(side, at, which), at, which), at, of_length(side.rope, n)).any()
            ):
                return Found(f"; S = 1, position {n - 1}{of}", named=("one row", "as among many", "otherwise"))
    return None


def _given(side: Beside, at: Array, which: int) -> Array:
    return side.rows(at)[:, : side.code.kv_heads if which else None]


def _wrong(side: Beside, y: Array, at: Array, rope: Rope) -> Array:
    return side.wrong(y, rope.rotate(side.rows(at)[:, : y.shape[1]], at), at)


def _made(side: Beside, n: int) -> Made | None:
    """Some of n rows, the first and the last among them, and what the code makes of these; None if n are too many."""
    code = side.code
    if n > max(MOST // (code.heads * code.width), side.x.shape[2]):
        return None
    at, x = np.unique([*range(min(n, 64)), *(r for r in marks(31) if r < n), *range(max(n - 64, 0), n)]), side.first(n)
    try:
        if not code.pair:
            return at, (code.call(x)[:, :, at],)
        q, k = code.both(x, -x[:, : code.kv_heads])  # not the same, lest one is made from the other
        return at, (q[:, :, at], -k[:, :, at])
    except Stop as stop:
        told = f"rows are too many: {stop.failure.what}: {stop.failure.got[:80]}"
        code.notes += [] if any("rows are too many" in note for note in code.notes) else [f"{n} {told}"]
        return None


def _off(side: Beside, n: int, made: Made | None, which: int) -> int | None:
    """The first of n rows that is not as expected."""
    if made is None:
        return None
    at, y = made
    wrong = _wrong(side, y[which], at, of_length(side.rope, n))
    return int(at[np.argmax(wrong)]) if wrong.any() else None


def _named(side: Beside, n: int, first: int, made: Made | None, which: int, row: int) -> Told:
    """What is wrong with n rows: some are elsewhere, or angles change earlier or later than expected, or to others."""
    code, expected = side.code, f"the switch at {first} rows"
    if n < first and row < side.length:
        return "length", expected, f"{code.switch}" if code.switch and code.switch <= n else "an earlier one"
    if n < first:
        at, x = np.arange(row, min(row + NAMED, n)), side.first(n)[:, : code.kv_heads if which else None]
        place = elsewhere(replace(side, rope=of_length(side.rope, n)), x[0, 0, at], code.call(x, which=which)[0, 0, at], at, n)
        return ("positions", "row by row", place) if place else ("far positions", "as near ones", "others")
    if made is not None and not _wrong(side, made[1][which], made[0], of_length(side.rope, 1)).any():
        later = code.switch if code.switch and code.switch > n else None
        return "length", expected, f"{later}" if later else f"none up to {max(n, side.x.shape[2])}"
    return "length", f"the angles of {n} rows", "others"
