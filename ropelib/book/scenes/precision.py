"""What bf16, fp16 and fp32 make of a position, of an angle, or of the finished table."""

import numpy as np

from ... import cos_sin, inverse_frequencies
from .parts import speaker

FAR = 100_000  # as in precision.js


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
    """
    speed = float(inverse_frequencies(head_dim, base)[0])

    def off(position, table_bits=None):
        """Degrees between the true hand of pair 0 and that of bf16."""
        true = np.exp(1j * position * speed)
        cos, sin = cos_sin([keep(position, 8) if table_bits is None else position], [speed])
        if table_bits is not None:
            cos, sin = keep(cos, table_bits), keep(sin, table_bits)
        return float(np.degrees(np.angle((cos + 1j * sin).item() / true)))

    facts = (
        f"bf16 takes 257 for {keep(257.0, 8):.0f}, hand off by {off(257):.4f}; at {FAR} for {keep(float(FAR), 8):.0f}, "
        f"off by {off(FAR):.4f}; rounded last by {off(FAR, 8):.4f}"
    )
    alt = speaker("precision")(
        "A ruler of powers of ten with the position at 256; the whole numbers around it that bf16, fp16 and fp32 can hold: "
        "beyond 256 bf16 has every second; and three dials whose hands all stand on the true one."
    )
    return {"dim": int(head_dim), "base": float(base)}, alt, facts
