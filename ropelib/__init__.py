"""Rotary position embedding (RoPE), small enough to read and checked against every model in use.

Importing it needs NumPy alone; the drawing rooms (`setup`, `Frames`, `check`, `answer`, `t`) load when first used.
"""

from importlib import import_module

from .article import article_data, article_similarity, rope_nd, rotary_nd, similarity_by_distance
from .attention import attend, causal_mask, sliding_mask, softmax
from .frequencies import critical_dimension, inverse_frequencies, wavelengths
from .rotation import (
    cos_sin,
    from_complex,
    permute_weights,
    rotate,
    rotation_matrix,
    to_complex,
    to_half,
    to_interleaved,
)

__version__ = "0.1.0"

__all__ = [
    "article_data",
    "article_similarity",
    "attend",
    "causal_mask",
    "cos_sin",
    "critical_dimension",
    "from_complex",
    "inverse_frequencies",
    "permute_weights",
    "rope_nd",
    "rotary_nd",
    "rotate",
    "rotation_matrix",
    "similarity_by_distance",
    "sliding_mask",
    "softmax",
    "to_complex",
    "to_half",
    "to_interleaved",
    "wavelengths",
]

_DRAWING = {"setup": "figures", "Frames": "frames", "check": "checks", "answer": "checks", "t": "labels"}


def __getattr__(name):
    if name in _DRAWING:
        return getattr(import_module(f".{_DRAWING[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *_DRAWING})
