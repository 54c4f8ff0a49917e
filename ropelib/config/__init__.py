"""A model's published settings, to the rotation that it runs.

Three rooms: `spellings` takes any published spelling to one form, `families` knows what each family's own code does where
its config is silent, and `builder` makes the `Rope`.
"""

from .builder import from_config

__all__ = ["from_config"]
