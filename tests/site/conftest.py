import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def served(book):
    from chromium import serve

    with serve(book) as address:
        yield address


@pytest.fixture(params=["http", "file"])
def home(request, book):
    """The book's address, served and from disk."""
    return request.getfixturevalue("served") if request.param == "http" else book.as_uri() + "/"


@pytest.fixture
def open_page(browser):
    """open_page(address, **options) gives a page of its own and what it complained of; both end with the test."""
    from chromium import Watch

    contexts, watches = [], []

    def opened(address, home=None, **options):
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        watches.append(Watch(page, home or address.split("/chapters/")[0]))
        page.goto(address)
        return page, watches[-1]

    yield opened
    for context in contexts:
        context.close()
    assert not [f for w in watches for f in w.faults]
