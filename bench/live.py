"""Time from the press of Run to the first output of a page's cells, its files coming from this disk; fail beyond the limit.

    python -m bench.live DIR [part of a page's address ...]

`make book` comes first. DIR holds Pyodide's files. The best of three visits counts, each with an empty cache: other programs
can only make it later. A start of 240 s or a failed one counts as never.
"""

import sys
import tempfile
from pathlib import Path

from bench.visits import ROOT, best_of_each

LIMIT = 4000  # milliseconds
PAGES = ("en/01-", "en/08-", "en/17-")  # a short page, one with much code, one with models
PRESS = """async () => {
    const begun = performance.now();
    document.querySelector(".live-start").click();
    while (!document.querySelector(".live-output:not(:empty)")) {
        if (document.querySelector(".live").dataset.state === "failed" || performance.now() - begun > 240_000) return Infinity;
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - begun;
}"""


def visit(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    taken = page.evaluate(PRESS)
    context.close()
    return taken


def main(pyodide="", *wanted):
    if not pyodide or not Path(pyodide).is_dir():
        sys.exit(f"PYODIDE: got {pyodide or 'nothing'}, expected the folder of Pyodide's files:  make bench-live PYODIDE=dir")
    from tools.live import host

    def runs(path, name):
        return any(part in name for part in wanted or PAGES) and 'class="live' in path.read_text("utf-8")

    slow = []
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book"
        host(ROOT / "_build" / "html", Path(pyodide), book)
        for name, best in best_of_each(book, runs, visit):
            slow += [name] if best > LIMIT else []
            print(f"{best:6.0f} ms  {name}", flush=True)
    if slow:
        sys.exit(f"first output after {LIMIT} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
