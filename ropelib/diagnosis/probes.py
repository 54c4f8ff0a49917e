"""check_rope: call an implementation on inputs chosen so that its answers decide."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._arguments import WrongType, choice, even, whole
from ..rope import Rope
from ..rotation import rotate, to_complex
from .arrays import as_numpy, diagnose
from .explanations import ARITHMETIC
from .layouts import SOUND
from .report import Array, Failure, Report
from .turning import wrap

TAKES = ("x", "x positions", "q k", "q k positions")
TOLERANCE = {"float16": 2e-2, "float32": 2e-4, "float64": 1e-9}
SHORT = 8  # rows of the probes that read matrices


def check_rope(
    fn: Callable[..., Any],
    *,
    takes: str = "x",
    axes: str = "bhsd",
    head_dim: int = 64,
    heads: int = 2,
    position_axes: int = 1,
    dtype: npt.DTypeLike = np.float32,
    expected: Rope | Mapping[str, Any] | None = None,
    longest: int = 8192,
    seed: int = 0,
) -> Report:
    """Probe an implementation of rotary embedding, and name what it does.

    Parameters
    ----------
    fn : callable
        Takes NumPy arrays, and returns what it makes of x, or of q and k. Wrap what needs other arrays:
        ``lambda x: rotary(torch.from_numpy(x))``.
    takes : {"x", "x positions", "q k", "q k positions"}
        What fn is called with. Without positions, row s of x is taken to be at position s.
    axes : str
        The order of x's axes: "b" batch, "h" heads, "s" sequence, "d" channels. "b" and "h" may be missing.
    head_dim, heads : int
        Sizes of the x that fn can take.
    position_axes : int
        Axes of the positions: 1 gives them as (S,), more as (position_axes, S).
    dtype : dtype
        Of the x that fn gets. What it rounds to inside is seen from what it returns.
    expected : Rope or mapping, optional
        What fn should be: a `Rope`, or a model's settings for `from_config`.
    longest : int
        Rows of the longest x.
    seed : int
        Of the random inputs.

    Returns
    -------
    Report
        As `diagnose`'s, with `failures` (what no implementation should do, each on its smallest input), `notes`, and
        `differences` from `expected`, the first of which is `report.sentence`. `report.ok` if neither failed.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown or fn is not callable. What fn itself raises becomes a failure.

    References
    ----------
    Su et al., "RoFormer", 2021: a rotation keeps lengths, and scores depend on the distance alone.

    Examples
    --------
    >>> rope = Rope(inverse_frequencies(64))
    >>> report = check_rope(lambda x: rope.rotate(x, np.arange(1, x.shape[-2] + 1)), expected=rope)
    >>> print(report.sentence)
    offset: expected 0, got 1; one-hot e0, S = 1, row 0 -> +0.5403 e0 +0.8415 e32; expected +1.0000 e0
    """
    if not callable(fn):
        raise WrongType(f"fn must be callable, got {fn!r}: to judge arrays, use diagnose(x, y)")
    choice(takes, "takes", TAKES)
    if (
        not isinstance(axes, str)
        or sorted(axes) not in [sorted(each) for each in ("bhsd", "bsd", "hsd", "sd")]
        or axes[-1] != "d"
    ):
        raise ValueError(f"axes must be an order of b, h, s, d that ends in d, such as 'bshd', got {axes!r}")
    even(head_dim, "head_dim"), whole(heads, "heads"), whole(position_axes, "position_axes"), whole(longest, "longest", 64)
    kind = np.dtype(dtype)
    if kind.name not in TOLERANCE:
        raise ValueError(f"dtype must be one of {', '.join(TOLERANCE)}, got {dtype!r}")
    if position_axes > 1 and "positions" not in takes:
        raise ValueError("position_axes needs positions: takes must be 'x positions' or 'q k positions'")
    if expected is not None and not isinstance(expected, Rope):
        from ..config import from_config

        expected = from_config(expected)
    if expected is not None and head_dim not in (expected.head_dim, expected.rotary_dim):
        raise ValueError(f"head_dim must be that of expected, {expected.head_dim}, got {head_dim}")
    probe = _Probe(fn, takes, axes, head_dim, heads if "h" in axes else 1, position_axes, kind, seed)
    try:
        return probe.report(expected, longest)
    except _Stop as stop:
        report = Report(failures=[*probe.failures, stop.failure])
        report.put("rotates", None, False, "the probes could not be run")
        return report


class _Stop(Exception):
    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class _Probe:
    def __init__(
        self,
        fn: Callable[..., Any],
        takes: str,
        axes: str,
        head_dim: int,
        heads: int,
        position_axes: int,
        kind: np.dtype[Any],
        seed: int,
    ) -> None:
        self.fn, self.takes, self.axes, self.width, self.heads = fn, takes.split(), axes, head_dim, heads
        self.position_axes, self.kind, self.random = position_axes, kind, np.random.default_rng(seed)
        self.failures: list[Failure] = []
        self.notes: list[str] = []
        self.near = TOLERANCE[kind.name]
        self.has_positions = "positions" in self.takes

    def call(self, x: Array, positions: Array | None = None, which: int = 0) -> Array:
        """fn on x (B, H, S, D), as float64 in the same order."""
        x = x.astype(self.kind)
        if "b" not in self.axes:
            return np.stack([self._one(each[None], positions, which) for each in x])[:, 0]
        return self._one(x, positions, which)

    def _one(self, x: Array, positions: Array | None, which: int) -> Array:
        kept = "".join(letter for letter in "bhsd" if letter in self.axes)
        narrow = x.reshape([n for n, letter in zip(x.shape, "bhsd", strict=True) if letter in kept])
        given = np.ascontiguousarray(np.einsum(f"{kept}->{self.axes}", narrow)).copy()
        arguments = [given] if "x" in self.takes else [given, given.copy()]
        if self.has_positions:
            places = np.arange(x.shape[2]) if positions is None else positions.astype(np.int64)
            arguments.append(
                np.broadcast_to(places, (self.position_axes, x.shape[2])).copy() if self.position_axes > 1 else places
            )
        shape = f"x of shape {given.shape} ({', '.join(self.axes)}), {given.dtype}"
        try:
            out = self.fn(*arguments)
        except Exception as error:
            advice = (
                "an array back; takes= names what fn takes ('x', 'x positions', 'q k', 'q k positions'), axes= and head_dim= its "
                "shape; or wrap it: lambda x: fn(torch.from_numpy(x))"
            )
            raise _Stop(Failure(f"raises {type(error).__name__}", shape, str(error)[:200] or "no message", advice)) from error
        if len(arguments) - self.has_positions == 2:
            if not isinstance(out, tuple | list) or len(out) != 2:
                raise _Stop(Failure("returns no pair", shape, f"{type(out).__name__}", "q and k, both turned"))
            out = out[which]
        try:
            made = as_numpy(out, "what fn returns")
        except (TypeError, ValueError) as error:
            raise _Stop(Failure("returns no array of numbers", shape, str(error)[:200], "an array like x")) from error
        if made.shape != given.shape:
            raise _Stop(Failure("changes the shape", shape, str(made.shape), str(given.shape)))
        if not np.isfinite(made).all():
            raise _Stop(Failure("returns NaN or infinity", shape, f"{(~np.isfinite(made)).sum()} such numbers", "finite numbers"))
        self.overwritten = not np.array_equal(given, np.einsum(f"{kept}->{self.axes}", narrow))
        self.returned = made.dtype
        back: Array = np.einsum(f"{self.axes}->{kept}", made.astype(np.float64))
        return back.reshape(x.shape)

    def noise(self, *shape: int) -> Array:
        return self.random.standard_normal(shape).astype(self.kind).astype(np.float64)

    def fail(self, what: str, input: str, got: str, expected: str) -> None:
        self.failures.append(Failure(what, input, got, expected))

    # --- the probes

    def report(self, expected: Rope | None, longest: int) -> Report:
        self._contract()
        matrices = self._matrices()
        report = self._stretch(longest, expected)
        report.failures, report.notes = self.failures, self.notes
        if report["rotates"].value is None:
            last = matrices.shape[1] - 1
            self.notes.append(f"one-hot e0 at row {last} gives {_shown(matrices[0, last, :, 0])}")
        if expected is not None:
            self._compare(report, matrices, expected)
        return report

    def _contract(self) -> None:
        x = self.noise(2, self.heads, SHORT - 1, self.width)
        y = self.call(x)
        if self.overwritten:
            self.fail("writes over its input", "any x", "x changed", "x as it was")
        if self.returned != self.kind:
            self.notes.append(f"returns {self.returned} for {self.kind}")
        if not np.array_equal(self.call(x), y):
            self.fail("is not repeatable", "the same x twice", "two results", "one")
        flipped = x[::-1] + x
        if (
            abs(self.call(2 * x) - 2 * y).max() > self.near * 4
            or abs(self.call(flipped) - self.call(x[::-1]) - y).max() > self.near * 8
        ):
            self.fail("is not linear", "x and 2 x", "y(2 x) is not 2 y(x)", "twice as much")
        touched = x.copy()
        touched[0, 0, 3] += 1
        changed = abs(self.call(touched) - y).max(-1) > self.near
        changed[0, 0, 3] = False
        if changed.any():
            b, h, s = (int(n) for n in np.argwhere(changed)[0])
            self.fail(
                "mixes rows",
                "x changed at batch 0, head 0, row 3",
                f"y changes at batch {b}, head {h}, row {s}, too",
                "one row changes",
            )
        alike = np.repeat(x[:1], 2, axis=0)
        apart = abs(np.diff(self.call(alike), axis=0)).max()
        if apart > self.near and "b" in self.axes:
            self.fail("treats batches differently", "the same x twice in a batch", f"differ by {apart:.3g}", "the same y")
        if "q" in self.takes:
            k = self.call(x, which=1)
            if abs(k - y).max() > self.near:
                still = ["k" if abs(k - x).max() < self.near else "", "q" if abs(y - x).max() < self.near else ""]
                got = f"{''.join(still)} does not turn" if any(still) else "both turn, not alike"
                self.fail("treats q and k differently", "q = k", got, "alike")
        if self.has_positions:
            self._honours_positions(x)

    def _honours_positions(self, x: Array) -> None:
        rows = np.repeat(x[:, :, :1], x.shape[2], axis=2)
        same = self.call(rows, np.full(rows.shape[2], 5))
        if abs(same - same[:, :, :1]).max() > self.near:
            self.fail("ignores positions", "equal rows, all at position 5", "rows turn differently", "equal rows")
        there, back = np.arange(x.shape[2]), np.arange(x.shape[2])[::-1]
        if abs(self.call(x, there)[:, :, ::-1] - self.call(x[:, :, ::-1], back)).max() > self.near:
            self.fail("ties positions to rows", "x and positions, both in reverse", "other values", "the same values in reverse")

    def _matrices(self) -> Array:
        """y of every one-hot vector: (H, rows, D out, D in)."""
        basis = np.broadcast_to(np.eye(self.width)[:, None, None], (self.width, self.heads, SHORT, self.width))
        matrices = self.call(basis).transpose(1, 2, 3, 0)
        tight = 4 * self.near
        if abs(matrices - matrices[:1]).max() > tight:
            h, s, i, j = (int(n) for n in np.argwhere(abs(matrices - matrices[:1]) > tight)[0])
            by_head = abs(matrices - matrices[:, :1]).max() < tight
            what = "turns by the head's index, not the row's" if by_head else "turns heads differently"
            self.fail(
                what,
                f"one-hot e{j}, row {s}, head {h}",
                _shown(matrices[h, s, :, j]),
                f"as in head 0, {_shown(matrices[0, s, :, j])}",
            )
        m = matrices[0]
        gram = np.einsum("sij,sik->sjk", m, m)
        lengths = np.diagonal(gram, axis1=1, axis2=2)
        crossed = abs(gram - lengths[:, :, None] * np.eye(self.width)) > tight
        uneven = abs(lengths - lengths.mean(0)) > tight
        if crossed.any():
            s, a, b = (int(n) for n in np.argwhere(crossed)[0])
            self.fail(
                "is no rotation", f"one-hot e{a} and e{b}, row {s}", f"come out with inner product {gram[s, a, b]:+.4f}", "0"
            )
        elif uneven.any():
            s, j = (int(n) for n in np.argwhere(uneven)[0])
            self.fail(
                "changes lengths by position",
                f"one-hot e{j}, row {s}",
                f"length {lengths[s, j] ** 0.5:.4f}",
                f"{lengths[0, j] ** 0.5:.4f}, as in row 0",
            )
        scores = np.einsum("mji,njk->mnik", m, m)
        drift = abs(scores[1:, 1:] - scores[:-1, :-1])
        if drift.max() > 2 * tight:
            r, c, i, k = (int(n) for n in np.argwhere(drift > 2 * tight)[0])
            told = f"q = e{i}, k = e{k} at rows {r} and {c}, then {r + 1} and {c + 1}"
            self.fail(
                "scores depend on more than the distance",
                told,
                f"{scores[r, c, i, k]:+.4f}, then {scores[r + 1, c + 1, i, k]:+.4f}",
                "the same score",
            )
        return matrices

    def _stretch(self, longest: int, expected: Rope | None) -> Report:
        """Far rows: slow pairs, offsets, lengths that change the angles, arithmetic."""
        self.x = self.noise(1, self.heads, longest, self.width)
        if self.position_axes > 1:
            places = np.stack([self.random.permutation(256) for _ in range(self.position_axes)]).astype(float)
            x = self.x[:, :, :256]
            self.far, self.length = (x, self.call(x, places), places), 256
            return diagnose(self.far[0], self.far[1], places)
        outputs: dict[int, Array] = {}
        for n in sorted({min(64, longest), min(512, longest), longest}):
            try:
                outputs[n] = self.call(self.x[:, :, :n])
            except _Stop as stop:
                if not outputs:
                    raise
                self.notes.append(f"{n} rows are too many: {stop.failure.what}: {stop.failure.got[:80]}")
                break
        usable = self._lengths(outputs)
        n = max(usable)
        if n < max(outputs):
            whole, some = max(outputs), min(512, max(outputs))
            self.notes.append(f"of {whole} rows: {diagnose(self.x[:, :, :some], outputs[whole][:, :, :some]).sentence}")
        beyond = [r for k in range(8, 14) for r in (2**k, 2**k + 1, 3 * 2 ** (k - 1)) if r < n]
        rows = np.unique(np.array([*range(min(n, 320)), *beyond, n - 1]))
        self.far, self.length = (self.x[:, :, rows], outputs[n][:, :, rows], rows.astype(float)), n
        report = diagnose(*self.far)
        if isinstance(report["positions"].value, list) and n > 1:  # rows that are elsewhere: read them in order
            rows = np.arange(min(n, 512))
            self.far = self.x[:, :, rows], outputs[n][:, :, rows], rows.astype(float)
            report = diagnose(*self.far[:2])
        if report.rope is not None and report["base"].sure and report.positions is not None:
            away = abs(self.far[1] - report.rope.rotate(self.far[0], report.positions)).max((0, 1, 3)) / np.sqrt(2)
            unit = float(np.finfo(self.returned).eps)
            value = "the format's" if away.max() < 64 * unit else f"off by {away.max():.1g} at row {rows[np.argmax(away)]}"
            why = "" if away.max() < 64 * unit else "angles are built in less than float64"
            report.put("precision", value, True, why)
        return report

    def _lengths(self, outputs: dict[int, Array]) -> list[int]:
        """Lengths within which the angles of a row do not depend on how many follow; where they change, by bisection."""
        sizes = sorted(outputs)
        loose = 20 * self.near
        for i, (short, long) in enumerate(itertools.pairwise(sizes)):

            def differs(n: int, short: int = short) -> Array:
                return np.asarray(abs(self.call(self.x[:, :, :n])[:, :, :short] - outputs[short]).max((0, 1, 3)) > loose)

            if abs(outputs[short] - outputs[long][:, :, :short]).max() > loose:
                low, high = short, long
                while high - low > 1:
                    middle = (low + high) // 2
                    low, high = (low, middle) if differs(middle).any() else (middle, high)
                row = int(np.argmax(differs(high)))
                told = f"from {high} rows on, row {row} is not as in {short} rows"
                self.notes.append(f"angles depend on the length: {told} (dynamic NTK, or LongRoPE's switch)")
                return sizes[: i + 1]
        return sizes

    # --- against what was expected

    def _compare(self, report: Report, matrices: Array, rope: Rope) -> None:
        told = []
        pairs: list[tuple[str, Any, Any]] = [
            ("layout", rope.layout, report["layout"].value),
            ("rotary_dim", rope.rotary_dim, report["rotary_dim"].value),
            ("rotary_start", rope.rotary_start if self.width == rope.head_dim else 0, report["rotary_start"].value),
            ("sense", rope.direction, report["sense"].value),
            ("phase", "0", report["phase"].value),
            ("offset", 0, report["offset"].value),
            ("scale", float(rope.attention_factor), report["scale"].value),
        ]
        basis = np.broadcast_to(np.eye(self.width)[:, None, None], (self.width, self.heads, SHORT, self.width))
        want = rope.rotate(basis).transpose(1, 2, 3, 0)
        where = np.argwhere(abs(matrices - want) > 8 * self.near)
        smallest, first = "", 0
        if len(where):
            h, first, _, j = (int(n) for n in where[np.lexsort(where.T[[2, 3, 0, 1]])[0]])
            head = f", head {h}" if h else ""
            got = f"{_shown(matrices[h, first, :, j])}; expected {_shown(want[h, first, :, j])}"
            smallest = f"; one-hot e{j}, S = {first + 1}, row {first}{head} -> {got}"
        else:
            smallest, first = self._far_difference(rope)
        if not smallest:
            return
        apart = [each for each in self.failures if each.what == "treats q and k differently"]
        if apart:
            told.append(("q and k", "turned alike", apart[0].got))
        elif rounded := self._rounded(rope, first):
            told.append(("arithmetic", "float32 or better", rounded))
        elif elsewhere := self._elsewhere(rope, first):
            told.append(("positions", "row by row", elsewhere))
        elif report["rotates"].value is False:
            told.append(("rotates", "yes", "no"))
        elif report["rotates"].value is None or report["layout"].value not in SOUND:
            told.append(("layout", rope.layout, report["layout"].value or "no pairing of channels that is known"))
        else:
            one = rope.rotary_dim == 2  # a single pair has one layout
            told += [(w, a, b) for w, a, b in pairs if b is not None and not _equal(a, b) and not (one and w == "layout")]
            if not told or [what for what, _, _ in told] == ["scale"]:
                told = self._speeds(report, rope) + told
            if "positions" in report.findings:
                told.append(("positions", "row by row", report["positions"].why or report["positions"].value))
            if isinstance(report["axes"].value, str):
                told.append(("axes", "the sequence's", report["axes"].value))
        by_length = [note for note in self.notes if note.startswith("angles depend on the length")]
        if not told and by_length:
            told = [("length", "its own dependence" if rope.length_dependent else "no dependence", by_length[0])]
        if not told and rope.length_dependent:
            told = [("length", "angles that depend on it", "the same angles at every length")]
        words = [f"{what}: expected {_text(a)}, got {_text(b)}" for what, a, b in told] or ["values differ"]
        report.differences = [words[0] + smallest, *words[1:]]

    def _speeds(self, report: Report, rope: Rope) -> list[tuple[str, Any, Any]]:
        if rope.axes is not None and isinstance(report["axes"].value, list) and report["axes"].value != rope.axes.tolist():
            return [("axes", _runs(rope.axes.tolist()), _runs(report["axes"].value))]
        theta, want = report.angles.get("theta"), rope.inv_freq
        if theta is None or len(theta) != len(want):
            return []
        bad = np.nonzero(abs(theta - want) > 1e-4 * want + 8 * report.angles["error"])[0]
        if not len(bad):
            return []
        k = int(bad[0])
        times = float(np.median(theta[-4:] / want[-4:]))
        theta, times = theta * np.sign(times), abs(times)  # the fastest pair may have gone round the other way
        known = report["method"].value not in ("list", None)
        if not known and (abs(wrap(theta - times * want)) < 1e-4 * times * want + 8 * report.angles["error"]).all():
            return [("frequencies", f"{want[0]:.6g} of pair 0", f"{times:.6g} times as much in every pair")]
        how = [f"{what} {_text(report[what].value)}" for what in ("method", "base", "factor") if report[what].value is not None]
        return [("frequencies", f"{want[k]:.6g} of pair {k}", f"{theta[k]:.6g} ({', '.join(how)})")]

    def _far_difference(self, rope: Rope) -> tuple[str, int]:
        """The first far row that is off by more than float32 angles are, in words and as a number."""
        if self.position_axes > 1:
            x, y, places = self.far
            wrong = abs(y - rope.rotate(x, places)).max((0, 1, 3)) > 20 * self.near
            first = int(np.argmax(wrong))
            return (f"; first at row {first} of random positions" if wrong.any() else ""), first
        for n in sorted({SHORT, 64, self.length}):
            x = self.x[:, :, :n]
            wrong = abs(self.call(x) - rope.rotate(x)).max((0, 1, 3)) > self._allowed(np.arange(n))
            if wrong.any():
                first = int(np.argmax(wrong))
                return f"; first at row {first} of {n}", first
        if self.notes and not rope.length_dependent and any("depend on the length" in note for note in self.notes):
            return "; only in longer sequences", 0
        return "", 0

    def _allowed(self, positions: Array) -> Array:
        """How far angles in float32 may put a row off."""
        return np.asarray(20 * self.near + 2.0**-20 * positions * (self.kind != np.float64))

    def _rounded(self, rope: Rope, first: int) -> str:
        """The coarse formats in which the expected angles give what was measured; "" if none does."""
        if self.position_axes > 1 or rope.length_dependent or not rope.rotary_dim:
            return ""
        far = 2 ** np.arange(8, 13) + 1
        rows = np.unique(np.minimum(np.r_[0:320, first : first + 64, far, self.length - 1], self.length - 1))
        x, y, positions = self.x[:, :, rows], self.call(self.x[:, :, : self.length])[:, :, rows], rows.astype(float)
        if (abs(rope.rotate(x, positions) - y).max((0, 1, 3)) < self._allowed(positions)).all():
            return ""
        start = rope.rotary_start if self.width == rope.head_dim else 0
        part = slice(start, start + rope.rotary_dim)
        away = {}
        for mode, tables in ARITHMETIC.items():
            if mode.startswith(("bfloat16", "float16")):
                with np.errstate(invalid="ignore"):  # float16 ends at 65504
                    cos, sin = (rope.attention_factor * each for each in tables(positions[:, None], rope.inv_freq[None]))
                made = rotate(x[..., part], cos, rope.direction * sin, layout=rope.layout)
                away[mode] = float((abs(made - y[..., part]).max((0, 1, 3)) / self._allowed(positions)).max())
        least = min(away.values())
        return " or ".join(mode for mode, far in away.items() if far < min(1, 3 * least + 1e-3))

    def _elsewhere(self, rope: Rope, first: int) -> str:
        """Rows that are right up to one, and then turned as the expected rotation turns other positions; "" if they are not."""
        n = min(self.length, first + 64)
        if first < 2 or self.position_axes > 1 or rope.length_dependent or not rope.rotary_dim:
            return ""
        x = self.x[0, 0, :n]
        y = self.call(self.x[:, :, :n])[0, 0]
        start = rope.rotary_start if self.width == rope.head_dim else 0
        part = slice(start, start + rope.rotary_dim)
        before, after = (to_complex(each[first:, part], layout=rope.layout) for each in (x, y))
        places = np.arange(2 * self.length)
        met = ((after.conj() * before) @ np.exp(1j * rope.direction * np.outer(rope.inv_freq, places))).real
        found = places[np.argmax(met, axis=1)]
        if found[0] == first or (abs(rope.rotate(x[first:], found) - y[first:]).max(-1) > self._allowed(found)).any():
            return ""
        steps = set(np.diff(found).tolist())
        if steps <= {0}:
            return f"stops at {found[0]}" if found[0] == first - 1 else f"row {first} and all after it at {found[0]}"
        if steps == {1}:
            again = "starts again: " if found[0] < 2 else ""
            return f"{again}row {first} at {found[0]}, and counts on from there"
        return f"row {first} at {found[0]}, row {first + 1} at {found[1]}"


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, float):
        return isinstance(b, float | int) and abs(a - b) < 1e-3 * max(a, 1)
    return bool(a == b)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _runs(axes: list[int]) -> str:
    """The axis of every pair, in few words."""
    runs = [(axis, len(list(pairs))) for axis, pairs in itertools.groupby(axes)]
    if len(runs) > 6:
        return f"{', '.join(map(str, axes[:6]))}, ..."
    return ", ".join(f"{many} x {axis}" for axis, many in runs)


def _shown(vector: Array) -> str:
    """The largest entries of a vector in terms of one-hot vectors."""
    most = sorted(int(i) for i in np.argsort(-abs(vector))[:4] if abs(vector[i]) > 1e-4)
    return " ".join(f"{vector[i]:+.4f} e{i}" for i in most) or "0"
