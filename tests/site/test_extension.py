"""What stops the build, and what the line says: a small book with one fault of each kind, and the rules one by one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "_ext"))
SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0'/></svg>"


def cell(source, kind="code", **more):
    if kind == "markdown":
        return {"cell_type": "markdown", "id": more.pop("id", "words"), "metadata": {}, "source": source}
    return {"cell_type": "code", "id": "figure", "metadata": {}, "source": source, "execution_count": 1, "outputs": [], **more}


def picture(**metadata):
    shown = {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": SVG, "text/plain": "<Figure: >"}}
    return cell("draw()", metadata=metadata, outputs=[shown])


class Small:
    """A book of two languages with a home page and one chapter each."""

    def __init__(self, folder):
        self.folder = folder
        config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
        config["sphinx"]["local_extensions"] = {"ropebook": str(ROOT / "_ext")}
        config["repository"]["url"] = "https://github.com/someone/rope"
        (folder / "_config.yml").write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")
        (folder / "references.bib").write_text("", "utf-8")
        (folder / "index.md").write_text("(sec-root)=\n# Root\n", "utf-8")
        self.listed = []
        for language, end in (("zh-Hant", "zh"), ("en", "en")):
            self.page(
                language,
                "index.md",
                f"(sec-home-{end})=\n# {'書' if end == 'zh' else 'Book'}\n\nRead {{numref}}`sec-ch-{end}`.\n",
            )
            self.notebook(
                language,
                [
                    cell(f"(sec-ch-{end})=\n# {'章' if end == 'zh' else 'Chapter'}\n\n$\\theta$", "markdown"),
                    picture(mystnb={"image": {"alt": "說明"}, "figure": {"caption": "c", "name": f"fig-{end}"}}),
                ],
            )

    def page(self, language, name, text):
        path = self.folder / "chapters" / language / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self.listed.append(f"chapters/{language}/{name.rsplit('.', 1)[0]}")

    def notebook(self, language, cells, name="07-one.ipynb"):
        book = {
            "cells": cells,
            "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        self.page(language, name, json.dumps(book, ensure_ascii=False))

    def build(self):
        """The exit code and everything that was said."""
        parts = [{"chapters": [{"file": page}]} for page in dict.fromkeys(self.listed)]
        (self.folder / "_toc.yml").write_text(yaml.safe_dump({"format": "jb-book", "root": "index", "parts": parts}), "utf-8")
        run = subprocess.run(
            [
                sys.executable,
                "-c",
                "from jupyter_book.cli.main import main; main()",
                "build",
                str(self.folder),
                "-W",
                "-n",
                "--keep-going",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        return run.returncode, run.stdout + run.stderr

    def html(self, page):
        return (self.folder / "_build" / "html" / f"{page}.html").read_text("utf-8")


@pytest.fixture
def small(tmp_path):
    return Small(tmp_path)


def test_a_sound_book_builds_and_an_unchanged_one_is_not_read_again(small):
    code, said = small.build()
    assert code == 0, said
    assert "第 7 章" in small.html("chapters/zh-Hant/index") and "Chapter 7" in small.html("chapters/en/index")
    page = small.html("chapters/zh-Hant/07-one")
    assert '<html lang="zh-Hant"' in page and "圖 7.1" in page and 'aria-label="說明"' in page
    for door in ("mybinder.org/v2/gh/someone/rope/main", "colab.research.google.com/github/someone/rope/blob/main"):
        assert f'href="https://{door}' in page, "the repository's address opens no door"
    code, said = small.build()
    assert code == 0 and "0 added, 0 changed, 0 removed" in said, said
    small.page("en", "index.md", "(sec-home-en)=\n# Book\n\nChanged.\n")
    code, said = small.build()
    assert code == 0 and "0 added, 1 changed, 0 removed" in said, said
    assert "chapters/zh-Hant/07-one" not in said.split("writing output", 1)[1], "a page that shows nothing new was written again"
    small.page("en", "index.md", "(sec-home-en)=\n# Another title\n\nChanged.\n")
    code, said = small.build()
    assert code == 0 and "Another title" in small.html("chapters/en/07-one"), "the way back still has the old title"


def test_pages_are_made_anew_when_the_theme_changes(tmp_path):
    """Sphinx compares this with the last build's."""
    from ropebook.pages import HERE, state_of

    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "a.css").write_text("p {}", "utf-8")
    before = state_of(tmp_path)
    assert before == state_of(tmp_path) != state_of(HERE)
    (tmp_path / "static" / "b.css").write_text("p {}", "utf-8")
    assert state_of(tmp_path) != before


