"""The book's small trained models, run in NumPy: what a head looks at, and what each slip costs.

    from ropelib.book.models import load
    model = load("kjv")                     # King James Bible; "tang": Tang poems
    model.loss(model.heldout[:, :65])       # nats a character
    model.trace(x).attention                # of every layer and head

How they were trained, and what was measured over three seeds: `training/README.md`, and `measured()`.
"""

from .far import per_pair, rerope, self_extend
from .files import load, measured
from .model import Model, Trace

__all__ = ["Model", "Trace", "load", "measured", "per_pair", "rerope", "self_extend"]
