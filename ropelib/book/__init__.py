"""What the chapters teach with: checks, words in two languages, figures, and the source article's program.

`ropelib` needs none of it; arrows point from here to the numerics, never back.
"""

from importlib import import_module

from .checks import check, grade
from .labels import t
from .scenes import scene

__all__ = ["check", "grade", "scene", "setup", "t"]

_DRAWING = {"setup": "figures"}  # these need matplotlib, the rest NumPy alone


def __getattr__(name):
    if name not in _DRAWING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_DRAWING[name]}", __name__), name)


def __dir__():
    return sorted({*globals(), *_DRAWING})
