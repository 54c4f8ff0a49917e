"""A slider answers to mouse, finger and keyboard, says what it shows, and stays where it was put."""

import pytest
from reading import LANGUAGES

pytestmark = pytest.mark.browser
SLIDER = "05-extend-to-d-dimensions.html"


def state(page):
    return page.evaluate("""() => { const f = document.querySelector('.ropelib-frames'), i = f.querySelector('input');
        return {value: i.value, text: i.getAttribute('aria-valuetext'), shown: f.querySelector('output').value,
                picture: f.querySelector('.stage svg')?.innerHTML,
                alt: f.querySelector('.stage svg')?.getAttribute('aria-label')} }""")


def test_a_slider_moves_by_keyboard_and_by_mouse(home, open_page):
    page, _ = open_page(f"{home}chapters/zh-Hant/{SLIDER}", home=home)
    slider = page.locator(".ropelib-frames input").first
    start = state(page)
    assert start["picture"], "the slider starts on a drawing"
    slider.focus()
    page.keyboard.press("ArrowRight")
    moved = state(page)
    assert int(moved["value"]) == int(start["value"]) + 1 and moved["picture"] != start["picture"]
    assert moved["text"] == moved["shown"] != start["text"]
    page.keyboard.press("Home")
    assert state(page)["value"] == "0"
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    end = state(page)
    assert end["value"] == slider.get_attribute("max") and end["picture"] != moved["picture"] and end["alt"]
    page.locator(".theme-switch-button").click()
    assert state(page) == end, "the choice of theme must not move the slider"
    page.emulate_media(color_scheme="dark")
    assert state(page) == end, "nor does the system's"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finger_moves_a_slider(home, open_page, language):
    page, _ = open_page(f"{home}chapters/{language}/{SLIDER}", home=home, viewport={"width": 390, "height": 800}, has_touch=True)
    slider = page.locator(".ropelib-frames input").first
    slider.scroll_into_view_if_needed()
    start, box = state(page), slider.bounding_box()
    assert box["height"] >= 24, "too low for a finger"
    page.touchscreen.tap(box["x"] + 4, box["y"] + box["height"] / 2)
    first = state(page)
    page.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    last = state(page)
    assert (first["value"], last["value"]) == ("0", slider.get_attribute("max")) and start["picture"]
    assert len({first["picture"], last["picture"]}) == 2
    stage = page.locator(".ropelib-frames .stage svg").first.bounding_box()
    assert stage["width"] <= 390 and stage["height"] > 50, "the picture stays on the page"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_reader_hears_name_and_state(served, open_page, language):
    """A slider by role, its name, its state in words; and the picture, when it changes, has other words."""
    page, _ = open_page(f"{served}chapters/{language}/{SLIDER}", home=served)
    names = page.locator(".ropelib-frames input").evaluate_all("all => all.map(i => i.labels[0]?.firstChild.data.trim() ?? '')")
    assert names and all(page.get_by_role("slider", name=name).count() for name in names), names
    before = state(page)
    page.get_by_role("slider").first.press("ArrowRight")
    after = state(page)
    assert before["text"] and after["text"] == after["shown"] != before["text"]
    assert before["alt"] and after["alt"] and after["alt"] != before["alt"]


def test_nothing_moves_for_those_who_want_less_motion(served, open_page):
    """A picture changes only when its slider does, and at once; with reduced motion so does all else."""
    page, _ = open_page(f"{served}chapters/en/{SLIDER}", home=served, reduced_motion="reduce")
    page.locator(".ropelib-frames input").first.press("ArrowRight")
    shown = state(page)
    assert page.evaluate("document.getAnimations().length") == 0
    page.wait_for_timeout(300)
    assert state(page) == shown
    smooth = "[...document.querySelectorAll('*')].some((e) => getComputedStyle(e).scrollBehavior === 'smooth')"
    assert not page.evaluate(smooth)
