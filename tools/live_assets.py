"""Bring other versions of what runs the live cells into the book (needs npm and the network; `make book` needs neither).

    python -m tools.live_assets pyodide@0.27.7 esbuild@0.28.2 @lezer/highlight@1.2.5 @codemirror/state@6.7.6 \\
        @codemirror/view@6.43.15 @codemirror/commands@6.11.1 @codemirror/language@6.13.1 @codemirror/lang-python@6.2.1

Of Pyodide only the lock is kept, cut to the packages that the book loads. CodeMirror becomes one file, bundled by esbuild.
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
EDITOR = """
export {EditorState} from "@codemirror/state";
export {EditorView, keymap, drawSelection, highlightSpecialChars} from "@codemirror/view";
export {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
export {HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting} from "@codemirror/language";
export {python} from "@codemirror/lang-python";
export {tags} from "@lezer/highlight";
"""
FROM = tuple(sorted(set(re.findall(r'from "(.*)"', EDITOR))))
EXPECTED = ("pyodide", "esbuild", *FROM)


def lock_of(package, folder):
    """The lock in Pyodide's npm package."""
    done = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True)
    with tarfile.open(folder / done.stdout.split()[-1]) as tar:
        return json.load(tar.extractfile("package/pyodide-lock.json"))


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


def bundle(packages, folder):
    """CodeMirror as one module, and the licences of all that is in it."""
    (folder / "package.json").write_text("{}")
    (folder / "entry.js").write_text(EDITOR)
    subprocess.run(["npm", "install", "--silent", *packages], cwd=folder, check=True)
    made = folder / "codemirror.js"
    modules = folder / "node_modules"
    options = ("--bundle", "--minify", "--format=esm", "--legal-comments=none", "--log-level=warning", f"--outfile={made}")
    subprocess.run([modules / ".bin" / "esbuild", "entry.js", *options], cwd=folder, check=True)
    licences = {}
    for path in (p for p in sorted(modules.rglob("LICENSE")) if "esbuild" not in p.as_posix()):
        licences.setdefault(path.read_text("utf-8").strip(), []).append(path.parent.relative_to(modules).as_posix())
    return made.read_bytes(), "\n\n".join(f"{', '.join(names)}\n\n{text}" for text, names in licences.items()) + "\n"


def main(packages):
    named = {p.rpartition("@")[0]: p for p in packages}
    if set(named) != set(EXPECTED):
        raise SystemExit(f"packages: got {sorted(named)}, expected name@version for each of {', '.join(EXPECTED)}")
    sys.path.insert(0, str(ROOT / "_ext"))
    from ropebook.live.runtime import FROM_PYODIDE

    with tempfile.TemporaryDirectory() as folder:
        lock = cut(lock_of(named["pyodide"], Path(folder)), FROM_PYODIDE)
        editor, licences = bundle([named[name] for name in ("esbuild", *FROM)], Path(folder))
    (HOME / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    (SERVED / "codemirror.js").write_bytes(editor)
    (SERVED / "codemirror.LICENSE.txt").write_text(licences, "utf-8")
    kept = [HOME / "pyodide-lock.json", SERVED / "codemirror.js", SERVED / "codemirror.LICENSE.txt"]
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(HOME.parent).as_posix()}\n" for p in kept)
    (HOME / "SHA256SUMS").write_text(sums, "utf-8")
    (HOME / "VERSIONS").write_text("".join(f"{named[name]}\n" for name in EXPECTED), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
