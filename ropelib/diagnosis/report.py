"""What the doctor says: findings, each certain, or open with what would decide it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..rope import Rope

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.int64]

# What makes an implementation no fixed map of its rows: said first, and nothing measured on such code is certain.
REPEATABLE = "is not repeatable"
REMEMBERS = "remembers earlier calls"
BATCHES = "treats batches differently"
UNSOUND = (
    REPEATABLE,
    REMEMBERS,
    "is not linear",
    BATCHES,
    "turns heads differently",
    "mixes rows",
    "mixes q and k",
)
FIRST = (*UNSOUND, "never reads k", "returns q and k in exchanged order", "ignores positions")


@dataclass
class Finding:
    """One question and its answer.

    `sure` is never True while another answer would give the same data; an answer in other words that gives the same
    numbers for every input is no rival, and stands in `same`. `cause` is the slip that gives this value, where one is known.
    """

    what: str
    value: Any
    sure: bool
    why: str = ""
    rivals: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    next: str = ""
    cause: str = ""

    def __str__(self) -> str:
        told = "; ".join(filter(None, (self.cause, self.why)))
        lines = [f"{'certain' if self.sure else 'open':8} {self.what:13} {worded(self.value)}" + (f"  ({told})" if told else "")]
        notes = {"or": self.rivals, "same numbers as": self.same, "measure": [self.next] if self.next else []}
        return "\n".join(lines + [f"{'':22} {name}: {'; '.join(map(str, items))}" for name, items in notes.items() if items])


@dataclass
class Failure:
    """What an implementation does that none should, on the smallest input that shows it."""

    what: str
    input: str
    got: str
    expected: str

    def __str__(self) -> str:
        return f"{self.what}: {self.input} -> {self.got}; expected {self.expected}"


@dataclass
class Report:
    """All findings, by the name of the question; `print` it.

    Attributes
    ----------
    findings : dict of str to Finding
    rope : Rope or None
        `rope.rotate(x, report.positions)` gives y, with `residual`. None where no rotation does.
    positions : ndarray or None
        Positions with the offset, for `rope`. With a constant phase on top a row for each pair, which `rope.axes` names.
    residual : float
        Root mean square of y minus what `rope` gives, in units of the last place of y's number format.
    angles : dict
        "theta", radians per position of each pair, and "error", their standard deviations.
    failures : list of Failure
    notes : list of str
    differences : list of str
        What is not as `expected`, from `check_rope`.
    """

    findings: dict[str, Finding] = field(default_factory=dict)
    rope: Rope | None = None
    positions: Array | None = None
    residual: float = float("nan")
    angles: dict[str, Array] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)

    def put(
        self,
        what: str,
        value: Any,
        sure: bool | np.bool_,
        why: str = "",
        rivals: Sequence[str] = (),
        same: Sequence[str] = (),
        next: str = "",
        cause: str = "",
    ) -> None:
        self.findings[what] = Finding(what, value, bool(sure), why, list(rivals), list(same), next, cause)

    def __getitem__(self, what: str) -> Finding:
        return self.findings.get(what, Finding(what, None, False, "not reached"))

    def leave(self, whats: Sequence[str], why: str, next: str) -> None:
        """Leave these questions open where they are certain; say why, and what would decide them."""
        for each in map(self.__getitem__, whats):
            if each.sure:
                each.sure, each.why, each.next = False, why, next

    def doubt(self, why: str) -> None:
        """Leave open what is certain, and say why."""
        for each in self.findings.values():
            if each.sure and each.what != "format":
                each.sure, each.why = False, why

    @property
    def ok(self) -> bool:
        """Whether nothing failed and nothing differs from what was expected."""
        return not (self.failures or self.differences)

    def __bool__(self) -> bool:
        """As `ok`: ``assert check_rope(...)`` means what it says."""
        return self.ok

    @property
    def sentence(self) -> str:
        """The report in one sentence."""
        worst = [each for what in FIRST for each in self.failures if each.what == what]
        if worst:
            return str(worst[0])
        if self.differences:
            return self.differences[0]
        if self.failures:
            return str(self.failures[0])
        if not self["rotates"].sure:
            return f"open whether it rotates: {self['rotates'].why}"
        if not self["rotates"].value:
            return self["rotates"].why
        parts = []
        for what, words in _WORDS.items():
            finding = self[what]
            if what in self.findings and finding.value is not None:
                cause = f" ({finding.cause})" if finding.cause else ""
                parts.append(words.format(worded(finding.value)) + cause + ("" if finding.sure else " (open)"))
        return ", ".join(parts)

    def __str__(self) -> str:
        lines = [self.sentence, ""]
        lines += [f"differs  {each}" for each in self.differences]
        lines += [f"fails    {each}" for each in self.failures]
        lines += [f"note     {each}" for each in self.notes]
        lines += [str(each) for each in self.findings.values()]
        if self.rope is not None:
            lines.append(f"report.rope gives y to {self.residual:.2g} units of the last place (root mean square)")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON's own types."""
        return {
            "sentence": self.sentence,
            "ok": self.ok,
            "findings": {what: _plain(vars(each)) for what, each in self.findings.items()},
            "differences": self.differences,
            "failures": [vars(each) for each in self.failures],
            "notes": self.notes,
            "inv_freq": None if self.rope is None else self.rope.inv_freq.tolist(),
            "residual": None if np.isnan(self.residual) else self.residual,
        }


_WORDS = {
    "layout": "layout {}",
    "rotary_dim": "{} channels rotate",
    "sense": "sense {}",
    "phase": "phase {}",
    "offset": "offset {}",
    "method": "{}",
    "base": "base {}",
    "factor": "factor {}",
    "scale": "scale {}",
    "arithmetic": "arithmetic {}",
    "positions": "positions: {}",
}


def worded(value: Any) -> str:
    """A finding's value in few words."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, list) and len(value) > 12:
        return f"[{', '.join(map(worded, value[:12]))}, ...]"
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value
