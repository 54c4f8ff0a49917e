"""Build the book; only a build that succeeded, without a warning, replaces the last good one.

python -m tools.book
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "_build"
WORK = BUILD / "work"  # kept, so that a rebuild writes only what changed


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
    pages = build()
    if pages is None:
        kept = "the last good book was kept" if (BUILD / "html").exists() else "no book was written"
        sys.exit(f"The build stopped: its warnings stand above, with file and line; {kept}.")
    replace(pages, BUILD / "html")
    print(f"\nThe book is ready. Open\n\n    {BUILD / 'html' / 'index.html'}\n")


if __name__ == "__main__":
    main()
