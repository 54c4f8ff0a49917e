"""Panels that stack and narrow drawings: what a notebook keeps, and what a page makes of it."""

import io
import re
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest

from ropelib.book import figures, panels


def svg(fig):
    page = io.StringIO()
    fig.savefig(page, format="svg")
    return page.getvalue()


def kept(fig):
    return figures.stored(fig, svg)


def drawings(fig):
    """What the page shows: (class, width in inches, words) of each drawing."""
    page = figures.page_svg(kept(fig), "alt")
    for piece in re.findall(r"<svg.*?</svg>", page, re.S):
        root = ElementTree.fromstring(piece)
        words = " ".join(t.text for t in root.iter("{http://www.w3.org/2000/svg}text") if t.text)
        yield root.get("class"), round(float(root.get("width").removesuffix("pt")) / 72, 6), words


def test_each_panel_becomes_a_drawing_of_its_own_at_its_natural_size():
    fig, axes = figures.panels(3, height=2.5)
    for ax, name in zip(axes, ("one", "two", "three"), strict=True):
        ax.set(title=name, xticks=[], yticks=[])
    assert fig.get_size_inches().tolist() == [7.2, 5.0]
    assert list(drawings(fig)) == [("ropelib panel", 3.6, name) for name in ("one", "two", "three")]


def test_a_panels_window_shows_that_panel():
    fig, axes = figures.panels(2, height=2)
    axes[1].set_title("right")
    page = figures.page_svg(kept(fig), "alt")
    assert re.findall(r'viewBox="([^"]+)"', page) == ["0 0 259.2 144", "259.2 0 259.2 144"]
    assert 259.2 < float(re.search(r' x="([\d.]+)"[^>]*>right<', page)[1]) < 518.4


def test_panels_have_grids_and_shared_axes():
    fig, axes = figures.panels(2, width=2.4, grid=(2, 3), share="y")
    assert axes.shape == (2, 2, 3) and fig.get_figwidth() == 4.8
    axes[0, 0, 0].set_ylim(3, 9)
    assert axes[1, 1, 2].get_ylim() == (3, 9)


def test_what_belongs_to_all_panels_is_refused():
    fig, _ = figures.panels(2)
    fig.suptitle("lost on a phone")
    with pytest.raises(ValueError, match="outside its panels"):
        kept(fig)


@pytest.mark.parametrize(
    ("wrong", "word"),
    [({"count": 0}, "count"), ({"width": 5}, "width"), ({"width": 0}, "width"), ({"share": "z"}, "share")],
)
def test_panels_name_what_they_do_not_take(wrong, word):
    with pytest.raises(ValueError, match=word):
        figures.panels(**wrong)


def test_a_wide_figure_is_drawn_narrow_as_well():
    fig, ax = plt.subplots(figsize=(6.4, 3))
    ax.set(title="both", xticks=[], yticks=[])
    before = svg(fig)
    page = kept(fig)
    assert list(drawings(fig)) == [("ropelib at-wide", 6.4, "both"), ("ropelib at-narrow", 3.6, "both")]
    assert page.startswith(before.rstrip().removesuffix("</svg>")), "the wide drawing is what it was"
    assert ElementTree.fromstring(page) is not None and 'id="narrow" display="none"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert fig.get_size_inches().tolist() == [6.4, 3]


def test_narrow_says_what_changes():
    fig, ax = plt.subplots(figsize=(6.4, 3))
    ax.set(xticks=[1, 2], yticks=[])
    figures.narrow(fig, height=4, change=lambda: ax.set_xticks([5]))
    (_, _, wide), (_, width, thin) = drawings(fig)
    assert (wide, width, thin) == ("1 2", 3.6, "5")


def test_a_small_figure_is_drawn_once():
    fig, _ = plt.subplots(figsize=(3.6, 3))
    assert len(list(drawings(fig))) == 1


@pytest.mark.parametrize(("columns", "kept_columns"), [(2, 1), (3, 1), (4, 2)])
def test_a_row_of_axes_stands_in_fewer_columns_on_a_phone_and_as_it_was_afterwards(columns, kept_columns):
    fig, _axes = plt.subplots(1, columns, figsize=(6.4, 2), sharey=True)
    before = svg(fig)
    page = kept(fig)
    narrow = figures.page_svg(page, "alt").split("at-narrow")[1]
    width, height = map(float, re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', narrow).groups())
    assert (round(width, 3), height) == (259.2, 144 * columns / kept_columns)
    assert svg(fig) == before


def test_a_figure_of_panels_says_the_same_numbers_as_any():
    fig, axes = figures.panels(2)
    axes[1].plot([1, 2, 4])
    assert figures.digest(fig) == "<Figure: line 3: 1 to 4, min 1, max 4, mean 2.333>"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("attention when the key is the query", "attention when the\nkey is the query"),
        ("鍵是轉過 $r + 1$ 的查詢，最高點隨你", "鍵是轉過 $r + 1$ 的查詢，\n最高點隨你"),
        ("一個位置一個位置", "一個位置\n一個位置"),
        ("$a + b$", "$a + b$"),
    ],
)
def test_long_words_break_once_near_their_middle(words, lines):
    assert panels.in_two_lines(words) == lines


def test_words_that_would_leave_a_narrow_drawing_are_broken_and_put_back():
    fig, ax = plt.subplots(figsize=(7.2, 3))
    title = "attention when the key is the query turned by r: peaks where you like"
    ax.set(title=title, xticks=[], yticks=[])
    wide, narrow = (re.findall(r">([^<]+)</text>", part) for part in figures.page_svg(kept(fig), "alt").split("at-narrow"))
    assert wide == [title] and len(narrow) == 2 and " ".join(narrow) == title
    assert ax.get_title() == title
