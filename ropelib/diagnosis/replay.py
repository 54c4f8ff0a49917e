"""Arithmetic: every way in which programs compute cosines and sines, replayed until one gives the very angles."""

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .explanations import BASES, Explanation
from .formats import bfloat16, float16, float32
from .measured import Measured, Turns
from .offsets import Start
from .report import Array, Report
from .reproduce import described
from .support import SPEEDS, doubt
from .turning import Turning, wrap

Tables = Callable[[Array, Array], tuple[Array, Array]]


def _rounded(
    position: Callable[..., Array] | None,
    speed: Callable[..., Array] | None,
    angle: Callable[..., Array] | None,
    table: Callable[..., Array] | None,
) -> Tables:
    def keep(a: Array) -> Array:
        return a

    p_, s_, a_, t_ = (each or keep for each in (position, speed, angle, table))

    def tables(p: Array, speed: Array) -> tuple[Array, Array]:
        angles = a_(p_(p) * s_(speed))
        return t_(np.cos(angles)), t_(np.sin(angles))

    return tables


ARITHMETIC: dict[str, Tables] = {
    "float64": _rounded(None, None, None, None),
    "float32 angles": _rounded(float32, float32, float32, None),
    "bfloat16 positions": _rounded(bfloat16, None, None, None),
    "float16 positions": _rounded(float16, None, None, None),
    "bfloat16 inverse frequencies": _rounded(None, bfloat16, None, None),
    "float16 inverse frequencies": _rounded(None, float16, None, None),
    "bfloat16 angles": _rounded(bfloat16, bfloat16, bfloat16, None),
    "float16 angles": _rounded(float16, float16, float16, None),
    "bfloat16 angles alone": _rounded(None, None, bfloat16, None),
    "float16 angles alone": _rounded(None, None, float16, None),
    "bfloat16 tables": _rounded(None, None, None, bfloat16),
    "float16 tables": _rounded(None, None, None, float16),
}

SINGLE = "float32 inverse frequencies"
TWICE = "more than one thing is rounded"
GOOD = 2.5  # errors: a way of computing that is no further off is one that may have been used


# --- speeds that rounding gives away


def _replayable(data: Measured, start: Start) -> tuple[Array, Array] | None:
    """Positions (S,) and the angles of sense 1 there (S, P), where one offset along one axis is that of all heads."""
    if start.offset is None or not data.one_axis or not data.alike:
        return None
    return data.places[0] + start.offset.value, data.without(start.offset.quarters, start.direction)


def rounded_angles(data: Measured, turns: Turns, start: Start) -> Turns | None:
    """Where angles were rounded to a coarse format, as were the frequencies: then these are known to the last place."""
    replayed = None if data.form.coarse else _replayable(data, start)
    if replayed is None:
        return None
    p, angle = replayed
    allowed = np.hypot(data.mean_error, 2.0**-23 * (1 + abs(p[:, None] * turns.found.speed)))
    for grid, bits in ((float16, 10), (bfloat16, 7)):
        exact = _on_grid(angle, allowed, p, turns.found, grid, bits)
        if exact is not None and (exact.speed_error < 1e-8 * abs(exact.speed)).sum() > 2:
            speed = exact.speed * np.sign(exact.speed[np.argmax(abs(exact.speed))])
            return replace(turns, found=exact, speed=speed, seen=abs(exact.speed) > 8 * exact.speed_error)
    return None


def _on_grid(angle: Array, allowed: Array, p: Array, found: Turning, grid: Callable[[Array], Array], bits: int) -> Turning | None:
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


def rounded_tables(data: Measured, turns: Turns, start: Start) -> tuple[Turns, Explanation] | None:
    """The published base whose tables, rounded to a coarse format, give these very angles."""
    fine = data.form.name in ("float32", "float64")
    replayed = _replayable(data, start) if fine and data.pairs > 2 else None
    if replayed is None:
        return None
    (p, angle), found = replayed, turns.found
    for base, mode in itertools.product(BASES, ("bfloat16 tables", "float16 tables")):
        model = data.ideal(base)
        if (abs(abs(found.speed) - model) > 8 * found.speed_error + 0.02 * model)[:3].any():
            continue
        cos, sin = ARITHMETIC[mode](p[:, None], model[None])
        allowed = np.hypot(data.mean_error, 2.0**-22 * (1 + abs(p[:, None] * model)))
        if np.sqrt((wrap(np.arctan2(sin, cos) - angle) ** 2 / allowed**2).mean(0)).max() < GOOD:
            told = np.maximum(1e-3 * model, np.median(data.mean_error, 0) / np.ptp(p))
            exact = replace(found, speed=model * np.sign(found.speed), speed_error=told)
            item = Explanation("plain", base, base, base, model, True, listed=True)
            return replace(turns, found=exact, speed=model, seen=model > 8 * told), item
    return None


# --- which arithmetic it was


