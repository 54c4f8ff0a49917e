"""The library as whoever installs it finds it: small, typed, and in need of NumPy alone."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import ropelib

CORE = "frequencies rotation scaling axes rope attention cache encodings".split()


def test_importing_needs_numpy_alone():
    code = "import sys, numpy; before = set(sys.modules); import ropelib; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    outside = {name.partition(".")[0] for name in loaded} - {"ropelib", "numpy", *sys.stdlib_module_names}
    assert not {name for name in outside if not name.startswith("__editable__")}


def test_the_library_is_small():
    """The core that chapters teach: about 700 lines of code, without docstrings, comments and blank lines."""
    idle = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    total = 0
    for name in CORE:
        path = Path(ropelib.__file__).with_name(f"{name}.py")
        source, docs = path.read_text(encoding="utf-8"), set()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
                docs |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        lines = {n for t in tokens if t.type not in idle for n in range(t.start[0], t.end[0] + 1)}
        total += len(lines - docs)
    assert total < 750


def test_types_are_strict():
    """mypy's strictest reading of the numerics, as whoever depends on them sees it, by pyproject.toml alone."""
    root = Path(ropelib.__file__).parents[1]
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (root / "ropelib" / "py.typed").exists()


def test_help_and_hasattr_need_numpy_alone():
    code = f"""
import sys
for name in ("matplotlib", "ipywidgets", "IPython", "torch", "scipy", "sympy"):
    sys.modules[name] = None
import io, pydoc, ropelib
assert not hasattr(ropelib, "anything") and not hasattr(ropelib, "setup")
text = pydoc.render_doc(ropelib, renderer=pydoc.plaintext)
assert all(name in text for name in {ropelib.__all__!r})
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "code",
    [
        "from ropelib.book import setup",
        "from ropelib import book; book.setup",
        "from ropelib.book import figures",
        "from ropelib.book.panels import panels; panels()",
    ],
)
def test_the_book_says_how_to_get_what_it_draws_with(code):
    program = f"""
import sys
sys.modules["matplotlib"] = None
from ropelib.book import check, grade, scene, t  # which need NumPy alone
try:
    exec({code!r})
except ModuleNotFoundError as missing:
    print(missing)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    name = r"matplotlib(\.pyplot)?"
    assert re.fullmatch(f"ropelib.book draws with {name}, which is not installed: pip install 'ropelib\\[draw\\]'\n", done.stdout)


def test_unknown_names_are_refused_in_the_usual_words():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ropelib.nothing
