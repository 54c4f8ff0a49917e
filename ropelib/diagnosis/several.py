"""Positions along several axes: what code does with those of one axis, where that alone is wrong."""

import itertools
from collections.abc import Iterator

import numpy as np

from .named import Beside, Told
from .report import Array


def along_axes(side: Beside, far: tuple[Array, Array, Array]) -> Told | None:
    """An offset of one axis, two axes exchanged, or positions that stop: what gives y in every row."""
    x, y, places = far
    if side.code.position_axes < 2 or side.rope.length_dependent:
        return None
    right = places.max(0)[~side.wrong(y, side.rope.rotate(x, places), places)]
    for got, moved in _moved(places, right.max(initial=0)):
        if not side.wrong(y, side.rope.rotate(x, moved), places).any():
            return "positions", "as given", got
    return None


def _moved(places: Array, most: float) -> Iterator[tuple[str, Array]]:
    every = range(len(places))
    for axis, by in itertools.product(every, (1, -1, 2, -2)):
        yield f"{by:+d} on axis {axis}", places + by * (np.arange(len(places)) == axis)[:, None]
    for a, b in itertools.combinations(every, 2):
        order = [b if n == a else a if n == b else n for n in every]
        yield f"axes {a} and {b} exchanged", places[order]
    yield f"stops at {most:.0f}", np.minimum(places, most)
