"""Search in a real browser: what readers type finds the right page first, and says so to all of them."""

import re
from pathlib import Path

import pytest
import yaml
from reading import LANGUAGES, in_language

pytestmark = pytest.mark.browser
QUERIES = yaml.safe_load(Path(__file__).with_name("queries.yml").read_text("utf-8"))
NUMBERED = re.compile(
    r'<(?:figure|div) class="(?:align-\w+|exercise admonition)" id="([^"]+)".*?<span class="caption-number">([^<]*)<', re.S
)
NOWHERE = {"zh-Hant": "烏魯木齊", "en": "zyzzyva"}
ANSWERED = "q => document.querySelector('#search-dialog').dataset.answered === q"

TYPE_EACH = """queries => { const dialog = document.querySelector('#search-dialog'), input = dialog.querySelector('input');
    return queries.map(q => { input.value = q; input.dispatchEvent(new Event('input', {bubbles: true}));
        return [...dialog.querySelectorAll('.results a')].map(a => a.href) }) }"""


def opened(open_page, home, language, page="references", **options):  # a short page opens fast
    address, _, query = page.partition("?")
    return open_page(f"{home}chapters/{language}/{address}.html{'?' * bool(query)}{query}", home=home, **options)


def search(page, words):
    if not page.locator("#search-dialog").is_visible():
        page.keyboard.press("Control+k")
    page.locator("#search-dialog input").fill(words)
    page.wait_for_function(ANSWERED, arg=words)
    return [
        a.split("/chapters/")[1] for a in page.locator("#search-dialog .results a").evaluate_all("all => all.map(a => a.href)")
    ]


def status(page):
    return page.locator("#search-dialog .status").text_content()


