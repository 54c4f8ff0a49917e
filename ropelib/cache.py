"""Keys and values of the tokens seen so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import Array, Floats, WrongType, finite, flag, floating, real, whole
from ._blocks import Part, turn
from .attention import Mask, attend, tokens_of
from .rope import Rope


class KVCache:
    """Keys and values of the tokens seen so far, so that each step computes only the new ones.

    Keys are kept un-rotated and turned when they are looked at, which costs no more than the look: where the rope
    depends on the sequence's length, all of them turn differently when it grows. What the window has left behind is
    dropped.

    Parameters
    ----------
    rope : Rope
        What rotates queries and keys.
    window : int, optional
        Sliding window in tokens of the row, the token itself counted; all of the past if not given.
    sinks : int
        First tokens of each row that stay in sight beside the window.
    renumber : bool
        False: positions are those in the text. True: those inside the cache, as StreamingLLM counts, so that no query
        stands beyond sinks + window - 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong type or out of its range; if there are sinks or new numbers without a window, or
        new numbers for a rope that depends on length or has several axes.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", 2022; Xiao et al., "Efficient Streaming Language Models with
    Attention Sinks", 2023, section 3.2.

    Examples
    --------
    >>> cache = KVCache(Rope(inverse_frequencies(4)), window=3, sinks=2, renumber=True)
    >>> for _ in range(10):
    ...     output, weights = cache.attend(np.ones((1, 1, 1, 4)), np.ones((1, 1, 1, 4)), np.ones((1, 1, 1, 2)))
    >>> cache.order, cache.positions
    (array([[0, 1, 7, 8, 9]]), array([[0, 1, 2, 3, 4]]))
    """

    def __init__(self, rope: Rope, window: int | None = None, *, sinks: int = 0, renumber: bool = False) -> None:
        if not isinstance(rope, Rope):
            raise WrongType(f"rope must be a Rope, got {type(rope).__name__}")
        self.rope = rope
        self.window = None if window is None else whole(window, "window")
        self.sinks, self.renumber = whole(sinks, "sinks", 0), flag(renumber, "renumber")
        if self.window is None and (self.sinks or self.renumber):
            raise ValueError("window must be given where there are sinks or new numbers, got None")
        if self.renumber and (rope.axes is not None or rope.length_dependent):
            raise ValueError("renumber needs a rope with one axis and one table for every length, got another")
        if rope.axes is not None and rope.by_position is not None:
            raise ValueError("rope must have one axis where queries have a factor by position, got several")
        if rope.rotates_values and rope.attention_factor != 1:
            raise ValueError(f"attention_factor must be 1 where values rotate too, got {rope.attention_factor:g}")
        self._keys: Array | None = None
        self._values: Array | None = None
        self._order: NDArray[np.int64] = np.zeros((0, 0), np.int64)
        self._positions: Array = np.zeros((*self._axes, 0, 0), np.int64)
        self._next: Array = np.zeros((0, 1), np.int64)

    @property
    def order(self) -> NDArray[np.int64]:
        """ndarray, shape (B, K), int64: which token of its row each column holds, from 0; -1 for padding."""
        return self._order.copy()

    @property
    def positions(self) -> Array:
        """ndarray, shape (B, K), or (A, B, K) with axes: position of every token held, by which it rotates."""
        if self.renumber:
            newest = self._order.max(axis=-1, keepdims=True, initial=-1)
            moved = np.maximum(newest - (self.sinks + (self.window or 0) - 1), 0)
            return np.where(self._order < self.sinks, self._positions, self._positions - moved)
        return self._positions.copy()

    @property
    def nbytes(self) -> int:
        """int: bytes of the keys and values held."""
        return 0 if self._keys is None or self._values is None else self._keys.nbytes + self._values.nbytes

    @property
    def _axes(self) -> tuple[int, ...]:
        return () if self.rope.axes is None else (int(self.rope.axes.max(initial=0)) + 1,)

    def attend(
        self,
        q: ArrayLike,
        k: ArrayLike,
        v: ArrayLike,
        tokens: ArrayLike | None = None,
        positions: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """Take new tokens in and let their queries look at all tokens in sight, causally.

        Parameters
        ----------
        q : array_like, shape (B, H, S, D)
            Queries of the new tokens, not rotated; D is the rope's `head_dim`.
        k : array_like, shape (B, G, S, D)
        v : array_like, shape (B, G, S, E)
        tokens : array_like of bool, shape (B, S), optional
            False = padding, which nobody looks at and which takes no position. All tokens if not given.
        positions : array_like, shape (B, S), or (A, B, S) with axes, optional
            Of the new tokens, as after an image (`mrope_positions`). If not given, each row goes on from the largest
            position it has, along all axes alike.

        Returns
        -------
        output : ndarray, shape (B, H, S, E)
        weights : ndarray, shape (B, H, S, K)
            K columns: what was held, then the new tokens.

        Raises
        ------
        TypeError, ValueError
            If shapes do not fit each other, the rope or what is held; the cache is then as before.

        Examples
        --------
        >>> cache = KVCache(Rope(inverse_frequencies(4)))
        >>> x = np.ones((2, 1, 3, 4))
        >>> _ = cache.attend(x, x, x, tokens=[[0, 1, 1], [1, 1, 1]])
        >>> cache.positions
        array([[0, 0, 1],
               [0, 1, 2]])
        """
        q, k, v = floating(q, "q"), floating(k, "k"), floating(v, "v")
        if not q.ndim == k.ndim == v.ndim == 4 or q.shape[::2] != k.shape[::2]:
            need = "q, k and v must have shapes (B, H, S, D), (B, G, S, D) and (B, G, S, E)"
            raise ValueError(f"{need}, got {q.shape}, {k.shape} and {v.shape}")
        for name, array in (("q", q), ("k", k), ("v", v))[: 3 if self.rope.rotates_values else 2]:
            if array.shape[-1] != self.rope.head_dim:
                raise ValueError(f"{name} must have the {self.rope.head_dim} channels of a head, got {array.shape[-1]}")
        keys, values = _joined(self._keys, k, "k"), _joined(self._values, v, "v")
        order, positions, following = self._numbered(len(q), q.shape[-2], tokens, positions)
        columns = order.shape[-1]
        allowed = np.tri(q.shape[-2], columns, columns - q.shape[-2], dtype=bool) & (order >= 0)[:, None, :]
        if self.window is not None:  # padding takes no place in it
            distance = order[:, columns - q.shape[-2] :, None] - order[:, None, :]
            allowed &= (distance < self.window) | (order < self.sinks)[:, None, :]
        result = self._look(q, keys, values, order, positions, allowed[:, None])
        if self.window is not None:
            newest = order.max(axis=-1, keepdims=True, initial=-1)
            keep = ((order >= 0) & ((order < self.sinks) | (newest - order < self.window))).any(axis=0)
            keys, values, order, positions = keys[:, :, keep], values[:, :, keep], order[:, keep], positions[..., keep]
        self._keys, self._values, self._order, self._positions, self._next = keys, values, order, positions, following
        return result

    def _numbered(
        self, batch: int, new: int, tokens: ArrayLike | None, positions: ArrayLike | None
    ) -> tuple[NDArray[np.int64], Array, Array]:
        """Numbers and positions of old and new tokens, and each row's next position."""
        held = np.ones((batch, new), bool) if tokens is None else tokens_of(tokens, "tokens")
        if held.shape != (batch, new):
            raise ValueError(f"tokens must have shape (B, S) = {(batch, new)}, got {held.shape}")
        shape = (*self._axes, batch, new)
        first = self._keys is None
        order, old, start = (
            (np.zeros((batch, 0), np.int64), np.zeros((*shape[:-1], 0), np.int64), np.zeros((batch, 1), np.int64))
            if first
            else (self._order, self._positions, self._next)
        )
        count = held.cumsum(axis=-1, dtype=np.int64) - 1
        if positions is None:
            own: Array = np.broadcast_to(np.maximum(start + count, 0), shape)
        elif self.renumber:
            raise ValueError("positions must not be given where the cache counts its own")
        else:
            finite(positions, "positions")
            own = real(positions, "positions")
            if own.shape != shape:
                raise ValueError(f"positions must have shape {shape}, got {own.shape}")
        furthest = np.where(held, own, -1).max(axis=0 if self._axes else ()).max(axis=-1, keepdims=True, initial=-1)
        number = np.where(held, order.max(axis=-1, keepdims=True, initial=-1) + 1 + count, -1)
        return np.concatenate([order, number], -1), np.concatenate([old, own], -1), np.maximum(start, furthest + 1)

    def _look(
        self, q: Array, keys: Array, values: Array, order: NDArray[np.int64], positions: Array, allowed: Mask
    ) -> tuple[Array, Array]:
        """Attention of the newest tokens over all."""
        rope, own = self.rope, slice(keys.shape[-2] - q.shape[-2], None)
        cos, sin = rope.cos_sin(positions)  # the whole row decides its length, so its new queries turn by its table too
        keys, at = _turned(rope, keys, cos, sin), positions[..., own]
        turned = _turned(rope, q, cos[:, own], sin[:, own])
        if self.renumber:  # what is in the window is as far away by either count; sinks are nearer by the cache's
            at = np.minimum(at, self.sinks + (self.window or 0) - 1)
            turned = np.concatenate([turned, _turned(rope, q, *rope.cos_sin(at))], axis=-1)
            sink, none = (order < self.sinks)[:, None, :, None], np.zeros((), keys.dtype)
            keys = np.concatenate([np.where(sink, none, keys), np.where(sink, keys, none)], axis=-1)
        if rope.by_position is not None:
            turned = (turned * rope.query_factor(at)[:, None, :, None]).astype(turned.dtype)
        if rope.rotates_values:
            values = _turned(rope, values, cos, sin)
        output, weights = attend(turned, keys, values, mask=allowed, scale=rope.softmax_factor * rope.head_dim**-0.5)
        if rope.rotates_values:
            output = _turned(rope, output, cos[:, own], -sin[:, own])
        return output, weights


def _turned(rope: Rope, x: Array, cos: Floats, sin: Floats) -> Array:
    def tables(part: Part) -> tuple[Array, Array]:
        return cos[part], sin[part]

    return turn(x, cos.shape, tables, layout=rope.layout, seq_axis=-2, start=rope.rotary_start)


def _joined(old: Array | None, new: Array, name: str) -> Array:
    if old is None:
        return new.copy()
    try:
        return np.concatenate([old, new], axis=-2)
    except (TypeError, ValueError):
        held, got = f"{old.dtype} of shape {old.shape}", f"{new.dtype} of shape {new.shape}"
        raise ValueError(f"{name} must fit what the cache holds, {held}, got {got}") from None
