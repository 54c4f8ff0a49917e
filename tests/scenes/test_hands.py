"""Every handle of every scene moves by mouse, by finger and by keyboard; and a page of scenes is sound in every light."""

import json
import re
from pathlib import Path

import pytest

from ropelib.book import labels, scenes

pytestmark = pytest.mark.browser
every = pytest.mark.parametrize("kind", scenes.KINDS)
LOOK = (Path(__file__).parent / "look.js").read_text("utf-8")
DATA = "const SCENES = Object.fromEntries([...document.querySelectorAll('rope-scene')].map((s) => [s.kind.name, s.data]));"
FREE = "document.querySelectorAll('[data-do=free]').forEach((b) => b.click())"
UNSEEN = """kind => [...document.querySelectorAll(`rope-scene[kind=${kind}] svg.scene *`)]
    .filter((shape) => getComputedStyle(shape).visibility !== 'visible' || getComputedStyle(shape).display === 'none')
    .map((shape) => shape.getAttribute('class') ?? shape.tagName)"""
FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
MOVED = """window.moved = 0;
new PerformanceObserver((list) => list.getEntries().forEach((e) => { if (!e.hadRecentInput) window.moved += e.value }))
    .observe({type: 'layout-shift', buffered: true})"""


@pytest.fixture(scope="module")
def open_page(browser, shown):
    """open_page(language, width, scheme): one page for all tests that ask for the same; it may not complain."""
    from chromium import Watch

    opened = {}

    def get(language="en", width=1280, scheme="light", motion="reduce", script=True):
        key = (language, width, scheme, motion, script)
        if key not in opened:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion=motion,
                                          has_touch=width < 500, is_mobile=width < 500, java_script_enabled=script)  # fmt: skip
            context.set_default_timeout(10_000)
            context.add_init_script(MOVED)
            page = context.new_page()
            watch = Watch(page, "file://")
            page.goto(shown[language])
            opened[key] = (context, page, watch)
        return opened[key][1]

    yield get
    for context, _, _ in opened.values():
        context.close()
    assert not [fault for _, _, watch in opened.values() for fault in watch.faults]


def free(page):
    page.evaluate(FREE)
    page.evaluate(FRAME)


def handles(page, kind):
    return page.locator(f"rope-scene[kind={kind}] [data-h]").evaluate_all("all => all.map((h) => h.dataset.h)")


def value(page, kind, handle):
    page.evaluate(FRAME)
    return page.locator(f"rope-scene[kind={kind}] [data-h={handle}]").get_attribute("aria-valuetext")


def middle(page, kind, handle):
    """Where a hand takes it: on its grip, in sight."""
    grip = page.locator(f"rope-scene[kind={kind}] [data-h={handle}] .grip")
    grip.evaluate("g => g.scrollIntoView({block: 'center'})")
    box = grip.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# a drag to either side, since a handle may stand at one of its ends
WAYS = [(60, 50), (-60, -50)]


@every
def test_by_mouse(kind, open_page):
    page = open_page()
    free(page)
    for handle in handles(page, kind):
        seen = {value(page, kind, handle)}
        for dx, dy in WAYS:
            x, y = middle(page, kind, handle)
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + dx, y + dy, steps=3)
            seen.add(value(page, kind, handle))
            page.mouse.up()
        assert len(seen) > 1, f"{handle} does not follow the mouse"


