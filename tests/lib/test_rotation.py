"""rotate against the formula written out, in every layout, dtype, order of axes and memory layout."""

import itertools
import tracemalloc

import numpy as np
import pytest

import ropelib

LAYOUTS = ("interleaved", "half")
TOLERANCE = {"f2": 4e-3, "f4": 1e-6, ">f4": 1e-6, "f8": 1e-14, ">f8": 1e-14}


def by_formula(x, cos, sin, layout):
    x, pairs = x.astype(np.float64), cos.shape[-1]
    first, second = (
        (slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2))
        if layout == "interleaved"
        else (slice(0, pairs), slice(pairs, 2 * pairs))
    )
    y = x.copy()
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., first] * sin + x[..., second] * cos
    return y


@pytest.mark.parametrize("layout, dtype", list(itertools.product(LAYOUTS, TOLERANCE)))
@pytest.mark.parametrize("channels, pairs", [(64, 32), (64, 8), (65, 31), (2, 1), (6, 0)])
def test_rotate_is_the_formula(layout, dtype, channels, pairs):
    random = np.random.default_rng(0)
    x = random.standard_normal((3, 4, 700, channels)).astype(dtype)
    cos, sin = random.standard_normal((2, 3, 700, pairs))
    kept, near = x.copy(), {"rtol": TOLERANCE[dtype], "atol": 3 * TOLERANCE[dtype]}
    want = by_formula(x, cos[:, None], sin[:, None], layout)

    got = ropelib.rotate(x, cos, sin, layout=layout)
    assert got.dtype == x.dtype
    np.testing.assert_allclose(got.astype("f8"), want, **near)
    np.testing.assert_array_equal(got[..., 2 * pairs :], x[..., 2 * pairs :])
    np.testing.assert_array_equal(x, kept)

    heads_inside = np.ascontiguousarray(x.swapaxes(1, 2))
    other = ropelib.rotate(heads_inside, cos, sin, layout=layout, seq_axis=1)
    np.testing.assert_allclose(other.swapaxes(1, 2).astype("f8"), want, **near)

    backwards = x[..., ::-1]
    want = by_formula(backwards, cos[:, None], sin[:, None], layout)
    np.testing.assert_allclose(ropelib.rotate(backwards, cos, sin, layout=layout).astype("f8"), want, **near)

    assert ropelib.rotate(x, cos, sin, layout=layout, out=x) is x
    np.testing.assert_array_equal(x, got)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4"])
