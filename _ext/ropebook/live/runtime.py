"""What Python in the reader's browser is made of: which packages, from where, and the list that the page loads them by."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from .wheels import imports_of, wheel_of_distribution, wheel_of_ropelib

HOME = Path(__file__).parent
CDN = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
SCRIPTS, PROGRAM, LIBRARY = ("pyodide.js", "pyodide.asm.js"), "pyodide.asm.wasm", "python_stdlib.zip"
CORE = (*SCRIPTS, PROGRAM, LIBRARY)

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
    table = {"pyodide": CDN.format(version=lock["info"]["version"]), "always": list(ALWAYS), "lock": lock,
             "scripts": list(SCRIPTS), "program": PROGRAM, "library": LIBRARY}
    (folder / "live.json").write_text(json.dumps(table, sort_keys=True), "utf-8")


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def host_pyodide(source, folder, python=None):
    """Copy Pyodide from `source` beside the scripts in `folder`, so that pages need no other host.

    Parameters
    ----------
    source, folder : pathlib.Path
    python : str, optional
        A Python of the version that Pyodide is. Everything gets its bytecode, which halves the start; without it the
        sources stay as they are.

    Raises
    ------
    ValueError
        If a file is missing in `source`, or is not the one that the lock names.
    """
    path = folder / "live.json"
    table = json.loads(path.read_text("utf-8"))
    packages = table["lock"]["packages"].values()
    theirs = {p["file_name"]: p["sha256"] for p in packages if not p.get("ours")}
    version = table["lock"]["info"]["version"]
    for name in (*CORE, *theirs):
        if not (source / name).is_file():
            raise ValueError(f"PYODIDE: got {source}, which has no {name}; expected the files of Pyodide {version}")
        if name in theirs and _sha256(source / name) != theirs[name]:
            raise ValueError(f"PYODIDE: {source / name} is not the file that Pyodide {version} lists: its sha256 differs")
    out = folder / "pyodide"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for name in CORE if python else (*CORE, *theirs):
        shutil.copyfile(source / name, out / name)
    if python:
        archives = {out / LIBRARY: source / LIBRARY}
        for package in packages:
            name, ours = package["file_name"].rpartition("/")[2], package.get("ours")
            original = folder / package["file_name"] if ours else source / name
            if package["name"] in ALWAYS or not ours:  # the page unpacks it; Pyodide may fetch the others
                name = Path(name).with_suffix(".packed").name
            archives[out / name] = original
            package["file_name"] = f"pyodide/{name}" if ours else name  # that in `wheels` is the one that readers take along
        pairs = [path for target, original in archives.items() for path in (original, target)]
        subprocess.run([python, "-I", "-W", "ignore", HOME / "bytecode.py", *pairs], check=True)
        for package in packages:
            package["sha256"] = _sha256(out / package["file_name"].rpartition("/")[2])
    path.unlink()  # it may be a link to the book's own
    path.write_text(json.dumps({**table, "pyodide": "pyodide/"}, sort_keys=True), "utf-8")