@every
def test_by_finger(kind, open_page):
    page = open_page("zh-Hant", 390, "dark")
    free(page)
    touch = page.context.new_cdp_session(page)

    def send(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    for handle in handles(page, kind):
        seen = {value(page, kind, handle)}
        for dx, dy in WAYS:
            x, y = middle(page, kind, handle)
            before = page.evaluate("scrollY")
            send("touchStart", (x, y))
            for part in (0.3, 0.6, 1):
                send("touchMove", (x + part * dx, y + part * dy))
            seen.add(value(page, kind, handle))
            send("touchEnd")
            assert page.evaluate("scrollY") == before, f"{handle} lets the page scroll away"
        assert len(seen) > 1, f"{handle} does not follow a finger"


@every
def test_by_keyboard(kind, open_page):
    page = open_page("en", 1280, "dark")
    free(page)
    for handle in handles(page, kind):
        page.locator(f"rope-scene[kind={kind}] [data-h={handle}]").focus()
        seen, there = [value(page, kind, handle)], page.evaluate("scrollY")
        for key in ("Home", "ArrowRight", "PageUp", "End", "ArrowLeft", "PageDown"):
            page.keyboard.press(key)
            seen.append(value(page, kind, handle))
        assert len(set(seen)) >= min(4, len(seen)), f"{handle}: {seen}"
        assert page.evaluate("scrollY") == there, f"{handle}: the page scrolls under the keys"
        at = page.evaluate(
            "[document.activeElement.dataset.h, document.activeElement.closest('rope-scene')?.getAttribute('kind')]"
        )
        assert at == [handle, kind], f"{handle} loses the keyboard"
    assert page.evaluate(UNSEEN, kind) == [], "drawn, and never seen"


@every
def test_guess_commit_and_see_by_keyboard(kind, open_page):
    """From the first question to the last: the keyboard never has to look for the next button, and every answer is told."""
    page = open_page("zh-Hant", 1280, "light")
    ask = page.locator(f"rope-scene[kind={kind}] .ask")
    told = [ask.locator("p").first.inner_text()]
    ask.locator("button").first.focus()
    for _ in range(20):
        if not ask.locator("[data-do=next], [data-do^=say]").count():
            break
        page.keyboard.press("Enter")
        page.evaluate(FRAME)
        told.append(ask.locator("p").first.inner_text())
        assert page.evaluate(f"document.querySelector('rope-scene[kind={kind}] .ask').contains(document.activeElement)")
    assert len(told) >= 3 and len(set(told)) == len(told)
    assert ask.locator("[data-do=again]").count()
    ask.locator("[data-do=again]").click()
    page.evaluate(FRAME)
    assert ask.locator("p").first.inner_text() == told[0]


@every
@pytest.mark.parametrize(("language", "width", "scheme"), [("en", 390, "light"), ("zh-Hant", 390, "dark")])
def test_on_a_phone(kind, language, width, scheme, open_page):
    page = open_page(language, width, scheme)
    for look in ("first", "free"):
        if look == "free":
            free(page)
        sizes, grips, outside = page.evaluate(f"""() => {{
            const scene = document.querySelector('rope-scene[kind={kind}]'), frame = scene.getBoundingClientRect();
            const all = (q) => [...scene.querySelectorAll(q)], box = (e) => e.getBoundingClientRect();
            const written = all('text, p, span, small, b, li, button').filter((e) => e.textContent.trim() && e.checkVisibility());
            const drawn = (svg) => svg ? box(svg).width / svg.viewBox.baseVal.width : 1;
            return [written.map((e) => parseFloat(getComputedStyle(e).fontSize) * drawn(e.ownerSVGElement)),
                all('.grip').map((g) => Math.min(box(g).width, box(g).height)),
                written.filter((e) => box(e).left < frame.left - 1 || box(e).right > frame.right + 1).map((e) => e.textContent)]
        }}""")
        assert min(sizes) >= 11, "too small to read"
        assert not grips or min(grips) >= 40, "too small for a finger"
        assert outside == [], "outside its frame"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# What stands in a scene in every state it can be brought to: faults, and the words that are seen or spoken
EVERYWHERE = (Path(__file__).parent / "everywhere.js").read_text("utf-8")
LATIN = re.compile(r"[a-z]{4,}")


@every
@pytest.mark.parametrize(("language", "width"), [("en", 390), ("zh-Hant", 390), ("en", 1440), ("zh-Hant", 1440)])
def test_nothing_is_cut_or_covered_or_untranslated_in_any_state(kind, language, width, open_page):
    page = open_page(language, width)
    if not page.evaluate("'states' in window"):
        page.add_script_tag(content=DATA + LOOK)
    faults, words = page.evaluate(EVERYWHERE, kind)
    assert faults == []
    if language == "zh-Hant":
        data = page.evaluate(f"document.querySelector('rope-scene[kind={kind}]').data")
        known = " ".join([*data.pop("words").values(), json.dumps(data, ensure_ascii=False)])
        assert [w for w in words if not {*LATIN.findall(w)} <= {*LATIN.findall(known)}] == []


def test_a_second_finger_moves_nothing_and_takes_nothing_away(open_page):
    page = open_page("en", 390)
    free(page)
    touch = page.context.new_cdp_session(page)
    places = {name: middle(page, "two-hands", name) for name in ("query", "key")}
    places = {name: middle(page, "two-hands", name) for name in ("query", "key")}  # after the last scroll
    (x, y), other = places["query"], places["key"]

    def send(kind, *points):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(points)]},
        )

    first = value(page, "two-hands", "query")
    send("touchStart", (x, y))
    send("touchMove", (x + 40, y))
    moved = [value(page, "two-hands", name) for name in places]
    send("touchStart", (x + 40, y), other)
    send("touchMove", (x + 40, y), (other[0] + 40, other[1]))
    assert [value(page, "two-hands", name) for name in places] == moved and moved[0] != first
    send("touchMove", (x + 40, y))  # the second is lifted
    send("touchMove", (x, y))
    assert value(page, "two-hands", "query") == first, "the first finger still holds it"
    send("touchEnd")


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("zh-Hant", 390)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_minds_nothing(language, width, scheme, open_page):
    from axe_playwright_python.base import AXE_SCRIPT

    page = open_page(language, width, scheme)
    page.evaluate(AXE_SCRIPT)
    for look in ("as it is", "free"):
        if look == "free":
            free(page)
        found = page.evaluate("axe.run('rope-scene', {preload: false, resultTypes: ['violations']})")["violations"]
        assert [f"{v['id']}: {v['nodes'][0]['html'][:150]}" for v in found] == [], look


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("zh-Hant", 390)])
def test_nothing_moves_while_it_loads(language, width, browser, shown):
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(MOVED)
    page = context.new_page()
    page.goto(shown[language])
    page.evaluate("document.fonts.ready")
    page.evaluate(FRAME)
    moved, live = page.evaluate("[window.moved, document.querySelectorAll('rope-scene[data-live]').length]")
    context.close()
    assert moved < 0.05 and live == len(scenes.KINDS)


