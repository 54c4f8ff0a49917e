"""Four kinds of code cell, and what each may hold (docs/authors.md tells why). A chapter with a `setup` cell keeps to this."""

import ast
import builtins
import re
import symtable

from rules import code_cells, where

from tools.pair import kind

LINES, COLUMNS = 25, 72  # of a cell that stands open
GRADE = re.compile(r"grade_\w+$")


def of_kind(book, *kinds):
    return [c for c in code_cells(book) if kind(c) in kinds and not live(c)]


def live(cell):
    """A widget's cell: the page shows its still."""
    return "nbval-ignore-output" in cell.metadata.get("tags", [])


def called(source):
    """The names that a piece of code calls."""
    calls = [n.func for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)]
    return {getattr(f, "id", getattr(f, "attr", "")) for f in calls}


# --- ideas -------------------------------------------------------------------------------------------------------------

NOT_AN_IDEA = {"check": "a check", "grade": "a grader", "t": "words for a figure", "column": "a table"}


def small_ideas(path, book):
    """What stands open is short, narrow, and NumPy alone: neither proof nor table."""
    for cell in of_kind(book, "idea", "solution"):
        lines = cell.source.splitlines()
        if kind(cell) == "idea" and len(lines) > LINES:
            yield f"{where(path, cell)}: {len(lines)} lines stand open, expected at most {LINES}"
        for k, line in enumerate(lines, 1):
            if len(line) > COLUMNS:
                yield f"{where(path, cell)}, line {k}: {len(line)} columns, expected at most {COLUMNS}"
    for cell in of_kind(book, "idea"):
        for name in sorted(called(cell.source) & set(NOT_AN_IDEA)):
            yield f"{where(path, cell)}: {name}() is {NOT_AN_IDEA[name]}, not an idea; give it a cell of its own"
        if table := _table(cell.source):
            yield f"{where(path, cell)}, line {table}: a printed table; put it into a check or a figure, or into the text"


def _table(source):
    """The line on which columns of a table are printed: a width in a format, or names made wide."""
    for node in ast.walk(ast.parse(source)):
        padded = isinstance(node, ast.Attribute) and node.attr in ("ljust", "rjust", "center")
        spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
        wide = spec and isinstance(spec.values[0], ast.Constant) and re.match(r"(.?[<>^])?[ +-]?#?[1-9]", spec.values[0].value)
        if padded or wide:
            return node.lineno
    return None


def needs(source):
    """The names that a cell takes from elsewhere, and those that it gives."""
    table = symtable.symtable(source, "cell", "exec")
    gives = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    takes = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    inside = list(table.get_children())
    while inside:
        scope = inside.pop()
        inside += scope.get_children()
        takes |= {s.get_name() for s in scope.get_symbols() if s.is_global() and s.is_referenced()}
        gives |= {s.get_name() for s in scope.get_symbols() if s.is_declared_global() and s.is_assigned()}
    return takes - gives - set(dir(builtins)), gives


def names_in_sight(path, book):
    """A name that an open cell uses is defined or imported in an open cell, where a reader sees it."""
    seen = set()
    for cell in code_cells(book):
        if kind(cell) == "idea":
            takes, gives = needs(cell.source)
            for name in sorted(takes - seen):
                if not GRADE.match(name):
                    yield f"{where(path, cell)}: {name} comes from no open cell above"
            seen |= gives


# --- the other kinds -----------------------------------------------------------------------------------------------------


def each_in_its_place(path, book):
    """Set-up first and nothing but imports; checks check; figures do not; a solution's code is tagged as one."""
    cells = code_cells(book)
    first = next((k for k, c in enumerate(cells) if kind(c) != "setup"), len(cells))
    for cell in cells[first:]:
        if kind(cell) == "setup":
            yield f"{where(path, cell)}: set-up comes before every other cell"
    for cell in of_kind(book, "setup"):
        for node in ast.parse(cell.source).body:
            is_setup = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and "setup" in called(ast.unparse(node))
            if not is_setup and not isinstance(node, (ast.Import, ast.ImportFrom)):
                yield f"{where(path, cell)}: {ast.unparse(node).splitlines()[0]}: set-up is imports and the language"
    for cell in of_kind(book, "check"):
        if "check" not in called(cell.source):
            yield f"{where(path, cell)}: a check cell without check()"
    for cell in of_kind(book, "figure", "grader"):
        if "check" in called(cell.source):
            yield f"{where(path, cell)}: a {kind(cell)} cell that checks; a check has a cell of its own"
    for cell in of_kind(book, "figure"):
        if not any({"image/svg+xml", "text/html"} & set(o.get("data", {})) for o in cell.outputs):
            yield f"{where(path, cell)}: a figure cell that draws nothing"
    inside = False
    for cell in book.cells:
        if cell.cell_type == "markdown":
            marks = re.findall(r"\{solution-(start|end)\}", cell.source)
            inside = marks[-1] == "start" if marks else inside
        elif inside != (kind(cell) == "solution"):
            yield f"{where(path, cell)}: " + (
                "code of a solution without the tag solution" if inside else "tagged solution, but stands outside of one"
            )


def sources_hidden(path, book):
    """JupyterLab folds what the page folds; tools/pair.py writes it."""
    for cell in code_cells(book):
        hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        if hidden != (kind(cell) != "idea"):
            yield f"{where(path, cell)}: source_hidden is {hidden}; run: python -m tools.pair run {path.name[:2]}"


def exercises(path, book):
    """Every grader is asked by an open cell that holds no answer yet, and passes what the solution gives."""
    graders = {
        node.name: cell
        for cell in of_kind(book, "grader")
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef) and GRADE.match(node.name)
    }
    asked = {n for c in of_kind(book, "idea") if "..." in c.source for n in called(c.source)}
    solved = {n for c in of_kind(book, "solution") for o in c.outputs if "✓" in o.get("text", "") for n in called(c.source)}
    for name, cell in graders.items():
        if name not in asked:
            yield f"{where(path, cell)}: no open cell with dots for an answer calls {name}"
        if name not in solved:
            yield f"{where(path, cell)}: no solution passes {name}"
    for cell in of_kind(book, "idea", "solution"):
        for name in sorted(n for n in called(cell.source) if GRADE.match(n) and n not in graders):
            yield f"{where(path, cell)}: {name} is defined in no cell tagged grader"


def words_known(path, book, words):
    """What checks and graders say has its Chinese. Only the literal labels can be looked up; others go through t()."""
    for cell in code_cells(book):
        for node in ast.walk(ast.parse(cell.source)):
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            labels = node.args[:1] if name == "check" else []
            if name == "grade":
                slips = [k.value for k in node.keywords if k.arg == "slips"]
                labels = [key for d in slips if isinstance(d, ast.Dict) for key in d.keys]
            for label in labels:
                if isinstance(label, ast.Constant) and label.value not in words:
                    yield f"{where(path, cell)}: {label.value!r} has no Chinese in the chapter's words"