def test_the_list_is_long_enough():
    assert all(len(QUERIES[language]) >= 60 for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_query_finds_its_page_first(home, open_page, language):
    page, watch = opened(open_page, home, language)
    assert not [u for u in watch.asked if "search" in u.rsplit("/", 1)[1]], "nothing of the search is loaded before it is opened"
    search(page, NOWHERE[language])
    answers, wrong = page.evaluate(TYPE_EACH, list(QUERIES[language])), []
    for (query, wanted), found in zip(QUERIES[language].items(), answers, strict=True):
        wanted, _, anchor = wanted.partition("#")
        want = f"/chapters/{language}/{wanted}-" if wanted.isdigit() else f"/chapters/{language}/{wanted}.html"
        right = found and want in found[0] and (not anchor or found[0].endswith(f"#{anchor}"))
        if not right or not all(f"/chapters/{language}/" in f for f in found):
            wrong.append(f"{query!r} should find {want}{anchor and '#'}{anchor} first, not {found[:3]}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_has_a_number_is_found_by_it(book, served, open_page, language):
    page, _ = opened(open_page, served, language)
    search(page, NOWHERE[language])
    chapters = sorted((book / "chapters" / language).glob("[0-9]*.html"))
    shown = [(a, " ".join(n.split())) for path in chapters for a, n in NUMBERED.findall(path.read_text("utf-8"))]
    assert len(shown) > 150 and len({name[0] for _, name in shown}) > 1, "figures and exercises"
    answers = page.evaluate("all => all.map(name => ropebook.find(name)[0]?.anchor)", [name for _, name in shown])
    assert answers == [anchor for anchor, _ in shown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_found_is_said_in_the_page_s_language(home, open_page, language):
    page, _ = opened(open_page, home, language)
    assert search(page, NOWHERE[language]) == []
    said = status(page)
    assert said == page.locator("#search-dialog").get_attribute("data-none").replace("%s", NOWHERE[language])
    assert in_language(said.replace(NOWHERE[language], ""), language), said


@pytest.mark.parametrize(("language", "query"), [("zh-Hant", "診斷"), ("en", "fingerprint")])
def test_a_result_leads_to_its_section(home, open_page, language, query):
    page, _ = opened(open_page, home, language, "03-remember-position-by-rotating")
    found = search(page, query)
    where = next(k for k, link in enumerate(found) if "#" in link)
    page.locator("#search-dialog .results a").nth(where).click()
    page.wait_for_url(f"{home}chapters/{found[where]}")
    assert page.evaluate("document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect().top < 300")


def test_a_result_on_this_page_closes_the_dialog(served, open_page):
    page, _ = opened(open_page, served, "en", "08-implement-rope")
    search(page, "fingerprint")
    page.locator("#search-dialog .results a[href*='08-'][href*='#']").first.click()
    assert not page.locator("#search-dialog").is_visible() and page.evaluate("location.hash")


@pytest.mark.parametrize(("language", "words"), [("zh-Hant", "旋轉"), ("en", "rotate")])
def test_enter_goes_to_the_first_hit(home, open_page, language, words):
    page, _ = opened(open_page, home, language)
    first = search(page, words)[0]
    page.keyboard.press("Enter")
    page.wait_for_url(f"{home}chapters/{first}")


@pytest.mark.parametrize(("language", "words"), [("zh-Hant", "旋轉"), ("en", "rotate")])
def test_the_search_page_answers_too(home, open_page, language, words):
    page, _ = opened(open_page, home, language, f"search?q={words}")
    page.locator("#search-page .results a").first.wait_for()
    assert page.locator("#search-page input").input_value() == words


@pytest.mark.parametrize("words", ["rotation", ""])
def test_one_escape_closes(served, open_page, words):
    page, _ = opened(open_page, served, "en")
    search(page, "rotation")
    page.locator("#search-dialog input").fill(words)
    page.keyboard.press("Escape")
    assert not page.locator("#search-dialog").is_visible()


@pytest.mark.parametrize(
    ("language", "query"), [("zh-Hant", "旋转位置编码"), ("zh-Hant", "外插"), ("en", "extrapolation"), ("en", "NTK")]
)
def test_no_page_takes_the_whole_list(served, open_page, language, query):
    page, _ = opened(open_page, served, language)
    pages = [hit.partition("#")[0] for hit in search(page, query)]
    assert len(set(pages)) > 3
    fourth = next((k for k, p in enumerate(pages) if pages[:k].count(p) == 3), len(pages))
    assert set(pages[:fourth]) == set(pages), "what else a page has comes behind the other pages"


@pytest.mark.parametrize(
    ("language", "query", "anchor"),
    [("zh-Hant", "yarm", "sec-13-yarn-zh"), ("en", "yarm", "sec-13-yarn-en"), ("en", "NTK", "sec-13-ntk-en")],
)
def test_a_section_with_the_word_in_its_title_comes_first(served, open_page, language, query, anchor):
    page, _ = opened(open_page, served, language)
    assert search(page, query)[0].endswith(f"#{anchor}")


def test_a_hit_has_its_number_and_a_chapter_is_named_once(served, open_page):
    page, _ = opened(open_page, served, "en")
    found = search(page, "extrapolation")
    names = page.locator("#search-dialog .results b").all_text_contents()
    assert names[0].startswith("12 ")
    own = [name for name, link in zip(names, found, strict=True) if "/12-" in link]
    assert len(own) > 2 and all(re.match(r"12(\.\d+)? ", name) for name in own)
    assert sum("Why extrapolation fails" in name for name in own) == 1


@pytest.mark.parametrize(("language", "query", "said"), [("en", "Fig. 13.7", "1 passage"), ("zh-Hant", "圖 13.7", "1 段")])
def test_the_one_place_that_a_number_names_is_all_that_is_shown(served, open_page, language, query, said):
    page, _ = opened(open_page, served, language)
    assert len(search(page, query)) == 1 and status(page) == said


def test_what_was_read_into_a_query_is_said(served, open_page):
    page, _ = opened(open_page, served, "zh-Hant")
    assert search(page, "滑动窗口")
    assert "滑動視窗" in status(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_snippets_are_words_that_a_reader_would_say(served, open_page, language):
    page, _ = opened(open_page, served, language)
    search(page, NOWHERE[language])
    shown = page.evaluate(
        """queries => queries.flatMap(q => ropebook.find(q).slice(0, 5)
            .map(hit => ropebook.snippet(hit).map(piece => piece[0]).join('')))""",
        list(QUERIES[language]),
    )
    debris = r"\\\w|\b(fig|sec|eq|tab|ex)-\d|\b[a-z]+\d{4}[a-z]+\b|[\ue000\ue001]|\w\(\w+=[\d.]+"
    assert [text for text in shown if re.search(debris, text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lost", ["search.js", "search-index"])
def test_a_lost_file_is_reported_and_tried_again(served, browser, language, lost):
    page = browser.new_page()
    page.set_default_timeout(10_000)
    page.goto(f"{served}chapters/{language}/references.html")
    page.route(address := re.compile(re.escape(f"/_static/{lost}")), lambda route: route.abort())
    failed = page.locator("#search-dialog").get_attribute("data-failed")
    page.keyboard.press("Control+k")
    page.wait_for_function("said => document.querySelector('#search-dialog .status').textContent === said", arg=failed)
    page.keyboard.type("RoPE")
    assert status(page) == failed, "typing must not hide that the index is lost"
    assert in_language(failed, language), failed
    page.unroute(address)
    page.locator("#search-dialog .close").click()
    assert search(page, "RoPE")
    page.close()


def test_search_is_worked_by_keyboard(served, open_page):
    page, _ = opened(open_page, served, "en")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.matches('#search-dialog input')")
    found = search(page, "rotation")
    at = "[...document.querySelectorAll('#search-dialog .results a')].indexOf(document.activeElement)"
    for key, where in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", -1)):
        page.keyboard.press(key)
        assert page.evaluate(at) == where
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    assert not page.locator("#search-dialog").is_visible()
    search(page, "rotation")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served}chapters/{found[0]}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_reader_hears_the_count_and_a_list(served, open_page, language):
    page, _ = opened(open_page, served, language)
    found = search(page, "RoPE")
    dialog = page.get_by_role("dialog")
    assert dialog.get_by_role("searchbox").get_attribute("aria-label")
    assert dialog.get_attribute("aria-label") and in_language(dialog.get_attribute("aria-label"), language)
    assert str(len(found)) in dialog.get_by_role("status").text_content()
    assert dialog.get_by_role("list").get_by_role("listitem").get_by_role("link").count() == len(found)
