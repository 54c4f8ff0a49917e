"""How fast each pair of channels turns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import Floats, even, finite, number


def inverse_frequencies(rotary_dim: int, base: float = 10_000.0) -> Floats:
    """Angle, in radians per position, by which each pair of channels turns: base ** (-2 i / rotary_dim).

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    base : float
        Greater than 1, so that no pair turns faster than the first. Often called `rope_theta`.

    Returns
    -------
    ndarray, shape (R/2,), float64
        Pair 0 turns by 1 radian per position, the last pair slowest.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not a positive even integer or `base` not a finite number above 1.

    References
    ----------
    Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021, section 3.2.2.

    Examples
    --------
    >>> inverse_frequencies(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    """
    rotary_dim = even(rotary_dim, "rotary_dim")
    return number(base, "base", above=1) ** -(np.arange(0, rotary_dim, 2) / rotary_dim)


def wavelengths(inv_freq: ArrayLike) -> Floats:
    """Positions that each pair needs for one full turn: 2 pi / inv_freq.

    Parameters
    ----------
    inv_freq : array_like, shape (P,)
        Radians per position. A pair that never turns, 0, has wavelength infinity.

    Returns
    -------
    ndarray, shape (P,), float64
        In positions.

    Raises
    ------
    TypeError, ValueError
        If `inv_freq` is not an array of finite numbers.

    References
    ----------
    Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023, section 2.3.

    Examples
    --------
    >>> wavelengths(inverse_frequencies(128)).max().round()
    np.float64(54410.0)
    """
    with np.errstate(divide="ignore"):
        return 2 * np.pi / np.abs(finite(inv_freq, "inv_freq"))


def critical_dimension(rotary_dim: int, length: float, base: float = 10_000.0) -> int:
    """Channels whose pair turns at least once within `length` positions: 2 ceil(R/2 log_base(length / 2 pi)).

    Channels beyond it have seen only a part of their circle in training.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    length : float
        Context length in positions, greater than 0.
    base : float
        Greater than 1.

    Returns
    -------
    int
        Even, from 0 to R.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Liu et al., "Scaling Laws of RoPE-based Extrapolation", 2023, theorem 1.

    Examples
    --------
    >>> critical_dimension(128, 4096)
    92
    """
    waves = wavelengths(inverse_frequencies(rotary_dim, base))
    return 2 * int(np.count_nonzero(waves < number(length, "length", above=0)))
