"""A check holds or says what it found; an answer that is off is told so."""

import numpy as np
import pytest

from ropelib.book import check, grade, labels


def test_a_claim_that_holds_prints_one_stable_line(capsys):
    check("score", np.array([1e-16, -3e-15]), below=1e-12)
    check("score", np.bool_(True))
    assert capsys.readouterr().out == "✓ score: |Δ| < 1e-12\n✓ score\n"


@pytest.mark.parametrize("error", [2e-12, -2e-12, np.nan, np.inf, [0, 1]])
def test_a_claim_that_does_not_hold_says_by_how_much(error):
    with pytest.raises(AssertionError, match=r"✗ score: \|Δ\| = "):
        check("score", error, below=1e-12)


def test_a_false_claim_stops():
    with pytest.raises(AssertionError, match="✗ score"):
        check("score", False)


@pytest.mark.parametrize("value", [1, 0.0, None, [True], "yes"])
def test_a_number_is_no_verdict(value):
    with pytest.raises(TypeError, match="value: got"):
        check("score", value)


def test_nothing_to_compare_is_no_success():
    with pytest.raises(ValueError):
        check("score", [], below=1)


def test_words_from_outside_the_book_are_printed_as_they_are(capsys):
    check("my rope agrees", True)
    check("my rope agrees", 0.0, below=1e-9)
    with pytest.raises(AssertionError, match="✗ my rope agrees"):
        check("my rope agrees", False)
    assert capsys.readouterr().out == "✓ my rope agrees\n✓ my rope agrees: |Δ| < 1e-09\n"


def broken(x):
    raise KeyError("x")


@pytest.mark.parametrize(
    ("got", "said"),
    [
        ([1.0, 2.0], "✓ Right"),
        ((True, 2), "✓ Right"),
        (..., "No answer yet: put yours in place of the dots"),
        (None, "No answer yet: put yours in place of the dots"),
        ([1, ...], "No answer yet: put yours in place of the dots"),
        ([1, -2], "Not yet. Your answer looks like this slip: the sign"),
        (-2, "Not yet. Your answer looks like this slip: only the last"),
        ([1, 2, 3], "Not yet: the shape is (3,), expected (2,)"),
        ([[1], [1, 2]], "Not yet: the rows have different lengths"),
        ("two", "Not yet: got str, expected numbers"),
        ([1, 2.5], "Not yet, and no slip we know: at [1] too large"),
        ([1, 1j], "Not yet, and no slip we know: at [1] off"),
        ([np.nan, 2], "Not yet, and no slip we know: at [0] not a number"),
    ],
)
def test_an_answer_is_told_its_slip_and_not_the_right_one(got, said, capsys):
    grade(got, [1, 2], slips={"the sign": [1, -2], "only the last": -2})
    assert capsys.readouterr().out == f"{said}\n"


def test_right_and_wrong_may_be_answers_of_yes_and_no(capsys):
    grade(np.array([True, False]), np.array([True, False]))
    grade(np.array([True, True]), np.array([True, False]))
    assert capsys.readouterr().out == "✓ Right\nNot yet, and no slip we know: at [1] too large\n"


@pytest.mark.parametrize(
    ("got", "said"),
    [
        (lambda x: 2 * x, "✓ Right"),
        (lambda x: x, "Not yet. Your answer looks like this slip: not doubled"),
        (lambda x: ..., "No answer yet: put yours in place of the dots"),
        (..., "No answer yet: put yours in place of the dots"),
        (6, "Not yet: got int, expected a function"),
        (broken, "Not yet: your function stopped. KeyError: 'x'"),
    ],
)
def test_an_answer_may_be_a_function(got, said, capsys):
    grade(got, 6, slips={"not doubled": 3}, on=(3,))
    assert capsys.readouterr().out == f"{said}\n"


def test_the_slip_is_named_in_the_readers_language(capsys):
    labels.use("zh-Hant")
    grade(2, 1, slips={"too large": 2})
    assert capsys.readouterr().out == "還不對。看來錯在這裡：太大\n"
