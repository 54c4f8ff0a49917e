"""Maps of relative position: distant tokens meet at a distance that the model knows.

Such a map is not one rotation a token. Each of its passes turns every query and every key once and serves some pairs of
them; attention takes from each pass the scores of its own pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import Array, Floats, WrongType, finite, number, plain, whole
from .attention import Mask, behind, ready, softmax, weighted
from .rope import Rope


class Pass(NamedTuple):
    """Some pairs of a query and a key, and the positions at which they meet.

    Attributes
    ----------
    pairs : ndarray, shape (Q, K), bool
        True for the pairs that this pass serves.
    q_positions : ndarray, shape (Q,)
    k_positions : ndarray, shape (K,)
    """

    pairs: Mask
    q_positions: NDArray[np.float64]
    k_positions: NDArray[np.float64]


def rerope_map(q_len: int, k_len: int, window: int, *, leak: float | None = None) -> tuple[Pass, Pass]:
    """ReRoPE: every distance from `window` on counts as `window`; or, leaky, grows `leak` times slower from there.

    Parameters
    ----------
    q_len, k_len : int
        Queries Q and keys K, 0 or more, bottom-right aligned as in `causal_mask`.
    window : int
        At least 1: distances below it stay as they are.
    leak : float, optional
        At least 1: the distance r counts as window + (r - window) / leak.

    Returns
    -------
    tuple of Pass
        Near and far.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Su, "Transformer upgrade road 12: ReRoPE for unlimited extrapolation?", 2023, https://kexue.fm/archives/9708.

    Examples
    --------
    >>> relative_positions(rerope_map(1, 6, 3))
    array([[3., 3., 3., 2., 1., 0.]])
    >>> relative_positions(rerope_map(1, 6, 3, leak=2))
    array([[4. , 3.5, 3. , 2. , 1. , 0. ]])
    """
    q, k, near, far = _split(q_len, k_len, whole(window, "window"))
    if leak is None:
        return near, Pass(far, np.full(len(q), float(window)), np.zeros(len(k)))
    leak = number(leak, "leak", least=1)
    return near, Pass(far, q / leak + (window - window / leak), k / leak)


def self_extend_map(q_len: int, k_len: int, window: int, group: int) -> tuple[Pass, Pass]:
    """SelfExtend: from `window` on, `group` neighbouring positions share one.

    Parameters
    ----------
    q_len, k_len : int
        Queries Q and keys K, 0 or more, bottom-right aligned as in `causal_mask`.
    window : int
        At least 1: distances below it stay as they are. A multiple of `group`, so that far distances begin where near
        ones end.
    group : int
        At least 1.

    Returns
    -------
    tuple of Pass
        Near and far. A far pair at positions m and n counts as m // group - n // group + window - window // group.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer or out of its range, or `window` no multiple of `group`.

    References
    ----------
    Jin et al., "LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning", 2024.

    Examples
    --------
    >>> relative_positions(self_extend_map(1, 9, 4, 2))
    array([[6., 6., 5., 5., 4., 3., 2., 1., 0.]])
    """
    window, group = whole(window, "window"), whole(group, "group")
    if window % group:
        raise ValueError(f"window must be a multiple of group, got {window} and {group}")
    q, k, near, far = _split(q_len, k_len, window)
    return near, Pass(far, q // group + (window - window // group), k // group)


def dual_chunk_map(q_len: int, k_len: int, chunk: int, trained: int) -> tuple[Pass, Pass, Pass]:
    """Dual Chunk Attention: positions start anew in every chunk, and a query adds what it knows of earlier chunks.

    Parameters
    ----------
    q_len, k_len : int
        Queries Q and keys K, 0 or more, bottom-right aligned as in `causal_mask`.
    chunk : int
        Tokens of a chunk, 1 to `trained`.
    trained : int
        Trained length: no distance of `trained` or more occurs.

    Returns
    -------
    tuple of Pass
        The same chunk, the one before, and those before that. A key takes its place in its chunk; a query its place, its
        place plus `chunk`, but at most trained - 1, or trained - 1. The authors' code has a different clamp: it allows
        `trained`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer or out of its range.

    Notes
    -----
    Distances up to min(chunk, trained - chunk) are exact. Beyond, they may fall as the true distance grows.

    References
    ----------
    An et al., "Training-Free Long-Context Scaling of Large Language Models", 2024, section 3.

    Examples
    --------
    >>> relative_positions(dual_chunk_map(1, 31, 8, 12))[0, :13:-1].astype(int)
    array([ 0,  1,  2,  3,  4,  5,  6,  4,  5,  6,  7,  8,  9, 10, 11,  4,  5])
    """
    chunk, trained = whole(chunk, "chunk"), whole(trained, "trained")
    if chunk > trained:
        raise ValueError(f"chunk must be at most trained, {trained}, got {chunk}")
    q, k, near, far = _split(q_len, k_len, 1)
    past = (q // chunk)[:, None] - k // chunk
    place = k % chunk
    return (
        Pass((past == 0) & (near.pairs | far), q % chunk, place),
        Pass(past == 1, np.minimum(q % chunk + chunk, trained - 1.0), place),
        Pass(past > 1, np.full(len(q), trained - 1.0), place),
    )


def _split(q_len: int, k_len: int, window: int) -> tuple[Floats, Floats, Pass, Mask]:
    """Positions of queries and of keys, the near pairs as a `Pass`, and which pairs are far."""
    distance = behind(q_len, k_len)
    k = np.arange(k_len, dtype=np.float64)
    q = np.arange(k_len - q_len, k_len, dtype=np.float64)
    return q, k, Pass((distance >= 0) & (distance < window), q, k), distance >= window


def relative_positions(passes: Sequence[Pass]) -> Floats:
    """The relative position at which each query meets each key.

    Parameters
    ----------
    passes : sequence of (pairs, q_positions, k_positions)
        As `rerope_map`, `self_extend_map` or `dual_chunk_map` return them: which pairs of a query and a key, shape (Q, K),
        bool; and where they meet, shapes (Q,) and (K,).

    Returns
    -------
    ndarray, shape (Q, K), float64
        NaN where they do not meet.

    Raises
    ------
    TypeError, ValueError
        If `passes` is empty, or its arrays are of the wrong type or do not fit.

    References
    ----------
    As for the maps.

    Examples
    --------
    >>> relative_positions(rerope_map(3, 3, 1))
    array([[ 0., nan, nan],
           [ 1.,  0., nan],
           [ 1.,  1.,  0.]])
    """
    passes = _checked(passes)
    relative = np.full(passes[0].pairs.shape, np.nan)
    for pairs, q, k in passes:
        relative = np.where(pairs, q[:, None] - k, relative)
    return relative


def attend_mapped(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, rope: Rope, passes: Sequence[Pass], *, scale: float | None = None
) -> tuple[Array, Array]:
    """Attention in which queries and keys meet at the positions of a map.

    Parameters
    ----------
    q : array_like, shape (*B, H, Q, D) or (Q, D)
        Not rotated.
    k : array_like, shape (*B, G, K, D) or (K, D)
        Not rotated.
    v : array_like, shape (*B, G, K, E) or (K, E)
    rope : Rope
        Frequencies that do not depend on the length, and values that do not rotate.
    passes : sequence of (pairs, q_positions, k_positions)
        As for `relative_positions`, for Q queries and K keys. Pairs that no pass serves do not look at each other; if
        several do, the last one counts.
    scale : float, optional
        `rope.softmax_factor` / sqrt(D) if not given.

    Returns
    -------
    output : ndarray, shape (*B, H, Q, E)
    weights : ndarray, shape (*B, H, Q, K)

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong type, shapes do not fit, or `rope` is none that a map can serve.

    Notes
    -----
    Each pass computes all Q x K scores. A factor on queries by position (`rope.query_factor`) is the caller's to apply.

    References
    ----------
    As for the maps.

    Examples
    --------
    >>> from ropelib import inverse_frequencies
    >>> rope, x = Rope(inverse_frequencies(4)), np.ones((3, 4))
    >>> attend_mapped(x, x, np.eye(3), rope, rerope_map(3, 3, 1))[1].round(3)
    array([[1.   , 0.   , 0.   ],
           [0.387, 0.613, 0.   ],
           [0.279, 0.279, 0.442]])
    """
    if not isinstance(rope, Rope):
        raise WrongType(f"rope must be a Rope, got {type(rope).__name__}")
    if rope.length_dependent or rope.rotates_values:
        raise ValueError(f"rope must have frequencies that do not depend on the length and leave values alone, got {rope}")
    passes = _checked(passes)
    q, k, v, usual, dtype = ready(q, k, v, None)
    scale = usual * rope.softmax_factor if scale is None else number(scale, "scale")
    shape = (q.shape[-2], k.shape[-2])
    if passes[0].pairs.shape != shape:
        raise ValueError(f"passes must be for {shape[0]} queries and {shape[1]} keys, got {passes[0].pairs.shape}")
    scores = np.full((*q.shape[:-1], shape[1]), -np.inf)
    for pairs, q_positions, k_positions in passes:
        met = rope.rotate(q, q_positions) @ rope.rotate(k, k_positions).swapaxes(-1, -2)
        scores = np.where(pairs, scale * met, scores)
    return weighted(softmax(scores), v, dtype)


def _checked(passes: Sequence[Pass]) -> list[Pass]:
    """The passes as arrays that fit one another."""
    if not isinstance(passes, (tuple, list)) or not all(isinstance(each, tuple) and len(each) == 3 for each in passes):
        raise WrongType(f"passes must be a sequence of Pass, got {type(passes).__name__}")
    if not passes:
        raise ValueError("passes must hold one Pass or more, got none")
    checked = [Pass(plain(p, "pairs"), finite(q, "q_positions"), finite(k, "k_positions")) for p, q, k in passes]
    shape = checked[0].pairs.shape
    for pairs, q_positions, k_positions in checked:
        if pairs.dtype != bool or pairs.ndim != 2:
            raise WrongType(f"pairs must hold booleans in two axes, got dtype {pairs.dtype} of shape {pairs.shape}")
        if pairs.shape != shape or q_positions.shape != shape[:1] or k_positions.shape != shape[1:]:
            got = f"pairs {pairs.shape}, q_positions {q_positions.shape}, k_positions {k_positions.shape}"
            raise ValueError(f"every Pass must be for the same {shape[0]} queries and {shape[-1]} keys, got {got}")
    return checked
