"""Live cells: beside the pages lies what runs their code in the reader's browser, loaded when a reader asks for it."""

from pathlib import Path

from .runtime import write

ROOT = Path(__file__).parents[3]  # ropelib's sources stand beside the extension, whatever book is built with it


def _write(app, error):
    if error is None:
        write(Path(app.outdir, "_static", "live"), ROOT)


def setup(app):
    app.connect("build-finished", _write, priority=960)