ANSWERED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))), moved = [];
  for (const scene of document.querySelectorAll("rope-scene")) {
    const at = (element) => element.getBoundingClientRect().top;
    const top = () => Math.round(at(scene.querySelector("svg.scene")) - at(scene));
    const first = top();
    for (let button; (button = scene.querySelector(".ask:not(.ghost) :is([data-do^=say], [data-do=next])"));) {
      button.click();
      await frame();
      if (Math.abs(top() - first) > 1) moved.push(`${scene.getAttribute("kind")}: ${top() - first} px`);
    }
  }
  return moved;
}"""


@pytest.mark.parametrize(("language", "width"), [("en", 390), ("zh-Hant", 1280)])
def test_the_picture_stays_where_it_is_while_one_predicts(language, width, browser, shown):
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.goto(shown[language])
    page.evaluate("document.fonts.ready")
    moved = page.evaluate(ANSWERED)
    page.close()
    assert moved == []


@pytest.mark.parametrize("language", labels.LANGUAGES)
def test_without_scripts_the_stills_stand(language, open_page):
    page = open_page(language, 390 if language == "en" else 1280, script=False)
    for kind in scenes.KINDS:
        scene = page.locator(f"rope-scene[kind={kind}]")
        assert [svg.is_visible() for svg in scene.locator("svg.scene").all()].count(True) == 1
        assert scene.locator("svg.scene:visible").get_attribute("aria-label") and not scene.locator("button:visible").count()


def test_paper_has_the_picture_and_nothing_to_press(browser, shown):
    context = browser.new_context(viewport={"width": 642, "height": 900}, color_scheme="dark")
    page = context.new_page()
    page.goto(shown["en"])
    page.emulate_media(media="print")
    page.evaluate(FRAME)
    for kind in scenes.KINDS:
        scene = page.locator(f"rope-scene[kind={kind}]")
        assert scene.locator("svg.scene:visible").count() == 1 and not scene.locator("button:visible").count()
        assert scene.locator("svg.scene:visible").bounding_box()["width"] <= 642
    context.close()


@every
def test_less_motion_is_none_and_motion_ends_where_it_should(kind, open_page):
    """With motion a scene arrives, after a while, at what it shows at once without."""
    calm, lively = open_page("en", 900), open_page("en", 900, motion="no-preference")
    seen = []
    for page in (calm, lively):
        first = page.locator(f"rope-scene[kind={kind}] .ask [data-do^=say]").first
        if first.count():
            first.click()
        page.evaluate(FRAME)
        if page is lively:
            page.wait_for_function(f"document.querySelector('rope-scene[kind={kind}]').frame === undefined")
        seen.append(page.locator(f"rope-scene[kind={kind}] svg.scene").evaluate("s => s.innerHTML.replace(/scene\\d+-/g, '')"))
    assert seen[0] == seen[1]
