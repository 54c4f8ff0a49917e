"""What every rotary embedding should do, whatever its angles; where it does not, the cause, if one is known."""

import numpy as np

from .arrays import diagnose
from .calling import ROUNDED, Code, shown
from .formats import number_format
from .report import BATCHES, REMEMBERS, REPEATABLE, Array, worded

OVERWRITES = "writes over its input"
SHORT = 8  # rows of the probes that read matrices


def contract(code: Code) -> tuple[Array, Array]:
    """Ask all but the matrices; what was asked with, and the answer. Nothing more is asked of code that answers differently."""
    x = code.noise(2, code.heads, SHORT - 1, code.width)
    y = code.call(x)
    if code.overwritten:
        what = code.overwritten
        code.fail(OVERWRITES, "any x", f"{what} changed", f"{what} as {'they were' if what == 'positions' else 'it was'}")
    if code.returned != code.kind:
        code.notes.append(f"returns {code.returned} for {code.kind}")
    form = number_format(y).name
    if form in ROUNDED and form != code.kind:
        code.near = max(code.near, ROUNDED[form])
        code.notes.append(f"returns numbers of {form} in {code.returned}")
    again = code.call(x)
    if abs(again - y).max() > code.near:
        code.fail(REPEATABLE, "the same x twice", _between_calls(x, y, again), "one result")
        return x, y
    if not np.array_equal(again, y):
        code.notes.append(f"repeats itself to {abs(again - y).max():.1g} only")
    if code.pair:
        _query_and_key(code)
        y = code.call(x)
    _linear(code, x, y)
    _rows(code, x, y)
    if code.reused:
        code.fail("overwrites what it returned", "another x", "the first result changes, too", "a result that stays")
    if "b" in code.axes:
        alike = np.repeat(x[:1], 2, axis=0)
        got = code.call(alike)
        if abs(got[1] - got[0]).max() > code.near:
            starts = _starts(alike[:1], got[:1]), _starts(alike[1:], got[1:])
            apart = f"differ by {abs(got[1] - got[0]).max():.3g}"
            if None not in starts and starts[0] != starts[1]:
                apart = f"batch 0 starts at position {starts[0]}, batch 1 at {starts[1]}"
            code.fail(BATCHES, "the same x twice in a batch", apart, "the same y")
    if code.has_positions:
        for which in range(1 + (code.pair and not code.failures)):
            _honours_positions(code, x[:, : code.kv_heads] if which else x, which)
    last = code.call(x)
    if abs(last - y).max() > code.near:
        code.fail(REPEATABLE, "the same x, many calls later", _between_calls(x, y, last), "one result")
    return x, y


def _between_calls(x: Array, first: Array, second: Array) -> str:
    lost = [float((each == 0).mean()) for each in (first, second)]
    if min(lost) > 0.01:
        return f"{lost[0]:.0%} of the numbers are 0, others each time (dropout left on)"
    starts = _starts(x, first), _starts(x, second)
    if None not in starts and starts[0] != starts[1]:
        return f"row 0 at position {starts[0]}, then at {starts[1]} (a counter kept between calls)"
    return f"results that are up to {abs(second - first).max():.2g} apart"


def _starts(x: Array, y: Array) -> int | None:
    """The position of row 0, where it is certain."""
    offset = diagnose(x, y)["offset"]
    return offset.value if offset.sure and isinstance(offset.value, int) else None


