"""One pair of a small model held back: what it gives to distances that were never met, and what it costs."""

import json
from pathlib import Path

import numpy as np

from .parts import speaker

RECORDED = Path(__file__).with_suffix(".json")  # chapter 12's model: `python -m training.held` writes it
PAIR, MET, OFTEN, NEVER, FAR = 3, 63, 20, 90, 224  # as in hold.js


def build(pairs=None, speeds=None, losses=None, free=None, trained=None, letters=None):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    pairs : array_like of complex, shape (P,), optional
        Mean query times conjugate mean key of one head, a number for each pair; all of chapter 12's when nothing is given.
    speeds : array_like, shape (P,), optional
        Radians that each pair turns by in a position.
    losses : array_like, shape (199,), optional
        Loss at 256 characters with pair 3 held at distances 1 to 199.
    free, trained, letters : float, optional
        Loss with nothing held, within the trained length, and of letter counts alone.

    Raises
    ------
    ValueError
        If shapes do not fit, or the losses are not in the order that the scene tells.
    """
    if pairs is None:
        recorded = json.loads(RECORDED.read_text("utf-8"))
        losses, free, trained, letters = (recorded[name] for name in ("losses", "free", "trained", "letters"))
        pairs, speeds = np.array(recorded["pairs"]) @ [1, 1j], recorded["speeds"]
    pairs, speeds, losses = np.asarray(pairs), np.asarray(speeds, float), np.asarray(losses, float)
    if pairs.ndim != 1 or len(pairs) <= PAIR or speeds.shape != pairs.shape:
        raise ValueError(f"pairs, speeds: got shapes {pairs.shape} and {speeds.shape}, expected (P,) twice, P above {PAIR}")
    if losses.shape != (199,):
        raise ValueError(f"losses: got shape {losses.shape}, expected (199,)")
    gives = (pairs[PAIR] * np.exp(1j * np.arange(FAR + 1) * speeds[PAIR])).real
    if not (0 < 3 * gives[0] < gives[MET + 1 :].max() and gives.argmax() > 150):
        raise ValueError(
            f"pairs: pair {PAIR} gives {gives[0]:.2f} at distance 0 and at most {gives.max():.2f}; expected it above 0, and "
            "three times as much beyond 150"
        )
    edge, often, never = (float(losses[at - 1]) for at in (MET, OFTEN, NEVER))
    if not (trained < edge < never < often < free and free - edge > 0.9 * (free - trained) and free > letters):
        raise ValueError(
            f"losses: held at {MET}, {NEVER} and {OFTEN} got {edge:.2f}, {never:.2f} and {often:.2f}, of {free:.2f} with "
            f"nothing held and {trained:.2f} in training; expected them to rise, the first to undo nearly all of it"
        )
    facts = (
        f"pair {PAIR}: {gives[0]:.2f} at 0, at most {gives.max():.2f}; loss {free:.2f} free, {edge:.2f} held at {MET}, "
        f"{often:.2f} at {OFTEN}, {never:.2f} at {NEVER}; trained {trained:.2f}"
    )
    alt = speaker("hold")(
        "A curve of the mean score by distance, and below it the loss. With nothing held the score far back is higher than "
        "anywhere near, and the loss is {a}; with pair 3 held at {n} it is {b}.",
        a=f"{free:.2f}",
        b=f"{edge:.2f}",
        n=MET,
    )
    data = {
        "pairs": [[round(float(z.real), 3), round(float(z.imag), 3)] for z in pairs],
        "speeds": [float(v) for v in speeds],
        "losses": losses.tolist(),
        "free": float(free),
        "trained": float(trained),
        "letters": float(letters),
    }
    return data, alt, facts
