"""What a notebook does without something too large to come along: it says how to get it, and leaves out what needs it.

    model = optional(load)    # where load() says that it is Missing, its sentence is printed and the notebook goes on

From then on a cell that uses `model`, or anything that a left-out cell would have made, prints one line instead of running.
"""

import ast
import sys
from contextlib import contextmanager

from .labels import t

MARK = "○"  # how a line begins that stands for a cell's own output
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
NESTED = (*SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)  # names made inside stay inside


class Missing(ValueError):
    """Something that can be had is not here. The message says how to get it.

    Parameters
    ----------
    sentence : str
        A label of the book, shown in the notebook's language.
    **values
        What ``{name}`` in it stands for.
    """

    def __init__(self, sentence, **values):
        super().__init__(sentence.format(**values))
        self.sentence, self.values = sentence, values


class Absent:
    """Stands where the missing thing, or something made with it, would be."""

    def __repr__(self):
        return "<not here>"


@contextmanager
def drawing():
    """Around imports of what draws, which `ropelib` does not need: where one is not installed, how to get it is said.

    Raises
    ------
    ModuleNotFoundError
        With that sentence.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        said = f"ropelib.book draws with {missing.name}, which is not installed: pip install 'ropelib[draw]'"
        raise ModuleNotFoundError(said, name=missing.name) from missing


def optional(load):
    """What `load()` returns. In a notebook, if it is `Missing`: its sentence is printed, and cells that need it are left out.

    Parameters
    ----------
    load : function without arguments

    Raises
    ------
    Missing
        Outside of a notebook, where no later cell could be left out.
    """
    try:
        return load()
    except Missing as missing:
        shell = notebook()
        if shell is None:
            raise
        if not any(isinstance(one, LeaveOut) for one in shell.ast_transformers):
            shell.ast_transformers.append(LeaveOut(shell.user_ns))
        print(MARK, t(missing.sentence, **missing.values))
        return Absent()


def notebook():
    """IPython's shell, or what runs cells in the page, or None."""
    if hasattr(page := sys.modules.get("cells"), "ast_transformers"):
        return page
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


class LeaveOut:
    """Given to the notebook: puts a line in place of each cell that uses something absent. What it imports is imported."""

    def __init__(self, names):
        self.names = names

    def visit(self, cell):
        made = {n.id for n in ast.walk(cell) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        used = {n.id for n in ast.walk(cell) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} - made
        if not any(isinstance(self.names.get(name), Absent) for name in used):
            return cell
        self.names.update((name, Absent()) for name in given(cell))
        said = f"{MARK} {t('left out: it needs the model that is not here')}"
        kept = [line for line in cell.body if isinstance(line, ast.Import | ast.ImportFrom)]
        return ast.Module([*kept, *ast.parse(f"print({said!r})").body], [])


def given(node):
    """The names that running a cell would leave behind."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child.name
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield child.id
        if not isinstance(child, NESTED):
            yield from given(child)
