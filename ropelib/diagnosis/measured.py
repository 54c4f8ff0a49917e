"""What a layout reads of x and y: the angle of every pair in every row, with its error, and the mean over what leads."""

from dataclasses import dataclass

import numpy as np

from .formats import Format
from .layouts import Pairing, Reading
from .report import Array, Mask
from .turning import Turning


@dataclass(frozen=True)
class Measured:
    """Angles of (heads, rows, pairs) and what they were read from.

    `z` are their phasors and `error` their standard deviations, `weight` is their inverse square, and `spread` has `loose`
    more where float32 is inside; `mean` (rows, pairs) is the phasor that all heads share if they turn `alike`, else the
    first head's.
    """

    x: Array
    y: Array
    places: Array
    form: Format
    pairing: Pairing
    layout_known: bool
    angle: Array
    z: Array
    error: Array
    weight: Array
    spread: Array
    loose: float
    alike: bool
    mean: Array
    mean_error: Array

    @property
    def pairs(self) -> int:
        return self.pairing.rotary_dim // 2

    @property
    def lead(self) -> tuple[int, ...]:
        return tuple(map(int, self.x.shape[:-2]))

    @property
    def one_axis(self) -> bool:
        return len(self.places) == 1

    def ideal(self, base: float) -> Array:
        """The speeds of a base, nothing else done to them."""
        return np.asarray(base ** (-2 * np.arange(self.pairs) / self.pairing.rotary_dim))

    def without(self, quarters: int, direction: int) -> Array:
        """The mean angles of sense 1 without a constant phase."""
        return np.asarray(np.angle(self.mean * np.exp(-0.5j * np.pi * quarters)) * direction)

    def apart(self, axis: int, z: Array | None = None) -> Array:
        """How far angles are from their mean along an axis, in errors."""
        return _apart(self.z if z is None else z, self.weight, self.spread, axis)


@dataclass(frozen=True)
class Turns:
    """How the pairs turn.

    `seen` pairs turn visibly, `good` ones well enough to tell an offset; `speed` is that of `found` with the fastest pair's
    above zero, `straight` says whether angles lie on lines, and `moved` is a row that does not.
    """

    found: Turning
    seen: Mask
    good: Mask
    speed: Array
    straight: bool
    moved: int | None


def measure(x: Array, y: Array, places: Array, form: Format, pairing: Pairing, reading: Reading, layout_known: bool) -> Measured:
    """Angles with the errors that the number format of y leaves them."""
    rows, width = x.shape[-2:]
    _, source, _, _ = pairing.columns()
    size = np.sqrt((x.reshape(-1, width)[:, source] ** 2).sum(1)) * reading.scale
    error = (form.relative * size + form.step) / np.sqrt(np.maximum(reading.information, 1e-300))
    error = np.minimum(error + (form.relative if form.coarse else 0), 1e3)
    angle, z, error = (each.reshape(-1, rows, pairing.rotary_dim // 2) for each in (reading.angle, reading.turn, error))
    loose = 1e-6 if form.relative < 1e-6 else 0.0  # float32 inside
    weight, spread = error**-2.0, np.hypot(error, loose)
    alike = bool(np.sqrt((_apart(z, weight, spread, 0) ** 2).mean()) < 4)
    if alike:
        pooled = (weight * z).sum(0)
        mean, mean_error = pooled / np.maximum(abs(pooled), 1e-300), weight.sum(0) ** -0.5
    else:
        mean, mean_error = z[0], error[0]
    if form.coarse:
        mean_error = np.maximum(mean_error, form.relative)
    return Measured(x, y, places, form, pairing, layout_known, angle, z, error, weight, spread, loose, alike, mean, mean_error)


def _apart(z: Array, weight: Array, spread: Array, axis: int) -> Array:
    middle = (weight * z).sum(axis, keepdims=True)
    return np.asarray(abs(np.angle(z * middle.conj())) / spread)
