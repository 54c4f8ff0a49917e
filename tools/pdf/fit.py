"""A figure that would leave much of a page empty becomes a little smaller, so that it still goes on that page.

Only a printed PDF tells where pages end: a figure and the words before it get marks, links one pixel large, whose places are read
from it.
"""

MM = 72 / 25.4
TOP, BOTTOM = (230 - 19) * MM, 18 * MM  # of the type area of paper.css, in points from the foot of the page
LEAST = 0.35  # of the type area: a smaller gap may stay
SMALLEST, OPENING = 0.8, 0.64  # the scales that a drawing still bears; what opens a chapter belongs to its first lines
AIR = 8 * MM  # around a figure

# What moves to the next page with a figure: it, and those before it that may not be parted from it
MARK = """() => {
  const found = [];
  const anchor = (name, place) => {
    const mark = document.createElement('a');
    mark.id = name; mark.href = `#${name}`; mark.className = 'fit-mark';
    place(mark);
  };
  const held = (e) => /^H[1-6]$/.test(e.tagName) || getComputedStyle(e).breakAfter === 'avoid' || e.textContent.trim() === '';
  for (const figure of document.querySelectorAll('.page figure, .page rope-scene')) {
    if (figure.parentElement.closest('figure, rope-scene')) continue;
    const block = figure.closest('.page section > *, .page .cell');
    const drawn = [...figure.querySelectorAll('svg')].filter((s) => s.checkVisibility());
    if (!block || !drawn.length) continue;
    let head = block;
    while (head.previousElementSibling && held(head.previousElementSibling)) head = head.previousElementSibling;
    const before = head.previousElementSibling;
    if (!before) continue;
    let last = before; // its last words: an anchor behind it would go along with the figure
    const holds = /^(UL|OL|LI|DIV|SECTION|DL|DD|FIGURE|FIGCAPTION)$/;
    while (last.lastElementChild && holds.test(last.tagName)) last = last.lastElementChild;
    if (last.closest('table, svg, pre')) last = last.closest('table, svg, pre').parentElement;
    const name = `fit-${found.length}`, page = figure.closest('.page');
    anchor(`${name}-before`, (mark) => last.append(mark));
    anchor(name, (mark) => figure.prepend(mark));
    const next = block.nextElementSibling; // what was checked about it stays with it
    const after = next?.matches('.checked') ? next : next?.querySelector(':scope > .checked:first-child');
    const boxes = drawn.map((s) => s.getBoundingClientRect()), box = figure.getBoundingClientRect();
    figure.dataset.fit = name;
    found.push({name, opens: page.querySelector('figure, rope-scene') === figure,
      whole: (after?.getBoundingClientRect() ?? box).bottom - head.getBoundingClientRect().top,
      drawn: Math.max(...boxes.map((b) => b.bottom)) - Math.min(...boxes.map((b) => b.top))});
  }
  return found;
}"""
# Out of the way of voices and of fingers, once sizes are settled
CLEAR = "() => { for (const mark of document.querySelectorAll('.fit-mark')) mark.style.visibility = 'hidden'; }"
SHRINK = """sizes => {
  for (const [name, size] of Object.entries(sizes))
    for (const svg of document.querySelectorAll(`[data-fit="${name}"] svg`)) {
      const box = svg.getBoundingClientRect(), by = size / svg.currentCSSZoom;
      const to = {width: `${box.width * by}px`, height: `${box.height * by}px`};
      Object.assign(svg.style, {maxWidth: 'none', maxHeight: 'none', ...to});
    }
}"""


def gaps(pdf, figures):
    """Which figures left a gap that they nearly fit: their names, and how much smaller they fit."""
    at = _marks(pdf)
    smaller = {}
    for figure in figures:
        before, itself = at.get(f"{figure['name']}-before"), at.get(figure["name"])
        if not before or not itself:
            continue
        (page, left), (own, _) = before, itself
        room = left - BOTTOM - AIR
        if own != page + 1 or room + AIR < LEAST * (TOP - BOTTOM):
            continue
        size = fitting(figure["whole"] * 0.75, figure["drawn"] * 0.75, room)
        if (OPENING if figure["opens"] else SMALLEST) <= size < 1:
            smaller[figure["name"]] = size
    return smaller


def _marks(pdf):
    """Where each mark was printed: the page, and its foot in points. A link's rectangle is where it is, a target's not quite."""
    import pikepdf  # not needed by the book's tests

    found = {}
    with pikepdf.open(pdf) as book:
        for n, page in enumerate(book.pages, 1):
            for link in page.get("/Annots", ()):
                name = str(link.get("/Dest", link.get("/A", {}).get("/D", ""))).lstrip("/")
                if name.startswith("fit-"):
                    found[name] = n, float(link.Rect[1])
    return found


def fitting(whole, drawn, room):
    """The scale of what is drawn at which the whole, its words unchanged, is as high as there is room.

    >>> fitting(whole=300, drawn=200, room=260)
    0.8
    """
    return 1 - (whole - room) / drawn


def shrink(tab, sizes):
    """Draw figures smaller in the open document."""
    if sizes:
        tab.evaluate(SHRINK, sizes)