def _linear(code: Code, x: Array, y: Array) -> None:
    twice, other = code.call(2 * x), code.call(x[::-1])
    if abs(twice - y).max() < code.near:
        code.fail("is not linear", "x and 2 x", "the same y (x is normalised)", "y(2 x) = 2 y(x)")
        return
    added = 2 * y - twice
    if abs(added).max() > 4 * code.near and abs(2 * other - code.call(2 * x[::-1]) - added).max() < 8 * code.near:
        most = np.round(added[0, 0], 3)
        s = int(np.argmax(abs(most).max(-1)))
        code.fail("is not linear", f"any x, row {s}", f"y = a matrix times x, and {shown(most[s])} added", "nothing added")
        return
    wholes = [(2 * x, 2 * y, "y(2 x) is not 2 y(x)"), (-x, -y, "y(-x) is not -y(x)"), (64 * x, 64 * y, "y(64 x) is not 64 y(x)")]
    for given, wanted, told in [*wholes, (x + x[::-1], y + other, "y(x + z) is not y(x) + y(z)")]:
        if abs(code.call(given) - wanted).max() > 8 * code.near * max(1.0, float(abs(given).max()) / 8):
            code.fail("is not linear", "x and its multiples", told, "a matrix for each row")
            return


def _rows(code: Code, x: Array, y: Array) -> None:
    touched = x.copy()
    touched[0, 0, 3] += 1
    changed = abs(code.call(touched) - y).max(-1) > code.near
    changed[0, 0, 3] = False
    if changed.any():
        b, h, s = (int(n) for n in np.argwhere(changed)[0])
        got = f"y changes at batch {b}, head {h}, row {s}, too"
        code.fail("mixes rows", "x changed at batch 0, head 0, row 3", got, "one row changes")


def _query_and_key(code: Code) -> None:
    """Which of q and k each output is made from, and whether both turn alike."""
    q, k, other = (code.noise(2, heads, SHORT - 1, code.width) for heads in (code.heads, code.kv_heads, code.kv_heads))
    (a, b), (c, d) = code.both(q, k), code.both(q, other)
    reads = [abs(one - two).max() > code.near for one, two in ((a, c), (b, d))]
    if reads == [True, False]:
        code.fail("returns q and k in exchanged order", "k changed", "the first output changes, the second does not", "q, then k")
        code.exchanged = True
    elif reads == [False, False]:
        code.fail("never reads k", "k changed", "neither output changes: both are made from q", "the second changes")
        return
    elif reads == [True, True]:
        code.fail("mixes q and k", "k changed", "both outputs change", "the second changes")
    turned, key = code.as_query_and_key(k)
    if abs(key - turned).max() > code.near:
        still = ["k" if abs(key - k).max() < code.near else "", "q" if abs(turned - k).max() < code.near else ""]
        heads = (abs(key - turned) > code.near).any((0, 2, 3))
        if any(still):
            got = f"{''.join(still)} does not turn"
        elif not heads.all():
            got = f"head {int(np.argmax(heads))} of k is turned otherwise"
        else:
            got = _unlike(k, turned, key)
        code.fail("treats q and k differently", "q = k", got, "alike")


def _unlike(x: Array, q: Array, k: Array) -> str:
    """In what two rotations of x differ."""
    one, two = diagnose(x, q), diagnose(x, k)
    for what in ("layout", "rotary_dim", "sense", "phase", "offset", "scale", "base"):
        if one[what].sure and two[what].sure and one[what].value != two[what].value:
            return f"{what} {worded(one[what].value)} of q, {worded(two[what].value)} of k"
    return "both turn, not alike"


def _honours_positions(code: Code, x: Array, which: int) -> None:
    n, of = x.shape[2], " of k" * which

    def alike(place: int, rows: int = n) -> Array:
        return code.call(np.repeat(x[:, :, :1], rows, axis=2), np.full(rows, place), which)

    def turns(y: Array) -> bool:
        return bool(abs(y - y[:, :, :1]).max() > code.near)

    same = alike(5)
    if turns(same):
        if turns(alike(5, n + 4 + 10 * which)):  # as many rows as were never asked
            code.fail("ignores positions", f"equal rows{of}, all at position 5", "rows turn differently", "equal rows")
        else:
            told = f"{n} equal rows{of}, all at position 5, after {n} at others"
            code.fail(REMEMBERS, told, "rows turn differently", "equal rows, as of another number of rows")
    elif abs(alike(9) - same).max() < code.near:
        if abs(alike(9, n + 6 + 10 * which)[:, :, :n] - same).max() < code.near:
            told = f"all rows{of} at position 5, then at 9"
            code.fail("ignores positions", told, "the same y (positions counted from the first?)", "two")
        else:
            code.fail(REMEMBERS, f"{n} rows{of} at position 5, then at 9", "the same y", "two, as of another number of rows")
    y, back = code.call(x, np.arange(n), which), np.arange(n)[::-1]
    for order, told in ((back, "in reverse"), (np.r_[0, back[1:-1], n - 1], "in reverse between the first and the last")):
        if abs(code.call(x[:, :, order], order, which) - y[:, :, order]).max() > code.near:
            told = f"{'k' if which else 'x'} and positions, both {told}"
            code.fail("ties positions to rows", told, "other values", "the same values in that order")
            return


