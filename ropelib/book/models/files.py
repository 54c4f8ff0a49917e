"""What lies beside this file: weights, their hashes, and what was measured."""

import functools
import hashlib
import io
import json
import zipfile
from importlib import resources

import numpy as np

from ..._arguments import choice
from .model import Model

MODELS = ("kjv", "tang")


@functools.cache
def load(name):
    """One of the book's trained models.

    Parameters
    ----------
    name : {"kjv", "tang"}
        The King James Bible, letter by letter; or Tang poems in verses of five or seven characters.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        If there is no such model, or its file is missing or damaged; the message says how to get it back.

    Examples
    --------
    >>> load("kjv").length
    64
    """
    file = f"{choice(name, 'name', MODELS)}.npz"
    return Model(**unpack(verified(file), file))


@functools.cache
def measured():
    """What was measured over three seeds: a dict of tables, described in `training/README.md`."""
    return json.loads(verified("measured.json"))


def verified(file, package=__package__, folder=None):
    """The bytes of a file of a package of this library, if they are those that were put there."""
    folder = resources.files(package) if folder is None else folder
    again = f"Take it from the repository (git checkout {package.replace('.', '/')}) or install ropelib again."
    try:
        data, sums = (folder / file).read_bytes(), (folder / "SHA256SUMS").read_text("ascii")
    except OSError as error:
        raise ValueError(f"{error.filename or file} is missing or cannot be read. {again}") from None
    expected = dict(reversed(line.split()) for line in sums.splitlines())
    found = hashlib.sha256(data).hexdigest()
    if found != expected.get(file):
        raise ValueError(f"{file} is damaged: its SHA-256 is {found[:12]}..., not {expected.get(file, 'known')[:12]}... {again}")
    return data


def unpack(data, file):
    """Arguments of `Model` from the bytes of an npz."""
    try:
        with np.load(io.BytesIO(data)) as arrays:
            arrays = dict(arrays)
        return {**json.loads(arrays.pop("settings").tobytes()), "heldout": arrays.pop("heldout"), "weights": arrays}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        raise ValueError(f"{file} holds no model of this book: it needs settings, heldout and weights") from None


def pack(path, settings, heldout, weights):
    """Write the npz that `unpack` reads: weights in float16."""
    text = np.frombuffer(json.dumps(settings, ensure_ascii=False).encode(), np.uint8)
    half = {name: np.asarray(array, np.float16) for name, array in weights.items()}
    np.savez_compressed(path, settings=text, heldout=heldout, **half)
