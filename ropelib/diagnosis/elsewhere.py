"""Rows that are elsewhere: turned by the index of another axis, all at one position, or each at one that was not given."""

from collections.abc import Callable

import numpy as np

from ..rope import Rope
from ..rotation import to_complex
from .explanations import BASES
from .formats import COARSE, bfloat16, float16
from .layouts import SOUND
from .measured import Measured, Turns
from .offsets import Start, nearest_offset
from .report import Array, Index, Report
from .reproduce import Residual, rope_of
from .support import SPEEDS
from .turning import phasor

Diagnosed = Callable[..., Report]  # diagnose, of other arrays or at other positions
AFTER_LAYOUT = ("sense", "offset", "base", "method")


def other_axis(data: Measured, diagnosed: Diagnosed) -> Report | None:
    """Angles alike in every row that differ along another axis: the axes are exchanged, and the report is theirs."""
    rows = data.x.shape[-2]
    by_axis, errors = (each.reshape(*data.lead, rows, data.pairs) for each in (data.z, data.error))
    for a, length in enumerate(data.lead):
        apart = abs(np.angle(by_axis * by_axis.mean(a, keepdims=True).conj()))
        if length > 1 and np.quantile(apart / np.hypot(errors, 1e-4), 0.9) > 10:
            turned = np.swapaxes(data.x, a, -2), np.swapaxes(data.y, a, -2)
            again = diagnosed(*turned, np.arange(length, dtype=float)[None], inner=True)
            if again.positions is not None and again.rope is not None:
                places, shape = again.positions, turned[0].shape[:-1]
                front = places.shape[:1] if again.rope.axes is not None else ()
                own = places.shape[len(front) :]
                every = np.broadcast_to(places.reshape(*front, *[1] * (len(shape) - len(own)), *own), (*front, *shape))
                again.positions = np.ascontiguousarray(np.swapaxes(every, -1, a + len(front)))
            sure = length > 2 and again["offset"].sure  # any two angles lie on a line
            why = "every row of the sequence has the same angle"
            rivals = [] if sure else [f"entries of axis {a} that are turned differently, by no index"]
            again.put("axes", f"exchanged: turns by the index along axis {a}", sure, why, rivals)
            for what in () if sure else (*AFTER_LAYOUT, "phase", "factor"):
                if what in again.findings:
                    again[what].sure = False
            return again
    return None


def steady(data: Measured) -> bool:
    """Whether angles are the same in every row, although positions are not."""
    varied = len(np.unique(data.places)) > 1
    return varied and bool(np.quantile(data.apart(1), 0.99) < 8)


def one_place(report: Report, data: Measured, still: bool) -> bool:
    """One position says nothing of what changes with position."""
    if max(len(np.unique(row)) for row in data.places) > 1 and not (still and data.alike):
        return False
    if still:
        plain = bool((abs(data.angle) > 50 * data.error).any())
        alike = bool((data.apart(1) < 2).all())  # errors are bounds: rows of one position stay within a third of them
        rivals = [] if alike else ["rows that turn by little more than the format shows"]
        sure = plain and data.layout_known and alike
        report.put("positions", "every row turns alike", sure, "", rivals, ["all rows were given one position"])
    why = "the angle is the same in every row" if still else "one position only"
    leave_open(report, data, why, "two or more rows at consecutive positions")
    return True


def leave_open(report: Report, data: Measured, why: str, next: str) -> None:
    """Nothing is known but the layout."""
    for what in AFTER_LAYOUT:
        report.put(what, None, False, why, next=next)
    if report["rotary_dim"].value != data.x.shape[-1]:
        report["rotary_dim"].sure = False


def decode(data: Measured, turns: Turns, start: Start, scale: float, diagnosed: Diagnosed) -> Report | None:
    """Rows that do not count by one: read the position of each from its own angles, and look again with these."""
    if not data.one_axis or not data.layout_known or not data.alike or not (start.offset is None or _scattered(data, turns)):
        return None
    got = decoded(np.angle(data.mean), data.mean_error, data.pairing.rotary_dim)
    if got is None or len(np.unique(got[1])) < 2:
        return None
    base, places = got
    sense, clear = likely_sense(places, data.places[0])
    places = sense * places + 0.0
    again = diagnosed(data.x, data.y, places[None], inner=True)
    name = pattern(places, data.places[0])
    apart = int(np.gcd.reduce(np.diff(places).astype(int)))
    told = [] if apart == 1 else [f"positions {apart} times nearer, frequencies {apart} times as high"]
    if not clear:
        told.append("the same negated, turned in the other sense")
        again["sense"].sure = False
    shifted = ["the same with an offset added everywhere"]
    again.put("positions", places.astype(int).tolist(), not told, name, told, shifted, "" if apart == 1 else "the config")
    for what in SPEEDS if apart > 1 else ():
        again[what].sure = False
    again.put("offset", None, False, "the rows are not where they were taken to be: see positions")
    if again.rope is None and data.pairing.name in SOUND:
        again.rope = rope_of(data, data.ideal(base), scale, sense)
        again.positions, again.residual = places, Residual(data)(again.rope, places)
    if name.startswith(COARSE):
        again.put("arithmetic", name.split()[0] + " positions", False, "from the pattern of the positions")
    for kind, rounded, exact in (("bfloat16", bfloat16, 256), ("float16", float16, 2048)):
        if abs(places).max() > exact and np.array_equal(rounded(places), places):  # not by chance
            again.leave(("arithmetic",), f"every position is a number of {kind}", "the positions that were given")
    return again