def test_every_fault_is_named_with_its_file_and_cell(small):
    small.notebook(
        "zh-Hant",
        [
            cell("# 沒有標籤的標題", "markdown"),
            cell("(sec_bad_Label)=\n## 壞標籤\n\n$\\frac{1$ 與 [連結](nowhere.md) 與 {numref}`fig-none`", "markdown", id="more"),
            cell("1 + 1", execution_count=None),
            cell(
                "1 / 0",
                outputs=[{"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": []}],
            ),
            cell("warn()", outputs=[{"output_type": "stream", "name": "stderr", "text": "UserWarning: mind"}]),
            picture(),
        ],
        "08-bad.ipynb",
    )
    small.notebook("en", [cell("(sec-bad-en)=\n# Bad\n\n$$中文$$", "markdown")], "08-bad.ipynb")
    code, said = small.build()
    assert code != 0
    for fault in (
        "chapters/zh-Hant/08-bad.ipynb: heading '沒有標籤的標題' has no label",
        "chapters/zh-Hant/08-bad.ipynb: label 'sec_bad_label' of heading '壞標籤'",
        "chapters/zh-Hant/08-bad.ipynb: cell 3 (figure) was not run",
        "chapters/zh-Hant/08-bad.ipynb: cell 4 (figure) raised ZeroDivisionError: division by zero",
        "chapters/zh-Hant/08-bad.ipynb: cell 5 (figure) wrote to stderr: UserWarning: mind",
        "chapters/zh-Hant/08-bad.ipynb: cell 6: a figure without alt text",
        "formula '\\\\frac{1'",
        "formula '中文'",
        "nowhere.md",
        "fig-none",
    ):
        assert fault in said, f"{fault}\nnot in\n{said}"
    assert "08-bad.ipynb" in next(line for line in said.splitlines() if "formula '中文'" in line)


def test_a_page_without_its_twin_stops_the_build(small):
    small.page("zh-Hant", "alone.md", "(sec-alone-zh)=\n# 獨行\n")
    code, said = small.build()
    assert code != 0 and "chapters/zh-Hant/alone.md: no page chapters/en/alone" in said, said


def test_an_unknown_language_folder_stops_the_build(small):
    (small.folder / "chapters" / "fr").mkdir()
    code, said = small.build()
    assert code != 0 and "chapters/fr/: unknown language folder, expected one of zh-Hant, en" in said, said


def test_kept_files_of_katex_are_the_ones_that_were_downloaded():
    import hashlib

    folder = ROOT / "_ext" / "ropebook"
    for line in (folder / "katex" / "SHA256SUMS").read_text("utf-8").splitlines():
        digest, path = line.split()
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest, path


def test_both_languages_have_every_word():
    from ropebook.words import WORDS

    assert WORDS["zh-Hant"].keys() == WORDS["en"].keys()
    for key, english in WORDS["en"].items():
        assert WORDS["zh-Hant"][key].count("%s") == english.count("%s"), key


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\theta_i = b^{-2i/d}", "θᵢ = b^(-2i/d)"),
        (r"R_m^\top R_n", "RₘᵀRₙ"),
        (r"\lVert\boldsymbol q\rVert^2", "‖q‖²"),
        (r"\frac{1}{\sqrt{d}}", "1/√(d)"),
        (r"\begin{pmatrix} a & b \end{pmatrix}", "…"),
        (r"\unheard", "…"),
        ("x + " * 20, "…"),
    ],
)
def test_formulas_are_found_and_shown_as_a_reader_would_write_them(tex, plain):
    from ropebook.search.formulas import short

    assert short(tex) == plain


def test_mainland_words_and_simplified_characters_lead_to_the_words_of_the_book():
    from ropebook.search import tables

    text = "把程式碼放進快取。程式碼用滑動視窗，快取用視窗，程式要執行。頻率與波長，再看頻率。" * 2
    assert tables.characters(text)["频"] == "頻"
    words = tables.words(text)
    assert (words["代碼"], words["緩存"], words["窗口"]) == ("程式碼", "快取", "視窗")
    assert words["缓存"] == "快取", "in simplified characters that the book never writes too"
    assert (tables.words("內積內積")["点积"], tables.words("內積內積")["點積"]) == ("內積", "內積")
    assert "令牌" not in words, "nothing to find"
    assert tables.words("匯入匯入匯入，詞彙詞彙")["詞匯"] == "詞彙"
    assert "頻率" not in words.values(), "what is written alike needs no table of words"


def test_columns_of_numbers_are_set_at_their_ends():
    from ropebook.tables import numbers

    head = '<thead><tr><th class="head">pair</th><th class="head">turns</th><th class="head">of</th></tr></thead>'
    rows = "<tr><td>0</td><td><p>1,000.5</p></td><td>a</td></tr><tr><td>1</td><td>−3 %</td><td>2</td></tr>"
    got = numbers(f"<table>{head}<tbody>{rows}</tbody></table>")
    assert got.count("text-right") == 3 and '<th class="text-right head">' in got and '<td class="text-right"><p>1,000.5' in got


def test_the_glossary_lends_the_other_language_s_terms():
    from ropebook.search import tables

    assert tables.terms([("鍵", "key 詞元供人比對的向量"), ("值", "value")], "zh-Hant") == {"key": "鍵", "value": "值"}
    assert tables.terms([("key", "鍵 The vector by which a token is found")], "en") == {"鍵": "key"}


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("換行\n不是空格", "換行不是空格"),
        ("句點。 下一句", "句點。下一句"),
        ("English\nwords", "English\nwords"),
        ("中文\nEnglish", "中文\nEnglish"),
        ("`code。 x` 之後", "code。 x 之後"),
        ("**粗體。** 接著", "粗體。接著"),
    ],
)
def test_chinese_is_set_without_stray_spaces(source, shown):
    from docutils import nodes
    from docutils.utils import new_document
    from ropebook.chinese import SetChinese

    document, paragraph = new_document("x"), nodes.paragraph()
    for k, piece in enumerate(source.replace("**", "`").split("`")):
        kind = nodes.literal if "code" in piece else nodes.strong
        paragraph += kind("", piece) if k % 2 else nodes.Text(piece)
    document += paragraph
    document.settings.env = type("Env", (), {"docname": "chapters/zh-Hant/x"})()
    SetChinese(document).apply()
    assert document.astext() == shown
