"""axe-core on an open page, in light, dark and at a phone's width."""

# axe's time grows with the elements, so what repeats is left out: the half of a formula that readers' tools do not see and
# the insides of the other, the insides of drawings (each one image with words), and the pieces of code but in two cells
LIGHTEN = """() => {
    document.querySelectorAll('.katex-html, math > *, svg.ropelib > *').forEach(e => e.remove());
    [...document.querySelectorAll('pre')].slice(2).forEach(p => { p.textContent = p.textContent });
}"""
# and of all text in one colour, size and weight on one ground, one piece is looked at. A phone has the light page's colours
PICK = """() => {
    const seen = new Set();
    document.querySelectorAll('[data-look]').forEach(e => e.removeAttribute('data-look'));
    for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
        const style = getComputedStyle(e), grounds = [];
        for (let a = e; a; a = a.parentElement) grounds.push(getComputedStyle(a).backgroundColor);
        const key = [style.color, style.fontSize, style.fontWeight, style.opacity, ...new Set(grounds)].join();
        if (!seen.has(key)) e.setAttribute('data-look', '');
        seen.add(key);
    }
}"""
# the page measures its boxes once it is idle, and on the next frame after a change of size
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
SETTLE = f"() => new Promise(done => requestIdleCallback(done, {{timeout: 1000}})).then({FRAMES})"
STRUCTURE = {"rules": {"color-contrast": {"enabled": False}}}
COLOURS = {"runOnly": ["color-contrast"]}
VIEWS = [
    ("phone", "light", 390, STRUCTURE),
    ("light", "light", 1280, STRUCTURE),
    ("light", "light", 1280, COLOURS),
    ("dark", "dark", 1280, COLOURS),
]


def lighten(page):
    """Make the open page ready for axe."""
    from axe_playwright_python.base import AXE_SCRIPT

    page.evaluate(LIGHTEN)
    page.evaluate(AXE_SCRIPT)


def run(page, rules):
    if rules is COLOURS:
        page.evaluate(PICK)
    place = "[data-look]" if rules is COLOURS else "html"
    found = page.evaluate(
        "([place, rules]) => axe.run(place, {resultTypes: ['violations'], ...rules})", [{"include": [[place]]}, rules]
    )
    return found["violations"]


def serious(page):
    """Yield a line for each serious or critical finding, in every view."""
    last = None
    for view, scheme, width, rules in VIEWS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if width != last:  # colours change at once, boxes are measured anew
            page.evaluate(SETTLE if last is None else FRAMES)
        last = width
        for fault in run(page, rules):
            if fault["impact"] in ("serious", "critical"):
                where = "; ".join(f"{n['target'][0]} {n['html'][:90]}" for n in fault["nodes"][:3])
                yield f"({view}) {fault['id']}: {fault['help']}: {where}"
