"""Positions with more than one axis: rows and columns of an image, or time, height and width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ._arguments import Array, Floats, WrongType, even, finite, flag, number, plain, whole
from .frequencies import inverse_frequencies
from .rotation import tables


def grid_positions(rows: int, columns: int) -> NDArray[np.int64]:
    """Row and column of each cell of a grid, in reading order.

    Parameters
    ----------
    rows, columns : int
        Height H and width W, 1 or more.

    Returns
    -------
    ndarray, shape (2, H * W), int64
        Axis 0 is the row, axis 1 the column; the column changes fastest.

    Raises
    ------
    TypeError, ValueError
        If a size is not a positive integer.

    References
    ----------
    Heo et al., "Rotary Position Embedding for Vision Transformer", 2024.

    Examples
    --------
    >>> grid_positions(3, 5)[:, 7]
    array([1, 2])
    """
    return np.indices((whole(rows, "rows"), whole(columns, "columns")), np.int64).reshape(2, -1)


def patch_centres(rows: int, columns: int) -> Floats:
    """Row and column of each patch of an image that spans -1 to 1 along both, whatever its number of patches.

    Parameters
    ----------
    rows, columns : int
        Patches down and across, H and W, 1 or more.

    Returns
    -------
    ndarray, shape (2, H * W), float64
        Centres of the patches in reading order: axis 0 is the row, axis 1 the column.

    Raises
    ------
    TypeError, ValueError
        If a size is not a positive integer.

    Notes
    -----
    DINOv3 turns each pair by 2 pi times these, with the frequencies of `axial(head_dim, 100)` and pairs (i, i + d/2).
    Of its ways to treat images that are not square this is "separate".

    References
    ----------
    Simeoni et al., "DINOv3", 2025.

    Examples
    --------
    >>> patch_centres(2, 4)
    array([[-0.5 , -0.5 , -0.5 , -0.5 ,  0.5 ,  0.5 ,  0.5 ,  0.5 ],
           [-0.75, -0.25,  0.25,  0.75, -0.75, -0.25,  0.25,  0.75]])
    """
    centres: Floats = (2 * grid_positions(rows, columns) + 1) / np.array([[rows], [columns]]) - 1
    return centres


def axial(
    rotary_dim: int, base: float = 10_000.0, *, split: Sequence[int] | NDArray[np.integer[Any]] | None = None
) -> tuple[Floats, NDArray[np.int64]]:
    """Axial RoPE: a share of the channels turns by each axis, with the frequencies of 1-D RoPE in so many channels.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Even; a multiple of 4 without `split`.
    base : float
        Greater than 1.
    split : array_like of int, shape (A,), optional
        Channels for each axis, even and R in all. Without it half for the row and half for the column.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
        Each axis starts anew at 1.
    axes : ndarray, shape (R/2,), int64
        Axis of each pair: 0 (row), then 1 (column); with `split` 0 to A - 1.

    Raises
    ------
    TypeError, ValueError
        If `rotary_dim` is not a positive multiple of 4, `base` not a number above 1, or `split` does not hold even
        integers of 2 or more with the sum `rotary_dim`.

    References
    ----------
    Heo et al., "Rotary Position Embedding for Vision Transformer", 2024, section 3; Qwen2-VL's vision tower. Three
    axes: Wan Team, "Wan", 2025, whose code gives time, height and width of a video 44, 42 and 42 of 128 channels.

    Examples
    --------
    >>> axial(8)
    (array([1.  , 0.01, 1.  , 0.01]), array([0, 0, 1, 1]))
    >>> inv_freq, axes = axial(128, split=(44, 42, 42))
    >>> np.unique(axes, return_counts=True)[1]
    array([22, 21, 21])
    """
    if split is None:
        if even(rotary_dim, "rotary_dim") % 4:
            raise ValueError(f"rotary_dim must be a multiple of 4, half of it for each axis, got {rotary_dim}")
        split = (rotary_dim // 2, rotary_dim // 2)
    if isinstance(split, str) or not np.iterable(split):
        raise WrongType(f"split must be a list of integers, got {split!r}")
    split = [even(channels, "split") for channels in split]
    if sum(split) != even(rotary_dim, "rotary_dim"):
        raise ValueError(f"split must have the sum rotary_dim, {rotary_dim}, got {split}")
    inv_freq = np.concatenate([inverse_frequencies(channels, base) for channels in split])
    return inv_freq, np.repeat(np.arange(len(split), dtype=np.int64), np.array(split) // 2)


def pixel_frequencies(rotary_dim: int, max_freq: float = 10.0) -> Floats:
    """Frequencies for positions that span -1 to 1: pi times evenly spaced numbers from 1 to max_freq / 2.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    max_freq : float
        At least 2.

    Returns
    -------
    ndarray, shape (R/2,), float64
        Radians per unit of position.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    lucidrains, rotary-embedding-torch, `freqs_for="pixel"`.

    Examples
    --------
    >>> pixel_frequencies(6, 256).round(3)
    array([  3.142, 202.633, 402.124])
    """
    rotary_dim, max_freq = even(rotary_dim, "rotary_dim"), number(max_freq, "max_freq", least=2)
    return np.linspace(1, max_freq / 2, rotary_dim // 2) * np.pi


def mrope_axes(section: Sequence[int] | NDArray[np.integer[Any]], *, interleaved: bool = False) -> NDArray[np.int64]:
    """M-RoPE: which axis turns each pair.

    Parameters
    ----------
    section : array_like of int, shape (A,)
        Pairs for each axis, in the order time, height, width.
    interleaved : bool
        False: blocks T..T H..H W..W (Qwen2-VL). True: THWTHW.., and T for what is left (Qwen3-VL).

    Returns
    -------
    ndarray, shape (sum of section,), int64
        Index of an axis for each pair.

    Raises
    ------
    TypeError, ValueError
        If `section` does not hold integers of 0 or more, or cannot be interleaved: each axis but the first must find
        its places, every A-th pair, within the table.

    References
    ----------
    Wang et al., "Qwen2-VL", 2024, section 2.1; Qwen Team, "Qwen3-VL", 2025.

    Examples
    --------
    >>> mrope_axes([2, 1, 1])
    array([0, 0, 1, 2])
    >>> mrope_axes([2, 1, 1], interleaved=True)
    array([0, 1, 2, 0])
    """
    if isinstance(section, str) or not np.iterable(section):
        raise WrongType(f"section must be a list of integers, got {section!r}")
    section = [whole(n, "section", 0) for n in section]
    if not any(section):
        raise ValueError(f"section must hold at least one pair, got {section}")
    if not flag(interleaved, "interleaved"):
        return np.repeat(np.arange(len(section), dtype=np.int64), section)
    axes = np.zeros(sum(section), np.int64)
    for index, pairs in enumerate(section[1:], start=1):
        axes[index : index + len(section) * pairs : len(section)] = index
    if [np.count_nonzero(axes == index) for index in range(len(section))] != section:
        raise ValueError(f"section must leave every axis its places when interleaved, got {section}")
    return axes


def mrope_positions(
    parts: Sequence[int | tuple[int, int, int]], *, start: int = 0, time_step: float = 1
) -> tuple[NDArray[np.int64], int]:
    """M-RoPE: positions of text with images and videos in it, and by how much they run behind the count of tokens.

    Parameters
    ----------
    parts : sequence
        In reading order: an int for a stretch of text, its tokens; (T, H, W) for an image (T = 1) or a video, its patches
        along time, height and width, after merging.
    start : int
        Position of the first token, 0 or more.
    time_step : float
        Positions from one patch of time to the next, rounded down (Qwen2.5-VL: tokens per second times seconds a patch).

    Returns
    -------
    positions : ndarray, shape (3, S), int64
        Time, height and width of every token. Text counts along all three alike, and an image from where the text before
        it stopped; text goes on one past the largest position so far.
    delta : int
        The next position minus the tokens so far: in decoding, token n has position n + delta along all axes.

    Raises
    ------
    TypeError, ValueError
        If a part is neither an integer of 0 or more nor three of 1 or more, or `start` or `time_step` is no such number.

    Notes
    -----
    transformers 5.24 goes on from the larger of height and width, even where a video is longer than that and its last
    positions are then given twice; this is the paper's rule.

    References
    ----------
    Wang et al., "Qwen2-VL", 2024, section 2.1.

    Examples
    --------
    >>> positions, delta = mrope_positions([2, (1, 2, 3), 1])
    >>> positions
    array([[0, 1, 2, 2, 2, 2, 2, 2, 5],
           [0, 1, 2, 2, 2, 3, 3, 3, 5],
           [0, 1, 2, 3, 4, 2, 3, 4, 5]])
    >>> delta
    -3
    """
    step, at = number(time_step, "time_step", above=0), whole(start, "start", 0)
    pieces = [np.zeros((3, 0), np.int64)]
    if isinstance(parts, str) or not np.iterable(parts):
        raise WrongType(f"parts must be a sequence of integers and triples (T, H, W), got {parts!r}")
    part: Any
    for part in parts:
        text: bool = not np.iterable(part)  # by a name, for NumPy's own types narrow the part to what has no length
        if text:
            piece = np.broadcast_to(np.arange(whole(part, "a part of text", 0)), (3, part))
        elif len(part) != 3:
            raise ValueError(f"parts must hold integers and triples (T, H, W), got {part!r}")
        else:
            piece = np.indices([whole(n, "a size in parts") for n in part]).reshape(3, -1)
            piece[0] = np.floor(piece[0] * step)
        pieces.append(piece + at)
        at = max(at, int(pieces[-1].max(initial=-1)) + 1)
    positions = np.concatenate(pieces, axis=1)
    return positions, at - positions.shape[1]


def cos_sin_axes(
    positions: ArrayLike, inv_freq: ArrayLike, axes: ArrayLike, dtype: DTypeLike = np.float64
) -> tuple[Array, Array]:
    """Cosine and sine where each pair turns by the position along its own axis.

    Parameters
    ----------
    positions : array_like, shape (A, *B, S)
        One position for each axis. Equal along all axes they give exactly the table of `cos_sin`.
    inv_freq : array_like, shape (P,)
        Radians per position.
    axes : array_like of int, shape (P,)
        Axis of each pair, 0 to A - 1.
    dtype : dtype
        Floating dtype of the tables.

    Returns
    -------
    cos, sin : ndarray, shape (*B, S, P)

    Raises
    ------
    TypeError, ValueError
        As `cos_sin`; and if `axes` does not fit `inv_freq` or `positions`.

    References
    ----------
    Wang et al., "Qwen2-VL", 2024, section 2.1.

    Examples
    --------
    >>> cos, sin = cos_sin_axes(grid_positions(2, 2), *axial(8))
    >>> cos.shape
    (4, 4)
    """
    positions, inv_freq = finite(positions, "positions"), finite(inv_freq, "inv_freq")
    axes = checked_axes(axes, inv_freq)
    if positions.ndim == 0 or axes.max(initial=-1) >= len(positions):
        need = f"positions must have a first axis of at least {axes.max(initial=-1) + 1}, one row an axis that turns"
        raise ValueError(f"{need}, got shape {positions.shape}")
    with np.errstate(over="ignore"):
        return tables(np.moveaxis(positions[axes], 0, -1) * inv_freq, dtype)


def checked_axes(axes: ArrayLike, inv_freq: Floats) -> NDArray[np.int64]:
    """`axes` as integers of 0 or more, one for each pair."""
    axes = plain(axes, "axes")
    if axes.dtype.kind not in "iu":
        raise WrongType(f"axes must hold integers, got dtype {axes.dtype}")
    if inv_freq.ndim != 1 or axes.shape != inv_freq.shape:
        raise ValueError(f"axes must have the shape of inv_freq, (pairs,), got {axes.shape} and {inv_freq.shape}")
    if axes.min(initial=0) < 0:
        raise ValueError(f"axes must be 0 or more, got {axes.min()}")
    return axes.astype(np.int64)
