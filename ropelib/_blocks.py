"""The loops of `rotate`: a large array turns in blocks that stay in a core's cache, and tables are made as they are needed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ._arguments import LAYOUTS, Array, WrongType, axis, choice, real, work_dtype

# Bytes of a block of x, and of a table beside it: all temporaries together stay under 1 MiB.
_BLOCK = 3 * 2**16

Part = tuple[slice, ...]
Tables = Callable[[Part], tuple[Array, Array]]  # cosine and sine of a part: a slice for each axis of the table but the last
Kernel = Callable[[Array, Array, Part], None]  # turns a block of x into a block of the result


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
    kernel = _by_complex_product if layout == "interleaved" and source.nbytes > _BLOCK else _by_swapping
    for part in blocks((*shape[:-1], 2 * shape[-1]), _BLOCK // work.itemsize):
        index = [slice(None)] * (source.ndim - 1)
        for i, length, piece in zip(order, shape, part, strict=False):
            index[i] = piece if length > 1 else slice(None)
        cos, sin = (_spread(table, order, source.ndim) for table in tables(part))
        _turn_part(source[tuple(index)], target[tuple(index)], cos, sin, work, layout, kernel)
    return out


def _turn_part(
    x: Array, out: Array, cos: Array, sin: Array, work: np.dtype[Any], layout: str, kernel: Callable[..., Kernel]
) -> None:
    """All of x that one part of the table serves."""
    native = x.dtype == work and x.strides[-1] == out.strides[-1] == x.itemsize
    size = min(x.size, _BLOCK // work.itemsize // (1 if native else 2))
    turn_block = kernel(cos, sin, work, layout, size)
    for block in blocks(x.shape, size):
        if native:
            turn_block(x[block], out[block], block)
        else:
            result = np.empty(x[block].shape, work)
            turn_block(x[block].astype(work), result, block)
            out[block] = result


def _by_swapping(cos: Array, sin: Array, work: np.dtype[Any], layout: str, size: int) -> Kernel:
    """x [cos, cos] + swapped (x [sin, -sin])."""
    pairs = cos.shape[-1]
    both, join = ((pairs, 2), -1) if layout == "interleaved" else ((2, pairs), -2)
    straight, crossed = np.empty((2, *cos.shape[:-1], *both), work)
    straight[...] = np.expand_dims(cos, join)
    crossed[...] = np.expand_dims(sin, join)
    crossed *= np.array([1, -1], work).reshape([2, 1][:-join])
    scratch = np.empty(max(size, 2 * pairs), work)

    def turn_block(x: Array, out: Array, block: Part) -> None:
        x, out = (array.reshape(*array.shape[:-1], *both) for array in (x, out))
        product = scratch[: x.size].reshape(x.shape)
        np.multiply(x, _piece(crossed, block), out=product)
        np.multiply(x, _piece(straight, block), out=out)
        if layout == "interleaved":
            out[..., 0] += product[..., 1]
            out[..., 1] += product[..., 0]
        else:  # NumPy walks a reversed view row by row, which short rows do not repay
            out += product[..., ::-1, :] if pairs >= 32 else product.take([1, 0], axis=-2, mode="clip")

    return turn_block


def _by_complex_product(cos: Array, sin: Array, work: np.dtype[Any], layout: str, size: int) -> Kernel:
    """Interleaved pairs are complex numbers, and turning is one multiplication."""
    table = np.empty(cos.shape, np.result_type(work, np.complex64))
    table.real, table.imag = cos, sin

    def turn_block(x: Array, out: Array, block: Part) -> None:
        np.multiply(x.view(table.dtype), _piece(table, block), out=out.view(table.dtype))

    return turn_block


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


def _piece(table: Array, block: Part) -> Array:
    """A block of the table, whole along the axes on which it has length 1."""
    return table[tuple(part if n > 1 else slice(None) for part, n in zip(block, table.shape, strict=False))]


def apart(array: Array, out: Array) -> Array:
    """`array`, or a copy where writing `out` would change what is still to be read."""
    try:
        overlaps = np.shares_memory(array, out, max_work=1000)
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
        raise ValueError(f"{need}, got x of shape {x.shape}")
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
    return np.moveaxis(table.reshape(*lead, *ones, length, pairs), -2, order[-1])
