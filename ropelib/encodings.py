"""What RoPE is compared with: sinusoidal codes, ALiBi, T5's buckets and xPos."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import LAYOUTS, Floats, Layout, WrongType, choice, even, finite, flag, number, real, whole
from .attention import behind


def sinusoidal(positions: ArrayLike, dim: int, base: float = 10_000.0, layout: Layout = "interleaved") -> Floats:
    """Sines and cosines of position at falling frequencies, added to embeddings rather than multiplied.

    Parameters
    ----------
    positions : array_like, shape (*B,)
    dim : int
        Width of the code, D, 1 or more; an odd one has a sine without a cosine.
    base : float
        Greater than 1.
    layout : {"interleaved", "half"}
        sin, cos, sin, cos, ... (the paper), or all sines and then all cosines (tensor2tensor): one set, two orders.

    Returns
    -------
    ndarray, shape (*B, D), float64

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range, or `layout` is unknown.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    Examples
    --------
    >>> sinusoidal([0, 1], 3).round(4)
    array([[0.    , 1.    , 0.    ],
           [0.8415, 0.5403, 0.0022]])
    """
    positions, dim = finite(positions, "positions"), whole(dim, "dim")
    choice(layout, "layout", LAYOUTS)
    angles = np.multiply.outer(positions, number(base, "base", above=1) ** -(np.arange(0, dim, 2) / dim))
    code = np.empty((*positions.shape, dim))
    sines = (dim + 1) // 2
    first, second = (slice(0, None, 2), slice(1, None, 2)) if layout == "interleaved" else (slice(sines), slice(sines, None))
    code[..., first], code[..., second] = np.sin(angles), np.cos(angles[..., : dim // 2])
    return code


def alibi_slopes(heads: int) -> Floats:
    """How fast each head's scores fall with distance under ALiBi.

    Parameters
    ----------
    heads : int
        Heads, H, 1 or more.

    Returns
    -------
    ndarray, shape (H,), float64
        2 ** (-8 h / H), h = 1..H, for a power of two; else those of the next lower power of two, then every other one
        of twice that power.

    Raises
    ------
    TypeError, ValueError
        If `heads` is not a positive integer.

    References
    ----------
    Press et al., "Train Short, Test Long", 2021, and its code.

    Examples
    --------
    >>> alibi_slopes(6)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625, 0.5       ,
           0.125     ])
    """
    heads = whole(heads, "heads")
    power = 1 << (heads.bit_length() - 1)
    return np.asarray(2.0 ** -np.r_[np.arange(1, power + 1) * 8 / power, np.arange(1, 2 * power, 2) * 4 / power][:heads])


def alibi_bias(heads: int, q_len: int, k_len: int) -> Floats:
    """ALiBi's bias on scores: minus slope times distance.

    Parameters
    ----------
    heads : int
        Heads, H, 1 or more.
    q_len, k_len : int
        Queries Q and keys K, bottom-right aligned as in `causal_mask`: with a cache the last query stands at the last
        key.

    Returns
    -------
    ndarray, shape (H, Q, K), float64
        For `attend(bias=...)`, with a mask that hides the future if it should be hidden.

    Raises
    ------
    TypeError, ValueError
        If a number is not an integer or too small.

    References
    ----------
    Press et al., "Train Short, Test Long", 2021, section 3.

    Examples
    --------
    >>> alibi_bias(8, 1, 5)[0]
    array([[-2. , -1.5, -1. , -0.5,  0. ]])
    """
    distance = np.abs(behind(q_len, k_len))
    bias: Floats = np.multiply.outer(-alibi_slopes(heads), distance)
    return bias + 0.0  # no negative zero


def t5_bucket(relative: ArrayLike, *, buckets: int = 32, max_distance: int = 128, bidirectional: bool) -> NDArray[np.int64]:
    """T5's bucket for each relative position: one each for near ones, growing logarithmically for far ones.

    Parameters
    ----------
    relative : array_like of int, shape (*B,)
        Key position minus query position.
    buckets : int
        All buckets: at least 2, or at least 4 and even if bidirectional.
    max_distance : int
        Distances from here on share the last bucket. More than the number of exact buckets, which is half of a side's.
    bidirectional : bool
        True (encoder): the upper half of the buckets is for keys after the query. False (decoder): those fall in
        bucket 0.

    Returns
    -------
    ndarray, shape (*B,), int64
        0 to buckets - 1. Edges between buckets are found in whole numbers, not by a rounded logarithm.

    Raises
    ------
    TypeError, ValueError
        If an argument is not an integer or out of its range.

    References
    ----------
    Raffel et al., "Exploring the Limits of Transfer Learning", 2020, section 2.1, and Mesh TensorFlow's code.

    Examples
    --------
    >>> t5_bucket([-128, -16, -1, 0, 1], bidirectional=True)
    array([15, 10,  1,  0, 17])
    """
    relative = real(relative, "relative")
    if relative.dtype.kind not in "iu" and relative.size:
        raise WrongType(f"relative must hold integers, got dtype {relative.dtype}")
    relative = relative.astype(np.float64)  # no integer type wraps when its sign changes
    side = whole(buckets, "buckets", 2)
    if flag(bidirectional, "bidirectional"):
        if buckets < 4 or buckets % 2:
            raise ValueError(f"buckets must be even and at least 4 for two directions, got {buckets}")
        side //= 2
    exact = side // 2
    largest, steps = whole(max_distance, "max_distance", exact + 1), side - exact
    # distance n is past edge j where (n / exact) ** steps >= (max / exact) ** j
    edges = [*range(1, exact + 1)]
    for j in range(1, steps):
        near = int(exact * (largest / exact) ** (j / steps)) - 1
        edges.append(next(n for n in itertools.count(near) if n**steps * exact**j >= largest**j * exact**steps))
    distance = np.abs(relative) if bidirectional else np.maximum(-relative, 0)
    after = side * (relative > 0) if bidirectional else 0
    return np.asarray(np.searchsorted(edges, distance, side="right") + after, np.int64)


def xpos_scale(positions: ArrayLike, rotary_dim: int, scale_base: float = 512, centre: float = 0) -> Floats:
    """xPos: the growth that queries are multiplied and keys divided by, pair by pair, beside the rotation.

    Parameters
    ----------
    positions : array_like, shape (*B,)
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    scale_base : float
        Greater than 0: positions over which a pair decays by its zeta.
    centre : float
        Position where the scale is 1. Scores do not depend on it, as long as queries and keys use the same one: it only
        keeps numbers small.

    Returns
    -------
    ndarray, shape (*B, R/2), float64
        zeta ** ((position - centre) / scale_base), zeta = (2 i + 0.4 R) / (1.4 R). Multiply the tables of `cos_sin` by
        it for queries, divide them for keys. At position 8192 the factor on keys reaches 5e8: too much for float16.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range, or a scale leaves float64: move the centre.

    References
    ----------
    Sun et al., "A Length-Extrapolatable Transformer", 2022, section 3.2.

    Examples
    --------
    >>> xpos_scale(512, 8).round(4)
    array([0.2857, 0.4643, 0.6429, 0.8214])
    """
    positions, rotary_dim = finite(positions, "positions"), even(rotary_dim, "rotary_dim")
    zeta = (np.arange(0, rotary_dim, 2) + 0.4 * rotary_dim) / (1.4 * rotary_dim)
    power = (positions - number(centre, "centre")) / number(scale_base, "scale_base", above=0)
    with np.errstate(over="ignore", under="ignore"):
        scale = zeta ** power[..., None]
    if not (np.isfinite(scale) & (scale > 1e-300)).all():
        raise ValueError(f"positions must stay within float64's range of scales around centre {centre}, got {positions}")
    return scale
