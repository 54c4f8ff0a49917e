"""Five words that can be put in any order, how much each looks at each, and what each gets."""

import numpy as np

from ... import attend, causal_mask
from ..._arguments import finite
from .parts import speaker

SWAPPED = [2, 1, 0, 3, 4]  # as in shuffle.js


def build(q=None, k=None, v=None, words=None):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q, k, v : array_like, shape (5, 16), optional
        Queries, keys and values, a row for each word; random ones unless given.
    words : sequence of str, optional
        Short names, in the language of the notebook.

    Raises
    ------
    ValueError
        If a shape is another, or if under the mask another number of outputs than three changed visibly when the first
        and the third word change places: the scene says three.
    """
    t = speaker("shuffle")
    if q is None and k is None and v is None:
        q, k, v = np.random.default_rng(1).normal(size=(3, 5, 16))
    if words is None:
        words = [t(word) for word in ("dog", "bites", "man", "park", "noon")]
    q, k, v = (finite(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v")))
    for x, name in ((q, "q"), (k, "k"), (v, "v")):
        if x.shape != (5, 16):
            raise ValueError(f"{name}: got shape {x.shape}, expected (5, 16)")
    if len(words) != 5 or len(set(words)) != 5:
        raise ValueError(f"words: got {list(words)}, expected five that differ")

    def changes(mask):
        before, _ = attend(q, k, v, mask=mask)
        after, _ = attend(q[SWAPPED], k[SWAPPED], v[SWAPPED], mask=mask)
        return np.abs(after - before[SWAPPED]).max(axis=1)

    free, masked = changes(None), changes(causal_mask(5, 5))
    if free.max() > 1e-9 or (masked > 0.05).sum() != 3 or (masked > 1e-9).sum() != 3:
        raise ValueError(f"q, k, v: under the mask the outputs change by {masked.round(3)}, expected three that do, visibly")
    facts = "two words swapped: no output changes; under the mask they change by " + ", ".join(f"{x:.4f}" for x in masked)
    alt = t(
        "Five rows, one a word: {words}. In each, how much the word looks at each of the five, and its output as a strip of "
        "sixteen colours.",
        words=", ".join(words),
    )
    scores = q @ k.T / 4  # the root of 16 channels
    data = {"scores": np.round(scores, 6).tolist(), "values": np.round(v, 6).tolist(), "names": list(words)}
    return data, alt, facts
