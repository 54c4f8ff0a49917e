"""Number formats: rounding to them, and which of them holds every number of an array."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .report import Array

ROUNDING = {"bfloat16": 2.0**-8, "float16": 2.0**-11}  # of the coarse formats, relative
COARSE = tuple(ROUNDING)


def float16(a: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(a, np.float16).astype(np.float64)


def float32(a: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(a, np.float32).astype(np.float64)


def bfloat16(a: Array) -> Array:
    """Round half to even at 8 significant bits."""
    with np.errstate(over="ignore"):
        bits = np.ascontiguousarray(a, np.float32).view(np.uint32).astype(np.uint64)
    return (
        ((bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000))
        .astype(np.uint32)
        .view(np.float32)
        .astype(np.float64)
    )


@dataclass(frozen=True)
class Format:
    """The coarsest number format that holds every value: its relative and absolute rounding."""

    name: str
    relative: float
    absolute: float

    @property
    def coarse(self) -> bool:
        return self.name in COARSE

    @property
    def covers_angles(self) -> bool:
        """Whether its own rounding covers that of angles: of exact ones it leaves 0.1 to 0.3 errors."""
        return self.coarse or self.absolute > 1e-12

    @property
    def step(self) -> float:
        """The absolute error that is allowed: decimals, and the small numbers of float16, twice."""
        return self.absolute * (2 if self.absolute > 1e-12 else 1)


def number_format(y: Array) -> Format:
    """The format of y, seen from its values alone."""
    few = y.ravel()[:64]  # most formats are ruled out by these

    def holds(rounded: Callable[..., Any], within: float = 0.0) -> bool:
        return all(bool((abs(rounded(each) - each) <= within).all()) for each in (few, y))

    if holds(bfloat16):
        return Format("bfloat16", ROUNDING["bfloat16"], 0.0)
    if abs(y).max(initial=0) < 6e4 and holds(float16):
        return Format("float16", ROUNDING["float16"], 3e-8)
    for digits in range(2, 9):
        if holds(partial(np.round, decimals=digits), 1e-12):
            return Format(f"{digits} decimals", 0.0, 0.5 * 10.0**-digits)
    if holds(float32):
        return Format("float32", 2.0**-24, 1e-38)
    return Format("float64", 2.0**-53, 1e-300)
