"""A query and a key as complex numbers, and their product with and without the conjugate."""

import numpy as np

from ... import cos_sin, rotate
from ..._arguments import finite
from .parts import speaker

SHIFT = 8  # as in product.js


def build(q=(0.9, 0.5), k=(0.4, 1.0), theta=np.pi / 12, m=7, n=1):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    q, k : array_like, shape (2,)
        Real and imaginary part, each number at most 1.5 long.
    theta : float
        Radians for each position.
    m, n : int
        Where query and key stand, 0 to 23.

    Raises
    ------
    ValueError
        If without the conjugate the score would change by less than 0.5 when both move 8 positions: the scene shows that
        it does.
    """
    q, k = (finite(v, name) for v, name in ((q, "q"), (k, "k")))
    for v, name in ((q, "q"), (k, "k")):
        if v.shape != (2,) or not 0.3 <= np.hypot(*v) <= 1.5:
            raise ValueError(f"{name}: got {v.tolist()}, expected a real and an imaginary part, 0.3 to 1.5 long")
    for at, name in ((m, "m"), (n, "n")):
        if not 0 <= at <= 23:
            raise ValueError(f"{name}: got {at}, expected 0 to 23")

    def products(shift):
        """With the conjugate and without."""
        a, b = rotate(np.stack([q, k]), *cos_sin([m + shift, n + shift], [theta]), layout="interleaved") @ [1, 1j]
        return a * b.conj(), a * b

    (right, wrong), (later, wrong_later) = products(0), products(SHIFT)
    if abs(later - right) > 1e-9 or abs(wrong_later.real - wrong.real) < 0.5:
        raise ValueError(
            f"q, k, theta: without the conjugate the score goes from {wrong.real:.2f} to {wrong_later.real:.2f} when both move "
            f"{SHIFT} positions; expected a change of 0.5 or more"
        )
    facts = (
        f"q conj(k) {right.real:.4f}{right.imag:+.4f}i, moved {later.real:.4f}{later.imag:+.4f}i; "
        f"q k {wrong.real:.4f}{wrong.imag:+.4f}i, moved {wrong_later.real:.4f}{wrong_later.imag:+.4f}i"
    )
    alt = speaker("product")(
        "Left, a query at position {m} and a key at {n} as arrows, and the key's mirror image; right, the query times that "
        "mirror image. Its real part is the score, {v}.",
        m=m,
        n=n,
        v=f"{right.real:.2f}".replace("-", "−"),
    )
    data = {"q": q.tolist(), "k": k.tolist(), "theta": float(theta), "m": int(m), "n": int(n)}
    return data, alt, facts
