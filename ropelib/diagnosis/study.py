"""From the angles that a layout reads to what they say: measured, turning, named."""

from dataclasses import replace

import numpy as np

from .elsewhere import Diagnosed, decode, leave_open, moved_row, one_place, other_axis, steady
from .explanations import BASES
from .formats import COARSE
from .measured import Measured, Turns
from .offsets import nearest_offset, offset_by_index, start
from .replay import arithmetic, widen
from .report import Array, Report
from .reproduce import reproduce
from .speeds import frequencies, is_list, lost
from .support import SLICE, SPEEDS, doubt
from .turning import phasor, turning, wrap

MOVED = ("offset", "phase", *SPEEDS, "arithmetic")
ALL = ("layout", *SLICE, "sense", "phase", "offset", *SPEEDS)


def study(report: Report, data: Measured, diagnosed: Diagnosed, inner: bool) -> Report:
    """Put what the angles say; another report where rows or axes are elsewhere. `inner`: it was asked for such a one."""
    still = steady(data)
    if still and not inner and (again := other_axis(data, diagnosed)):
        return again
    if one_place(report, data, still):
        return report
    data, turns = turn(data)
    return name(report, data, turns, diagnosed, inner)


def turn(data: Measured) -> tuple[Measured, Turns]:
    """Lines of angle over position. A second pass allows for float32 angles, whose error grows with the angle."""
    found = turning(data.mean, data.places, data.mean_error, data.loose)
    if (found.axis >= 0).all() and data.one_axis:
        grain = 2.0**-51 if data.form.name == "float64" else 2.0**-23
        good = found.speed_error < 0.05 * abs(found.speed)
        first, far = found[good], 0.0
        if good.any():
            value, _, misfit = nearest_offset(first.speed, first.phase, first.speed_error, first.phase_error)
            far = abs(float(value)) if misfit < 4 else 0.0
        grown = np.hypot(data.mean_error, grain * abs(found.speed) * (abs(data.places[0][:, None]) + far))
        found = turning(data.mean, data.places, grown, data.loose)
        unsteady = np.hypot(found.speed_error, grain / 2 * abs(found.speed) * far / np.ptp(data.places))
        found, data = replace(found, speed_error=unsteady), replace(data, mean_error=grown)
    seen = abs(found.speed) > 8 * found.speed_error
    good = (found.speed_error < 0.05 * abs(found.speed)) & (found.phase_error < 0.5)
    typical = np.hypot(np.median(data.mean_error, 0), data.loose)
    straight = (found.scatter < np.maximum(10 * typical, 2.0**-7))[seen].all()  # tables in bfloat16 do as much
    moved = None
    if data.one_axis:
        line = phasor(np.outer(data.places[0], found.speed) + found.phase)
        rest = np.angle(data.mean * line.conj())[:, seen]
        moved = moved_row(rest, found.speed[seen], np.hypot(data.mean_error, data.loose)[:, seen])
    speed = found.speed * np.sign(found.speed[np.argmax(abs(found.speed))])
    return data, Turns(found, seen, good, speed, bool(straight), moved)


def name(report: Report, data: Measured, turns: Turns, diagnosed: Diagnosed, inner: bool) -> Report:
    """Axes, sense, offset, frequencies, arithmetic; and rows that are elsewhere."""
    found = turns.found
    if (found.axis < 0).any():
        why = "some pairs follow none of the given positions"
        leave_open(report, data, why, "the positions of every axis")
        report.put("axes", None, False, why)
        return report
    if not data.one_axis:
        clear = turns.seen.all() and (found.fitting == 1).all()
        rivals = [] if turns.seen.all() else ["pairs too slow to see"]
        report.put("axes", found.axis.astype(int).tolist(), clear, "" if clear else "some pairs could follow another", rivals)
    step = float(np.diff(np.unique(data.places[0])).min()) if len(np.unique(data.places[0])) > 1 else 1.0
    if step > 1:
        _aliases(report, data, step)
        return report
    begun = start(report, data, turns)
    turns, item = frequencies(report, data, turns, begun)
    shifts = None if data.alike else offset_by_index(report, data, turns, begun.offset)
    replays, replayed = arithmetic(report, data, turns, begun, item)
    if item is not None and item.low < item.high:
        widen(report, data, turns, item, replays)
    if not replays or replays.startswith("float16"):
        lost(report, data, item)
    if replayed:
        report["sense"].sure = begun.one_way
    elif not inner and (again := decode(data, turns, begun, report["scale"].value, diagnosed)):
        return again
    if replays in ("float64", "float32 angles") and report["method"].value == "list" and is_list(report, data, turns, begun):
        report.put("method", "list", True, f"no formula that is known gives these speeds within {1 / 128:.1%}")
    if turns.moved is not None and not replays.startswith(COARSE):
        doubt(report, *MOVED, why=f"row {turns.moved} is further along than the others have it")
    if not _orderly(data, turns, shifts):
        doubt(report, *ALL)
    report.angles = {
        "theta": found.speed * begun.direction,
        "error": found.speed_error,
        "model": turns.speed if item is None else item.model,
    }
    reproduce(report, data, item, turns.speed, found.axis, begun.direction, begun.offset, shifts)
    if not data.one_axis and (found.fitting[turns.good] > 1).any():
        doubt(report, "sense", *MOVED, why="some pairs could follow another axis")
    return report


def _orderly(data: Measured, turns: Turns, shifts: Array | None) -> bool:
    """Whether angles belong to rows. Read from one head, any map that keeps a pair's length looks like some angle."""
    if data.alike:
        return len(data.z) > 1 or bool((turns.found.scatter < 0.3).all())
    return shifts is not None


def _aliases(report: Report, data: Measured, step: float) -> None:
    """Rows further apart than 1: angles are known modulo 2 pi / step, so every known base is tried."""
    near, hits = 5 * max(float(np.median(data.mean_error)), data.loose), []
    for base in BASES:
        for sense in (1, -1):
            rest = np.angle(data.mean * phasor(-np.outer(data.places[0], sense * data.ideal(base))))
            if np.sqrt((wrap(rest - np.angle(np.exp(1j * rest).sum(0))) ** 2).mean()) < near:
                hits.append((base, sense))
    leave_open(report, data, f"rows are {step:g} apart: angles are known modulo 2 pi / {step:g}", "two neighbouring positions")
    if hits:
        report["base"].value, report["sense"].value = hits[0]
        report["base"].rivals = [f"{base:g}" for base, _ in hits[1:]] + ["a base that is not published"]
