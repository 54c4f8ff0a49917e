"""The scripts behind the live cells are the ones listed, and what the reader's Python is made of is made anew at each build."""

import gzip
import hashlib
import io
import json
import subprocess
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
    sources = {
        p.relative_to(ROOT).as_posix(): p.read_bytes()
        for p in (ROOT / "ropelib").rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert held == sources


def test_the_lock_lists_what_lies_there(book):
    folder = book / "_static" / "live"
    packages = json.loads((folder / "live.json").read_text("utf-8"))["lock"]["packages"]
    ours = {n: p for n, p in packages.items() if p.get("ours")}
    assert {"ropelib", "sympy", "mpmath"} == set(ours)
    for name, entry in ours.items():
        assert hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest() == entry["sha256"], name
        assert all(need.lower() in {p.lower() for p in packages} for need in entry["depends"]), name


def test_bytecode_stands_beside_the_sources_and_is_used_unasked(tmp_path):
    """A wheel keeps it where Python looks in a folder, the library where it looks in an archive; what is no Python stays."""
    from ropebook.live.bytecode import with_bytecode

    files = {"thing/__init__.py": "x = 6 * 7\n", "thing/template.py": "{% if %}\n", "thing/data.txt": "data\n"}
    in_a_folder = f"thing/__pycache__/__init__.{sys.implementation.cache_tag}.pyc"
    for kind, beside in (("whl", in_a_folder), ("zip", "thing/__init__.pyc")):
        plain, made, again = (tmp_path / f"{name}.{kind}" for name in ("plain", "made", "again"))
        with zipfile.ZipFile(plain, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        with_bytecode(plain, made)
        with_bytecode(plain, again)
        assert made.read_bytes() == again.read_bytes(), "the same sources, the same bytes"
        held = zipfile.ZipFile(made)
        assert set(held.namelist()) == {*files, beside}
        assert all(held.read(name).decode() == text for name, text in files.items())
        changed = tmp_path / f"changed.{kind}"  # other sources beside the old bytecode: they are not looked at
        with zipfile.ZipFile(changed, "w") as archive:
            for name in held.namelist():
                archive.writestr(name, b"x = 0" if name == "thing/__init__.py" else held.read(name))
        place = changed
        if kind == "whl":
            place = tmp_path / "site"
            zipfile.ZipFile(changed).extractall(place)
        program = f"import sys; sys.path.insert(0, {str(place)!r}); import thing; print(thing.x)"
        assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "42\n"


def test_a_packed_wheel_holds_the_same_files_as_one_stream(tmp_path):
    from ropebook.live.bytecode import with_bytecode

    plain, wheel, packed = (tmp_path / name for name in ("plain.whl", "made.whl", "made.packed"))
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("thing/__init__.py", "x = 6 * 7\n")
    with_bytecode(plain, wheel)
    with_bytecode(plain, packed)
    one, other = zipfile.ZipFile(wheel), zipfile.ZipFile(io.BytesIO(gzip.decompress(packed.read_bytes())))
    assert {n: one.read(n) for n in one.namelist()} == {n: other.read(n) for n in other.namelist()}
    assert {entry.compress_type for entry in other.infolist()} == {zipfile.ZIP_STORED}, "the page would inflate each again"


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
