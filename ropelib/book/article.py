"""The source article's program as given, which is not RoPE, and its repair, which is."""

import numpy as np

from .._arguments import floating, whole
from ..frequencies import inverse_frequencies
from ..rotation import cos_sin, rotate


def rotary_nd(q, k, tau=1000.0):
    """The article's function, formula by formula: q and k mixed by one angle that no position enters.

    Parameters
    ----------
    q, k : ndarray, shape (S, D)
        Queries and keys. S = 100 and D = 50 in the article.
    tau : float
        The article's "angle parameter".

    Returns
    -------
    q_rot, k_rot : ndarray, shape (S, D)
        q cos(theta) - k sin(theta) and q sin(theta) + k cos(theta), theta = tau / (max k + 1), or tau if max k <= 0.

    Raises
    ------
    ValueError
        From NumPy, if k is empty or the shapes do not broadcast: the article checks nothing.

    References
    ----------
    The source article, step 1 of its code.

    Examples
    --------
    >>> rotary_nd(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), tau=np.pi)[0].round(3)
    array([[ 0., -1.]])
    """
    theta = tau / (k.max() + 1) if k.max() > 0 else tau
    return q * np.cos(theta) - k * np.sin(theta), q * np.sin(theta) + k * np.cos(theta)


def rope_nd(q, k, base=10_000.0, *, layout="interleaved", offset=0):
    """The repair: the same inputs, each row rotated by its own position.

    Parameters
    ----------
    q, k : array_like, shape (S, D)
        Queries and keys, D even.
    base : float
        What the article's `tau` was meant to be.
    layout : {"interleaved", "half"}
    offset : int
        Position of the first row.

    Returns
    -------
    q_rot, k_rot : ndarray, shape (S, D)

    Raises
    ------
    TypeError, ValueError
        As `inverse_frequencies` and `rotate`.

    References
    ----------
    Su et al., "RoFormer", 2021, equation 34.

    Examples
    --------
    >>> rope_nd([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]])[0].round(4)
    array([[1.    , 0.    ],
           [0.5403, 0.8415]])
    """
    q, k = floating(q, "q"), floating(k, "k")
    if q.shape != k.shape or q.ndim != 2:
        raise ValueError(f"q and k must both have shape (S, D), got {q.shape} and {k.shape}")
    table = cos_sin(np.arange(len(q), dtype=np.int64) + whole(offset, "offset", -(2**53)), inverse_frequencies(q.shape[1], base))
    return rotate(q, *table, layout=layout), rotate(k, *table, layout=layout)


def data(seed=0):
    """The article's test data, step 2, with a seed: standard normal queries and keys.

    Parameters
    ----------
    seed : int
        0 or more, for `np.random.default_rng`. The article sets none, so its own numbers differ at every run.

    Returns
    -------
    q, k : ndarray, shape (100, 50), float64

    Raises
    ------
    TypeError, ValueError
        If the seed is not such an integer.

    References
    ----------
    The source article, step 2 of its code.

    Examples
    --------
    >>> data()[0][0, 0].round(6)
    np.float64(0.12573)
    """
    random = np.random.default_rng(whole(seed, "seed", 0))
    return random.standard_normal((100, 50)), random.standard_normal((100, 50))


def similarity(q, k):
    """The article's curve, step 3: for each key the mean over all queries of their inner product.

    Parameters
    ----------
    q, k : ndarray, shape (S, D)

    Returns
    -------
    ndarray, shape (S,)

    Raises
    ------
    ValueError
        From NumPy, if the shapes do not fit: the article checks nothing.

    References
    ----------
    The source article, step 3 of its code.

    Examples
    --------
    >>> similarity(np.array([[1.0], [3.0]]), np.array([[1.0], [2.0]]))
    array([2., 4.])
    """
    return np.mean(np.dot(q, k.T), axis=0)


def by_distance(q, k):
    """What the article's curve should have shown: the mean inner product of all query-key pairs at each distance.

    Parameters
    ----------
    q, k : array_like, shape (S, D)
        Rotated queries and keys.

    Returns
    -------
    ndarray, shape (S,), float64
        Entry r is the mean over m of q[m + r] . k[m]: keys r positions behind their query.

    Raises
    ------
    TypeError, ValueError
        If q and k do not hold real numbers or have not the same shape (S, D).

    References
    ----------
    Su et al., "RoFormer", 2021, section 3.4.3.

    Examples
    --------
    >>> by_distance([[1.0], [3.0]], [[1.0], [2.0]])
    array([3.5, 3. ])
    """
    q, k = floating(q, "q"), floating(k, "k")
    if q.shape != k.shape or q.ndim != 2:
        raise ValueError(f"q and k must both have shape (S, D), got {q.shape} and {k.shape}")
    scores = q.astype(np.float64) @ k.T
    return np.array([np.diagonal(scores, -r).mean() for r in range(len(q))])
