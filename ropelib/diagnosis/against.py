"""What probed code does against what was expected of it: the first difference, by name where a name is known."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..rope import Rope
from ..rotation import rotate, to_complex
from .arrays import diagnose
from .calling import TOLERANCE, Code, Stop, shown
from .contract import SHORT, one_hots
from .explanations import cause
from .layouts import SOUND
from .replay import ARITHMETIC
from .report import Array, Report
from .turning import wrap

BY_LENGTH = "angles depend on the length"
MOST = 2**23  # numbers in the longest x that is made of rows alone
NAMED = 64  # rows that are read to name where they are
Told = tuple[str, Any, Any]
NAMED_WHOLE = ("arithmetic", "positions", "q and k", "order of channels", "rotates", "length", "axes")  # no row apart


@dataclass
class Against:
    """Probed code beside the rotation that it should be.

    `x` (1, H, rows, D) is long enough for every length that was asked, `length` the longest whose rows do not depend on
    how many follow, `far` what positions of random rows gave, `reach` how many positions are expected.
    """

    code: Code
    rope: Rope
    report: Report
    made: Array
    x: Array
    length: int
    far: tuple[Array, Array, Array]
    reach: int | None
    seen: int = field(default=0)
    by: Told | None = None  # what the rows alone do not decide: the length, the batch

    def compare(self) -> list[str]:
        """All differences, the telling one and its smallest input first."""
        self.seen = self.length
        smallest, first = self._matrices()
        named: Told | None = None
        if not smallest:
            smallest, first = self._far_difference()
        if not smallest:
            smallest, named = self._far_end()
        if not smallest and not self.code.failures:
            smallest, named = self._other_calls()
        if not smallest and not self.code.failures:
            smallest, named = self._small()
        if not smallest:
            return []
        told = [named] if named else self._told(first)
        if named is None and first >= SHORT and not (told and told[0][0] in NAMED_WHOLE) and (later := self._later(first)):
            told = later
        if self.by and not (self.by[0] == "length" and told and told[0][0] == "sense"):  # rows that run backwards say more
            told.insert(0, self.by)
        found = self.report.findings
        unsure = [what in found and found[what].value == b and not found[what].sure for what, _, b in told]
        words = [
            f"{what}: expected {_text(a)}, got {_text(b)}{' (open)' if guess else ''}"
            for (what, a, b), guess in zip(told, unsure, strict=True)
        ]
        words = words or ["values differ"]
        return [words[0] + smallest, *words[1:]]

    # --- where

    def _matrices(self) -> tuple[str, int]:
        """The smallest one-hot input that comes out otherwise, and its row."""
        code = self.code
        want = self.rope.rotate(one_hots(code)).transpose(1, 2, 3, 0)
        where = np.argwhere(abs(self.made - want) > 8 * code.near)
        if not len(where):
            return "", 0
        h, row, _, j = (int(n) for n in where[np.lexsort(where.T[[2, 3, 0, 1]])[0]])
        head, batch = f", head {h}" if h else "", ""
        for n in (row + 1, SHORT):  # asked again: the row may depend on how many follow, and on the batch
            got = code.call(one_hots(code)[j : j + 1, :, :n])[0, h, row]
            if abs(got - want[h, row, :, j]).max() > 8 * code.near:
                break
            self.by = ("length", "rows that do not depend on it", "others in a longer x")
        else:
            n, got, batch = SHORT, self.made[h, row, :, j], f", in a batch of {code.width}"
            self.by = ("batch", "each x as by itself", "others in a larger one")
        told = f"{shown(got)}; expected {shown(want[h, row, :, j])}"
        return f"; one-hot e{j}, S = {n}, row {row}{head}{batch} -> {told}", row

    def _far_difference(self) -> tuple[str, int]:
        """The first row within `length` that is off by more than float32 angles are, in words and as a number."""
        code = self.code
        if code.position_axes > 1:
            x, y, places = self.far
            wrong = abs(y - self.rope.rotate(x, places)).max((0, 1, 3)) > self._allowed(places.max(0))
            first = int(np.argmax(wrong))
            self.by = self._beyond(places, wrong) if wrong.any() else None
            return (f"; first at row {first} of random positions" if wrong.any() else ""), first
        for n in sorted({SHORT, 64, self.length}):
            x = self.x[:, :, :n]
            wrong = abs(code.call(x) - self.rope.rotate(x)).max((0, 1, 3)) > self._allowed(np.arange(n))
            if wrong.any():
                first = int(np.argmax(wrong))
                return f"; first at row {first} of {n}", first
        if not self.rope.length_dependent and any(note.startswith(BY_LENGTH) for note in code.notes):
            return "; only in longer sequences", 0
        return "", 0

    def _beyond(self, places: Array, wrong: Array) -> Told | None:
        """Along several axes: the position at which, or beyond which, rows are wrong."""
        most = places.max(0)
        last = most[~wrong].max(initial=-1)
        if (~wrong).sum() > 5 and wrong.sum() > 5 and (most[wrong] > last).all():
            return "positions", "every one as given", f"others beyond {last:.0f}"
        common = [value for value in np.unique(places[:, wrong]) if (places[:, wrong] == value).any(0).all()]
        if len(common) == 1 and not (places[:, ~wrong] == common[0]).any():
            return "positions", "every one as given", f"another for {common[0]:.0f}"
        return None

    def _later(self, first: int) -> list[Told]:
        """What rows from the first wrong one on do, where those before are right: read by themselves."""
        code, rope = self.code, self.rope
        n = min(self.length - first, 256)
        if code.position_axes > 1 or rope.length_dependent or n < 1:
            return []
        rows = np.arange(first, first + n)
        x, y = self.x[:, :, rows], code.call(self.x[:, :, : self.length])[:, :, rows]
        away = abs(y - rope.rotate(x, rows))
        if away[:, :, 0].max() < 5 * self._allowed(rows[:1])[0]:  # it drifts
            return []
        bad = away > self._allowed(rows)[:, None]
        heads = bad.any((0, 2, 3))
        if not heads.all():
            return [("heads", "turned alike", f"head {int(np.argmax(heads))} otherwise")]
        channels = np.nonzero(bad.any((0, 1, 2)))[0] - self._slice().start
        pairs = sorted({int(c) % (rope.rotary_dim // 2) if rope.layout == "half" else int(c) // 2 for c in channels})
        if len(pairs) <= 2 and pairs[-1] < rope.rotary_dim // 2:
            return [(f"pair {pairs[0]}", "turned as expected", "otherwise")]
        if n < 8:
            return []
        before, self.report = self.report, diagnose(x, y, rows)
        sure = self.report["layout"].sure
        told = [
            each
            for each in (self._told(first) if sure else [])
            if each[0] in (*NAMED_WHOLE, "frequencies") or self.report[each[0]].sure
        ]
        if not told:
            self.report = before
        return told

    def _far_end(self) -> tuple[str, Told | None]:
        """A few positions up to the last that is expected: where they part, and how."""
        code, rope, last = self.code, self.rope, (self.reach or 0) - 1
        if not code.has_positions:  # rows are positions: all of them have to be made
            last = min(last, MOST // (code.heads * code.width) - 1)
        if last < self.length:
            return "", None
        turned: Callable[[Array], Array] = lambda at: code.call(self._rows(at), at)  # noqa: E731
        if not code.has_positions:
            try:
                y = code.call(self._rows(np.arange(last + 1)))
            except Stop as stop:
                told = f"{stop.failure.what}: {stop.failure.got[:80]}"
                return f"; x of {last + 1} rows", ("positions", f"up to {(self.reach or 0) - 1}", told)
            turned = lambda at: y[:, :, at]  # noqa: E731
            if rope.by_length is not None:
                speeds, factor = rope.by_length(last + 1.0)
                rope = replace(rope, inv_freq=speeds, attention_factor=factor, by_length=None)
        fault: list[str] = []

        def wrong(at: Array) -> bool:
            try:
                away = abs(turned(at) - rope.rotate(self._rows(at), at)).max((0, 1, 3))
            except Stop as stop:
                fault[:] = [stop.failure.what]
                return True
            return bool((away > self._allowed(at)).any())

        self.seen = last + 1
        steps = {r for k in range(8, 31) for r in (2**k, 2**k + 1, 3 * 2 ** (k - 1)) if self.length <= r <= last}
        asked = np.array([*sorted(steps | {last - 1, last})])
        if not wrong(asked):
            return "", None
        alone = [int(r) for r in asked if wrong(np.array([r]))]
        if not alone:
            return "; each by itself is right", ("far positions", "as near ones", "others where they jump")
        right, bad = max([self.length - 1, *(int(r) for r in asked if r < alone[0])]), alone[0]
        while bad - right > 1:
            middle = (right + bad) // 2
            right, bad = (right, middle) if wrong(np.array([middle])) else (middle, bad)
        fault.clear()
        wrong(np.array([bad]))
        where = f"; first at position {bad} of {self.reach}"
        if fault:
            return where, ("positions", f"up to {last}", fault[0])
        at = np.arange(bad, min(bad + NAMED, last + 1))
        elsewhere = self._elsewhere(self._rows(at)[0, 0], turned(at)[0, 0], at, bad + NAMED)
        return where, ("positions", "row by row", elsewhere) if elsewhere else ("far positions", "as near ones", "others")

    def _other_calls(self) -> tuple[str, Told | None]:
        """What other callers ask: few rows (decoding), keys, the second of a batch, positions with gaps."""
        code, rope, x = self.code, self.rope, self.x[:, :, : self.length]
        keys = x[:, : code.kv_heads]

        def off(y: Array, x: Array, at: Array | None = None) -> int | None:
            rows = np.arange(x.shape[2]) if at is None else at
            want = rope.rotate(x) if at is None else rope.rotate(x, at)
            wrong = abs(y - want).max((0, 1, 3)) > self._allowed(rows if rows.ndim == 1 else rows.max(0))
            return int(np.argmax(wrong)) if wrong.any() else None

        for n in range(1, SHORT):
            for which, few in enumerate((x[:, :, :n], keys[:, :, :n])[: 1 + code.pair]):
                if (row := off(code.call(few, which=which), few)) is not None:
                    return f"; S = {n}, row {row}" + " of k" * which, ("few rows", "as in many", "others")
        for n in sorted({SHORT, 64, self.length}) if code.pair else ():
            if (row := off(code.call(keys[:, :, :n], which=1), keys[:, :, :n])) is not None:
                return f"; first at row {row} of {n} of k", ("k", "turned as expected", "otherwise; q is as expected")
        if "b" in code.axes:
            two = np.concatenate([x, x[:, :, ::-1]])
            if (row := off(code.call(two), two)) is not None:
                return f"; first at row {row} of {self.length}", ("a batch of two", "as each alone", "others")
        if code.has_positions and not rope.length_dependent:
            n, axes = min(256, max(self.length // 5, 2)), code.position_axes
            rising = np.cumsum(1 + np.arange(n) % 7)
            mixed = np.random.default_rng(0).permutation(n) * 3 + 5
            for at in (rising, mixed):
                places = at if axes == 1 else np.stack([np.roll(at, axis) for axis in range(axes)])
                for which, some in enumerate((x[:, :, :n], keys[:, :, :n])[: 1 + code.pair]):
                    if (row := off(code.call(some, places, which), some, places)) is not None:
                        where = f"; first at row {row} of positions {', '.join(map(str, at[:3]))}, ..." + " of k" * which
                        return where, ("positions", "as given", "others where they are not consecutive")
        return "", None

    def _small(self) -> tuple[str, Told | None]:
        """What is too little to see in one number, but stands in all of a channel's: a factor, an offset."""
        code, rope = self.code, self.rope
        if code.position_axes > 1 or code.near != TOLERANCE[code.kind.name] or code.kind == np.float64:
            return "", None
        x = self.x[:, :, : min(64, self.length)]
        away = np.sqrt(((code.call(x) - rope.rotate(x)) ** 2).mean((0, 1, 2)))
        if away.max() < code.near * (0.2 if code.kind == np.float16 else 1.0):
            return "", None
        where = f"; channel {int(np.argmax(away))} is off by {away.max():.2g} (root mean square of {x.shape[2]} rows)"
        scale = self.report["scale"].value
        if isinstance(scale, float) and abs(scale / rope.attention_factor - 1) > 1e-4:
            return where, ("scale", float(rope.attention_factor), scale)
        return where, ("values", "as near as the format allows", "others")

    def _rows(self, at: Array) -> Array:
        """Random numbers for these positions, the same whenever asked."""
        return self.x[:, :, at % self.x.shape[2]]

    def _allowed(self, positions: Array) -> Array:
        """How far angles in float32 may put a row off."""
        return np.asarray(20 * self.code.near + 2.0**-20 * abs(positions) * (self.code.near > 1e-6))

    # --- what

    def _told(self, first: int) -> list[Told]:
        report, rope, code = self.report, self.rope, self.code
        apart = [each for each in code.failures if each.what == "treats q and k differently"]
        if apart:
            return [("q and k", "turned alike", apart[0].got)]
        if rounded := self._rounded(first):
            return [("arithmetic", "float32 or better", rounded)]
        if elsewhere := self._elsewhere_near(first):
            return [("positions", "row by row", elsewhere)]
        if report["rotates"].value is False:
            return [("rotates", "yes", "no")]
        if order := self._order():
            return [("order of channels", "that of x", order)]
        layout = report["layout"]
        tied = report["rotates"].sure and layout.value == rope.layout and layout.rivals  # other pairings give the same numbers
        single = rope.rotary_dim == 2 and report["rotary_dim"].value == 2 and bool(layout.rivals)
        if layout.value not in SOUND or not (layout.sure or tied or single):
            known = layout.value if layout.sure else None
            return [("layout", rope.layout, known or "no pairing of channels that is known")]
        one = rope.rotary_dim == 2  # a single pair has one layout
        told = [
            (what, a, b) for what, a, b in self._pairs() if b is not None and not _equal(a, b) and not (one and what == "layout")
        ]
        if not told or [what for what, _, _ in told] == ["scale"]:
            told = self._speeds() + told
        elif "positions" not in report.findings and told[0][0] in ("offset", "sense"):
            told += self._speeds()
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
        if not told and str(report["precision"].value).startswith("off by"):
            told = [("angles", "float32 or better", report["precision"].value)]
        return told

    def _order(self) -> str:
        """Where outputs are those expected, in other channels; "" if they are not."""
        want = self.rope.rotate(np.broadcast_to(np.eye(self.code.width)[:, None], (self.code.width, SHORT, self.code.width)))
        away = abs(self.made[0].transpose(1, 0, 2)[:, None] - want.transpose(2, 1, 0)[None]).max((2, 3))
        found, every = away.argmin(1), np.arange(self.code.width)  # channel found[i] comes out in channel i
        if away.min(1).max() > 8 * self.code.near or (found == every).all() or len(set(found.tolist())) < len(every):
            return ""
        if (found == (every + self.code.width // 2) % self.code.width).all():
            return "halves exchanged in what is returned"
        first = int(np.argmax(found != every))
        return f"channel {found[first]} where channel {first} belongs"

    def _pairs(self) -> list[Told]:
        """What both have a number for: the expected, the found."""
        report, rope = self.report, self.rope
        start = rope.rotary_start if self.code.width == rope.head_dim else 0
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

    def _speeds(self) -> list[Told]:
        report, rope = self.report, self.rope
        if rope.axes is not None and isinstance(report["axes"].value, list) and report["axes"].value != rope.axes.tolist():
            want_axes, got_axes = rope.axes.tolist(), report["axes"].value
            first = next((k for k, (a, b) in enumerate(zip(want_axes, got_axes, strict=False)) if a != b), 0)
            told = [_runs(want_axes), _runs(got_axes)]
            if told[0] == told[1]:  # what differs is beyond what is shown
                told = [f"{want_axes[first]} of pair {first}", str(got_axes[first])]
            return [("axes", told[0], told[1])]
        theta, want = report.angles.get("theta"), rope.inv_freq
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
        theta, times = theta * np.sign(times), abs(times)  # most pairs may have gone round the other way
        slip = cause(theta, want, error, rope.head_dim)
        known = report["method"].value not in ("list", None)
        if not known and (abs(wrap(theta - times * want)) < 1e-4 * times * want + error).all():
            told = f"{times:.6g} times as much in every pair"
            return [("frequencies", f"{want[0]:.6g} of pair 0", told + (f" ({slip})" if slip else ""))]
        how = [f"{what} {_text(report[what].value)}" for what in ("method", "base", "factor") if report[what].value is not None]
        got = theta[k] if abs(theta[k]) > error[k] / 8 else 0.0
        return [("frequencies", f"{want[k]:.6g} of pair {k}", f"{got:.6g} ({', '.join([slip] * bool(slip) + how)})")]

    def _rounded(self, first: int) -> str:
        """The coarse formats in which the expected angles give what was measured; "" if none does."""
        rope, code = self.rope, self.code
        if code.position_axes > 1 or rope.length_dependent or not rope.rotary_dim:
            return ""
        far = 2 ** np.arange(8, 13) + 1
        rows = np.unique(np.minimum(np.r_[0:320, first : first + 64, far, self.length - 1], self.length - 1))
        x, y, positions = self.x[:, :, rows], code.call(self.x[:, :, : self.length])[:, :, rows], rows.astype(float)
        if (abs(rope.rotate(x, positions) - y).max((0, 1, 3)) < self._allowed(positions)).all():
            return ""
        part = self._slice()
        away = {}
        for mode, tables in ARITHMETIC.items():
            if mode.startswith(("bfloat16", "float16")):
                with np.errstate(invalid="ignore"):  # float16 ends at 65504
                    cos, sin = (rope.attention_factor * each for each in tables(positions[:, None], rope.inv_freq[None]))
                made = rotate(x[..., part], cos, rope.direction * sin, layout=rope.layout)
                away[mode] = float((abs(made - y[..., part]).max((0, 1, 3)) / self._allowed(positions)).max())
        least = min(away.values())
        return " or ".join(mode for mode, far in away.items() if far < min(1, 3 * least + 1e-3))

    def _slice(self) -> slice:
        start = self.rope.rotary_start if self.code.width == self.rope.head_dim else 0
        return slice(start, start + self.rope.rotary_dim)

    def _elsewhere_near(self, first: int) -> str:
        """As `_elsewhere`, for rows within `length`."""
        if first < 2 or self.code.position_axes > 1 or self.rope.length_dependent:
            return ""
        n = min(self.length, first + NAMED)
        y = self.code.call(self.x[:, :, :n])[0, 0]
        return self._elsewhere(self.x[0, 0, first:n], y[first:], np.arange(first, n), 2 * self.length)

    def _elsewhere(self, x: Array, y: Array, at: Array, within: int) -> str:
        """Rows x, y (S, D) that are turned as the expected rotation turns other positions than `at`; "" if they are not."""
        rope, part, first = self.rope, self._slice(), int(at[0])
        if not rope.rotary_dim or rope.length_dependent or rope.axes is not None:
            return ""
        before, after = (to_complex(each[:, part], layout=rope.layout) for each in (x, y))
        places = np.arange(-within if first >= self.length else 0, within)
        met = ((after.conj() * before) @ np.exp(1j * rope.direction * np.outer(rope.inv_freq, places))).real
        found = places[np.argmax(met, axis=1)]
        if found[0] == first or (abs(rope.rotate(x, found) - y).max(-1) > self._allowed(found)).any():
            return ""
        what = "row" if first < self.length else "position"
        steps = set(np.diff(found).tolist())
        if steps <= {0}:
            return f"stops at {found[0]}" if found[0] == first - 1 else f"{what} {first} and all after it at {found[0]}"
        if steps == {1}:
            again = "starts again: " if 0 <= found[0] < 2 else ""
            return f"{again}{what} {first} at {found[0]}, and counts on from there"
        return f"{what} {first} at {found[0]}, {what} {first + 1} at {found[1]}"


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, float):
        return isinstance(b, float | int) and abs(a - b) < 1e-3 * max(a, 1)
    return bool(a == b)


def _text(value: Any) -> str:
    if isinstance(value, list) and len(value) > 2 and all(isinstance(each, float) for each in value):
        return f"{min(value):g} to {max(value):g}, row by row"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _runs(axes: list[int]) -> str:
    """The axis of every pair, in few words."""
    runs = [(axis, len(list(pairs))) for axis, pairs in itertools.groupby(axes)]
    if len(runs) > 6:
        return f"{', '.join(map(str, axes[:6]))}, ..."
    return ", ".join(f"{many} x {axis}" for axis, many in runs)
