"""What a notebook leaves out when something is missing, and what it keeps."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ropelib.book import absent
from ropelib.book.absent import MARK, Absent, LeaveOut, Missing, given, optional

ROOT = Path(__file__).parents[2]


def missing():
    raise Missing("position {m}", m=3)


class Shell:
    def __init__(self):
        self.user_ns, self.ast_transformers = {}, []


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(absent, "notebook", lambda: shell)
    return shell


def runs(shell, source):
    """Whether a cell is left as it is."""
    tree = ast.parse(source)
    return all(t.visit(tree) is tree for t in shell.ast_transformers)


def test_what_is_there_is_returned():
    assert optional(lambda: 5) == 5


def test_outside_a_notebook_the_reason_is_raised():
    with pytest.raises(Missing, match="position 3"):
        optional(missing)


def test_in_a_notebook_the_reason_is_printed_once_a_call(shell, capsys):
    for _ in range(2):
        assert isinstance(optional(missing), Absent)
    assert capsys.readouterr().out == 2 * f"{MARK} position 3\n"
    assert len(shell.ast_transformers) == 1


def test_what_needs_it_is_left_out_and_what_that_would_have_made(shell):
    shell.user_ns["model"] = optional(missing)
    assert runs(shell, "x = 1")
    assert not runs(shell, "import json as j\nfor row in model:\n    y = row\ndef f(z):\n    w = 1")
    assert {k for k, v in shell.user_ns.items() if isinstance(v, Absent)} == {"model", "row", "y", "f"}
    assert not runs(shell, "f(3)")
    assert not runs(shell, "def late():\n    return model")
    assert not runs(shell, "print(late())")
    assert runs(shell, "y = 2")
    assert runs(shell, "for row in range(3):\n    print(row)")


def test_a_cell_that_makes_the_name_anew_runs(shell):
    shell.user_ns["model"] = optional(missing)
    assert runs(shell, "model = optional(load)\nmodel")


def test_left_out_cells_say_so(capsys):
    names = {"model": Absent()}
    exec(compile(LeaveOut(names).visit(ast.parse("import json as j\nmodel()")), "cell", "exec"), names)
    assert capsys.readouterr().out.startswith(f"{MARK} left out") and names["j"].dumps([]) == "[]"


def test_names_that_a_cell_leaves_behind():
    source = "a, b = 1, 2\nif a:\n    c = [d for d in a]\ndef f(e):\n    g = 1\nclass H:\n    i = 1\nwith a as k: pass"
    assert set(given(ast.parse(source))) == {"a", "b", "c", "f", "H", "k"}


def test_the_page_s_own_python_leaves_out_what_needs_it():
    """What runs cells in the page, run here: it has no IPython, and offers what `optional` asks for."""
    program = """
import json, sys
sys.path.insert(0, "_ext/ropebook/theme/static/live")
import cells
cells.send = lambda output: said.append(json.loads(output).get("text", ""))
said = []
for code in ("from ropelib.book.absent import Missing, optional", "def load(): raise Missing('distance')",
             "thing = optional(load)", "print(thing.size)", "print('on')"):
    assert cells.run(code, "cell", '[""]')
print("".join(said), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    first, second, third = done.stderr.splitlines()[:3]
    assert first == f"{MARK} distance" and second.startswith(f"{MARK} left out") and third == "on"
