"""Slips that make one set of frequencies of another, and descriptions in other words that give the same numbers."""

import itertools

import numpy as np

from .explanations import BASES, Explanation
from .report import Array
from .turning import wrap


def cause(theta: Array, want: Array, error: Array, width: int) -> str:
    """The slip that makes speeds `theta` (P,) of those that were wanted, if one does; angles beyond pi come back round."""
    pairs = len(want)
    positive = np.maximum(want, 1e-300)
    slips = {
        "degrees for radians: times pi / 180": want * np.pi / 180,
        "degrees for radians: times 180 / pi": want * 180 / np.pi,
        "rotated twice, or positions doubled": 2 * want,
        "exponent i/d instead of 2i/d": positive**0.5,
        "exponent 4i/d instead of 2i/d": positive**2,
        "frequencies not inverted": 1 / positive,
        "the fastest pair last": want[::-1],
        "frequencies with 2 pi": 2 * np.pi * want,
        "frequencies in turns, without 2 pi": want / (2 * np.pi),
    }
    if pairs > 1:
        slips["exponents that reach 1: linspace with its end point, d/2 - 1 for d/2"] = positive ** (pairs / (pairs - 1))
        slips["index from 1 instead of 0"] = want * (positive[1] / positive[0])
        slips["one frequency for every pair"] = want[0] + 0 * want
    if 2 * pairs < width:
        slips["head_dim in the exponent"] = positive ** (2 * pairs / width)
        slips["the slice in the exponent of a head"] = positive ** (width / (2 * pairs))
    speeds = np.stack([*slips.values()])
    other = abs(speeds - want) > 1e-4 * want + error
    away = abs(wrap(theta - speeds))
    found = other.any(1) & (away < 1e-4 * np.minimum(speeds, np.pi) + error).all(1)
    return [*slips][int(np.argmax(found))] if found.any() else ""


def same_numbers(found: Explanation, rotary_dim: int, width: int, layout: str) -> dict[str, float]:
    """Other descriptions that give these very frequencies, and the base that each amounts to."""
    low, high, out = found.low, found.high, dict[str, float]()

    def within(told: str, power: float) -> None:
        a, b = low**power * (1 - 1e-6), high**power * (1 + 1e-6)
        out.update({f"base {base:g} with {told}": base ** (1 / power) for base in BASES if a <= base <= b})

    if found.method in ("plain", "proportional"):
        within("exponent i/d instead of 2i/d", 2.0)
        if rotary_dim < width:
            note = " (rope_type proportional)" if layout == "interleaved" else ""
            within(f"head_dim in the exponent{note}", width / rotary_dim)
        if rotary_dim > 2:
            power = rotary_dim / (rotary_dim - 2)
            within("exponents that reach 1, i/(d/2 - 1)", 1 / power)
            for base, factor in itertools.product((1e4, 1e5, 5e5, 1e6), (2, 4, 8, 16, 32)):
                if low <= base * factor**power <= high:
                    out[f"NTK factor {factor:g} of base {base:g}"] = base * factor**power
    if found.method == "linear":
        near = max(4 * found.factor_error, 1e-6 * found.factor)
        if abs(found.factor - found.base ** (2 / rotary_dim)) < near:
            out["index from 1 instead of 0"] = found.base
        if abs(found.factor - 0.5) < near:
            out["rotated twice, or positions doubled"] = found.base
        if abs(found.factor * np.pi / 180 - 1) < near:
            out["degrees for radians: times pi / 180"] = found.base
    return out
