"""A chapter on paper: all of it, nothing cut, nothing for the hand, black on white."""

import re
import zlib

import pytest
from reading import LANGUAGES

pytestmark = pytest.mark.browser
SCENE, PLAIN = "03-remember-position-by-rotating.html", "05-extend-to-d-dimensions.html"
A4 = {"width": 642, "height": 956}  # px, within the margins of print.css

CUT = """() => [...document.querySelectorAll('article, article *')].filter(e => !e.closest('.katex-mathml, svg svg, svg *'))
    .filter(e => { const box = e.getBoundingClientRect();
        return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1 ||
            (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)) })
    .map(e => e.outerHTML.slice(0, 80))"""
FOLDED = """() => [...document.querySelectorAll('article details:not(.hide, .along, .checks:not([open])) > :not(summary)')]
    .filter(e => !e.checkVisibility({contentVisibilityAuto: true}) || e.getBoundingClientRect().height === 0)
    .map(e => e.outerHTML.slice(0, 80))"""
SHOWN = "all => all.filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80))"
FOR_HANDS = (
    ".bd-header, #sidebar, #page-toc, .prev-next-area, .live, .along, .needs-kernel, .copy, .headerlink, dialog, "
    "rope-scene button, details.hide:not([open])"
)


@pytest.fixture(scope="module", params=[f"{language}/{name}" for language in LANGUAGES for name in (SCENE, PLAIN)])
def paper(request, served, browser):
    """A chapter as it is printed by a reader who reads in the dark; one page for all tests, which leave it as it was."""
    from chromium import Watch

    context = browser.new_context(viewport=A4, color_scheme="dark")
    context.add_init_script("localStorage.setItem('theme', 'dark')")
    page = context.new_page()
    watch = Watch(page, served)
    page.goto(f"{served}chapters/{request.param}")
    page.emulate_media(media="print")
    yield page
    context.close()
    assert not watch.faults


def test_nothing_is_cut_at_the_edge(paper):
    assert not paper.evaluate(CUT)


def test_what_is_folded_is_printed_without_being_opened(paper):
    assert paper.locator("details.solution").count()
    assert not paper.evaluate(FOLDED)


def test_code_that_the_reader_unfolded_is_printed(paper):
    seen = """() => { const d = document.querySelector('details.hide'), [title, code] = d.children; d.open = true;
        const seen = [title, code].map(e => e.checkVisibility()); d.open = false; return seen }"""
    assert paper.evaluate(seen) == [False, True]


def test_a_check_is_printed_in_a_word(paper):
    for fold in paper.locator("details.checks").all():
        assert fold.locator("summary").is_visible() and not fold.locator(".cell_input").is_visible()


def test_what_is_for_hands_stays_on_the_screen(paper):
    assert paper.locator(FOR_HANDS).count()
    assert not paper.locator(FOR_HANDS).evaluate_all(SHOWN)


def test_a_scene_leaves_what_it_shows(paper):
    for scene in paper.locator("rope-scene").all():
        assert [svg.is_visible() for svg in scene.locator("svg.scene").all()].count(True) == 1


def test_a_widget_leaves_a_still_too(paper):
    bare = """all => all.filter(e => !e.querySelector('svg.ropelib')?.checkVisibility()).map(e => e.outerHTML.slice(0, 80))"""
    assert not paper.locator(".cell:has(.needs-kernel)").evaluate_all(bare)


def test_paper_is_white_and_words_are_dark(paper):
    colours = """[getComputedStyle(document.body).backgroundColor, ...[...document.querySelectorAll(
        'article p, article a, article figcaption, svg.ropelib, article pre span')].map(e => getComputedStyle(e).color)]"""
    ground, *inks = ([int(n) for n in re.findall(r"\d+", c)[:3]] for c in paper.evaluate(colours))
    assert ground == [255, 255, 255]
    assert max(map(sum, inks)) < 3 * 128, "pale on white"


def test_the_text_fills_the_page(paper):
    assert paper.evaluate("Math.max(...[...document.querySelectorAll('article p')].map(p => p.clientWidth)) / innerWidth") > 0.75


def test_a_scene_is_not_torn_and_tells_most(paper):
    for scene in paper.locator("rope-scene").all():
        assert scene.evaluate("s => getComputedStyle(s).breakInside") == "avoid"
    told = "s => s.told && s.told.step === 2 * s.kind.questions(s.seen()).length"
    assert all(scene.evaluate(told) for scene in paper.locator("rope-scene").all())


def test_the_running_head_is_the_page_s_title(paper):
    head = paper.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--head-page')")
    title = paper.locator("h1").evaluate("h => [...h.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('').trim()")
    assert title and title in head


def test_the_browser_makes_a_pdf_of_it(paper):
    pdf = paper.pdf(prefer_css_page_size=True, format="A4")
    pages = len(re.findall(rb"/Type /Page\b", pdf))
    assert 8 <= pages <= 24, "empty, or mostly gaps"


def test_small_paper_from_a_wide_window_is_not_shrunk(served, browser):
    """Where something stands out of the text, here a scene as wide as the window had it, a browser shrinks every page."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"{served}chapters/zh-Hant/{SCENE}")
    page.wait_for_selector("rope-scene[data-live]")
    pdf = page.pdf(width="170mm", height="230mm", print_background=True)
    context.close()
    streams = [zlib.decompressobj().decompress(s) for s in re.findall(rb"FlateDecode.*?stream\r?\n(.*?)endstream", pdf, re.S)]
    grounds = [int(m[1]) for s in streams if (m := re.search(rb"\n0 0 (\d+) \d+ re\nf", s[:400]))]
    inside = 130 / 25.4 * 96  # px between the margins
    assert len(grounds) > 8 and max(grounds) <= inside + 2


def test_reading_does_not_wait_for_the_print_style(paper):
    assert paper.locator("link[href*='print.css']").get_attribute("media") == "print"
    loaded = paper.evaluate("performance.getEntriesByType('resource').map(r => [r.name, r.renderBlockingStatus])")
    assert [how for name, how in loaded if "print.css" in name] in ([], ["non-blocking"])