def arithmetic(report: Report, data: Measured, turns: Turns, start: Start, item: Explanation | None) -> tuple[str, bool]:
    """Replay every way of computing: the one that gives the angles, "" if none does; whether it is certain to be right.

    Nothing about the angles is certain if none gives them.
    """
    replayed = _replayable(data, start)
    if replayed is None:
        if start.offset is None or not data.alike:
            doubt(report, "offset", *SPEEDS)
        return "", False
    models = described(item, turns.speed, data)
    if item is not None and item.rounding:  # a base's own speeds are not those that were kept
        models = models[-2:]
    misfits = _misfits(models, *replayed, data)
    least = min(misfits, key=lambda mode: misfits[mode])
    replays = least if misfits[least] < GOOD else ""
    firm = report["base"].sure and item is not None and item.method == "plain"
    if misfits["float64"] < GOOD:
        also = [mode for mode, misfit in misfits.items() if misfit < GOOD and mode != "float64"]
        _exact(report, data, turns, item, firm, also, misfits["float64"])
        return replays, True
    close = [mode for mode, misfit in misfits.items() if mode != least and misfit < max(4 * misfits[least], GOOD)]
    clear = bool(firm and not close and misfits[least] < 4 and misfits[least] < 0.25 * misfits["float64"])
    why = f"misfit {misfits[least]:.2g}, against {misfits['float64']:.2g} of exact arithmetic"
    kept = "" if item is None or least == f"{item.rounding} angles" else item.rounding  # speeds are rounded as well
    if clear and (kept or _misfits(models[:-1] or models, *replayed, data)[least] > 4):
        clear, close, why = False, [f"{kept or 'coarse'} inverse frequencies and {least}"], f"{TWICE}: {why}"
    report.put("arithmetic", least, clear, why, close, next="" if clear else "positions beyond 256, in float32 or float64")
    if misfits[least] > 4 and turns.found.scatter.max() > 2.0**-9:  # less is what tables in bfloat16 do
        doubt(report, "offset", *SPEEDS)
    return replays, clear


def _exact(
    report: Report, data: Measured, turns: Turns, item: Explanation | None, firm: bool, also: list[str], misfit: float
) -> None:
    """What is said where exact arithmetic gives the angles; that in `also` does, too."""
    if item is not None and item.rounding:
        also = [mode for mode in also if mode == f"{item.rounding} angles"]
        sure = firm and item.rounding_sure and not also
        report.put("arithmetic", f"{item.rounding} inverse frequencies", sure, rivals=also)
        return
    twins = [mode for mode in also if mode.endswith("inverse frequencies")] if not data.form.coarse else []
    if twins and item is not None and item.base not in BASES:  # all of them numbers of a coarse format
        doubt(report, "base", why=f"{twins[0]} would be the same")
    sure = firm and report["offset"].sure
    if data.form.name == "float64":
        told = SINGLE if item is not None and _single(turns, item.model) else "float64"
        report.put("arithmetic", told, sure and not also, rivals=also)
        return
    told = f"in these rows {', '.join(also)} would be, too" if also else ""
    seen = data.form.covers_angles and misfit > 0.4
    report.put("arithmetic", "as good as the format shows", sure and not twins and not seen, told)


def _single(turns: Turns, model: Array) -> bool:
    """Whether speeds that are known better than float32 has them are numbers of float32, and not those of the explanation."""
    speed, error = abs(turns.speed), 8 * turns.found.speed_error
    fine = error < 2.0**-28 * speed
    single = abs(float32(speed) - speed) < error + 2.0**-50 * speed
    other = abs(speed - model) > error + 2.0**-46 * speed
    return bool(fine.sum() > 3 and single[fine].all() and other[fine].any())


def _misfits(models: list[Array], p: Array, measured: Array, data: Measured) -> dict[str, float]:
    """How far each way of computing is from what was measured, with the speeds that suit it best, in errors.

    Where exact arithmetic is near, some rows tell which other ways are not: their own number is not needed, and is inf.
    """
    grain = 2.0**-50 if data.form.name == "float64" else 2.0**-23
    rounded = {"bfloat16 positions": bfloat16, "float16 positions": float16}
    exact = ["float64", *(mode for mode, cast in rounded.items() if np.array_equal(cast(p), p))]
    allowed = [np.hypot(data.mean_error, grain * (1 + abs(p[:, None] * model))) for model in models]

    def squares(mode: str, n: int, rows: slice = slice(None)) -> Array:
        with np.errstate(invalid="ignore"):  # float16 ends at 65504
            cos, sin = ARITHMETIC[mode](p[rows, None], models[n][None])
        return np.asarray((wrap(np.arctan2(sin, cos) - measured[rows]) / allowed[n][rows]) ** 2)

    def misfit(mode: str, n: int) -> float:
        value = float(np.sqrt(squares(mode, n).mean()))
        return value if np.isfinite(value) else np.inf

    every, best = range(len(models)), misfit("float64", 0)
    modes = [mode for mode in ARITHMETIC if mode not in exact]
    if best < GOOD:
        some, limit = slice(len(p) - 1, None, -max(len(p) // 4, 1)), GOOD**2 * measured.size
        modes = [mode for mode in modes if any(squares(mode, n, some).sum() <= limit for n in every)]
    if best >= GOOD or modes or data.form.covers_angles:  # else no more is asked than that it is near
        best = min([best, *(misfit("float64", n) for n in every[1:])])
    found = {mode: min(misfit(mode, n) for n in every) for mode in modes}
    return {mode: best if mode in exact else found.get(mode, np.inf) for mode in ARITHMETIC}


def widen(report: Report, data: Measured, turns: Turns, item: Explanation, replays: str) -> None:
    """Speeds or angles that may have been rounded move a base further than its fit says."""
    grain = {"bfloat16": 2.0**-8, "float64": 0.0, "float32": 0.0}.get(data.form.name, 2.0**-11)
    if replays not in ("float64", "float32 angles"):
        grain = max(grain, 2.0**-11 if replays.startswith("float16") else 2.0**-8)
    base, more = report["base"], np.exp(grain * data.pairs / max(int(turns.seen.sum()) - 1, 1))
    if grain and base.why.startswith("between"):
        base.why = f"between {item.low / more:.6g} and {item.high * more:.6g}"
        inside = [each for each in BASES if item.low / more <= each <= item.high * more]
        base.sure = base.sure and (inside == [item.base] if inside else item.high / item.low * more**2 < 1.02)
