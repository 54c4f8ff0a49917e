"""What runs a cell in the reader's browser: its output goes to the page as it comes, in a notebook's own form.

It stands in for a notebook's kernel, as far as the book needs one: what a cell prints, the value of its last line, figures,
errors, and `interact`. `send` is set by the worker and takes one output as JSON.
"""

import ast
import base64
import builtins
import io
import json
import linecache
import re
import sys
import traceback
import types
from importlib.util import find_spec
from pathlib import Path

NAMES = {"__name__": "__main__", "__builtins__": builtins}
FORMS = {  # what a value may offer, beside its words
    "_repr_html_": "text/html",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_latex_": "text/latex",
}
user_ns, ast_transformers = NAMES, []  # as IPython's shell has them, for `ropelib.book.absent`
send = print
alts = []  # what the page says of the figures of the cell that runs, for those who do not see them; last, what it says of others


def _put(output):
    send(json.dumps(output))


class _Stream(io.TextIOBase):
    def __init__(self, name):
        self.name = name

    def write(self, text):
        if text:
            _put({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


def display(value):
    """Show a value in its best form."""
    if _is_figure(value):
        _show_figure(value)
    else:
        _put({"output_type": "display_data", "data": _forms(value), "metadata": {}})


def _forms(value):
    data = {}
    for method, kind in FORMS.items():
        if callable(make := getattr(value, method, None)) and (made := make()) is not None:
            data[kind] = base64.b64encode(made).decode() if isinstance(made, bytes) else made
    return {**data, "text/plain": repr(value)}


# --- figures ---------------------------------------------------------------------------------------------------------------


def _is_figure(value):
    return "matplotlib.figure" in sys.modules and isinstance(value, sys.modules["matplotlib.figure"].Figure)


def _show_figure(figure):
    from ropelib.book import figures

    if svg := figures.saved(figure):
        page = figures.page_svg(svg, alts.pop(0) if len(alts) > 1 else alts[0])
        data = {"image/svg+xml": svg, "text/plain": figures.digest(figure), "text/x-page": page}
        _put({"output_type": "display_data", "data": data, "metadata": {}})


def show_figures():
    """Show what is drawn and not yet shown, and begin afresh."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            _show_figure(plt.figure(number))
        plt.close("all")


class _Backend(types.ModuleType):
    """Matplotlib's way to the page, made when a cell first draws."""

    def __getattr__(self, name):
        from matplotlib.backend_bases import FigureManagerBase
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        self.FigureCanvas, self.FigureManager = FigureCanvasSVG, FigureManagerBase
        self.show = lambda *args, **kwargs: show_figures()
        if name in vars(self):
            return vars(self)[name]
        raise AttributeError(name)


# --- sliders ---------------------------------------------------------------------------------------------------------------

_moved = []  # the functions behind the sliders that the page shows


def interact(function, **settings):
    """ipywidgets' interact, as far as numbers, choices and yes or no: the page draws the controls and calls back."""
    controls = {name: _control(name, setting) for name, setting in settings.items()}
    _moved.append(function)
    _put({
        "output_type": "display_data",
        "data": {"text/x-controls": json.dumps({"call": len(_moved) - 1, "controls": controls}), "text/plain": "interact"},
        "metadata": {},
    })  # fmt: skip
    function(**{name: control["value"] for name, control in controls.items()})
    show_figures()
    return function


def _control(name, setting):
    if isinstance(setting, bool):
        return {"kind": "check", "value": setting}
    if isinstance(setting, (int, float)):
        setting = (min(-setting, 3 * setting), max(-setting, 3 * setting)) if setting else (0, 1)
    if isinstance(setting, tuple) and len(setting) in (2, 3) and all(isinstance(x, (int, float)) for x in setting):
        low, high = setting[:2]
        whole = all(isinstance(x, int) for x in setting)
        step = setting[2] if len(setting) == 3 else (1 if whole else (high - low) / 100)
        middle = low + (high - low) / step // 2 * step
        return {"kind": "range", "min": low, "max": high, "step": step, "value": int(middle) if whole else middle}
    if isinstance(setting, (list, tuple)) and setting:
        return {"kind": "choice", "choices": list(setting), "value": setting[0]}
    raise ValueError(f"{name}: got {setting!r}, expected a number, (least, largest[, step]), a list of choices, or True or False")


def call(number, values):
    """The page moved a control: the function runs again."""

    def again():
        _moved[number](**json.loads(values))
        show_figures()

    return _guarded(again)


# --- a cell ----------------------------------------------------------------------------------------------------------------


def run(code, name, described):
    """Run a cell, with words for its figures as a JSON list. Returns whether it came to its end."""
    alts[:] = json.loads(described)
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    return _guarded(lambda: _run(code, name))


def _run(code, name):
    tree = ast.parse(code, name)
    for transformer in ast_transformers:
        tree = transformer.visit(tree)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), NAMES)
    if last is not None and (value := eval(compile(last, name, "eval"), NAMES)) is not None:
        if _is_figure(value):
            _show_figure(value)
            sys.modules["matplotlib.pyplot"].close(value)
        else:
            _put({"output_type": "execute_result", "data": _forms(value), "metadata": {}})
    show_figures()


def _guarded(work):
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Stream("stdout"), _Stream("stderr")
    try:
        work()
    except BaseException as error:  # the reader's cell may stop in any way
        _put(_error(error))
        return False
    else:
        return True
    finally:
        sys.stdout, sys.stderr = kept


def _error(error):
    """The error, and the lines of the reader's own code and below that led to it."""
    own, passed = error.__traceback__, (__file__, ast.parse.__code__.co_filename)  # what is no Python has no frame of its own
    while own and own.tb_frame.f_code.co_filename in passed:
        own = own.tb_next
    lines = "".join(traceback.format_exception(type(error), error, own)).rstrip("\n").split("\n")
    return {"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": lines}


def _keep_the_list_of_fonts():
    """Pyodide's matplotlib has its list of fonts ready under another version's number, and would make it anew at each start."""
    folder = Path(find_spec("matplotlib").submodule_search_locations[0])
    version = re.search(r"__version__ = (\d+)", (folder / "font_manager.py").read_text("utf-8"))
    fonts = folder / "fontlist.json"
    if version and fonts.exists():
        fonts.write_text(re.sub(r'"_version": \d+', f'"_version": {version[1]}', fonts.read_text("utf-8"), count=1), "utf-8")


def begin():
    """Before the first cell: `display` needs no import, and `ipywidgets` is what stands here."""
    _keep_the_list_of_fonts()
    builtins.display = display
    sys.modules["cells_backend"] = _Backend("cells_backend")
    widgets = types.ModuleType("ipywidgets")
    widgets.interact = interact
    sys.modules["ipywidgets"] = widgets
