"""From angles in rows to turning: the number format, the speed and phase of each pair, the offset, a row's own position."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from .explanations import BASES, bfloat16, float16, float32
from .report import Array, Index, Mask

REACH = 16384  # offsets beyond are not looked for


@dataclass(frozen=True)
class Format:
    """The coarsest number format that holds every value: its relative and absolute rounding."""

    name: str
    relative: float
    absolute: float

    @property
    def coarse(self) -> bool:
        return self.name in ("float16", "bfloat16")


def number_format(y: Array) -> Format:
    """The format of y, seen from its values alone."""
    few = y.ravel()[:64]  # most formats are ruled out by these

    def holds(rounded: Callable[[Array], Array], within: float = 0.0) -> bool:
        return all(bool((abs(rounded(each) - each) <= within).all()) for each in (few, y))

    if holds(bfloat16):
        return Format("bfloat16", 2.0**-8, 0.0)
    if abs(y).max(initial=0) < 6e4 and holds(float16):
        return Format("float16", 2.0**-11, 3e-8)
    for digits in range(2, 9):
        if holds(partial(np.round, decimals=digits), 1e-12):
            return Format(f"{digits} decimals", 0.0, 0.5 * 10.0**-digits)
    if holds(float32):
        return Format("float32", 2.0**-24, 1e-38)
    return Format("float64", 2.0**-53, 1e-300)


def wrap(angle: Array) -> Array:
    """Into [-pi, pi)."""
    turned = angle + np.pi
    if turned.size > 64 and abs(turned).max() < 4 * np.pi and turned.min() >= -2 * np.pi:  # the same remainder, ten times as fast
        turned = np.where(turned < 0, turned + 2 * np.pi, np.where(turned < 2 * np.pi, turned, turned - 2 * np.pi))
    else:
        turned = turned % (2 * np.pi)
    return np.asarray(turned - np.pi)


def phasor(angle: Array) -> Array:
    """exp(i angle); of real angles half the work of a complex exponential."""
    made = np.empty(angle.shape, complex)
    made.real, made.imag = np.cos(angle), np.sin(angle)
    return made


@dataclass(frozen=True)
class Turning:
    """What each pair does along its axis: angle = speed * position + phase, with standard deviations; all of shape (P,).

    `scatter` is what is left about the line, `axis` the axis of positions that the pair follows (-1: none), `fitting` how
    many axes it could follow.
    """

    speed: Array
    phase: Array
    speed_error: Array
    phase_error: Array
    scatter: Array
    axis: Array
    fitting: Array

    def __getitem__(self, pairs: Mask) -> "Turning":
        return Turning(*(value[pairs] for value in vars(self).values()))


def line(z: Array, p: Array, error: Array) -> Turning:
    """Speed and phase of unit phasors z (S, P) at positions p (S,), by doubling the lag and then least squares."""
    order = np.argsort(p, kind="stable")
    z, p = z[order], p[order]
    step = np.diff(p)[np.diff(p) > 0].min()
    speed = np.zeros(z.shape[1])
    lag = step
    while lag <= 2 * np.ptp(p):
        there = np.searchsorted(p, p + lag * (1 + 1e-9), "right") - 1
        gap = p[there] - p
        use = gap > (0.5 * lag if lag > step else 0)
        between = z[there[use]] * z[use].conj()
        if lag == step:
            speed = np.angle(between.sum(0)) / step
        elif use.any():
            gaps, which = np.unique(gap[use], return_inverse=True)  # few where rows count by one
            turn = np.angle(between * phasor(-np.outer(gaps, speed))[which])
            speed = speed + (turn * gap[use, None]).sum(0) / (gap[use] ** 2).sum()
        lag *= 2
    weight = error**-2.0
    centre = (weight * p[:, None]).sum(0) / weight.sum(0)
    away = p[:, None] - centre
    spread = (weight * away**2).sum(0)
    for step in range(4):
        flat = z * phasor(-speed * away)
        middle = np.angle((weight * flat).sum(0))
        rest = np.angle(flat * np.exp(-1j * middle))
        nearer = speed + (weight * rest * away).sum(0) / spread
        if step == 3 or np.array_equal(nearer, speed):
            break
        speed = nearer
    scatter = (
        np.sqrt((weight * rest**2).sum(0) / weight.sum(0) * len(p) / max(len(p) - 2, 1)) if len(p) > 2 else np.zeros(len(speed))
    )
    typical = np.sqrt(len(p) / weight.sum(0))
    worse = np.maximum(1.0, scatter / typical)
    if len(p) > 3:  # what is more than noise may be steps: neighbours that err alike count as one
        run = np.clip((rest[1:] * rest[:-1]).sum(0) / np.maximum((rest**2).sum(0), 1e-300), 0, 1 - 2 / len(p))
        worse = np.where(worse > 2, worse * np.sqrt((1 + run) / (1 - run)), worse)
    speed_error = np.maximum(worse / np.sqrt(spread), 1e-16)
    phase_error = np.hypot(worse / np.sqrt(weight.sum(0)), abs(centre) * speed_error)
    nothing = np.zeros(len(speed))
    return Turning(speed, wrap(middle - speed * centre), speed_error, phase_error, scatter, nothing, nothing + 1)


def turning(z: Array, positions: Array, error: Array, loose: float) -> Turning:
    """Each pair's line along the axis of positions (A, S) that explains it best."""
    best: Turning | None = None
    for a, row in enumerate(positions):
        values, where = np.unique(row, return_inverse=True)
        if len(values) < 2:
            continue
        weight = error**-2.0
        inside, order = np.zeros(z.shape[1]), np.argsort(row)
        pooled, total = (weight * z)[order], weight[order]
        if len(values) < len(row):  # rows at one position must agree
            pooled, total = np.zeros((len(values), z.shape[1]), complex), np.zeros((len(values), z.shape[1]))
            np.add.at(pooled, where, weight * z)
            np.add.at(total, where, weight)
            inside = np.sqrt(((np.angle(z * pooled[where].conj()) / np.hypot(error, loose)) ** 2).mean(0))
        found = line(pooled / np.maximum(abs(pooled), 1e-300), values, total**-0.5)
        straight = found.scatter < 5 * np.hypot(np.median(error, 0), loose) if len(positions) > 1 and len(values) > 2 else True
        follows = (inside < 3) & straight
        found = replace(found, axis=np.where(follows, a, -1.0), fitting=follows.astype(float))
        if best is None:
            best = found
            continue
        clear = abs(found.speed) / found.speed_error
        better = follows & ((best.axis < 0) | ((clear > abs(best.speed) / best.speed_error) & (clear > 8)))
        merged = {name: np.where(better, value, getattr(best, name)) for name, value in vars(found).items()}
        best = Turning(**merged | {"fitting": best.fitting + found.fitting})
    assert best is not None
    return best


