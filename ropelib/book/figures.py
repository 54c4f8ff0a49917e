"""The book's house style: Chinese without tofu, figures that follow the page's colours, and their numbers in words."""

import base64
import html
import io
import os
import re
from pathlib import Path

import numpy as np

from . import labels
from .absent import drawing
from .ink import legible_words, rimmed_words
from .panels import narrow, panels, parts, stored  # noqa: F401  chapters say figures.panels

with drawing():
    import matplotlib
    from cycler import cycler
    from matplotlib import font_manager
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure

FONT = Path(__file__).parent / "fonts" / "RopeLibSansTC-Regular.otf"

# One colour, one meaning, all through the book. Each has at least 3:1 contrast on white and on the dark page, which is
# enough for a line; a page deepens them for words.
QUERY, KEY, SCORE, ACCENT, WRONG = "#2f7fd0", "#c96a00", "#238a57", "#9a5fd0", "#d0494b"
QUIET = "#808080"
DIVERGING, SEQUENTIAL = "PRGn", "Blues"  # two in the whole book: violet below zero, green above; from nothing to much

STYLE = {
    "font.family": ["RopeLib Sans TC", "DejaVu Sans"],  # first, so that $math$ labels find Chinese too
    "font.size": 11,
    "axes.titlesize": 12,
    "mathtext.fontset": "stix",  # its characters are Unicode: in an SVG that keeps text as text, cm would write θ as µ
    "axes.unicode_minus": True,
    "figure.figsize": (6.4, 3.6),
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "grid.color": QUIET,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "lines.linewidth": 2,
    "image.cmap": SEQUENTIAL,
    "axes.prop_cycle": cycler(color=[QUERY, KEY, SCORE, ACCENT, WRONG]),
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "ropelib",  # the same figure, the same bytes
}


# What every shape of matplotlib's has in common, and its text where nothing else is said
SHAPES = ' fill="currentColor" style="stroke-linejoin: round; stroke-linecap: butt"'


def setup(language):
    """Prepare a notebook: the language of its labels, the font and style of its figures, and what is stored of them.

    Parameters
    ----------
    language : str
        ``"zh-Hant"`` or ``"en"``.

    Raises
    ------
    ValueError
        If the language is not one of the two.
    """
    labels.use(language)
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # no date in a picture
    font_manager.fontManager.addfont(FONT)
    matplotlib.rcParams.update(STYLE)
    try:
        from IPython import get_ipython
    except ImportError:  # a plain script has no notebook to prepare
        return
    if shell := get_ipython():
        shell.run_line_magic("matplotlib", "inline")  # clears the formatters, so it comes before ours
        shell.run_line_magic("config", "InlineBackend.figure_formats = ['svg']")
        formatters = shell.display_formatter.formatters
        formatters["text/plain"].for_type(Figure, lambda fig, p, cycle: p.text(digest(fig)))
        formatters["image/svg+xml"].for_type(Figure, saved)
        matplotlib.rcParams.update(STYLE)  # the inline backend brings sizes of its own


def saved(figure):
    """A figure as a notebook stores it: its SVG, or None for one that has no axes yet.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    str or None
    """
    return _smaller(stored(figure, _drawn)) if figure.axes else None


def _drawn(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", facecolor=figure.get_facecolor(), edgecolor=figure.get_edgecolor())
    return out.getvalue()


def _smaller(drawn):
    """An SVG at half its size: a tenth of a point is fine enough for a line, a hundredth for the place of a word."""
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.S)
    svg = re.sub(r' d="[^"]+"', lambda path: re.sub(r"\s*\n\s*", " ", re.sub(r"(\.\d)\d+", r"\1", path[0])), svg)
    svg = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", svg)
    places = r' (?:x|y)="[^"]+"|(?:rotate|translate)\([^)]*\)'
    svg = re.sub(places, lambda place: re.sub(r"(\.\d\d)\d+", r"\1", place[0]), svg)
    return re.sub(r">\s*\n\s*", ">\n", svg)


def _numbers(values):
    v = np.ma.filled(np.ma.asarray(values, float), np.nan).ravel()
    if not v.size:
        return "none"
    facts = (v[0], v[-1], np.nanmin(v), np.nanmax(v), np.nanmean(v))
    # rounding noise, and the sign of zero, differ between machines
    return "{:.4g} to {:.4g}, min {:.4g}, max {:.4g}, mean {:.4g}".format(*(0.0 if abs(f) < 5e-13 else f for f in facts))


