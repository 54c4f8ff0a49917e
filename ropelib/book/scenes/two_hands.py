"""Two words on a strip, their hands on a dial, and the score against their distance."""

import numpy as np

from ... import cos_sin, rotate
from ..._arguments import finite
from .parts import speaker

PLACES, CARRY = 20, 9  # as in two-hands.js


def build(q=(1.44, 0.42), k=(0.56, 1.92), theta=np.pi / 12, query=7, key=4, alone=False):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q, k : array_like, shape (2,)
        The vectors before they are turned.
    theta : float
        Radians for each place, at least 1 degree.
    query, key : int
        Where they stand at first. Nine places on, both still stand on the strip of 20.
    alone : bool
        Whether the first question moves the query alone: for readers who have met the other one on the home page.

    Raises
    ------
    ValueError
        If the scene would then say what is not so: its second answer is that the score falls when the key comes beside
        the query.
    """
    q, k = (finite(v, name) for v, name in ((q, "q"), (k, "k")))
    for v, name in ((q, "q"), (k, "k")):
        if v.shape != (2,) or not v.any():
            raise ValueError(f"{name}: got shape {v.shape}, expected a vector of two numbers, not both 0")
    for at, name in ((query, "query"), (key, "key")):
        if not 0 <= at < PLACES - CARRY:
            raise ValueError(f"{name}: got {at}, expected 0 to {PLACES - CARRY - 1}: it is to move {CARRY} places on")

    def score(m, n):
        cos, sin = cos_sin([m, n], [theta])
        a, b = rotate(np.stack([q, k]), cos, sin, layout="interleaved")
        return a @ b

    now, beside = score(query, key), score(query + CARRY, query + CARRY - 1)
    if query - key == 1 or beside > now - 0.3:
        raise ValueError(
            f"query, key: got {query} and {key}, with score {now:.2f}; beside each other they score {beside:.2f}, "
            "but the scene asks where it falls, and shows that it does by 0.3 or more"
        )
    if alone and abs(score(query + CARRY, key) - now) < 0.3:
        raise ValueError(
            f"alone: got True, but {CARRY} places on the query scores {score(query + CARRY, key):.2f} with the key, and "
            f"before {now:.2f}; the scene asks where the score goes, and shows that it goes by 0.3 or more"
        )
    t = speaker("two-hands")
    pairs = [(query, key), (query + CARRY, key + (not alone) * CARRY), (query + CARRY, query + CARRY - 1)]
    facts = "; ".join(f"({m}, {n}): {score(m, n):.4f}" for m, n in pairs)
    peak = max(range(1 - PLACES, PLACES), key=lambda r: score(r, 0))
    alt = t(
        "A strip of squares with a query at {m} and a key at {n}; a dial with their two hands; the score against the "
        "distance is a cosine, highest at distance {r}.",
        m=query,
        n=key,
        r=peak,
    )
    data = {"q": q.tolist(), "k": k.tolist(), "theta": float(theta), "query": int(query), "key": int(key)} | (
        {"alone": True} if alone else {}
    )
    return data, alt, f"{facts}; highest at distance {peak}"
