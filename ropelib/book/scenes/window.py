"""Decoding step by step through a window, with a cache, and with frequencies that may change with the length."""

import numpy as np

from ... import cos_sin, dynamic_ntk, inverse_frequencies, rotate, sliding_mask
from ..._arguments import finite
from .parts import speaker

N, NARROW, STEP = 16, 4, 9  # as in window.js


def build(q=(1, 2, 3, 4), k=(4, 3, 2, 1), trained=8, factor=2, base=10_000, part="all"):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q, k : array_like, shape (4,)
        One query and one key, the same at every position, in the half layout.
    trained : int
        The trained length, less than 16: beyond it the frequencies change.
    factor, base : float
        Of dynamic NTK.
    part : {"all", "keys", "lengths"}
        What is asked: which keys are seen and kept, what frequencies that change with the length do, or both.

    Raises
    ------
    ValueError
        If the part is none of the three, or if with kept keys every score of the last query would be off by less than 0.05:
        the scene says that they are off.
    """
    q, k = (finite(v, name) for v, name in ((q, "q"), (k, "k")))
    for v, name in ((q, "q"), (k, "k")):
        if v.shape != (4,):
            raise ValueError(f"{name}: got shape {v.shape}, expected (4,)")
    if not 1 <= trained < N:
        raise ValueError(f"trained: got {trained}, expected 1 to {N - 1}")

    if part not in ("all", "keys", "lengths"):
        raise ValueError(f"part: got {part!r}, expected 'all', 'keys' or 'lengths'")

    def turned(x, position, length):
        speeds = inverse_frequencies(4, base)
        if length > trained:
            speeds = dynamic_ntk(4, base, factor=factor, seq_len=length, max_position_embeddings=trained)[0]
        return rotate(x[None], *cos_sin([position], speeds), layout="half")[0]

    query = turned(q, N - 1, N)
    anew, kept = (np.array([query @ turned(k, n, length(n)) for n in range(N)]) for length in (lambda n: N, lambda n: n + 1))
    worst = int(np.abs(kept - anew).argmax())
    if abs(kept[worst] - anew[worst]) < 0.05:
        raise ValueError(f"q, k, trained, factor: kept keys change scores by {abs(kept - anew).max():.4f}, expected 0.05 or more")
    seen = np.flatnonzero(sliding_mask(STEP + 1, STEP + 1, NARROW)[-1])
    facts = (
        f"a window of {NARROW} at {STEP} sees {seen.tolist()}; query at {N - 1}, key at {worst}: turned anew {anew[worst]:.4f}, "
        f"kept {kept[worst]:.4f}"
    )
    alt = speaker("window")(
        "A grid, rows tokens as they are written, columns the keys they see; the token at {m} sees all before it. Below, the "
        "keys that the cache keeps.",
        m=STEP,
    )
    data = {"q": q.tolist(), "k": k.tolist(), "dim": 4, "base": base, "trained": trained, "factor": factor, "part": part}
    return data, alt, facts
