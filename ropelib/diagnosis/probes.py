"""check_rope: call an implementation on inputs chosen so that its answers decide."""

import itertools
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .._arguments import WrongType, choice, even, whole
from ..rope import Rope
from .against import compare
from .arrays import diagnose
from .calling import NOT_FINITE, TOLERANCE, Code, Stop, marks, shown
from .contract import OVERWRITES, contract, matrices
from .named import BY_LENGTH, Beside
from .replay import SINGLE
from .report import REMEMBERS, REPEATABLE, UNSOUND, Array, Report, worded
from .unasked import every_row, unasked

FAR = 100  # a position beyond the rows that are asked at first
TAKES = ("x", "x positions", "q k", "q k positions")


def check_rope(
    fn: Callable[..., Any],
    *,
    takes: str = "x",
    axes: str = "bhsd",
    head_dim: int | None = None,
    heads: int = 2,
    kv_heads: int | None = None,
    position_axes: int = 1,
    dtype: npt.DTypeLike = np.float32,
    expected: Rope | Mapping[str, Any] | None = None,
    layer_type: str | None = None,
    layer: int | None = None,
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
    head_dim : int, optional
        Channels of a head of x; those of `expected` if not given, and 64 without one.
    heads : int
        Heads of x.
    kv_heads : int, optional
        Heads of k where they are fewer than those of q (grouped queries); `heads` if not given.
    position_axes : int
        Axes of the positions: 1 gives them as (S,), more as (position_axes, S).
    dtype : dtype
        Of the x that fn gets. What it rounds to inside is seen from what it returns.
    expected : Rope or mapping, optional
        What fn should be: a `Rope`, or a model's settings for `from_config`. Settings also say how many positions there
        are; a few are tried up to the last.
    layer_type : str, optional
        As `from_config`'s, where the layers of `expected` differ: "full_attention", "sliding_attention", ...
    layer : int, optional
        As `from_config`'s: index of a layer of `expected`, from 0.
    longest : int
        Rows of the longest x that is looked at row by row.
    seed : int
        Of the random inputs.

    Returns
    -------
    Report
        As `diagnose`'s, with `failures` (what no implementation should do, each on its smallest input), `notes`, and
        `differences` from `expected`, the first of which is `report.sentence`, unless the code is no fixed map of its rows:
        then that is said first, and nothing is certain. `report.ok` if nothing failed or differs.

    Raises
    ------
    TypeError, ValueError
        If an argument is unknown or fn is not callable; if the layers of `expected` differ and none is named, or one is
        named without settings. What fn itself raises becomes a failure.

    Notes
    -----
    What is asked: that fn repeats itself, is linear, keeps rows, heads and batches apart, and leaves its arguments alone;
    every one-hot vector; random numbers in every row up to `longest`, and at some positions up to the last that is expected;
    few rows, and one row alone at near and far positions, before and after the long text; positions in reverse, in no order,
    with gaps, from after 0 on, of two texts in one row, with padding on the left; lengths beside the one from which angles
    change; all of this of k as well. No finite number of calls shows everything: code that is wrong for one length alone, or
    at one position far out, may pass.

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
    head_dim = None if head_dim is None else even(head_dim, "head_dim")
    whole(heads, "heads"), whole(position_axes, "position_axes"), whole(longest, "longest", 64)
    kind, grouped = np.dtype(dtype), heads if kv_heads is None else whole(kv_heads, "kv_heads")
    if kind.name not in TOLERANCE:
        raise ValueError(f"dtype must be one of {', '.join(TOLERANCE)}, got {dtype!r}")
    if heads % grouped or (grouped != heads and not ("h" in axes and "q" in takes)):
        raise ValueError(f"kv_heads must divide heads, {heads}, and needs takes='q k' and an axis h, got {kv_heads}")
    if position_axes > 1 and "positions" not in takes:
        raise ValueError("position_axes needs positions: takes must be 'x positions' or 'q k positions'")
    rope, reach = (expected, None) if isinstance(expected, Rope) else (None, None)
    for name, given in (("layer_type", layer_type), ("layer", layer)):
        if given is not None and (rope is not None or expected is None):
            instead = "nothing" if rope is None else "a Rope, which is of one layer already"
            raise ValueError(f"{name} chooses among the layers of a model's settings: expected must be those, got {instead}")
    if expected is not None and not isinstance(expected, Rope):
        from ..config import from_config
        from ..config.cards import longest_context

        rope, reach = from_config(expected, layer_type=layer_type, layer=layer), longest_context(expected)
    if head_dim is None:
        head_dim = 64 if rope is None else rope.head_dim or rope.rotary_dim
    if rope is not None and head_dim not in (rope.head_dim, rope.rotary_dim):
        raise ValueError(f"head_dim must be that of expected, {rope.head_dim}, got {head_dim}")
    code = Code(fn, takes, axes, head_dim, (heads, grouped) if "h" in axes else (1, 1), position_axes, kind, seed)
    try:
        return _probed(code, rope, longest, reach)
    except Stop as stop:
        report = Report(failures=[*code.failures, stop.failure])
        report.put("rotates", None, False, "the probes could not be run")
        return report


def _probed(code: Code, expected: Rope | None, longest: int, reach: int | None) -> Report:
    x, y = contract(code)
    if any(each.what == REPEATABLE for each in code.failures):  # whatever else is asked, another call says otherwise
        report = diagnose(x, y)
    else:
        made = matrices(code)
        early = _far_token(code, x, longest)
        long = code.noise(1, code.heads, longest, code.width)
        report, length, far = _stretch(code, long)
        if abs(code.call(x) - y).max() > code.near and not any(each.what == REMEMBERS for each in code.failures):
            code.fail(REMEMBERS, f"the same x before and after {len(long[0, 0]):,} rows", "two results", "one result")
        elif early is not None and ((late := _far_token(code, x, longest)) is None or abs(late - early).max() > code.near):
            told = f"S = 1, position {min(FAR, longest - 1)}, before and after {len(long[0, 0]):,} rows"
            code.fail(REMEMBERS, told, "two results", "one result")
        if report["rotates"].value is None:
            last = made.shape[1] - 1
            code.notes.append(f"one-hot e0 at row {last} gives {shown(made[0, last, :, 0])}")
        last = length
        if expected is not None:
            report.differences, last = compare(Beside(code, expected, made, long, length), report, far, reach)
        elif not code.failures:
            unasked(code, long[:, :, :length])
        if not code.failures and abs(code.call(x) - y).max() > code.near:
            code.fail(REMEMBERS, "the same x, after all that was asked", "two results", "one result")
        if code.overwritten and not any(each.what == OVERWRITES for each in code.failures):
            code.fail(OVERWRITES, "a later x", f"{code.overwritten} changed", "arguments as they were")
        code.notes.append(_looked(code, length, last, reach))
    report.failures, report.notes = code.failures, code.notes
    unsound = [each.what for each in code.failures if each.what in UNSOUND]
    if unsound:
        report.doubt(f"the code {unsound[0]}")
    return report


def _far_token(code: Code, x: Array, longest: int) -> Array | None:
    """What a token alone far out gives; asked while few rows were, to which a table may have grown."""
    if not code.has_positions:
        return None
    at = np.full((code.position_axes, 1) if code.position_axes > 1 else 1, min(FAR, longest - 1))
    q, k = x[:, :, :1], x[:, : code.kv_heads, :1]
    try:
        return np.concatenate(code.both(q, k, at), axis=1) if code.pair else code.call(q, at)
    except Stop:
        return None


def _looked(code: Code, length: int, last: int, reach: int | None) -> str:
    """How far the probes went, and how far they should have gone."""
    told = f"looked at {'random positions' if code.position_axes > 1 else 'every position'} up to {length - 1:,}"
    if last > length:
        told += f", and at some up to {last - 1:,}"
    if reach is None:
        return f"{told}; longest= looks further"
    if last < reach:
        return f"{told}; {reach:,} are expected: longest= looks further"
    return f"{told}, the last that is expected" if last == reach else f"{told}; {reach:,} are expected"


def _stretch(code: Code, x: Array) -> tuple[Report, int, tuple[Array, Array, Array]]:
    """Far rows: slow pairs, offsets, lengths that change the angles, arithmetic.

    What x (1, H, longest, D) tells, within how many rows, and what of it was read: x, y, positions.
    """
    if code.position_axes > 1:
        return _random_positions(code, x[:, :, :256], x.shape[2])
    longest, outputs = x.shape[2], dict[int, Array]()
    # 2,000 and not 2,048, a length to which models were trained: a dynamic base may keep the longer table just there
    for n in sorted({min(63, longest), min(512, longest), min(2000, longest), longest}):
        try:
            outputs[n] = code.call(x[:, :, :n])
        except Stop as stop:
            if not outputs:
                raise
            code.notes.append(f"{n} rows are too many: {stop.failure.what}: {stop.failure.got[:80]}")
            if stop.failure.what == NOT_FINITE:
                code.failures.append(stop.failure)
            break
    n = max(_lengths(code, x, outputs))
    if n < max(outputs):
        whole, some = max(outputs), min(512, max(outputs))
        code.notes.append(f"of {whole} rows: {diagnose(x[:, :, :some], outputs[whole][:, :, :some]).sentence}")
    beyond = [r for r in marks(14) if r < n]
    rows = np.unique(np.array([*range(min(n, 320)), *beyond, n - 1]))
    far = x[:, :, rows], outputs[n][:, :, rows], rows.astype(float)
    report = diagnose(*far)
    if isinstance(report["positions"].value, list) and n > 1:  # rows that are elsewhere: read them in order
        rows = np.arange(min(n, 512))
        far = x[:, :, rows], outputs[n][:, :, rows], rows.astype(float)
        report = diagnose(*far[:2])
    if report.rope is not None and report["base"].sure and report.positions is not None:
        away = abs(far[1] - report.rope.rotate(far[0], report.positions)).max((0, 1, 3)) / np.sqrt(2)
        fine = away.max() < 64 * float(np.finfo(code.returned).eps)
        value = "the format's" if fine else f"off by {away.max():.1g} at row {rows[np.argmax(away)]}"
        known = fine or report["offset"].sure  # a small offset looks the same
        if fine and report["arithmetic"].value == SINGLE:
            value, known = f"that of {SINGLE}", report["arithmetic"].sure
        report.put("precision", value, known, "" if fine or not known else "angles are built in less than float64")
    every_row(report, code, x[:, :, :n], outputs[n][:, :, :n], np.arange(n), rows)
    if n < max(outputs) and n > 2:
        _by_length(report, code, x[:, :, : n - 1], rows[:-1])
    return report, n, far


def _random_positions(code: Code, x: Array, longest: int) -> tuple[Report, int, tuple[Array, Array, Array]]:
    """As `_stretch`, of code that takes positions along several axes: near ones tell, far ones are compared."""
    places = np.stack([code.random.permutation(256) for _ in range(code.position_axes)]).astype(float)
    y = code.call(x, places)
    report, length = diagnose(x, y, places), 256
    further = np.array(code.random.integers(256, longest, places.shape), float) if longest > 256 else places
    further[:, 0] = longest - 1
    try:
        beyond = code.call(x, further)
        every_row(report, code, x, beyond, further, places)
        y = np.concatenate([y, beyond], axis=2)
        x, places, length = np.concatenate([x, x], axis=2), np.concatenate([places, further], axis=1), longest
    except Stop as stop:
        code.notes.append(f"positions up to {longest - 1:,} are too far: {stop.failure.what}: {stop.failure.got[:80]}")
    return report, length, (x, y, places)


def _by_length(report: Report, code: Code, x: Array, some: Array) -> None:
    """What one row less, read at some of them, answers otherwise is known of no length but the one that was read."""
    again, rows = diagnose(x[:, :, some], code.call(x)[:, :, some], some), x.shape[2]
    for what in ("sense", "phase", "offset", "scale", "base"):
        a, b = report[what], again[what]
        if a.sure and b.sure and a.value != b.value:
            report.leave((what,), f"{worded(b.value)} in {rows} rows: it changes with the length", "other lengths")


def _lengths(code: Code, x: Array, outputs: dict[int, Array]) -> list[int]:
    """Lengths within which the angles of a row do not depend on how many follow; where they change, by bisection."""
    sizes, loose = sorted(outputs), 20 * code.near
    for i, (short, long) in enumerate(itertools.pairwise(sizes)):

        def differs(n: int, short: int = short) -> Array:
            return np.asarray(abs(code.call(x[:, :, :n])[:, :, :short] - outputs[short]).max((0, 1, 3)) > loose)

        def changed(n: int, differs: Callable[[int], Array] = differs) -> bool:
            return bool(differs(n).any())

        if abs(outputs[short] - outputs[long][:, :, :short]).max() > loose:
            if (again := differs(short)).any():
                told = f"row {int(np.argmax(again))} is not as it was"
                code.fail(REMEMBERS, f"{short} rows, then {max(sizes)}, then the same {short}", told, "one result")
                return sizes[: i + 1]
            ends = [short, *(r for r in marks(31) if short < r < long), long]  # where programs change their ways, at first
            at = bisect_left(ends, True, 1, len(ends) - 1, key=changed)
            between = range(ends[at - 1] + 1, ends[at])
            high = between.start + bisect_left(between, True, key=changed)
            rows = differs(high)
            stays = high < long and differs(high + 1).any()
            where = f"from {high} rows on" if stays else f"of {high} rows"
            told = f"{where}, row {int(np.argmax(rows))} is not as in {short} rows"
            many = rows.mean() > 0.5
            code.switch = high if many else None
            code.notes.append(f"{BY_LENGTH}: {told}" + (" (dynamic NTK, or LongRoPE's switch)" if many else ""))
            return sizes[: i + 1]
    return sizes
