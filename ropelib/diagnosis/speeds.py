"""Frequencies: what explains the speeds of all pairs, and how far the slice of channels that turn is known."""

import itertools
from dataclasses import replace

import numpy as np

from .explanations import BASES, Explanation, Speeds, explain
from .layouts import LAYOUTS
from .measured import Measured, Turns
from .offsets import LONGER, Start
from .replay import rounded_angles, rounded_tables
from .report import Report
from .slips import cause, same_numbers
from .support import SLICE, SPEEDS

USUAL = ("base 10000 ", "base 500000 ", "base 1e+06 ")  # a slip from one of these is worth a word in the sentence
LIST = "LongRoPE's or another list of divisors"
EXACT, SINGLE = 4e-15, 1.2e-6  # relative errors of frequencies built in float64, and in float32


def frequencies(report: Report, data: Measured, turns: Turns, start: Start) -> tuple[Turns, Explanation | None]:
    """Put method, base and factor: the explanation, and the turns, whose speeds it may make more exact."""
    turns, options = _options(data, turns, start)
    item = options[0] if options else None
    slice_known = _slice(report, data, turns, item)
    if item is None:
        _unexplained(report, data, turns)
    else:
        _explained(report, data, turns, options, slice_known)
    return turns, item


def _options(data: Measured, turns: Turns, start: Start) -> tuple[Turns, list[Explanation]]:
    """What explains the speeds, the simplest first; a list of divisors only where nothing else does."""
    rotary, options = data.pairing.rotary_dim, list[Explanation]()

    def none() -> bool:
        return not options or options[0].method == "list"

    for each in (EXACT, SINGLE):
        if (each == SINGLE or data.form.name == "float64") and none():
            options = explain(Speeds(turns.speed, turns.found.speed_error, each), rotary) or options
    if none() and (exact := rounded_angles(data, turns, start)):
        turns = exact
        options = explain(Speeds(turns.speed, turns.found.speed_error, SINGLE), rotary) or options
    if none() and (tables := rounded_tables(data, turns, start)):
        turns, options = tables[0], [tables[1]]
    if none() and len(np.unique(turns.found.axis)) > 1:  # the fastest pairs of all axes tell the base of none
        options = _axis_by_axis(turns)
    return turns, options


def _axis_by_axis(turns: Turns) -> list[Explanation]:
    """Frequencies that start again on every axis, alike on all of them: each is read by itself."""
    found, axes = turns.found, np.unique(turns.found.axis)
    parts = []
    for own in (found.axis == a for a in axes):
        parts.append(explain(Speeds(turns.speed[own], found.speed_error[own], SINGLE), 2 * int(own.sum())))
    if not all(parts) or len({(each[0].base, each[0].method) for each in parts}) > 1:
        return []
    factors = [each[0].factor for each in parts]
    if max(factors) > min(factors) * (1 + 4 * max(each[0].factor_error for each in parts) + 1e-5):
        return []
    model = np.zeros(len(turns.speed))
    for a, part in zip(axes, parts, strict=True):
        model[found.axis == a] = part[0].model
    enough = all(each[0].enough for each in parts)
    return [replace(parts[0][0], method=parts[0][0].method + ", axis by axis", model=model, enough=enough)]


def _unexplained(report: Report, data: Measured, turns: Turns) -> None:
    seen = int(turns.seen.sum())
    why = f"only {seen} pairs are seen to turn" if seen < 2 else "no method explains the frequencies"
    slip = _slip(data, turns) if seen > 3 else ""
    rivals, more = ([LIST], "") if seen >= 2 else ([], LONGER)
    report.put("method", "list" if seen >= 2 else None, False, why, rivals, next=more, cause=slip)
    report.put("base", None, False, why)


def _explained(report: Report, data: Measured, turns: Turns, options: list[Explanation], slice_known: bool) -> None:
    found, item, seen = turns.found, options[0], int(turns.seen.sum())
    tail = item.model > 0
    blind = tail & ~(found.speed_error < 0.06 * item.model)
    slow = float(item.model[tail].min())
    need = f"positions up to about {10 * float(np.median(data.mean_error)) / slow:.0f}" if blind.any() else ""
    others = [f"{each.method} with base {each.base:g}" for each in options[1:]]
    why = f"pairs {int(np.argmax(blind))} and up turn too little to exclude a scaling" if blind.any() else ""
    if item.ramp and item.enough:
        blind = blind & (np.arange(data.pairs) < seen)  # beyond a plateau that is seen, slower pairs follow
        why = ""
    if item.method == "list":
        others.append(LIST)
        why, need, blind = "no method explains all frequencies; the fastest tell the base", "", np.zeros(1, bool)
    same = same_numbers(item, data.pairing.rotary_dim, data.x.shape[-1], data.pairing.name)
    certain = data.layout_known and slice_known and item.enough and not blind.any() and not others
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
        data.layout_known
        and slice_known
        and narrow
        and enough
        and (not others or item.method == "list" or all(each.base == item.base for each in options))
        and ((item.listed and certain) or head)
    )
    named = data.ideal(item.base) / item.factor
    if not sure and item.method in ("plain", "linear") and (abs(named - item.model) > 0.02 * item.model).any():
        certain = False
        report.leave(("method",), "the base that is named is one of many: others give other speeds", LONGER)
    unusual = item.factor != 1 or item.base not in BASES or item.base < 1e4
    slip = next((each for each in same if unusual and (not each.startswith("base ") or each.startswith(USUAL))), "")
    report.put("base", item.base, sure, bounds, same=[*same], next="" if sure else need or LONGER)
    if item.factor != 1:
        report.put("factor", item.factor, certain and item.factor_error < 0.02 * item.factor)
    report["base" if item.factor == 1 else "factor"].cause = f"or {slip}" if slip else ""
    if item.ramp:
        told = "only these quotients are in the numbers, not the trained length"
        report.put("ramp", item.ramp, False, told, next="the config")


