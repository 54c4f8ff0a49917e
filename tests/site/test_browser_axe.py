"""axe-core on every page, in light, dark and at a phone's width."""

import pytest
from reading import pages

pytestmark = pytest.mark.browser
# The colours of a phone are those of the light page, and the structure of the dark page is that of the light one
VIEWS = {
    "light": ("light", 1280, {}),
    "dark": ("dark", 1280, {"runOnly": ["color-contrast"]}),
    "phone": ("light", 390, {"rules": {"color-contrast": {"enabled": False}}}),
}
# axe's time grows with the elements, so what repeats is left out: the half of a formula that readers' tools do not see and
# the insides of the other, the insides of drawings (each one image with words), and the colours of code but in two cells
LIGHTEN = """() => {
    document.querySelectorAll('.katex-html, math > *, svg.ropelib > *').forEach(e => e.remove());
    [...document.querySelectorAll('pre')].slice(2).forEach(p => { p.textContent = p.textContent });
}"""


def test_no_serious_finding(book, served, browser):
    from axe_playwright_python.base import AXE_SCRIPT

    context = browser.new_context(reduced_motion="reduce")
    page, faults = context.new_page(), []
    for path in pages(book):
        page.goto(served + path.relative_to(book).as_posix())
        page.evaluate(LIGHTEN)
        page.evaluate(AXE_SCRIPT)
        for view, (scheme, width, rules) in VIEWS.items():
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate("rules => axe.run({resultTypes: ['violations'], ...rules})", rules)
            for fault in found["violations"]:
                if fault["impact"] in ("serious", "critical"):
                    where = "; ".join(f"{n['target'][0]} {n['html'][:90]}" for n in fault["nodes"][:3])
                    faults.append(f"{path.parent.name}/{path.name} ({view}): {fault['id']}: {fault['help']}: {where}")
    context.close()
    assert not faults, "\n" + "\n".join(faults)
