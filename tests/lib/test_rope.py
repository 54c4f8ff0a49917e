"""Rope: which channels turn, in which sense, by which factors, and the ways back."""

import pickle
from functools import partial

import numpy as np
import pytest

from ropelib import Rope, cos_sin, inverse_frequencies, logn_query_factor, rotate, stepped_query_factor, yarn

X = np.array([[1.0, 2.0, 3.0, 4.0]])
GROWING = {"inv_freq": [1.0, 0.01], "attention_factor": 3.0}


def by_length(length):
    return np.array([1.0, 0.01]) / length, 3.0


def test_a_head_that_keeps_its_rotating_channels_last():
    rope = Rope([1.0], head_dim=4, rotary_start=2)
    np.testing.assert_allclose(rope.rotate(X, [1])[0], [1, 2, -1.7449770216, 4.6856221779], atol=1e-10)
    np.testing.assert_array_equal(rope.rotate(X[:, 2:], [1]), rope.rotate(X, [1])[:, 2:])


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("start", [0, 6, 128])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_only_the_slice_moves_in_small_and_large_arrays(layout, start, dtype):
    rope = Rope(inverse_frequencies(64), head_dim=192, rotary_start=start, layout=layout)
    for length in (3, 900):
        x = np.random.default_rng(0).standard_normal((2, length, 192)).astype(dtype)
        want = x.copy()
        own = np.ascontiguousarray(x[..., start : start + 64])
        want[..., start : start + 64] = rotate(own, *cos_sin(np.arange(length), rope.inv_freq), layout=layout)
        tolerance = {"f2": 0, "f4": 1e-6, "f8": 1e-14}[dtype]
        np.testing.assert_allclose(rope.rotate(x), want, rtol=0, atol=tolerance)
        still = np.r_[0:start, start + 64 : 192]
        np.testing.assert_array_equal(rope.rotate(x)[..., still], x[..., still])
        assert rope.rotate(x, out=x) is x
        np.testing.assert_allclose(x, want, rtol=0, atol=tolerance)


def test_the_other_sense_of_turning():
    rope = Rope(inverse_frequencies(4), direction=-1)
    np.testing.assert_allclose(rope.rotate(X, [1])[0], [3.0647152603, 2.0398993342, 0.7794359328, 3.9798003350], atol=1e-10)
    np.testing.assert_array_equal(rope.rotate(X, [1]), Rope(rope.inv_freq).rotate(X, [-1]))


def test_a_layer_without_rotation():
    rope = Rope([], head_dim=4)
    assert (rope.rotary_dim, rope.inv_freq.shape, rope.rotary_start) == (0, (0,), 0)
    for x in (X, X[0], np.ones((2, 3, 7, 4), "f2")):
        got = rope.rotate(x)
        np.testing.assert_array_equal(got, x)
        assert got is not x and got.dtype == x.dtype
    np.testing.assert_array_equal(rope.unrotate(X), X)
    np.testing.assert_array_equal(rope.shift(X, 7), X)
    out = np.zeros_like(X)
    assert rope.rotate(X, out=out) is out
    np.testing.assert_array_equal(out, X)


@pytest.mark.parametrize(
    "more", [{}, {"direction": -1}, {"by_length": by_length}, {"axes": [0, 1]}, {"rotary_start": 2, "head_dim": 6}]
)
@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_the_way_back_leaves_the_factor(more, layout):
    rope = Rope(**GROWING, layout=layout, **more)
    x = np.random.default_rng(0).standard_normal((2, 5, rope.head_dim))
    positions = np.arange(5) * 7 if "axes" not in more else np.arange(10).reshape(2, 5)
    want = x.copy()
    want[..., rope.rotary_start : rope.rotary_start + 4] *= 3.0
    turned = rope.rotate(x, positions)
    np.testing.assert_allclose(rope.unrotate(turned, positions), want, atol=1e-13)
    assert rope.unrotate(turned, positions, out=turned) is turned
    np.testing.assert_allclose(turned, want, atol=1e-13)


def test_moving_rotated_keys_does_not_apply_the_factor_again():
    rope = Rope(*yarn(4, factor=4, original_max_position_embeddings=64))
    at_9 = rope.rotate(X, [9])
    want = [1.8408949280, 2.2316005919, -3.0944912008, 4.5770622296]
    np.testing.assert_allclose(rope.shift(at_9, -5)[0], want, atol=1e-9)
    np.testing.assert_allclose(rope.shift(rope.shift(at_9, -2.5), [-2.5])[0], want, atol=1e-9)
    np.testing.assert_allclose(rope.shift(at_9[0], -5), want, atol=1e-9)
    mirrored = Rope(rope.inv_freq, rope.attention_factor, direction=-1)
    np.testing.assert_allclose(mirrored.shift(mirrored.rotate(X, [9]), -5), mirrored.rotate(X, [4]), atol=1e-14)


