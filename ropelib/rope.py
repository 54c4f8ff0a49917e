"""One model's rotation: its frequencies, factors, layout and axes, ready to turn queries and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import LAYOUTS, Array, Floats, Layout, WrongType, axis, choice, even, finite, flag, floating, number, whole
from ._blocks import Part, Tables, turn
from .axes import checked_axes, cos_sin_axes
from .rotation import cos_sin
from .scaling import forward

ByLength = Callable[[float], tuple[Floats, float]]
ByPosition = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False, init=False)
class Rope:
    """One model's rotation.

    Parameters
    ----------
    inv_freq : array_like, shape (P,)
        Radians per position, P = rotary_dim / 2; kept as float64. Every argument is an attribute of the same name.
    attention_factor : float
        Factor on cos and sin.
    softmax_factor : float
        Factor on the softmax scale, beside 1 / sqrt(head_dim).
    head_dim, rotary_dim : int
        Channels of a head, and those that rotate: 2 P if not given. A layer without rotation has 0 of the latter, and
        must name the former.
    layout : {"interleaved", "half"}
    axes : ndarray of int, shape (P,), or None
        Axis of each pair, where positions have several.
    by_length : callable or None
        Length of a sequence -> (inv_freq, attention_factor), where they depend on it; `inv_freq` is then that of a
        sequence within the trained length.
    rotary_start : int
        The first channel of a whole head that rotates. DeepSeek V2 and V3 keep the channels that rotate last: 128.
    direction : {1, -1}
        -1 where a family turns by minus position times frequency (nanochat).
    rotates_values : bool
        True where values carry the rotation too, so that the output must be turned back (DeepSeek V4).
    by_position : callable or None
        Positions (float64, at least 0) -> factor on queries, where they have one that grows with position.

    Raises
    ------
    TypeError, ValueError
        If `layout` is unknown, sizes do not fit, or an argument is of the wrong type.

    References
    ----------
    `from_config` makes them from published settings.

    Examples
    --------
    >>> rope = Rope(inverse_frequencies(4))
    >>> rope.rotate([[1.0, 2.0, 3.0, 4.0]], [1]).round(4)
    array([[-1.9841,  1.9599,  2.4624,  4.0198]])
    """

    inv_freq: Floats
    attention_factor: float
    softmax_factor: float
    head_dim: int
    rotary_dim: int
    layout: Layout
    axes: NDArray[np.int64] | None
    by_length: ByLength | None = field(repr=False)
    rotary_start: int
    direction: int
    rotates_values: bool
    by_position: ByPosition | None = field(repr=False)

    def __init__(
        self,
        inv_freq: ArrayLike,
        attention_factor: float = 1.0,
        softmax_factor: float = 1.0,
        head_dim: int | None = None,
        rotary_dim: int | None = None,
        layout: Layout = "half",
        axes: ArrayLike | None = None,
        by_length: ByLength | None = None,
        rotary_start: int = 0,
        direction: int = 1,
        rotates_values: bool = False,
        by_position: ByPosition | None = None,
    ) -> None:
        inv_freq = finite(inv_freq, "inv_freq").copy()
        rotary_dim = 2 * inv_freq.size if rotary_dim is None else even(rotary_dim, "rotary_dim", 0)
        if rotary_dim == 0 and head_dim is None:
            raise ValueError("head_dim must be given for a layer without rotation, whose inv_freq is empty, got None")
        head_dim = rotary_dim if head_dim is None else whole(head_dim, "head_dim")
        if inv_freq.shape != (rotary_dim // 2,) or rotary_dim > head_dim:
            need = "inv_freq must have rotary_dim / 2 entries and rotary_dim be at most head_dim"
            raise ValueError(f"{need}, got shape {inv_freq.shape}, {rotary_dim} and {head_dim}")
        if whole(rotary_start, "rotary_start", 0) + rotary_dim > head_dim:
            raise ValueError(f"rotary_start must leave {rotary_dim} of {head_dim} channels to rotate, got {rotary_start}")
        if isinstance(direction, bool) or direction not in (1, -1):
            raise ValueError(f"direction must be 1 or -1, got {direction!r}")
        for name, value in (("by_length", by_length), ("by_position", by_position)):
            if value is not None and not callable(value):
                raise WrongType(f"{name} must be callable or None, got {value!r}")
        checked = (
            inv_freq,
            number(attention_factor, "attention_factor", least=0),
            number(softmax_factor, "softmax_factor", least=0),
            head_dim,
            rotary_dim,
            choice(layout, "layout", LAYOUTS),
            None if axes is None else checked_axes(axes, inv_freq),
            by_length,
            int(rotary_start),
            int(direction),
            flag(rotates_values, "rotates_values"),
            by_position,
        )
        for each, value in zip(fields(self), checked, strict=True):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, each.name, value)

    def __reduce__(self) -> tuple[type[Rope], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    @property
    def length_dependent(self) -> bool:
        """bool: whether the frequencies change with the length of the sequence."""
        return self.by_length is not None

    def cos_sin(self, positions: ArrayLike) -> tuple[Floats, Floats]:
        """Tables of cosine and sine, times the attention factor.

        Where the frequencies depend on length, each row of positions is a sequence of length max + 1 of its own.

        Parameters
        ----------
        positions : array_like, shape (*B, S)
            With `axes`: (A, *B, S), or (S,) for text, whose position is the same along all axes.

        Returns
        -------
        cos, sin : ndarray, shape (*B, S, P), float64

        Raises
        ------
        TypeError, ValueError
            If positions are not finite numbers or have not a row for each axis.

        Examples
        --------
        >>> Rope([1.0], attention_factor=2.0).cos_sin([0])
        (array([[2.]]), array([[0.]]))
        """
        shape, tables = self._tables(positions)
        return tables((slice(None),) * (len(shape) - 1))

    def _tables(self, positions: ArrayLike) -> tuple[tuple[int, ...], Tables]:
        """The shape of the tables, and what makes any part of them: a long text never has all of its own at once."""
        positions = finite(positions, "positions")
        count = None if self.axes is None else int(self.axes.max(initial=0)) + 1
        if count and positions.ndim < 2:
            positions = np.broadcast_to(positions, (count, *positions.shape))
        if count and len(positions) != count:
            raise ValueError(f"positions must have a first axis of {count}, a row an axis, got shape {positions.shape}")
        along = positions.max(axis=0, initial=-1) if count else positions
        lengths = (along.max(axis=-1, initial=-1) if along.ndim else along) + 1
        by_length = lru_cache(self.by_length or self._at_any_length)
        fastest = max((np.abs(by_length(float(length))[0]).max(initial=0) for length in np.unique(lengths)), default=0.0)
        with np.errstate(over="ignore"):  # nothing is written before all angles are known to be sound
            if not np.isfinite(np.abs(positions).max(initial=0) * fastest):
                raise ValueError("positions times inv_freq must be finite, got an angle beyond float64")

        def tables(part: Part) -> tuple[Floats, Floats]:
            own = positions[(slice(None), *part)] if count else positions[part]
            if self.by_length is None:
                return self._table(own, self.inv_freq, self.attention_factor)
            both = np.zeros((2, *along[part].shape, len(self.inv_freq)))
            for length in np.unique(lengths[part[:-1]]):
                rows = lengths[part[:-1]] == length
                both[:, rows] = self._table(own[:, rows] if count else own[rows], *by_length(float(length)))
            return both[0], both[1]

        return (*along.shape, len(self.inv_freq)), tables

    def _at_any_length(self, length: float) -> tuple[Floats, float]:
        return self.inv_freq, self.attention_factor

    def _table(self, positions: Floats, inv_freq: Floats, factor: float) -> tuple[Floats, Floats]:
        if self.axes is None:
            cos, sin = cos_sin(positions, inv_freq)
        else:
            cos, sin = cos_sin_axes(positions, inv_freq, self.axes)
        return cos * factor, sin * (factor * self.direction)

    def query_factor(self, positions: ArrayLike) -> Floats:
        """The factor on queries by position, beside the rotation; 1 for a model that has none.

        Parameters
        ----------
        positions : array_like, shape (*B,)
            At least 0.

        Returns
        -------
        ndarray, shape (*B,), float64

        Raises
        ------
        TypeError, ValueError
            If positions are not finite numbers of at least 0.

        Examples
        --------
        >>> Rope([1.0]).query_factor([0, 8192])
        array([1., 1.])
        """
        positions = forward(positions)
        if self.by_position is None:
            return np.ones(positions.shape)
        factor = finite(self.by_position(positions), "by_position(positions)")
        if factor.shape != positions.shape:
            raise ValueError(f"by_position must keep the shape of positions, {positions.shape}, got {factor.shape}")
        return factor

    def rotate(self, x: ArrayLike, positions: ArrayLike | None = None, *, seq_axis: int = -2, out: Array | None = None) -> Array:
        """Rotate queries or keys.

        Parameters
        ----------
        x : array_like, shape (*B, S, D), or (D,) for one token
            Whole heads, D = `head_dim`, or only the channels that rotate, D = `rotary_dim`. Else as `ropelib.rotate`.
        positions : array_like, shape (*C, S), optional
            As `Rope.cos_sin`; 0 to S - 1 if not given. Axes C belong to the first axes of x.
        seq_axis : int
            The axis of x that counts positions.
        out : ndarray, optional
            Where the result goes; may be x.

        Returns
        -------
        ndarray
            Shape and dtype of x. Channels that do not rotate are as they were.

        Raises
        ------
        TypeError, ValueError
            As `ropelib.rotate`; and if x has neither `head_dim` channels nor `rotary_dim`.

        Examples
        --------
        >>> Rope([1.0]).rotate([[1.0, 0.0], [1.0, 0.0]]).round(4)
        array([[1.    , 0.    ],
               [0.5403, 0.8415]])
        >>> Rope([1.0], head_dim=4, rotary_start=2).rotate([[1.0, 2.0, 3.0, 4.0]], [1]).round(4)
        array([[ 1.    ,  2.    , -1.745 ,  4.6856]])
        """
        x = self._head(x)
        if positions is None:
            positions = np.arange(x.shape[axis(seq_axis, "seq_axis", x.ndim)]) if x.ndim > 1 else 0
        shape, tables = self._tables(positions)
        if len(shape) == 1:  # a single position
            shape, tables = (1, *shape), partial(_one_row, tables)
        start = self.rotary_start if x.shape[-1] == self.head_dim else 0
        return turn(x, shape, tables, layout=self.layout, seq_axis=seq_axis, out=out, start=start, name="positions")

    def unrotate(
        self, x: ArrayLike, positions: ArrayLike | None = None, *, seq_axis: int = -2, out: Array | None = None
    ) -> Array:
        """Turn back what `rotate` turned at the same positions. The attention factor is left out: lengths stay.

        Parameters
        ----------
        x : array_like, shape (*B, S, D), or (D,) for one token
        positions : array_like, shape (*C, S), optional
            0 to S - 1 if not given.
        seq_axis : int
            The axis of x that counts positions.
        out : ndarray, optional
            Where the result goes; may be x.

        Returns
        -------
        ndarray
            Shape and dtype of x. `unrotate(rotate(x))` is `attention_factor` times x, in the channels that rotate.

        Raises
        ------
        TypeError, ValueError
            As `Rope.rotate`.

        Examples
        --------
        >>> rope = Rope([1.0], attention_factor=2.0)
        >>> rope.unrotate(rope.rotate([[1.0, 2.0]], [9]), [9]).round(4)
        array([[2., 4.]])
        """
        return self._plain(-1).rotate(x, positions, seq_axis=seq_axis, out=out)

    def shift(self, x: ArrayLike, by: ArrayLike, *, seq_axis: int = -2, out: Array | None = None) -> Array:
        """Move rotated keys to other positions: turn by the difference alone, without the attention factor they have.

        Rotating them a second time would apply the factor (YaRN's) a second time too.

        Parameters
        ----------
        x : array_like, shape (*B, S, D), or (D,) for one token
            Keys that `rotate` has turned.
        by : float, or array_like of shape (*C, S)
            New position minus old: one number for all, or as `positions` of `Rope.rotate`.
        seq_axis : int
            The axis of x that counts positions.
        out : ndarray, optional
            Where the result goes; may be x.

        Returns
        -------
        ndarray
            Shape and dtype of x.

        Raises
        ------
        TypeError, ValueError
            As `Rope.rotate`; and if the frequencies depend on the length of the sequence, so that moved keys would
            have to be rotated anew.

        Examples
        --------
        >>> rope = Rope([1.0], attention_factor=2.0)
        >>> moved = rope.shift(rope.rotate([[1.0, 2.0]], [9]), -5)
        >>> bool(np.allclose(moved, rope.rotate([[1.0, 2.0]], [4])))
        True
        """
        if self.length_dependent:
            raise ValueError("shift needs frequencies that do not depend on length, got a rope with by_length: rotate anew")
        x, by = self._head(x), finite(by, "by")
        if by.ndim == 0 and x.ndim > 1:
            by = np.broadcast_to(by, x.shape[axis(seq_axis, "seq_axis", x.ndim)])
        return self._plain(1).rotate(x, by, seq_axis=seq_axis, out=out)

    def _plain(self, sense: int) -> Rope:
        """This rotation without its factor, or its inverse."""
        by_length = self.by_length and partial(_without_factor, self.by_length)
        return replace(self, attention_factor=1.0, direction=sense * self.direction, by_length=by_length)

    def _head(self, x: ArrayLike) -> Array:
        x = floating(x, "x")
        if x.ndim == 0 or x.shape[-1] not in (self.head_dim, self.rotary_dim):
            fits = " or ".join(map(str, sorted({self.head_dim, self.rotary_dim}, reverse=True)))
            raise ValueError(f"x must have {fits} channels, got shape {x.shape}")
        return x


def _one_row(tables: Tables, part: Part) -> tuple[Array, Array]:
    cos, sin = tables(())
    return cos[None], sin[None]


def _without_factor(by_length: ByLength, length: float) -> tuple[Floats, float]:
    return by_length(length)[0], 1.0
