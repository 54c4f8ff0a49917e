"""Every page opened once over http and once from disk: no complaint, nothing out of reach, nothing that axe-core minds."""

import axe
import pytest
from reading import pages

pytestmark = [pytest.mark.browser, pytest.mark.every_page]
MOVED = """window.moved = 0;
new PerformanceObserver(list => list.getEntries().forEach(e => { window.moved += e.value }))
    .observe({type: 'layout-shift', buffered: true})"""
UNFOLD = "for (const fold of document.querySelectorAll('details:not([open])')) fold.dataset.was = 'folded', fold.open = true"
FOLD = "for (const fold of document.querySelectorAll('details[data-was]')) fold.open = false"
UNREACHED = """() => [...document.querySelectorAll('.formula, pre, .table-box, .cell_output')]
    .filter(b => b.scrollWidth > b.clientWidth + 1 && b.tabIndex !== 0).map(b => b.outerHTML.slice(0, 80))"""


def visit(page, watch, address):
    """Open a page. Yields what it asked of other hosts, what failed, what its console said, and what moved meanwhile."""
    watch.faults.clear()
    page.goto(address)
    moved = page.evaluate("document.fonts.ready.then(() => window.moved)")
    yield from watch.faults
    if moved > 0.02:
        yield f"moved by {moved} while loading"


def out_of_reach(page):
    """On a phone nothing but its own boxes scrolls sideways, and each box that does is in reach of the keyboard."""
    page.evaluate(axe.SETTLE)
    page.evaluate(UNFOLD)
    page.evaluate(axe.FRAMES)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > 390:
        yield f"{wide} px wide on a phone of 390"
    yield from (f"out of the keyboard's reach: {box}" for box in page.evaluate(UNREACHED))
    page.evaluate(FOLD)


@pytest.fixture
def tab(browser):
    context = browser.new_context(viewport={"width": 390, "height": 900}, reduced_motion="reduce")
    context.add_init_script(MOVED)
    yield context.new_page()
    context.close()


def test_every_page_is_sound(book, served, tab):
    from chromium import Watch

    watch, faults = Watch(tab, served), []
    # with a hash the landing page stays, and does not lead on to a language
    for name in [*(p.relative_to(book).as_posix() for p in pages(book)), "404.html", "index.html#stay"]:
        tab.set_viewport_size({"width": 390, "height": 900})
        tab.emulate_media(color_scheme="light")
        found = [*visit(tab, watch, served + name), *out_of_reach(tab)]
        axe.lighten(tab)
        faults += [f"{name}: {fault}" for fault in (*found, *axe.serious(tab))]
    assert not faults, "\n" + "\n".join(faults)


def test_every_page_opens_from_disk(book, tab):
    from chromium import Watch

    home = book.as_uri() + "/"
    watch = Watch(tab, home)
    faults = [f"{p.name}: {fault}" for p in pages(book) for fault in visit(tab, watch, home + p.relative_to(book).as_posix())]
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
