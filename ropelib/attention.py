"""Scaled dot-product attention and its masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import Array, Floats, WrongType, floating, number, plain, real, whole, work_dtype
from ._arguments import axis as checked_axis

Mask = NDArray[np.bool_]


def softmax(x: ArrayLike, axis: int = -1) -> Array:
    """exp(x) divided by its sum along an axis, without overflow.

    Parameters
    ----------
    x : array_like, shape (..., K, ...)
        Scores; -inf means "no weight".
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray
        Shape and dtype of x. Where all scores are -inf, or there are none, the weights are 0: nothing to look at.

    Raises
    ------
    TypeError, ValueError
        If x does not hold real numbers or the axis is missing.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf])
    array([0.5, 0.5, 0. ])
    """
    x = floating(x, "x")
    axis = checked_axis(axis, "axis", x.ndim)
    scores = x.astype(work_dtype(x.dtype), copy=False)
    top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # a score of +inf gives NaN, silently
        weights = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = weights.sum(axis=axis, keepdims=True)
    return np.asarray(weights / np.where(total == 0, 1, total), x.dtype)


def causal_mask(q_len: int, k_len: int) -> Mask:
    """Who may look at whom when the last query stands at the last key (bottom-right aligned).

    Parameters
    ----------
    q_len, k_len : int
        Queries Q and keys K, 0 or more. Keys before the first query are a cache. With Q > K the first Q - K queries
        see nothing.

    Returns
    -------
    ndarray, shape (Q, K), bool
        True where the query may look.

    Raises
    ------
    TypeError, ValueError
        If a length is not an integer of at least 0.

    References
    ----------
    Dao, FlashAttention 2.1: the alignment of its `causal` flag.

    Examples
    --------
    >>> causal_mask(2, 5).astype(int)
    array([[1, 1, 1, 1, 0],
           [1, 1, 1, 1, 1]])
    """
    return np.asarray(behind(q_len, k_len) >= 0)


def sliding_mask(q_len: int, k_len: int, window: int) -> Mask:
    """A causal mask that sees the last `window` keys only, the token itself counted.

    Parameters
    ----------
    q_len, k_len : int
        Queries Q and keys K, 0 or more, bottom-right aligned as in `causal_mask`.
    window : int
        At least 1: the token alone.

    Returns
    -------
    ndarray, shape (Q, K), bool
        True where the query may look.

    Raises
    ------
    TypeError, ValueError
        If a length is not an integer of at least 0 or the window not one of at least 1.

    References
    ----------
    Jiang et al., "Mistral 7B", 2023, section 2.

    Examples
    --------
    >>> sliding_mask(3, 3, 2).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [0, 1, 1]])
    """
    distance = behind(q_len, k_len)
    return np.asarray((distance >= 0) & (distance < whole(window, "window")))


def behind(q_len: int, k_len: int) -> NDArray[np.int64]:
    """How many positions each key (column) lies behind each query (row)."""
    q_len, k_len = whole(q_len, "q_len", 0), whole(k_len, "k_len", 0)
    return np.arange(k_len - q_len, k_len, dtype=np.int64)[:, None] - np.arange(k_len, dtype=np.int64)


def attend(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Array, Array]:
    """Attention: softmax(scale q k^T + bias) v, over the keys that the mask allows.

    Parameters
    ----------
    q : array_like, shape (*B, H, Q, D) or (Q, D)
    k : array_like, shape (*B, G, K, D) or (K, D)
    v : array_like, shape (*B, G, K, E) or (K, E)
        With G < H heads, each serves H / G neighbouring query heads (grouped queries).
    mask : array_like of bool, broadcastable to (*B, H, Q, K), optional
        True = may look. A query that may look at nothing gives zeros.
    bias : array_like, broadcastable to (*B, H, Q, K), optional
        Added to the scaled scores; -inf forbids.
    scale : float, optional
        1 / sqrt(D) if not given.

    Returns
    -------
    output : ndarray, shape (*B, H, Q, E)
    weights : ndarray, shape (*B, H, Q, K)
        Computed in float64, returned in the dtype that q, k and v promote to, float32 where NumPy knows none.

    Raises
    ------
    TypeError
        If q, k, v or bias do not hold real numbers or the mask no booleans.
    ValueError
        If shapes do not fit.

    Notes
    -----
    A key or value that gets no weight cannot reach the output, not even as NaN.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017; Ainslie et al., "GQA", 2023.

    Examples
    --------
    >>> output, weights = attend(np.ones((2, 4)), np.ones((2, 4)), np.eye(2), mask=causal_mask(2, 2))
    >>> output
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    q, k, v, scale, dtype = ready(q, k, v, scale)
    scores = scale * (q @ k.swapaxes(-1, -2))
    if bias is not None:
        scores = scores + _over(floating(bias, "bias"), scores.shape, "bias")
    if mask is not None:
        mask = plain(mask, "mask")
        if mask.dtype != bool:
            raise WrongType(f"mask must hold booleans, True = may look, got dtype {mask.dtype}; numbers go in bias")
        scores = np.where(_over(mask, scores.shape, "mask"), scores, -np.inf)
    return weighted(softmax(scores), v, dtype)


