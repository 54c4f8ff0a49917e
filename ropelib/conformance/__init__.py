"""Test vectors for anybody's RoPE: what it must give, and what it does where it does not.

`vectors.json` beside this file is language-neutral; `vectors.schema.json` says what each field means.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from .._arguments import WrongType
from ..diagnosis.arrays import as_numpy
from ..rope import Rope

__all__ = ["Case", "assert_matches", "vectors"]
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Case:
    """One test vector.

    Attributes
    ----------
    id, kind, method, source, note : str
        `kind` is "rotation", "query_factor", "map" or "refused".
    config : dict or None
        A model's published settings, where the case has some.
    read : dict
        What the config is read for: `layer_type`, `layer`, `part`, `seq_len`.
    rope : Rope or None
        The rotation in plain parameters.
    positions : ndarray, shape (S,) or (A, S)
    input, output : ndarray, shape (S, D), float64
        For "query_factor", output has shape (S,); for "map", input is the queries, and output, shape (Q, K), their inner
        products with the keys at `distances`.
    map : dict
        For "map", the settings: `queries`, `keys`, and those of the method.
    keys : ndarray, shape (K, D), float64
    distances : ndarray, shape (Q, K), float64
        How far apart they count as being; NaN, here and in output, where the key is later.
    bound : dict of str to float
        The largest absolute error, by dtype.
    """

    id: str
    kind: str
    method: str
    source: str
    note: str = ""
    config: dict[str, Any] | None = None
    read: dict[str, Any] = field(default_factory=dict)
    rope: Rope | None = None
    positions: Array = field(default_factory=lambda: np.zeros(0))
    input: Array = field(default_factory=lambda: np.zeros((0, 0)))
    output: Array = field(default_factory=lambda: np.zeros((0, 0)))
    bound: dict[str, float] = field(default_factory=dict)
    map: dict[str, Any] = field(default_factory=dict)
    keys: Array = field(default_factory=lambda: np.zeros((0, 0)))
    distances: Array = field(default_factory=lambda: np.zeros((0, 0)))


def vectors(kind: str | None = None) -> list[Case]:
    """All test vectors, or those of one kind.

    Parameters
    ----------
    kind : {"rotation", "query_factor", "map", "refused"}, optional

    Returns
    -------
    list of Case

    Raises
    ------
    ValueError
        If `kind` is unknown.

    References
    ----------
    `tools/vectors.py` computes them in 50-digit arithmetic, without ropelib.

    Examples
    --------
    >>> from ropelib.conformance import vectors
    >>> case = next(case for case in vectors("rotation") if case.id == "R01 1 2 3 4, half")
    >>> case.output.round(4)
    array([[-1.9841,  1.9599,  2.4624,  4.0198]])
    """
    text = resources.files(__package__).joinpath("vectors.json").read_text("utf-8")
    cases = [_case(raw) for raw in json.loads(text)["cases"]]
    kinds = sorted({case.kind for case in cases})
    if kind is not None and kind not in kinds:
        raise ValueError(f"kind must be one of {', '.join(map(repr, kinds))}, got {kind!r}")
    return [case for case in cases if kind in (None, case.kind)]


def _case(raw: dict[str, Any]) -> Case:
    values = dict(raw)
    if "rope" in values:
        plain = dict(values["rope"])
        axes = plain.pop("axes")
        values["rope"] = Rope(plain.pop("inv_freq"), axes=None if axes is None else np.array(axes), **plain)
    for name in ("positions", "input", "output", "keys", "distances"):
        if name in values:
            values[name] = np.array(values[name], dtype=np.float64)
    return Case(**values)


def assert_matches(
    fn: Callable[[Case, Array], Any],
    cases: Iterable[Case] | None = None,
    *,
    dtype: npt.DTypeLike = np.float32,
) -> None:
    """Assert that an implementation gives the test vectors.

    Parameters
    ----------
    fn : callable
        ``fn(case, x)`` turns x, shape (S, D), as `case.rope` (or `case.config`, read for `case.read`) says, at
        `case.positions`; torch tensors and the like may come back.
    cases : iterable of Case, optional
        Of kind "rotation"; all of them if not given. Leave out what an implementation does not claim to do.
    dtype : dtype
        Of x; its bound is that of the case.

    Returns
    -------
    None

    Raises
    ------
    AssertionError
        If a case is missed. The message names every such case, and ends in what `ropelib.check_rope` finds in the first.
    TypeError, ValueError
        If an argument is of the wrong kind.

    References
    ----------
    As `vectors`.

    Examples
    --------
    >>> from ropelib.conformance import assert_matches, vectors
    >>> plain = [case for case in vectors("rotation") if case.method == "default"]
    >>> assert_matches(lambda case, x: case.rope.rotate(x, case.positions), plain)
    """
    if not callable(fn):
        raise WrongType(f"fn must be callable, got {fn!r}")
    chosen = vectors("rotation") if cases is None else list(cases)
    if not chosen or any(not isinstance(case, Case) or case.kind != "rotation" for case in chosen):
        raise ValueError("cases must be test vectors of kind 'rotation', and at least one")
    kind = np.dtype(dtype)
    if kind.name not in chosen[0].bound:
        raise ValueError(f"dtype must be one of {', '.join(chosen[0].bound)}, got {dtype!r}")
    missed = [(case, told) for case in chosen if (told := _missed(fn, case, kind))]
    if missed:
        lines = [f"{len(missed)} of {len(chosen)} cases are not as they should be"]
        lines += [f"  {case.id}: {told}" for case, told in missed[:12]]
        lines += [f"  and {len(missed) - 12} more"] if len(missed) > 12 else []
        raise AssertionError("\n".join([*lines, f"{missed[0][0].id}: {_doctor(fn, missed[0][0])}"]))


def _missed(fn: Callable[[Case, Array], Any], case: Case, kind: np.dtype[Any]) -> str:
    try:
        got = as_numpy(fn(case, case.input.astype(kind)), "what fn returns")
    except Exception as error:
        return f"raises {type(error).__name__}: {str(error)[:120]}"
    if got.shape != case.output.shape:
        return f"has shape {got.shape} instead of {case.output.shape}"
    away = abs(got.astype(np.float64) - case.output)
    if (away <= case.bound[kind.name]).all():
        return ""
    s, j = np.unravel_index(np.argmax(np.nan_to_num(away, nan=np.inf)), away.shape)
    told = f"row {s}, channel {j}: {got[s, j]:.6g} instead of {case.output[s, j]:.6g}"
    return f"{told} ({kind.name} may be off by {case.bound[kind.name]:.1e})"


def _doctor(fn: Callable[[Case, Array], Any], case: Case) -> str:
    """The doctor's sentence about fn under the settings of a case."""
    from ..diagnosis import check_rope

    rope = case.rope
    assert rope is not None
    many = 1 if rope.axes is None else int(rope.axes.max()) + 1

    def probed(x: Array, positions: Array) -> Any:
        return fn(replace(case, positions=positions.astype(np.float64)), x)

    width = rope.head_dim or 2 * len(rope.inv_freq)
    if width % 2 or not len(rope.inv_freq):
        return f"no rotation of {width} channels to look into"
    report = check_rope(probed, takes="x positions", axes="sd", head_dim=width, position_axes=many, expected=rope, longest=512)
    return f"the doctor: {report.sentence}"
