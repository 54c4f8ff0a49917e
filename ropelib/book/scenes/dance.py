"""Four couples in eight channels: the layout of the weights, the layout of the code, and where a head looks."""

import numpy as np

from ... import cos_sin, inverse_frequencies, rotate, to_half
from .parts import speaker

LAST = 24  # as in dance.js


def build(back=5, base=20.0, heads=6, seed=4):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    back : int
        How many positions back the heads look, 1 to 12.
    base : float
        Small, so that all four pairs turn visibly within 24 positions.
    heads : int
        How many, with random directions.
    seed : int

    Raises
    ------
    ValueError
        If the first head would look back as far under the wrong layout as under the right one: the scene says that it
        looks elsewhere. Of the others some may look right by luck.
    """
    if not 1 <= back <= 12:
        raise ValueError(f"back: got {back}, expected 1 to 12")
    speeds = inverse_frequencies(8, base)
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, (heads, 4))

    def scores(which, weights, code):
        """Of the query at 0 to 24 with the key at 0."""
        angle = angles[which]
        q = np.stack([np.cos(angle), np.sin(angle)], axis=-1).ravel()
        k = rotate(q[None], *cos_sin([back], speeds), layout="interleaved")[0]
        if weights == "half":
            q, k = to_half(q), to_half(k)
        places = np.arange(LAST + 1)
        turned = rotate(np.tile(q, (LAST + 1, 1)), *cos_sin(places, speeds), layout=code)
        return turned @ k

    names = ("interleaved", "half")
    right = [scores(h, name, name).argmax() for h in range(heads) for name in names]
    wrong = [int(scores(h, "interleaved", "half").argmax()) for h in range(heads)]
    if set(right) != {back} or wrong[0] == back:
        raise ValueError(f"back, base, seed: under the wrong layout the first head still looks {back} back: take another seed")
    facts = f"right layout: every head looks {back} back; half code on interleaved weights: {', '.join(map(str, wrong))}"
    alt = speaker("dance")(
        "Eight seats, the channels, with four couples side by side and an arc over each couple, a pair that the code turns. "
        "Below, the score of a head against distance, highest at {b}.",
        b=back,
    )
    return {"speeds": speeds.tolist(), "heads": angles.round(6).tolist(), "back": int(back)}, alt, facts
