"""Both languages of a chapter, written as one text and folded back."""

import nbformat
import pytest

from tools import pair

TEXT = """\
=== md title
--- zh-Hant
# 題目
--- en
# Title
=== code setup hide-input
from ropelib import book
book.setup("{language}")
=== code drawing hide-input
1 + 1
--- zh-Hant
alt: 一條線
caption: 短短一句
--- en
alt: a line
caption: A short one.
"""


@pytest.fixture
def chapters(tmp_path, monkeypatch):
    monkeypatch.setattr(pair, "ROOT", tmp_path)
    for language in pair.LANGUAGES:
        (tmp_path / "chapters" / language).mkdir(parents=True)
    return tmp_path / "chapters"


def test_folding_and_opening_give_the_same_text(chapters):
    pair.close_pair("42-answer", TEXT)
    assert pair.open_pair("42") == TEXT


def test_each_notebook_speaks_its_language(chapters):
    pair.close_pair("42-answer", TEXT)
    zh, en = (nbformat.read(chapters / lang / "42-answer.ipynb", as_version=4) for lang in ("zh-Hant", "en"))
    assert zh.cells[0].source == "# 題目" and en.cells[0].source == "# Title"
    assert zh.cells[1].source.endswith('setup("zh-Hant")') and en.cells[1].source.endswith('setup("en")')
    assert zh.cells[2].metadata.mystnb.figure == {"name": "fig-42-drawing-zh", "caption": "短短一句"}


def test_running_stores_outputs_and_folding_keeps_them(chapters):
    pair.close_pair("42-answer", TEXT)
    pair.run("42")
    pair.close_pair("42-answer", TEXT)
    book = nbformat.read(chapters / "en" / "42-answer.ipynb", as_version=4)
    assert [c.execution_count for c in book.cells[1:]] == [1, 2]
    assert book.cells[2].outputs[0].data["text/plain"] == "2"


def test_a_widget_is_stored_as_what_it_first_showed(chapters):
    widget = """=== code live nbval-ignore-output
from ipywidgets import interact
interact(lambda n: display({"image/svg+xml": f"<svg>{n}</svg>"}, raw=True), n=(0, 8));
"""
    pair.close_pair("42-answer", TEXT + widget)
    pair.run("42")
    book = nbformat.read(chapters / "en" / "42-answer.ipynb", as_version=4)
    assert [o.data for o in book.cells[3].outputs] == [{"image/svg+xml": "<svg>4</svg>"}]
    assert "widgets" not in book.metadata


def test_a_cell_that_raises_leaves_the_notebook_as_it_was(chapters):
    pair.close_pair("42-answer", TEXT + "=== code broken\n1 / 0\n")
    before = (chapters / "zh-Hant" / "42-answer.ipynb").read_bytes()
    with pytest.raises(SystemExit, match=r"42-answer\.ipynb, cell broken: ZeroDivisionError"):
        pair.run("42")
    assert (chapters / "zh-Hant" / "42-answer.ipynb").read_bytes() == before


def test_what_is_left_out_is_not_stored(chapters):
    """The first such cell says what is missing; outputs of a run that had it are kept."""
    text = """=== code get
from ropelib.book.absent import Missing, optional
def load():
    raise Missing("distance")
model = optional(load)
=== code use
model + 1
"""
    pair.close_pair("42-answer", TEXT + text)
    before = [(path, path.read_bytes()) for path in chapters.rglob("*.ipynb")]
    with pytest.raises(SystemExit, match=r"zh-Hant/42-answer\.ipynb, cell get was left out: 距離$"):
        pair.run("42")
    assert len(before) == 2 and all(path.read_bytes() == stored for path, stored in before)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("=== prose title\n", "expected md or code"),
        ("=== md title\n--- en\n# Title\n", "expected both"),
        ("=== code one\n1\n=== code one\n2\n", "another cell has the id 'one'"),
    ],
)
def test_a_bad_text_is_refused(chapters, text, complaint):
    with pytest.raises(SystemExit, match=complaint):
        pair.close_pair("42-answer", text)


def test_a_chapter_that_is_not_there_is_named(chapters):
    with pytest.raises(SystemExit, match=r"chapters/zh-Hant/77\*\.ipynb: got 0"):
        pair.open_pair("77")
