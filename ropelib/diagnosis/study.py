"""From the angles that a layout reads to what they say: sense, offset, frequencies, arithmetic, and where rows are."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..rope import Rope
from .explanations import ARITHMETIC, BASES, Explanation, Speeds, bfloat16, cause, explain, float16, same_numbers
from .layouts import LAYOUTS, SOUND, Pairing, Reading
from .report import Array, Report
from .turning import (
    Format,
    Offset,
    coincidence,
    coincidental,
    decoded,
    likely_sense,
    moved_row,
    nearest_offset,
    offsets,
    on_grid,
    pattern,
    phasor,
    turning,
    wrap,
)

EXCHANGED = "cos and sin exchanged: the angle is pi/2 - m theta, which turns the other way"
_PHASES = {  # quarter turns and sense of what was measured: what programs do to get there
    (1, -1): EXCHANGED,
    (-1, 1): "a quarter turn back in every pair; cos and sin exchanged, if the code meant -m theta",
    (1, 1): "a quarter turn on in every pair",
    (-1, -1): "a quarter turn back in every pair",
    (2, 1): "negated",
    (2, -1): "negated",
}
USUAL = ("base 10000 ", "base 500000 ", "base 1e+06 ")  # a slip from one of these is worth a word in the sentence
AFTER_LAYOUT = ("sense", "offset", "base", "method")
MOVED = ("offset", "phase", "base", "method", "factor", "arithmetic")
LONGER = "a longer stretch of positions"


class Study:
    """From the angles that the layout reads to what they say of turning."""

    def __init__(
        self,
        report: Report,
        x: Array,
        y: Array,
        places: Array,
        form: Format,
        pairing: Pairing,
        reading: Reading,
        diagnosed: Callable[..., Report],
    ) -> None:
        self.diagnosed = diagnosed  # for x and y read along another axis, or at other positions
        self.report, self.x, self.y, self.places, self.form, self.pairing = report, x, y, places, form, pairing
        self.replaced: Report | None = None
        self.rows, self.width = x.shape[-2:]
        self.lead = x.shape[:-2]
        self.layout_known = report["layout"].sure
        _, source, _, _ = pairing.columns()
        flat = x.reshape(-1, self.width)
        size = np.sqrt((flat[:, source] ** 2).sum(1)) * reading.scale
        absolute = form.absolute * (2 if form.absolute > 1e-12 else 1)
        error = (form.relative * size + absolute) / np.sqrt(np.maximum(reading.information, 1e-300))
        error = np.minimum(error + (form.relative if form.coarse else 0), 1e3)
        self.pairs = pairing.rotary_dim // 2
        shape = (-1, self.rows, self.pairs)
        self.angle, self.error = reading.angle.reshape(shape), error.reshape(shape)
        self.z, self.weight = reading.turn.reshape(shape), self.error**-2.0
        self.loose = 1e-6 if form.relative < 1e-6 else 0.0  # float32 inside
        self.alike = bool(np.sqrt((self._disagreement(0) ** 2).mean()) < 4)
        if self.alike:
            pooled = (self.weight * self.z).sum(0)
            self.mean, self.mean_error = pooled / np.maximum(abs(pooled), 1e-300), self.weight.sum(0) ** -0.5
        else:
            self.mean, self.mean_error = self.z[0], self.error[0]
        if form.coarse:
            self.mean_error = np.maximum(self.mean_error, form.relative)

    def _disagreement(self, axis: int, z: Array | None = None) -> Array:
        """How far angles are from their mean along the axis of (heads, rows, pairs), in errors."""
        z = self.z if z is None else z
        middle = (self.weight * z).sum(axis, keepdims=True)
        return np.asarray(abs(np.angle(z * middle.conj())) / np.hypot(self.error, self.loose))

    def leave_open(self, why: str, next: str) -> None:
        for what in AFTER_LAYOUT:
            self.report.put(what, None, False, why, next=next)
        if self.report["rotary_dim"].value != self.width:
            self.report["rotary_dim"].sure = False

    def other_axis(self, inner: bool) -> bool:
        """Angles alike in every row that differ along another axis: the axes are exchanged."""
        varied = len(np.unique(self.places)) > 1
        self.steady = varied and bool(np.quantile(self._disagreement(1), 0.99) < 8)
        if not self.steady or inner:
            return False
        by_axis, errors = (each.reshape(*self.lead, self.rows, self.pairs) for each in (self.z, self.error))
        for a, length in enumerate(self.lead):
            apart = abs(np.angle(by_axis * by_axis.mean(a, keepdims=True).conj()))
            if length > 1 and np.quantile(apart / np.hypot(errors, 1e-4), 0.9) > 10:
                turned = np.swapaxes(self.x, a, -2), np.swapaxes(self.y, a, -2)
                self.replaced = self.diagnosed(*turned, np.arange(length, dtype=float)[None], given=False, inner=True)
                if self.replaced.positions is not None and self.replaced.rope is not None:
                    places, shape = self.replaced.positions, turned[0].shape[:-1]
                    front = places.shape[:1] if self.replaced.rope.axes is not None else ()
                    own = places.shape[len(front) :]
                    every = np.broadcast_to(places.reshape(*front, *[1] * (len(shape) - len(own)), *own), (*front, *shape))
                    self.replaced.positions = np.ascontiguousarray(np.swapaxes(every, -1, a + len(front)))
                sure = length > 2 and self.replaced["offset"].sure  # any two angles lie on a line
                why = "every row of the sequence has the same angle"
                rivals = [] if sure else [f"entries of axis {a} that are turned differently, by no index"]
                self.replaced.put("axes", f"exchanged: turns by the index along axis {a}", sure, why, rivals)
                for what in () if sure else (*AFTER_LAYOUT, "phase", "factor"):
                    if what in self.replaced.findings:
                        self.replaced[what].sure = False
                return True
        return False

    def one_place(self) -> bool:
        """One position says nothing of what changes with position."""
        if max(len(np.unique(row)) for row in self.places) > 1 and not (self.steady and self.alike):
            return False
        why = "the angle is the same in every row" if self.steady else "one position only"
        if self.steady:
            plain = bool((abs(self.angle) > 50 * self.error).any())
            self.report.put(
                "positions", "every row turns alike", plain and self.layout_known, same=["all rows were given one position"]
            )
        self.leave_open(why, "two or more rows at consecutive positions")
        return True

    def turn(self) -> None:
        """Lines of angle over position. A second pass allows for float32 angles, whose error grows with the angle."""
        found = turning(self.mean, self.places, self.mean_error, self.loose)
        if (found.axis >= 0).all() and len(self.places) == 1:
            grain = 2.0**-51 if self.form.name == "float64" else 2.0**-23
            good = found.speed_error < 0.05 * abs(found.speed)
            first = found[good]
            far = 0.0
            if good.any():
                value, _, misfit = nearest_offset(first.speed, first.phase, first.speed_error, first.phase_error)
                far = abs(float(value)) if misfit < 4 else 0.0
            grown = np.hypot(self.mean_error, grain * abs(found.speed) * (abs(self.places[0][:, None]) + far))
            found = turning(self.mean, self.places, grown, self.loose)
            steady = np.hypot(found.speed_error, grain / 2 * abs(found.speed) * far / np.ptp(self.places))
            found, self.mean_error = replace(found, speed_error=steady), grown
        self.found = found
        self.seen = abs(found.speed) > 8 * found.speed_error
        typical = np.hypot(np.median(self.mean_error, 0), self.loose)
        self.straight = bool(
            (found.scatter < np.maximum(10 * typical, 2.0**-7))[self.seen].all()
        )  # tables in bfloat16 do as much
        self.moved = None
        if len(self.places) == 1:
            line = phasor(np.outer(self.places[0], found.speed) + found.phase)
            rest = np.angle(self.mean * line.conj())[:, self.seen]
            self.moved = moved_row(rest, found.speed[self.seen], np.hypot(self.mean_error, self.loose)[:, self.seen])

    def name(self, given: bool, inner: bool) -> None:
        """Axes, sense, offset, frequencies, arithmetic; and rows that are elsewhere."""
        report, found = self.report, self.found
        if (found.axis < 0).any():
            self.leave_open("some pairs follow none of the given positions", "the positions of every axis")
            report.put("axes", None, False, "some pairs follow none of the given positions")
            return
        if len(self.places) > 1:
            clear = self.seen.all() and (found.fitting == 1).all()
            rivals = [] if self.seen.all() else ["pairs too slow to see"]
            report.put("axes", found.axis.astype(int).tolist(), clear, "" if clear else "some pairs could follow another", rivals)
        step = float(np.diff(np.unique(self.places[0])).min()) if len(np.unique(self.places[0])) > 1 else 1.0
        if step > 1:
            self._aliases(step)
            return
        offset = self._offset()
        item = self._frequencies(offset)
        if not self.alike:
            self._offset_by_index(offset)
        replayed = self._arithmetic(item, offset)
        if item is not None and item.low < item.high:
            self._widen(item)
        if replayed:
            report["sense"].sure = bool(self.one_way)
        elif not inner:
            self._decode(offset)
        if self.replaced is None:
            if self.replays in ("float64", "float32 angles") and report["method"].value == "list" and self._is_list():
                report.put("method", "list", True, f"no formula that is known gives these speeds within {1 / 128:.1%}")
            if self.moved is not None and not self.replays.startswith(("bfloat16", "float16")):
                self._doubt(*MOVED, why=f"row {self.moved} is further along than the others have it")
            if not self._orderly():
                self._doubt("layout", "rotary_dim", "rotary_start", "sense", "phase", "offset", "factor", "method", "base")
            report.angles = {
                "theta": found.speed * self.direction,
                "error": found.speed_error,
                "model": self.speed if item is None else item.model,
            }
            self._make_rope(item, offset)

    def _aliases(self, step: float) -> None:
        """Rows further apart than 1: angles are known modulo 2 pi / step, so every known base is tried."""
        k, hits = np.arange(self.pairs), []
        for base in BASES:
            for sense in (1, -1):
                rest = np.angle(
                    self.mean * np.exp(-1j * np.outer(self.places[0], sense * base ** (-2 * k / self.pairing.rotary_dim)))
                )
                if np.sqrt((wrap(rest - np.angle(np.exp(1j * rest).sum(0))) ** 2).mean()) < 5 * max(
                    float(np.median(self.mean_error)), self.loose
                ):
                    hits.append((base, sense))
        self.leave_open(f"rows are {step:g} apart: angles are known modulo 2 pi / {step:g}", "two neighbouring positions")
        if hits:
            self.report["base"].value, self.report["sense"].value = hits[0]
            self.report["base"].rivals = [f"{base:g}" for base, _ in hits[1:]] + ["a base that is not published"]

    def _offset(self) -> Offset | None:
        """Sense, constant phase and offset, which are told together."""
        report, found = self.report, self.found
        self.good = (found.speed_error < 0.05 * abs(found.speed)) & (found.phase_error < 0.5)
        fitting = offsets(found, self.good)
        up, down = int((self.seen & (found.speed > 0)).sum()), int((self.seen & (found.speed < 0)).sum())
        sense, mixed = (1 if up >= down else -1), min(up, down) > 0
        best = fitting[0] if fitting else None
        luck = coincidence(best, found, self.good) if best else 1.0
        lucky = best is None or coincidental(best, found, self.good)
        periodic = not lucky and len(fitting) > 1 and best is not None and best.whole
        settled = best is not None and (len(fitting) == 1 or not lucky) and not periodic
        quarters = best.quarters if best else 0
        self.direction = sense
        why = "pairs turn both ways" if mixed else ""
        one_sense = len({abs(each.quarters) % 2 for each in fitting}) == 1 or not lucky
        self.one_way = self.layout_known and best is not None and self.seen.any() and not mixed and one_sense
        report.put("sense", sense, self.one_way and self.straight, why)
        words = {0: "0", 1: "pi/2", 2: "pi", -1: "-pi/2"}[quarters]
        sure = self.layout_known and settled and self.good.sum() > 1 and not mixed and self.straight
        report.put("phase", words, sure, cause=_PHASES.get((quarters, sense), ""))
        if best is None:
            why = "no one offset fits all pairs" if self.good.any() else "no pair turns enough"
            report.put("offset", None, False, why, next=LONGER)
            return None
        speeds = abs(found.speed[self.good])
        fine = not lucky if best.whole else best.error < 0.02 and speeds.min() * 2048 < np.pi
        sure = self.layout_known and settled and fine and not mixed
        rivals = [
            f"{each.value:.5g}" + (f" with phase {each.quarters} quarter turns" if each.quarters else "") for each in fitting[1:4]
        ]
        more = "" if sure else "more rows, or a finer format: a slower pair decides"
        report.put(
            "offset",
            int(best.value) if best.whole else best.value,
            sure,
            f"such a fit by chance: {min(luck, 1):.0e}",
            [] if sure else rivals,
            next=more,
        )
        return best

    def _on_grid(self, offset: Offset) -> bool:
        """Whether angles were rounded to a coarse format, as were the frequencies: then these are known to the last place."""
        if len(self.places) > 1 or not self.alike or self.form.coarse:
            return False
        p = self.places[0] + offset.value
        angle = np.angle(self.mean * np.exp(-0.5j * np.pi * offset.quarters)) * self.direction
        allowed = np.hypot(self.mean_error, 2.0**-23 * (1 + abs(p[:, None] * self.found.speed)))
        for grid, bits in ((float16, 10), (bfloat16, 7)):
            exact = on_grid(angle, allowed, p, self.found, grid, bits)
            if exact is not None and (exact.speed_error < 1e-8 * abs(exact.speed)).sum() > 2:
                self.found = exact
                self.seen = abs(exact.speed) > 8 * exact.speed_error
                self.speed = exact.speed * np.sign(exact.speed[np.argmax(abs(exact.speed))])
                return True
        return False

    def _in_tables(self, offset: Offset) -> list[Explanation]:
        """The published base whose tables, rounded to a coarse format, give these very angles."""
        if len(self.places) > 1 or not self.alike or self.form.name not in ("float32", "float64") or self.pairs < 3:
            return []
        p, k = self.places[0] + offset.value, np.arange(self.pairs)
        angle = np.angle(self.mean * np.exp(-0.5j * np.pi * offset.quarters)) * self.direction
        for base, mode in itertools.product(BASES, ("bfloat16 tables", "float16 tables")):
            model = base ** (-2 * k / self.pairing.rotary_dim)
            if (abs(abs(self.found.speed) - model) > 8 * self.found.speed_error + 0.02 * model)[:3].any():
                continue
            cos, sin = ARITHMETIC[mode](p[:, None], model[None])
            allowed = np.hypot(self.mean_error, 2.0**-22 * (1 + abs(p[:, None] * model)))
            if np.sqrt((wrap(np.arctan2(sin, cos) - angle) ** 2 / allowed**2).mean(0)).max() < 2.5:
                told = np.maximum(1e-3 * model, np.median(self.mean_error, 0) / np.ptp(p))
                self.found = replace(self.found, speed=model * np.sign(self.found.speed), speed_error=told)
                self.speed, self.seen = model, model > 8 * told
                return [Explanation("plain", base, base, base, model, True, listed=True)]
        return []

    def _frequencies(self, offset: Offset | None) -> Explanation | None:
        """What explains the speeds, and how far the slice of channels is known."""
        report, found, rotary = self.report, self.found, self.pairing.rotary_dim
        tolerance = 4e-15 if self.form.name == "float64" else 1.2e-6
        self.speed = found.speed * np.sign(found.speed[np.argmax(abs(found.speed))])
        options: list[Explanation] = []
        for each in (4e-15, 1.2e-6):  # frequencies of float64, or of float32
            if each >= tolerance and (not options or options[0].method == "list"):
                options = explain(Speeds(self.speed, found.speed_error, each), rotary) or options
        if (not options or options[0].method == "list") and offset is not None and self._on_grid(offset):
            found = self.found
            options = explain(Speeds(self.speed, found.speed_error, 1.2e-6), rotary) or options
        if (not options or options[0].method == "list") and offset is not None:
            options = self._in_tables(offset) or options
            found = self.found
        if (not options or options[0].method == "list") and len(self.places) > 1:  # frequencies that start again on every axis
            parts = [
                explain(
                    Speeds(self.speed[found.axis == a], found.speed_error[found.axis == a], 1.2e-6),
                    2 * int((found.axis == a).sum()),
                )
                for a in np.unique(found.axis)
            ]
            if all(parts) and len({each[0].base for each in parts}) == 1:
                model = np.zeros(self.pairs)
                for a, part in zip(np.unique(found.axis), parts, strict=True):
                    model[found.axis == a] = part[0].model
                options = [replace(parts[0][0], method=parts[0][0].method + ", axis by axis", model=model)]
        item = options[0] if options else None
        slice_known = self._slice(item)
        seen = int(self.seen.sum())
        if item is None:
            why = f"only {seen} pairs are seen to turn" if seen < 2 else "no method explains the frequencies"
            say = "LongRoPE's or another list of divisors" if seen >= 2 else ""
            slip = self._slip() if seen > 3 else ""
            rivals, more = ([say], "") if say else ([], LONGER)
            report.put("method", "list" if seen >= 2 else None, False, why, rivals, next=more, cause=slip)
            report.put("base", None, False, why)
            return None
        tail = item.model > 0
        blind = tail & ~(found.speed_error < 0.06 * item.model)
        slow = float(item.model[tail].min())
        need = f"positions up to about {10 * float(np.median(self.mean_error)) / slow:.0f}" if blind.any() else ""
        others = [f"{each.method} with base {each.base:g}" for each in options[1:]]
        why = f"pairs {int(np.argmax(blind))} and up turn too little to exclude a scaling" if blind.any() else ""
        if item.ramp and item.enough:
            blind = blind & (np.arange(self.pairs) < self.seen.sum())  # beyond a plateau that is seen, slower pairs follow
            why = ""
        if item.method == "list":
            others.append("LongRoPE's or another list of divisors")
            why, need, blind = "no method explains all frequencies; the fastest tell the base", "", np.zeros(1, bool)
        same = same_numbers(item, rotary, self.width, self.pairing.name)
        certain = self.layout_known and slice_known and item.enough and not blind.any() and not others
        report.put("method", item.method, certain, why, others, next=need or ("" if certain else LONGER))
        alike = all(abs(each / item.base - 1) < 1e-6 for each in same.values())
        narrow = item.high / item.low < 1.01 or (item.high / item.low < 1.05 and item.listed and alike)
        precise = int((found.speed_error < 1e-4 * abs(found.speed)).sum()) >= 4  # else a list passes for a base
        head = True
        if item.method in ("yarn", "llama3", "step"):
            precise = bool((found.speed_error < 1e-5 * abs(found.speed))[: item.head].all())
            head = item.head >= 5 or (item.head >= 2 and item.base in BASES)  # that one of them is met to 1e-5 is no chance
        enough = seen >= (3 if item.method.startswith("plain") else 4) and (certain or precise)
        bounds = "" if item.low == item.high else f"between {item.low:.6g} and {item.high:.6g}"
        sure = (
            self.layout_known
            and slice_known
            and narrow
            and enough
            and (not others or item.method == "list" or all(each.base == item.base for each in options))
            and ((item.listed and certain) or head)
        )
        unusual = item.factor != 1 or item.base not in BASES or item.base < 1e4
        slip = next((each for each in same if unusual and (not each.startswith("base ") or each.startswith(USUAL))), "")
        report.put("base", item.base, sure, bounds, same=[*same], next="" if sure else need or LONGER)
        if item.factor != 1:
            report.put("factor", item.factor, certain and item.factor_error < 0.02 * item.factor)
        report["base" if item.factor == 1 else "factor"].cause = f"or {slip}" if slip else ""
        if item.ramp:
            report.put(
                "ramp", item.ramp, False, "only these quotients are in the numbers, not the trained length", next="the config"
            )
        return item

    def _is_list(self) -> bool:
        """Whether speeds are far from every method, even one with rounded speeds, and none of them came round from pi."""
        known = self.layout_known and self.report["offset"].sure and self.report["rotary_dim"].sure and self.one_way
        if not known or self.form.coarse or self.form.absolute > 1e-12 or self.seen.sum() < 6:
            return False
        if abs(self.speed).max() > 0.75 * np.pi or not (self.speed[self.seen] > 0).all() or self._slip():
            return False
        steps = np.diff(np.log(self.speed[self.seen]))
        if abs(steps[-2:].mean() / steps[:2].mean() - 1) < 0.05:  # one base at both ends: some ramp between
            return False
        slow = np.arange(self.pairs) >= self.pairs // 2  # a line here, and none in front, is what came round
        parts = ((slow | True, 2.0**-7), (slow, 2.0**-10))
        vague = (
            Speeds(self.speed[each], np.maximum(self.found.speed_error, grain * abs(self.speed))[each], 0.0)
            for each, grain in parts
        )
        return not any(explain(part, self.pairing.rotary_dim) for part in vague)

    def _slip(self) -> str:
        """The slip that makes these speeds of a published base, if one does: angles beyond pi come back round."""
        for base, way in itertools.product(BASES, (1, -1)):
            ideal = base ** (-2 * np.arange(self.pairs) / self.pairing.rotary_dim)
            found = cause(way * self.speed, ideal, 8 * self.found.speed_error, self.width)
            if found:
                return f"or base {base:g}, {found}"
        return ""

    def _slice(self, item: Explanation | None) -> bool:
        """Whether a next pair, even one that a scaling slowed 64 times, would have been seen."""
        finding, rotary, layout = self.report["rotary_dim"], self.pairing.rotary_dim, LAYOUTS[self.pairing.name]
        if self.pairing.start:
            finding.why = "the last channels of the head"
            if layout[0] == "interleaved":
                self.report["rotary_start"].same = [f"the {self.pairing.start} channels before in the slice, at rest"]
        ordered = item is not None and item.method in (
            "plain",
            "linear",
            "yarn",
            "llama3",
            "step",
        )  # the fastest pair stands first
        known = finding.sure and (rotary == self.width or "half" in layout[:2] or (self.pairing.start > 0 and ordered))
        if finding.sure and not known and item is not None and ordered and not self.pairing.start and rotary > 2:
            following = item.model[-1] ** 2 / item.model[-2] if item.model[-2] > 0 else 0.0
            last = int(np.argmin(item.model))  # the next pair would be seen as well as this one
            known = following / 64 > 10 * max(
                self.found.speed_error[last], np.median(self.mean_error[:, last]) / np.ptp(self.places[0])
            )
        if "half" not in layout[:2] and not self.seen.all():
            known = False
        finding.sure = bool(known and self.layout_known)
        self.report["rotary_start"].sure &= finding.sure
        if not finding.sure and not finding.rivals:
            finding.rivals, finding.next = [f"up to {self.width}"], "positions far enough to see the slowest pair"
        return finding.sure

    def _offset_by_index(self, offset: Offset | None) -> None:
        """Every leading index may count from its own start: padding, or a cache."""
        good, found, finding = self.good, self.found[self.good], self.report["offset"]
        turn = np.sign(self.found.speed[np.argmax(abs(self.found.speed))])
        if offset is None:
            return
        apart = np.angle((self.z * self.mean.conj()).mean(1)[:, good]) * turn
        spread = np.broadcast_to(np.maximum(found.phase_error, 1e-9), apart.shape)
        shifts, _, misfit = nearest_offset(self.speed[good], apart, found.speed_error, spread)
        if (misfit > 4).any():
            finding.sure, finding.why = False, "heads or batches turn differently"
            finding.next = "each of them by itself: diagnose(x[0], y[0]), diagnose(x[1], y[1]), ..."
            return
        back = np.exp(-1j * turn * self.speed * shifts[:, None, None])
        if np.sqrt((self._disagreement(0, self.z * back) ** 2).mean()) > 4:  # pairs that are not seen to turn may differ, too
            finding.sure, finding.why = False, "heads or batches turn differently"
            return
        values = offset.value + shifts
        whole = bool(abs(values - np.round(values)).max() < 0.05)
        finding.value = (np.round(values).astype(int) if whole else np.round(values, 3)).reshape(self.lead).tolist()
        finding.sure, finding.why = finding.sure and whole, "each leading index has its own"
        self.shifts = np.round(values) - offset.value

    def _arithmetic(self, item: Explanation | None, offset: Offset | None) -> bool:
        """Replay every way of computing; True if one gives the angles. Nothing about them is certain if none does."""
        report, self.replays = self.report, ""
        if len(self.places) > 1 or not self.alike or offset is None:
            if offset is None or not self.alike:
                self._doubt("offset", "factor", "method", "base")
            return False
        p = self.places[0] + offset.value
        models = [self.speed]
        if item is not None:
            ideal = item.base ** (-2 * np.arange(self.pairs) / self.pairing.rotary_dim) if item.method == "plain" else item.model
            models = [ideal, item.model, self.speed] if not item.rounding else [item.model, self.speed]
        rough = self.form.name != "float64"
        grain = 2.0**-23 if rough else 2.0**-50
        measured = np.angle(self.mean * np.exp(-0.5j * np.pi * offset.quarters)) * self.direction
        misfits = self._misfits(models, p, measured, grain)
        least = min(misfits, key=lambda mode: misfits[mode])
        self.replays = least if misfits[least] < 2.5 else ""
        firm = report["base"].sure and item is not None and item.method == "plain"
        if misfits["float64"] < 2.5:
            also = [mode for mode, misfit in misfits.items() if misfit < 2.5 and mode != "float64"]
            if item is not None and item.rounding:
                also = [mode for mode in also if mode == f"{item.rounding} angles"]
                sure = firm and item.rounding_sure and not also
                report.put("arithmetic", f"{item.rounding} inverse frequencies", sure, rivals=also)
            else:
                twins = [mode for mode in also if mode.endswith("inverse frequencies")] if not self.form.coarse else []
                if twins and item is not None and item.base not in BASES:  # all of them numbers of a coarse format
                    self._doubt("base", why=f"{twins[0]} would be the same")
                if rough:
                    told = f"in these rows {', '.join(also)} would be, too" if also else ""
                    rounds = self.form.coarse or self.form.absolute > 1e-12  # then its own rounding leaves 0.1 to 0.3
                    seen = rounds and misfits["float64"] > 0.4
                    sure = firm and report["offset"].sure and not twins and not seen
                    report.put("arithmetic", "as good as the format shows", sure, told)
                else:
                    report.put("arithmetic", "float64", firm and report["offset"].sure and not also, rivals=also)
            return True
        close = [mode for mode, misfit in misfits.items() if mode != least and misfit < max(4 * misfits[least], 2.5)]
        clear = firm and not close and misfits[least] < 4 and misfits[least] < 0.25 * misfits["float64"]
        why = f"misfit {misfits[least]:.2g}, against {misfits['float64']:.2g} of exact arithmetic"
        report.put("arithmetic", least, clear, why, close, next="" if clear else "positions beyond 256, in float32 or float64")
        if misfits[least] > 4 and self.found.scatter.max() > 2.0**-9:  # less is what tables in bfloat16 do
            self._doubt("offset", "factor", "method", "base")
        return clear

    def _misfits(self, models: list[Array], p: Array, measured: Array, grain: float) -> dict[str, float]:
        """How far each way of computing is from what was measured, with the model that suits it best, in errors.

        Once exact arithmetic is within 2.5, what is further is told by some rows, and its own number is not needed: inf.
        """
        rounded = {"bfloat16 positions": bfloat16, "float16 positions": float16}
        exact = [mode for mode, cast in rounded.items() if np.array_equal(cast(p), p)]
        allowed = [np.hypot(self.mean_error, grain * (1 + abs(p[:, None] * model))) for model in models]

        def squares(mode: str, n: int, rows: slice = slice(None)) -> Array:
            with np.errstate(invalid="ignore"):  # float16 ends at 65504
                cos, sin = ARITHMETIC[mode](p[rows, None], models[n][None])
            return np.asarray((wrap(np.arctan2(sin, cos) - measured[rows]) / allowed[n][rows]) ** 2)

        def misfit(mode: str, n: int) -> float:
            value = float(np.sqrt(squares(mode, n).mean()))
            return value if np.isfinite(value) else np.inf

        every = range(len(models))
        best = misfit("float64", 0)
        modes = [mode for mode in ARITHMETIC if mode != "float64" and mode not in exact]
        if best < 2.5:
            some, limit = slice(len(p) - 1, None, -max(len(p) // 16, 1)), 2.5**2 * measured.size
            modes = [mode for mode in modes if any(squares(mode, n, some).sum() < limit for n in every)]
        if best >= 2.5 or modes or self.form.name not in ("float64", "float32"):
            best = min(best, *(misfit("float64", n) for n in every[1:])) if len(models) > 1 else best
        found = {mode: min(misfit(mode, n) for n in every) for mode in modes}
        return {mode: best if mode in ("float64", *exact) else found.get(mode, np.inf) for mode in ARITHMETIC}

    def _widen(self, item: Explanation) -> None:
        """Speeds or angles that may have been rounded move a base further than its fit says."""
        grain = {"bfloat16": 2.0**-8, "float64": 0.0, "float32": 0.0}.get(self.form.name, 2.0**-11)
        if self.replays not in ("float64", "float32 angles"):
            grain = max(grain, 2.0**-11 if self.replays.startswith("float16") else 2.0**-8)
        base, more = self.report["base"], np.exp(grain * self.pairs / max(int(self.seen.sum()) - 1, 1))
        if grain and base.why.startswith("between"):
            base.why = f"between {item.low / more:.6g} and {item.high * more:.6g}"
            base.sure = base.sure and bool(item.listed or item.high / item.low * more**2 < 1.02)

    def _orderly(self) -> bool:
        """Whether angles belong to rows. Read from one head, any map that keeps a pair's length looks like some angle."""
        if self.alike:
            return len(self.z) > 1 or bool((self.found.scatter < 0.3).all())
        return hasattr(self, "shifts")

    def _doubt(self, *questions: str, why: str = "angles scatter more than the number format explains") -> None:
        for what in questions:
            self.report.leave((what,), why, self.report[what].next or "the code itself, through check_rope")

    def _decode(self, offset: Offset | None) -> None:
        """Rows that do not count by one: read the position of each from its own angles."""
        rough = self.moved is not None or (
            self.rows > 2 and self.seen.any() and np.median((self.found.scatter / np.median(self.mean_error, 0))[self.seen]) > 20
        )
        if len(self.places) > 1 or not self.layout_known or not self.alike or not (offset is None or rough):
            return
        got = decoded(np.angle(self.mean), self.mean_error, self.pairing.rotary_dim)
        if got is None or len(np.unique(got[1])) < 2:
            return
        base, places = got
        sense, clear = likely_sense(places, self.places[0])
        places = sense * places + 0.0
        again = self.diagnosed(self.x, self.y, places[None], given=True, inner=True)
        name = pattern(places, self.places[0])
        apart = int(np.gcd.reduce(np.diff(places).astype(int)))
        told = [] if apart == 1 else [f"positions {apart} times nearer, frequencies {apart} times as high"]
        if not clear:
            told.append("the same negated, turned in the other sense")
            again["sense"].sure = False
        shifted = ["the same with an offset added everywhere"]
        again.put("positions", places.astype(int).tolist(), not told, name, told, shifted, "" if apart == 1 else "the config")
        for what in ("base", "method", "factor") if apart > 1 else ():
            again[what].sure = False
        again.put("offset", None, False, "the rows are not where they were taken to be: see positions")
        if again.rope is None and self.pairing.name in SOUND:
            speeds = base ** (-2 * np.arange(self.pairs) / self.pairing.rotary_dim)
            again.rope = self._rope(speeds, sense)
            again.positions, again.residual = places, self._residual(again.rope, places)
        if name.startswith(("bfloat16", "float16")):
            again.put("arithmetic", name.split()[0] + " positions", False, "from the pattern of the positions")
        for kind, rounded, exact in (("bfloat16", bfloat16, 256), ("float16", float16, 2048)):
            if abs(places).max() > exact and np.array_equal(rounded(places), places):  # not by chance
                again.leave(("arithmetic",), f"every position is a number of {kind}", "the positions that were given")
        self.replaced = again

    def _rope(self, speeds: Array, direction: int, axes: Any = None) -> Rope:
        pairing, scale = self.pairing, self.report["scale"].value
        return Rope(
            speeds,
            scale,
            head_dim=self.width,
            rotary_dim=pairing.rotary_dim,
            layout=cast(Any, pairing.name),
            axes=axes,
            rotary_start=pairing.start,
            direction=direction,
        )

    def _residual(self, rope: Rope, places: Array) -> float:
        """Root mean square of what a rope misses, in units of the last place."""
        unit = 2 * (self.form.relative * np.maximum(abs(self.y), np.sqrt((self.y**2).mean())) + self.form.absolute)
        turned = slice(rope.rotary_start, rope.rotary_start + (rope.rotary_dim or 0))
        away = ((rope.rotate(self.x, places) - self.y) / unit)[..., turned]
        return float(np.sqrt((away**2).mean()))

    def _make_rope(self, item: Explanation | None, offset: Offset | None) -> None:
        """The simplest description that gives y as well as the best one does."""
        if self.pairing.name not in SOUND or offset is None or not isinstance(self.report["scale"].value, float):
            return
        models = [self.speed]
        if item is not None:
            ideal = item.base ** (-2 * np.arange(self.pairs) / self.pairing.rotary_dim) if item.method == "plain" else item.model
            models = [ideal, item.model, self.speed]
        axes = self.found.axis.astype(int) if len(self.places) > 1 else None
        places = (self.places[: axes.max() + 1] if axes is not None else self.places[0]) + offset.value
        if hasattr(self, "shifts"):
            places = places.reshape(*places.shape[:-1], *[1] * len(self.lead), -1) + self.shifts.reshape(*self.lead, 1)
        tried = []
        for model in models:
            if not offset.quarters:
                rope, at = self._rope(model, self.direction, axes), places
            elif (model > 0).all():  # a phase is a step of its own for every pair
                back = self.direction * offset.quarters * np.pi / 2 / model
                at = (places if axes is None else places[axes]) + back.reshape(-1, *[1] * (places.ndim - (axes is not None)))
                rope = self._rope(model, self.direction, np.arange(self.pairs))
            else:
                continue
            tried.append((self._residual(rope, at), rope, at))
        if not tried:
            return
        best = min(residual for residual, *_ in tried)
        residual, rope, places = next(each for each in tried if each[0] <= 2 * best + 0.5)
        self.report.rope, self.report.positions, self.report.residual = rope, places, residual
