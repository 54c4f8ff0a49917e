"""Maps of relative position: which positions far pairs of tokens use instead of their own.

Each gives the argument `far` of `Model`: the distance from which on it holds, and the positions that queries and keys
take there. Nearer than that, all use their own.
"""

import numpy as np

from ..._arguments import WrongType, plain, whole
from ...maps import rerope_map, self_extend_map


def rerope(length, window):
    """ReRoPE: every distance from `window` on looks like `window`.

    Parameters
    ----------
    length : int
        Tokens, T.
    window : int
        Positions.

    Returns
    -------
    (window, query positions, key positions)
        Arrays of shape (T,).

    References
    ----------
    Su, "Transformer 升級之路 12", ReRoPE, 2023.
    """
    _, (_, q, k) = rerope_map(whole(length, "length"), length, window)
    return window, q, k


def self_extend(length, window, group):
    """SelfExtend: from `window` on, `group` neighbouring positions share one.

    Parameters
    ----------
    length : int
        Tokens, T.
    window, group : int
        Positions. The window is a multiple of the group, so that far distances start where near ones end.

    Returns
    -------
    (window, query positions, key positions)
        Arrays of shape (T,).

    References
    ----------
    Jin et al., "LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning", 2024.
    """
    _, (_, q, k) = self_extend_map(whole(length, "length"), length, window, group)
    return window, q, k


def per_pair(length, seen, pairs):
    """Some pairs of channels never see a distance beyond `seen`; the others see the true one.

    Parameters
    ----------
    length : int
        Tokens, T.
    seen : int
        The largest distance that those pairs see.
    pairs : array_like of bool, shape (P,)
        True for the pairs held back.

    Returns
    -------
    (seen, query positions, key positions)
        Arrays of shape (T, P).
    """
    length, seen, pairs = whole(length, "length"), whole(seen, "seen"), plain(pairs, "pairs")
    if pairs.dtype != bool or pairs.ndim != 1:
        raise WrongType(f"pairs must be booleans, one a pair, got {pairs!r}")
    own = np.broadcast_to(np.arange(length)[:, None], (length, len(pairs)))
    return seen, np.where(pairs, seen, own), np.where(pairs, 0, own)
