"""The scripts behind the live cells are the ones listed, and what the reader's Python is made of is made anew at each build."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOME = ROOT / "_ext" / "ropebook" / "live"
sys.path.insert(0, str(ROOT / "_ext"))


def test_every_kept_file_is_the_one_listed():
    listed = dict(reversed(line.split("  ")) for line in (HOME / "SHA256SUMS").read_text("utf-8").splitlines())
    wrong = [name for name, digest in listed.items() if hashlib.sha256((HOME.parent / name).read_bytes()).hexdigest() != digest]
    assert not wrong
    served = HOME.parent / "theme" / "static" / "live"
    kept = {p.relative_to(HOME.parent).as_posix() for p in served.glob("codemirror*")}
    assert kept <= set(listed), "a file that no list names"


def test_the_wheel_of_ropelib_is_its_sources(book):
    wheel = next((book / "_static" / "live" / "wheels").glob("ropelib-*.whl"))
    held = {n: zipfile.ZipFile(wheel).read(n) for n in zipfile.ZipFile(wheel).namelist() if n.startswith("ropelib/")}
    sources = {p.relative_to(ROOT).as_posix(): p.read_bytes() for p in (ROOT / "ropelib").rglob("*")
               if p.is_file() and "__pycache__" not in p.parts}
    assert held == sources


def test_the_lock_lists_what_lies_there(book):
    folder = book / "_static" / "live"
    packages = json.loads((folder / "live.json").read_text("utf-8"))["lock"]["packages"]
    ours = {n: p for n, p in packages.items() if p.get("ours")}
    assert {"ropelib", "sympy", "mpmath"} == set(ours)
    for name, entry in ours.items():
        assert hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest() == entry["sha256"], name
        assert all(need.lower() in {p.lower() for p in packages} for need in entry["depends"]), name


@pytest.mark.parametrize("fault", ["missing", "another"])
def test_a_pyodide_that_is_not_the_listed_one_is_refused(book, tmp_path, fault):
    from ropebook.live.runtime import CORE, host_pyodide

    table = json.loads((book / "_static" / "live" / "live.json").read_text("utf-8"))
    (tmp_path / "live.json").write_text(json.dumps(table), "utf-8")
    source = tmp_path / "pyodide-files"
    source.mkdir()
    for name in CORE:
        (source / name).write_bytes(b"")
    theirs = [p["file_name"] for p in table["lock"]["packages"].values() if not p.get("ours")]
    if fault == "another":
        for name in theirs:
            (source / name).write_bytes(b"not this")
    with pytest.raises(ValueError, match="has no" if fault == "missing" else "sha256"):
        host_pyodide(source, tmp_path)
    assert not (tmp_path / "pyodide").exists()
    assert json.loads((tmp_path / "live.json").read_text("utf-8")) == table
