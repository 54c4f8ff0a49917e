"""Linear attention, with rotation where RoFormer puts it: in the numerator."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import Array, Floats, WrongType, flag, floating
from .attention import behind
from .rope import Rope


def positive(x: ArrayLike) -> Array:
    """elu(x) + 1, the features of linear attention: x + 1 above 0, exp(x) below."""
    x = floating(x, "x")
    return np.asarray(np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))), x.dtype)


def linear_attend(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, *, rope: Rope | None = None, positions: ArrayLike | None = None, causal: bool = True
) -> tuple[Floats, Floats]:
    """Linear attention: features elu(x) + 1 of queries and keys stand for the exponential of their product.

    Parameters
    ----------
    q, k : array_like, shape (*B, S, D)
        Queries and keys of the same S tokens, not rotated.
    v : array_like, shape (*B, S, E)
    rope : Rope, optional
        Rotates the features, in the numerator alone. It must rotate all D channels or some of them, and have one axis.
    positions : array_like, shape (S,), optional
        0 to S - 1 if not given. They are the rope's, and not given without it.
    causal : bool
        True: each token sees itself and those before it.

    Returns
    -------
    output : ndarray, shape (*B, S, E), float64
    weights : ndarray, shape (*B, S, S), float64
        Without a rope they are positive and each row adds to 1. With one they can be negative, and rows add to less
        (RoFormer says so): the denominator is not rotated, for a rotated one can be 0.

    Raises
    ------
    TypeError, ValueError
        If arguments do not hold real numbers, shapes do not fit, `rope` is not a Rope, or positions come without one.

    Notes
    -----
    Written with all S * S weights, to be read. What linear attention is for, a state of D * E numbers that grows with
    each token instead of a cache, gives the same outputs; the book's chapter 14 has it in ten lines.

    References
    ----------
    Katharopoulos et al., "Transformers are RNNs", 2020; Su et al., "RoFormer", 2021, equation 19.

    Examples
    --------
    >>> output, weights = linear_attend(np.zeros((3, 2)), np.zeros((3, 2)), np.eye(3))
    >>> weights.round(4)
    array([[1.    , 0.    , 0.    ],
           [0.5   , 0.5   , 0.    ],
           [0.3333, 0.3333, 0.3333]])
    """
    q, k, v = (floating(x, name).astype(np.float64) for x, name in ((q, "q"), (k, "k"), (v, "v")))
    if min(q.ndim, v.ndim) < 2 or q.shape != k.shape or q.shape[:-1] != v.shape[:-1] or q.shape[-1] == 0:
        raise ValueError(
            "q and k must have one shape (..., S, D) and v the same but for its channels, "
            f"got q {q.shape}, k {k.shape}, v {v.shape}"
        )
    if rope is not None and not isinstance(rope, Rope):
        raise WrongType(f"rope must be a Rope or None, got {rope!r}")
    if rope is None and positions is not None:
        raise ValueError(f"positions must not be given without a rope, got {positions!r}")
    q, k = positive(q), positive(k)
    seen = behind(q.shape[-2], q.shape[-2]) >= 0 if flag(causal, "causal") else True
    total = np.where(seen, q @ k.swapaxes(-1, -2), 0).sum(axis=-1, keepdims=True)
    if rope is not None:
        q, k = rope.rotate(q, positions), rope.rotate(k, positions)
    weights: Floats = np.where(seen, q @ k.swapaxes(-1, -2), 0) / np.where(total == 0, 1, total)
    return weights @ v, weights
