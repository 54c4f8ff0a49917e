import numpy as np
import pytest

import ropelib


def test_grouped_queries_equal_repeated_keys():
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((2, n, 5, 4)) for n in (6, 2, 2))
    output, weights = ropelib.attend(q, k, v, mask=ropelib.causal_mask(5, 5))
    want, _ = ropelib.attend(q, k.repeat(3, axis=1), v.repeat(3, axis=1), mask=ropelib.causal_mask(5, 5))
    np.testing.assert_array_equal(output, want)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-15)


def test_no_weight_no_influence_even_of_nan():
    q, k, v = np.ones((3, 2)), np.ones((3, 2)), np.array([[1.0], [2.0], [np.nan]])
    k[2] = np.inf
    output, _ = ropelib.attend(q, k, v, mask=ropelib.causal_mask(3, 3))
    np.testing.assert_array_equal(output[:2], [[1.0], [1.5]])


def test_scores_too_large_for_exp():
    np.testing.assert_allclose(ropelib.softmax([1e4, 1e4 - 1]), [0.7310585786300049, 0.2689414213699951])


def test_sliding_window_counts_the_token_itself():
    np.testing.assert_array_equal(ropelib.sliding_mask(3, 3, 1), np.eye(3, dtype=bool))
    np.testing.assert_array_equal(ropelib.sliding_mask(1, 5, 2), [[0, 0, 0, 1, 1]])
    np.testing.assert_array_equal(ropelib.sliding_mask(4, 4, 99), ropelib.causal_mask(4, 4))


@pytest.mark.parametrize(
    "change, error, words",
    [
        ({"mask": np.zeros((3, 3))}, TypeError, "mask must hold booleans"),
        ({"mask": np.ones((4, 3), bool)}, ValueError, "mask must broadcast"),
        ({"bias": np.ones((2, 2))}, ValueError, "bias must broadcast"),
        ({"bias": np.ones((3, 3), bool)}, TypeError, "bias must hold real numbers"),
        ({"scale": "1"}, TypeError, "scale must be a number"),
        ({"scale": np.nan}, ValueError, "scale must be finite"),
        ({"k": np.ones((3, 5))}, ValueError, "the same channels"),
        ({"v": np.ones((2, 4))}, ValueError, "the same heads and length"),
        ({"q": np.ones(4)}, ValueError, "the same number of axes"),
        ({"q": np.ones((3, 4), complex)}, TypeError, "q must hold real numbers"),
    ],
)
def test_attend_refuses(change, error, words):
    given = {"q": np.ones((3, 4)), "k": np.ones((3, 4)), "v": np.ones((3, 4)), **change}
    with pytest.raises(error, match=words):
        ropelib.attend(given.pop("q"), given.pop("k"), given.pop("v"), **given)


def test_heads_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match="a multiple of its heads"):
        ropelib.attend(np.ones((3, 2, 4)), np.ones((2, 2, 4)), np.ones((2, 2, 4)))


@pytest.mark.parametrize("arguments", [(-1, 2), (1, 2.0), (True, 1)])
def test_lengths_that_are_no_lengths_are_refused(arguments):
    with pytest.raises((TypeError, ValueError), match=r"q_len|k_len"):
        ropelib.causal_mask(*arguments)
    with pytest.raises(ValueError, match="window must be at least 1"):
        ropelib.sliding_mask(2, 2, 0)


def test_nothing_to_look_at_gives_zeros():
    np.testing.assert_array_equal(ropelib.attend(np.ones((2, 4)), np.ones((0, 4)), np.ones((0, 3)))[0], np.zeros((2, 3)))
    output, _ = ropelib.attend(np.ones((2, 4)), np.ones((2, 4)), np.ones((2, 4)), bias=np.full((2, 2), -np.inf))
    np.testing.assert_array_equal(output, 0)


@pytest.mark.parametrize("lengths", [[], [1, 2], [0, 3, 2], [0.0, 2.0], [[0, 1]], ["0"], None])
def test_segments_that_are_none_are_refused(lengths):
    with pytest.raises(ValueError, match="cu_seqlens must"):
        ropelib.packed_positions(lengths)


def test_empty_and_unsigned_segments():
    assert ropelib.packed_positions([0, 2, 2, 3]).tolist() == [0, 1, 0]
    assert ropelib.packed_positions(np.array([0, 200, 250], "u1"))[-1] == 49
