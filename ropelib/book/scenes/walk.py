"""The score of a pair of heads as a walk of as many steps as there are pairs, and what bounds it."""

import numpy as np

from ... import cos_sin, inverse_frequencies
from .parts import speaker

FAR, TURNED = 100, 60  # as in walk.js


def build(head_dim=128, base=10_000):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    head_dim : int
        128: the scene's axes end at 64.
    base : float

    Raises
    ------
    ValueError
        If at distance 100 the even walk leads less than a third or more than two thirds of its way, or the key's own turn
        leaves another peak as high: the scene says half, and that the peak moves.
    """
    if head_dim != 128:
        raise ValueError(f"head_dim: got {head_dim}, expected 128: the scene's axes end at 64")
    speeds = inverse_frequencies(head_dim, base)
    cos, sin = cos_sin(np.arange(256), speeds)
    score = cos.sum(axis=1)
    if not 64 / 3 < score[FAR] < 128 / 3 or (score[1:] > 63.9).any():
        raise ValueError(f"base: got {base}, with score {score[FAR]:.1f} at {FAR}, expected a third to two thirds of 64")
    stops = np.cumsum(cos + 1j * sin, axis=1)
    drops = np.conj(stops[FAR]) / np.abs(stops[FAR])  # each against its own partial sum: the score is the bound
    content = np.cumsum(drops[::-1])[::-1]
    reached = 64 * np.abs(stops[FAR]).sum() / np.abs(content).sum()
    facts = (
        f"score at 0, 10, {FAR}, 250: {', '.join(f'{score[r]:.4f}' for r in (0, 10, FAR, 250))}; "
        f"bound reached at {FAR}: {reached:.4f}; mean of |S| at {FAR}: {np.abs(stops[FAR]).mean():.4f}"
    )
    alt = speaker("walk")(
        "A walk of {n} steps, one for each pair of channels: straight at distance 0, where the score is {n}. Below, the score "
        "against distance, from {n} down to {far} at distance 100.",
        n=64,
        far=f"{score[FAR]:.0f}",
    )
    return {"dim": head_dim, "base": base}, alt, facts
