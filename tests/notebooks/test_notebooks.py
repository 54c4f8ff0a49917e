"""Every notebook keeps to the rules, and every rule sees what it is there to see."""

import copy

import nbformat.v4 as v4
import pytest
import rules
from rules import LANGUAGES, ROOT, notebooks, pages, read

ALL = [p for language in LANGUAGES for p in notebooks(language)]
CHINESE = pages("zh-Hant")


def name(path):
    return f"{path.parent.name}/{path.name}"


def test_there_are_notebooks():
    assert len(notebooks("en")) >= 4
    assert [p.name for p in notebooks("en")] == [p.name for p in notebooks("zh-Hant")]
    assert [p.name for p in pages("en")] == [p.name for p in pages("zh-Hant")]


@pytest.mark.parametrize("path", ALL, ids=name)
def test_outputs_are_stored(path):
    assert list(rules.outputs_stored(path, read(path))) == []


@pytest.mark.parametrize("path", ALL, ids=name)
def test_figures_are_described(path):
    assert list(rules.figures_described(path, read(path))) == []


@pytest.mark.parametrize("path", ALL, ids=name)
def test_prose_stays_prose(path):
    assert list(rules.prose_stays_prose(path, read(path))) == []


@pytest.mark.parametrize("path", ALL, ids=name)
def test_what_moves_leaves_a_still(path):
    assert list(rules.stills_stored(path, read(path))) == []


@pytest.mark.parametrize("path", ALL, ids=name)
def test_nothing_escapes_comparison(path):
    assert list(rules.comparison_left_out(path, read(path))) == []


@pytest.mark.parametrize("path", ALL, ids=name)
def test_notebook_is_small(path):
    assert path.stat().st_size <= 400_000  # figures are drawn twice, for a desk and for a phone; pages have a limit of their own


@pytest.mark.parametrize("path", notebooks("en"), ids=lambda p: p.stem)
def test_twins_are_equal(path):
    books = {lang: (p := ROOT / "chapters" / lang / path.name, read(p)) for lang in LANGUAGES}
    assert list(rules.twins(books)) == []


@pytest.mark.parametrize("path", [p for p in pages("en") if p.suffix == ".md"], ids=lambda p: p.stem)
def test_plain_twins_are_equal(path):
    texts = {lang: (p := ROOT / "chapters" / lang / path.name, p.read_text("utf8")) for lang in LANGUAGES}
    assert list(rules.page_twins(texts)) == []


@pytest.mark.parametrize("path", CHINESE, ids=lambda p: p.stem)
def test_chinese_is_taiwans(path):
    assert list(rules.chinese(path)) == []


@pytest.mark.parametrize("path", pages("en"), ids=lambda p: p.stem)
def test_english_is_typed_in_english(path):
    assert list(rules.english(path)) == []


def test_labels_are_taiwans():
    from ropelib.book.labels import WORDS

    found = [f"{key!r}: {c}" for key, word in WORDS.items() for c in (*rules.chinese_words(word), *rules.chinese_typing(word))]
    assert found == []


@pytest.fixture(scope="module")
def known():
    import matplotlib

    bundled = ROOT / "ropelib" / "book" / "fonts" / "RopeLibSansTC-Regular.otf"
    ttf = ROOT.__class__(matplotlib.get_data_path()) / "fonts" / "ttf"
    return rules.glyphs(
        [bundled, ttf / "DejaVuSans.ttf", ttf / "cmr10.ttf", ttf / "cmmi10.ttf", ttf / "cmsy10.ttf", ttf / "cmex10.ttf"]
    )


@pytest.mark.parametrize("path", ALL, ids=name)
def test_figures_have_their_glyphs(path, known):
    assert list(rules.undrawable(path, read(path), known)) == []


