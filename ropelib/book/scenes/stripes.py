"""Scores of every query position with every key position, under four ways of putting the position in."""

import numpy as np

from ... import cos_sin, rotate
from ..._arguments import finite
from .parts import speaker

PLACES, WORDS, SHIFT = 24, 10, 9  # as in stripes.js


def build(q=(1.44, 0.42), k=(0.56, 1.92), theta=np.pi / 12, ask="all"):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q, k : array_like, shape (2,)
        The vectors before their positions are put in.
    theta : float
        Radians for each position.
    ask : {"all", "key"}
        What is asked: all three ways of turning, or at once what becomes of keys that are not turned.

    Raises
    ------
    ValueError
        If `ask` is neither, or if a wrong way would change the scores of a moved sentence by less than 0.5: the scene says that
        it shows.
    """
    q, k = (finite(v, name) for v, name in ((q, "q"), (k, "k")))
    for v, name in ((q, "q"), (k, "k")):
        if v.shape != (2,):
            raise ValueError(f"{name}: got shape {v.shape}, expected (2,)")
    if ask not in ("all", "key"):
        raise ValueError(f"ask: got {ask!r}, expected 'all' or 'key'")
    places = np.arange(PLACES)

    def scores(turns_q, turns_k):
        """Both sides turned by a multiple of their own positions."""
        sides = ((q, turns_q), (k, turns_k))
        a, b = (rotate(np.tile(v, (PLACES, 1)), *cos_sin(n * places, [theta]), layout="interleaved") for v, n in sides)
        return a @ b.T

    def change(table):
        return np.abs(table[SHIFT : SHIFT + WORDS, SHIFT : SHIFT + WORDS] - table[:WORDS, :WORDS]).max()

    found = {name: change(scores(*turns)) for name, turns in (("both", (1, 1)), ("query only", (1, 0)), ("opposite", (1, -1)))}
    if found["both"] > 1e-9 or min(found["query only"], found["opposite"]) < 0.5:
        raise ValueError(f"q, k, theta: moved by {SHIFT}, scores turned the wrong way change by {found}; expected 0.5 or more")
    facts = f"moved by {SHIFT}: " + ", ".join(f"{name} {value:.4f}" for name, value in found.items())
    say = speaker("stripes")
    alt = say(
        "A map of scores, rows queries, columns keys, all of one colour as long as nothing is turned; on its diagonal a "
        "square, the sentence. Turned by their positions, both sides make stripes down the diagonal."
    )
    if ask == "key":
        alt = say(
            "A map of scores, rows queries, columns keys, with level stripes: the query alone is turned. On its diagonal a "
            "square, the sentence."
        )
    return {"q": q.tolist(), "k": k.tolist(), "theta": float(theta), "ask": ask}, alt, facts
