"""Two positions as points on one circle or on several, and their similarity against their distance."""

import numpy as np

from ... import cos_sin
from .parts import speaker

FAR, SLOW, SLOWER = 12, 60, np.sqrt(10)  # as in circles.js


def build(period=12, a=4, b=3):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    period : int
        Positions for a turn of the first circle. 12 or a divisor of it: A is to walk 12 positions on and meet B.
    a, b : int
        Two neighbours, `a` after `b`.

    Raises
    ------
    ValueError
        If they are no neighbours, or the first circle would not bring A back to B.
    """
    if period not in (3, 4, 6, 12):
        raise ValueError(f"period: got {period}, expected 3, 4, 6 or 12: the scene says that {FAR} positions on A meets B")
    if a - b != 1 or not 0 <= b <= 30:
        raise ValueError(f"a, b: got {a} and {b}, expected neighbours, as 4 and 3, not beyond 31")

    def alike(distance, period, count):
        cos, _ = cos_sin(distance, 2 * np.pi / (period * SLOWER ** np.arange(count)))
        return float(cos.mean())

    same, apart, beside = alike(FAR, period, 1), alike(FAR, period, 4), alike(a - b, SLOW, 1)
    facts = f"similarity at distance {FAR}: one circle {same:.4f}, four {apart:.4f}; of neighbours on a slow circle {beside:.4f}"
    alt = speaker("circles")(
        "A line of positions, A at {a} and B at {b}; a circle on which each position is a point, {n} to a turn; and the "
        "similarity of the two against their distance, a wave of equal crests.",
        a=a,
        b=b,
        n=period,
    )
    return {"period": period, "a": a, "b": b}, alt, facts
