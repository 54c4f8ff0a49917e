"""What Python in the reader's browser is made of: which packages, from where, and the list that the page loads them by."""

import hashlib
import json
import shutil
from pathlib import Path

from .wheels import imports_of, wheel_of_distribution, wheel_of_ropelib

HOME = Path(__file__).parent
CDN = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
CORE = ("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")

# Compiled for WebAssembly, in the versions that Pyodide tested
FROM_PYODIDE = ("numpy", "matplotlib")
UNUSED = ("fonttools", "matplotlib-pyodide", "pytz")  # matplotlib needs them for other formats and other pages
# Pure Python, as installed here: the reader gets the versions that the book was tested with. name: what it needs
FROM_HERE = {"mpmath": [], "sympy": ["mpmath"]}
ALWAYS = ("ropelib", "matplotlib")  # on every page; the others come to the pages whose cells import them


def _entry(wheel, depends, folder):
    name, version = wheel.name.split("-")[:2]
    name = name.lower().replace("_", "-")
    return name, {
        "name": name, "version": version, "file_name": wheel.relative_to(folder).as_posix(), "ours": True,
        "install_dir": "site", "package_type": "package", "unvendored_tests": False, "depends": depends,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(), "imports": imports_of(wheel),
    }


def write(folder, root):
    """Put wheels and `live.json` into `folder`, which holds the scripts; `root` holds the sources of ropelib."""
    lock = json.loads((HOME / "pyodide-lock.json").read_text("utf-8"))
    for entry in lock["packages"].values():
        entry["depends"] = [name for name in entry["depends"] if name not in UNUSED]
    lock["packages"] = {name: entry for name, entry in lock["packages"].items() if name not in UNUSED}
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    made = {wheel_of_ropelib(root, wheels): ["numpy"]}
    made |= {wheel_of_distribution(name, wheels): needs for name, needs in FROM_HERE.items()}
    for old in set(wheels.glob("*.whl")) - set(made):
        old.unlink()
    lock["packages"].update(_entry(wheel, needs, folder) for wheel, needs in made.items())
    table = {"pyodide": CDN.format(version=lock["info"]["version"]), "always": list(ALWAYS), "core": list(CORE), "lock": lock}
    (folder / "live.json").write_text(json.dumps(table, sort_keys=True), "utf-8")


def host_pyodide(source, folder):
    """Copy Pyodide from `source` beside the scripts in `folder`, so that pages need no other host.

    Raises
    ------
    ValueError
        If a file is missing in `source`, or is not the one that the lock names.
    """
    path = folder / "live.json"
    table = json.loads(path.read_text("utf-8"))
    theirs = {p["file_name"]: p["sha256"] for p in table["lock"]["packages"].values() if not p.get("ours")}
    version = table["lock"]["info"]["version"]
    for name in (*CORE, *theirs):
        if not (source / name).is_file():
            raise ValueError(f"PYODIDE: got {source}, which has no {name}; expected the files of Pyodide {version}")
        if name in theirs and hashlib.sha256((source / name).read_bytes()).hexdigest() != theirs[name]:
            raise ValueError(f"PYODIDE: {source / name} is not the file that Pyodide {version} lists: its sha256 differs")
    shutil.rmtree(folder / "pyodide", ignore_errors=True)
    (folder / "pyodide").mkdir()
    for name in (*CORE, *theirs):
        shutil.copyfile(source / name, folder / "pyodide" / name)
    path.unlink()  # it may be a link to the book's own
    path.write_text(json.dumps({**table, "pyodide": "pyodide/"}, sort_keys=True), "utf-8")
