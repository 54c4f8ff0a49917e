"""What each encoding makes of the distance between one query and one key."""

import numpy as np

from ... import cos_sin, inverse_frequencies, rotate, sinusoidal
from ..._arguments import finite
from .parts import speaker

LAST, MOVED = 63, 300  # as in kernels.js


def build(q=None, base=100.0, slope=1 / 16, scale=32):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q : array_like, shape (16,), optional
        The query; the key is the same vector, its content turned. A random one unless given.
    base : float
        Of RoPE's, xPos's and the sinusoids' frequencies.
    slope : float
        ALiBi's, for this head.
    scale : float
        xPos's scale_base.

    Raises
    ------
    ValueError
        If sinusoids added would change no score by 0.5 when both move 300 positions, or turned content would leave RoPE's
        highest score at distance 0: the scene says otherwise.
    """
    if q is None:
        q = np.random.default_rng(4).normal(size=16)
        q *= 4 / np.linalg.norm(q)
    q = finite(q, "q")
    if q.shape != (16,):
        raise ValueError(f"q: got shape {q.shape}, expected (16,)")
    places, speeds = np.arange(LAST + 1), inverse_frequencies(16, base)
    here, there = sinusoidal(places, 16, base), sinusoidal(places + MOVED, 16, base)
    change = np.abs((q + there) @ (q + there[0]) - (q + here) @ (q + here[0])).max() / 4
    turned = rotate(np.tile(q, (LAST + 1, 1)), *cos_sin(places, speeds), layout="interleaved") @ -q / 4
    peak = int(turned.argmax())
    if change < 0.5 or peak == 0:
        raise ValueError(
            f"q, base: added sinusoids change scores by {change:.2f}, RoPE's peak is at {peak}; expected 0.5, and not 0"
        )
    facts = (
        f"moved by {MOVED}: added sinusoids change scores by {change:.4f}; content turned round: "
        f"RoPE highest at {peak}, {turned[peak]:.4f}"
    )
    alt = speaker("kernels")(
        "The score of a query with a key of the same content against their distance under RoPE: highest at 0, falling in waves; "
        "buttons show the same for other encodings."
    )
    data = {"q": q.round(6).tolist(), "base": float(base), "slope": float(slope), "scale": float(scale)}
    return data, alt, facts
