"""Turning pairs of channels by position: tables, two layouts, matrix and complex forms, moving between layouts."""

import itertools

import numpy as np

from ._arguments import LAYOUTS, WrongType, axis, choice, even, finite, floating, plain, real, whole

# Bytes. A table and a block of x stay together in a core's cache; all temporaries together stay under 1 MiB.
_TABLE, _BLOCK = 2**18, 3 * 2**16


def cos_sin(positions, inv_freq, dtype=np.float64):
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


def tables(angles, dtype):
    try:
        known = np.dtype(dtype).kind == "f"
    except TypeError:
        known = False
    if not known:
        raise WrongType(f"dtype must be floating, got {dtype!r}")
    if not np.isfinite(angles).all():
        raise ValueError("positions times inv_freq must be finite, got an angle beyond float64")
    return np.cos(angles).astype(dtype, copy=False), np.sin(angles).astype(dtype, copy=False)


def rotate(x, cos, sin, *, layout, seq_axis=-2, out=None):
    """Turn each pair of channels (a, b) into (a cos - b sin, a sin + b cos).

    Parameters
    ----------
    x : array_like, shape (*B, S, D), or (*B, S, H, D) with `seq_axis=-3`, or (D,) for one token
        Queries or keys. Integers are taken as float64.
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
        Shape and dtype of x (`out` itself if given). float16 is computed in float32, all else in its own precision. Up
        to 192 KiB the two layouts agree bit for bit; beyond, "interleaved" uses NumPy's complex product, which may
        round once less.

    Raises
    ------
    TypeError
        If x, cos or sin do not hold real numbers, or `out` is no array or of another dtype.
    ValueError
        If shapes do not fit, `layout` or `seq_axis` is unknown, or `out` cannot be written.

    Notes
    -----
    No temporary is larger than 1 MiB, except a copy of x where `out` overlaps x without being x.

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
    return turn(x, cos, sin, layout=layout, seq_axis=seq_axis, out=out)


def turn(x, cos, sin, *, layout, seq_axis, out, start=0):
    """`rotate`, with the channels that rotate beginning at `start`."""
    choice(layout, "layout", LAYOUTS)
    x, cos, sin = floating(x, "x"), real(cos, "cos"), real(sin, "sin")
    if out is None:
        out = np.empty_like(x, subok=False)
    else:
        x, cos, sin = _apart(_checked(out, x), x, cos, sin)
    source, target, cos, sin = _fitted(x, out, cos, sin, seq_axis)
    stop = start + 2 * cos.shape[-1]
    if source is not target:
        target[..., :start], target[..., stop:] = source[..., :start], source[..., stop:]
    source, target = source[..., start:stop], target[..., start:stop]
    work = np.promote_types(x.dtype.newbyteorder("="), np.float32)
    whole_pairs = x.dtype.type == work.type and source.strides[-1] == target.strides[-1] == x.itemsize
    if layout == "interleaved" and whole_pairs and source.nbytes > _BLOCK:
        _turn_complex(source, target, cos, sin, work)
    elif source.size:
        _turn_blocks(source, target, cos, sin, work, layout)
    return out


def _checked(out, x):
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise WrongType(f"out must be a NumPy array, got {type(out).__name__}")
    if out.dtype != x.dtype:
        raise WrongType(f"out must have the dtype of the result, {x.dtype}, got {out.dtype}")
    if out.shape != x.shape:
        raise ValueError(f"out must have the shape of x, {x.shape}, got {out.shape}")
    if not out.flags.writeable or any(out.size and n > 1 and step == 0 for n, step in zip(out.shape, out.strides, strict=True)):
        raise ValueError("out must be writeable, each element by itself, got a read-only or a broadcast array")
    return out


def _apart(out, x, cos, sin):
    """The inputs, copied where writing `out` would change what is still to be read."""

    def overlaps(a):
        try:
            return np.shares_memory(a, out, max_work=1000)
        except np.exceptions.TooHardError:
            return True

    same = x is out or (x.strides == out.strides and x.ctypes.data == out.ctypes.data)
    return (out if same else x.copy() if overlaps(x) else x, *(a.copy() if overlaps(a) else a for a in (cos, sin)))


def _fitted(x, out, cos, sin, seq_axis):
    """x and out with at least two axes, and the tables with as many, in x's order of axes."""
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have the same shape, got {cos.shape} and {sin.shape}")
    if x.ndim == 0 or cos.ndim == 0:
        raise ValueError(f"x must end in channels and cos in pairs, got shapes {x.shape} and {cos.shape}")
    if 2 * cos.shape[-1] > x.shape[-1]:
        need = f"cos has {cos.shape[-1]} pairs, which need x to have at least {2 * cos.shape[-1]} channels"
        raise ValueError(f"{need}, got x of shape {x.shape}")
    given = f"x of shape {x.shape} with seq_axis={seq_axis}, cos of shape {cos.shape}"
    if x.ndim == 1 and seq_axis == -2:
        x, out = (x[None],) * 2 if x is out else (x[None], out[None])
    seq = axis(seq_axis, "seq_axis", x.ndim)
    if seq == x.ndim - 1:
        raise ValueError(f"seq_axis must not be the last axis, which holds the channels, got {seq_axis}")
    if cos.ndim == 1:
        cos, sin = cos[None], sin[None]
    batch = [n for i, n in enumerate(x.shape[:-1]) if i != seq]
    lead = cos.shape[:-2]
    if cos.shape[-2] != x.shape[seq]:
        raise ValueError(f"cos must have a row for each of the {x.shape[seq]} positions of x, got {given}")
    if len(lead) > len(batch) or any(n not in (1, m) for n, m in zip(lead, batch, strict=False)):
        raise ValueError(f"the first axes of cos must be 1 or those of x, {tuple(batch)}, got {given}")
    shape = (*lead, *[1] * (len(batch) - len(lead)), *cos.shape[-2:])
    return x, out, *(np.moveaxis(table.reshape(shape), -2, seq) for table in (cos, sin))


