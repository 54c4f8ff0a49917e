"""A check holds or says what it found; an answer that is off is told how."""

import numpy as np
import pytest

from ropelib.book import answer, check


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


def test_a_right_answer_passes(capsys):
    answer([1.0, 2.0], [1, 2])
    assert capsys.readouterr().out == "✓\n"


@pytest.mark.parametrize(
    ("got", "reason"),
    [
        (None, "no answer yet"),
        (..., "no answer yet"),
        ([1, 2, 3], r"shape: got \(3,\), expected \(2,\)"),
        (["a", "b"], "expected numbers"),
        ([1, -2], "this is what you get when: score"),
        ([1, 2.5], r"off most at \[1\]: got 2.5, expected a value that differs by 0.5"),
        ([np.nan, 2], r"off most at \[0\]: got nan"),
    ],
)
def test_a_wrong_answer_is_told_what_is_off(got, reason):
    with pytest.raises(AssertionError, match=reason):
        answer(got, [1, 2], mistakes={"score": [1, -2]})


def test_a_single_number_is_named_as_such():
    with pytest.raises(AssertionError, match="off most at the number itself: got 3"):
        answer(3, 2)
