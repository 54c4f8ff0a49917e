"""Maps of relative position, against their formulas one pair at a time, and attention under them."""

import numpy as np
import pytest

import ropelib

MAPS = {
    "ReRoPE": (ropelib.rerope_map, {"window": 4}),
    "leaky": (ropelib.rerope_map, {"window": 4, "leak": 2.5}),
    "SelfExtend": (ropelib.self_extend_map, {"window": 6, "group": 3}),
    "Dual Chunk": (ropelib.dual_chunk_map, {"chunk": 5, "trained": 8}),
}


def formula(name, i, j):
    """The published formulas, for one query and one key."""
    r = i - j
    if name == "ReRoPE":
        return min(r, 4)
    if name == "leaky":
        return r if r < 4 else 4 + (r - 4) / 2.5
    if name == "SelfExtend":
        return r if r < 6 else i // 3 - j // 3 + 6 - 6 // 3
    past, p, key = i // 5 - j // 5, i % 5, j % 5
    return (p if past == 0 else min(p + 5, 7) if past == 1 else 7) - key


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("q_len, k_len", [(23, 23), (1, 23), (4, 23), (23, 4), (0, 3), (3, 0)])
def test_every_pair(name, q_len, k_len):
    make, settings = MAPS[name]
    passes = make(q_len, k_len, **settings)
    relative, start = ropelib.relative_positions(passes), k_len - q_len
    want = [[formula(name, i + start, j) if j <= i + start else np.nan for j in range(k_len)] for i in range(q_len)]
    np.testing.assert_allclose(relative, np.reshape(want, (q_len, k_len)), rtol=0, atol=1e-12)
    assert not np.sum([pairs for pairs, _, _ in passes], axis=0).max(initial=0) > 1  # no pair is served twice


def test_numbers_of_16384_tokens():
    last = lambda passes: ropelib.relative_positions(passes)[0, ::-1]  # noqa: E731 - of the last query, by true distance
    grouped = last(ropelib.self_extend_map(1, 16_384, 1024, 8))
    assert grouped.max() == 2943 and (np.diff(grouped) >= 0).all() and grouped[1024] - grouped[1023] == 1
    assert last(ropelib.self_extend_map(1, 16_384, 1024, 4)).max() == 4863
    assert last(ropelib.rerope_map(1, 16_384, 1024)).max() == 1024
    assert last(ropelib.rerope_map(1, 16_384, 1024, leak=8)).max() == pytest.approx(2943.875, abs=1e-9)


def test_dual_chunk_is_exact_up_to_the_trained_length_minus_a_chunk_and_never_reaches_the_former():
    relative = ropelib.relative_positions(ropelib.dual_chunk_map(200, 200, 48, 64))
    true = np.subtract.outer(np.arange(200), np.arange(200))
    near = (true >= 0) & (true <= 64 - 48)
    np.testing.assert_array_equal(relative[near], true[near])
    assert np.nanmax(relative) == 63 and np.nanmin(relative) == 0
    assert (np.diff(relative[-1, ::-1]) < 0).any()  # farther, and yet nearer


@pytest.mark.parametrize("name", MAPS)
def test_attention_is_that_of_each_pair_turned_by_its_relative_position(name):
    make, settings = MAPS[name]
    random = np.random.default_rng(0)
    q, k, v = random.normal(size=(2, 6, 3, 8)), random.normal(size=(2, 2, 17, 8)), random.normal(size=(2, 2, 17, 5))
    rope = ropelib.Rope(ropelib.inverse_frequencies(8), attention_factor=1.2, softmax_factor=1.5, layout="half")
    passes = make(3, 17, **settings)
    output, weights = ropelib.attend_mapped(q, k, v, rope, passes)
    relative = ropelib.relative_positions(passes)
    k, v = (a.repeat(3, axis=1) for a in (k, v))
    scores = np.full((2, 6, 3, 17), -np.inf)
    for i, j in np.argwhere(~np.isnan(relative)):
        turned = rope.rotate(q[:, :, i : i + 1], [relative[i, j]])[:, :, 0]
        scores[:, :, i, j] = 1.5 / 8**0.5 * 1.2 * (turned * k[:, :, j]).sum(-1)
    want = ropelib.softmax(scores)
    np.testing.assert_allclose(weights, want, rtol=0, atol=1e-12)
    np.testing.assert_allclose(output, want @ v, rtol=0, atol=1e-12)