def one_hots(code: Code) -> Array:
    """Every one-hot vector in every head and row: (D, H, rows, D)."""
    return np.broadcast_to(np.eye(code.width)[:, None, None], (code.width, code.heads, SHORT, code.width))


def matrices(code: Code) -> Array:
    """y of every one-hot vector: (H, rows, D out, D in)."""
    made = code.call(one_hots(code)).transpose(1, 2, 3, 0)
    tight = 4 * code.near
    if abs(made - made[:1]).max() > tight:
        h, s, _, j = (int(n) for n in np.argwhere(abs(made - made[:1]) > tight)[0])
        by_head = abs(made - made[:, :1]).max() < tight
        what = "turns by the head's index, not the row's" if by_head else "turns heads differently"
        where = f"one-hot e{j}, row {s}, head {h}"
        code.fail(what, where, shown(made[h, s, :, j]), f"as in head 0, {shown(made[0, s, :, j])}")
    if not any(each.what == BATCHES for each in code.failures):  # the one-hots lie along the batch
        _rotation(code, made[0], tight)
    return made


def _rotation(code: Code, m: Array, tight: float) -> None:
    """Columns at right angles, of one length in every row; scores that depend on the distance alone. m: (rows, D out, D in)."""
    columns = m.transpose(0, 2, 1).reshape(-1, code.width)
    scores = (columns @ columns.T).reshape(len(m), -1, len(m), code.width).transpose(0, 2, 1, 3)  # rows, rows, columns, columns
    gram = np.diagonal(scores).transpose(2, 0, 1)
    lengths = np.diagonal(gram, axis1=1, axis2=2)
    crossed = abs(gram - lengths[:, :, None] * np.eye(code.width)) > tight
    uneven = abs(lengths - lengths[0]) > tight
    if crossed.any():
        s, a, b = (int(n) for n in np.argwhere(crossed)[0])
        got = f"come out with inner product {gram[s, a, b]:+.4f}"
        code.fail("is no rotation", f"one-hot e{a} and e{b}, row {s}", got, "0")
    elif uneven.any():
        s, j = (int(n) for n in np.argwhere(uneven)[0])
        got, want = _apart(lengths[s, j] ** 0.5, lengths[0, j] ** 0.5)
        code.fail("changes lengths by position", f"one-hot e{j}, row {s}", f"length {got}", f"{want}, as in row 0")
    drift = abs(scores[1:, 1:] - scores[:-1, :-1])
    if drift.max() > 2 * tight:
        r, c, i, k = (int(n) for n in np.argwhere(drift > 2 * tight)[0])
        told = f"q = e{i}, k = e{k} at rows {r} and {c}, then {r + 1} and {c + 1}"
        first, then = _apart(scores[r, c, i, k], scores[r + 1, c + 1, i, k])
        code.fail("scores depend on more than the distance", told, f"{first}, then {then}", "the same score")


def _apart(a: float, b: float) -> tuple[str, str]:
    """Two numbers in as many digits as tell them apart, at least four."""
    digits = max(4, int(np.ceil(-np.log10(max(abs(a - b), 1e-12)))) + 1)
    return f"{a:.{digits}f}", f"{b:.{digits}f}"
