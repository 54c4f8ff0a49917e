"""One model's rotation: its frequencies, factors, layout and axes, ready to turn queries and keys."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields

import numpy as np

from ._arguments import LAYOUTS, axis, choice, even, finite, number, whole
from .axes import checked_axes, cos_sin_axes
from .rotation import cos_sin, rotate


@dataclass(frozen=True, eq=False)
class Rope:
    """One model's rotation.

    Parameters
    ----------
    inv_freq : ndarray, shape (P,), float64
        Radians per position, P = rotary_dim / 2.
    attention_factor : float
        Factor on cos and sin.
    softmax_factor : float
        Factor on the softmax scale, beside 1 / sqrt(head_dim).
    head_dim, rotary_dim : int
        Channels of a head, and those that rotate. A head that keeps them apart (DeepSeek) gives `rotate` the latter.
    layout : {"interleaved", "half"}
    axes : ndarray of int, shape (P,), or None
        Axis of each pair, where positions have several.
    by_length : callable or None
        Length of a sequence -> (inv_freq, attention_factor), where they depend on it; `inv_freq` is then that of a
        sequence within the trained length.

    Raises
    ------
    TypeError, ValueError
        If `layout` is unknown or sizes do not fit.

    References
    ----------
    `from_config` makes them from published settings.

    Examples
    --------
    >>> rope = Rope(inverse_frequencies(4))
    >>> rope.rotate([[1.0, 2.0, 3.0, 4.0]], [1]).round(4)
    array([[-1.9841,  1.9599,  2.4624,  4.0198]])
    """

    inv_freq: np.ndarray
    attention_factor: float = 1.0
    softmax_factor: float = 1.0
    head_dim: int | None = None
    rotary_dim: int | None = None
    layout: str = "half"
    axes: np.ndarray | None = None
    by_length: Callable | None = field(default=None, repr=False)

    def __post_init__(self):
        choice(self.layout, "layout", LAYOUTS)
        inv_freq = finite(self.inv_freq, "inv_freq").copy()
        rotary = 2 * inv_freq.size if self.rotary_dim is None else even(self.rotary_dim, "rotary_dim")
        head = rotary if self.head_dim is None else whole(self.head_dim, "head_dim")
        if inv_freq.shape != (rotary // 2,) or rotary > head:
            raise ValueError(
                f"inv_freq must have rotary_dim / 2 entries and rotary_dim be at most head_dim, got shape "
                f"{inv_freq.shape}, {rotary} and {head}"
            )
        values = {"inv_freq": inv_freq, "rotary_dim": rotary, "head_dim": head}
        values |= {name: number(getattr(self, name), name, least=0) for name in ("attention_factor", "softmax_factor")}
        if self.axes is not None:
            values["axes"] = checked_axes(self.axes, inv_freq)
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    def __reduce__(self):
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    @property
    def length_dependent(self):
        """bool: whether the frequencies change with the length of the sequence."""
        return self.by_length is not None

    def cos_sin(self, positions):
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
        positions = finite(positions, "positions")
        count = None if self.axes is None else self.axes.max(initial=0) + 1
        if count and positions.ndim < 2:
            positions = np.broadcast_to(positions, (count, *positions.shape))
        if count and len(positions) != count:
            raise ValueError(f"positions must have a first axis of {count}, a row an axis, got shape {positions.shape}")
        if not self.length_dependent:
            return self._table(positions, self.inv_freq, self.attention_factor)
        along = positions if self.axes is None else positions.max(axis=0, initial=-1)
        lengths = (along.max(axis=-1, initial=-1) if along.ndim else along) + 1
        tables = np.zeros((2, *along.shape, len(self.inv_freq)))
        for length in np.unique(lengths):
            rows = lengths == length
            own = positions[rows] if self.axes is None else positions[:, rows]
            tables[:, rows] = self._table(own, *self.by_length(float(length)))
        return tables[0], tables[1]

    def _table(self, positions, inv_freq, factor):
        if self.axes is None:
            cos, sin = cos_sin(positions, inv_freq)
        else:
            cos, sin = cos_sin_axes(positions, inv_freq, self.axes)
        return cos * factor, sin * factor

    def rotate(self, x, positions=None, *, seq_axis=-2, out=None):
        """Rotate queries or keys.

        Parameters
        ----------
        x : array_like, shape (*B, S, D), or (D,) for one token
            As `ropelib.rotate`.
        positions : array_like, shape (*C, S), optional
            As `Rope.cos_sin`; 0 to S - 1 if not given. Axes C belong to the first axes of x.
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
            As `ropelib.rotate`; and if x has neither `head_dim` channels nor `rotary_dim`.

        Examples
        --------
        >>> Rope([1.0]).rotate([[1.0, 0.0], [1.0, 0.0]]).round(4)
        array([[1.    , 0.    ],
               [0.5403, 0.8415]])
        """
        shape = np.shape(x)
        if shape and shape[-1] > self.rotary_dim and shape[-1] != self.head_dim:
            raise ValueError(f"x must have {self.head_dim} channels, or {self.rotary_dim}, got {shape[-1]}")
        if positions is None:
            positions = np.arange(shape[axis(seq_axis, "seq_axis", len(shape))]) if len(shape) > 1 else 0
        return rotate(x, *self.cos_sin(positions), layout=self.layout, seq_axis=seq_axis, out=out)