def test_memory_in_any_order_gives_the_same(layout, dtype):
    x = np.random.default_rng(0).standard_normal((3, 500, 64)).astype(dtype)
    table = ropelib.cos_sin(np.arange(500), ropelib.inverse_frequencies(64))
    want = ropelib.rotate(x, *table, layout=layout)
    for axes in itertools.permutations(range(3)):
        other = np.ascontiguousarray(x.transpose(axes)).transpose(np.argsort(axes))
        got = ropelib.rotate(other, *table, layout=layout, out=np.empty_like(other))
        np.testing.assert_allclose(got.astype("f8"), want.astype("f8"), rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_out_that_overlaps_x_in_part_is_as_right_as_a_fresh_one(layout):
    """More rows than a block holds, so that what is written would be read again."""
    buffer = np.random.default_rng(0).standard_normal((2, 20_001, 8))
    table = ropelib.cos_sin(np.arange(20_000), ropelib.inverse_frequencies(8))
    want = ropelib.rotate(buffer[:, :-1], *table, layout=layout)
    ropelib.rotate(buffer[:, :-1], *table, layout=layout, out=buffer[:, 1:])
    np.testing.assert_array_equal(buffer[:, 1:], want)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_out_that_overlaps_a_table_is_as_right_as_a_fresh_one(layout):
    cos, sin = ropelib.cos_sin(np.arange(20_000), ropelib.inverse_frequencies(8))
    x, memory = np.random.default_rng(0).standard_normal((20_000, 8)), np.zeros((20_001, 8))
    memory[:-1, :4] = cos
    want = ropelib.rotate(x, cos, sin, layout=layout)
    np.testing.assert_array_equal(ropelib.rotate(x, memory[:-1, :4], sin, layout=layout, out=memory[1:]), want)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_matrix_complex_and_elementwise_forms_agree(layout):
    positions, inv_freq = np.array([-3, 0, 1, 4095]), ropelib.inverse_frequencies(10)
    x = np.random.default_rng(0).standard_normal((4, 10))
    want = ropelib.rotate(x, *ropelib.cos_sin(positions, inv_freq), layout=layout)
    matrix = ropelib.rotation_matrix(positions, inv_freq, layout=layout)
    np.testing.assert_allclose((matrix @ x[..., None])[..., 0], want, rtol=0, atol=1e-15 * 10)
    turned = ropelib.to_complex(x, layout=layout) * np.exp(1j * positions[:, None] * inv_freq)
    np.testing.assert_allclose(ropelib.from_complex(turned, layout=layout), want, rtol=0, atol=1e-15 * 10)


def test_permuted_projections_give_the_same_scores():
    random, heads, kv_heads, dim = np.random.default_rng(0), 4, 2, 8
    hidden = random.standard_normal((5, 16))
    table = ropelib.cos_sin(np.arange(5), ropelib.inverse_frequencies(4))

    def scores(wq, wk, layout):
        q, k = (
            ropelib.rotate((hidden @ w.T).reshape(5, n, dim), *table, layout=layout, seq_axis=0)
            for w, n in ((wq, heads), (wk, kv_heads))
        )
        return np.einsum("qhd,khd->hqk", q, k.repeat(heads // kv_heads, axis=1))

    wq, wk = random.standard_normal((heads * dim, 16)), random.standard_normal((kv_heads * dim, 16))
    moved = [ropelib.permute_weights(w, n, to="half", rotary_dim=4) for w, n in ((wq, heads), (wk, kv_heads))]
    np.testing.assert_allclose(scores(*moved, "half"), scores(wq, wk, "interleaved"), rtol=0, atol=1e-13)
    back = ropelib.permute_weights(moved[0], heads, to="interleaved", rotary_dim=4)
    np.testing.assert_array_equal(back, wq)


def test_weights_move_the_right_way():
    """With three pairs or more the two ways differ; with two they are one and the same."""
    rows = np.arange(12) * 10
    half = [0, 20, 40, 10, 30, 50, 60, 80, 100, 70, 90, 110]
    np.testing.assert_array_equal(ropelib.permute_weights(rows, 2, to="half"), half)
    np.testing.assert_array_equal(ropelib.permute_weights(half, 2, to="interleaved"), rows)


@pytest.mark.parametrize("to", ["half", "interleaved"])
def test_rotating_rows_that_are_the_last_of_each_head_move_alone(to):
    w = np.arange(2 * 192 * 3).reshape(384, 3)
    got = ropelib.permute_weights(w, 2, to=to, rotary_dim=64, rotary_start=128).reshape(2, 192, 3)
    each = w.reshape(2, 192, 3)
    np.testing.assert_array_equal(got[:, :128], each[:, :128])
    reorder = ropelib.to_half if to == "half" else ropelib.to_interleaved
    np.testing.assert_array_equal(got[:, 128:], reorder(each[:, 128:], axis=1))
    np.testing.assert_array_equal(ropelib.permute_weights(w, 2, to=to, rotary_start=128), got.reshape(384, 3))
    between = ropelib.permute_weights(w, 2, to=to, rotary_dim=6, rotary_start=10).reshape(2, 192, 3)
    moved = np.argwhere((between != each).any(axis=(0, 2))).ravel()
    assert moved.tolist() == [11, 12, 13, 14]


@pytest.mark.parametrize(
    "change, error, words",
    [
        ({"layout": "neox"}, ValueError, "layout must be one of 'interleaved', 'half', got 'neox'"),
        ({"layout": None}, ValueError, "layout"),
        ({"x": np.zeros((2, 6, 6))}, ValueError, "at least 8 channels, got x of shape"),
        ({"x": np.zeros((2, 5, 8))}, ValueError, "a row for each of the 5 positions"),
        ({"x": np.zeros((2, 6, 8), complex)}, TypeError, "x must hold real numbers, got dtype complex128"),
        ({"x": np.zeros((2, 6, 8), bool)}, TypeError, "x must hold real numbers"),
        ({"x": [["a"]]}, TypeError, "x must hold real numbers"),
        ({"x": [[1.0], [1.0, 2.0]]}, ValueError, "x must be a rectangular array"),
        ({"x": np.ma.zeros((2, 6, 8))}, TypeError, "masked"),
        ({"x": np.full((2, 6, 8), 2**53 + 1)}, ValueError, r"x holds numbers beyond 2\*\*53"),
        ({"sin": np.zeros((6, 3))}, ValueError, "cos and sin must have the same shape"),
        ({"cos": np.zeros((6, 4), complex)}, TypeError, "cos must hold real numbers"),
        ({"seq_axis": -1}, ValueError, "seq_axis must not be the last axis"),
        ({"seq_axis": 3}, ValueError, "seq_axis must be less than 3"),
        ({"seq_axis": -4}, ValueError, "seq_axis must be at least -3"),
        ({"seq_axis": 0}, ValueError, "a row for each of the 2 positions"),
        ({"seq_axis": 1.0}, TypeError, "seq_axis must be an integer"),
        ({"out": np.zeros((2, 6, 7))}, ValueError, "out must have the shape of x"),
        ({"out": np.zeros((2, 6, 8), "f4")}, TypeError, "out must have the dtype"),
        ({"out": [0.0]}, TypeError, "out must be a NumPy array"),
        ({"out": np.broadcast_to(0.0, (2, 6, 8))}, ValueError, "read-only"),
        ({"out": np.lib.stride_tricks.as_strided(np.zeros(8), (2, 6, 8), (0, 0, 8))}, ValueError, "broadcast array"),
        ({"out": np.ma.zeros((2, 6, 8))}, TypeError, "out must be a NumPy array"),
        ({"x": None}, TypeError, "x must hold real numbers"),
        ({"x": 1.0}, ValueError, "x must end in channels"),
        ({"x": []}, ValueError, "at least 8 channels"),
        ({"cos": 1.0, "sin": 0.0}, ValueError, "cos in pairs"),
    ],
)
def test_rotate_refuses(change, error, words):
    cos, sin = ropelib.cos_sin(np.arange(6), ropelib.inverse_frequencies(8))
    given = {"x": np.zeros((2, 6, 8)), "cos": cos, "sin": sin, "layout": "half", **change}
    with pytest.raises(error, match=words):
        ropelib.rotate(given.pop("x"), given.pop("cos"), given.pop("sin"), **given)


def test_tables_with_batch_axes_that_do_not_fit_are_refused():
    cos, sin = ropelib.cos_sin(np.zeros((3, 6), int), ropelib.inverse_frequencies(8))
    for shape in ((2, 6, 8), (6, 8), (2, 3, 6, 8)):
        with pytest.raises(ValueError, match="the first axes of cos must be 1 or those of x"):
            ropelib.rotate(np.zeros(shape), cos, sin, layout="half")


@pytest.mark.parametrize(
    "positions, error, words",
    [
        ([True], TypeError, "positions must hold real numbers, got dtype bool"),
        (["1"], TypeError, "positions"),
        ([None], TypeError, "positions"),
        ([1j], TypeError, "positions"),
        ([np.nan], ValueError, "positions must be finite, got nan"),
        ([np.inf], ValueError, "positions must be finite"),
        ([2**53 + 1], ValueError, r"positions holds numbers beyond 2\*\*53"),
        ([2**70], ValueError, r"positions holds numbers beyond 2\*\*53"),
        (10**30, ValueError, r"positions holds numbers beyond 2\*\*53"),
        ([10**30, None], TypeError, "positions must hold real numbers, got dtype object"),
        (np.array([2**63], "u8"), ValueError, r"positions holds numbers beyond 2\*\*53"),
        (np.array([2**60], "g"), ValueError, r"positions holds numbers beyond 2\*\*53"),
        (np.ma.array([1, 2], mask=[0, 1]), TypeError, "positions must be a plain array"),
        (np.array([1], "m8[s]"), TypeError, "positions must hold real numbers"),
    ],
)
def test_positions_that_are_not_numbers_are_refused(positions, error, words):
    with pytest.raises(error, match=words):
        ropelib.cos_sin(positions, [1.0])


@pytest.mark.parametrize("layout, dtype", list(itertools.product(LAYOUTS, TOLERANCE)))
@pytest.mark.parametrize("shape, seq_axis", [((1, 8, 1024, 128), -2), ((1, 1024, 8, 128), 1), ((64, 32, 1, 128), -2)])
@pytest.mark.parametrize("pairs", [16, 64])
def test_no_temporary_reaches_a_mebibyte(layout, dtype, shape, seq_axis, pairs):
    x = np.zeros(shape, dtype)
    out, table = np.empty_like(x), ropelib.cos_sin(np.arange(shape[seq_axis]), np.ones(pairs))
    for source in (x, x[..., ::-1]):
        tracemalloc.start()
        ropelib.rotate(source, *table, layout=layout, seq_axis=seq_axis, out=out)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2**20


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([1], [[1.0]]), "inv_freq must have one axis"),
        (([1], 1.0), "inv_freq must have one axis"),
        (([1], ["1"]), "inv_freq must hold real numbers"),
        (([1], [np.nan]), "inv_freq must be finite"),
        (([1e308], [1e10]), "positions times inv_freq must be finite"),
        (([1], [1.0], int), "dtype must be floating"),
        (([1], [1.0], complex), "dtype must be floating"),
        (([1], [1.0], "no dtype"), "dtype must be floating, got 'no dtype'"),
    ],
)
def test_cos_sin_refuses(arguments, words):
    with pytest.raises(ValueError, match=words):
        ropelib.cos_sin(*arguments)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ropelib.permute_weights(np.zeros((7, 2)), 2, to="half"), "w must have a number of rows that 2 heads"),
        (lambda: ropelib.permute_weights(np.zeros((8, 2)), 2, to="neox"), "to must be one of"),
        (
            lambda: ropelib.permute_weights(np.zeros((8, 2)), 2, to="half", rotary_dim=6),
            "rotary_dim must not reach beyond the 4 channels of a head, got 6 from rotary_start=0",
        ),
        (lambda: ropelib.permute_weights(np.zeros((6, 2)), 2, to="half"), "rotary_dim must be even, got 3"),
        (
            lambda: ropelib.permute_weights(np.zeros(8), 2, to="half", rotary_dim=2, rotary_start=3),
            "rotary_dim must not reach beyond the 4 channels of a head, got 2 from rotary_start=3",
        ),
        (
            lambda: ropelib.permute_weights(np.zeros(8), 2, to="half", rotary_start=4),
            "rotary_start must be one of the 4 channels of a head, got 4",
        ),
        (lambda: ropelib.permute_weights(np.zeros(8), 2, to="half", rotary_start=-2), "rotary_start must be at least 0"),
        (lambda: ropelib.permute_weights(np.zeros(8), 2, to="half", rotary_start=1), "rotary_dim must be even, got 3"),
        (lambda: ropelib.permute_weights(np.ma.zeros((8, 2)), 2, to="half"), "w must be a plain array"),
        (lambda: ropelib.to_half(np.zeros(4), axis=1), "axis must be less than 1"),
        (lambda: ropelib.to_half(1.0), "axis must be at least 0"),
        (lambda: ropelib.from_complex(["a"], layout="half"), "z must be an array of complex numbers"),
        (lambda: ropelib.rotation_matrix(1, [1.0], layout=""), "layout must be one of"),
    ],
)
def test_the_other_forms_refuse(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_integers_become_float64_and_any_integer_table_is_read_as_numbers():
    table = np.ones((3, 2), "u1"), np.ones((3, 2), "u1")
    got = ropelib.rotate(np.ones((3, 4), "i1"), *table, layout="half")
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, [[0, 0, 2, 2]] * 3)
