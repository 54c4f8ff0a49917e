"""Time from the press of Run to the first output of a page's cells, its files coming from this disk; fail beyond the limit.

    python -m bench.live DIR [part of a page's address ...]

`make book` comes first. DIR holds Pyodide's files. The best of three visits counts, each with an empty cache: other programs
can only make it later. A start of 240 s or a failed one counts as never.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "site"), str(ROOT / "tests" / "live")]
LIMIT, VISITS = 4000, 3  # milliseconds; visits
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
    import chromium
    from playwright.sync_api import sync_playwright
    from reading import pages

    from tools.live import host

    slow = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        book = Path(folder) / "book"
        host(ROOT / "_build" / "html", Path(pyodide), book)
        browser = chromium.launch(playwright)
        with chromium.serve(book) as home:
            for path in pages(book):
                name = path.relative_to(book).as_posix()
                if any(part in name for part in wanted or PAGES) and 'class="live' in path.read_text("utf-8"):
                    best = min(visit(browser, home + name) for _ in range(VISITS))
                    slow += [name] if best > LIMIT else []
                    print(f"{best:6.0f} ms  {name}", flush=True)
        browser.close()
    if slow:
        sys.exit(f"first output after {LIMIT} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
