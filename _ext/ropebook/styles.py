"""One stylesheet for the page, made of small ones: a file a topic under theme/styles/, joined when the book is built."""

import hashlib
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "theme" / "styles"
# First what others use; among rules of equal weight the later one holds. A file not named here comes after these.
FIRST = ("colours", "fonts", "type", "layout", "formulas", "code", "figures")


@cache
def stylesheet():
    """The joined styles."""
    files = {path.stem: path for path in sorted(FOLDER.glob("*.css"))}
    names = [*FIRST, *(name for name in files if name not in FIRST)]
    return squeezed("\n".join(files[name].read_text("utf-8") for name in names))


def squeezed(text):
    """As scripts and styles of scenes are, and without the notes beside rules."""
    from ropelib.book.scenes import parts

    return parts.squeezed(re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def digest():
    """Changes with the styles, so that a browser asks for them again."""
    return hashlib.sha256(stylesheet().encode()).hexdigest()[:8]


def _write(app, error):
    if error is None:
        static = Path(app.outdir, "_static")
        (static / "book.css").write_text(stylesheet(), "utf-8")
        for name in ("print.css", "book.js"):
            (static / name).write_text(squeezed((FOLDER.parent / "static" / name).read_text("utf-8")), "utf-8")


def setup(app):
    app.connect("build-finished", _write)
