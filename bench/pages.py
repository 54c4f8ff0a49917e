"""Time the largest paint of every page in Chromium slowed down four times, and fail if one takes longer than the limit.

    python -m bench.pages [part of a page's address]

The best of three visits counts, each with an empty cache: other programs can only make it later. `make book` comes first.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "site"))
LIMIT, SLOWER, VISITS = 800, 4, 3  # milliseconds; times slower; visits
WATCH = """window.paint = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.paint = entry.startTime })
    .observe({type: "largest-contentful-paint", buffered: true})"""


def visit(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_timeout(500)  # a later and larger paint would still count
    paint = page.evaluate("window.paint")
    context.close()
    return paint


def main(wanted=""):
    import chromium
    from playwright.sync_api import sync_playwright
    from reading import pages

    book, slow = ROOT / "_build" / "html", []
    with chromium.serve(book) as home, sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for path in pages(book):
            name = path.relative_to(book).as_posix()
            if wanted in name:
                best = min(visit(browser, home + name) for _ in range(VISITS))
                slow += [name] if best > LIMIT or not best else []
                print(f"{best:6.0f} ms  {name}{'  over the limit' if best > LIMIT else ''}", flush=True)
        browser.close()
    if slow:
        sys.exit(f"largest paint after {LIMIT} ms, or none seen: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
