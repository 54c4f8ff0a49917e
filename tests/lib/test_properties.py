"""What holds for every array, every table and every position."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ropelib
from ropelib import cos_sin, inverse_frequencies, rotate

settings.register_profile("lib", deadline=None, max_examples=60)
settings.load_profile("lib")

LAYOUTS = st.sampled_from(["interleaved", "half"])
PAIRS = st.integers(1, 20)
BASES = st.sampled_from([1.5, 100.0, 1e4, 5e5, 1e7])
POSITIONS = st.one_of(
    st.integers(-5000, 5000),
    st.sampled_from([2**24 + 1, -(2**24) - 1, 2**40, 2**40 + 1, 2**53, -(2**53)]),
    st.floats(-1e4, 1e4),
)
NEAR = st.integers(-5000, 5000)
SEEDS = st.integers(0, 2**32 - 1)


def normal(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape)


def slack(x, *positions):
    """How far float64 may be off: an angle a by a * 2**-52, each product and sum by half a unit more."""
    return (max(map(abs, positions)) + 8) * 2**-51 * (np.abs(x).sum() + 1)


@given(SEEDS, PAIRS, BASES, LAYOUTS, NEAR, NEAR, st.sampled_from([1, 1000, 2**24 + 1, -4095]))
def test_scores_depend_on_distance_alone(seed, pairs, base, layout, m, n, shift):
    q, k = normal(seed, 2, 2 * pairs)
    inv_freq = inverse_frequencies(2 * pairs, base)

    def score(a, b):
        return rotate(q, *cos_sin(a, inv_freq), layout=layout) @ rotate(k, *cos_sin(b, inv_freq), layout=layout)

    bound = slack(np.abs(q) * np.abs(k).max() * 4, m, n, m + shift, n + shift)
    assert abs(score(m, n) - score(m + shift, n + shift)) <= bound


@given(SEEDS, PAIRS, BASES, LAYOUTS, POSITIONS)
def test_norms_stay(seed, pairs, base, layout, position):
    x = normal(seed, 2 * pairs)
    y = rotate(x, *cos_sin(position, inverse_frequencies(2 * pairs, base)), layout=layout)
    assert abs(np.linalg.norm(y) / np.linalg.norm(x) - 1) < 1e-14


@given(SEEDS, PAIRS, BASES, LAYOUTS, POSITIONS)
def test_the_opposite_position_turns_back(seed, pairs, base, layout, position):
    x, inv_freq = normal(seed, 2 * pairs), inverse_frequencies(2 * pairs, base)
    there = rotate(x, *cos_sin(position, inv_freq), layout=layout)
    back = rotate(there, *cos_sin(-position, inv_freq), layout=layout)
    np.testing.assert_allclose(back, x, rtol=0, atol=1e-14 * np.abs(x).max() * 4)


@given(SEEDS, PAIRS, BASES, LAYOUTS, NEAR, NEAR)
def test_rotations_add_up(seed, pairs, base, layout, m, n):
    x, inv_freq = normal(seed, 2 * pairs), inverse_frequencies(2 * pairs, base)
    twice = rotate(rotate(x, *cos_sin(m, inv_freq), layout=layout), *cos_sin(n, inv_freq), layout=layout)
    once = rotate(x, *cos_sin(m + n, inv_freq), layout=layout)
    np.testing.assert_allclose(twice, once, rtol=0, atol=slack(x, m, n, m + n))


@given(SEEDS, PAIRS, BASES, POSITIONS, st.sampled_from(["f2", "f4", "f8", ">f4", ">f8"]))
def test_the_layouts_are_one_permutation_apart_bit_for_bit(seed, pairs, base, position, dtype):
    x, table = normal(seed, 2 * pairs).astype(dtype), cos_sin(position, inverse_frequencies(2 * pairs, base))
    inter, half = rotate(x, *table, layout="interleaved"), rotate(ropelib.to_half(x), *table, layout="half")
    np.testing.assert_array_equal(ropelib.to_half(inter), half)
    np.testing.assert_array_equal(ropelib.to_interleaved(ropelib.to_half(x)), x)


@given(
    st.lists(st.integers(0, 5), min_size=0, max_size=3),
    st.integers(0, 40),
    st.integers(0, 6),
    st.integers(0, 3),
    LAYOUTS,
    st.sampled_from(["f2", "f4", "f8", ">f8", "g"]),
    st.data(),
)
def test_any_shape_any_order_of_axes_any_memory(batch, length, pairs, extra, layout, dtype, data):
    shape = [*batch, length, 2 * pairs + extra]
    seq = data.draw(st.integers(0, len(batch)))
    x = normal(0, *shape).astype(dtype)
    lead = batch[: data.draw(st.integers(0, len(batch)))]
    lead = [n if data.draw(st.booleans()) else 1 for n in lead]
    cos, sin = normal(1, 2, *lead, length, pairs)
    table = [t.reshape(*lead, *[1] * (len(batch) - len(lead)), length, pairs) for t in (cos, sin)]
    p, wide = pairs, x.astype("f8")
    a, b = (
        (wide[..., : 2 * p : 2], wide[..., 1 : 2 * p : 2]) if layout == "interleaved" else (wide[..., :p], wide[..., p : 2 * p])
    )
    want = wide.copy()
    first, second = a * table[0] - b * table[1], a * table[1] + b * table[0]
    if layout == "interleaved":
        want[..., : 2 * p : 2], want[..., 1 : 2 * p : 2] = first, second
    else:
        want[..., :p], want[..., p : 2 * p] = first, second

    moved = np.moveaxis(x, -2, seq)
    step = data.draw(st.sampled_from([1, -1]))
    moved = np.ascontiguousarray(moved[..., ::step])[..., ::step]  # the same values, other strides
    kept = moved.copy()
    got = rotate(moved, cos, sin, layout=layout, seq_axis=seq)
    tolerance = {"f2": 8e-3, "f4": 4e-6}.get(dtype, 4e-14)
    np.testing.assert_allclose(np.moveaxis(got, seq, -2).astype("f8"), want, rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(moved, kept)
    assert got.dtype == moved.dtype and got.shape == moved.shape
    out = moved.copy()
    assert rotate(out, cos, sin, layout=layout, seq_axis=seq, out=out) is out
    np.testing.assert_array_equal(out, got)


@given(hnp.arrays("f8", (3, 8), elements=st.sampled_from([1.0, np.nan, np.inf, -np.inf])), LAYOUTS)
def test_nan_and_infinity_stay_in_their_pair(x, layout):
    with np.errstate(invalid="ignore"):
        y = rotate(x, *cos_sin([1, 2, 3], inverse_frequencies(6)), layout=layout)
    np.testing.assert_array_equal(y[:, 6:], x[:, 6:])
    pairs = [(0, 1), (2, 3), (4, 5)] if layout == "interleaved" else [(0, 3), (1, 4), (2, 5)]
    for pair in pairs:
        whole = np.isfinite(x[:, pair]).all(axis=1)
        assert np.isfinite(y[:, pair][whole]).all()
        assert not np.isfinite(y[:, pair][~whole]).all(axis=1).any()


@pytest.mark.parametrize("layout, partner", [("interleaved", 11), ("half", 42)])
def test_nan_stays_in_its_pair_in_a_large_array_too(layout, partner):
    x = np.ones((1, 8, 1000, 64))
    x[0, 3, 500, 10] = np.nan
    y = rotate(x, *cos_sin(np.arange(1000), inverse_frequencies(64)), layout=layout)
    assert np.argwhere(np.isnan(y)).tolist() == [[0, 3, 500, 10], [0, 3, 500, partner]]


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_large_arrays_give_what_small_ones_give(layout):
    """More than a block, so that every path through the blocks is walked; each row alone is less than one."""
    random, inv_freq = np.random.default_rng(0), inverse_frequencies(64)
    for shape, lead in (((2, 3, 900, 70), (2,)), ((700, 5, 1, 64), (700,)), ((1, 1, 5000, 64), ())):
        x = random.standard_normal(shape)
        table = cos_sin(random.integers(0, 9000, (*lead, shape[-2])), inv_freq)
        whole = rotate(x, *table, layout=layout)
        for i in range(shape[0]):
            own = [t[i] for t in table] if lead else table
            for j in range(shape[1]):
                np.testing.assert_allclose(whole[i, j], rotate(x[i, j], *own, layout=layout), rtol=0, atol=1e-14)


UNITS = {"f2": 2.0**-11, "f4": 2.0**-24, "f8": 2.0**-53}


@given(SEEDS, PAIRS, LAYOUTS, st.integers(-3000, 3000), st.sampled_from(list(UNITS)), st.sampled_from([1, 1200]))
def test_each_channel_is_within_its_bound(seed, pairs, layout, position, dtype, rows):
    """As the table of the reference says; long double tells how far float64 is off."""
    x = normal(seed, rows, 2 * pairs).astype(dtype)
    table = cos_sin([position] * rows, inverse_frequencies(2 * pairs))
    want = rotate(x.astype("g"), *table, layout=layout)
    of_pair = np.abs(x.astype("g"))
    join = -1 if layout == "interleaved" else -2
    split = of_pair.reshape(rows, pairs, 2) if layout == "interleaved" else of_pair.reshape(rows, 2, pairs)
    of_pair = np.broadcast_to(split.sum(axis=join, keepdims=True), split.shape).reshape(x.shape)
    unit = UNITS["f8"] if dtype == "f8" else UNITS["f4"]
    bound = 3 * unit * of_pair + (UNITS["f2"] * np.abs(want) + 2.0**-25 if dtype == "f2" else 0)
    assert (np.abs(rotate(x, *table, layout=layout) - want) <= bound).all()


@given(st.integers(-(2**40), 2**40), PAIRS, BASES)
def test_tables_are_within_their_bound(position, pairs, base):
    inv_freq = inverse_frequencies(2 * pairs, base)
    angle = np.longdouble(position) * inv_freq.astype("g")
    for got, want in zip(cos_sin(position, inv_freq), (np.cos(angle), np.sin(angle)), strict=True):
        assert (np.abs(got - want) <= np.abs(angle) * 2.0**-52 + 2.0**-51).all()


@given(SEEDS, st.integers(1, 6), st.integers(1, 9), st.sampled_from(["default", "dynamic", "longrope"]), st.data())
def test_decoding_equals_prefill(seed, prompt, steps, kind, data):
    lists = {"short_factor": [1.0, 1.5], "long_factor": [2.0, 8.0]}
    config = {
        "head_dim": 4,
        "max_position_embeddings": 16,
        "original_max_position_embeddings": 4,
        "rope_scaling": None if kind == "default" else {"rope_type": kind, "factor": 4.0, **lists},
    }
    rope = ropelib.from_config(config)
    pad, length = data.draw(st.integers(0, 3)), prompt + steps
    q, k, v = normal(seed, 3, 1, 2, pad + length, 4)
    k = k[:, : data.draw(st.sampled_from([1, 2]))]
    v = v[:, : k.shape[1]]
    window = data.draw(st.sampled_from([None, 1, 3]))
    tokens = np.arange(pad + length)[None] >= pad
    cache = ropelib.KVCache(rope, window)
    cache.attend(*(a[:, :, : pad + prompt] for a in (q, k, v)), tokens=tokens[:, : pad + prompt])
    for i in range(pad + prompt, pad + length):
        output, weights = cache.attend(*(a[:, :, i : i + 1] for a in (q, k, v)))
    full = [a[:, :, pad:] for a in (q, k, v)]
    mask = ropelib.causal_mask(length, length) if window is None else ropelib.sliding_mask(length, length, window)
    want, want_weights = ropelib.attend(rope.rotate(full[0]), rope.rotate(full[1]), full[2], mask=mask)
    np.testing.assert_allclose(output[:, :, -1], want[:, :, -1], rtol=0, atol=1e-12)
    seen = min(length, weights.shape[-1])
    np.testing.assert_allclose(weights[:, :, -1, -seen:], want_weights[:, :, -1, -seen:], rtol=0, atol=1e-12)
    assert window is None or cache.order.tolist() == [list(range(max(length - window, 0), length))]


@given(st.integers(2, 6).map(lambda n: 2**n), st.integers(2, 600), st.booleans(), st.integers(-1000, 1000))
def test_t5_buckets_are_the_formula_in_whole_numbers(buckets, max_distance, bidirectional, relative):
    side = buckets // 2 if bidirectional else buckets
    exact = side // 2
    if exact == 0 or max_distance <= exact:
        return
    n = abs(relative) if bidirectional else max(-relative, 0)
    want = n if n < exact else exact
    if n >= exact:
        while want < side - 1 and n ** (side - exact) * exact ** (want + 1 - exact) >= (
            max_distance ** (want + 1 - exact) * exact ** (side - exact)
        ):
            want += 1
    want += side if bidirectional and relative > 0 else 0
    got = ropelib.t5_bucket(relative, buckets=buckets, max_distance=max_distance, bidirectional=bidirectional)
    assert got == want
