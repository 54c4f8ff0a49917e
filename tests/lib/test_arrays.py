"""Arrays people hold: tensors of torch, bfloat16, float16 positions, long texts, integers without bound."""

import tracemalloc
import warnings

import ml_dtypes
import numpy as np
import pytest

import ropelib
from ropelib import Rope, cos_sin, inverse_frequencies, rotate

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 5, 700, 64)])
@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_narrow_floats_are_computed_in_float32_and_come_back_as_they_are(layout, shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape).astype(getattr(ml_dtypes, dtype))
    table = cos_sin(np.arange(shape[-2]) if len(shape) > 1 else 1, inverse_frequencies(shape[-1]))
    got = rotate(x, *table, layout=layout)
    assert got.dtype == x.dtype
    want = rotate(x.astype("f4"), *table, layout=layout).astype(x.dtype)
    np.testing.assert_array_equal(got.astype("f4"), want.astype("f4"))
    out = x.copy()
    assert rotate(out, *table, layout=layout, out=out) is out
    np.testing.assert_array_equal(out.astype("f4"), want.astype("f4"))


def test_bfloat16_goes_wherever_float16_goes():
    x = np.random.default_rng(0).standard_normal((1, 2, 5, 4)).astype(BFLOAT16)
    wide, rope = x.astype("f8"), Rope([1.0, 0.1])
    turned = rope.rotate(x).astype("f8")
    for got, want in (
        (ropelib.softmax(x), ropelib.softmax(x.astype("f4"))),
        (ropelib.attend(x, x, x)[0], ropelib.attend(wide, wide, wide)[0]),
        (ropelib.KVCache(rope).attend(x, x, x)[0], ropelib.attend(turned, turned, wide, mask=ropelib.causal_mask(5, 5))[0]),
        (cos_sin(x, [1.0], dtype=BFLOAT16)[0], cos_sin(wide, [1.0])[0]),
        (ropelib.permute_weights(x[0, 0, 0], 1, to="half"), wide[0, 0, 0, [0, 2, 1, 3]]),
    ):
        assert got.dtype == BFLOAT16
        np.testing.assert_array_equal(got.astype("f8"), want.astype(BFLOAT16).astype("f8"))
    assert ropelib.to_complex(x, layout="half").dtype == np.complex64
    np.testing.assert_array_equal(ropelib.to_complex(x, layout="half").real, wide[..., :2])
    np.testing.assert_array_equal(ropelib.wavelengths(x), ropelib.wavelengths(wide))


@pytest.mark.parametrize("other", ["f2", "f4", "f8", ml_dtypes.float8_e5m2])
def test_dtypes_that_numpy_does_not_promote_meet_in_float32_or_more(other):
    q, k = np.ones((3, 4), BFLOAT16), np.ones((3, 4), other)
    wanted = np.float64 if other == "f8" else np.float32
    assert {a.dtype for a in ropelib.attend(q, k, k)} == {np.dtype(wanted)}


class Tensor:
    """What ropelib asks of a tensor of torch, where torch is not installed; tests/peers has the real one."""

    __module__ = "torch.nn"

    def __init__(self, array, dtype="torch.float32", steps=()):
        self.array, self.dtype, self.steps = array, dtype, steps

    def __getattr__(self, step):
        return lambda: Tensor(self.array, self.dtype, (*self.steps, step))

    def is_floating_point(self):
        return "float" in self.dtype

    def float(self):
        return Tensor(self.array.astype("f4"), "torch.float32", self.steps)

    def numpy(self):
        if self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        if self.dtype == "torch.meta":
            raise NotImplementedError("no data")
        assert self.steps == ("detach", "cpu", "resolve_conj", "resolve_neg")
        return self.array


@pytest.mark.parametrize(
    "given, dtype, own",
    [("f8", "torch.float64", "f8"), ("f4", "torch.float32", "f4"), ("f2", "torch.float16", "f2"), ("f8", "torch.bfloat16", "f4")],
)
def test_tensors_come_from_their_device_without_a_gradient(given, dtype, own):
    x = np.random.default_rng(0).standard_normal((3, 4)).astype(given)
    got = ropelib.softmax(Tensor(x, dtype))
    assert got.dtype == own
    np.testing.assert_array_equal(got, ropelib.softmax(x.astype(own)))