def digest(figure):
    """The numbers that a figure draws, in words: what a test can compare, since it cannot compare pictures.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    str
        For each line, scatter, set of bars, field of arrows and image: how many values, first, last, least, largest, mean.
    """
    out = []
    for ax in figure.axes:
        out += [f"line {len(y := line.get_ydata())}: {_numbers(y)}" for line in ax.lines]
        out += [
            f"bars {len(c)}: {_numbers([p.get_height() for p in c])}"
            for c in ax.containers
            if isinstance(c, BarContainer) and len(c)
        ]
        for c in ax.collections:
            if hasattr(c, "U"):
                out += [f"arrows {c.U.size}: x {_numbers(c.U)}; y {_numbers(c.V)}"]
            elif len(xy := np.ma.asarray(c.get_offsets())) > 1 or np.any(xy):
                out += [f"points {len(xy)}: {_numbers(xy[:, 1])}"]
        out += [f"image {' × '.join(map(str, z.shape))}: {_numbers(z)}" for z in (im.get_array() for im in ax.images)]
        out += [f"arrow to {_numbers(a.xy)}" for a in ax.texts if getattr(a, "arrow_patch", None) is not None]
    return f"<Figure: {'; '.join(out)}>"


PICTURE = re.compile(r"(?<=data:image/png;base64,)[A-Za-z0-9+/=\s]+")


def _lighter(found):
    """A picture inside an SVG with at most 48 colours, which is half its weight; one with see-through parts stays."""
    from PIL import Image

    raw = base64.b64decode(found[0])
    image = Image.open(io.BytesIO(raw))
    if image.mode == "RGBA" and image.getextrema()[3] != (255, 255):
        return found[0]
    out = io.BytesIO()
    image.convert("RGB").quantize(48, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(min(raw, out.getvalue(), key=len)).decode()


def page_svg(svg, alt):
    """Matplotlib's SVG made part of a page: black becomes the page's text colour, unused ids and noise go.

    Parameters
    ----------
    svg : str
        What ``savefig(format="svg")`` wrote.
    alt : str
        What the figure shows, for those who do not see it.

    Returns
    -------
    str
        One ``<svg>``, or a ``<div class="panels">`` of them: panels, or the wide and the narrow drawing of one figure.
    """
    svg = re.sub(r"<style\b.*?</style>", "", _smaller(svg), flags=re.S)  # it would reach the whole page
    svg = PICTURE.sub(_lighter, svg)
    svg = legible_words(rimmed_words(svg).replace("#000000", "currentColor"))
    svg = re.sub(r"(<text\b[^>]*?)font-family: [^;\"]*(?:; |(?=\"))", r"\1", svg)  # the page sets its own
    used = set(re.findall(r'(?:href="#|url\(#)([\w.-]+)', svg))
    drawings = []
    for kind, part in parts(svg):
        part = re.sub(r'\s*\bid="([\w.-]+)"', lambda m: m[0] if m[1] in used else "", part)
        part = re.sub(r">\s+<", "><", part).replace("<defs></defs>", "").strip()
        drawings.append(part.replace("<svg", f'<svg class="{f"ropelib {kind}".strip()}"{SHAPES}', 1))
    said = f'role="img" aria-label="{html.escape(alt)}"'
    if len(drawings) == 1:
        return drawings[0].replace("<svg", f"<svg {said}", 1)
    drawings = [d.replace("<svg", '<svg aria-hidden="true"', 1) for d in drawings]
    return f'<div class="panels" {said}>{"".join(drawings)}</div>'


def plane(ax, reach=1.2):
    """A square piece of the plane with its two axes and the unit circle, for vectors drawn from the origin."""
    turn = np.linspace(0, 2 * np.pi, 181)
    ax.plot(np.cos(turn), np.sin(turn), color=QUIET, lw=1, alpha=0.6)
    ax.axhline(0, color=QUIET, lw=0.8, alpha=0.5)
    ax.axvline(0, color=QUIET, lw=0.8, alpha=0.5)
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def arrow(ax, tip, color, text="", *, tail=(0, 0), **style):
    """A vector from `tail` to `tip`, named beside its tip."""
    ax.annotate("", tip, tail, arrowprops={"arrowstyle": "-|>", "color": color, "lw": 2, "shrinkA": 0, "shrinkB": 0, **style})
    if text:
        away = np.subtract(tip, tail) / (np.hypot(*np.subtract(tip, tail)) or 1)
        ax.annotate(text, tip, 12 * away, textcoords="offset points", color=color, ha="center", va="center")


def arc(ax, start, stop, radius, color, text=""):
    """An angle, drawn as an arc from `start` to `stop` (radians) and named at its middle."""
    turn = np.linspace(start, stop, 61)
    ax.plot(radius * np.cos(turn), radius * np.sin(turn), color=color, lw=1.5)
    if text:
        middle = (start + stop) / 2
        ax.text(
            (radius + 0.14) * np.cos(middle),
            (radius + 0.14) * np.sin(middle),
            text,
            color=color,
            ha="center",
            va="center",
        )


def heatmap(ax, matrix, *, centred=False, **style):
    """A matrix as colours; `centred` gives zero the middle colour."""
    if centred:
        top = float(np.max(np.abs(matrix)))
        style = {"cmap": DIVERGING, "vmin": -top, "vmax": top, **style}
    image = ax.imshow(matrix, **{"aspect": "equal", "interpolation": "nearest", **style})
    ax.spines[:].set_visible(False)
    return image
