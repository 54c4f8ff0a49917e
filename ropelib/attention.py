"""Scaled dot-product attention and its masks."""

import numpy as np

from ._arguments import axis as checked_axis
from ._arguments import floating, number, whole


def softmax(x, axis=-1):
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
    top = x.max(axis=axis, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # a score of +inf gives NaN, silently
        weights = np.exp(x - np.where(top == -np.inf, 0, top), dtype=np.promote_types(x.dtype, np.float32))
    total = weights.sum(axis=axis, keepdims=True)
    return (weights / np.where(total == 0, 1, total)).astype(x.dtype, copy=False)


def causal_mask(q_len, k_len):
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
    return _behind(q_len, k_len) >= 0


def sliding_mask(q_len, k_len, window):
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
    behind = _behind(q_len, k_len)
    return (behind >= 0) & (behind < whole(window, "window"))


def _behind(q_len, k_len):
    """How many positions each key (column) lies behind each query (row)."""
    q_len, k_len = whole(q_len, "q_len", 0), whole(k_len, "k_len", 0)
    return np.arange(k_len - q_len, k_len)[:, None] - np.arange(k_len)


def attend(q, k, v, *, mask=None, bias=None, scale=None):
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
        Computed in float64, returned in the dtype that q, k and v promote to.

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
    dtype = np.result_type(q, k, v)
    q, k, v = (a.astype(np.float64, copy=False) for a in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        k, v = (np.repeat(a, q.shape[-3] // a.shape[-3], axis=-3) for a in (k, v))
    scores = scale * (q @ k.swapaxes(-1, -2))
    if bias is not None:
        scores = scores + _over(floating(bias, "bias"), scores.shape, "bias")
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype != bool:
            raise TypeError(f"mask must hold booleans, True = may look, got dtype {mask.dtype}; numbers go in bias")
        scores = np.where(_over(mask, scores.shape, "mask"), scores, -np.inf)
    weights = softmax(scores)
    if np.isfinite(v).all():
        output = weights @ v
    else:
        each = weights[..., None]
        output = np.where(each == 0, 0, each * np.where(each == 0, 0, v[..., None, :, :])).sum(axis=-2)
    return output.astype(dtype, copy=False), weights.astype(dtype, copy=False)


def _over(array, shape, name):
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} must broadcast to (..., queries, keys) = {shape}, got shape {array.shape}") from None
