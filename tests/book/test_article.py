"""Numbers of the source article's program, from running it as printed."""

import numpy as np

import ropelib
from ropelib.book import article


def test_the_data_have_the_shapes_of_the_article_and_leave_the_global_state_alone():
    kept = np.random.get_state()[1].copy()
    q, k = article.data(0)
    assert q.shape == k.shape == (100, 50)
    assert not np.array_equal(q, k)
    np.testing.assert_array_equal(np.random.get_state()[1], kept)
    np.testing.assert_array_equal(article.data(0), (q, k))


def test_the_article_mixes_q_and_k_and_knows_no_position():
    q, k = article.data(0)
    plain, mixed = article.similarity(q, k), article.similarity(*article.rotary_nd(q, k))
    assert (round(mixed.std(), 3), round(plain.std(), 3)) == (0.685, 0.670)
    shuffle = np.random.default_rng(1).permutation(100)
    again = article.rotary_nd(q[shuffle], k[shuffle])
    np.testing.assert_allclose(article.similarity(*again), mixed[shuffle], atol=1e-12)


def test_the_repair_sees_distance_alone():
    q, k = article.data(0)
    here, there = (np.dot(a, b.T) for a, b in (article.rope_nd(q, k), article.rope_nd(q, k, offset=1000)))
    np.testing.assert_allclose(here, there, rtol=0, atol=1e-10)
    same = article.by_distance(*article.rope_nd(np.ones((100, 50)), np.ones((100, 50))))
    want = 2 * np.cos(np.outer(np.arange(100), ropelib.inverse_frequencies(50))).sum(axis=1)
    np.testing.assert_allclose(same, want, rtol=0, atol=1e-12)


def test_the_repair_adds_its_offset_to_every_position():
    q, k = article.data(0)
    theta = ropelib.inverse_frequencies(50)
    want = ropelib.rotate(q, *ropelib.cos_sin(np.arange(1000, 1100), theta), layout="interleaved")
    np.testing.assert_allclose(article.rope_nd(q, k, offset=1000)[0], want, rtol=0, atol=1e-12)


def test_at_distance_one_the_key_comes_first():
    q, k = article.data(0)
    np.testing.assert_allclose(article.by_distance(q, k)[1], np.sum(q[1:] * k[:-1], axis=-1).mean(), rtol=0, atol=1e-12)