def test_labels_have_their_glyphs():
    from ropelib.book.labels import WORDS

    bundled = rules.glyphs([ROOT / "ropelib" / "book" / "fonts" / "RopeLibSansTC-Regular.otf"])
    assert sorted({c for w in WORDS.values() for c in w if ord(c) > 0x2E80 and ord(c) not in bundled}) == []


# --- the rules themselves ------------------------------------------------------------------------------------------------


@pytest.fixture
def path():
    return ROOT / "chapters" / "en" / "42-small.ipynb"


@pytest.fixture
def book():
    """A notebook that keeps every rule."""
    figure = {"image/svg+xml": "<svg><text>θ 位置</text></svg>", "text/plain": "<Figure: line 2: 0 to 1>"}
    drawing = v4.new_code_cell("plt.show()", id="drawing", execution_count=2, outputs=[v4.new_output("display_data", figure)])
    drawing.metadata["mystnb"] = {
        "image": {"alt": "a line"},
        "figure": {"name": "fig-42-drawing-en", "caption": "A line."},
    }
    printing = v4.new_code_cell('print("✓")', id="printing", execution_count=1, outputs=[v4.new_output("stream", text="✓\n")])
    text = v4.new_markdown_cell("(sec-42-small-en)=\n# Small\n\nSee {cite:p}`su2021roformer`.", id="text")
    return v4.new_notebook(cells=[text, printing, drawing])


def printing(book):
    return book.cells[1]


def drawing(book):
    return book.cells[2]


def test_lets_a_good_notebook_pass(path, book, known):
    assert [
        *rules.outputs_stored(path, book),
        *rules.figures_described(path, book),
        *rules.stills_stored(path, book),
        *rules.undrawable(path, book, known),
    ] == []


def test_sees_a_cleared_output(path, book):
    cell = printing(book)
    cell.outputs = []
    assert list(rules.outputs_stored(path, book)) == [
        f"en/{path.name}, cell {cell.id}: prints or draws, but has no stored output"
    ]


def test_sees_a_cell_run_out_of_order(path, book):
    cell = printing(book)
    cell.execution_count += 7
    assert list(rules.outputs_stored(path, book)) == [
        f"en/{path.name}, cell printing: execution count 8, expected 1; run: make run"
    ]


def test_sees_an_error_and_a_warning(path, book):
    cell = printing(book)
    cell.outputs = [
        v4.new_output("error", ename="ValueError", evalue="no"),
        v4.new_output("stream", name="stderr", text="careful"),
    ]
    assert [c.split(": ", 1)[1] for c in rules.outputs_stored(path, book)] == [
        "raised ValueError: no",
        "wrote to stderr: 'careful'",
    ]


def test_sees_a_cell_that_was_left_out(path, book):
    printing(book).outputs = [v4.new_output("stream", text="○ left out: it needs the model that is not here")]
    assert [c.split(": ", 1)[1] for c in rules.outputs_stored(path, book)] == [
        "was left out; install what it needs, then: make run"
    ]


def test_sees_an_output_that_escapes_comparison(path, book):
    cell = printing(book)
    cell.metadata["tags"] = ["nbval-ignore-output"]
    assert list(rules.comparison_left_out(path, book)) == [
        f"en/{path.name}, cell printing: nbval-ignore-output hides what this cell prints"
    ]
    cell.source = "interact(draw, m=(0, 32))"
    assert list(rules.comparison_left_out(path, book)) == []


def test_sees_what_moves_without_a_still(path, book):
    widget = drawing(book)
    widget.outputs = [v4.new_output("display_data", {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}})]
    assert [c.split(": ", 1)[1] for c in rules.stills_stored(path, book)] == [
        "a widget without a still; run: make run",
    ]


def test_sees_a_scene_without_a_still_and_one_that_is_large(path, book):
    cell = printing(book)
    whole = '<rope-scene><img alt="a" src="data:image/svg+xml,<svg></svg>">'
    cell.outputs = [v4.new_output("execute_result", {"text/html": page}) for page in ("<rope-scene>", whole + 40_000 * " ")]
    assert [c.split(": ", 1)[1] for c in rules.stills_stored(path, book)] == [
        "a scene without a still; run: make run",
        "a scene of 40,062 bytes, expected at most 40,000",
    ]


