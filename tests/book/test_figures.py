"""House style: legible on both backgrounds, and a figure's numbers in words."""

import base64
import io
import re
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from ropelib import book
from ropelib.book import figures, ink
from ropelib.book.ink import contrast


@pytest.mark.parametrize("background", ["#ffffff", "#14181e"])
@pytest.mark.parametrize("color", ["QUERY", "KEY", "SCORE", "ACCENT", "WRONG", "QUIET"])
def test_colours_stand_out_on_light_and_dark(color, background):
    assert contrast(getattr(figures, color), background) >= 3


@pytest.mark.parametrize("color", ["#2f7fd0", "#c96a00", "#b8478f", "#808080", "#a8741a"])
def test_words_in_any_colour_can_be_read_on_either_paper(color):
    light, dark = re.fullmatch(r"light-dark\((#\w{6}), (#\w{6})\)", ink.legible(color)).groups()
    assert all(contrast(light, paper) >= 4.5 for paper in ink.LIGHT)
    assert all(contrast(dark, paper) >= 4.5 for paper in ink.DARK)


def test_words_have_a_rim_and_what_stands_in_a_cell_has_none():
    fig, ax = plt.subplots()
    ax.set_title("a word")
    ax.set_xlabel("$k$ of it")
    for words, color in (("0.25", "black"), ("−3%", "black"), ("q", "black"), ("on a dark cell", "white"), ("字", "black")):
        ax.text(0, 0, words, color=color)
    found = re.findall(r'<text class="rim"[^>]*>([^<]*)<', figures.page_svg(svg(fig), "alt"))
    assert found == ["a word"]


def test_words_are_deepened_and_lines_are_not():
    fig, ax = plt.subplots()
    ax.plot([0, 1], color="#c96a00")
    ax.set_title("a word", color="#c96a00")
    ax.set_xlabel("$k$", color="#2f7fd0")
    ax.text(0, 0, "on a dark cell", color="white")
    out = figures.page_svg(svg(fig), "alt")
    assert "stroke: #c96a00" in out and "fill: #c96a00" not in out and "fill: #2f7fd0" not in out
    assert out.count("light-dark(") == 3 and "fill: #ffffff" in out


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


@pytest.mark.parametrize("clear", [False, True])
def test_pictures_in_a_page_are_light_and_look_the_same(clear):
    """Of thousands of colours 64 stay; a picture with see-through parts is left alone."""
    figure, ax = plt.subplots(figsize=(3, 3))
    colours = np.random.default_rng(0).uniform(size=(40, 40, 4))
    colours[..., 3] = np.linspace(0, 1, 40) if clear else 1
    ax.imshow(colours, interpolation="nearest")
    svg = figures.saved(figure)
    (before,), (after,) = (figures.PICTURE.findall(text) for text in (svg, figures.page_svg(svg, "colours")))
    if clear:
        assert after.strip() == before.strip()
        return
    old, new = (np.asarray(Image.open(io.BytesIO(base64.b64decode(p))).convert("RGB"), int) for p in (before, after))
    assert len(after) < 0.7 * len(before) and np.abs(old - new).mean() < 25