def ready(q: ArrayLike, k: ArrayLike, v: ArrayLike, scale: float | None) -> tuple[Floats, Floats, Floats, float, np.dtype[Any]]:
    """Queries, keys and values in float64 with as many heads, the scale, and the dtype of what comes out."""
    q, k, v = floating(q, "q"), floating(k, "k"), floating(v, "v")
    given = f"got q {q.shape}, k {k.shape}, v {v.shape}"
    if min(q.ndim, k.ndim, v.ndim) < 2 or not q.ndim == k.ndim == v.ndim:
        raise ValueError(f"q, k and v must have the same number of axes, two or more, {given}")
    if q.shape[-1] != k.shape[-1] or q.shape[-1] == 0:
        raise ValueError(f"q and k must have the same channels, one or more, {given}")
    if k.shape[:-1] != v.shape[:-1]:
        raise ValueError(f"k and v must have the same heads and length, {given}")
    if q.ndim > 2 and (q.shape[:-3] != k.shape[:-3] or k.shape[-3] == 0 or q.shape[-3] % k.shape[-3]):
        raise ValueError(f"q must have the batch of k, and a multiple of its heads, {given}")
    scale = q.shape[-1] ** -0.5 if scale is None else number(scale, "scale")
    dtype = _promoted(q, k, v)
    q, k, v = (a.astype(np.float64, copy=False) for a in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        k, v = (np.repeat(a, q.shape[-3] // a.shape[-3], axis=-3) for a in (k, v))
    return q, k, v, scale, dtype


def weighted(weights: Floats, v: Floats, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """The values averaged by weights, and the weights. What has no weight does not reach the output, not even as NaN."""
    if np.isfinite(v).all():
        output = weights @ v
    else:
        each = weights[..., None]
        output = np.where(each == 0, 0, each * np.where(each == 0, 0, v[..., None, :, :])).sum(axis=-2)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def _promoted(*arrays: Array) -> np.dtype[Any]:
    try:
        return np.result_type(*arrays)
    except TypeError:  # bfloat16 beside float16
        return np.result_type(*(work_dtype(array.dtype) for array in arrays))


def _over(array: Array, shape: tuple[int, ...], name: str) -> Array:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} must broadcast to (..., queries, keys) = {shape}, got shape {array.shape}") from None


def padded_positions(mask: ArrayLike) -> NDArray[np.int64]:
    """Positions of the tokens of padded rows, counted from each row's first token.

    Parameters
    ----------
    mask : array_like of bool or of 0 and 1, shape (*B, S)
        True or 1 = a token, False or 0 = padding.

    Returns
    -------
    ndarray, shape (*B, S), int64
        Padding before the first token has position 0, later padding that of the token before it; mask it out.

    Raises
    ------
    TypeError, ValueError
        If the mask holds anything else or has no axis.

    References
    ----------
    Hugging Face transformers, `generation/utils.py`: position_ids from attention_mask.

    Examples
    --------
    >>> padded_positions([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    array([[0, 0, 0, 1, 2],
           [0, 1, 2, 3, 4]])
    """
    return np.maximum(np.cumsum(tokens_of(mask, "mask"), axis=-1, dtype=np.int64) - 1, 0)


def tokens_of(mask: ArrayLike, name: str) -> Mask:
    """A padding mask as booleans."""
    mask = plain(mask, name)
    if mask.dtype.kind not in "biu":
        raise WrongType(f"{name} must hold booleans, or 0 and 1, got dtype {mask.dtype}")
    if mask.ndim == 0 or not np.isin(mask, (0, 1)).all():
        raise ValueError(f"{name} must be an array of booleans, or of 0 and 1, got {mask}")
    return mask.astype(bool)


def packed_positions(cu_seqlens: ArrayLike) -> NDArray[np.int64]:
    """Positions in a row into which several sequences are packed: each counts from 0.

    Parameters
    ----------
    cu_seqlens : array_like of int, shape (N + 1,)
        Where each sequence starts, and where the last one ends: from 0, never falling.

    Returns
    -------
    ndarray, shape (cu_seqlens[-1],), int64

    Raises
    ------
    TypeError, ValueError
        If `cu_seqlens` is no such list.

    References
    ----------
    Dao, FlashAttention: `flash_attn_varlen_func`, whose name for the list this is.

    Examples
    --------
    >>> packed_positions([0, 3, 7])
    array([0, 1, 2, 0, 1, 2, 3])
    """
    starts, lengths = _segments(cu_seqlens)
    return np.arange(lengths.sum(), dtype=np.int64) - np.repeat(starts, lengths)


def packed_mask(cu_seqlens: ArrayLike) -> Mask:
    """A causal mask for packed sequences: nobody looks into another sequence.

    Parameters
    ----------
    cu_seqlens : array_like of int, shape (N + 1,)
        As for `packed_positions`; S is its last entry.

    Returns
    -------
    ndarray, shape (S, S), bool
        True where the query may look.

    Raises
    ------
    TypeError, ValueError
        If `cu_seqlens` is no such list.

    References
    ----------
    Dao, FlashAttention: `flash_attn_varlen_func`.

    Examples
    --------
    >>> packed_mask([0, 1, 3]).astype(int)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 1, 1]])
    """
    _, lengths = _segments(cu_seqlens)
    segment = np.repeat(np.arange(len(lengths)), lengths)
    return np.asarray(causal_mask(len(segment), len(segment)) & (segment[:, None] == segment))


def _segments(cu_seqlens: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    ends = real(cu_seqlens, "cu_seqlens")
    if ends.dtype.kind not in "iu":
        raise WrongType(f"cu_seqlens must hold integers, got dtype {ends.dtype}")
    ends = ends.astype(np.int64)
    if ends.ndim != 1 or len(ends) == 0 or ends[0] != 0 or (np.diff(ends) < 0).any():
        raise ValueError(f"cu_seqlens must be one list that starts with 0 and never falls, got {ends.tolist()}")
    return ends[:-1], np.diff(ends).astype(np.intp)  # as np.repeat counts on 32 bits too
