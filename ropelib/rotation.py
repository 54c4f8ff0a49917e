"""Turning pairs of channels by position: tables, two layouts, matrix and complex forms, moving between layouts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arguments import LAYOUTS, Array, Floats, Layout, WrongType, axis, choice, even, finite, floating, is_floating, plain, whole
from ._blocks import tables_for, turn


def cos_sin(positions: ArrayLike, inv_freq: ArrayLike, dtype: DTypeLike = np.float64) -> tuple[Array, Array]:
    """Cosine and sine of position times inverse frequency.

    Angles are built in float64 whatever the dtype, and cast last, so that far positions stay apart. What is left is
    float64's own rounding: an angle a is right to about a * 2**-52 radians.

    Parameters
    ----------
    positions : array_like of int or float, shape (*B, S) or ()
        Negative and fractional positions are allowed; integers up to 2**53 in size.
    inv_freq : array_like, shape (P,)
        Radians per position.
    dtype : dtype
        Floating dtype of the tables.

    Returns
    -------
    cos, sin : ndarray, shape (*B, S, P)

    Raises
    ------
    TypeError
        If `positions` or `inv_freq` are not real numbers (booleans are not) or `dtype` is not floating.
    ValueError
        If one of them is not finite, or `inv_freq` has not one axis.

    References
    ----------
    Su et al., "RoFormer", 2021, section 3.4.2.

    Examples
    --------
    >>> cos, sin = cos_sin([0, 1, 2], inverse_frequencies(4))
    >>> cos.shape
    (3, 2)
    """
    positions, inv_freq = finite(positions, "positions"), finite(inv_freq, "inv_freq")
    if inv_freq.ndim != 1:
        raise ValueError(f"inv_freq must have one axis, (pairs,), got shape {inv_freq.shape}")
    with np.errstate(over="ignore"):
        return tables(np.multiply.outer(positions, inv_freq), dtype)


def tables(angles: Floats, dtype: DTypeLike) -> tuple[Array, Array]:
    try:
        known = is_floating(np.dtype(dtype))
    except TypeError:
        known = False
    if not known:
        raise WrongType(f"dtype must be floating, got {dtype!r}")
    if not np.isfinite(angles).all():
        raise ValueError("positions times inv_freq must be finite, got an angle beyond float64")
    return np.cos(angles).astype(dtype, copy=False), np.sin(angles).astype(dtype, copy=False)


def rotate(
    x: ArrayLike, cos: ArrayLike, sin: ArrayLike, *, layout: Layout, seq_axis: int = -2, out: Array | None = None
) -> Array:
    """Turn each pair of channels (a, b) into (a cos - b sin, a sin + b cos).

    Parameters
    ----------
    x : array_like, shape (*B, S, D), or (*B, S, H, D) with `seq_axis=-3`, or (D,) for one token
        Queries or keys. Integers are taken as float64, tensors of PyTorch without their gradient.
    cos, sin : array_like, shape (S, P) or (*C, S, P) or, for one token, (P,)
        From `cos_sin`. 2 P <= D; channels past 2 P pass through untouched. The axes C belong to the first axes of x
        that are not the sequence: positions (batch, S) serve x (batch, heads, S, D) and (batch, S, heads, D) alike.
        An axis of C may be 1; S must agree.
    layout : {"interleaved", "half"}
        Which channels are a pair: (2i, 2i + 1), or (i, i + P). The result has the same layout.
    seq_axis : int
        The axis of x that counts positions.
    out : ndarray, optional
        Shape and dtype of the result; may be x itself.

    Returns
    -------
    ndarray
        Shape and dtype of x (`out` itself if given). float16, bfloat16 and narrower types are computed in float32, all
        else in its own precision; PyTorch's bfloat16, which NumPy has not, comes back as float32. Up to 192 KiB the two
        layouts agree bit for bit; beyond, "interleaved" uses NumPy's complex product, which may round once less.

    Raises
    ------
    TypeError
        If x, cos or sin do not hold real numbers, or `out` is no array or of another dtype.
    ValueError
        If shapes do not fit, `layout` or `seq_axis` is unknown, or `out` cannot be written.

    Notes
    -----
    No temporary is larger than 1 MiB, except a copy of x where `out` overlaps x without being x.

    NaN or infinity in a channel makes NaN of its whole pair, at position 0 too, where sin is 0 and 0 times infinity is NaN;
    other pairs and the channels that pass through keep what they have.

    References
    ----------
    Su et al., "RoFormer", 2021, equation 34 (interleaved); the half layout is that of GPT-NeoX and of Hugging Face.

    Examples
    --------
    >>> cos, sin = cos_sin(1, inverse_frequencies(4))
    >>> rotate([1., 2., 3., 4.], cos, sin, layout="interleaved").round(4)
    array([-1.1426,  1.9221,  2.9599,  4.0298])
    >>> rotate([1., 2., 3., 4.], cos, sin, layout="half").round(4)
    array([-1.9841,  1.9599,  2.4624,  4.0198])
    """
    x = floating(x, "x")
    cos, sin = tables_for(x, cos, sin, out)
    return turn(x, cos.shape, lambda part: (cos[part], sin[part]), layout=layout, seq_axis=seq_axis, out=out)


def rotation_matrix(positions: ArrayLike, inv_freq: ArrayLike, *, layout: Layout) -> Floats:
    """The rotation written out as one block-diagonal orthogonal matrix R_m a position.

    Parameters
    ----------
    positions : array_like, shape (*B,)
    inv_freq : array_like, shape (P,)
        Radians per position.
    layout : {"interleaved", "half"}
        "interleaved" has its 2 x 2 blocks on the diagonal; "half" is the same matrix with channels permuted.

    Returns
    -------
    ndarray, shape (*B, 2P, 2P), float64
        R_m @ x turns a vector of 2P channels.

    Raises
    ------
    TypeError, ValueError
        As `cos_sin`; and if `layout` is unknown.

    References
    ----------
    Su et al., "RoFormer", 2021, equation 15.

    Examples
    --------
    >>> rotation_matrix(1, [1.0], layout="interleaved").round(4)
    array([[ 0.5403, -0.8415],
           [ 0.8415,  0.5403]])
    """
    choice(layout, "layout", LAYOUTS)
    cos, sin = cos_sin(positions, inv_freq)
    pairs = np.arange(cos.shape[-1])
    first, second = (2 * pairs, 2 * pairs + 1) if layout == "interleaved" else (pairs, pairs + len(pairs))
    matrix = np.zeros((*cos.shape[:-1], 2 * len(pairs), 2 * len(pairs)))
    matrix[..., first, first] = matrix[..., second, second] = cos
    matrix[..., second, first], matrix[..., first, second] = sin, -sin
    return matrix


def to_complex(x: ArrayLike, *, layout: Layout) -> Array:
    """Each pair of channels (a, b) as one complex number a + b i: turning it is multiplying by exp(i m theta).

    Parameters
    ----------
    x : array_like, shape (..., D)
        D even.
    layout : {"interleaved", "half"}
        Pairs (2i, 2i + 1), or (i, i + D/2).

    Returns
    -------
    ndarray, shape (..., D/2), complex

    Raises
    ------
    TypeError, ValueError
        If x does not hold real numbers, D is odd, or `layout` is unknown.

    References
    ----------
    Su et al., "RoFormer", 2021, equation 12.

    Examples
    --------
    >>> to_complex([1., 2., 3., 4.], layout="half")
    array([1.+3.j, 2.+4.j])
    """
    choice(layout, "layout", LAYOUTS)
    x = floating(x, "x")
    pairs = even(x.shape[-1] if x.ndim else 0, "the last axis of x") // 2
    a, b = (x[..., ::2], x[..., 1::2]) if layout == "interleaved" else (x[..., :pairs], x[..., pairs:])
    z = np.empty(a.shape, np.result_type(x.dtype, np.complex64))
    z.real, z.imag = a, b
    return z


def from_complex(z: ArrayLike, *, layout: Layout) -> Array:
    """The channels of complex pairs: the inverse of `to_complex`.

    Parameters
    ----------
    z : array_like of complex, shape (..., P)
    layout : {"interleaved", "half"}
        Layout of the result.

    Returns
    -------
    ndarray, shape (..., 2P), float

    Raises
    ------
    TypeError, ValueError
        If z does not hold numbers or `layout` is unknown.

    References
    ----------
    Su et al., "RoFormer", 2021, equation 12.

    Examples
    --------
    >>> from_complex([1 + 3j, 2 + 4j], layout="interleaved")
    array([1., 3., 2., 4.])
    """
    choice(layout, "layout", LAYOUTS)
    z = plain(z, "z")
    if z.dtype.kind not in "iufc" or z.ndim == 0:
        raise WrongType(f"z must be an array of complex numbers, got dtype {z.dtype}, shape {z.shape}")
    stacked = np.stack([z.real, z.imag], axis=-1 if layout == "interleaved" else -2)
    return np.asarray(stacked.reshape(*z.shape[:-1], 2 * z.shape[-1]).astype(np.result_type(z.real, np.float16), copy=False))


def to_half(x: ArrayLike, axis: int = -1) -> Array:
    """Reorder channels from interleaved to half layout: (0, 1, 2, 3) becomes (0, 2, 1, 3).

    Parameters
    ----------
    x : array_like, shape (..., R, ...)
        Any dtype. Only channels that rotate: leave out those past the rotary dimension.
    axis : int
        The axis of channels, of even length R.

    Returns
    -------
    ndarray
        A new array of the same shape and dtype.

    Raises
    ------
    ValueError
        If the axis is missing or of odd length.

    References
    ----------
    Hugging Face transformers, `convert_llama_weights_to_hf.py`.

    Examples
    --------
    >>> to_half([0, 1, 2, 3])
    array([0, 2, 1, 3])
    """
    return _reorder(x, axis, lambda n: np.arange(n).reshape(-1, 2).T.ravel())


def to_interleaved(x: ArrayLike, axis: int = -1) -> Array:
    """Reorder channels from half to interleaved layout: the inverse of `to_half`.

    Parameters
    ----------
    x : array_like, shape (..., R, ...)
        Any dtype. Only channels that rotate.
    axis : int
        The axis of channels, of even length R.

    Returns
    -------
    ndarray
        A new array of the same shape and dtype.

    Raises
    ------
    ValueError
        If the axis is missing or of odd length.

    References
    ----------
    Hugging Face transformers, `convert_llama_weights_to_hf.py`, read backwards.

    Examples
    --------
    >>> to_interleaved([0, 2, 1, 3])
    array([0, 1, 2, 3])
    """
    return _reorder(x, axis, lambda n: np.arange(n).reshape(2, -1).T.ravel())


def _reorder(x: ArrayLike, channels: int, order: Callable[[int], Array]) -> Array:
    x = plain(x, "x")
    channels = axis(channels, "axis", x.ndim)
    return x.take(order(even(x.shape[channels], f"the length of axis {channels}")), axis=channels)


def permute_weights(w: ArrayLike, heads: int, *, to: Layout, rotary_dim: int | None = None, rotary_start: int = 0) -> Array:
    """Reorder the output rows of a query or key projection, head by head, so that its outputs are in another layout.

    Scores stay the same when both projections are permuted and `rotate` is given the new layout. Under grouped
    queries the key projection has fewer heads: give each projection its own number.

    Parameters
    ----------
    w : array_like, shape (H * D, ...)
        Weight (outputs, inputs), as PyTorch stores it, or bias (outputs,).
    heads : int
        Heads in this projection, H.
    to : {"half", "interleaved"}
        Layout wanted; w is in the other one.
    rotary_dim : int, optional
        Channels of each head that rotate; the rest stay. All from `rotary_start` on if not given.
    rotary_start : int
        The first of them. DeepSeek V2 and V3 have them last: 128 in `q_b_proj`, whose heads are 128 + 64.

    Returns
    -------
    ndarray
        A new array of the same shape and dtype; a PyTorch parameter gives an array too.

    Raises
    ------
    TypeError, ValueError
        If `heads` does not divide the outputs, `to` is unknown, or the channels that rotate are odd in number or reach
        beyond D.

    References
    ----------
    Hugging Face transformers, `convert_llama_weights_to_hf.py`.

    Examples
    --------
    >>> permute_weights([0, 1, 2, 3, 4, 5, 6, 7], 2, to="half")
    array([0, 2, 1, 3, 4, 6, 5, 7])
    >>> permute_weights([0, 1, 2, 3, 4, 5], 1, to="half", rotary_start=2)
    array([0, 1, 2, 4, 3, 5])
    """
    choice(to, "to", LAYOUTS)
    w, heads = plain(w, "w"), whole(heads, "heads")
    if w.ndim == 0 or w.shape[0] % heads:
        raise ValueError(f"w must have a number of rows that {heads} heads divide, got shape {w.shape}")
    head_dim, start = w.shape[0] // heads, whole(rotary_start, "rotary_start", 0)
    if start >= head_dim:
        raise ValueError(f"rotary_start must be one of the {head_dim} channels of a head, got {start}")
    stop = start + even(head_dim - start if rotary_dim is None else rotary_dim, "rotary_dim")
    if stop > head_dim:
        last = f"must not reach beyond the {head_dim} channels of a head"
        raise ValueError(f"rotary_dim {last}, got {stop - start} from rotary_start={start} on")
    result = w.reshape(heads, head_dim, *w.shape[1:]).copy()
    reorder = to_half if to == "half" else to_interleaved
    result[:, start:stop] = reorder(result[:, start:stop], axis=1)
    return result.reshape(w.shape)
