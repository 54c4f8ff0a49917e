"""What chapter 12's model loses with pair 3 held at each distance; for the scene `hold`.

    .venv/bin/python -m training.held        writes ropelib/book/scenes/hold.json, in some minutes
"""

import json

import numpy as np

from ropelib import to_complex
from ropelib.book.models import load, measured, per_pair
from ropelib.book.scenes.hold import PAIR, RECORDED

LAYER, HEAD = 1, 2  # the head of chapter 12's figure


def measure():
    model = load("kjv")
    trace = model.trace(model.heldout[:, :64])
    q, k = (to_complex(x, layout="half") for x in (trace.q, trace.k))
    pairs = (q[..., 32:, :].mean((1, 3)) * k[..., :32, :].mean((1, 3)).conj() / 4)[LAYER, HEAD]
    third = np.arange(len(pairs)) == PAIR
    losses = [model.loss_at(256, far=per_pair(256, at, third)) for at in range(1, 200)]
    return {
        "pairs": np.round([[z.real, z.imag] for z in pairs], 3).tolist(),
        "speeds": np.asarray(model.inv_freq, float).round(8).tolist(),
        "losses": np.round(losses, 2).tolist(),
        "free": round(float(model.loss_at(256)), 2),
        "trained": round(float(model.loss_at(64)), 2),
        "letters": round(measured()["letter counts"]["kjv"], 2),
    }


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(measure(), separators=(",", ":")) + "\n", "utf-8")
