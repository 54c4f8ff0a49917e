"""Chromium prints a document, again and again until no page is left half empty and the page numbers stay; then bookmarks."""

import base64

import pikepdf
from playwright.sync_api import sync_playwright

from tests.site.chromium import launch

from .fit import CLEAR, MARK, gaps, shrink

ROUNDS = 3  # of making figures smaller: each moves what follows
WIDTH = 132  # millimetres between the margins of paper.css, in which the page is laid out

SHRINK = """() => {  // a formula or a table wider than the paper becomes as much smaller
  for (const box of document.querySelectorAll('.math .formula, .table-box')) {
    const inner = box.querySelector('.katex-display > .katex, table');
    const room = box.clientWidth / box.scrollWidth;
    if (inner && room < 1) inner.style.zoom = Math.floor(100 * room) / 100;
  }
  return [...document.querySelectorAll('pre, svg, table')].filter(x => x.getBoundingClientRect().right > innerWidth + 1)
    .map(x => `${x.closest('[id]')?.id}: ${x.textContent.trim().slice(0, 50)}`);
}"""
RIMS = """() => {  // an outlined letter becomes a font of its own in a PDF: rims stay where something is drawn behind the words
  for (const words of document.querySelectorAll('svg .rim, svg .halo')) {
    const box = words.getBoundingClientRect(), top = box.top + box.height / 5, bottom = box.bottom - box.height / 5;
    const meets = shape => {
      const other = shape.getBoundingClientRect();
      if (other.left > box.right || other.right < box.left || other.top > bottom || other.bottom < top) return false;
      if (!shape.isPointInStroke) return true;  // a marker
      if (getComputedStyle(shape).stroke === 'none') return false;
      const back = shape.getScreenCTM().inverse();
      for (let x = box.left; x < box.right; x += 2)
        for (let y = top; y < bottom; y += 2) {
          const at = new DOMPoint(x, y).matrixTransform(back);
          if (shape.isPointInStroke(at)) return true;
        }
      return false;
    };
    const drawn = words.ownerSVGElement.querySelectorAll('path, line, polyline, polygon, circle, rect, use');
    if (![...drawn].some(shape => !shape.closest('defs, clipPath') && meets(shape))) words.classList.remove('rim', 'halo');
  }
}"""
# Chromium notes the place of what something links to: bookmarks need it of headings that the contents leave out, too
LINK = """anchors => {
  const links = anchors.map((anchor) => Object.assign(document.createElement('a'), {href: `#${anchor}`}));
  document.body.lastElementChild.append(...links);
}"""
NUMBER = "pages => { for (const b of document.querySelectorAll('b[data-page]')) b.textContent = pages[b.dataset.page] ?? ''; }"


def press(document, pdf, headings, title):
    """Print the HTML file `document` as `pdf`. Returns how many pages it has, and what stands out of the paper."""
    with sync_playwright() as p:
        browser = launch(p)
        tab = browser.new_page(viewport={"width": round(WIDTH / 25.4 * 96), "height": 1000})
        tab.emulate_media(media="print", color_scheme="light")
        tab.goto(document.as_uri())
        tab.evaluate("document.fonts.ready")
        too_wide = tab.evaluate(SHRINK)
        tab.evaluate(RIMS)
        tab.evaluate(LINK, [anchor for _, anchor, _, _ in headings])
        figures = tab.evaluate(MARK)
        press, before, now, smaller = tab.context.new_cdp_session(tab), None, {}, {}
        rounds = 0
        while now != before or smaller:
            tab.evaluate(NUMBER, now)
            _print(press, pdf)
            before, now = now, _places(pdf)
            smaller = gaps(pdf, figures) if (rounds := rounds + 1) <= ROUNDS else {}
            figures = [figure for figure in figures if figure["name"] not in smaller]
            shrink(tab, smaller)
        tab.evaluate(CLEAR)
        _print(press, pdf)
        browser.close()
    return _finish(pdf, headings, now, title), too_wide


def _print(press, pdf):
    asked = {"preferCSSPageSize": True, "printBackground": True, "generateTaggedPDF": True, "transferMode": "ReturnAsStream"}
    stream = press.send("Page.printToPDF", asked)["stream"]
    with pdf.open("wb") as out:
        end = False
        while not end:
            got = press.send("IO.read", {"handle": stream, "size": 1 << 20})
            out.write(base64.b64decode(got["data"]) if got.get("base64Encoded") else got["data"].encode())
            end = got["eof"]
    press.send("IO.close", {"handle": stream})


def _places(pdf):
    """On which page each anchor that something links to stands, counted from 1."""
    with pikepdf.open(pdf) as book:
        number = {page.objgen: n for n, page in enumerate(book.pages, 1)}
        return {name.lstrip("/"): number[at[0].objgen] for name, at in book.Root.Dests.items()}


def _finish(pdf, headings, places, title):
    """Bookmarks from the headings, chapters folded; the file packed, for tags make two thirds of it."""
    with pikepdf.open(pdf, allow_overwriting_input=True) as book:
        with book.open_outline() as outline:
            under = {-1: outline.root}
            for depth, anchor, _, words in headings:
                above = max(d for d in under if d < depth)
                item = pikepdf.OutlineItem(words, places[anchor] - 1)
                item.is_closed = depth > 0
                under[above].append(item)
                under = {d: items for d, items in under.items() if d < depth} | {depth: item.children}
        book.Root.PageMode = pikepdf.Name.UseOutlines
        with book.open_metadata() as about:
            about["dc:title"] = title
        book.save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return len(book.pages)
