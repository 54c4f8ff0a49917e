"""Four kinds of code cell: what the page shows of each."""

import re

import pytest
from test_extension import Small, cell, picture


def printed(text):
    return [{"output_type": "stream", "name": "stdout", "text": text}]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """One chapter with a cell of each kind, in both languages, as HTML."""
    small = Small(tmp_path_factory.mktemp("book"))
    for language, end in (("zh-Hant", "zh"), ("en", "en")):
        shown = {"image": {"alt": "a line"}, "figure": {"caption": "A line.", "name": f"fig-08-{end}"}}
        small.notebook(
            language,
            [
                cell(f"(sec-kinds-{end})=\n# {'章' if end == 'zh' else 'Chapter'}", "markdown"),
                cell("import numpy as np", metadata={"tags": ["setup"]}),
                cell("idea = 1\nprint(idea)", outputs=printed("1\n")),
                cell("check('a', idea)\ncheck('b', idea)", metadata={"tags": ["check"]}, outputs=printed("told 2\n✓ a\n✓ b\n")),
                cell("check('c', idea)", metadata={"tags": ["check"]}, outputs=printed("✓ c\n")),
                {**picture(mystnb=shown, tags=["figure"]), "source": "draw(idea)"},
                cell("def grade_1(x): ...", metadata={"tags": ["grader"]}),
                cell(f"(sec-kinds-last-{end})=\n## {'尾' if end == 'zh' else 'Last'}", "markdown"),
            ],
            "08-kinds.ipynb",
        )
        small.page(language, "reading.md", f"(sec-reading-{end})=\n# {'怎麼讀' if end == 'zh' else 'How to read'}\n")
    code, said = small.build()
    assert code == 0, said
    return {language: small.html(f"chapters/{language}/08-kinds") for language in ("zh-Hant", "en")}


def article(page):
    return page[page.index("<article") : page.index("</article>")]


def around(page, code):
    """The names and classes of the folds that a piece of code stands in, outermost first."""
    page, folds = article(page), []
    plain = re.sub(r"<(?!/?details|summary)[^>]*>", "", page)
    place = plain.index(code)
    for tag in re.finditer(r"<details class=\"([^\"]*)\"|</details>", plain[:place]):
        folds.append(tag[1]) if tag[1] is not None else folds.pop()
    return folds


def test_an_idea_stands_open(pages):
    assert around(pages["en"], "print(idea)") == []


@pytest.mark.parametrize(("language", "two", "one"), [("en", "2 checks", "1 check"), ("zh-Hant", "2 項驗證", "1 項驗證")])
def test_a_check_is_one_line_that_counts_what_held(pages, language, two, one):
    names = re.findall(r'<details class="checks"><summary><span class="mark">✓</span> ([^<]*)</summary>', pages[language])
    assert names == [two, one]
    assert around(pages[language], "✓ b") == ["checks"]


def test_the_first_check_tells_how_to_read_it(pages):
    links = re.findall(r'<p class="how-to-read">.*?href="([^"]*)">([^<]*)</a>', pages["en"])
    assert links == [("reading.html", "How to read this book")]


def test_a_figure_has_its_code_in_its_caption(pages):
    figure = re.search(r"<figure.*?</figure>", pages["en"], re.S)[0]
    assert figure.index("<figcaption>") < figure.index("A line.") < figure.index("<details") < figure.index("</figcaption>")
    assert figure.count("<figcaption>") == 1 and around(pages["en"], "draw(idea)") == ["hide"]


def test_set_up_stands_in_one_fold_at_the_end(pages):
    body = article(pages["zh-Hant"])
    assert around(pages["zh-Hant"], "import numpy") == ["hide setup"]
    assert body.index("準備用的程式碼") > body.index("尾")


def test_a_grader_is_folded_where_it_stands(pages):
    body = article(pages["en"])
    assert around(pages["en"], "def grade_1") == ["hide"] and body.index("Grader") < body.index("Last")
