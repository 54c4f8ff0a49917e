"""axe-core finds nothing serious on any page."""

import axe
import pytest
from reading import pages

pytestmark = pytest.mark.browser


def test_no_serious_finding(book, served, browser):
    context = browser.new_context(reduced_motion="reduce")
    page, faults = context.new_page(), []
    for path in [*pages(book), book / "index.html", book / "404.html"]:
        page.goto(served + path.relative_to(book).as_posix())
        axe.lighten(page)
        faults += axe.serious(page, f"{path.parent.name}/{path.name}")
    context.close()
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_sees_a_fault_that_is_put_on_a_page(served, browser, scheme):
    """The shortcuts that save its time must not blind it."""
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{served}chapters/en/glossary.html")
    page.evaluate(
        "document.querySelector('article').insertAdjacentHTML('beforeend', "
        '\'<p style="color: #888; background: #999">pale</p><img src="">\')'
    )
    axe.lighten(page)
    pale, mute = axe.run(page, axe.COLOURS), axe.run(page, axe.STRUCTURE)
    context.close()
    assert [v["id"] for v in pale] == ["color-contrast"] and "image-alt" in [v["id"] for v in mute]
