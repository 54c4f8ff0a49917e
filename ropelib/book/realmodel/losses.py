"""How surprised the model is by a text."""

import numpy as np


def losses(model, ids, turn=None, **how):
    """Loss of every token after the first, shape (T - 1,), float64, in nats.

    Parameters
    ----------
    model : SmolLM2
    ids : array_like of int, shape (T,)
    turn : function, optional
        Of (q, k) for T - 1 tokens: the last is only predicted.
    **how
        The other arguments of `model(...)`.
    """
    ids = np.asarray(ids)
    logits = model(ids[:-1], turn, **how)
    top = logits.max(-1, keepdims=True)
    spread = np.log(np.exp(logits - top).sum(-1, dtype=np.float64)) + top[:, 0]
    return spread - np.take_along_axis(logits, ids[1:, None], -1)[:, 0]


def perplexity(model, ids, turn=None, **how):
    """exp of the mean loss: among how many tokens the model might as well have drawn evenly."""
    return float(np.exp(losses(model, ids, turn, **how).mean()))
