"""Make a book whose live cells need no host but its own: Pyodide is copied beside the pages.

    python -m tools.live DIR          DIR holds the files of Pyodide; the book goes to _build/live
    python -m tools.live fetch DIR    fill DIR with those files from Pyodide's CDN (31 MB)

`make book` comes first: the book is taken from _build/html, which stays as it is.
"""

import json
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "_ext"))


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copyfile(source, target)


def host(book, pyodide, out):
    """Copy `book` to `out` with Pyodide from the folder `pyodide`, and with bytecode where a Python 3.12 is found."""
    from ropebook.live.runtime import host_pyodide

    from .matrix import pythons

    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(book, out, copy_function=_link)
    live = out / "_static" / "live"
    wanted = json.loads((live / "live.json").read_text("utf-8"))["lock"]["info"]["python"]
    host_pyodide(pyodide, live, dict(pythons()).get(tuple(map(int, wanted.split(".")[:2]))))


def fetch(book, folder):
    """Download what `book` needs of Pyodide; a file that is there already is kept."""
    import urllib.request

    table = json.loads((book / "_static" / "live" / "live.json").read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    packages = [p["file_name"] for p in table["lock"]["packages"].values() if not p.get("ours")]
    for name in [*table["scripts"], table["program"], table["library"], *packages]:
        if not (folder / name).exists():
            part = folder / f"{name}.part"
            urllib.request.urlretrieve(table["pyodide"] + name, part)
            part.rename(folder / name)


def main(*arguments):
    book, out = ROOT / "_build" / "html", ROOT / "_build" / "live"
    if not (book / "_static" / "live" / "live.json").is_file():
        raise SystemExit(f"No built book at {book}. Build it first: make book")
    if len(arguments) == 2 and arguments[0] == "fetch":
        return fetch(book, Path(arguments[1]))
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        raise SystemExit(f"PYODIDE: got {' '.join(arguments) or 'nothing'}, expected the folder that holds Pyodide's files:"
                         "  make live PYODIDE=dir")
    try:
        host(book, Path(arguments[0]), out)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    print(f"\nThe book with its own Python lies in\n\n    {out}\n\nServe that folder over http.\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
