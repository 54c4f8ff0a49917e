"""A slip stops its check and nothing before it; a check that nothing stops is named."""

import nbformat.v4 as v4
import pytest

from tools import slips
from tools.pair import KINDS

SOURCES = [
    ("start", "setup", "from ropelib.book import check"),
    ("turn", None, "theta = 0.5\n\n\ndef angle(m, n):\n    return (m - n) * theta"),
    ("length", None, "length = 2.0"),
    ("draw", "figure", "nobody.draws(this)"),
    ("distance", "check", "check('score', angle(7, 3) - angle(1007, 1003), below=1e-12)"),
    ("shorter", "check", "print('a line')\ncheck('score', length == 2)"),
]
GOOD = {
    "distance": [{"cell": "turn", "old": "m - n", "new": "m + n", "why": "the sum"}],
    "shorter": [{"cell": "length", "old": "2.0", "new": "3.0"}],
}


@pytest.fixture
def cells():
    book = v4.new_notebook()
    for cell_id, tag, source in SOURCES:
        assert tag is None or tag in KINDS
        book.cells.append(v4.new_code_cell(source, id=cell_id, metadata={"tags": [tag] if tag else []}))
    return slips.cells_to_run(book, GOOD)


def test_slips_that_stop_their_checks_are_fine(cells, capsys):
    assert list(slips.faults(cells, GOOD)) == []
    assert capsys.readouterr().out == "", "cells print nothing"


@pytest.mark.parametrize(
    ("check", "slip", "said"),
    [
        ("distance", {"cell": "turn", "old": "0.5", "new": "0.25"}, "distance: '0.5' -> '0.25' in turn does not stop it"),
        ("shorter", {"cell": "turn", "old": "m - n", "new": "m + n"}, "in turn stops distance first: ✗ score"),
        ("distance", {"cell": "turn", "old": "theta", "new": "thet"}, "'theta' stands 2 times in turn, expected once"),
        ("distance", {"cell": "turn", "old": "* theta", "new": "* thet"}, "raises NameError in distance: name 'thet'"),
        ("distance", {"cell": "draw", "old": "this", "new": "that"}, "draw is no idea cell of this chapter, and no figure"),
        ("distance", {"cell": "shorter", "old": "2", "new": "3"}, "shorter is no idea cell of this chapter, and no figure"),
        ("distance", {"cell": "turn", "old": "m - n"}, "a slip has cell, old and new (and perhaps why), got cell, old"),
        ("distance", {"cell": "turn", "old": "m - n", "new": "__import__('os')._exit(3)"}, "in turn ended the process"),
    ],
)
def test_a_slip_that_does_not_do_its_work_is_told(cells, check, slip, said):
    found = list(slips.faults(cells, {**GOOD, check: [slip]}))
    assert len(found) == 1 and said in found[0]


def test_a_check_without_a_slip_and_a_slip_without_a_check(cells):
    assert list(slips.faults(cells, {"distance": GOOD["distance"], "longer": GOOD["shorter"]})) == [
        "shorter: no slip stops this check",
        "longer: there is no such check cell",
    ]


def test_a_slip_comes_before_its_check(cells):
    cells.append(v4.new_code_cell("late = 1", id="late"))
    found = list(slips.faults(cells, {**GOOD, "shorter": [{"cell": "late", "old": "1", "new": "2"}]}))
    assert found == ["shorter: late stands after it"]


def test_a_chapter_that_stops_by_itself_is_told(cells):
    cells[2].source = "length = 3.0"
    slip = {"cell": "turn", "old": "m - n", "new": "m + n"}
    assert list(slips.faults(cells, {"distance": [slip], "shorter": [slip]}))[-1] == (
        "shorter: stops without any slip: AssertionError: ✗ score"
    )


def test_a_chapters_file_goes_by_its_number(tmp_path):
    (tmp_path / "03.toml").write_text('[[a]]\ncell = "b"\nold = "c"\nnew = "d"\n', "utf-8")
    assert slips.slips_of("03-remember", tmp_path) == {"a": [{"cell": "b", "old": "c", "new": "d"}]}
    assert slips.slips_of("cheatsheet", tmp_path) == {}


def test_a_figure_runs_where_a_slip_names_it():
    book = v4.new_notebook()
    sources = [
        ("start", "setup", "from ropelib.book import check"),
        ("search", "figure", "found = 2"),
        ("draw", "figure", "nobody.draws(this)"),
        ("same", "check", "check('score', found == 2)"),
    ]
    for cell_id, tag, source in sources:
        book.cells.append(v4.new_code_cell(source, id=cell_id, metadata={"tags": [tag]}))
    named = {"same": [{"cell": "search", "old": "2", "new": "3"}]}
    assert list(slips.faults(slips.cells_to_run(book, named), named)) == []
