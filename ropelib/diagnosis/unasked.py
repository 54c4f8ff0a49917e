"""Where nothing is expected: whether what some rows tell holds for the others, for keys, and for rows that come alone."""

import numpy as np

from .callers import served
from .calling import Code
from .elsewhere import nearest_places
from .formats import COARSE
from .report import BATCHES, Array, Report
from .support import SPEEDS

PLACE = ("offset", "sense")
TURN = (*PLACE, "phase", *SPEEDS)


def every_row(report: Report, code: Code, x: Array, y: Array, places: Array, read: Array) -> None:
    """What was read from some rows holds for all of them; where one is far off, what it may not have is open.

    `places` (S,) or (A, S) are those of x and y, `read` (S',) or (A, S') those of the rows that the report is of.
    """
    rope = report.rope
    if rope is None or report.positions is None or report.positions.shape != read.shape:
        return
    at = places + (report.positions - read)[..., :1]
    want = rope.rotate(x, at)
    far = abs(at) if at.ndim == 1 else abs(at).max(0)
    wrong = code.apart(y, want, far)
    told = str(report["arithmetic"].value)
    if not wrong.any() or (report["arithmetic"].sure and told.startswith(COARSE)):
        return
    first, away = int(np.argmax(wrong)), abs(y - want).max((0, 1, 3))
    row = f"row {first}" if at.ndim == 1 else "the row at " + ", ".join(f"{each:.0f}" for each in places[:, first])
    why = f"{row} is off by {away[first]:.2g}: place or factor differs"
    next = f"what the code does from {'that row' if at.ndim == 1 else 'there'} on; expected= names it"
    for what in ("arithmetic", "precision"):
        if what in report.findings:
            report[what].sure, report[what].why, report[what].next = False, why, next
    bad = np.nonzero(wrong)[0]
    some = bad[np.linspace(0, len(bad) - 1, min(len(bad), 16)).astype(int)]
    report.leave(_what_differs(report, code, x[:, :, some], y[:, :, some], want[:, :, some], far), why, next)


def _what_differs(report: Report, code: Code, x: Array, y: Array, want: Array, far: Array) -> tuple[str, ...]:
    """Which findings these rows do not have: the factor alone, the place alone, or any of them."""
    rope, last = report.rope, np.full(x.shape[2], far.max())
    assert rope is not None
    factor = (y * want).sum((0, 1, 3)) / (want * want).sum((0, 1, 3))
    if not code.apart(y, factor[:, None] * want, last).any():
        return ("scale",)
    if rope.axes is not None:
        return ("scale", *TURN)
    part = slice(rope.rotary_start, rope.rotary_start + rope.rotary_dim)
    found = nearest_places(rope, x[0, 0][:, part], y[0, 0][:, part], np.arange(-len(far), 2 * len(far)))
    return ("scale", *TURN) if code.apart(y, rope.rotate(x, found), last).any() else PLACE


def unasked(code: Code, x: Array) -> None:
    """Rows that come alone, keys as far as queries, the second of a batch. x (1, H, rows, D) is as long as was looked."""
    rows = x.shape[2]
    if code.position_axes > 1:
        rows = min(rows, 256)  # as many random positions
        at, x = code.random.integers(0, x.shape[2], (code.position_axes, rows)), x[:, :, :rows]
    else:
        at = np.arange(rows)
    y = code.call(x, at)
    keys = x[:, : code.kv_heads]
    for place in sorted({0, 3 % rows, rows - 1} if code.has_positions else {0}):  # decoding
        one = code.call(x[:, :, place : place + 1], at[..., place : place + 1])
        if code.apart(one, y[:, :, place : place + 1], at[..., place : place + 1], exact=True).any():
            code.fail("turns a row alone otherwise", f"row {place} by itself", "other values", f"as among {rows} rows")
            return
    mixed = code.random.permutation(rows)[:256]
    asked = {"are not consecutive": np.sort(mixed), "are in no order": mixed, **served(rows)} if code.has_positions else {}
    for name, some in asked.items():
        apart = code.apart(code.call(x[:, :, some], at[..., some]), y[:, :, some], at[..., some], exact=True)
        if apart.any():
            places = ", ".join(map(str, at[..., some][..., :3].tolist()))
            told = f"first at row {int(np.argmax(apart))} of positions {places}, ..."
            code.fail("ties positions to rows", f"positions that {name}", told, "each row as among its neighbours")
            return
    if code.pair:
        turned, key = code.as_query_and_key(keys, at)
        apart = code.apart(key, turned, at, exact=True)
        if apart.any():
            told = f"first at row {int(np.argmax(apart))} of {rows}"
            code.fail("treats q and k differently", f"q = k, {rows} rows", told, "alike")
            return
        for name, some in asked.items():
            turned, key = code.as_query_and_key(keys[:, :, some], at[..., some])
            if code.apart(key, turned, at[..., some], exact=True).any():
                code.fail("ties positions to rows", f"q = k, positions that {name}", "k is turned otherwise", "alike")
                return
    if "b" in code.axes:
        two = code.call(np.concatenate([x, x]), at)
        apart = code.apart(two[1:], two[:1], at, exact=True)
        if apart.any():
            told = f"they differ from row {int(np.argmax(apart))} on"
            code.fail(BATCHES, f"the same {rows} rows twice in a batch", told, "the same y")
