"""What a finding rests on: it is left open where x or the positions could not show it, or where y has more than it says."""

import numpy as np

from .formats import COARSE, Format
from .layouts import SOUND, Reading
from .report import Array, Report

SPEEDS = ("base", "method", "factor")
SLICE = ("rotary_dim", "rotary_start")
CODE = "the code itself, through check_rope"
FEW = 32  # positions; in fewer, what is left over cannot be told from angles


def doubt(report: Report, *questions: str, why: str = "angles scatter more than the number format explains") -> None:
    """Leave questions open; what would decide them is what was said before, else the code itself."""
    for what in questions:
        report.leave((what,), why, report[what].next or CODE)


def unseen(report: Report, x: Array, places: Array) -> None:
    """Open what x and the positions could not show."""
    count = len(np.unique(places[0]))
    zero = (x.reshape(-1, x.shape[-1]) == 0).all(0)
    if zero.any():
        still = ("rotates", "scale") if report["rotates"].value is False or zero.mean() > 0.5 else ()
        report.leave(("layout", *still, *SLICE, *SPEEDS), "x is zero in some channels", "random numbers in every channel")
    if len(places) > 1 and (np.ptp(places, axis=1) == 0).any():
        why = "an axis stands still: its pairs do not turn"
        report.leave(("axes", "sense", *SLICE, *SPEEDS), why, "positions that differ on it")
    layout = report["layout"]
    if report["rotary_dim"].value == 2 and layout.value in SOUND:
        report.leave(("layout",), "a single pair", "more pairs")
        layout.rivals = layout.rivals or [each for each in SOUND if each != layout.value]
    if not report["rotary_dim"].sure and count == 1:
        report.leave(("rotary_start",), "one position only", "two or more positions")
    if count < 4 and str(report["arithmetic"].value).startswith(COARSE):
        report.leave(("arithmetic",), "rounded positions, speeds and angles are the same in so few rows", "more rows")


def unexplained(report: Report, x: Array, y: Array, places: Array, form: Format) -> None:
    """Open what leaves more of y than its format and the named arithmetic do."""
    rope, at, arithmetic = report.rope, report.positions, str(report["arithmetic"].value)
    count = len(np.unique(places[0]))
    if rope is None and count < 8:
        report.leave(("offset", "phase", *SPEEDS), "too few rows to see how angles were rounded", "8 rows or more")
    if rope is None or at is None or rope.direction * rope.attention_factor == 0:
        return
    turned = slice(rope.rotary_start, rope.rotary_start + (rope.rotary_dim or 0))
    size = float(np.sqrt((y[..., turned] ** 2).mean()))
    limit = max(2e-5 * size, 30 * (form.relative * size + form.absolute))
    away = rope.rotate(x, at) - y
    unit = 2 * (form.relative * np.maximum(abs(y), size) + form.absolute)
    off = np.sqrt((away.reshape(-1, x.shape[-1]) ** 2).mean(0))  # of each channel
    elsewhere, by_row = np.delete(off, turned).max(initial=0) > limit, isinstance(report["scale"].value, list | str)
    if elsewhere or by_row:  # what no rope puts there
        report.residual = float(np.sqrt(((away / unit) ** 2).mean()))
        missing = "the factors of the rows" if by_row else "the factor of the channels that rest"
        report.notes.append(f"report.rope lacks {missing}")
    if by_row or (report["arithmetic"].sure and arithmetic.startswith(COARSE)):
        return
    if off[turned].max() <= limit:
        return
    few = count < FEW
    whats: tuple[str, ...] = ("offset", "phase") if _shifted(report, x, away) else ()
    if few:
        whats += ("offset", "phase", *SPEEDS)
    why = f"channel {turned.start + int(np.argmax(off[turned]))} is off by {off[turned].max():.2g} (root mean square)"
    report.leave(whats, why, CODE)


def uneven(report: Report, reading: Reading, y: Array, form: Format) -> None:
    """Open the scale where a pair has more left than its format, or tables in a coarse one, leave: y (rows, 2, P)."""
    size = float(np.sqrt((y**2).mean()))
    left = float(np.sqrt(reading.left.max() / (2 * len(y))))
    tables = str(report["arithmetic"].value).endswith("tables") and len(y) >= FEW
    if left > (3e-3 * size if tables else max(2e-5 * size, 2 * (form.relative * size + form.absolute))):
        report.leave(("scale",), f"a pair has {left:.2g} left (root mean square)", CODE)


def _shifted(report: Report, x: Array, away: Array) -> bool:
    """Whether what is left over is an offset that is not whole."""
    assert report.rope is not None and report.positions is not None
    rope, at = report.rope, report.positions
    step = (rope.rotate(x, at + 1e-4) - rope.rotate(x, at)) / 1e-4
    shift = float((away * step).sum() / max(float((step**2).sum()), 1e-300))
    return bool(((away - shift * step) ** 2).sum() < 0.1 * (away**2).sum())
