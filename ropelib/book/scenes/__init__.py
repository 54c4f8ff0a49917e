"""Figures that one takes hold of: the page computes them, the reader moves them. `docs/scenes.md` tells how to add one.

A scene is three files of one name: `<kind>.js` (its mathematics and what is seen), `<kind>.css`, and `<kind>.py`, whose
`build` makes its data and raises where they would make what the scene says untrue. `engine/` is common to all.
"""

from difflib import get_close_matches
from importlib import import_module

from .parts import KINDS
from .stage import Scene

__all__ = ["KINDS", "Scene", "scene"]


def scene(kind, **data):
    """Show a scene: the last line of a cell.

    Parameters
    ----------
    kind : str
        Which scene, one of `KINDS`.
    **data
        What that scene's ``build`` takes.

    Returns
    -------
    Scene

    Raises
    ------
    ValueError
        If there is no such kind, or the scene cannot show these data.
    """
    if kind not in KINDS:
        near = "".join(f"; did you mean {name!r}?" for name in get_close_matches(str(kind), KINDS, 1))
        raise ValueError(f"kind: got {kind!r}, expected one of {', '.join(KINDS)}{near}")
    return Scene(kind, *import_module(f".{kind.replace('-', '_')}", __name__).build(**data))
