"""Colours of words: what is clear enough for a line is often too pale to read, and differently so on light and dark paper."""

import colorsys
import html
import re
from functools import cache

LIGHT, DARK = ("#ffffff", "#fdfcfa", "#f3f1ec"), ("#12161d", "#191f29", "#1c232e")  # the grounds of the pages
ENOUGH = 4.6  # WCAG asks 4.5 of text


def luminance(color):
    """The relative luminance of ``#rrggbb``, by WCAG 2.2."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _rgb(color))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    """The contrast of two colours, from 1 to 21, by WCAG 2.2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _rgb(color):
    return [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]


@cache
def legible(color):
    """The same hue, dark enough for light paper and light enough for dark paper, as CSS.

    Parameters
    ----------
    color : str
        ``#rrggbb``. Black, white and what is close to them is meant for a coloured ground, and stays.

    Returns
    -------
    str
        ``light-dark(#rrggbb, #rrggbb)``, or `color` itself.
    """
    if not 0.02 < luminance(color) < 0.9:
        return color
    return f"light-dark({_moved(color, LIGHT, -0.004)}, {_moved(color, DARK, 0.004)})"


def _moved(color, grounds, step):
    hue, lightness, saturation = colorsys.rgb_to_hls(*_rgb(color))
    while min(contrast(color, ground) for ground in grounds) < ENOUGH:
        lightness += step
        color = "#{:02x}{:02x}{:02x}".format(*(round(255 * c) for c in colorsys.hls_to_rgb(hue, lightness, saturation)))
    return color


def legible_words(svg):
    """An SVG of matplotlib's whose coloured words can be read on either paper; its lines keep their colours."""
    colour = r"fill: (#[0-9a-f]{6})"
    words = rf'<(?:text|tspan)\b[^>]*?{colour}|<g style="{colour}[^>]*>\s*<text'
    return re.sub(words, lambda m: re.sub(colour, lambda c: f"fill: {legible(c[1])}", m[0]), svg)


def rimmed_words(svg):
    """An SVG of matplotlib's whose words carry a class, by which a page draws a rim of paper about them: it keeps them clear of
    the lines they meet. Numbers are often written into a cell, and black or white words on a colour: there a rim would be a blot.
    A formula's letters lie so close that the rim of one would cut into the next."""

    def rim(text):
        bare = re.fullmatch(r"[\d\s.,+−%°×-]*|.", html.unescape(text[2]).strip())
        fill = re.search(r"fill: (#[0-9a-f]{6})", text[1])
        return text[0] if bare or (fill and legible(fill[1]) == fill[1]) else f'<text class="rim"{text[1]}>{text[2]}</text>'

    return re.sub(r"<text\b([^>]*)>([^<]+)</text>", rim, svg)
