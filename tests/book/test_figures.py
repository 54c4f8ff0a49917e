"""House style: legible on both backgrounds, and a figure's numbers in words."""

import io
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ropelib import book
from ropelib.book import figures


def luminance(color):
    c = np.asarray(to_rgb(color))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


def contrast(one, two):
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("background", ["#ffffff", "#14181e"])
@pytest.mark.parametrize("color", ["QUERY", "KEY", "SCORE", "ACCENT", "WRONG", "QUIET"])
def test_colours_stand_out_on_light_and_dark(color, background):
    assert contrast(getattr(figures, color), background) >= 3


def test_digest_names_everything_drawn():
    fig, ax = plt.subplots()
    ax.plot([1, 2, 4])
    ax.bar([0, 1], [5, 6])
    ax.scatter([0, 1], [7, 8])
    ax.imshow([[0, 9], [0, 0]])
    ax.quiver([0], [0], [3], [4])
    figures.arrow(ax, (10, 11), "black")
    said = figures.digest(fig)
    for fact in (
        "line 3: 1 to 4",
        "bars 2: 5 to 6",
        "points 2: 7 to 8",
        "image 2 × 2: 0 to 0, min 0, max 9",
        "arrows 1: x 3 to 3",
        "arrow to 10 to 11",
    ):
        assert fact in said


def test_digest_changes_with_a_single_point():
    def drawn(value):
        fig, ax = plt.subplots()
        ax.plot([0, value, 1])
        return figures.digest(fig)

    assert drawn(0.5) != drawn(0.51)


def test_digest_is_deaf_to_rounding_noise():
    def drawn(noise):
        fig, ax = plt.subplots()
        ax.plot([noise, 1, -noise])
        return figures.digest(fig)

    assert drawn(1e-17) == drawn(-3e-17)


def test_digest_takes_masked_and_missing_points():
    fig, ax = plt.subplots()
    ax.plot([np.nan, 1, 2])
    ax.plot([])
    assert "line 3: nan to 2, min 1, max 2" in figures.digest(fig) and "line 0: none" in figures.digest(fig)


def svg(fig):
    page = io.StringIO()
    fig.savefig(page, format="svg")
    return page.getvalue()


def test_page_svg_takes_the_pages_colour_and_says_what_it_shows():
    fig, ax = plt.subplots()
    ax.set_title("位置 & <θ>")
    out = figures.page_svg(svg(fig), 'a "line" & more')
    assert out.startswith("<svg") and out.endswith("</svg>")
    assert 'role="img" aria-label="a &quot;line&quot; &amp; more"' in out
    assert "#000000" not in out and "currentColor" in out and "<metadata" not in out
    ids = re.findall(r' id="([^"]+)"', out)
    assert all(f"#{i}" in out for i in ids), "an id that nothing uses is noise"


def test_the_same_figure_gives_the_same_bytes():
    def drawn():
        fig, ax = plt.subplots()
        ax.plot([1, 2])
        return svg(fig)

    assert drawn() == drawn()


def test_chinese_and_formulas_are_drawn_without_a_missing_glyph():
    fig, ax = plt.subplots()
    ax.set_title("相對距離 $r = m - n$，位置 −1 ✓ ⟨q, k⟩")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig.savefig(io.BytesIO(), format="png")


def test_an_unknown_language_leaves_the_style_alone():
    before = dict(matplotlib.rcParams)
    with pytest.raises(ValueError, match="language"):
        book.setup("fr")
    assert dict(matplotlib.rcParams) == before