def _scattered(data: Measured, turns: Turns) -> bool:
    """Whether some row, or most of them, stands off the lines of angle over position."""
    if turns.moved is not None:
        return True
    rough = turns.found.scatter / np.median(data.mean_error, 0)
    return bool(data.x.shape[-2] > 2 and turns.seen.any() and np.median(rough[turns.seen]) > 20)


def moved_row(rest: Array, speed: Array, error: Array) -> int | None:
    """The row that stands furthest from where the others put it, if one does: `rest` (S, P) is left about the lines."""
    if len(rest) < 6 or not len(speed):
        return None
    noise = np.maximum(np.median(error, 0), 1.5 * np.median(abs(rest), 0))  # one row, however far, does not widen it
    told = (speed**2 / noise**2).sum()
    away = abs((rest * speed / noise**2).sum(1)) / told  # in positions
    return int(np.argmax(away)) if away.max() > max(8 / np.sqrt(told), 0.05) else None


def nearest_places(rope: Rope, x: Array, y: Array, places: Array) -> Array:
    """Of `places` the one for each row at which the rope comes nearest to y: x and y (S, R), the channels that turn."""
    before, after = (to_complex(each, layout=rope.layout) for each in (x, y))
    met = ((after.conj() * before) @ phasor(rope.direction * np.outer(rope.inv_freq, places))).real
    return np.asarray(places[np.argmax(met, axis=1)])


def decoded(angle: Array, error: Array, rotary_dim: int) -> tuple[float, Array] | None:
    """The position of every row by itself, if one known base makes all of them whole numbers: base, positions of sense 1."""
    k = np.arange(rotary_dim // 2)

    def positions(base: float, rows: Index) -> Array | None:
        speed = base ** (-2 * k / rotary_dim)
        value, spread, misfit = nearest_offset(speed, angle[rows], 1e-9 * speed, error[rows])
        whole = abs(value - np.round(value)) < np.maximum(5 * spread, 1e-3)
        fits = (misfit < 4) & (abs(value) < 131072) & (spread < 0.05) & whole
        return np.round(value) + 0.0 if fits.all() else None

    some = np.unique(np.r_[: min(6, len(angle)), np.linspace(0, len(angle) - 1, 6).astype(int)])  # the first may differ most
    found = [base for base in BASES if positions(base, some) is not None]
    rows = positions(found[0], np.arange(len(angle))) if len(found) == 1 else None
    return None if rows is None else (found[0], rows)


def likely_sense(places: Array, given: Array) -> tuple[int, bool]:
    """Positions of sense 1 are those negated of sense -1: the one whose steps are the rows'; whether nothing speaks against."""
    side = 1 if places.min() >= 0 else -1 if places.max() <= 0 else 0
    on, back = (int((np.diff(places) == way * np.diff(given)).sum()) for way in (1, -1))
    run = 1 if on > max(1, 2 * back) else -1 if back > max(1, 2 * on) else 0
    return run or side or 1, run != 0 and side * run >= 0


def pattern(places: Array, given: Array) -> str:
    """What a program does that puts rows at these places, where others were given."""
    rows, first = np.arange(len(places), dtype=float), places[0]
    if not np.array_equal(given, rows):
        shift = float(np.round(np.median(places - given)))
        told = "those given" + (f" and {shift:g}" if shift else "")
        for name, cast in (("bfloat16", bfloat16), ("float16", float16)):
            if np.array_equal(cast(given + shift), places):
                return f"{name} of {told}"
        return f"not {told}: first at row {int(np.argmax(given + shift != places))}"
    known = {
        f"bfloat16 of {first:g}, {first + 1:g}, ...": bfloat16(rows + first),
        f"float16 of {first:g}, {first + 1:g}, ...": float16(rows + first),
        "backwards": first - rows,
        "every row at one position": first + 0 * rows,
        f"stops at {places.max():g}": np.minimum(rows + first, places.max()),
        f"left padding: stays at {first:g}, then counts": np.maximum(rows - rows[np.argmax(places > first)] + first + 1, first),
    }
    for name, want in known.items():
        if np.array_equal(want, places):
            return name
    at = np.nonzero(np.diff(places - rows))[0] + 1
    if len(at) and len(set(places[at[0] :].tolist())) == 1:
        return f"counts to {places[at[0] - 1]:g}, then every row at {places[-1]:g}"
    jumps = rows[at].astype(int)
    if len(set(np.diff(jumps, prepend=0))) == 1 and (places[at] == first).all():
        return f"starts again every {jumps[0]} rows"
    return f"counts by one, jumps at rows {jumps[:6].tolist()}"
