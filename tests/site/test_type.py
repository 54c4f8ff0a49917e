"""Letters, lines and figures as a reader sees them, on every page, on a phone and on a desk."""

import re

import pytest
from reading import pages

pytestmark = [pytest.mark.browser, pytest.mark.every_page]

# Words of figures that leave their drawing, lie on each other, or are too small or too pale to read
FIGURES = """() => {
  const ratio = (one, other) => { const [a, b] = [one, other].sort((x, y) => y - x); return (a + .05) / (b + .05); };
  const light = (color) => { const c = color.match(/[\\d.]+/g).slice(0, 3).map((v) => { v /= 255;
    return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; };
  const paper = light(getComputedStyle(document.body).backgroundColor), out = [];
  for (const svg of document.querySelectorAll("svg.ropelib")) {
    const box = svg.getBoundingClientRect();
    if (!box.width) continue;
    const level = [...svg.querySelectorAll("text")].map((text) => ({text, at: text.getBoundingClientRect()}))
      .filter(({text, at}) => text.textContent.trim() && at.width && Math.abs(text.getScreenCTM().b) < .1);
    for (const [i, one] of level.entries()) for (const two of level.slice(i + 1)) {
      const wide = Math.min(one.at.right, two.at.right) - Math.max(one.at.left, two.at.left);
      const high = Math.min(one.at.bottom, two.at.bottom) - Math.max(one.at.top, two.at.top);
      if (wide > 3 && high > .5 * Math.min(one.at.height, two.at.height)) { // less is the air about the letters
        out.push(`"${one.text.textContent.trim()}" lies on "${two.text.textContent.trim()}"`);
      }
    }
    for (const text of svg.querySelectorAll("text")) {
      const words = text.textContent.trim().replace(/\\s+/g, " "), at = text.getBoundingClientRect();
      if (!words || !at.width) continue;
      const em = at.height / (Math.abs(text.getScreenCTM().b) > .1 ? 1e9 : 1.5); // a line is higher than its letters
      const over = Math.max(box.left - at.left, at.right - box.right,
        box.top - at.top - .4 * em, at.bottom - box.bottom - .3 * em);
      if (over > 1) out.push(`"${words}" leaves its figure by ${over.toFixed(1)} px`);
      const zoom = Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b);
      const sizes = [text, ...text.querySelectorAll("tspan")].filter((t) => !t.querySelector("tspan"))
        .map((t) => parseFloat(getComputedStyle(t).fontSize) * zoom);
      if (Math.max(...sizes) < 10) out.push(`"${words}" is ${Math.max(...sizes).toFixed(1)} px high`);
      const ink = light(getComputedStyle(text.querySelector("tspan") ?? text).fill);
      const contrast = ratio(ink, paper);
      if (ink > .02 && ink < .9 && contrast < 4.5) out.push(`"${words}" has a contrast of ${contrast.toFixed(2)}`);
    }
  }
  return out;
}"""

# Lines of the text that begin with a closing mark: the mark stands left of what comes before it
LINES = """() => {
  const out = [], walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  const closing = /^[，。、；：！？）」』》〉】,.;:!?)\\]]/;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const block = node.parentElement.closest("p, li, dd, td, figcaption, h1, h2, h3");
    const apart = "pre, code, .katex, svg, summary, .along, dl.py";
    if (!block || !closing.test(node.data) || node.parentElement.closest(apart)) continue;
    const range = document.createRange();
    range.setStart(node, 0);
    range.setEnd(node, 1);
    const mark = range.getBoundingClientRect(), style = getComputedStyle(block);
    if (mark.width && mark.left < block.getBoundingClientRect().left + parseFloat(style.paddingLeft) + 2
        && block.textContent.trim()[0] !== node.data[0]) {
      out.push(`a line begins with ${node.data.slice(0, 8)} in ${block.textContent.slice(0, 30)}…`);
    }
  }
  return out;
}"""

# 第 10 章 and Fig. 6.1 that a line's end cuts in two; code that lies under its Copy button
CUT = """() => [...document.querySelectorAll("article a.keep")].filter((a) => a.getClientRects().length > 1)
  .map((a) => `${a.textContent} is broken`).concat([...document.querySelectorAll("article .copy")].flatMap((copy) => {
    const button = copy.getBoundingClientRect(), code = copy.parentElement.querySelector("pre");
    const over = button.width && innerWidth < 500 && button.bottom > code.getBoundingClientRect().top + 8;
    return over ? [`Copy lies on ${code.textContent.slice(0, 30)}`] : [];
  }))"""

# Chinese characters that a space keeps apart, before or after a link
GAPS = r"""() => [...document.querySelectorAll("article a")].flatMap((link) => {
  const wide = /[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]/, before = link.previousSibling?.data ?? "";
  return /\s$/.test(before) && wide.test(before.trim().at(-1) ?? "") && wide.test(link.textContent[0] ?? "")
    ? [`a space before ${link.textContent}`] : [];
})"""


@pytest.fixture
def tab(browser):
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def complaints(found):
    assert not found, "\n" + "\n".join(dict.fromkeys(found))


def test_words_of_figures_stay_inside_and_lines_begin_well(book, tab):
    found = []
    for path in pages(book):
        tab.emulate_media(color_scheme="light")
        tab.goto(path.as_uri())
        tab.evaluate("document.fonts.ready")
        for width, scheme in ((390, "light"), (1440, "light"), (1440, "dark")):
            tab.set_viewport_size({"width": width, "height": 900})
            tab.emulate_media(color_scheme=scheme)
            faults = tab.evaluate(FIGURES) + (tab.evaluate(LINES) + tab.evaluate(CUT) if scheme == "light" else [])
            found += [f"{path.parent.name}/{path.name} at {width} px: {fault}" for fault in faults]
        found += [f"{path.parent.name}/{path.name}: {gap}" for gap in tab.evaluate(GAPS)]
    complaints(found)


def test_letters_that_stand_in_have_each_weight_and_slant(book):
    """A browser would smear a regular face to a bold one."""
    face = r'@font-face \{ font-family: "(Rope Stand-in[^"]*)"; (.*?)src: local\("[^"]*?( Bold)?( Italic| Oblique)?"\)'
    faces = re.findall(face, (book / "_static" / "book.css").read_text("utf-8"))
    assert len(faces) == 12
    for name, said, bold, slanted in faces:
        assert ("600 900" in said, "italic" in said) == (bool(bold), bool(slanted)), name


@pytest.mark.parametrize(("language", "least", "most"), [("en", 58, 72), ("zh-Hant", 37, 41)])
def test_lines_are_as_long_as_an_eye_likes(served, open_page, language, least, most):
    page, _ = open_page(f"{served}chapters/{language}/03-remember-position-by-rotating.html", home=served)
    page.set_viewport_size({"width": 1440, "height": 900})
    letters = page.evaluate("""() => {
      const widest = Math.max(...[...document.querySelectorAll("article > section > section > p")].map((p) => p.clientWidth));
      const line = document.createElement("p");
      line.style.cssText = "display: inline-block; max-width: none; white-space: nowrap";
      line.textContent = document.documentElement.lang === "en"
        ? "A watch set twenty minutes late tells every time wrong and every duration right: start and finish are late"
        : "一支錶慢了二十分鐘報的時間沒有一次對可是拿它量一段路走了多久一分不差";
      document.querySelector("article").append(line);
      const wide = line.getBoundingClientRect().width / line.textContent.length;
      line.remove();
      return widest / wide;
    }""")
    assert least <= letters <= most
