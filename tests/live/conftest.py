"""A book that serves its own Pyodide, and a Chromium that reaches no other host."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "site"))
sys.path.insert(0, str(ROOT))
ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"


def missing(reason):
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(f"REQUIRE_BROWSER=1: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def live_book(book, tmp_path_factory):
    from tools.live import host

    folder = Path(os.environ.get("PYODIDE_DIR", ROOT.parent / "shared" / "pyodide"))
    if not folder.is_dir():
        missing(f"No Pyodide at {folder}: set PYODIDE_DIR to the folder that holds its files")
    out = tmp_path_factory.mktemp("live") / "book"
    host(book, folder, out)
    return out


@pytest.fixture(scope="session")
def served(live_book):
    from chromium import serve

    with serve(live_book) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    try:
        import chromium
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed: pip install -r requirements-test.txt")
    chromium.QUIET.append(ONLY_HERE)
    with sync_playwright() as playwright:
        try:
            found = chromium.launch(playwright)
        except Exception as error:  # whatever keeps a browser from starting
            missing(str(error).strip().splitlines()[0])
        yield found
        found.close()


@pytest.fixture
def tab(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
