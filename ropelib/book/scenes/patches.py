"""Patches of an image, numbered row by row or by row and column, and how alike their positions are."""

import numpy as np

from ... import axial, cos_sin, cos_sin_axes, grid_positions, inverse_frequencies
from .parts import speaker

ROWS, NARROW, MOST, QUERY = 8, 8, 12, (3, 3)  # as in patches.js


def build(head_dim=64, base=100.0):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    head_dim : int
        A multiple of 4.
    base : float

    Raises
    ------
    ValueError
        If row by row the patch below would be as alike as the one to the right, or no less or more so in a wider image.
    """
    speeds = inverse_frequencies(head_dim, base)
    grid_speeds, axes = axial(head_dim, base)

    def likeness(columns, two):
        """Of every patch's position with the query's, as a grid."""
        if two:
            cos, sin = cos_sin_axes(grid_positions(ROWS, columns), grid_speeds, axes)
        else:
            cos, sin = cos_sin(np.arange(ROWS * columns), speeds)
        at = QUERY[0] * columns + QUERY[1]
        return ((cos @ cos[at] + sin @ sin[at]) / (head_dim // 2)).reshape(ROWS, columns)

    y, x = QUERY
    rows, both, wider = likeness(NARROW, False), likeness(NARROW, True), likeness(MOST, False)
    right, below, later = rows[y, x + 1], rows[y + 1, x], wider[y + 1, x]
    if right - below < 0.1 or abs(below - later) < 0.02 or abs(both[y, x + 1] - both[y + 1, x]) > 1e-9:
        raise ValueError(
            f"head_dim, base: row by row the patch to the right has {right:.3f}, the one below {below:.3f}, in a wider image "
            f"{later:.3f}; expected them 0.1 apart, and a change of 0.02"
        )
    facts = f"row by row: right {right:.4f}, below {below:.4f}, of 12 columns {later:.4f}; by row and column {both[y + 1, x]:.4f}"
    alt = speaker("patches")(
        "An image of 8 by 8 patches, numbered row by row: those in the query's own row are alike to it, the one right below "
        "much less."
    )
    return {"dim": int(head_dim), "base": float(base)}, alt, facts
