"""What bf16, fp16 and fp32 make of a position, of a frequency, or of the finished table."""

import numpy as np

from ... import cos_sin, inverse_frequencies
from .parts import speaker

FAR, NEAR, AWAY = 100_000, 10, 1000  # as in precision.js


def keep(x, bits):
    """Round to so many significant bits."""
    fraction, exponent = np.frexp(x)
    return np.ldexp(np.rint(fraction * 2.0**bits), exponent - bits)


def build(head_dim=128, base=10_000):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    head_dim : int
        Even, at least 4.
    base : float

    Raises
    ------
    ValueError
        If bf16 holds the frequency of pair 1 so well, or so badly, that at position 1,000 its hand is off by less than
        10 degrees or by more than 180: the scene says that its error grows with the position.
    """
    speed, second = (float(v) for v in inverse_frequencies(head_dim, base)[:2])
    slow = [float(np.degrees(abs(keep(second, 8) - second) * m)) for m in (NEAR, AWAY)]
    if not 10 < slow[1] < 180:
        raise ValueError(f"base: got {base}, with pair 1 off by {slow[1]:.1f} degrees at {AWAY}, expected 10 to 180")

    def off(position, table_bits=None):
        """Degrees between the true hand of pair 0 and that of bf16."""
        true = np.exp(1j * position * speed)
        cos, sin = cos_sin([keep(position, 8) if table_bits is None else position], [speed])
        if table_bits is not None:
            cos, sin = keep(cos, table_bits), keep(sin, table_bits)
        return float(np.degrees(np.angle((cos + 1j * sin).item() / true)))

    facts = (
        f"bf16 takes 257 for {keep(257.0, 8):.0f}, hand off by {off(257):.4f}; at {FAR} for {keep(float(FAR), 8):.0f}, "
        f"off by {off(FAR):.4f}; rounded last by {off(FAR, 8):.4f}; "
        f"frequency 1 at {NEAR} and {AWAY}: {slow[0]:.4f}, {slow[1]:.4f}"
    )
    alt = speaker("precision")(
        "A ruler of powers of ten with the position at 256; the whole numbers around it that bf16, fp16 and fp32 can hold: "
        "beyond 256 bf16 has every second; and three dials whose hands all stand on the true one."
    )
    return {"dim": int(head_dim), "base": float(base)}, alt, facts
