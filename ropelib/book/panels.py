"""Figures that stay legible on a phone: panels that the page lays side by side or stacks, and a narrow drawing of the rest."""

import re
from contextlib import contextmanager

import numpy as np

from .absent import drawing

NARROW = 3.6  # inches: with text at its natural size this fills a phone's page, and two fill a desktop's
POINTS = 72


def panels(count=2, *, width=NARROW, height=3.0, across=None, grid=(1, 1), share=None):
    """A figure made of panels, which a page lays side by side where there is room, and stacks where there is none.

    Each panel is drawn at its natural size, so that its words are as large on a phone as on a desktop. A notebook shows
    the panels as one picture, `across` of them in a row. What belongs to all panels, a title or a legend, goes into
    one of them: a page has no place for it when the panels are stacked.

    Parameters
    ----------
    count : int
        How many panels.
    width, height : float
        Inches of one panel. At 3.6 two stand side by side, at 2.4 three; more than 3.6 does not fit a phone.
    across : int, optional
        How many a notebook shows in a row; as many as fit 7.2 inches when not given.
    grid : (int, int)
        Rows and columns of axes in each panel.
    share : {"x", "y", "both"}, optional
        Axes that all panels have in common.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : array of matplotlib.axes.Axes
        One for each panel, or ``(count, rows, columns)`` of them when `grid` asks for more.

    Raises
    ------
    ValueError
        If there is no panel, a panel is wider than 3.6 inches, or `share` is none of the three.

    Examples
    --------
    >>> figure, (left, right) = panels(2, height=2.5, share="y")
    >>> _ = left.plot([1, 2, 3]), right.plot([3, 2, 1])
    """
    with drawing():
        import matplotlib.pyplot as plt

    if count < 1:
        raise ValueError(f"count: got {count}, expected at least one panel")
    if not 0 < width <= NARROW:
        raise ValueError(f"width: got {width}, expected at most {NARROW} inches, a phone's width")
    if share not in (None, "x", "y", "both"):
        raise ValueError(f'share: got {share!r}, expected "x", "y", "both" or None')
    across = across or min(count, round(2 * NARROW / width))
    rows = -(-count // across)
    figure = plt.figure(figsize=(across * width, rows * height))
    cells = figure.subfigures(rows, across, wspace=0, hspace=0, squeeze=False).flat
    axes = np.empty((count, *grid), object)
    first = None
    for k in range(count):
        cells[k].set_gid(f"panel-{k}-of-{rows}x{across}")
        spaces = cells[k].add_gridspec(*grid)
        for place in np.ndindex(*grid):
            shared = {f"share{axis}": first for axis in "xy" if share in (axis, "both")}
            axes[(k, *place)] = ax = cells[k].add_subplot(spaces[place], **shared)
            first = first or ax
    figure.ropelib_panels = count
    return figure, axes if grid != (1, 1) else axes[:, 0, 0]


def narrow(figure, *, height=None, columns=None, change=None):
    """Say how a wide figure is drawn on a phone; without it, the same figure is drawn 3.6 inches wide, its axes below one
    another where they stood in a row.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    height : float, optional
        Inches; when not given, each row of axes keeps its height, or its shape where that is fixed.
    columns : int, optional
        How many axes stand in a row; as many as keep their width when not given.
    change : callable, optional
        ``change()`` is called between the two drawings: fewer ticks, another legend, other places for words.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots(figsize=(7.2, 3))
    >>> narrow(figure, height=4, change=lambda: ax.set_xticks([0, 1]))
    """
    figure.ropelib_narrow = height, columns, change


def _cells(figure):
    """The figure's grid of axes: the axes, each in a cell of its own, and the grid's columns; None if it is no such grid."""
    axes = [ax for ax in figure.axes if ax.get_label() != "<colorbar>" and ax.get_subplotspec()]
    spots = [ax.get_subplotspec() for ax in axes]
    grids = {id(spot.get_gridspec()) for spot in spots}
    if len(grids) != 1 or any(spot.num1 != spot.num2 for spot in spots) or len({spot.num1 for spot in spots}) < len(spots):
        return None
    return axes, spots[0].get_gridspec().ncols


@contextmanager
def _drawn_narrow(figure):
    """The figure 3.6 inches wide while it lasts: as many columns of axes as keep their width, the others below them."""
    size = figure.get_size_inches()
    height, wanted, change = getattr(figure, "ropelib_narrow", (None, None, None))
    axes, columns = _cells(figure) or ([], 1)
    spots = [ax.get_subplotspec() for ax in axes]
    fewer = wanted or max(1, int(NARROW / (size[0] / columns) + 0.15))
    tall = size[1]
    hidden = []
    if fewer < columns:
        rows = -(-len(axes) // fewer)
        tall *= rows / spots[0].get_gridspec().nrows
        grid = figure.add_gridspec(rows, fewer)
        for k, ax in enumerate(axes):
            ax.set_subplotspec(grid[k])
            if k % fewer == 0 and not ax.yaxis.get_tick_params().get("labelleft", True):  # its neighbour had the numbers
                ax.tick_params(labelleft=True)
                hidden.append(ax)
    elif any(ax.get_aspect() != "auto" for ax in figure.axes):
        tall *= NARROW / size[0]
    if change:
        change()
    figure.set_size_inches(NARROW, height or tall)
    broken = _break_long_words(figure)
    yield
    for text, words in broken:
        text.set_text(words)
    figure.set_size_inches(size)
    for ax, spot in zip(axes, spots, strict=True):
        ax.set_subplotspec(spot)
    for ax in hidden:
        ax.tick_params(labelleft=False)


def _break_long_words(figure):
    """Write what would leave the figure in two lines. Returns each such text with its words, to be put back."""
    figure.draw_without_rendering()
    inside = figure.bbox.padded(1)
    texts = [figure._suptitle] if figure.get_suptitle() else []
    for ax in figure.axes:
        texts += [ax.title, ax._left_title, ax._right_title, ax.xaxis.label, ax.yaxis.label, *ax.texts]
    broken = []
    for text in texts:
        box, words = text.get_window_extent(), text.get_text()
        if words.strip() and (box.x0 < inside.x0 or box.x1 > inside.x1 or box.y0 < inside.y0 or box.y1 > inside.y1):
            broken.append((text, words))
            text.set_text(in_two_lines(words))
    return broken


def in_two_lines(words):
    """Words broken once, as near their middle as a space or a stop allows; a formula stays whole."""
    for stops in ("[，：；、]", " "):
        places = [m.end() for m in re.finditer(stops, words) if words[: m.end()].count("$") % 2 == 0]
        if places:
            break
    if not places and "$" not in words and not words.isascii():
        places = [len(words) // 2]
    if not places:
        return words
    middle = min(places, key=lambda place: abs(place - len(words) / 2))
    return f"{words[:middle].rstrip()}\n{words[middle:]}"


def stored(figure, draw):
    """What a notebook keeps of a figure: its SVG, with the narrow drawing inside it where there is one.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    draw : callable
        ``draw(figure)`` gives the figure's SVG as text.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a figure of panels has a title or a legend outside them.
    """
    if hasattr(figure, "ropelib_panels"):
        if figure.texts or figure.legends or figure.get_suptitle():
            raise ValueError("figure: got words outside its panels, expected each panel to hold its own title and legend")
        return draw(figure)
    svg = draw(figure)
    if svg is None or figure.get_figwidth() <= NARROW:
        return svg
    with _drawn_narrow(figure):
        inner = draw(figure)
    inner = re.sub(r'(\bid="|href="#|url\(#)(?=[\w.-])', r"\1n-", inner[inner.index("<svg") :]).strip()
    inner = inner.replace("<svg", '<svg id="narrow" display="none"', 1)
    return svg.rstrip().removesuffix("</svg>") + inner + "\n</svg>\n"


def parts(svg):
    """The drawings that a stored SVG holds, for a page to lay out.

    Parameters
    ----------
    svg : str
        What `stored` gave.

    Returns
    -------
    list of (str, str)
        Each drawing's class and its ``<svg>``: ``panel`` for each panel, ``at-wide`` and ``at-narrow`` for a pair, or
        one without a class.
    """
    inside = re.search(r'<svg id="narrow" display="none"(.*</svg>)\s*(?=</svg>\s*$)', svg, re.S)
    if inside:
        return [("at-wide", svg[: inside.start()] + svg[inside.end() :]), ("at-narrow", "<svg" + inside[1])]
    found = [(m, _end(svg, m.end())) for m in re.finditer(r'<g id="panel-(\d+)-of-(\d+)x(\d+)">', svg)]
    if not found:
        return [("", svg)]
    head = re.search(r"<svg[^>]*>", svg)[0]
    width, height = (float(n) for n in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head).groups())
    shared = "".join(re.findall(r"<defs>.*?</defs>", svg[found[-1][1] :], re.S))  # what cuts lines off at the axes
    out = []
    for m, end in found:
        k, rows, across = map(int, m.groups())
        w, h = width / across, height / rows
        box = f'width="{w:g}pt" height="{h:g}pt" viewBox="{k % across * w:g} {k // across * h:g} {w:g} {h:g}"'
        own = re.sub(r' (width|height|viewBox)="[^"]*"', "", head).replace("<svg", f"<svg {box}", 1)
        out.append(("panel", f"{own}{svg[m.start() : end]}{shared if not k else ''}</svg>"))
    return out


def _end(svg, start):
    """Where the group ends whose inside starts at `start`."""
    depth = 1
    for tag in re.finditer(r"<g\b[^>]*?(/?)>|</g>", svg[start:]):
        depth += -1 if tag[0] == "</g>" else not tag[1]
        if not depth:
            return start + tag.end()
    raise ValueError("svg: got a group without an end, expected an SVG as matplotlib writes it")
