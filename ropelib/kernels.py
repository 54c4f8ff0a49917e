"""What each encoding of position makes of the distance between one query and one key: its kernel."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import Floats, Layout, WrongType, finite, number, real, whole
from .encodings import sinusoidal, t5_bucket, xpos_scale
from .frequencies import inverse_frequencies
from .rotation import cos_sin, rotate

Encoding = Literal["none", "sinusoidal", "learned", "rope", "xpos", "alibi", "t5", "shaw"]

TAKES: dict[Encoding, tuple[str, ...]] = {  # settings that an encoding reads; those before the "|" it cannot do without
    "none": ("|",),
    "sinusoidal": ("|", "base", "layout"),
    "learned": ("table", "|"),
    "rope": ("|", "base", "layout"),
    "xpos": ("|", "base", "layout", "scale_base"),
    "alibi": ("slope", "|"),
    "t5": ("table", "|", "max_distance"),
    "shaw": ("table", "|"),
}


def kernel(
    q: ArrayLike,
    k: ArrayLike,
    distances: ArrayLike,
    encoding: Encoding,
    *,
    start: int = 0,
    base: float | None = None,
    layout: Layout | None = None,
    scale_base: float | None = None,
    slope: float | None = None,
    table: ArrayLike | None = None,
    max_distance: int | None = None,
) -> Floats:
    """The score, before softmax, of one query with one key at each distance, under one encoding of position.

    Parameters
    ----------
    q, k : array_like, shape (D,)
        Query and key before position enters. D is even where channels rotate in pairs.
    distances : array_like of int, shape (*B,)
        How far the key lies behind the query: 0 or more.
    encoding : {"none", "sinusoidal", "learned", "rope", "xpos", "alibi", "t5", "shaw"}
        Codes of "sinusoidal" and "learned" are added to query and key themselves, as if no matrix stood between.
    start : int
        Position of the key, 0 or more; the query stands at start + distance.
    base : float, optional
        Of "sinusoidal", "rope" and "xpos": 10,000 if not given.
    layout : {"interleaved", "half"}, optional
        Of the same: "interleaved" if not given.
    scale_base : float, optional
        Of "xpos": 512 if not given.
    slope : float
        Of "alibi", and needed there: what each position of distance costs.
    table : array_like
        What was learned, and needed where something is: "learned" (N, D), a code for each position; "t5" (N,), a bias
        for each of N buckets; "shaw" (N, D), a vector for each distance, the last for all that are farther.
    max_distance : int, optional
        Of "t5": 128 if not given.

    Returns
    -------
    ndarray, shape (*B,), float64
        q k / sqrt(D) with position in it. T5 itself does not divide; here all do, so that curves compare.

    Raises
    ------
    TypeError, ValueError
        If `encoding` is unknown, a setting is missing or of another encoding, shapes do not fit, a position is not in
        the table, or an argument is of the wrong type or out of its range.

    Notes
    -----
    xPos multiplies queries and divides keys by powers that leave float32 for far positions; what is left of them in a
    score, a power of the distance, is all that is computed here.

    References
    ----------
    Vaswani et al., 2017; Shaw et al., 2018; Raffel et al., 2020; Su et al., 2021; Press et al., 2021; Sun et al., 2022.

    Examples
    --------
    >>> kernel([2.0, 0.0], [2.0, 0.0], [0, 1, 2], "alibi", slope=0.5).round(4)
    array([2.8284, 2.3284, 1.8284])
    >>> kernel([2.0, 0.0], [2.0, 0.0], [0, 1, 2], "rope", start=1000).round(4)
    array([ 2.8284,  1.5282, -1.177 ])
    """
    q, k, start = finite(q, "q"), finite(k, "k"), whole(start, "start", 0)
    if q.ndim != 1 or q.shape != k.shape or q.size == 0:
        raise ValueError(f"q and k must be two vectors of one length, 1 or more, got shapes {q.shape} and {k.shape}")
    distances = _behind(distances)
    given = {"base": base, "layout": layout, "scale_base": scale_base, "slope": slope, "table": table}
    _check_settings(encoding, {**given, "max_distance": max_distance})
    base, layout = 10_000.0 if base is None else base, "interleaved" if layout is None else layout
    here, there = start + distances, np.full_like(distances, start)
    if encoding == "none":
        scores = np.full(distances.shape, q @ k)
    elif encoding in ("sinusoidal", "learned"):
        if encoding == "sinusoidal":
            codes = (sinusoidal(places, q.size, base, layout) for places in (here, there))
        else:
            codes = (_rows(table, q.size)[_within(places, table)] for places in (here, there))
        scores = np.multiply(*(x + code for x, code in zip((q, k), codes, strict=True))).sum(axis=-1)
    elif encoding in ("rope", "xpos"):
        inv_freq = inverse_frequencies(q.size, base)
        pairs = [(np.broadcast_to(x, (*distances.shape, q.size)), *cos_sin(at, inv_freq)) for x, at in ((q, here), (k, there))]
        if encoding == "xpos":
            grow = xpos_scale(distances, q.size, 512 if scale_base is None else scale_base)
            x, cos, sin = pairs[0]
            pairs[0] = x, cos * grow, sin * grow
        scores = np.multiply(*(rotate(*pair, layout=layout) for pair in pairs)).sum(axis=-1)
    elif encoding == "shaw":
        rows = _rows(table, q.size)
        scores = (k + rows[np.minimum(distances, len(rows) - 1)]) @ q
    else:
        scores = np.full(distances.shape, q @ k)
    scores = np.asarray(scores / np.sqrt(q.size), np.float64)
    if encoding == "alibi":
        scores = scores - number(slope, "slope", least=0) * distances
    if encoding == "t5":
        biases = finite(table, "table")
        if biases.ndim != 1:
            raise ValueError(f"table must hold one bias a bucket, shape (N,), got shape {biases.shape}")
        farthest = 128 if max_distance is None else max_distance
        scores = scores + biases[t5_bucket(-distances, buckets=biases.size, max_distance=farthest, bidirectional=False)]
    return scores


def _behind(distances: ArrayLike) -> NDArray[np.int64]:
    distances = real(distances, "distances")
    if distances.dtype.kind not in "iu" and distances.size:
        raise WrongType(f"distances must hold integers, got dtype {distances.dtype}")
    finite(distances, "distances")  # they become positions: none that float64 cannot tell from its neighbours
    if distances.size and distances.min() < 0:
        raise ValueError(f"distances must be at least 0, the key behind the query, got {distances.min()}")
    return distances.astype(np.int64)


def _check_settings(encoding: Encoding, given: dict[str, object]) -> None:
    if not isinstance(encoding, str) or encoding not in TAKES:
        raise ValueError(f"encoding must be one of {', '.join(map(repr, TAKES))}, got {encoding!r}")
    takes = TAKES[encoding]
    for name, value in given.items():
        if value is not None and name not in takes:
            reads = ", ".join(each for each in takes if each != "|") or "no setting"
            raise ValueError(f"{name} must not be given for {encoding!r}, which reads {reads}, got {value!r}")
    for name in takes[: takes.index("|")]:
        if given[name] is None:
            raise ValueError(f"{name} must be given for {encoding!r}, got None")


def _rows(table: ArrayLike | None, dim: int) -> Floats:
    rows = finite(table, "table")
    if rows.ndim != 2 or rows.shape[1] != dim or len(rows) == 0:
        raise ValueError(f"table must have shape (N, {dim}), one row or more, got shape {rows.shape}")
    return rows


def _within(positions: NDArray[np.int64], table: ArrayLike | None) -> NDArray[np.int64]:
    rows = len(np.asarray(table))
    if positions.size and positions.max() >= rows:
        raise ValueError(f"table must have a row for every position, got {rows} rows and position {positions.max()}")
    return positions
