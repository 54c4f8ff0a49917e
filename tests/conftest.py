"""What the tests share: the built book, and a loud word about what was left out."""

import os
import sys
from pathlib import Path

import pytest

import tools  # noqa: F401 - one BLAS thread, for all that starts here

ROOT = Path(__file__).parents[1]


def pytest_configure(config):
    config.addinivalue_line("markers", "browser: opens the built book in Chromium")
    config.addinivalue_line("markers", "live: runs a page's cells in Chromium, minutes for all; `make test-live` runs these")
    config.addinivalue_line("markers", "every_page: opens or joins every page of the book; `make test-pages` runs these")


@pytest.fixture(scope="session")
def book():
    """The folder of the built book. A missing build is an error: nothing was tested."""
    folder = Path(os.environ.get("BOOK_HTML", ROOT / "_build" / "html")).resolve()
    if not (folder / "index.html").is_file():
        pytest.fail(f"No built book at {folder}. Build it first: make book  (or set BOOK_HTML to its folder)", pytrace=False)
    return folder


def without_browser(reason):
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail(f"REQUIRE_BROWSER=1: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    """One Chromium a worker: a second Playwright beside it would be refused."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without_browser("playwright is not installed: pip install -r requirements-test.txt")
    sys.path.append(str(ROOT / "tests" / "site"))
    from chromium import launch

    with sync_playwright() as playwright:
        try:
            found = launch(playwright)
        except Exception as error:  # whatever keeps a browser from starting
            without_browser(str(error).strip().splitlines()[0])
        yield found
        found.close()


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name.startswith("print: "):
                terminalreporter.section(name.removeprefix("print: "))
                terminalreporter.write_line(value)
    left_out = [r for r in terminalreporter.getreports("skipped") if {"browser", "live"} & set(r.keywords)]
    if left_out:
        reason = left_out[0].longrepr[2] if isinstance(left_out[0].longrepr, tuple) else str(left_out[0].longrepr)
        terminalreporter.section("NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.write_line(f"{len(left_out)} browser tests were NOT RUN. {reason.removeprefix('Skipped: ')}")
