"""Bring other versions of the scripts behind the live cells into the book (needs npm and the network; `make book` needs neither).

    python -m tools.live_assets thebe@0.9.3 thebe-core@0.5.0 thebe-lite@0.5.0 requirejs@2.3.6 pyodide@0.27.7

thebe and thebe-lite must fit each other, and Pyodide the kernel that thebe-lite brings. thebe-core is inside thebe; only its
licence is taken. Of Pyodide only the lock is kept, cut to the packages that the book loads.
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOME = ROOT / "_ext" / "ropebook" / "live"
SERVED = ROOT / "_ext" / "ropebook" / "theme" / "static" / "live"
LEAVE = re.compile(r"\.map$|\.d\.ts$|/types/|/api/|/service-worker\.js$|widgetsnbextension")
EXPECTED = ("thebe", "thebe-core", "thebe-lite", "requirejs", "pyodide")


def fetch(package, folder):
    """The files of an npm package, by their path inside it."""
    done = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True)
    with tarfile.open(folder / done.stdout.split()[-1]) as tar:
        return {m.name.partition("/")[2]: tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}


def keep(files, inside, place):
    for old in place.rglob("*") if place.exists() else ():
        if old.is_file():
            old.unlink()
    for name, data in files.items():
        if name.startswith(inside) and not LEAVE.search("/" + name):
            path = place / name.removeprefix(inside)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def cut(lock, wanted):
    """The part of Pyodide's lock that `wanted` needs."""
    names = {re.sub(r"[-_.]+", "-", name).lower(): name for name in lock["packages"]}
    kept, todo = {}, list(wanted)
    while todo:
        name = names[re.sub(r"[-_.]+", "-", todo.pop()).lower()]
        if name not in kept:
            kept[name] = lock["packages"][name]
            todo += kept[name]["depends"]
    return {"info": lock["info"], "packages": dict(sorted(kept.items()))}


def main(packages):
    named = {p.rpartition("@")[0]: p for p in packages}
    if set(named) != set(EXPECTED):
        raise SystemExit(f"packages: got {sorted(named)}, expected name@version for each of {', '.join(EXPECTED)}")
    sys.path.insert(0, str(ROOT / "_ext"))
    from ropebook.live.runtime import FROM_PYODIDE

    with tempfile.TemporaryDirectory() as folder:
        files = {name: fetch(p, Path(folder)) for name, p in named.items()}
    keep(files["thebe"], "lib/", SERVED / "thebe")
    keep(files["thebe-lite"], "dist/lib/", SERVED / "thebe-lite")
    (SERVED / "require.js").write_bytes(files["requirejs"]["require.js"])
    (SERVED / "thebe" / "LICENSE").write_bytes(files["thebe-core"]["LICENSE"])
    lock = cut(json.loads(files["pyodide"]["pyodide-lock.json"]), FROM_PYODIDE)
    (HOME / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    theirs = [p for p in SERVED.rglob("*") if p.is_file() and (p.parent != SERVED or p.name == "require.js")]
    kept = [HOME / "pyodide-lock.json", *sorted(theirs)]
    base = HOME.parent
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(base).as_posix()}\n" for p in kept)
    (HOME / "SHA256SUMS").write_text(sums, "utf-8")
    (HOME / "VERSIONS").write_text("".join(f"{named[name]}\n" for name in EXPECTED), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
