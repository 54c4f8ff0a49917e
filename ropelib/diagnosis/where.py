"""Where probed code and the rotation that was expected part: the smallest input that shows it."""

from collections.abc import Callable

import numpy as np

from ..rope import Rope
from .calling import Stop, beside, marks
from .contract import SHORT, one_hots
from .formats import COARSE, ROUNDING
from .found import Found
from .named import BY_LENGTH, NAMED, Beside, Told, elsewhere
from .report import Array, Report
from .switch import MOST, of_length

Turned = Callable[[Array], Array]  # y at these positions


def one_hot(side: Beside) -> Found | None:
    """The smallest one-hot input that comes out otherwise, and its row."""
    code = side.code
    want = side.rope.rotate(one_hots(code)).transpose(1, 2, 3, 0)
    where = np.argwhere(abs(side.made - want) > 8 * code.near)
    if not len(where):
        return None
    h, row, _, j = (int(n) for n in where[np.lexsort(where.T[[2, 3, 0, 1]])[0]])
    head, batch, by = f", head {h}" if h else "", "", None
    for n in (row + 1, SHORT):  # asked again: the row may depend on how many follow, and on the batch
        got = code.call(one_hots(code)[j : j + 1, :, :n])[0, h, row]
        if abs(got - want[h, row, :, j]).max() > 8 * code.near:
            break
        by = ("length", "rows that do not depend on it", "others in a longer x")
    else:
        n, got, batch = SHORT, side.made[h, row, :, j], f", in a batch of {code.width}"
        by = ("batch", "each x as by itself", "others in a larger one")
    told = "; expected ".join(beside(got, want[h, row, :, j]))
    return Found(f"; one-hot e{j}, S = {n}, row {row}{head}{batch} -> {told}", row, by=by)


def far_row(side: Beside, far: tuple[Array, Array, Array]) -> Found | None:
    """The first row within `length` that is off by more than float32 angles are, in words and as a number."""
    code = side.code
    if code.position_axes > 1:
        x, y, places = far
        wrong = side.wrong(y, side.rope.rotate(x, places), places)
        first = int(np.argmax(wrong))
        if not wrong.any():
            return None
        return Found(f"; first at row {first} of random positions", first, by=_beyond(places, wrong))
    for n in sorted({SHORT, 64, side.length}):
        x = side.x[:, :, :n]
        wrong = side.wrong(code.call(x), side.turned if n == side.length else side.rope.rotate(x), np.arange(n))
        if wrong.any():
            first = int(np.argmax(wrong))
            return Found(f"; first at row {first} of {n}", first)
    if not side.rope.length_dependent and any(note.startswith(BY_LENGTH) for note in code.notes):
        return Found("; only in longer sequences")
    return None


def _beyond(places: Array, wrong: Array) -> Told | None:
    """Along several axes: the position at which, or beyond which, rows are wrong."""
    most = places.max(0)
    last = most[~wrong].max(initial=-1)
    if (~wrong).sum() > 5 and wrong.sum() > 5 and (most[wrong] > last).all():
        return "positions", "every one as given", f"others beyond {last:.0f}"
    common = [value for value in np.unique(places[:, wrong]) if (places[:, wrong] == value).any(0).all()]
    if len(common) == 1 and not (places[:, ~wrong] == common[0]).any():
        return "positions", "every one as given", f"another for {common[0]:.0f}"
    return None


