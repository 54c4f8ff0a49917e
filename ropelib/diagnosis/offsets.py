"""Sense, constant phase and offset, which are told together: one offset that gives the phases of all pairs."""

from dataclasses import dataclass

import numpy as np

from .measured import Measured, Turns
from .report import Array, Mask, Report
from .turning import Turning, wrap

REACH = 16384  # offsets beyond are not looked for
LONGER = "a longer stretch of positions"
EXCHANGED = "cos and sin exchanged: the angle is pi/2 - m theta, which turns the other way"
_PHASES = {  # quarter turns and sense of what was measured: what programs do to get there
    (1, -1): EXCHANGED,
    (-1, 1): "a quarter turn back in every pair; cos and sin exchanged, if the code meant -m theta",
    (1, 1): "a quarter turn on in every pair",
    (-1, -1): "a quarter turn back in every pair",
    (2, 1): "negated",
    (2, -1): "negated",
}


@dataclass(frozen=True)
class Offset:
    """phase = speed * value + quarters * pi / 2 for every pair."""

    value: float
    quarters: int
    error: float

    @property
    def whole(self) -> bool:
        return float(self.value).is_integer()

    @property
    def oddity(self) -> float:
        """Simple offsets first: scans find far ones that fit by chance."""
        return 6.0 * (self.quarters != 0) + 5.0 * (not self.whole) + float(np.log2(abs(self.value) + 1))


def nearest_offset(speed: Array, phase: Array, speed_error: Array, phase_error: Array) -> tuple[Array, Array, Array]:
    """From the slowest pair, which does not wrap, each faster one sharpens: value, its error, misfit.

    Speeds (P,), phases (*B, P); results (*B,).
    """

    def one(k: int, near: Array) -> tuple[Array, Array]:
        here = near / speed[k]
        return here, np.maximum(np.hypot(phase_error[..., k], here * speed_error[k]) / abs(speed[k]), 1e-15)

    slowest, *others = np.argsort(abs(speed))
    value, error = map(np.asarray, one(slowest, phase[..., slowest]))
    for k in others:
        here, own = one(k, speed[k] * value + wrap(phase[..., k] - speed[k] * value))
        told = error * abs(speed[k]) < 0.7  # else the whole turns between cannot be counted
        weight = error**-2 + own**-2
        value = np.where(told, (value / error**2 + here / own**2) / weight, value)
        error = np.where(told, weight**-0.5, error)
    spread = (
        np.hypot(phase_error, abs(value)[..., None] * speed_error)
        + abs(speed) * error[..., None]
        + 1e-15 * (1 + abs(speed * value[..., None]))
    )
    return value, error, np.sqrt(((wrap(phase - speed * value[..., None]) / spread) ** 2).mean(-1))


