"""What a difference between probed code and the rotation that was expected is called."""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..rope import Rope
from ..rotation import rotate
from .calling import Code, farthest
from .contract import SHORT
from .elsewhere import nearest_places
from .explanations import BASES
from .formats import COARSE
from .layouts import SOUND
from .replay import ARITHMETIC, SINGLE, TWICE
from .report import Array, Report
from .slips import cause
from .turning import wrap

BY_LENGTH = "angles depend on the length"
NAMED = 64  # rows that are read to name where they are
Told = tuple[str, Any, Any]  # the question, the expected, the found


@dataclass(frozen=True)
class Beside:
    """Probed code beside the rotation that it should be.

    `made` are its matrices, `x` (1, H, rows, D) is long enough for every length that was asked, `length` the longest whose
    rows do not depend on how many follow.
    """

    code: Code
    rope: Rope
    made: Array
    x: Array
    length: int

    @property
    def part(self) -> slice:
        """The channels that turn."""
        start = self.rope.rotary_start if self.code.width == self.rope.head_dim else 0
        return slice(start, start + self.rope.rotary_dim)

    def rows(self, at: Array) -> Array:
        """Random numbers for these positions, the same whenever asked."""
        return np.asarray(self.x.take(at % self.x.shape[2], axis=2))

    def first(self, n: int) -> Array:
        """Those of positions 0 to n - 1."""
        return self.x[:, :, :n] if n <= self.x.shape[2] else self.rows(np.arange(n))

    @cached_property
    def turned(self) -> Array:
        """What is expected of x up to `length`."""
        return self.rope.rotate(self.x[:, :, : self.length])

    def allowed(self, positions: Array) -> Array:
        """How far angles in float32 may put a row off."""
        return self.code.allowed(positions)

    def limit(self, positions: Array) -> Array:
        """As `allowed`, of every channel (S, channels): the slower a pair, the less its angle is rounded.

        Right code was seen to need a third of it or less: float16 0.005, bfloat16 0.033, float32 angles whose frequencies
        are multiplied up one by one 2**-17 of the angle.
        """
        rope, near = self.rope, self.code.near
        at = farthest(positions)
        speed = np.zeros(self.code.width)
        speed[self.part] = np.tile(rope.inv_freq, 2) if rope.layout == "half" else np.repeat(rope.inv_freq, 2)
        own = 2.0**-15 * np.outer(at, speed) * (near > 1e-6)
        return np.asarray(near + np.minimum(own, (self.allowed(at) - near)[:, None]))

    def wrong(self, y: Array, want: Array, positions: Array) -> Array:
        """Which rows (S,) of y (B, H, S, D) are not as wanted."""
        channels = abs(y - want).max((0, 1)) > self.limit(positions)
        return np.asarray(self.code.apart(y, want, positions, exact=True) | channels.any(-1))


