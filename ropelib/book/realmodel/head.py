"""One head of the model, for those who have not got the model: its weights, and what it was given to read."""

import functools
import io
import json
from typing import NamedTuple

import numpy as np

from ..models.files import verified

LAYER, HEAD = 16, 0  # of all 270, the one that looks most at the token before


class Head(NamedTuple):
    """What one head of layer 16 needs.

    Attributes
    ----------
    tokens : tuple of str
        The text's T tokens: from the First Epistle of John, chapter 4.
    stream : ndarray, shape (T, 576), float64
        The layer's input for each token, normed, as it comes out of sixteen layers. Kept in float16.
    query, key : ndarray, shape (64, 576), float64
        The head's rows of the projections, as the file has them: interleaved. Kept in float16.
    base : float
    trained_length : int
    """

    tokens: tuple
    stream: np.ndarray
    query: np.ndarray
    key: np.ndarray
    base: float
    trained_length: int


@functools.cache
def load_head():
    """The head, from a file of this package.

    Returns
    -------
    Head

    Raises
    ------
    ValueError
        If the file is missing or damaged; the message says how to get it back.
    """
    with np.load(io.BytesIO(verified("head.npz", __package__))) as kept:
        told = json.loads(kept["told"].tobytes())
        arrays = {name: kept[name].astype(np.float64) for name in ("stream", "query", "key")}
    for array in arrays.values():
        array.flags.writeable = False
    return Head(**arrays, **told | {"tokens": tuple(told["tokens"])})


def pack(path, model, text):
    """Take the head out of the model while it reads a text, and write the file: see `training/head.py`."""
    ids, trace = model.encode(text), []
    model(ids, trace=trace)
    layer, d = model.layers[LAYER], model.head_dim
    key_head = HEAD * model.key_heads // model.heads
    told = {
        "tokens": [model.decode([n]) for n in ids],
        "base": model.base,
        "trained_length": model.trained_length,
    }
    np.savez_compressed(
        path,
        told=np.frombuffer(json.dumps(told).encode(), np.uint8),
        stream=model.normed(trace[LAYER - 1].out, layer["attn_norm"]).astype(np.float16),
        query=layer["attn_q"][HEAD * d : (HEAD + 1) * d].astype(np.float16),
        key=layer["attn_k"][key_head * d : (key_head + 1) * d].astype(np.float16),
    )
