"""Every pair's wavelength as trained, and as a method of context extension uses it."""

import numpy as np

from ... import inverse_frequencies, linear, ntk, yarn
from .parts import speaker

FACTOR = 4  # as in stretch.js


def build(head_dim=128, base=10_000, length=4096):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    head_dim : int
        Even, 16 to 256.
    base : float
        100 to 10 000, so that wavelengths stay on the scene's axes.
    length : int
        Trained length, a power of two from 256 to 65 536.

    Raises
    ------
    ValueError
        If fewer than three pairs never finish a turn in training, or NTK-aware scaling would lose none or all of them: the
        scene says that it loses most.
    """
    if not 16 <= head_dim <= 256 or head_dim % 2:
        raise ValueError(f"head_dim: got {head_dim}, expected an even number from 16 to 256")
    if not 100 <= base <= 10_000:
        raise ValueError(f"base: got {base}, expected 100 to 10 000: longer wavelengths leave the axes")
    if length not in [2**k for k in range(8, 17)]:
        raise ValueError(f"length: got {length}, expected a power of two from 256 to 65 536")
    trained = inverse_frequencies(head_dim, base)
    slow = trained * length < 2 * np.pi

    def lost(used):
        """Pairs that come to angles never seen: slow in training, and turned farther now."""
        return int(np.count_nonzero(slow & (used * FACTOR > trained * (1 + 1e-9))))

    raised = lost(ntk(head_dim, base, factor=FACTOR)[0])
    if slow.sum() < 3 or not slow.sum() / 2 < raised < slow.sum():
        raise ValueError(f"base, length: got {base} and {length}; of {slow.sum()} slow pairs NTK loses {raised}, expected most")
    divided = linear(head_dim, base, factor=FACTOR)[0]
    ramp = yarn(head_dim, base, factor=FACTOR, original_max_position_embeddings=length)[0]
    facts = (
        f"{FACTOR} times as far: unchanged {lost(trained)} of {head_dim // 2} pairs lost, linear {lost(divided)}, NTK {raised}, "
        f"YaRN {lost(ramp)}; fastest pair {np.degrees(trained[0]):.4f}° a position, linear {np.degrees(divided[0]):.4f}°"
    )
    alt = speaker("stretch")(
        "Dots, one a pair of channels, on the line where the wavelength used is the one trained; {k} of {n} lie in the hatched "
        "part, where a wavelength is longer than the training length, {L}.",
        k=int(slow.sum()),
        n=head_dim // 2,
        L=f"{length:,}",
    )
    return {"dim": int(head_dim), "base": base, "length": int(length)}, alt, facts
