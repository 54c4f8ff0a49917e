"""diagnose: what did unknown code do to x to make y?"""

from typing import Any

import numpy as np
import numpy.typing as npt

from .._arguments import WrongType, finite
from .formats import Format, number_format
from .layouts import LAYOUTS, SOUND, Fit, Reading, fits, read
from .measured import measure
from .report import Array, Report
from .study import study
from .support import CODE, SLICE, uneven, unexplained, unseen


def diagnose(x: Any, y: Any, positions: Any = None) -> Report:
    """Name what an unknown rotary embedding did to x to make y.

    Every finding is certain, or open with what would decide it. For an implementation that can be called, `check_rope`
    chooses its own inputs and decides more.

    Parameters
    ----------
    x, y : array_like, shape (*B, S, D)
        Before and after; rows along the axis before the last. Random numbers show most. What they were rounded to
        (float16, decimals, ...) is seen from y.
    positions : array_like, shape (S,) or (A, S), optional
        Where the rows are, along each of A axes. Taken to be consecutive if not given.

    Returns
    -------
    Report
        `report["layout"].value`, `.sure`, `.why`, `.rivals`, `.same`, `.next`, and so for "rotates", "scale",
        "rotary_dim", "rotary_start", "sense", "phase", "offset", "method", "base", "factor", "arithmetic", "axes",
        "positions"; `report.rope` turns x into y; print it for all.

    Raises
    ------
    TypeError, ValueError
        If shapes differ, x or y are not finite floats, or y holds integers or is x itself.

    Notes
    -----
    Assumed: offsets within 16 384, one scale, and every head alike. Code that writes over its input makes a stored x equal
    y: keep a copy from before the call.

    References
    ----------
    The pairings and methods it knows are those of `ropelib.rotate` and `ropelib.from_config`, and the slips in public
    reports of faults.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(64, 16))
    >>> report = diagnose(x, Rope(inverse_frequencies(16, 500.0)).rotate(x, np.arange(1, 65)))
    >>> print(report.sentence)
    layout half, 16 channels rotate, sense 1, phase 0, offset 1, plain, base 500, scale 1, arithmetic float64 (open)
    >>> report["offset"].sure
    True
    """
    before, after, places = _arguments(x, y, positions)
    form = number_format(after)
    report = _diagnosed(before, after, places, form=form)
    unseen(report, before, places)
    unexplained(report, before, after, places, form)
    return report