def is_list(report: Report, data: Measured, turns: Turns, start: Start) -> bool:
    """Whether speeds are far from every method, even one with rounded speeds, and none of them came round from pi."""
    speed, seen = turns.speed, turns.seen
    known = data.layout_known and report["offset"].sure and report["rotary_dim"].sure and start.one_way
    if not known or data.form.covers_angles or seen.sum() < 6:
        return False
    if abs(speed).max() > 0.75 * np.pi or not (speed[seen] > 0).all() or _slip(data, turns):
        return False
    steps = np.diff(np.log(speed[seen]))
    if abs(steps[-2:].mean() / steps[:2].mean() - 1) < 0.05:  # one base at both ends: some ramp between
        return False
    slow = np.arange(data.pairs) >= data.pairs // 2  # a line here, and none in front, is what came round
    parts = ((slow | True, 2.0**-7, 1.0), (slow, 2.0**-10, 1.0), (slow | True, 2.0**-7, 1 / speed.max()))  # or closer positions
    vague = (
        Speeds(times * speed[each], times * np.maximum(turns.found.speed_error, grain * abs(speed))[each], 0.0)
        for each, grain, times in parts
    )
    return not any(explain(part, data.pairing.rotary_dim) for part in vague)


def _slip(data: Measured, turns: Turns) -> str:
    """The slip that makes these speeds of a published base, if one does: angles beyond pi come back round."""
    for base, way in itertools.product(BASES, (1, -1)):
        found = cause(way * turns.speed, data.ideal(base), 8 * turns.found.speed_error, data.x.shape[-1])
        if found:
            return f"or base {base:g}, {found}"
    return ""


def _slice(report: Report, data: Measured, turns: Turns, item: Explanation | None) -> bool:
    """Whether a next pair, even one that a scaling slowed 64 times, would have been seen."""
    pairing, width, finding = data.pairing, data.x.shape[-1], report["rotary_dim"]
    paired, table = LAYOUTS[pairing.name][:2]
    halves = "half" in (paired, table)
    if pairing.start:
        finding.why = "the last channels of the head"
        if paired == "interleaved":
            report["rotary_start"].same = [f"the {pairing.start} channels before in the slice, at rest"]
    # the fastest pair stands first
    ordered = item is not None and item.method in ("plain", "linear", "yarn", "llama3", "step")
    known = finding.sure and (pairing.rotary_dim == width or halves or (pairing.start > 0 and ordered))
    if finding.sure and not known and item is not None and ordered and not pairing.start and pairing.rotary_dim > 2:
        last = int(np.argmin(item.model))  # the next pair would be seen as well as this one
        span = np.ptp(data.places[0])
        known = _following(item) / 64 > 10 * max(turns.found.speed_error[last], np.median(data.mean_error[:, last]) / span)
    if not halves and not turns.seen.all():
        known = False
    finding.sure = bool(known and data.layout_known)
    report["rotary_start"].sure &= finding.sure
    if not finding.sure and not finding.rivals:
        finding.rivals, finding.next = [f"up to {width}"], "positions far enough to see the slowest pair"
    return finding.sure


def _following(item: Explanation) -> float:
    """The speed of a next pair, were there one."""
    return float(item.model[-1] ** 2 / item.model[-2]) if item.model[-2] > 0 else 0.0


def lost(report: Report, data: Measured, item: Explanation | None) -> None:
    """Open the slice where angles kept in float16 may have lost a next pair: below 2**-25 all its numbers are 0."""
    pairing = data.pairing
    if item is None or pairing.start or pairing.rotary_dim == data.x.shape[-1] or "half" in LAYOUTS[pairing.name][:2]:
        return
    if _following(item) / 64 < 2.0**-24:
        report.leave((*SLICE, *SPEEDS), "float16 keeps nothing of slower pairs", "speeds and angles in float32")
