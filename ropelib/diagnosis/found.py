"""A first difference between code and what was expected of it."""

from dataclasses import dataclass

from .named import Told


@dataclass(frozen=True)
class Found:
    """An input in words, and its row; what the difference is called, where the probe itself tells."""

    where: str
    row: int = 0
    named: Told | None = None
    by: Told | None = None  # what the rows alone do not decide: the length, the batch