def named(side: Beside, report: Report, first: int) -> list[Told]:
    """All that differs, by the names of questions, where rows from the first on do."""
    rope, code = side.rope, side.code
    apart = [each for each in code.failures if each.what == "treats q and k differently"]
    if apart:
        return [("q and k", "turned alike", apart[0].got)]
    rest, part_right = _resting(side)
    if rest and part_right:
        return [rest]
    if not rest and (rounded := _rounded(side, first)):
        tables = str(report["arithmetic"].value)
        also = f" and {tables}" if tables.startswith(COARSE) and tables.endswith("tables") and tables not in rounded else ""
        return [("arithmetic", "float32 or better", _twice(side, report) or rounded + also)]
    if place := _elsewhere_near(side, first):
        return [("positions", "row by row", place)]
    if factor := _factor_from(side, first):
        return [("scale", float(rope.attention_factor), factor)]
    if report["rotates"].value is False:
        return [("rotates", "yes", "no")]
    if order := _order(side):
        return [("order of channels", "that of x", order)]
    layout = report["layout"]
    tied = report["rotates"].sure and layout.value == rope.layout and layout.rivals  # other pairings give the same numbers
    single = rope.rotary_dim == 2 and report["rotary_dim"].value == 2 and bool(layout.rivals)
    if layout.value not in SOUND or not (layout.sure or tied or single):
        known = layout.value if layout.sure else None
        return [("layout", rope.layout, known or "no pairing of channels that is known")]
    one = rope.rotary_dim == 2  # a single pair has one layout
    told = [
        (what, a, b)
        for what, a, b in _pairs(side, report)
        if b is not None and not _equal(a, b, near=_near(report, what)) and not (one and what == "layout")
    ]
    if not told or [what for what, _, _ in told] == ["scale"]:
        told = _speeds(side, report) + told
    elif "positions" not in report.findings and told[0][0] in ("offset", "sense"):
        told += _speeds(side, report)
    told.sort(key=lambda each: each[0] in report.findings and not report[each[0]].sure)
    if "positions" in report.findings:
        told.append(("positions", "row by row", report["positions"].why or report["positions"].value))
    if isinstance(report["axes"].value, str):
        told.append(("axes", "the sequence's", report["axes"].value))
    by_length = [note for note in code.notes if note.startswith(BY_LENGTH)]
    if not told and by_length:
        told = [("length", "its own dependence" if rope.length_dependent else "no dependence", by_length[0])]
    if not told and rope.length_dependent:
        told = [("length", "angles that depend on it", "the same angles at every length")]
    if rest and not (told and told[0][0] == "scale"):  # a factor on all channels is one thing
        told.append(rest)
    if not told and code.near < 1e-6 and report["arithmetic"].value == SINGLE:
        told = [("inverse frequencies", "float64", "float32")]
    if not told and code.near < 1e-6 and str(report["precision"].value).startswith("off by"):
        return [("angles", "float64", report["precision"].value)]
    if not told and str(report["precision"].value).startswith("off by"):
        told = [("angles", "float32 or better", report["precision"].value)]
    return told


def _resting(side: Beside) -> tuple[Told | None, bool]:
    """What becomes, alike in every row, of channels that should not turn; whether those that should do so as expected."""
    width, part, near = side.code.width, side.part, 8 * side.code.near
    made, want = side.made[0], side.rope.rotate(np.broadcast_to(np.eye(width)[:, None], (width, side.made.shape[1], width)))
    right = bool(abs(made[:, part] - want.transpose(1, 2, 0)[:, part]).max(initial=0) < near)
    out = np.delete(made[0], part, axis=0)  # (channels that rest, D in)
    own = np.delete(np.eye(width), part, axis=0)
    if abs(out - own).max(initial=0) < near or abs(np.delete(made, part, axis=1) - out).max() > near:
        return None, right
    times = float((out * own).sum() / len(own))
    got = "0" if abs(times) < near else "negated" if abs(times + 1) < near else f"times {times:.4g}"
    return ("channels that rest", "as they are", got if abs(out - times * own).max() < near else "otherwise"), right


