"""The book as one document for paper: nothing is lost on the way, and every link leads somewhere inside."""

import functools
import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup

from tools.pdf.fit import fitting
from tools.pdf.fonts import FOLDER
from tools.pdf.join import Joined, part_lines

pytestmark = pytest.mark.every_page
LANGUAGES = ("zh-Hant", "en")


@pytest.fixture(scope="module", params=LANGUAGES)
def joined(request, book):
    joined = Joined(book, request.param)
    return joined, BeautifulSoup(joined.html(FOLDER), "html.parser")


@functools.lru_cache
def pages(book, language):
    """Only pages that are printed."""
    return {
        p.name: BeautifulSoup(p.read_text("utf-8"), "html.parser").select_one("article")
        for p in (book / "chapters" / language).glob("*.html")
    }


def test_ids_are_given_once(joined):
    again = [i for i, n in Counter(tag["id"] for tag in joined[1].select("[id]")).items() if n > 1]
    assert again == []


def test_links_lead_inside(joined):
    ids = {tag["id"] for tag in joined[1].select("[id]")}
    links = [a["href"] for a in joined[1].select("a[href]")]
    assert [x for x in links if not (x[1:] in ids if x.startswith("#") else re.match("https?:|mailto:", x))] == []
    assert sum(x.startswith("#") for x in links) > 300


def test_every_heading_of_the_contents_is_there(joined):
    ids = {tag["id"] for tag in joined[1].select("[id]")}
    assert [anchor for _, anchor, _, _ in joined[0].headings if anchor not in ids] == []


def test_every_figure_table_and_solution_is_kept(joined, book):
    got, language = joined[1], joined[0].language
    articles = {name: article for name, article in pages(book, language).items() if name in joined[0].slugs}
    for what in ("figure", "table", "details.solution", ".math.equation", ".admonition.exercise"):
        there = sum(len(article.select(what)) for name, article in articles.items())
        kept = len(got.select(what.replace("details.solution", ".solved")))
        assert (what, kept) == (what, there)


def test_solutions_stand_behind_the_chapters(joined):
    solved = [tag.find_parent(class_="page")["id"] for tag in joined[1].select(".solved")]
    assert set(solved) == {"p-solutions"}
    parts = [tag["id"] for tag in joined[1].select(".division, .page.p-solutions")]
    assert parts[-2:] == ["p-solutions", parts[-1]] and parts[-1].startswith("part-")


def test_nothing_is_left_that_hands_would_press(joined):
    assert joined[1].select("button, input, script, noscript, .asks, details.hide, details.checks, .actions") == []


def test_code_keeps_its_lines(joined, book):
    """Only blank lines between the boxes are told by space instead."""
    slug = "p-08-implement-rope"
    code = {pre.get_text().replace("\n\n", "\n").strip() for pre in joined[1].select(f"#{slug} pre.code")}
    page = pages(book, joined[0].language)["08-implement-rope.html"]
    shown = {
        re.sub(r"\n\s*\n+", "\n", pre.get_text()).strip()
        for pre in page.select(".cell_input pre")
        if not pre.find_parent("details")
    }
    assert shown <= code and len(shown) > 10


def test_a_handout_has_no_solutions_and_only_its_chapters(book):
    joined = Joined(book, "en", ("03", "09"))
    page = BeautifulSoup(joined.html(FOLDER), "html.parser")
    assert [p["id"][:4] for p in page.select(".page")] == ["p-03", "p-09"]
    assert page.select(".solved, details.solution") == [] and len(page.select(".admonition.exercise")) > 4
    assert "def grade_" not in page.get_text()


def test_an_unknown_chapter_gives_no_parts(book):
    assert Joined(book, "en", ("99",)).parts == []


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_of_formulas_stand_at_one_edge(book, browser, tmp_path, language):
    document = tmp_path / "paper.html"
    document.write_text(Joined(book, language, ("03", "08")).html(FOLDER), "utf-8")
    page = browser.new_page(viewport={"width": 499, "height": 1000})  # px between the margins of the paper
    page.emulate_media(media="print")
    page.goto(document.as_uri())
    ends = """[...document.querySelectorAll('.eqno')].map(e => [e.textContent, Math.round(e.getBoundingClientRect().right),
        Math.round(e.closest('.math.equation').parentElement.getBoundingClientRect().right)])"""
    found = page.evaluate(ends)
    page.close()
    assert len(found) > 8
    assert [number for number, end, edge in found if end != edge] == []


def test_the_contents_leave_out_what_ends_every_chapter(joined):
    listed = [a["href"] for a in joined[1].select("nav.contents a")]
    assert [x for x in listed if re.search(r"--sec-\d+-(exercises|now|can|reading|further)-\w+$", x)] == []
    assert sum("--sec-03-" in x for x in listed) > 5
    assert any(anchor.endswith(f"--sec-03-exercises-{joined[0].language[:2]}") for _, anchor, _, _ in joined[0].headings)


def test_a_part_names_its_chapters(joined):
    for part in joined[1].select(".division"):
        assert part.h1.get_text() and part.img and part.select(".entry b[data-page]")
    assert [len(part.select(".entry")) for part in joined[1].select(".division")][:2] == [3, 4]


def test_a_part_s_title_is_cut_between_number_and_name():
    assert part_lines("Part IV · Beyond") == ["Part IV", "Beyond"]
    assert part_lines("第四部 延伸") == ["第四部", "延伸"]
    assert part_lines("Appendix") == ["Appendix"]


def test_a_figure_shrinks_by_what_its_words_leave():
    assert fitting(whole=300, drawn=200, room=260) == pytest.approx(0.8)