def whole_offsets(speed: Array, phase: Array, speed_error: Array, phase_error: Array) -> Array:
    """Every whole number within reach that the phases allow."""
    found = np.arange(-REACH, REACH + 1.0)
    for k in np.argsort(phase_error + 1e3 * speed_error)[: len(speed) // 2 + 8]:
        spread = np.hypot(phase_error[k], abs(found) * speed_error[k]) + 1e-9
        found = found[abs(wrap(phase[k] - speed[k] * found)) < 5 * spread]
    return found


def offsets(turn: Turning, good: Mask) -> list[Offset]:
    """Every offset and constant phase that fits, the simplest first; only the first where others fit by chance at most.

    Where none should fit by chance and another does, all frequencies share a period.
    """
    found: list[Offset] = []
    for quarters in (0, 1, 2, -1) if good.any() else ():
        args = turn.speed[good], wrap(turn.phase[good] - quarters * np.pi / 2), turn.speed_error[good], turn.phase_error[good]
        value, error, misfit = (float(each) for each in nearest_offset(*args))
        near = min(6 * error + 1e-9, 0.02)
        if misfit < 4 and quarters == 0 and abs(value - round(value)) < near:
            first = Offset(round(value) + 0.0, 0, error)
            if not coincidental(first, turn, good):
                if abs(first.value) <= 1 and coincidence(Offset(REACH, 0, error), turn, good) > 0.01:
                    return [first]
                return [first, *(Offset(float(each), 0, error) for each in whole_offsets(*args)[:8] if each != first.value)]
        wholes = whole_offsets(*args)
        wholes = wholes[np.argsort(abs(wholes), kind="stable")]
        found += [Offset(float(each) + 0.0, quarters, error) for each in wholes[:8]]
        if misfit < 4 and not (abs(wholes - value) < near).any():
            found.append(Offset(round(value) + 0.0 if abs(value - round(value)) < near else value, quarters, error))
    return sorted(found, key=lambda each: each.oddity)


def coincidence(offset: Offset, turn: Turning, good: Mask) -> float:
    """How many offsets as simple as this one would fit by chance. Pairs of like speed say the same: they count once."""
    reach, last, luck = abs(offset.value) + 1, 0.0, 1.0
    speed = abs(turn.speed)
    for k in np.nonzero(good)[0][np.argsort(speed[good])]:
        if speed[k] > 4 * last:
            last = speed[k]
            width = 10 * (np.hypot(turn.phase_error[k], abs(offset.value) * turn.speed_error[k]) + 1e-9)
            luck *= min(1.0, width / min(2 * np.pi, 2 * speed[k] * reach))
    return float(luck * (2 * reach + 1) * (4 if offset.quarters else 1) * (1 if offset.whole else 50))


def coincidental(offset: Offset, turn: Turning, good: Mask) -> bool:
    """Whether the fit may be chance. Offsets 0 and 1 are what programs do: less is asked of them."""
    near = offset.quarters == 0 and offset.whole and abs(offset.value) <= 1
    return coincidence(offset, turn, good) >= (1e-2 if near else 1e-4)


# --- what is said of it


@dataclass(frozen=True)
class Start:
    """The sense of turning, whether it is the only one that fits, and the offset, if one fits all pairs."""

    direction: int
    one_way: bool
    offset: Offset | None


def start(report: Report, data: Measured, turns: Turns) -> Start:
    """Put sense, phase and offset."""
    found, good, seen = turns.found, turns.good, turns.seen
    fitting = offsets(found, good)
    up, down = int((seen & (found.speed > 0)).sum()), int((seen & (found.speed < 0)).sum())
    sense, mixed = (1 if up >= down else -1), min(up, down) > 0
    best = fitting[0] if fitting else None
    luck = coincidence(best, found, good) if best else 1.0
    lucky = best is None or coincidental(best, found, good)
    periodic = not lucky and len(fitting) > 1 and best is not None and best.whole
    settled = best is not None and (len(fitting) == 1 or not lucky) and not periodic
    quarters = best.quarters if best else 0
    one_sense = len({abs(each.quarters) % 2 for each in fitting}) == 1 or not lucky
    one_way = bool(data.layout_known and best is not None and seen.any() and not mixed and one_sense)
    report.put("sense", sense, one_way and turns.straight, "pairs turn both ways" if mixed else "")
    words = {0: "0", 1: "pi/2", 2: "pi", -1: "-pi/2"}[quarters]
    sure = data.layout_known and settled and good.sum() > 1 and not mixed and turns.straight
    report.put("phase", words, sure, cause=_PHASES.get((quarters, sense), ""))
    if best is None:
        why = "no one offset fits all pairs" if good.any() else "no pair turns enough"
        report.put("offset", None, False, why, next=LONGER)
        return Start(sense, one_way, None)
    fine = not lucky if best.whole else best.error < 0.02 and abs(found.speed[good]).min() * 2048 < np.pi
    sure = data.layout_known and settled and fine and not mixed
    rivals = [
        f"{each.value:.5g}" + (f" with phase {each.quarters} quarter turns" if each.quarters else "") for each in fitting[1:4]
    ]
    report.put(
        "offset",
        int(best.value) if best.whole else best.value,
        sure,
        f"such a fit by chance: {min(luck, 1):.0e}",
        [] if sure else rivals,
        next="" if sure else "more rows, or a finer format: a slower pair decides",
    )
    return Start(sense, one_way, best)


def offset_by_index(report: Report, data: Measured, turns: Turns, offset: Offset | None) -> Array | None:
    """Every leading index may count from its own start: padding, or a cache. Returns how far each is from the offset."""
    if offset is None:
        return None
    good, finding = turns.good, report["offset"]
    found, turn = turns.found[good], np.sign(turns.found.speed[np.argmax(abs(turns.found.speed))])
    apart = np.angle((data.z * data.mean.conj()).mean(1)[:, good]) * turn
    spread = np.broadcast_to(np.maximum(found.phase_error, 1e-9), apart.shape)
    shifts, _, misfit = nearest_offset(turns.speed[good], apart, found.speed_error, spread)
    if (misfit > 4).any():
        finding.sure, finding.why = False, "heads or batches turn differently"
        finding.next = "each of them by itself: diagnose(x[0], y[0]), diagnose(x[1], y[1]), ..."
        return None
    back = np.exp(-1j * turn * turns.speed * shifts[:, None, None])
    if np.sqrt((data.apart(0, data.z * back) ** 2).mean()) > 4:  # pairs that are not seen to turn may differ, too
        finding.sure, finding.why = False, "heads or batches turn differently"
        return None
    values = offset.value + shifts
    whole = bool(abs(values - np.round(values)).max() < 0.05)
    finding.value = (np.round(values).astype(int) if whole else np.round(values, 3)).reshape(data.lead).tolist()
    finding.sure, finding.why = finding.sure and whole, "each leading index has its own"
    return np.asarray(np.round(values) - offset.value)
