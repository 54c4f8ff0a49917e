"""The loops of `rotate`: a large array turns in blocks that stay in a core's cache, and tables are made as they are needed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ._arguments import LAYOUTS, Array, WrongType, axis, choice, real, work_dtype

# Bytes of a block of x beside two tables, and of one table beside nothing: all temporaries together stay under 1 MiB.
_BLOCK, _TABLE = 3 * 2**16, 2**18
_WORK: Any = 1000  # steps that a search for an overlap may take; NumPy's own types name two of its special values alone

Part = tuple[slice, ...]
Tables = Callable[[Part], tuple[Array, Array]]  # cosine and sine of a part: a slice for each axis of the table but the last


def turn(
    x: Array,
    shape: Sequence[int],
    tables: Tables,
    *,
    layout: str,
    seq_axis: int,
    out: Any = None,
    start: int = 0,
    name: str = "cos",
) -> Array:
    """Turn the channels of x from `start` on by tables of `shape` (*C, S, P), named `name` where they do not fit."""
    choice(layout, "layout", LAYOUTS)
    if out is None:
        out = np.empty_like(x, subok=False)
    else:
        same = (x.strides, x.ctypes.data) == (_checked(out, x).strides, out.ctypes.data)
        x = out if same else apart(x, out)
    source, target = (x[None], out[None]) if x.ndim == 1 and seq_axis == -2 else (x, out)
    order = _fitted(source.shape, shape, seq_axis, name)
    stop = start + 2 * shape[-1]
    if x is not out:
        target[..., :start], target[..., stop:] = source[..., :start], source[..., stop:]
    source, target = source[..., start:stop], target[..., start:stop]
    if not source.size:
        return out

    work = work_dtype(x.dtype)
    large = layout == "interleaved" and source.nbytes > _BLOCK
    turn_part, size = (_turn_by_product, _TABLE) if large else (_turn_by_swapping, _BLOCK)
    for part in blocks((*shape[:-1], 2 * shape[-1]), size // work.itemsize):
        index = [slice(None)] * (source.ndim - 1)
        for i, length, piece in zip(order, shape, part, strict=False):
            index[i] = piece if length > 1 else slice(None)
        cos, sin = (_spread(table, order, source.ndim) for table in tables(part))
        turn_part(source[tuple(index)], target[tuple(index)], cos, sin, work, layout)
    return out


def _turn_by_swapping(x: Array, out: Array, cos: Array, sin: Array, work: np.dtype[Any], layout: str) -> None:
    """All of x that a part of the tables serves: x [cos, cos] + swapped (x [sin, -sin])."""
    pairs = cos.shape[-1]
    both, join = ((pairs, 2), -1) if layout == "interleaved" else ((2, pairs), -2)
    straight, crossed = np.empty((2, *cos.shape[:-1], *both), work)
    straight[...] = np.expand_dims(cos, join)
    crossed[...] = np.expand_dims(sin, join)
    crossed *= np.array([1, -1], work).reshape([2, 1][:-join])
    x, out = (array.reshape(*array.shape[:-1], *both) for array in (x, out))  # views, as one axis is split

    native = x.dtype == work
    size = min(x.size, max(_BLOCK // work.itemsize // (1 if native else 2), 2 * pairs))
    scratch = np.empty(size, work)
    for block in blocks((*x.shape[:-2], 2 * pairs), size):
        a = x[block] if native else x[block].astype(work)
        b = out[block] if native else np.empty_like(a)
        product = scratch[: a.size].reshape(a.shape)
        piece = _piece(cos, block)
        np.multiply(a, crossed[piece], out=product)
        np.multiply(a, straight[piece], out=b)
        if layout == "interleaved":
            b[..., 0] += product[..., 1]
            b[..., 1] += product[..., 0]
        else:  # NumPy walks a reversed view row by row, which short rows do not repay
            b += product[..., ::-1, :] if pairs >= 32 else product.take([1, 0], axis=-2, mode="clip")
        if not native:
            out[block] = b


def _turn_by_product(x: Array, out: Array, cos: Array, sin: Array, work: np.dtype[Any], layout: str) -> None:
    """All of x that a part of the tables serves: interleaved pairs are complex numbers, times cos + i sin."""
    table = np.empty(cos.shape, np.result_type(work, np.complex64))
    table.real, table.imag = cos, sin
    if x.dtype == work and x.strides[-1] == out.strides[-1] == x.itemsize:
        np.multiply(x.view(table.dtype), table, out=out.view(table.dtype))
        return
    for block in blocks(x.shape, _BLOCK // work.itemsize):
        pairs = x[block].astype(work, order="C").view(table.dtype)
        pairs *= table[_piece(cos, block)]
        out[block] = pairs.view(work)


def blocks(shape: Sequence[int], size: int) -> Iterator[Part]:
    """Slices that cut all axes but the last into blocks of at most `size` elements, or of one row."""
    steps: list[int] = []
    rows = max(1, size // max(1, shape[-1]))
    for n in reversed(shape[:-1]):
        steps.insert(0, max(1, min(n, rows)))
        rows = max(1, rows // steps[0])
    return itertools.product(
        *([slice(i, i + step) for i in range(0, n, step)] for n, step in zip(shape[:-1], steps, strict=True))
    )


def _piece(table: Array, block: Part) -> Part:
    """Where a block of x finds its own part of a table, which is all of it along axes of length 1."""
    return tuple([part if n > 1 else slice(None) for part, n in zip(block, table.shape, strict=False)])


def apart(array: Array, out: Array) -> Array:
    """`array`, or a copy where writing `out` would change what is still to be read."""
    try:
        overlaps = np.shares_memory(array, out, max_work=_WORK)
    except np.exceptions.TooHardError:
        overlaps = True
    return array.copy() if overlaps else array


def tables_for(x: Array, cos: Any, sin: Any, out: Any) -> tuple[Array, Array]:
    """cos and sin as tables of rows, where they have no more pairs than x."""
    cos, sin = real(cos, "cos"), real(sin, "sin")
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have the same shape, got {cos.shape} and {sin.shape}")
    if x.ndim == 0 or cos.ndim == 0:
        raise ValueError(f"x must end in channels and cos in pairs, got shapes {x.shape} and {cos.shape}")
    if 2 * cos.shape[-1] > x.shape[-1]:
        need = f"cos has {cos.shape[-1]} pairs, which need x to have at least {2 * cos.shape[-1]} channels"
        twice = "; a table of transformers holds each pair twice: give each once" if cos.shape[-1] == x.shape[-1] else ""
        raise ValueError(f"{need}, got x of shape {x.shape}{twice}")
    if isinstance(out, np.ndarray):
        cos, sin = apart(cos, out), apart(sin, out)
    return (cos[None], sin[None]) if cos.ndim == 1 else (cos, sin)


def _checked(out: Any, x: Array) -> Array:
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise WrongType(f"out must be a NumPy array, got {type(out).__name__}")
    if out.dtype != x.dtype:
        raise WrongType(f"out must have the dtype of the result, {x.dtype}, got {out.dtype}")
    if out.shape != x.shape:
        raise ValueError(f"out must have the shape of x, {x.shape}, got {out.shape}")
    if not out.flags.writeable or any(out.size and n > 1 and step == 0 for n, step in zip(out.shape, out.strides, strict=True)):
        raise ValueError("out must be writeable, each element by itself, got a read-only or a broadcast array")
    return out


def _fitted(x: tuple[int, ...], table: Sequence[int], seq_axis: int, name: str) -> list[int]:
    """The axis of x that each axis of the table but the last belongs to."""
    seq = axis(seq_axis, "seq_axis", len(x))
    if seq == len(x) - 1:
        raise ValueError(f"seq_axis must not be the last axis, which holds the channels, got {seq_axis}")
    given = f"x of shape {x} with seq_axis={seq_axis}, {name} of shape {tuple(table if name == 'cos' else table[:-1])}"
    *lead, length, _ = table
    if length != x[seq]:
        raise ValueError(f"{name} must have a row for each of the {x[seq]} positions of x, got {given}")
    batch = [i for i in range(len(x) - 1) if i != seq]
    if len(lead) > len(batch) or any(n not in (1, x[i]) for n, i in zip(lead, batch, strict=False)):
        raise ValueError(f"the first axes of {name} must be 1 or those of x, {tuple(x[i] for i in batch)}, got {given}")
    return [*batch[: len(lead)], seq]


def _spread(table: Array, order: list[int], ndim: int) -> Array:
    """The table with as many axes as x, each where x has it."""
    *lead, length, pairs = table.shape
    ones = [1] * (ndim - 1 - len(order))
    spread = table.reshape(*lead, *ones, length, pairs)
    return spread if order[-1] == ndim - 2 else np.moveaxis(spread, -2, order[-1])  # moving nothing costs as much as a small turn