def far_end(side: Beside, reach: int | None) -> tuple[Found | None, int]:
    """A few positions up to the last that is expected: where they part, and how; how many were looked at."""
    code, rope, last = side.code, side.rope, (reach or 0) - 1
    if not code.has_positions:  # rows are positions: all of them have to be made
        last = min(last, MOST // (code.heads * code.width) - 1)
    if last < side.length:
        return None, side.length
    ways: list[Turned] = [lambda at: code.call(side.rows(at), at)]
    if code.pair:
        ways.append(lambda at: code.call(side.rows(at)[:, : code.kv_heads], at, 1))
    if not code.has_positions:
        x = side.first(last + 1)
        try:
            made = code.both(x, x[:, : code.kv_heads]) if code.pair else (code.call(x),)
        except Stop as stop:
            told = f"{stop.failure.what}: {stop.failure.got[:80]}"
            return Found(f"; x of {last + 1} rows", named=("positions", f"up to {(reach or 0) - 1}", told)), side.length
        ways, rope = [_taken(y) for y in made], of_length(rope, last + 1)
    for turned, of in zip(ways, ("", " of k"), strict=False):
        if found := _far(side, rope, turned, last, of):
            return found, last + 1
    return None, last + 1


def _taken(y: Array) -> Turned:
    return lambda at: y[:, :, at]


def _far(side: Beside, rope: Rope, turned: Turned, last: int, of: str) -> Found | None:
    """The first position up to the last at which what `turned` gives is not as expected."""
    fault: list[str] = []

    def wrong(at: Array) -> bool:
        try:
            if rope.length_dependent:  # a request of its own: what grew for a longer one may stay until a shorter comes
                side.code.call(side.rows(np.arange(SHORT)))
            y = turned(at)
        except Stop as stop:
            fault[:] = [stop.failure.what]
            return True
        return bool(side.wrong(y, rope.rotate(side.rows(at)[:, : y.shape[1]], at), at).any())

    asked = np.array([*sorted({r for r in marks(31) if side.length <= r <= last} | {last - 1, last})])
    if not wrong(asked):
        return None
    alone = [int(r) for r in asked if wrong(np.array([r]))]
    if not alone:
        return Found(f"; each by itself is right{of}", named=("far positions", "as near ones", "others where they jump"))
    right, bad = max([side.length - 1, *(int(r) for r in asked if r < alone[0])]), alone[0]
    while bad - right > 1:
        middle = (right + bad) // 2
        right, bad = (right, middle) if wrong(np.array([middle])) else (middle, bad)
    fault.clear()
    wrong(np.array([bad]))
    where = f"; first at position {bad}{of} of {last + 1}"
    if fault:
        return Found(where, named=(f"positions{of}", f"up to {last}", fault[0]))
    at = np.arange(bad, min(bad + NAMED, last + 1))
    place = elsewhere(side, side.rows(at)[0, 0], turned(at)[0, 0], at, bad + NAMED)
    named = (f"positions{of}", "row by row", place) if place else (f"far positions{of}", "as near ones", "others")
    return Found(where, named=named)


def _certain(side: Beside, report: Report) -> Told | None:
    """A factor or an offset that is certain, and not the one that was expected."""
    near = max(2e-5, 2 * ROUNDING.get(report["format"].value, 0.0))
    for what, want, least in (("scale", float(side.rope.attention_factor), near), ("offset", 0, 1e-9)):
        found = report[what]
        if found.sure and isinstance(found.value, int | float) and abs(found.value - want) > least * max(want, 1):
            return what, want, found.value
    return None


def small(side: Beside, report: Report, reach: int | None) -> Found | None:
    """What is too little to see in one number, but stands in all of a channel's: of the first rows, and of the last."""
    code, rope, form = side.code, side.rope, report["format"].value
    certain = _certain(side, report) if code.position_axes == 1 else None
    if certain and form in COARSE:
        return Found(f"; in numbers of {form}, of all rows together", named=certain)
    n, last = min(64, side.length), side.length if not code.has_positions else max(side.length, reach or 0)
    for start in (0, last - n) if code.near > 1e-6 and not rope.length_dependent else ():
        row = start + np.arange(n)
        at = np.stack([row, *(code.random.permutation(row) for _ in range(code.position_axes - 1))])
        at = at if code.position_axes > 1 else row
        x = side.rows(row)
        y = code.call(x, at) if code.has_positions else code.call(side.x[:, :, : start + n])[:, :, row]
        away = np.sqrt(((y - rope.rotate(x, at)) ** 2).mean((0, 1, 2)))
        limit = code.near / 10 if code.near > 1e-2 else 3e-5  # right code: a third of it or less
        limit += side.limit(at).max(0) - code.near if start else 0 * away
        if (away > limit).any():
            channel = int(np.argmax(away - limit))
            where = f"; channel {channel} is off by {away[channel]:.2g} (root mean square of rows {start} to {start + n - 1})"
            return Found(where, named=certain or ("values", "as near as the format allows", "others"))
    return None
