"""A downloaded chapter runs far from the repository after the one command that its page gives."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.live


def test_a_downloaded_chapter_runs_after_one_install(book, tmp_path):
    page = book / "chapters" / "zh-Hant" / "04-derive-2d-rotation.ipynb"
    wheel = next((book / "_static" / "live" / "wheels").glob("ropelib-*.whl"))
    for file in (page, wheel):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"

    def run(*command):
        done = subprocess.run([python, *command], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    run("-m", "pip", "install", "-q", f"./{wheel.name}[notebooks]")
    run("-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "run", page.name)
    assert (tmp_path / "run.ipynb").read_text("utf-8").count("✓") == page.read_text("utf-8").count("✓")
    assert Path(run("-c", "import ropelib; print(ropelib.__file__)").strip()).is_relative_to(tmp_path / "env")
