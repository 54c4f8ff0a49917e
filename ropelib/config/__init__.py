"""A model's published settings, to the rotation that it runs.

Three rooms: `spellings` takes any published spelling to one form, `families` knows what each family's own code does where
its config is silent, and `builder` makes the `Rope`; `layers` tells it which layer is of which kind. `cards` says it all on a
card, with what the cache takes from `memory`.
"""

from .builder import from_config

__all__ = ["from_config"]
