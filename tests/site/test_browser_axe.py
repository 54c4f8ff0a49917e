"""axe-core on every page, in light, dark and at a phone's width."""

import pytest
from reading import pages

pytestmark = pytest.mark.browser
VIEWS = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 390)}
# The visible half of a formula is hidden from readers' tools, and a drawing is one image with words
APART = [[".katex-html"], ["svg.ropelib > *"]]


def test_no_serious_finding(book, served, browser):
    from axe_playwright_python.base import AXE_FILE_PATH

    context = browser.new_context()
    page, faults = context.new_page(), []
    for path in pages(book):
        page.goto(served + path.relative_to(book).as_posix())
        page.evaluate(AXE_FILE_PATH.read_text("utf-8"))
        for view, (scheme, width) in VIEWS.items():
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate("apart => axe.run({exclude: apart}, {resultTypes: ['violations']})", APART)
            for fault in found["violations"]:
                if fault["impact"] in ("serious", "critical"):
                    where = "; ".join(" ".join(n["target"][0:1]) + f" {n['html'][:90]}" for n in fault["nodes"][:3])
                    faults.append(f"{path.parent.name}/{path.name} ({view}): {fault['id']}: {fault['help']}: {where}")
    context.close()
    assert not faults, "\n" + "\n".join(faults)
