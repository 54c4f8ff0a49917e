"""What a handout leaves out, and what it keeps."""

import nbformat
import nbformat.v4 as v4
import pytest

from tools import handout

CELLS = [
    v4.new_code_cell("def grade_1(x):\n    grade(x, 4)", metadata={"tags": ["grader"]}),
    v4.new_markdown_cell(":::{exercise} Two\n:label: ex-1-en\n\nHow many?\n:::"),
    v4.new_code_cell("mine = ...\ngrade_1(mine)"),
    v4.new_markdown_cell("::::{solution-start} ex-1-en\n:label: sol-1-en\n:class: dropdown\n::::\n\nFour, of course."),
    v4.new_code_cell("grade_1(4)", metadata={"tags": ["solution"]}),
    v4.new_markdown_cell("Or `2 + 2`.\n\n::::{solution-end}\n::::\n\n## You can now"),
    v4.new_markdown_cell("```{solution-start} ex-1-en\n```\n\nAll in one cell.\n\n```{solution-end}\n```"),
]


@pytest.fixture
def book():
    return v4.new_notebook(cells=[nbformat.from_dict(cell) for cell in CELLS], metadata={"language_info": {"name": "python"}})


def test_solutions_go_and_the_rest_stays(book):
    out = handout.without_solutions(book)
    assert [c.source.split("\n")[0] for c in out.cells] == [
        "def grade_1(x):",
        ":::{exercise} Two",
        "mine = ...",
        "## You can now",
    ]
    assert "grade_1(mine)" in out.cells[2].source and len(book.cells) == len(CELLS) and "Four" in book.cells[3].source


def test_graders_go_when_asked(book):
    out = handout.without_solutions(book, graders=False)
    assert [c.source.split("\n")[0] for c in out.cells] == [":::{exercise} Two", "mine = ...", "## You can now"]
    assert out.cells[1].source == "mine = ..."


def test_no_chapter_hands_out_a_solution(tmp_path, monkeypatch):
    monkeypatch.setattr(handout, "PLACE", tmp_path)
    handout.main()
    made = sorted(tmp_path.glob("*/*.ipynb"))
    assert len(made) >= 22
    for path in made:
        text = path.read_text("utf-8")
        assert "solution-start" not in text and '"solution"' not in text, path.name
        assert "{exercise}" in text