def test_moving_by_one_number_or_one_each_along_any_axis():
    rope, x = Rope(inverse_frequencies(4)), np.random.default_rng(0).standard_normal((2, 3, 5, 4))
    by = np.array([0, 3, -1])
    moved = rope.shift(rope.rotate(x, [4, 5, 6], seq_axis=1), by, seq_axis=1)
    np.testing.assert_allclose(moved, rope.rotate(x, [4, 8, 5], seq_axis=1), atol=1e-14)
    np.testing.assert_allclose(rope.shift(rope.rotate(x), 2), rope.rotate(x, np.arange(2, 7)), atol=1e-14)
    two = Rope(inverse_frequencies(4), axes=[0, 1])
    shifted = two.shift(two.rotate(x, [[0] * 5, range(5)]), [[1] * 5, [2] * 5])
    np.testing.assert_allclose(shifted, two.rotate(x, [[1] * 5, range(2, 7)]), atol=1e-14)


def test_a_factor_on_queries_by_position():
    rope = Rope([1.0], by_position=partial(stepped_query_factor, length=8192, first=1))
    got = rope.query_factor([[8190, 8191, 16383]])
    np.testing.assert_allclose(got, [[1, 1.0693147181, 1.1098612289]], atol=1e-10)
    assert got.dtype == np.float64
    assert pickle.loads(pickle.dumps(rope)).query_factor(8191) == got[0, 1]
    plain = Rope([1.0]).query_factor(np.zeros((2, 3), int))
    assert (plain == 1).all() and plain.shape == (2, 3) and plain.dtype == np.float64


def test_factors_on_queries_of_published_models():
    ministral = stepped_query_factor([0, 16383, 16384, 32768], length=16384)
    np.testing.assert_allclose(ministral, [1, 1, 1.0693147181, 1.1098612289], atol=1e-10)
    assert stepped_query_factor(2, length=1, beta=2.0) == pytest.approx(1 + 2 * np.log(3))
    qwen = logn_query_factor([[0, 2047, 2048, 8191]], length=2048)
    np.testing.assert_allclose(qwen, [[1, 1, np.log(2049) / np.log(2048), np.log(8192) / np.log(2048)]], rtol=1e-15)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: stepped_query_factor(-1, length=8), "positions must be at least 0 for a factor on queries, got -1"),
        (lambda: stepped_query_factor(1, length=0), "length must be greater than 0"),
        (lambda: stepped_query_factor(1, length=8, beta=-1), "beta must be at least 0"),
        (lambda: stepped_query_factor(1, length=8, first=-1), "first must be at least 0"),
        (lambda: logn_query_factor(-1, length=8), "positions must be at least 0"),
        (lambda: logn_query_factor(1, length=1), "length must be greater than 1"),
    ],
)
def test_factors_on_queries_refuse(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("name, value", [("rotary_start", 2), ("direction", -1), ("rotates_values", True)])
def test_fields_outlive_a_pickle(name, value):
    rope = pickle.loads(pickle.dumps(Rope([1.0], head_dim=4, **{name: value})))
    assert getattr(rope, name) == value


def test_defaults():
    rope = Rope([1.0, 0.1])
    assert (rope.head_dim, rope.rotary_dim, rope.rotary_start, rope.direction, rope.rotates_values) == (4, 4, 0, 1, False)


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"by_length": 3}, TypeError, "by_length must be callable or None, got 3"),
        ({"by_position": 0.1}, TypeError, "by_position must be callable or None, got 0.1"),
        ({"direction": 0}, ValueError, "direction must be 1 or -1, got 0"),
        ({"direction": "-1"}, ValueError, "direction must be 1 or -1, got '-1'"),
        ({"rotates_values": 1}, TypeError, "rotates_values must be True or False"),
        ({"rotary_start": -1}, ValueError, "rotary_start must be at least 0, got -1"),
        ({"rotary_start": 3, "head_dim": 4}, ValueError, "rotary_start must leave 2 of 4 channels to rotate, got 3"),
        ({"rotary_start": 1}, ValueError, "rotary_start must leave 2 of 2 channels"),
        ({"inv_freq": []}, ValueError, "head_dim must be given for a layer without rotation"),
        ({"rotary_dim": 0, "head_dim": 4}, ValueError, "inv_freq must have rotary_dim / 2 entries"),
        ({"rotary_dim": 3}, ValueError, "rotary_dim must be even"),
        ({"head_dim": 1}, ValueError, "rotary_dim be at most head_dim"),
    ],
)
def test_what_is_no_rotation_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        Rope(**{"inv_freq": [1.0], **arguments})


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda rope: rope.query_factor([1, -1]), "positions must be at least 0 for a factor on queries, got -1"),
        (lambda rope: rope.query_factor("1"), "positions must hold real numbers"),
        (lambda rope: rope.shift(X, "1"), "by must hold real numbers"),
        (lambda rope: rope.shift(X, [1, 2]), "positions must have a row for each of the 1 positions of x"),
        (lambda rope: rope.rotate(X[:, :3]), "x must have 4 or 2 channels, got shape .1, 3."),
        (lambda rope: rope.rotate(X[:, :1]), "x must have 4 or 2 channels, got shape .1, 1."),
        (lambda rope: rope.shift(np.ones((1, 6, 16)), 1), "x must have 4 or 2 channels, got shape .1, 6, 16."),
        (lambda rope: Rope([1.0], by_length=by_length).shift(X[:, :2], 1), "do not depend on length"),
        (lambda rope: Rope([1.0], by_position=np.mean).query_factor([1, 2]), "must keep the shape of positions"),
        (lambda rope: Rope([1.0], by_position=np.log).query_factor([1, 2, 0]), "must be finite, got -inf"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=words):
        call(Rope([1.0], head_dim=4))
