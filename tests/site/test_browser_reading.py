"""Reading the book in a real browser: languages, themes, phone, and without scripts or storage."""

import re

import pytest
from reading import LANGUAGES

pytestmark = pytest.mark.browser
CHAPTER = "03-remember-position-by-rotating.html"


@pytest.mark.parametrize(("locale", "language"), [("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("en-GB", "en"), ("fr", "en")])
def test_the_first_page_goes_to_the_reader_s_language(home, open_page, locale, language):
    page, _ = open_page(home + "index.html", home=home, locale=locale)
    page.wait_for_url(f"**/chapters/{language}/index.html")
    assert page.evaluate("document.cookie + Object.keys(localStorage)") == ""


def test_the_first_page_works_without_scripts(home, open_page):
    page, _ = open_page(home + "index.html", home=home, java_script_enabled=False)
    links = page.locator("a[hreflang]")
    assert [links.nth(k).get_attribute("hreflang") for k in range(links.count())] == list(LANGUAGES)
    links.nth(1).click()
    page.wait_for_url("**/chapters/en/index.html")


def test_the_language_switch_leads_to_the_twin_and_back(home, open_page):
    page, _ = open_page(f"{home}chapters/zh-Hant/{CHAPTER}", home=home)
    page.locator(".lang-switch a").click()
    page.wait_for_url(f"**/chapters/en/{CHAPTER}")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.locator(".lang-switch a").click()
    page.wait_for_url(f"**/chapters/zh-Hant/{CHAPTER}")
    assert page.evaluate("document.documentElement.lang") == "zh-Hant"


def test_the_language_switch_keeps_the_section(served, open_page):
    page, _ = open_page(f"{served}chapters/en/05-extend-to-d-dimensions.html#sec-05-same-en", home=served)
    page.wait_for_function("scrollY > 200")
    page.locator(".lang-switch a").click()
    page.wait_for_url("**/chapters/zh-Hant/05-extend-to-d-dimensions.html#sec-05-same-zh")
    page.wait_for_function("Math.abs(document.querySelector('#sec-05-same-zh').getBoundingClientRect().top) < 300")
    page.evaluate("scrollTo(0, 0)")
    page.locator(".lang-switch a").click()
    page.wait_for_url("**/chapters/en/05-extend-to-d-dimensions.html")  # at the top there is no section to keep


def test_the_language_switch_keeps_the_place_in_a_long_section(served, open_page):
    page, _ = open_page(f"{served}chapters/en/{CHAPTER}", home=served)
    top = "document.querySelectorAll('section[id^=sec-03-hands] > *')[4].getBoundingClientRect().top"
    page.evaluate(f"scrollTo(0, {top} + scrollY - 90)")
    page.locator(".lang-switch a").click()
    page.wait_for_url("**/chapters/zh-Hant/*#sec-03-hands-zh")
    page.wait_for_function(f"Math.abs({top} - 80) < 40")


def test_focus_in_the_header_leaves_the_page_where_it_is(served, open_page):
    page, _ = open_page(f"{served}chapters/en/{CHAPTER}", home=served)
    page.evaluate("scrollTo(0, 4000)")
    page.locator(".lang-switch a").focus()
    for _ in range(3):
        page.keyboard.press("Shift+Tab")
    assert page.evaluate("scrollY") == 4000 and page.evaluate("Boolean(document.activeElement.closest('.bd-header'))")


def test_an_exercise_offers_to_run_where_it_stands(book, open_page):
    page, _ = open_page((book / "chapters" / "en" / CHAPTER).as_uri(), home=book.as_uri() + "/")
    button = page.locator(".exercise + .cell .run-here")
    assert button.count() == page.locator(".admonition.exercise").count() > 0
    button.last.click()
    assert page.locator(".run-here + p").last.text_content() == page.locator(".live-status").text_content() != ""


def test_what_is_chosen_can_be_told_in_a_reader_s_own_colours(served, open_page):
    page, _ = open_page(f"{served}chapters/en/13-extend-the-context.html", home=served, forced_colors="active")
    ground = "all => all.map(e => getComputedStyle(e).backgroundColor)"
    chosen = page.locator("rope-scene .choice[aria-pressed=true]").evaluate_all(ground)
    others = page.locator("rope-scene .choice[aria-pressed=false]").evaluate_all(ground)
    assert chosen and others and not set(chosen) & set(others)


def test_the_first_page_remembers_the_language_that_was_chosen(served, open_page):
    page, _ = open_page(f"{served}chapters/en/glossary.html", home=served, locale="en-GB")
    page.locator(".lang-switch a").click()
    page.wait_for_url("**/chapters/zh-Hant/glossary.html")
    page.goto(f"{served}index.html")
    page.wait_for_url("**/chapters/zh-Hant/index.html")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_of_a_phone_holds_title_lead_one_row_and_the_figure(book, open_page, language):
    address = book.as_uri() + "/"
    page, _ = open_page("about:blank", home=address, viewport={"width": 390, "height": 844})
    late = []
    for path in [*(folder := book / "chapters" / language).glob("[01]*.html"), folder / "index.html"]:
        page.goto(path.as_uri())
        tops = page.evaluate("""() => {
          const top = (query) => document.querySelector(query)?.getBoundingClientRect().top ?? 9999;
          const row = document.querySelector(".actions").getBoundingClientRect();
          // who opens the clinic at night wants its index, which is a table
          const figure = top("article :is(figure, .scene, svg.ropelib, [id^=sec-19-index])");
          return {title: top("h1"), row: row.top, high: row.height, figure};
        }""")
        if not (tops["title"] < 130 and tops["title"] < tops["row"] < tops["figure"] < 700 and tops["high"] < 50):
            late.append(f"{path.name}: {tops}")
    assert not late, "\n" + "\n".join(late)


def test_what_scrolls_says_so_until_its_end(served, open_page):
    page, _ = open_page(f"{served}chapters/en/08-implement-rope.html", home=served, viewport={"width": 390, "height": 844})
    box = page.locator(".cell_input pre.goes-on:visible").first.element_handle()
    box.evaluate("box => { box.scrollLeft = box.scrollWidth }")
    page.wait_for_function("box => !box.classList.contains('goes-on')", arg=box)


def test_a_phone_folds_long_lines_and_code_stays_the_same(served, open_page):
    page, _ = open_page(f"{served}chapters/en/08-implement-rope.html", home=served, viewport={"width": 390, "height": 844})
    codes = "() => [...document.querySelectorAll('.cell_input pre')].map(e => e.textContent)"
    before, button = page.evaluate(codes), page.locator(".wrap:visible").first
    assert any("\n\n\n" in code for code in before), "two blank lines are there to be copied"
    button.click()
    assert button.get_attribute("aria-pressed") == "true" and page.evaluate(codes) == before
    fits = "b => { const code = b.parentElement.querySelector('pre'); return code.scrollWidth <= code.clientWidth }"
    assert button.evaluate(fits)


def test_a_phone_shows_a_table_of_words_as_cards(served, open_page):
    page, _ = open_page(f"{served}chapters/en/cheatsheet.html", home=served, viewport={"width": 390, "height": 844})
    cell = page.locator("table.cards tbody td").nth(1)
    assert cell.get_attribute("data-column") and cell.evaluate("c => getComputedStyle(c).display") == "block"
    assert page.evaluate("[...document.querySelectorAll('.cards')].every(t => t.scrollWidth <= 390)")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert cell.evaluate("c => getComputedStyle(c).display") == "table-cell"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_system_then_the_reader(served, open_page, scheme):
    page, _ = open_page(f"{served}chapters/en/index.html", home=served, color_scheme=scheme)
    ground = "getComputedStyle(document.body).backgroundColor"

    def dark():
        return sum(map(int, re.findall(r"\d+", page.evaluate(ground))[:3])) < 3 * 128

    assert dark() == (scheme == "dark")
    page.locator(".theme-switch-button").click()
    assert dark() != (scheme == "dark")
    page.reload()
    assert dark() != (scheme == "dark"), "the reader's choice is kept"


def test_figures_follow_the_theme(served, open_page):
    page, _ = open_page(f"{served}chapters/en/{CHAPTER}", home=served, color_scheme="light")
    ink = "getComputedStyle(document.querySelector('svg.ropelib')).color"
    before = page.evaluate(ink)
    page.locator(".theme-switch-button").click()
    assert page.evaluate(ink) != before


def test_blocked_storage_leaves_a_working_page(served, open_page):
    page, _ = open_page("about:blank", home=served)
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked', 'SecurityError') }})"
    )
    page.goto(f"{served}chapters/en/index.html")
    page.locator(".theme-switch-button").click()
    assert page.evaluate("document.documentElement.dataset.theme") in ("light", "dark")
    page.keyboard.press("Control+k")
    assert page.locator("#search-dialog").is_visible()


def test_a_page_without_scripts_still_reads(served, open_page):
    page, _ = open_page(f"{served}chapters/zh-Hant/{CHAPTER}", home=served, java_script_enabled=False)
    assert page.locator("article h1").is_visible()
    assert page.locator("rope-scene .stage svg:visible").count() == page.locator("rope-scene").count()
    assert not page.locator("rope-scene button").first.is_visible()
    assert page.locator(".katex-html").first.is_visible()
    assert not page.locator(".search-button").is_visible(), "what needs a script is not offered"
    assert page.locator("#sidebar a").first.is_visible()


def test_the_list_of_chapters_shows_the_page(served, open_page):
    desk = {"viewport": {"width": 1440, "height": 800}}
    page, _ = open_page(f"{served}chapters/en/20-beyond-fixed-rotations.html", home=served, **desk)
    page.wait_for_function("document.querySelector('#sidebar').scrollTop > 0")
    here = page.locator("#sidebar [aria-current=page]").bounding_box()
    assert 0 < here["y"] < 700


def test_a_phone_opens_contents_and_this_page(served, open_page):
    phone = {"viewport": {"width": 390, "height": 800}, "has_touch": True}
    page, _ = open_page(f"{served}chapters/zh-Hant/{CHAPTER}", home=served, **phone)
    assert not page.locator("#sidebar").is_visible()
    page.locator("[popovertarget=sidebar]").tap()
    assert page.locator("#sidebar [aria-current=page]").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#sidebar").is_visible()
    page.locator("[popovertarget=page-toc]").tap()
    page.locator("#page-toc a").nth(1).tap()
    assert page.evaluate("location.hash") and not page.locator("#page-toc").is_visible()


def test_a_formula_is_copied_as_tex(served, open_page):
    page, _ = open_page(f"{served}chapters/en/{CHAPTER}", home=served)
    copied = page.evaluate("""() => { const k = document.querySelector('.katex'); getSelection().selectAllChildren(k);
        const data = new DataTransfer();
        const event = new ClipboardEvent('copy', {clipboardData: data, bubbles: true, cancelable: true});
        k.dispatchEvent(event); return data.getData('text/plain') }""")
    assert copied.startswith("$") and copied.endswith("$"), copied
