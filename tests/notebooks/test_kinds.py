"""Chapters written in four kinds of cells keep each kind's rules, and every rule sees what it is there to see."""

import copy

import kinds
import nbformat.v4 as v4
import pytest
from rules import LANGUAGES, ROOT, notebooks, read

from ropelib.book.labels import WORDS
from tools.pair import hide_sources, parse
from tools.slips import cells_to_run, faults_of_form, slips_of

RULES = (
    kinds.small_ideas,
    kinds.names_in_sight,
    kinds.each_in_its_place,
    kinds.sources_hidden,
    kinds.exercises,
    lambda path, book: kinds.words_known(path, book, WORDS),
)


def complaints(path, book):
    return [c for rule in RULES for c in rule(path, book)]


ALL = [p for language in LANGUAGES for p in notebooks(language)]


@pytest.mark.parametrize("path", ALL, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_each_kind_of_cell_keeps_its_rules(path):
    assert complaints(path, read(path)) == []


@pytest.mark.parametrize("path", notebooks("en"), ids=lambda p: p.stem)
def test_each_check_has_a_slip_that_should_stop_it(path):
    """`make slips` tries them."""
    slips = slips_of(path.stem)
    assert list(faults_of_form(cells_to_run(read(path), slips), slips)) == []


# --- the rules themselves ------------------------------------------------------------------------------------------------

TEXT = """
=== code start setup
from ropelib import book
from ropelib.book import check, figures, grade, t

book.setup("{language}")
=== code idea
import numpy as np

theta = 0.5


def turn(x, m):
    return x * np.exp(1j * m * theta)
=== code twice
turned = [turn(z, 3) for z in (1.0, 1j)]
=== code proof check
check("score", abs(turned[0]) - 1, below=1e-12)
=== code picture figure
plt.plot(turned, label=t("score"))
=== code graders grader
def grade_1(mine):
    grade(mine, 4, slips={"position": 5})
=== code ex-1
mine = ...
grade_1(mine)
=== md sol
--- zh-Hant
:::{solution-start} ex-1-zh
:::
--- en
:::{solution-start} ex-1-en
:::
=== code sol-1 solution
grade_1(2 + 2)
=== md end
--- zh-Hant
:::{solution-end}
:::
--- en
:::{solution-end}
:::
"""


@pytest.fixture
def path():
    return ROOT / "chapters" / "en" / "42-small.ipynb"


@pytest.fixture(scope="module")
def good():
    book = v4.new_notebook()
    for name, cell_id, tags, code, parts in parse(TEXT):
        cell = v4.new_markdown_cell(parts["en"], id=cell_id) if name == "md" else v4.new_code_cell(code, id=cell_id)
        if tags:
            cell.metadata["tags"] = tags
        book.cells.append(cell)
    hide_sources(book)
    at(book, "picture").outputs = [v4.new_output("display_data", {"image/svg+xml": "<svg/>"})]
    at(book, "sol-1").outputs = [v4.new_output("stream", text="✓ Right\n")]
    return book


@pytest.fixture
def book(good):
    return copy.deepcopy(good)


def at(book, cell_id):
    return next(c for c in book.cells if c.id == cell_id)


def test_lets_a_good_chapter_pass(path, book):
    assert complaints(path, book) == []


@pytest.mark.parametrize(
    ("cell_id", "source", "fault"),
    [
        ("idea", "import numpy as np\ntheta = 0.5\nturn = abs" + "\n" * 23 + "x = 1", "26 lines stand open"),
        ("twice", "x = " + "1 + " * 20 + "1", "line 1: 85 columns, expected at most 72"),
        ("sol-1", "grade_1(2 + " + "1 + " * 20 + "1)", "line 1: 94 columns, expected at most 72"),
        ("twice", "check('score', True)", "check() is a check, not an idea"),
        ("twice", "print(f'{theta:>12.3f}')", "line 1: a printed table"),
        ("twice", "print(f'{theta:8}')", "line 1: a printed table"),
        ("twice", "print(str(theta).rjust(12))", "line 1: a printed table"),
        ("twice", "turned = plain(theta)", "plain comes from no open cell above"),
        ("twice", "def f():\n    return [figures for _ in range(3)]", "figures comes from no open cell above"),
        ("idea", "theta = np.pi\nturn = abs", "np comes from no open cell above"),
        ("start", "import numpy\nq = numpy.ones(3)", "q = numpy.ones(3): set-up is imports and the language"),
        ("proof", "x = 1", "a check cell without check()"),
        ("proof", "check('no such words', True)", "'no such words' has no Chinese"),
        ("picture", "check('score', True)", "a figure cell that checks"),
        ("graders", "def grade_1(x):\n    grade(x, 1, slips={'no such words': 2})", "'no such words' has no Chinese"),
        ("graders", "def grade_2(x):\n    grade(x, 1)", "no open cell with dots for an answer calls grade_2"),
        ("ex-1", "mine = 4\ngrade_1(mine)", "no open cell with dots for an answer calls grade_1"),
    ],
)
def test_sees_what_a_cell_may_not_hold(path, book, cell_id, source, fault):
    at(book, cell_id).source = source
    at_cell = "cell graders" if "calls grade" in fault else f"cell {cell_id}"
    assert [c for c in complaints(path, book) if fault in c and at_cell in c]


@pytest.mark.parametrize(
    "source", ["print(f'{theta:.3f}, {theta:,}')", "turned = sorted({theta}, key=lambda x: x)", "for i in range(3):\n    i += 1"]
)
def test_lets_an_idea_print_and_name_its_own(path, book, source):
    at(book, "twice").source = source
    assert [c for c in complaints(path, book) if "cell twice" in c] == []


@pytest.mark.parametrize(
    ("cell_id", "tags", "fault"),
    [
        ("idea", ["setup"], "is imports and the language"),
        ("sol-1", [], "code of a solution without the tag solution"),
        ("twice", ["solution"], "tagged solution, but stands outside of one"),
        ("proof", [], "check() is a check, not an idea"),
        ("twice", ["figure"], "a figure cell that draws nothing"),
        ("graders", [], "grade() is a grader, not an idea"),
    ],
)
def test_sees_a_cell_of_another_kind(path, book, cell_id, tags, fault):
    at(book, cell_id).metadata["tags"] = tags
    assert [c for c in complaints(path, book) if fault in c]


def test_sees_set_up_that_comes_late(path, book):
    book.cells.insert(3, book.cells.pop(0))
    assert [c for c in complaints(path, book) if "set-up comes before every other cell" in c]


def test_sees_a_source_that_lies_open(path, book):
    del at(book, "sol-1").metadata["jupyter"]
    at(book, "idea").metadata["jupyter"] = {"source_hidden": True}
    said = [c.split(": ")[1] for c in kinds.sources_hidden(path, book)]
    assert said == ["source_hidden is True; run", "source_hidden is False; run"]


def test_sees_a_solution_that_does_not_pass(path, book):
    at(book, "sol-1").outputs[0].text = "Not yet: the shape is (), expected (2,)\n"
    assert [c for c in complaints(path, book) if "no solution passes grade_1" in c]
