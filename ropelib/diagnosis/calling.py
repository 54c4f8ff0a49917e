"""An implementation as the probes call it: x alone or q with k, with positions or without, its axes in any order."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import as_numpy
from .report import Array, Failure

ROUNDED = {"float16": 2e-2, "bfloat16": 0.1, "float32": 2e-4}  # numbers of a coarse format in a finer one
NOT_FINITE = "returns NaN or infinity"
TOLERANCE = {"float16": 2e-2, "float32": 2e-4, "float64": 1e-9}
ADVICE = (
    "an array back; takes= names what fn takes ('x', 'x positions', 'q k', 'q k positions'), axes=, head_dim= and kv_heads= its "
    "shape; or wrap it: lambda x: fn(torch.from_numpy(x))"
)


class Stop(Exception):
    """What fn does leaves nothing to probe."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


class Code:
    """fn, called on x (B, H, S, D) in float64; what it does that none should is kept in `failures` and `notes`."""

    def __init__(
        self,
        fn: Callable[..., Any],
        takes: str,
        axes: str,
        width: int,
        heads: tuple[int, int],
        position_axes: int,
        kind: np.dtype[Any],
        seed: int,
    ) -> None:
        self.fn, self.takes, self.axes, self.width = fn, takes.split(), axes, width
        self.heads, self.kv_heads = heads
        self.position_axes, self.kind, self.random = position_axes, kind, np.random.default_rng(seed)
        self.near = TOLERANCE[kind.name]
        self.has_positions, self.pair = "positions" in self.takes, "q" in self.takes
        self.kept = "".join(letter for letter in "bhsd" if letter in axes)
        self.exchanged = self.reused = False
        self.switch: int | None = None  # the length from which most angles are others
        self.overwritten = ""  # the argument that a call changed
        self.returned_before: list[tuple[Array, Array]] = []  # what fn gave, and a copy of it
        self.returned = kind
        self.failures: list[Failure] = []
        self.notes: list[str] = []

    def call(self, x: Array, positions: Array | None = None, which: int = 0) -> Array:
        """What fn makes of x. Where it takes q and k, x is q (k, if `which` is 1), and the other is not the same."""
        if not self.pair:
            return self._called([x], positions)[0]
        heads = self.heads if which else self.kv_heads
        other = np.roll(x if heads == x.shape[1] else x[:, np.arange(heads) % x.shape[1]], 1, axis=-1)
        return self.both(*((other, x) if which else (x, other)), positions)[which]

    def both(self, q: Array, k: Array, positions: Array | None = None) -> tuple[Array, Array]:
        """What fn makes of q (B, H, S, D) and k (B, kv_heads, S, D)."""
        first, second = self._called([q, k], positions)
        return (second, first) if self.exchanged else (first, second)

    def as_query_and_key(self, k: Array, positions: Array | None = None) -> tuple[Array, Array]:
        """What fn makes of k (B, kv_heads, S, D) where it comes as q, and where it comes as k."""
        q = k[:, np.arange(self.heads) % self.kv_heads]
        return self.call(q, positions)[:, : self.kv_heads], self.call(k, positions, 1)

    def _called(self, arrays: list[Array], positions: Array | None) -> list[Array]:
        if "b" in self.axes:
            return self._one(arrays, positions)
        rows = [self._one([each[None] for each in row], positions) for row in zip(*arrays, strict=True)]
        return [np.concatenate(each) for each in zip(*rows, strict=True)]

    def _one(self, arrays: list[Array], positions: Array | None) -> list[Array]:
        given = [self._laid_out(x.astype(self.kind)) for x in arrays]
        arguments = [each.copy() for each in given]
        rows = arrays[0].shape[2]
        if self.has_positions:
            places = np.arange(rows) if positions is None else positions.astype(np.int64)
            arguments.append(
                np.broadcast_to(places, (self.position_axes, rows)).copy() if self.position_axes > 1 else places.copy()
            )
        kept = [*given, *(each.copy() for each in arguments[len(given) :])]
        names = "qk" if self.pair else "x"
        told = " and ".join(f"{name} of shape {each.shape}" for name, each in zip(names, given, strict=True))
        told = f"{told} ({', '.join(self.axes)}), {self.kind}"
        if positions is not None and self.has_positions:
            told += f", positions up to {positions.max():,.0f}"
        try:
            out = self.fn(*arguments)
        except Exception as error:
            raise Stop(Failure(f"raises {type(error).__name__}", told, str(error)[:200] or "no message", ADVICE)) from error
        if self.pair and (not isinstance(out, tuple | list) or len(out) != 2):
            raise Stop(Failure("returns no pair", told, type(out).__name__, "q and k, both turned"))
        try:
            made = [as_numpy(each, "what fn returns") for each in (out if self.pair else [out])]
        except (TypeError, ValueError) as error:
            raise Stop(Failure("returns no array of numbers", told, str(error)[:200], "an array like x")) from error
        shapes, wanted = [each.shape for each in made], [each.shape for each in given]
        if shapes != wanted:
            what = "returns q and k in exchanged order" if shapes == wanted[::-1] else "changes the shape"
            raise Stop(Failure(what, told, " and ".join(map(str, shapes)), " and ".join(map(str, wanted))))
        for each in made:
            if not np.isfinite(each).all():
                numbers = f"{(~np.isfinite(each)).sum()} such numbers"
                raise Stop(Failure(NOT_FINITE, told, numbers, "finite numbers"))
        changed = [n for n, (a, b) in enumerate(zip(arguments, kept, strict=True)) if not np.array_equal(a, b)]
        if changed and not self.overwritten:
            self.overwritten = "positions" if changed[0] == len(given) else "x"
        self.reused |= any(not np.array_equal(*each) for each in self.returned_before)
        self.returned_before = [(each, each.copy()) for each in made if each.size < 2**16]
        self.returned = made[0].dtype
        back = [np.einsum(f"{self.axes}->{self.kept}", each.astype(np.float64)) for each in made]
        return [each.reshape(x.shape) for each, x in zip(back, arrays, strict=True)]

    def _laid_out(self, x: Array) -> Array:
        narrow = x.reshape([n for n, letter in zip(x.shape, "bhsd", strict=True) if letter in self.kept])
        return np.ascontiguousarray(np.einsum(f"{self.kept}->{self.axes}", narrow))

    def allowed(self, positions: Array) -> Array:
        """How far angles in float32 may put rows at these positions off."""
        return np.asarray(20 * self.near + 2.0**-20 * abs(positions) * (self.near > 1e-6))

    def apart(self, y: Array, want: Array, positions: Array, *, exact: bool = False) -> Array:
        """Which rows of (B, H, S, D) are further from what is wanted than that; angles in float32 pass unless `exact` is asked.

        In a coarse format single numbers tell little, and all of a row together tell more.
        """
        angles = 2.0**-20 * farthest(positions) * (self.near > 1e-6 or not exact)
        away = abs(y - want)
        off = away.max((0, 1, 3)) > (2 if self.near > 1e-2 else 20) * self.near + angles
        if self.near > 1e-2:
            off |= np.sqrt((away**2).mean((0, 1, 3))) > self.near / 5 + angles
        return np.asarray(off)

    def noise(self, *shape: int) -> Array:
        return self.random.standard_normal(shape).astype(self.kind).astype(np.float64)

    def fail(self, what: str, input: str, got: str, expected: str) -> None:
        self.failures.append(Failure(what, input, got, expected))


def farthest(positions: Array) -> Array:
    """How far from 0 each row is (S,), on whichever of its axes is the farthest: positions (S,) or (axes, S)."""
    return np.asarray(abs(positions) if positions.ndim == 1 else abs(positions).max(0))


def marks(end: int) -> list[int]:
    """Where code may change its ways, from 256 to below 2**end: powers of two, the next position, and half way on."""
    return [r for k in range(8, end) for r in (2**k, 2**k + 1, 3 * 2 ** (k - 1))]


def shown(vector: Array, digits: int = 4) -> str:
    """The largest entries of a vector in terms of one-hot vectors."""
    most = sorted(int(i) for i in np.argsort(-abs(vector))[:4] if abs(vector[i]) > 1e-4)
    return " ".join(f"{vector[i]:+.{digits}f} e{i}" for i in most) or "0"


def beside(got: Array, want: Array) -> tuple[str, str]:
    """Both, in as many digits as tell them apart."""
    for digits in range(4, 13):
        told = shown(got, digits), shown(want, digits)
        if told[0] != told[1]:
            break
    return told
