"""In JupyterLab, which has no script of ours: the first scene of a notebook brings it, the next need only their own."""

import json

import pytest

from ropelib.book import scenes
from ropelib.book.scenes import stage

pytestmark = pytest.mark.browser
# As JupyterLab shows a trusted output: HTML is set, then its scripts are put in anew, so that they run
SHOW = """(outputs) => {
    for (const html of outputs) {
        const place = document.createElement('div');
        place.innerHTML = html;
        document.body.append(place);
        for (const script of [...place.querySelectorAll('script')]) {
            if (!script.parentNode) continue;
            const clone = document.createElement('script');
            for (const {name, value} of script.attributes) clone.setAttribute(name, value);
            clone.textContent = script.textContent;
            script.replaceWith(clone);
        }
    }
}"""


@pytest.fixture
def cells(monkeypatch):
    """Stored outputs of cells that run one after the other in one kernel."""
    monkeypatch.setattr(stage, "carried", stage.Carried())
    ran = iter(range(100))

    def run(kind, cell=None):
        here = next(ran) if cell is None else cell
        monkeypatch.setattr(stage.Carried, "cell", lambda self: here)
        return scenes.scene(kind)._repr_html_()

    return run


def test_scenes_of_a_notebook_come_alive(cells, browser):
    outputs = [cells("two-hands"), cells("clocks"), cells("two-hands")]
    page = browser.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_content("<!DOCTYPE html><title>notebook</title>")
    page.evaluate(SHOW, outputs)
    page.wait_for_function("document.querySelectorAll('rope-scene[data-live]').length === 3", timeout=10_000)
    page.locator("rope-scene [data-h=query]").first.press("ArrowRight")
    page.wait_for_function("document.querySelector('[data-h=query]').getAttribute('aria-valuenow') === '8'")
    ground = "getComputedStyle(document.querySelector('rope-scene')).borderTopWidth"
    assert page.evaluate(ground) == "1px" and not faults, "its style comes along"
    assert page.evaluate("document.querySelector('rope-scene').dataset.lmSuppressShortcuts") == "true"
    page.close()


def test_one_copy_of_a_script_is_enough_and_a_cell_run_again_brings_it_again(cells):
    first, second, third = cells("two-hands", "a"), cells("clocks", "b"), cells("two-hands", "c")
    again = cells("two-hands", "a")
    sizes = [len(json.dumps(html)) for html in (first, second, third)]
    assert again == first and 'class="rope-scene-script"' in second
    assert 'class="rope-scene-script"' not in third and sizes[2] < sizes[0] - 15_000


def test_an_untrusted_notebook_shows_the_still(cells, browser):
    """Without our element and without scripts, as a sanitizer leaves it."""
    page = browser.new_page(java_script_enabled=False)
    page.set_content(cells("two-hands").replace("rope-scene", "div"))
    image = page.locator("img")
    assert image.get_attribute("alt") and image.bounding_box()["height"] > 200
    page.close()
