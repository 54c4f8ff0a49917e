"""Where probed code and the rotation that was expected part: the smallest input that shows it."""

from collections.abc import Callable

import numpy as np

from ..rope import Rope
from .calling import TOLERANCE, Stop, marks, shown
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
    told = f"{shown(got)}; expected {shown(want[h, row, :, j])}"
    return Found(f"; one-hot e{j}, S = {n}, row {row}{head}{batch} -> {told}", row, by=by)


def far_row(side: Beside, far: tuple[Array, Array, Array]) -> Found | None:
    """The first row within `length` that is off by more than float32 angles are, in words and as a number."""
    code = side.code
    if code.position_axes > 1:
        x, y, places = far
        wrong = code.apart(y, side.rope.rotate(x, places), places, exact=True)
        first = int(np.argmax(wrong))
        if not wrong.any():
            return None
        return Found(f"; first at row {first} of random positions", first, by=_beyond(places, wrong))
    for n in sorted({SHORT, 64, side.length}):
        x = side.x[:, :, :n]
        wrong = code.apart(code.call(x), side.rope.rotate(x), np.arange(n), exact=True)
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
        x = side.rows(np.arange(last + 1))
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
    limited = side.limit if rope.by_length is None else lambda at: side.allowed(at)[:, None]

    def wrong(at: Array) -> bool:
        try:
            y = turned(at)
        except Stop as stop:
            fault[:] = [stop.failure.what]
            return True
        away = abs(y - rope.rotate(side.rows(at)[:, : y.shape[1]], at)).max((0, 1))
        return bool((away > limited(at)).any())

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


def _coarse(side: Beside, report: Report) -> Found | None:
    """Findings that are certain in a coarse format, whose tolerance for single numbers is wider than what they tell."""
    form = report["format"].value
    if form not in COARSE or side.code.position_axes > 1:
        return None
    scale, offset, factor = report["scale"], report["offset"], float(side.rope.attention_factor)
    where = f"; in numbers of {form}, of all rows together"
    if scale.sure and isinstance(scale.value, float) and abs(scale.value / factor - 1) > 2 * ROUNDING[form]:
        return Found(where, named=("scale", factor, scale.value))
    if offset.sure and isinstance(offset.value, int | float) and offset.value:
        return Found(where, named=("offset", 0, offset.value))
    return None


def small(side: Beside, report: Report) -> Found | None:
    """What is too little to see in one number, but stands in all of a channel's: a factor, an offset."""
    code, rope = side.code, side.rope
    if coarse := _coarse(side, report):
        return coarse
    if code.position_axes > 1 or code.near != TOLERANCE[code.kind.name] or code.kind == np.float64:
        return None
    x = side.x[:, :, : min(64, side.length)]
    away = np.sqrt(((code.call(x) - rope.rotate(x)) ** 2).mean((0, 1, 2)))
    if away.max() < code.near * (0.2 if code.kind == np.float16 else 1.0):
        return None
    where = f"; channel {int(np.argmax(away))} is off by {away.max():.2g} (root mean square of {x.shape[2]} rows)"
    scale = report["scale"].value
    if isinstance(scale, float) and abs(scale / rope.attention_factor - 1) > 1e-4:
        return Found(where, named=("scale", float(rope.attention_factor), scale))
    return Found(where, named=("values", "as near as the format allows", "others"))
