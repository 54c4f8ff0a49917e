"""What two heads look at while they learn to look back: one rotates queries and keys, one adds codes to its input."""

import json
from pathlib import Path

import numpy as np

from .parts import speaker

RECORDED = Path(__file__).with_suffix(".json")  # chapter 17's two heads, to two digits


def build(steps=None, starts=None, turned=None, added=None, back=5):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    steps : sequence of int, optional
        Steps of training at which was looked, S of them; the recorded ones of chapter 17 when nothing is given.
    starts : sequence of int, optional
        Where counting starts, M of them, the first 0.
    turned : array_like, shape (S, D), optional
        Attention by distance of the head that rotates. It is the same from every start.
    added : array_like, shape (S, M, D), optional
        Attention by distance of the head that adds.
    back : int
        How far back both are to look.

    Raises
    ------
    ValueError
        If shapes do not fit, or the heads do not do what the scene says: both look `back` back in the end, the rotating one
        learns it sooner, and the adding one mostly looks elsewhere from the last start but one.
    """
    if steps is None:
        recorded = json.loads(RECORDED.read_text("utf-8"))
        steps, starts, turned, added = (recorded[name] for name in ("steps", "starts", "turned", "added"))
    turned, added = np.round(turned, 2) + 0.0, np.round(added, 2) + 0.0
    if turned.ndim != 2 or len(turned) != len(steps) or turned.shape[1] <= back:
        raise ValueError(f"turned: got shape {turned.shape}, expected ({len(steps)}, D) with D above {back}")
    if added.shape != (len(steps), len(starts), turned.shape[1]):
        raise ValueError(f"added: got shape {added.shape}, expected ({len(steps)}, {len(starts)}, {turned.shape[1]})")
    early, far = len(steps) - 4, len(starts) - 2
    if min(turned[-1, back], added[-1, 0, back]) < 0.5:
        raise ValueError(f"turned, added: in the end {turned[-1, back]} and {added[-1, 0, back]}, expected both above 0.5")
    if turned[early, back] < 0.5 or added[early, 0, back] > 0.3:
        raise ValueError(
            f"steps: at {steps[early]} got {turned[early, back]} and {added[early, 0, back]}, expected one head only"
        )
    if added[-1, far, back] > 0.45:
        raise ValueError(f"starts: from {starts[far]} the adding head has {added[-1, far, back]}, expected less than 0.45")
    facts = (
        f"{back} back: step {steps[early]} turned {turned[early, back]:.1f}, added {added[early, 0, back]:.1f}; "
        f"in the end {turned[-1, back]:.1f}, {added[-1, 0, back]:.1f}; counted from {starts[far]} {added[-1, far, back]:.1f}"
    )
    alt = speaker("train")(
        "Two bar charts of attention by distance after {n} steps of training. Both the head that rotates and the head that adds "
        "have their tallest bar at distance {k}.",
        n=f"{steps[-1]:,}",
        k=back,
    )
    data = {
        "steps": [int(n) for n in steps],
        "starts": [int(m) for m in starts],
        "turned": turned.tolist(),
        "added": added.tolist(),
        "back": int(back),
    }
    return data, alt, facts