def _blocks(shape, size):
    """Slices that cut all axes but the last into blocks of at most `size` elements, or of one row."""
    rows, steps = max(1, size // max(1, shape[-1])), []
    for n in reversed(shape[:-1]):
        steps.insert(0, max(1, min(n, rows)))
        rows = max(1, rows // steps[0])
    cuts = ([slice(i, i + step) for i in range(0, n, step)] for n, step in zip(shape[:-1], steps, strict=True))
    return itertools.product(*cuts)


def _part(array, block, like):
    """The block of `array`, whole along the axes on which `like` has length 1."""
    return array[tuple(part if n > 1 else slice(None) for part, n in zip(block, like.shape, strict=False))]


def _turn_complex(x, out, cos, sin, work):
    """Interleaved pairs are complex numbers: one multiplication on a view."""
    pairs = np.result_type(work, np.complex64)
    view = pairs.newbyteorder(x.dtype.byteorder)
    for block in _blocks(cos.shape, _TABLE // pairs.itemsize):
        table = np.empty(cos[block].shape, pairs)
        table.real, table.imag = cos[block], sin[block]
        np.multiply(_part(x, block, cos).view(view), table, out=_part(out, block, cos).view(view))


def _turn_blocks(x, out, cos, sin, work, layout):
    """x [cos, cos] + swapped x [-sin, sin], in blocks that stay in cache."""
    size = _BLOCK // work.itemsize // (1 if x.dtype == work else 2)
    for block in _blocks((*cos.shape[:-1], 2 * cos.shape[-1]), size):
        _turn_block(_part(x, block, cos), _part(out, block, cos), cos[block], sin[block], work, layout, size)


def _turn_block(x, out, cos, sin, work, layout, size):
    pairs = cos.shape[-1]
    both, join = ((pairs, 2), -1) if layout == "interleaved" else ((2, pairs), -2)
    straight, crossed = np.empty((2, *cos.shape[:-1], *both), work)
    straight[:] = np.expand_dims(cos, join)
    crossed[:] = np.expand_dims(sin, join)
    minus = np.moveaxis(crossed, join, 0)[0]
    np.negative(minus, out=minus)
    straight, crossed = (table.reshape(*cos.shape[:-1], 2 * pairs) for table in (straight, crossed))
    most = max(1, min(size, x.size) // (2 * pairs))
    swap, buffer = np.arange(2 * most) ^ 1, np.empty((2 * most, pairs), work)
    for inner in _blocks(x.shape, size):
        a, b = x[inner], out[inner]
        native = a.dtype == work
        if not native:
            a, b = a.astype(work), np.empty(a.shape, work)
        swapped = buffer[: a.size // pairs]
        if layout == "half":
            a.reshape(-1, pairs).take(swap[: len(swapped)], axis=0, out=swapped, mode="clip")
        else:
            swapped.reshape(-1, *both)[...] = a.reshape(-1, *both)[..., ::-1]
        swapped = swapped.reshape(a.shape)
        swapped *= _part(crossed, inner, crossed)
        np.multiply(a, _part(straight, inner, straight), out=b)
        b += swapped
        if not native:
            out[inner] = b


def rotation_matrix(positions, inv_freq, *, layout):
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


def to_complex(x, *, layout):
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


def from_complex(z, *, layout):
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
    return stacked.reshape(*z.shape[:-1], 2 * z.shape[-1]).astype(np.result_type(z.real, np.float16), copy=False)


def to_half(x, axis=-1):
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


def to_interleaved(x, axis=-1):
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


def _reorder(x, channels, order):
    x = plain(x, "x")
    channels = axis(channels, "axis", x.ndim)
    return x.take(order(even(x.shape[channels], f"the length of axis {channels}")), axis=channels)


def permute_weights(w, heads, *, to, rotary_dim=None, rotary_start=0):
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
