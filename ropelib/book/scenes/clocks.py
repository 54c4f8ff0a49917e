"""A dial for each pair of channels, and their wavelengths on a line that a base stretches."""

import numpy as np

from ... import inverse_frequencies, wavelengths
from .parts import speaker

PAIRS, LARGER, BEYOND = 64, 1e6, 8000  # as in clocks.js


def build(head_dim=128, base=10_000, length=4096, position=3000):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    head_dim : int
        128: the scene has room for 64 dials.
    base : float
        100 to 100 000, with two digits that count: the scene tries a larger one.
    length : int
        Training length, a power of two from 128 to 4096: the scene looks back as far as 8000.
    position : int
        The distance at first, 1 to `length`.

    Raises
    ------
    ValueError
        If the scene has no room for it, or would then say what is not so.
    """
    if head_dim != 2 * PAIRS:
        raise ValueError(f"head_dim: got {head_dim}, expected {2 * PAIRS}: the scene has {PAIRS} dials")
    if not 100 <= base <= 100_000 or float(f"{base:.1e}") != base:
        raise ValueError(f"base: got {base}, expected 100 to 100 000 with at most two digits that count, as 10 000 or 25 000")
    if length not in [2**k for k in range(7, 13)]:
        raise ValueError(f"length: got {length}, expected a power of two from 128 to 4096")
    if not 1 <= position <= length:
        raise ValueError(f"position: got {position}, expected 1 to {length}, within training")

    def never(base):
        return int(np.count_nonzero(wavelengths(inverse_frequencies(head_dim, base)) >= length))

    speeds = inverse_frequencies(head_dim, base)
    turned = np.mod(BEYOND * speeds, 2 * np.pi)
    lost = int(np.count_nonzero(turned > length * speeds))
    if not (never(LARGER) > never(base) and 0 < lost < PAIRS):
        raise ValueError(f"base, length: got {base} and {length}, where a larger base or a farther distance changes nothing")
    facts = (
        f"{never(base)} of {PAIRS} never finish a turn in {length}, {never(LARGER)} with base 1e6; at {BEYOND} "
        f"{lost} point where none did; slowest turn {wavelengths(speeds)[-1]:.1f}"
    )
    alt = speaker("clocks")(
        "{total} small dials, one for each pair. {n} of them never finish a turn within {length} positions; the part they never "
        "saw is hatched. Below: the wavelengths on a logarithmic line, and the training length as a bar.",
        total=PAIRS,
        n=never(base),
        length=f"{length:,}",
    )
    return {"dim": head_dim, "base": base, "length": length, "position": position}, alt, facts
