"""Live cells: beside the pages lies what runs their code in the reader's browser, loaded when a reader asks for it."""

from pathlib import Path

from .runtime import write


def _write(app, error):
    if error is None:
        write(Path(app.outdir, "_static", "live"), Path(app.srcdir))


def setup(app):
    app.connect("build-finished", _write, priority=960)
