"""attend, biases and the cache against the formula written out, on random vectors."""

import numpy as np
import pytest

import ropelib

S, D = 9, 64
RNG = np.random.default_rng(10)
q, k, v = RNG.normal(size=(3, S, D))
rope = ropelib.Rope(ropelib.inverse_frequencies(D))


def by_hand(q, k, v, allowed, scale=D**-0.5, bias=0.0):
    out = np.zeros((len(q), v.shape[-1]))
    for i, row in enumerate(np.broadcast_to(allowed, (len(q), len(k)))):
        if row.any():
            scores = scale * (k[row] @ q[i]) + np.broadcast_to(bias, (len(q), len(k)))[i, row]
            weights = np.exp(scores - scores.max())
            out[i] = weights @ v[row] / weights.sum()
    return out


def one_by_one(cache, *qkv):
    return np.array([cache.attend(*(x[None, None, [m]] for x in qkv))[0][0, 0, 0] for m in range(len(qkv[0]))])


@pytest.mark.parametrize("mask", [ropelib.causal_mask(S, S), ropelib.sliding_mask(S, S, 4), ropelib.packed_mask([0, 3, S])])
def test_attend_is_the_formula(mask):
    assert np.abs(ropelib.attend(q, k, v, mask=mask)[0] - by_hand(q, k, v, mask)).max() < 1e-12
    bias = RNG.normal(size=(S, S))
    got = ropelib.attend(q, k, v[:, :3], mask=mask, scale=0.3, bias=bias)[0]
    assert np.abs(got - by_hand(q, k, v[:, :3], mask, 0.3, bias)).max() < 1e-12


def test_rope_counts_from_zero_and_its_factors_multiply():
    assert np.array_equal(rope.rotate(q), rope.rotate(q, np.arange(S)))
    doubled = ropelib.Rope(rope.inv_freq, attention_factor=2.0)
    assert np.abs(doubled.rotate(q) - 2 * rope.rotate(q)).max() < 1e-12
    sharper = ropelib.KVCache(ropelib.Rope(rope.inv_freq, softmax_factor=2.0))
    want = by_hand(2 * rope.rotate(q), rope.rotate(k), v, ropelib.causal_mask(S, S))
    assert np.abs(sharper.attend(q[None, None], k[None, None], v[None, None])[0][0, 0] - want).max() < 1e-12


@pytest.mark.parametrize("window", [None, 4])
def test_a_cache_fed_one_by_one_is_the_formula(window):
    mask = ropelib.causal_mask(S, S) if window is None else ropelib.sliding_mask(S, S, window)
    got = one_by_one(ropelib.KVCache(rope, window=window), q, k, v)
    assert np.abs(got - by_hand(rope.rotate(q), rope.rotate(k), v, mask)).max() < 1e-12


def test_a_cache_turns_all_keys_for_the_present_length():
    growing = ropelib.from_config(
        {"head_dim": D, "rope_theta": 1e4, "max_position_embeddings": 4, "rope_scaling": {"rope_type": "dynamic", "factor": 4.0}}
    )
    got = one_by_one(ropelib.KVCache(growing), q, k, v)
    for m in range(S):
        inv_freq, _ = ropelib.dynamic_ntk(D, factor=4.0, seq_len=m + 1, max_position_embeddings=4)
        now = ropelib.Rope(inv_freq)
        want = by_hand(now.rotate(q[: m + 1])[m:], now.rotate(k[: m + 1]), v[: m + 1], True)
        assert np.abs(got[m] - want).max() < 1e-12


def test_filler_is_not_seen_and_does_not_lengthen_a_text():
    real = np.array([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1]], bool)
    batch = RNG.normal(size=(3, 2, 1, 6, D))
    growing = ropelib.from_config(
        {"head_dim": D, "rope_theta": 1e4, "max_position_embeddings": 2, "rope_scaling": {"rope_type": "dynamic", "factor": 4.0}}
    )
    for turns in (rope, growing):
        padded, alone = ropelib.KVCache(turns), ropelib.KVCache(turns)
        got = padded.attend(*batch[..., :5, :], tokens=real)[0][1, 0, 2:]
        assert np.abs(got - alone.attend(*batch[:, 1:, :, 2:5])[0][0, 0]).max() < 1e-12
    cache = ropelib.KVCache(rope)
    prompt, _ = cache.attend(*batch[..., :5, :], tokens=real)
    assert not prompt[1, 0, :2].any(), "filler sees nothing"
    new, _ = cache.attend(*batch[..., 5:, :])
    want = by_hand(*(rope.rotate(x[1, 0, 2:]) for x in batch[:2]), batch[2, 1, 0, 2:], ropelib.causal_mask(4, 4))
    assert np.abs(new[1, 0, 0] - want[3]).max() < 1e-12
    assert cache.positions.tolist() == [[0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 2, 3]]


def test_biases_look_at_distance():
    slopes = 2.0 ** (-8 * np.arange(1, 9) / 8)
    distance = np.abs(np.subtract.outer(np.arange(S), np.arange(S)))
    assert np.abs(ropelib.alibi_bias(8, S, S) + slopes[:, None, None] * distance).max() < 1e-15
    assert np.abs(ropelib.alibi_bias(8, 1, 5)[0] - [[-2, -1.5, -1, -0.5, 0]]).max() < 1e-15, "built over the whole of the past"
    r = np.arange(200)
    bucket = ropelib.t5_bucket(-r, bidirectional=False)
    assert bucket[:16].tolist() == list(range(16)) and np.array_equal(bucket == 31, r >= 113)
    assert ropelib.t5_bucket([-1, 0, 1], bidirectional=True).tolist() == [1, 0, 17]
    scores = RNG.normal(size=(3, 5))
    assert np.abs(ropelib.softmax(scores + 1000) - ropelib.softmax(scores)).max() < 1e-12