def test_a_map_that_changes_nothing_is_plain_attention():
    random = np.random.default_rng(1)
    q, k, v = random.normal(size=(3, 9, 4)).astype(np.float32)
    rope = ropelib.Rope(ropelib.inverse_frequencies(4))
    want = ropelib.attend(rope.rotate(q), rope.rotate(k), v, mask=ropelib.causal_mask(9, 9))
    for passes in (ropelib.rerope_map(9, 9, 9), ropelib.self_extend_map(9, 9, 2, 1), ropelib.dual_chunk_map(9, 9, 9, 9)):
        got = ropelib.attend_mapped(q, k, v, rope, passes)
        assert got[0].dtype == got[1].dtype == np.float32
        for one, other in zip(got, want, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-6)


def test_scale_and_lists_of_own_passes():
    rope = ropelib.Rope(ropelib.inverse_frequencies(4))
    own = [[[[True, True]], [3], [0, 1.5]]]
    with pytest.raises(TypeError, match="passes must be a sequence of Pass"):
        ropelib.relative_positions(own)
    own = [tuple(own[0])]
    np.testing.assert_array_equal(ropelib.relative_positions(own), [[3, 1.5]])
    q, k, v = np.ones((1, 4)), np.ones((2, 4)), np.eye(2)
    _, weights = ropelib.attend_mapped(q, k, v, rope, own, scale=0.0)
    np.testing.assert_array_equal(weights, [[0.5, 0.5]])


@pytest.mark.parametrize(
    "make, arguments, words",
    [
        (ropelib.rerope_map, (3, 3, 0), "window must be at least 1, got 0"),
        (ropelib.rerope_map, (3, 3.0, 1), "k_len must be an integer, got 3.0"),
        (ropelib.self_extend_map, (9, 9, 4, 3), "window must be a multiple of group, got 4 and 3"),
        (ropelib.self_extend_map, (9, 9, 4, True), "group must be an integer, got True"),
        (ropelib.dual_chunk_map, (9, 9, 5, 4), "chunk must be at most trained, 4, got 5"),
        (ropelib.dual_chunk_map, (-1, 9, 4, 5), "q_len must be at least 0, got -1"),
        (ropelib.longrope_temperature, (2, 1), "original_max_position_embeddings must be greater than 1, got 1"),
        (ropelib.longrope_temperature, (0, 4096), "factor must be greater than 0, got 0"),
    ],
)
def test_refused(make, arguments, words):
    with pytest.raises(ValueError, match=words):
        make(*arguments)


def test_a_leak_that_would_stretch_is_refused():
    with pytest.raises(ValueError, match=r"leak must be at least 1, got 0\.5"):
        ropelib.rerope_map(3, 3, 1, leak=0.5)


@pytest.mark.parametrize(
    "change, error, words",
    [
        ({"rope": np.ones(2)}, TypeError, "rope must be a Rope, got ndarray"),
        ({"rope": ropelib.Rope(np.ones(2), by_length=lambda n: (np.ones(2), 1.0))}, ValueError, "not depend on the length"),
        ({"rope": ropelib.Rope(np.ones(2), rotates_values=True)}, ValueError, "leave values alone"),
        ({"passes": ropelib.rerope_map(3, 4, 1)}, ValueError, "passes must be for 3 queries and 3 keys"),
        ({"passes": ()}, ValueError, "one Pass or more"),
        ({"passes": 3}, TypeError, "passes must be a sequence of Pass, got int"),
        ({"passes": [(np.eye(3), np.zeros(3), np.zeros(3))]}, TypeError, "pairs must hold booleans in two axes"),
        ({"passes": [(np.eye(3) > 0, np.zeros(2), np.zeros(3))]}, ValueError, "every Pass must be for the same 3 queries"),
        ({"scale": "1"}, TypeError, "scale must be a number"),
        ({"v": np.ones((2, 4))}, ValueError, "the same heads and length"),
    ],
)
def test_attention_refuses(change, error, words):
    x = np.ones((3, 4))
    given = {"q": x, "k": x, "v": x, "rope": ropelib.Rope(np.ones(2)), "passes": ropelib.rerope_map(3, 3, 1), **change}
    with pytest.raises(error, match=words):
        ropelib.attend_mapped(**given)
