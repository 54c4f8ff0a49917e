"""What probed code does against what was expected of it: the first difference, by name where a name is known."""

import numpy as np

from .arrays import diagnose
from .callers import other_calls
from .contract import SHORT
from .named import Beside, Told, named, text
from .report import Array, Report
from .several import along_axes
from .switch import switched
from .where import far_end, far_row, one_hot, small

NAMED_WHOLE = ("arithmetic", "positions", "q and k", "order of channels", "rotates", "length", "axes")  # no row apart


def compare(side: Beside, report: Report, far: tuple[Array, Array, Array], reach: int | None) -> tuple[list[str], int]:
    """All differences, the telling one and its smallest input first; how many positions were looked at.

    `far` is what positions of random rows gave, `reach` how many positions are expected.
    """
    seen, found = side.length, one_hot(side) or far_row(side, far)
    found = found or switched(side)
    if not found:
        found, seen = far_end(side, reach)
    if not found and not side.code.failures:
        found = other_calls(side) or small(side, report, reach)
    if not found:
        return [], seen
    told = [found.named] if found.named else named(side, report, found.row)
    along = None if told and told[0][0] == "axes" else along_axes(side, far)
    told = [along] if along else told
    if not along and not found.named and found.row >= SHORT and not (told and told[0][0] in NAMED_WHOLE):
        later, report = _later(side, found.row, report)
        told = later or told
    if found.by:  # angles that are as exact as float32 has them are no second difference
        told = [each for each in told if each[0] != "angles"]
        backwards = found.by[0] == "length" and told and told[0][0] == "sense"
        if not along and not backwards:  # rows that run backwards say more
            told.insert(0, found.by)
    words = []
    for what, a, b in told:
        finding = report.findings.get(what)
        guess = finding is not None and finding.value == b and not finding.sure
        words.append(f"{what}: expected {text(a)}, got {text(b)}{' (open)' if guess else ''}")
    words = words or ["values differ"]
    return [words[0] + found.where, *words[1:]], seen


def _later(side: Beside, first: int, report: Report) -> tuple[list[Told], Report]:
    """What rows from the first wrong one on do, where those before are right: read by themselves, and the report of it."""
    code, rope = side.code, side.rope
    n = min(side.length - first, 256)
    if code.position_axes > 1 or rope.length_dependent or n < 1:
        return [], report
    rows = np.arange(first, first + n)
    x, y = side.x[:, :, rows], code.call(side.x[:, :, : side.length])[:, :, rows]
    away = abs(y - rope.rotate(x, rows))
    if away[:, :, 0].max() < 5 * side.allowed(rows[:1])[0]:  # it drifts
        return [], report
    bad = away > side.limit(rows)
    heads = bad.any((0, 2, 3))
    if not heads.all():
        return [("heads", "turned alike", f"head {int(np.argmax(heads))} otherwise")], report
    channels = np.nonzero(bad.any((0, 1, 2)))[0] - side.part.start
    pairs = sorted({int(c) % (rope.rotary_dim // 2) if rope.layout == "half" else int(c) // 2 for c in channels})
    if len(pairs) <= 2 and pairs[-1] < rope.rotary_dim // 2:
        return [(f"pair {pairs[0]}", "turned as expected", "otherwise")], report
    if n < 8:
        return [], report
    again = diagnose(x, y, rows)
    told = named(side, again, first) if again["layout"].sure else []
    told = [each for each in told if each[0] in (*NAMED_WHOLE, "frequencies") or again[each[0]].sure]
    return told, again if told else report
