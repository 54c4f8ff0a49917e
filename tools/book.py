"""Build the book; only a build that succeeded, without a warning, replaces the last good one.

python -m tools.book
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "_build"
WORK = BUILD / "work"  # kept, so that a rebuild writes only what changed


def unlisted(root=ROOT):
    """Chapters on disk that the contents do not list: the build would leave them out without a word."""
    listed = set(re.findall(r"^ *- file: (\S+)", (root / "_toc.yml").read_text("utf-8"), re.M))
    found = (p.relative_to(root) for p in sorted((root / "chapters").glob("*/*")) if p.suffix in (".ipynb", ".md"))
    return [p.as_posix() for p in found if p.with_suffix("").as_posix() not in listed]


def build():
    """Run Jupyter Book in the work folder. Returns the folder of pages, or None when it failed."""
    run = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]  # it has no python -m of its own
    strict = ["-W", "-n", "--keep-going", "-q"]
    command = [*run, "build", str(ROOT), "--path-output", str(WORK), *strict]
    if subprocess.call(command, cwd=ROOT, stdout=subprocess.DEVNULL):  # it would praise the work folder; faults go to stderr
        return None
    return WORK / "_build" / "html"


def replace(pages, place):
    """Put `pages` at `place` in one step, so that a reader never meets half a book."""
    new, old = place.with_name("html.new"), place.with_name("html.old")
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pages, new)
    if place.exists():
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def main():
    for page in unlisted():
        print(f"{page} is not in _toc.yml, so the book will not have it", file=sys.stderr)
    pages = build()
    if pages is None:
        kept = "the last good book was kept" if (BUILD / "html").exists() else "no book was written"
        sys.exit(f"The build stopped: its warnings stand above, with file and line; {kept}.")
    replace(pages, BUILD / "html")
    print(f"\nThe book is ready. Open\n\n    {BUILD / 'html' / 'index.html'}\n")


if __name__ == "__main__":
    main()
