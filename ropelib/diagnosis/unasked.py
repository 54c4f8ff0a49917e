"""Where nothing is expected: whether what some rows tell holds for the others, for keys, and for rows that come alone."""

import numpy as np

from .calling import Code
from .elsewhere import nearest_places
from .formats import COARSE
from .report import BATCHES, Array, Report
from .support import SPEEDS

PLACE = ("offset", "sense")
TURN = (*PLACE, "phase", *SPEEDS)


def every_row(report: Report, code: Code, x: Array, y: Array, rows: Array) -> None:
    """What was read from some rows holds for all of them; where one is far off, what it may not have is open."""
    rope = report.rope
    if rope is None or report.positions is None or report.positions.ndim != 1:
        return
    at = np.arange(x.shape[2]) + (report.positions[0] - rows[0])
    want = rope.rotate(x, at)
    wrong = abs(y - want).max((0, 1, 3)) > 20 * code.near + 2.0**-20 * abs(at)
    told = str(report["arithmetic"].value)
    if not wrong.any() or (report["arithmetic"].sure and told.startswith(COARSE)):
        return
    first, away = int(np.argmax(wrong)), abs(y - want).max((0, 1, 3))
    why = f"row {first} is off by {away[first]:.2g}: place or factor differs"
    next = "what the code does from that row on; expected= names it"
    for what in ("arithmetic", "precision"):
        if what in report.findings:
            report[what].sure, report[what].why, report[what].next = False, why, next
    bad = np.nonzero(wrong)[0]
    some = bad[np.linspace(0, len(bad) - 1, min(len(bad), 16)).astype(int)]
    report.leave(_what_differs(report, code, x[:, :, some], y[:, :, some], want[:, :, some], at), why, next)


def _what_differs(report: Report, code: Code, x: Array, y: Array, want: Array, at: Array) -> tuple[str, ...]:
    """Which findings these rows do not have: the factor alone, the place alone, or any of them."""
    rope = report.rope
    assert rope is not None
    near = 20 * code.near + 2.0**-20 * abs(at).max()
    factor = (y * want).sum((0, 1, 3)) / (want * want).sum((0, 1, 3))
    if abs(y - factor[:, None] * want).max() < near:
        return ("scale",)
    if rope.axes is not None:
        return ("scale", *TURN)
    part = slice(rope.rotary_start, rope.rotary_start + rope.rotary_dim)
    found = nearest_places(rope, x[0, 0][:, part], y[0, 0][:, part], np.arange(-len(at), 2 * len(at)))
    return PLACE if abs(rope.rotate(x, found) - y).max() < near else ("scale", *TURN)


def unasked(code: Code, x: Array) -> None:
    """Rows that come alone, keys as far as queries, the second of a batch. x (1, H, rows, D) is as long as was looked."""
    rows = x.shape[2]
    if code.position_axes > 1:
        return
    y, near = code.call(x), code.allowed(np.arange(rows))
    keys = x[:, : code.kv_heads]
    for place in sorted({0, 3 % rows, rows - 1} if code.has_positions else {0}):  # decoding
        one = code.call(x[:, :, place : place + 1], np.array([place]))
        if abs(one[:, :, 0] - y[:, :, place]).max() > near[place]:
            code.fail("turns a row alone otherwise", f"row {place} by itself", "other values", f"as among {rows} rows")
            return
    if code.pair:
        turned, key = code.as_query_and_key(keys)
        apart = abs(key - turned).max((0, 1, 3)) > near
        if apart.any():
            told = f"first at row {int(np.argmax(apart))} of {rows}"
            code.fail("treats q and k differently", f"q = k, {rows} rows", told, "alike")
            return
        if code.has_positions:
            back = np.arange(min(rows, 64))[::-1]
            turned, key = code.as_query_and_key(keys[:, :, : len(back)], back)
            if abs(key - turned).max() > near[back[0]]:
                code.fail("ignores positions", "q = k, positions in reverse", "k is turned otherwise", "alike")
                return
    if "b" in code.axes:
        two = code.call(np.concatenate([x, x]))
        apart = abs(two[1] - two[0]).max((0, 2)) > near
        if apart.any():
            told = f"they differ from row {int(np.argmax(apart))} on"
            code.fail(BATCHES, f"the same {rows} rows twice in a batch", told, "the same y")
