"""Visits to the pages of a built book, each with an empty cache: other programs can only make one later, so the best counts."""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "site"))
VISITS = 3


def best_of_each(book, wanted, visit):
    """Yield the name of each page for which `wanted(path, name)`, and the least of what `visit(browser, address)` gives."""
    import chromium
    from playwright.sync_api import sync_playwright
    from reading import pages

    with chromium.serve(book) as home, sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for path in pages(book):
            name = path.relative_to(book).as_posix()
            if wanted(path, name):
                yield name, min(visit(browser, home + name) for _ in range(VISITS))
        browser.close()
