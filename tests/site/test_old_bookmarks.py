"""An old bookmark: a page or a section that is no longer there, and a sentence that helps."""

import pytest
from reading import LANGUAGES, in_language, pages

pytestmark = pytest.mark.browser
PAGE = "03-remember-position-by-rotating.html"


@pytest.fixture
def tab(browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_page_leads_to_its_chapter_by_number(served, tab, language):
    assert tab.goto(f"{served}chapters/{language}/03-an-old-title.html?v=1#there").status == 404
    shown = tab.locator("section:visible")
    assert shown.count() == 1 and shown.get_attribute("lang") == tab.evaluate("document.documentElement.lang") == language
    tab.locator(".chapter:visible a").click()
    tab.wait_for_url(f"{served}chapters/{language}/{PAGE}")


@pytest.mark.parametrize("lost", ["chapters/en/99-none.html", "chapters/en/none.html", "chapters/en/deep/er/none.html"])
def test_without_a_chapter_the_way_home_is_offered(served, tab, lost):
    assert tab.goto(served + lost).status == 404
    assert not tab.locator(".chapter:visible").count()
    tab.locator("section:visible a:visible").first.click()
    tab.wait_for_url(f"{served}chapters/en/index.html")


@pytest.mark.parametrize("lost", ["none.html", "foo/bar/baz.html", "chapters/fr/03-none.html"])
def test_in_no_known_language_it_speaks_both(served, tab, lost):
    assert tab.goto(served + lost).status == 404
    assert tab.locator("section:visible").evaluate_all("all => all.map((s) => s.lang)") == list(LANGUAGES)
    tab.locator("section[lang=en] a:visible").last.click()
    tab.wait_for_url(f"{served}chapters/en/search.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_section_says_so_and_the_page_reads(home, tab, language):
    for hash_ in ("an-old-section", "%E8%88%8A", "%"):
        tab.goto(f"{home}chapters/{language}/glossary.html#{hash_}")
        note = tab.locator("article .moved")
        assert note.is_visible() and in_language(note.text_content(), language), hash_
        assert tab.locator("article h1").is_visible()
        tab.evaluate("location.hash = document.querySelector('article section').id")
        note.wait_for(state="detached")


def test_a_link_that_holds_says_nothing(book, served, tab):
    page = next(p for p in pages(book) if p.name == PAGE).relative_to(book).as_posix()
    for hash_ in ("", "#", "#:~:text=RoPE"):
        tab.goto(served + page + hash_)
        assert not tab.locator(".moved").count(), hash_