def _order(side: Beside) -> str:
    """Where outputs are those expected, in other channels; "" if they are not."""
    want = side.rope.rotate(np.broadcast_to(np.eye(side.code.width)[:, None], (side.code.width, SHORT, side.code.width)))
    away = abs(side.made[0].transpose(1, 0, 2)[:, None] - want.transpose(2, 1, 0)[None]).max((2, 3))
    found, every = away.argmin(1), np.arange(side.code.width)  # channel found[i] comes out in channel i
    if away.min(1).max() > 8 * side.code.near or (found == every).all() or len(set(found.tolist())) < len(every):
        return ""
    if (found == (every + side.code.width // 2) % side.code.width).all():
        return "halves exchanged in what is returned"
    first = int(np.argmax(found != every))
    return f"channel {found[first]} where channel {first} belongs"


def _pairs(side: Beside, report: Report) -> list[Told]:
    """What both have a number for: the expected, the found."""
    rope, start = side.rope, side.part.start
    told: list[Told] = [
        ("layout", rope.layout, report["layout"].value),
        ("rotary_dim", rope.rotary_dim, report["rotary_dim"].value),
        ("rotary_start", start, report["rotary_start"].value),
    ]
    sense, phase = report["sense"].value, report["phase"].value
    if sense == -rope.direction and phase == {1: "pi/2", -1: "-pi/2"}[rope.direction]:
        told.append(("cos and sin", "in their places", "exchanged: the angle is pi/2 - m theta, which turns the other way"))
    else:
        why = " (the same in every pair: scores stay)" if sense == rope.direction and phase not in (None, "0") else ""
        told += [("sense", rope.direction, sense), ("phase", "0", phase and phase + why)]
    return [*told, ("offset", 0, report["offset"].value), ("scale", float(rope.attention_factor), report["scale"].value)]


def _speeds(side: Beside, report: Report) -> list[Told]:
    rope = side.rope
    if rope.axes is not None and isinstance(report["axes"].value, list) and report["axes"].value != rope.axes.tolist():
        want_axes, got_axes = rope.axes.tolist(), report["axes"].value
        first = next((k for k, (a, b) in enumerate(zip(want_axes, got_axes, strict=False)) if a != b), 0)
        told = [_runs(want_axes), _runs(got_axes)]
        if told[0] == told[1]:  # what differs is beyond what is shown
            told = [f"{want_axes[first]} of pair {first}", str(got_axes[first])]
        return [("axes", told[0], told[1])]
    theta, want = report.angles.get("theta"), rope.inv_freq
    if twice := _twice(side, report):
        return [("arithmetic", "float32 or better", twice)]
    if theta is None or len(theta) != len(want):
        return []
    error = 8 * report.angles["error"]
    bad = np.nonzero(abs(theta - want) > 1e-5 * want + error)[0]
    if not len(bad):
        return []
    back = [int(k) for k in bad if abs(theta[k] + want[k]) < 1e-5 * want[k] + error[k]]
    if len(back) == len(bad) < len(want):
        few = ", ".join(map(str, back[:6])) + ", ..." * (len(back) > 6)
        return [("sense", rope.direction, f"{-rope.direction} in pair{'s' * (len(back) > 1)} {few}")]
    k = int(bad[0])
    times = float(np.median(theta[-4:] / want[-4:]))
    if times < -0.01:  # most pairs have gone round the other way
        theta, times = -theta, -times
    slip = cause(theta, want, error, rope.head_dim) if _plain(want) else ""
    method, base = report["method"].value, report["base"].value
    known = method not in ("list", None)
    if not known and (abs(wrap(theta - times * want)) < 1e-4 * times * want + error).all():
        told = f"{times:.6g} times as much in every pair"
        return [("frequencies", f"{want[0]:.6g} of pair 0", told + (f" ({slip})" if slip else ""))]
    how = [f"{what} {text(report[what].value)}" for what in ("method", "base", "factor") if report[what].value is not None]
    got = theta[k] if abs(theta[k]) > error[k] / 8 else 0.0
    why = f"{', '.join(how)}; or {slip}" if slip and method == "plain" and base in BASES else ", ".join([slip] * bool(slip) + how)
    return [("frequencies", f"{want[k]:.6g} of pair {k}", f"{got:.6g} ({why})")]


def _plain(want: Array) -> bool:
    """Whether speeds are those of a base alone: of others, a slip is not what makes them plain."""
    return bool(abs(want - want[-1] ** (np.arange(len(want)) / max(len(want) - 1, 1))).max() < 1e-6)


def _rounded(side: Beside, first: int) -> str:
    """The coarse formats in which the expected angles give what was measured; "" if none does."""
    rope, code = side.rope, side.code
    if code.position_axes > 1 or rope.length_dependent or not rope.rotary_dim:
        return ""
    far = 2 ** np.arange(8, 13) + 1
    rows = np.unique(np.minimum(np.r_[0:320, first : first + 64, far, side.length - 1], side.length - 1))
    x, y, positions = side.x[:, :, rows], code.call(side.x[:, :, : side.length])[:, :, rows], rows.astype(float)
    if not side.wrong(y, rope.rotate(x, positions), rows).any():
        return ""
    part, allowed = side.part, side.allowed(positions)[:, None]
    away = {}
    for mode, tables in ARITHMETIC.items():
        if mode.startswith(COARSE) or mode == "float64":
            with np.errstate(invalid="ignore"):  # float16 ends at 65504
                cos, sin = (rope.attention_factor * each for each in tables(positions[:, None], rope.inv_freq[None]))
            made = rotate(x[..., part], cos, rope.direction * sin, layout=rope.layout)
            away[mode] = float(np.sqrt((((made - y[..., part]) / allowed) ** 2).mean()))  # a last place that goes the other way
    limit = min(0.5, 0.3 * away.pop("float64"), 3 * min(away.values()) + 1e-3)
    return " or ".join(mode for mode, far in away.items() if far < limit)


def _twice(side: Beside, report: Report) -> str:
    """Two things that are rounded where the base is the one expected."""
    found, base, want = report["arithmetic"], report["base"].value, side.rope.inv_freq
    ours = isinstance(base, float) and np.allclose(base ** (-np.arange(len(want)) / len(want)), want, rtol=1e-5, atol=0)
    return found.rivals[0] if ours and found.why.startswith(TWICE) else ""


def _elsewhere_near(side: Beside, first: int) -> str:
    """As `elsewhere`, for rows within `length`."""
    if first < 2 or side.code.position_axes > 1 or side.rope.length_dependent:
        return ""
    n = min(side.length, first + NAMED)
    y = side.code.call(side.x[:, :, :n])[0, 0]
    return elsewhere(side, side.x[0, 0, first:n], y[first:], np.arange(first, n), 2 * side.length)


def _factor_from(side: Beside, first: int) -> str:
    """The factor of rows that are turned as expected, from the first wrong one on; "" if they are not."""
    rope, rows = side.rope, np.arange(first, min(first + NAMED, side.length))
    if first < 1 or side.code.position_axes > 1 or rope.length_dependent:
        return ""
    y, want = side.code.call(side.x[:, :, : rows[-1] + 1])[:, :, rows], rope.rotate(side.x[:, :, rows], rows)
    times = (y * want).sum((0, 1, 3)) / (want**2).sum((0, 1, 3))
    bad = side.code.apart(y, want, rows, exact=True)
    if not bad.any():
        return ""
    uneven = np.ptp(times[bad]) > 0.1 * abs(np.median(times[bad]) - 1)  # it grows, or comes and goes
    if uneven or side.code.apart(y, times[:, None] * want, rows, exact=True).any():
        return ""
    where = f"row {first}" if bad.sum() == 1 else f"rows {first}, {first + 1}, ..." if bad[:2].all() else f"rows from {first} on"
    return f"{rope.attention_factor * np.median(times[bad]):.4g} in {where}"


def elsewhere(side: Beside, x: Array, y: Array, at: Array, within: int) -> str:
    """Rows x, y (S, D) that are turned as the expected rotation turns other positions than `at`; "" if they are not."""
    rope, part, first = side.rope, side.part, int(at[0])
    if not rope.rotary_dim or rope.length_dependent or rope.axes is not None:
        return ""
    places = np.arange(-within if first >= side.length else 0, within)
    if len(places) > 2**19:  # what programs do: they stop there, or start again
        places = np.unique(np.r_[0 : 2**16, first - 2**16 : first + 2**16])
    found = nearest_places(rope, x[:, part], y[:, part], places)
    if found[0] == first or side.code.apart(rope.rotate(x, found)[None, None], y[None, None], found, exact=True).any():
        return ""
    what = "row" if first < side.length else "position"
    steps = set(np.diff(found).tolist())
    if steps <= {0}:
        return f"stops at {found[0]}" if found[0] == first - 1 else f"{what} {first} and all after it at {found[0]}"
    if steps == {1}:
        again = "starts again: " if 0 <= found[0] < 2 else ""
        return f"{again}{what} {first} at {found[0]}, and counts on from there"
    return f"{what} {first} at {found[0]}, {what} {first + 1} at {found[1]}"


def _near(report: Report, what: str) -> float:
    """How near a number is the same: what is certain, in numbers that are not coarse, is known well."""
    known = what in report.findings and report[what].sure and report["format"].value not in COARSE
    return 2e-5 if known else 1e-3


def _equal(a: Any, b: Any, near: float) -> bool:
    if isinstance(a, float):
        return isinstance(b, float | int) and abs(a - b) < near * max(a, 1)
    return bool(a == b)


def text(value: Any) -> str:
    if isinstance(value, list) and len(value) > 2 and all(isinstance(each, float) for each in value):
        return f"{min(value):g} to {max(value):g}, row by row"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _runs(axes: list[int]) -> str:
    """The axis of every pair, in few words."""
    runs = [(axis, len(list(pairs))) for axis, pairs in itertools.groupby(axes)]
    if len(runs) > 6:
        return f"{', '.join(map(str, axes[:6]))}, ..."
    return ", ".join(f"{many} x {axis}" for axis, many in runs)
