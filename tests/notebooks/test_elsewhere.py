"""What nbval says of a notebook that needs its own folder, or leaves something in it."""

import subprocess
import sys

import nbformat
from nbformat import v4
from rules import ROOT


def test_a_notebook_that_reads_beside_itself_or_leaves_something_fails(tmp_path):
    sources = ["open('beside.txt')", "open('left.txt', 'w').close()"]
    cells = [v4.new_code_cell(source, execution_count=k) for k, source in enumerate(sources, 1)]
    nbformat.write(v4.new_notebook(cells=cells), tmp_path / "untidy.ipynb")
    (tmp_path / "beside.txt").touch()
    command = [sys.executable, "-m", "pytest", "-p", "tests.notebooks.elsewhere", "--nbval", str(tmp_path), "-q"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert "FileNotFoundError" in said and "a notebook leaves nothing behind, found ['left.txt']" in said, said
