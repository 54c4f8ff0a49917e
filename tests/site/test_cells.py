"""Four kinds of code cell: what the page shows of each."""

import re

import pytest
from test_extension import Small, cell, picture


def printed(text):
    return [{"output_type": "stream", "name": "stdout", "text": text}]


LEDGER = """
[[topic]]
id = "rotation"
en = "Rotation"
zh = "旋轉"

[[claim]]
id = "lengths"
topic = "rotation"
en = "A rotation keeps lengths."
zh = "旋轉不改變長度。"
name = "somebody"
url = "https://example.org"
verdict = "holds"
why_en = "It does."
why_zh = "確實如此。"
chapters = ["08-kinds"]
run = "assert 1 == 1"
slip = ["== 1", "== 2"]
"""


@pytest.fixture(scope="module")
def small_book(tmp_path_factory):
    """One chapter with a cell of each kind, a page on reading and the claims, in both languages."""
    small, tag = Small(tmp_path_factory.mktemp("book")), {"tags": ["check"]}
    (small.folder / "chapters" / "claims.toml").write_text(LEDGER, "utf-8")
    for language, end in (("zh-Hant", "zh"), ("en", "en")):
        shown = {"image": {"alt": "a line"}, "figure": {"caption": "A line.", "name": f"fig-08-{end}"}}
        small.notebook(
            language,
            [
                cell(f"(sec-kinds-{end})=\n# {'章' if end == 'zh' else 'Chapter'}", "markdown"),
                cell("import numpy as np", metadata={"tags": ["setup"]}),
                cell("idea = 1\nprint(idea)", outputs=printed("1\n")),
                cell("check('a'), check('b')", id="two", metadata=tag, outputs=printed("told 2\n✓ a\n✓ b: |Δ| < 1e-12\n")),
                cell("check('c', idea)", id="one", metadata=tag, outputs=printed("✓ c\n")),
                {**picture(mystnb=shown, tags=["figure"]), "source": "draw(idea)"},
                cell("def grade_1(x): ...", metadata={"tags": ["grader"]}),
                cell(f"(sec-kinds-last-{end})=\n## {'尾' if end == 'zh' else 'Last'}", "markdown"),
            ],
            "08-kinds.ipynb",
        )
        small.page(language, "reading.md", f"(sec-reading-{end})=\n# {'怎麼讀' if end == 'zh' else 'How to read'}\n")
        lists = "\n```{ledger}\n```\n\n```{checks}\n```\n"
        small.page(language, "claims.md", f"(sec-claims-{end})=\n# {'斷言' if end == 'zh' else 'Claims'}\n{lists}")
    code, said = small.build()
    assert code == 0, said
    return small


@pytest.fixture(scope="module")
def pages(small_book):
    """The chapter in both languages, as HTML."""
    return {language: small_book.html(f"chapters/{language}/08-kinds") for language in ("zh-Hant", "en")}


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


def test_every_check_is_on_the_claims_page_and_has_an_address(small_book):
    for language, bound in (("zh-Hant", "第 8 章"), ("en", "Chapter 8")):
        page = article(small_book.html(f"chapters/{language}/claims"))
        assert bound in page
        links = re.findall(r'<a class="reference internal" href="08-kinds.html#(check-\w+)">([^<]*)</a>', page)
        assert links == [("check-two", "a"), ("check-two", "b"), ("check-one", "c")]
        chapter = small_book.html(f"chapters/{language}/08-kinds")
        fold = re.search(r'<details class="checks">.*?</details>', chapter, re.S)[0]
        assert 'id="check-two"' in fold, "a link to a check opens its fold"
    assert '<span class="bound"> |Δ| &lt; 1e-12</span>' in small_book.html("chapters/en/claims")


def test_the_ledger_names_verdict_source_and_what_decides(small_book):
    page = article(small_book.html("chapters/zh-Hant/claims"))
    assert "共 1 則：1 則成立" in page and "旋轉不改變長度" in page and "決定它的程式" in page
    assert '<a class="reference external" href="https://example.org">somebody</a>' in page and "第 8 章" in page
    assert "A rotation keeps lengths" in small_book.html("chapters/en/claims")