def as_numpy(value: Any, name: str) -> npt.NDArray[Any]:
    """An array, also from torch's and JAX's kinds, bfloat16 as float32."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        if "bfloat16" in str(value.dtype):
            value = value.float()
    array = np.asarray(value)
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiu":
        raise WrongType(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array


def _arguments(x: Any, y: Any, positions: Any) -> tuple[Array, Array, Array]:
    before, after = as_numpy(x, "x"), as_numpy(y, "y")
    if before.shape != after.shape or before.ndim < 2:
        raise ValueError(f"x and y must have one shape (..., rows, channels), got {before.shape} and {after.shape}")
    if after.dtype.kind != "f":
        raise WrongType(f"y must hold floats, got {after.dtype}: give the values before they were made integers")
    if before is after or np.shares_memory(before, after):
        raise ValueError("y must not be x itself: the code wrote over its input; give a copy of x from before the call")
    if before.shape[-1] < 2 or before.shape[-2] < 1 or before.size == 0:
        raise ValueError(f"x must have rows and at least 2 channels, got shape {before.shape}")
    for name, array in (("x", before), ("y", after)):
        bad = ~np.isfinite(array)
        if bad.any():
            raise ValueError(f"{name} must be finite, got {array[bad][0]} at {tuple(map(int, np.argwhere(bad)[0]))}")
    if not before.any():
        raise ValueError("x must not be all zeros, which every rotation keeps: give random numbers")
    rows = before.shape[-2]
    places = (
        np.arange(rows, dtype=float)[None]
        if positions is None
        else np.atleast_2d(finite(as_numpy(positions, "positions"), "positions"))
    )
    if places.ndim != 2 or places.shape[-1] != rows:
        raise ValueError(f"positions must have shape ({rows},) or (axes, {rows}), got {np.shape(positions)}")
    return before.astype(np.float64), after.astype(np.float64), places


def _diagnosed(x: Array, y: Array, places: Array, inner: bool = False, form: Format | None = None) -> Report:
    report, form = Report(), form or number_format(y)
    report.put("format", form.name, True)
    width = x.shape[-1]
    flat_x, flat_y = x.reshape(-1, width), y.reshape(-1, width)
    noise = form.relative * (abs(flat_x) + abs(flat_y)) + form.step
    if _does_not_rotate(report, flat_x, flat_y, noise, form, places):
        return report
    fit = _layout(report, flat_x, flat_y, noise + 0.5 * form.relative * np.sqrt((flat_x**2).mean(-1, keepdims=True)))
    if not inner and (fit is None or not report["scale"].sure):
        again = _row_factors(x, y, places)
        if again is not None:
            return again
    if fit is None:
        return report
    reading = read(flat_x, flat_y, fit.pairing)
    assert reading is not None
    change = max(float(((flat_y - flat_x) ** 2).sum()), 1e-300)
    over_noise = reading.error / float((noise**2).sum())
    if over_noise > 9 and reading.error > 1e-5 * change:
        report["scale"].sure = False
        if reading.error > 1e-3 * change:  # some rows are turned otherwise
            for what in ("layout", "rotary_dim", "rotary_start"):
                report[what].sure = False
                report[what].next = f"{CODE}: some rows are not turned in this way"
    _scale(report, fit, reading, form, flat_x, flat_y)
    channel, *_ = fit.pairing.columns()
    changed, floor = (each[:, channel].sum((0, 1)) for each in ((flat_y - reading.scale * flat_x) ** 2, noise**2))
    if (reading.left > np.maximum(0.25 * changed, np.maximum(9 * floor, 0.1 * np.median(reading.left)))).any():
        report.leave(SLICE, "some channels change, but do not turn", CODE)
    outside = np.delete(np.arange(x.shape[-1]), channel)
    passed = np.min([((flat_y - gain * flat_x)[:, outside] ** 2).sum(0) for gain in (1.0, reading.scale)], axis=0)
    if (passed > 9 * np.maximum((noise[:, outside] ** 2).sum(0), np.median(reading.left))).any():
        report.leave(SLICE, "channels outside of the slice change, too", CODE)
    data = measure(x, y, places, form, fit.pairing, reading, report["layout"].sure)
    report = study(report, data, _diagnosed, inner)
    uneven(report, reading, flat_y[:, channel], form)
    return report


def _row_factors(x: Array, y: Array, places: Array) -> Report | None:
    """The report of x and y without a factor on whole rows, where there is one and nothing else."""
    length = np.linalg.norm(y, axis=-1, keepdims=True) / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-300)
    if y.shape[-2] < 3 or length.min() <= 0 or np.ptp(length) < 1e-4 * length.mean():
        return None
    form = number_format(y)
    again = _diagnosed(x, y / length, places, inner=True, form=form)
    if not (again["layout"].sure and again["scale"].sure and again["rotates"].value):
        return None
    factors = length.reshape(-1, y.shape[-2])
    alike = np.ptp(factors, axis=0).max() < 1e-3 * length.mean() + 8 * form.relative
    same = [] if alike else ["x was normalised"]
    told = factors[0].tolist() if alike else "row by row"
    again.put("scale", told, True, "every row has a factor of its own, on all channels", same=same)
    return again


def _does_not_rotate(report: Report, x: Array, y: Array, noise: Array, form: Format, places: Array) -> bool:
    gain = float((x * y).sum() / (x * x).sum())
    if (abs(y - gain * x) > 4 * noise).any():
        return False
    same = abs(gain - 1) < 4 * (form.relative + form.absolute)
    if not places.any():
        report.put("rotates", None, False, "only position 0, where every rotation is the identity", next="a row at position 1")
    else:
        excuses = ["every row was given position 0", "x was stored after it had been written over"]
        excuses += [f"turns by less than {form.name} shows"] if form.relative > 1e-6 or form.absolute > 1e-12 else []
        turned = ["every channel turned by pi, or negated"] if gain < 0 else []
        told = f"y is x{'' if same else f' times {gain:.6g}'} in every row"
        report.put("rotates", False, not turned, told, turned, same=excuses)
    report.put("scale", 1.0 if same else gain, gain > 0)
    return True


def _layout(report: Report, x: Array, y: Array, noise: Array) -> Fit | None:
    """The pairing that explains y, if one does; certain if no other pairing of the channels that moved does."""
    found, moved = fits(x, y, noise)
    best = found[0] if found else None
    if best is None or (best.share > 0.05 and best.over_noise > 9):
        left = "" if best is None else f": the best leaves {best.share:.0%} of the change"
        report.put("rotates", None, False, f"no pairing of channels explains y{left}", next=CODE)
        return None
    if len(moved) < 2:
        moved = np.arange(x.shape[1])
    clean = best.share < 1e-3 or best.over_noise < 4
    limit = max((4 if clean else 100) * best.share, 1e-26)
    ties = [fit for fit in found if fit.share <= limit or fit.over_noise < 4]
    sound = [fit for fit in ties if fit.pairing.name in SOUND]
    best = best if best.pairing.name in SOUND or not sound else sound[0]
    own = best.pairing.links(moved)
    order = list(LAYOUTS).index
    alike = [fit for fit in ties if fit.pairing.links(moved) == own]
    best = min(
        alike, key=lambda fit: (fit.pairing.name not in SOUND, fit.pairing.rotary_dim, fit.pairing.start, order(fit.pairing.name))
    )
    other = [fit.pairing for fit in ties if fit.pairing.links(moved) != own]
    other += [fit.pairing for fit in alike if fit.pairing.name != best.pairing.name and best.pairing.rotary_dim > 2]
    rivals = sorted({each.name for each in other if each.name != best.pairing.name})
    slices = sorted(
        {each.rotary_dim for each in other if each.name == best.pairing.name and each.rotary_dim != best.pairing.rotary_dim}
    )
    left = "" if clean else f"the best pairing, {best.pairing.name}, leaves {best.share:.1e} of the change"
    angles = len(x) * best.pairing.rotary_dim // 2  # as many are fitted to twice as many numbers: half of mere noise goes
    report.put("rotates", True, (clean or not other) and best.share < min(0.25, 0.02 * angles), left)
    report.put("scale", None, best.over_noise < 9 or best.share < 1e-5)
    more = "more rows or heads, or a finer number format" if rivals else ""
    enough = best.share < 1e-5 or (len(x) >= 8 and clean)  # few rows fit many a fault
    exact = best.pairing.name in SOUND or (enough and len(moved) > 2)
    report.put("layout", best.pairing.name, exact and not rivals, f"leaves {best.share:.1e} of the change", rivals, next=more)
    report.put("rotary_dim", best.pairing.rotary_dim, not other, "", [f"{each} channels" for each in slices])
    report.put("rotary_start", best.pairing.start, not other and best.pairing.start in moved)
    return best


def _scale(report: Report, fit: Fit, reading: Reading, form: Format, x: Array, y: Array) -> None:
    start, end = fit.pairing.start, fit.pairing.start + fit.pairing.rotary_dim
    turned, outside = x[:, start:end], np.r_[0:start, end : x.shape[1]]
    spread = np.sqrt(reading.error / turned.size / max(float((turned**2).sum()), 1e-300))
    away, rounding = abs(reading.scale - 1), (0.2 if form.coarse else 8) * form.relative  # of many numbers, most goes
    near = away < 6 * spread + rounding + 4 * form.absolute + (3e-7 if form.relative < 1e-6 else 0)
    value = 1.0 if near else reading.scale
    cut_off = form.coarse and not near and away < form.relative
    whole = bool(len(outside)) and ((y - value * x)[:, outside] ** 2).sum() < ((y - x)[:, outside] ** 2).sum()
    same = ["a factor on all of x"] if value != 1 and not len(outside) else []
    why = "on channels that do not turn, too" if whole and value != 1 else ""
    rivals = ["1, cut off and not rounded"] if cut_off else []
    report.put("scale", value, report["scale"].sure and not cut_off, why, rivals, same)