def test_sees_a_figure_without_alt(path, book):
    cell = drawing(book)
    del cell.metadata["mystnb"]["image"]
    assert list(rules.figures_described(path, book)) == [f"en/{path.name}, cell {cell.id}: a figure without alt text"]


def test_sees_prose_fenced_as_code(path, book):
    text = book.cells[0]
    text.source += "\n\n```{note}\nRead on.\n```"
    want = [f"en/{path.name}, cell {text.id}: {{note}} is fenced by backticks, expected :::"]
    assert list(rules.prose_stays_prose(path, book)) == want


def change(kind):
    def spoil(book):
        text, code, _ = book.cells
        if kind == "code":
            code.source += "\n1 + 1"
        elif kind == "tags":
            code.metadata["tags"] = ["hide-output"]
        elif kind == "labels":
            text.source += "\n(sec-99-new-en)=\n"
        elif kind == "citations":
            text.source += "\n{cite:p}`en-su2021roformer`"
        elif kind == "headings":
            text.source += "\n## More\n"
        elif kind == "cells":
            book.cells.pop()

    return spoil


@pytest.mark.parametrize("kind", ["code", "tags", "labels", "citations", "headings", "cells"])
def test_sees_twins_that_differ(path, book, kind):
    twin = copy.deepcopy(book)
    twin.cells[0].source = "(sec-42-small-zh)=\n# 小\n\n見 {cite:p}`su2021roformer`。"
    twin.cells[2].metadata.mystnb.figure.name = "fig-42-drawing-zh"
    books = {"en": (path, book), "zh-Hant": (ROOT / "chapters" / "zh-Hant" / path.name, twin)}
    assert list(rules.twins(books)) == []
    change(kind)(books["en"][1])
    found = list(rules.twins(books))
    assert len(found) == 1 and kind in found[0]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("这是位置", "simplified character 这"),
        ("位置信息", "信息, in Taiwan 資訊"),
        ("對于序列", "于, in Taiwan 於"),
        ("代碼實現", "代碼, in Taiwan 程式碼"),
    ],
)
def test_sees_words_that_are_not_taiwans(text, fault):
    assert fault in list(rules.chinese_words(text))


@pytest.mark.parametrize("text", ["旋轉位置編碼，用演算法算出 2 公里。", "皇后"])
def test_lets_taiwans_words_pass(text):
    assert list(rules.chinese_words(text)) == []


@pytest.mark.parametrize("text", ["位置,再看", "查詢(query)", "長度128", "用RoPE算", "結束."])
def test_sees_bad_typing(text):
    assert list(rules.chinese_typing(text))


@pytest.mark.parametrize(
    "text",
    ["**查詢**（query）在 $m$ 上", "長度 128，用 `rotate` 算。", "見 {eq}`eq-04-a-zh`。", "```{math}\nx(中)\n```"],
)
def test_lets_good_typing_pass(text):
    assert list(rules.chinese_typing(text)) == []


def test_sees_a_missing_glyph(path, book):
    cell = drawing(book)
    known = rules.glyphs([ROOT / "ropelib" / "book" / "fonts" / "RopeLibSansTC-Regular.otf"])
    next(o for o in cell.outputs if "image/svg+xml" in o.data).data["image/svg+xml"] += "<text>䶮</text>"
    assert [c for c in rules.undrawable(path, book, known) if "䶮" in c and cell.id in c]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_holds_every_public_name(language):
    import ropelib

    page = (ROOT / "chapters" / language / "api.md").read_text("utf8")
    assert [n for n in ropelib.__all__ if f":: ropelib.{n}\n" not in page] == []