def on_grid(angle: Array, allowed: Array, p: Array, found: Turning, grid: Callable[[Array], Array], bits: int) -> Turning | None:
    """Speeds that are numbers of a coarse format, from angles (S, P) rounded to it as well: `grid(grid(p) * speed)`.

    Replaying tells which number each pair has; a slow one may have several. None if a pair has none.
    """
    speed, error, row = abs(found.speed), found.speed_error.copy(), grid(p)
    for k in range(len(speed)):
        step = 2.0 ** (np.floor(np.log2(max(speed[k], 1e-30))) - bits)
        reach = int(np.ceil(8 * error[k] / step)) + 2
        if reach > 256:  # too slow to be seen
            continue
        tried = grid(speed[k]) + step * np.arange(-reach, reach + 1)
        with np.errstate(invalid="ignore"):  # float16 ends at 65504
            away = wrap(grid(row[:, None] * tried) - angle[:, k, None]) / allowed[:, k, None]
        fits = tried[np.sqrt((away**2).mean(0)) < 2.5]
        if not len(fits):
            return None
        speed[k], error[k] = (fits[0] + fits[-1]) / 2, np.ptp(fits) / 2 + 1e-9 * speed[k]
    return replace(found, speed=speed * np.sign(found.speed), speed_error=error)


# --- one offset for all pairs


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
    value, error = one(slowest, phase[..., slowest])
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
        if misfit < 4 and quarters == 0 and abs(value - round(value)) < 0.02:
            first = Offset(round(value) + 0.0, 0, error)
            if not coincidental(first, turn, good):
                if abs(first.value) <= 1 and coincidence(Offset(REACH, 0, error), turn, good) > 0.01:
                    return [first]
                return [first, *(Offset(float(each), 0, error) for each in whole_offsets(*args)[:8] if each != first.value)]
        wholes = whole_offsets(*args)
        wholes = wholes[np.argsort(abs(wholes), kind="stable")]
        found += [Offset(float(each) + 0.0, quarters, error) for each in wholes[:8]]
        if misfit < 4 and not (abs(wholes - value) < 0.02).any():
            found.append(Offset(round(value) + 0.0 if abs(value - round(value)) < 1e-3 else value, quarters, error))
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


# --- rows that are not where they should be


def moved_row(rest: Array, speed: Array, error: Array) -> int | None:
    """The row that stands furthest from where the others put it, if one does: `rest` (S, P) is left about the lines."""
    if len(rest) < 6 or not len(speed):
        return None
    noise = np.maximum(np.median(error, 0), 1.5 * np.median(abs(rest), 0))  # one row, however far, does not widen it
    told = (speed**2 / noise**2).sum()
    away = abs((rest * speed / noise**2).sum(1)) / told  # in positions
    return int(np.argmax(away)) if away.max() > max(8 / np.sqrt(told), 0.05) else None


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