def test_tensors_of_integers_and_booleans_stay_what_they_are():
    assert cos_sin(Tensor(np.array([2**40]), "torch.int64"), [1.0])[0] == np.cos(2.0**40)
    assert ropelib.padded_positions(Tensor(np.array([True, True]), "torch.bool")).tolist() == [0, 1]
    with pytest.raises(TypeError, match="x must convert to a NumPy array, got Tensor: no data"):
        ropelib.softmax(Tensor(np.ones(3), "torch.meta"))


@pytest.mark.parametrize("dtype", ["int4", "uint2"])
def test_other_types_of_ml_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match=f"x must hold real numbers, got dtype {dtype}"):
        ropelib.softmax(np.ones(4, getattr(ml_dtypes, dtype)))


@pytest.mark.parametrize(
    "call",
    [
        lambda p: cos_sin(p, [1.0]),
        lambda p: Rope([1.0]).cos_sin(p),
        lambda p: ropelib.xpos_scale(p, 2),
        lambda p: ropelib.sinusoidal(p, 2),
        lambda p: ropelib.wavelengths(p),
    ],
)
def test_float16_positions_give_no_false_warning(call):
    positions = np.arange(1, 5)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        np.testing.assert_array_equal(call(positions.astype("f2")), call(positions))


def test_positions_of_another_byte_order_are_what_they_are():
    np.testing.assert_array_equal(cos_sin(np.array([1e300, 2.0**60], ">f8"), [1e-300]), cos_sin([1e300, 2.0**60], [1e-300]))
    with pytest.raises(ValueError, match=r"beyond 2\*\*53"):
        cos_sin(np.array([2**53 + 1], ">i8"), [1.0])
    cos_sin(np.array([2**53, -(2**53)]), [1.0])


def peak(call):
    tracemalloc.start()
    call()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def growing(length):
    return inverse_frequencies(128) / length, 1.0


@pytest.mark.parametrize(
    "more",
    [{}, {"layout": "interleaved"}, {"axes": np.arange(64) % 3}, {"by_length": growing}, {"rotary_start": 64, "head_dim": 192}],
)
def test_a_long_text_needs_its_own_size_and_little_more(more):
    rope = Rope(inverse_frequencies(128), **more)
    x = np.ones((40_000, rope.head_dim), "f4")
    assert peak(lambda: rope.rotate(x)) < x.nbytes + 2**24
    assert peak(lambda: rope.rotate(x, out=x)) < 2**24
    assert peak(lambda: rope.rotate(x[None], out=x[None])) < 2**24


def test_many_short_texts_need_little_too():
    x, positions = np.ones((10_000, 1, 128), "f4"), np.arange(10_000)[:, None]
    assert peak(lambda: Rope(inverse_frequencies(128)).rotate(x, positions, out=x)) < 2**22
    assert peak(lambda: Rope(inverse_frequencies(128), by_length=growing).rotate(x, positions % 99, out=x)) < 2**22


@pytest.mark.parametrize(
    "shape, seq_axis, lead", [((700, 3, 9, 64), -2, (700,)), ((5, 900, 2, 64), 1, (5,)), ((2, 3, 900, 64), 2, (1, 3))]
)
@pytest.mark.parametrize("more", [{}, {"by_length": growing}, {"axes": np.arange(64) % 2}])
def test_tables_in_parts_are_tables_as_a_whole(shape, seq_axis, lead, more):
    random = np.random.default_rng(0)
    rope, x = Rope(inverse_frequencies(128), 1.5, **more), random.standard_normal((*shape[:-1], 128))
    positions = random.integers(0, 99, (*([2] if "axes" in more else []), *lead, shape[seq_axis]))
    want = rotate(x, *rope.cos_sin(positions), layout="half", seq_axis=seq_axis)
    np.testing.assert_array_equal(rope.rotate(x, positions, seq_axis=seq_axis), want)


@pytest.mark.parametrize("more", [{}, {"axes": [0, 0]}, {"by_length": lambda length: (np.array([1.0, length]), 1.0)}])
def test_a_late_overflow_leaves_out_as_it_was(more):
    rope, x = Rope([1.0, 10.0], **more), np.ones((90_000, 4))
    positions = np.zeros((1, 90_000) if "axes" in more else 90_000)
    positions[..., -1] = 1.7e308
    with pytest.raises(ValueError, match="positions times inv_freq must be finite"):
        rope.rotate(x, positions, out=x)
    assert (x == 1).all()
