"""KVCache: a step at a time gives what all at once gives, and nothing is held that nobody will see."""

import ml_dtypes
import numpy as np
import pytest

from ropelib import KVCache, Rope, attend, causal_mask, inverse_frequencies, mrope_axes, sliding_mask
from ropelib import stepped_query_factor as stepped

ROPE = Rope(inverse_frequencies(8))
TOKEN = np.ones((1, 2, 1, 8))


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def in_steps(cache, q, k, v, cuts=None, **more):
    cuts = range(1, q.shape[-2]) if cuts is None else cuts
    parts = [np.split(a, list(cuts), axis=-2) for a in (q, k, v)]
    extra = {name: np.split(np.asarray(a), list(cuts), axis=-1) for name, a in more.items()}
    outputs = [
        cache.attend(*each, **{name: a[i] for name, a in extra.items()})[0] for i, each in enumerate(zip(*parts, strict=True))
    ]
    return np.concatenate(outputs, axis=-2)


def by_hand(rope, q, k, v, mask, positions=None):
    """Attention of rotated heads, each query with its factor."""
    q, k = rope.rotate(q, positions), rope.rotate(k, positions)
    return attend(q, k, v, mask=mask, scale=rope.softmax_factor * rope.head_dim**-0.5)[0]


def test_sinks_and_window_after_ten_tokens():
    cache = KVCache(ROPE, window=3, sinks=2, renumber=True)
    for _ in range(10):
        cache.attend(TOKEN, TOKEN, TOKEN)
    assert cache.order.tolist() == [[0, 1, 7, 8, 9]] and cache.positions.tolist() == [[0, 1, 2, 3, 4]]
    assert cache.nbytes == 2 * 5 * 2 * 8 * 8
    in_text = KVCache(ROPE, window=3, sinks=2)
    for _ in range(10):
        in_text.attend(TOKEN, TOKEN, TOKEN)
    assert in_text.order.tolist() == in_text.positions.tolist() == [[0, 1, 7, 8, 9]]


@pytest.mark.parametrize("cuts", [None, [4], [1, 2, 11], []])
@pytest.mark.parametrize("sinks, window", [(0, 3), (2, 3), (1, 1), (4, 6), (3, 20)])
@pytest.mark.parametrize("layout, start", [("half", 0), ("interleaved", 4)])
def test_positions_inside_the_cache_are_those_of_each_query_alone(cuts, sinks, window, layout, start):
    """However the text is cut, each query sees sinks and window, numbered as if they were the whole text."""
    rope = Rope(inverse_frequencies(8), 1.2, 0.7, head_dim=12, layout=layout, rotary_start=start)
    q, k, v = normal(3, 1, 4, 12, 12)
    k, v = k[:, :2], v[:, :2]
    cache = KVCache(rope, window, sinks=sinks, renumber=True)
    got = in_steps(cache, q, k, v, cuts)
    for i in range(12):
        seen = [j for j in range(i + 1) if j < sinks or i - j < window]
        n = np.arange(len(seen))
        one = rope.rotate(q[:, :, i : i + 1], n[-1:])
        want, _ = attend(one, rope.rotate(k[:, :, seen], n), v[:, :, seen], scale=0.7 * 12**-0.5)
        np.testing.assert_allclose(got[:, :, i : i + 1], want, rtol=0, atol=1e-12)
    assert cache.order.tolist() == [seen] and cache.positions.tolist() == [n.tolist()]


def test_padded_rows_hold_what_each_needs():
    cache = KVCache(ROPE, window=2, sinks=1)
    tokens = np.array([[0, 0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0, 0], [0, 1, 0, 1, 0, 1, 1]], bool)
    q, k, v = normal(3, 3, 2, 7, 8)
    got = in_steps(cache, q, k, v, [3, 4, 6], tokens=tokens)
    for row, held in enumerate(tokens):
        alone = KVCache(ROPE, window=2, sinks=1)
        want = in_steps(alone, *(a[row : row + 1, :, held] for a in (q, k, v)))
        np.testing.assert_allclose(got[row, :, held], want[0].swapaxes(0, 1), rtol=0, atol=1e-12)
        mine = cache.order[row]
        wanted = alone.order[0].tolist()
        assert [n for n in mine if n in wanted] == wanted and set(mine) - {-1} <= set(range(held.sum()))
    assert cache.positions.shape == cache.order.shape == (3, 7)
    assert cache.order[0].tolist() == [-1, -1, 0, 1, 2, 3, 4]


def test_a_row_that_has_ended_lets_the_others_go_on():
    cache, x = KVCache(ROPE, window=3), np.ones((2, 2, 1, 8))
    for i in range(50):
        cache.attend(x, x, x, tokens=[[True], [i < 5]])
    assert cache.order.shape == (2, 6)
    assert cache.order[1].tolist() == [2, 3, 4, -1, -1, -1]


def test_padding_takes_no_place_without_a_window():
    cache = KVCache(ROPE)
    x = np.ones((2, 2, 3, 8))
    cache.attend(x, x, x, tokens=[[0, 1, 1], [1, 1, 1]])
    np.testing.assert_array_equal(cache.positions, [[0, 0, 1], [0, 1, 2]])
    np.testing.assert_array_equal(cache.order, [[-1, 0, 1], [0, 1, 2]])
    cache.attend(*[x[:, :, :1]] * 3)
    np.testing.assert_array_equal(cache.positions, [[0, 0, 1, 2], [0, 1, 2, 3]])


def test_several_axes_go_on_after_an_image():
    rope = Rope(inverse_frequencies(8), axes=mrope_axes([2, 1, 1]))
    image = np.array([[[0, 1, 1, 1, 1, 3]], [[0, 1, 1, 2, 2, 3]], [[0, 1, 2, 1, 2, 3]]])
    q, k, v = normal(3, 1, 2, 9, 8)
    cache = KVCache(rope)
    first = cache.attend(*(a[:, :, :6] for a in (q, k, v)), positions=image)[0]
    rest = in_steps(cache, *(a[:, :, 6:] for a in (q, k, v)))
    positions = np.concatenate([image, np.broadcast_to([4, 5, 6], (3, 1, 3))], axis=-1)
    want = by_hand(rope, q, k, v, causal_mask(9, 9), positions)
    np.testing.assert_allclose(np.concatenate([first, rest], axis=-2), want, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(cache.positions, positions)
    assert cache.order.tolist() == [list(range(9))]
    text = KVCache(rope)
    np.testing.assert_allclose(in_steps(text, q, k, v), by_hand(rope, q, k, v, causal_mask(9, 9)), rtol=0, atol=1e-12)


def test_a_window_over_several_axes_counts_tokens():
    rope = Rope(inverse_frequencies(8), axes=[0, 1, 0, 1])
    positions = np.array([[[0, 5, 5, 5, 9]], [[0, 5, 6, 7, 9]]])
    q, k, v = normal(3, 1, 2, 5, 8)
    got = in_steps(KVCache(rope, window=2), q, k, v, positions=positions)
    np.testing.assert_allclose(got, by_hand(rope, q, k, v, sliding_mask(5, 5, 2), positions), rtol=0, atol=1e-12)


def test_positions_that_are_given_may_be_any_numbers():
    q, k, v = normal(3, 1, 2, 4, 8)
    positions = np.array([[-2.5, 0.0, 7.0, 3.0]])
    cache = KVCache(ROPE)
    got = in_steps(cache, q, k, v, positions=positions)
    np.testing.assert_allclose(got, by_hand(ROPE, q, k, v, causal_mask(4, 4), positions), rtol=0, atol=1e-12)
    cache.attend(TOKEN, TOKEN, TOKEN)
    np.testing.assert_array_equal(cache.positions, [[-2.5, 0.0, 7.0, 3.0, 8.0]])


def test_queries_have_their_factor():
    rope = Rope(inverse_frequencies(8), by_position=lambda p: stepped(p, length=2, beta=3.0))
    q, k, v = normal(3, 1, 2, 6, 8)
    want = by_hand(rope, q * rope.query_factor(np.arange(6))[:, None], k, v, causal_mask(6, 6))
    np.testing.assert_allclose(in_steps(KVCache(rope), q, k, v), want, rtol=0, atol=1e-12)
    small = KVCache(rope).attend(*(a.astype("f2") for a in (q, k, v)))[0]
    assert small.dtype == np.float16
    capped = KVCache(rope, window=2, sinks=1, renumber=True)
    in_steps(capped, q, k, v)
    far = capped.attend(*(a[:, :, :1] for a in (q, k, v)))[0]
    near = KVCache(Rope(rope.inv_freq), window=2, sinks=1, renumber=True)
    in_steps(near, q, k, v)
    scaled = q[:, :, :1] * rope.query_factor(2)
    np.testing.assert_allclose(far, near.attend(scaled, k[:, :, :1], v[:, :, :1])[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("start", [0, 4])
def test_values_that_rotate_are_turned_back(start):
    rope = Rope(inverse_frequencies(8), head_dim=12, rotary_start=start, layout="interleaved", rotates_values=True)
    q, k, v = normal(3, 1, 2, 6, 12)
    _, weights = attend(rope.rotate(q), rope.rotate(k), v, mask=causal_mask(6, 6))
    want = rope.unrotate(weights @ rope.rotate(v))
    np.testing.assert_allclose(in_steps(KVCache(rope), q, k, v), want, rtol=0, atol=1e-12)


def test_heads_that_rotate_in_part_or_not_at_all_or_the_other_way():
    q, k, v = normal(3, 1, 2, 6, 12)
    for rope in (
        Rope(inverse_frequencies(8), head_dim=12, rotary_start=4),
        Rope([], head_dim=12),
        Rope(inverse_frequencies(8), head_dim=12, direction=-1, layout="interleaved"),
    ):
        want = by_hand(rope, q, k, v, causal_mask(6, 6))
        np.testing.assert_allclose(in_steps(KVCache(rope), q, k, v), want, rtol=0, atol=1e-12)
    still = attend(q, k, v, mask=causal_mask(6, 6))[0]
    np.testing.assert_allclose(in_steps(KVCache(Rope([], head_dim=12)), q, k, v), still, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", ["f2", "f4", ml_dtypes.bfloat16])
def test_what_is_held_keeps_its_dtype_and_says_its_size(dtype):
    cache, x = KVCache(ROPE), np.ones((3, 2, 5, 8), dtype)
    assert cache.nbytes == 0
    output, weights = cache.attend(x, x, x[..., :6])
    assert output.dtype == weights.dtype == x.dtype
    assert cache.nbytes == 3 * 2 * 5 * (8 + 6) * x.itemsize
    window = KVCache(ROPE, window=2, sinks=1, renumber=True)
    for _ in range(3):
        assert window.attend(x, x, x)[0].dtype == x.dtype
    assert window.nbytes == 3 * 2 * 3 * 16 * x.itemsize


def test_an_empty_cache_and_an_empty_step():
    cache = KVCache(ROPE, window=2)
    assert cache.positions.shape == cache.order.shape == (0, 0)
    none = np.ones((1, 2, 0, 8))
    assert cache.attend(none, none, none)[0].shape == (1, 2, 0, 8)
    cache.attend(TOKEN, TOKEN, TOKEN)
    output, weights = cache.attend(none, none, none)
    assert output.shape == (1, 2, 0, 8) and weights.shape == (1, 2, 0, 1)
    assert cache.positions.tolist() == [[0]]
    padding = KVCache(ROPE, window=2)
    padding.attend(TOKEN, TOKEN, TOKEN, tokens=[[False]])
    assert padding.order.shape == (1, 0) and padding.attend(TOKEN, TOKEN, TOKEN)[1].tolist() == [[[[1.0]], [[1.0]]]]
    assert padding.positions.tolist() == [[0]]


def test_what_a_cache_holds_is_its_own():
    weights = []
    for change in (1.0, 9.0):
        cache, new = KVCache(Rope(inverse_frequencies(4))), np.ones((1, 1, 1, 4))
        key = new.copy()
        cache.attend(new, key, new)
        key[:] = change
        cache.order[:] = cache.positions[:] = 7
        weights.append(cache.attend(new, new, new)[1])
    np.testing.assert_array_equal(*weights)


@pytest.mark.parametrize(
    "change, words",
    [
        (
            {"k": np.ones((1, 3, 1, 8))},
            "k must fit what the cache holds, float64 of shape .1, 2, 1, 8., got float64 of shape .1, 3, 1, 8.",
        ),
        ({"k": np.ones((2, 2, 1, 8))}, "q, k and v must have shapes"),
        ({"q": np.ones((2, 2, 1, 8)), "k": np.ones((2, 2, 1, 8)), "v": np.ones((2, 2, 1, 8))}, "k must fit what the cache holds"),
        ({"k": np.ones((1, 2, 1, 6))}, "k must have the 8 channels of a head, got 6"),
        ({"q": np.ones((1, 2, 1, 16))}, "q must have the 8 channels of a head, got 16"),
        ({"v": np.ones((1, 2, 1, 5))}, "v must fit what the cache holds"),
        ({"v": np.ones((1, 3, 1, 8))}, "v must fit what the cache holds"),
        ({"q": np.ones((1, 3, 1, 8))}, "a multiple of its heads"),
        ({"q": np.ones((2, 8))}, "q, k and v must have shapes"),
        ({"k": np.ones((1, 2, 1, 8), complex)}, "k must hold real numbers"),
        ({"tokens": [[1, 1]]}, r"tokens must have shape \(B, S\) = \(1, 1\), got \(1, 2\)"),
        ({"tokens": [[2]]}, "tokens must be an array of booleans"),
        ({"tokens": [[0.5]]}, "tokens must hold booleans"),
        ({"positions": [1]}, r"positions must have shape \(1, 1\), got \(1,\)"),
        ({"positions": [[np.nan]]}, "positions must be finite"),
        ({"positions": [[True]]}, "positions must hold real numbers"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_cache_stays_as_it_was(change, words):
    cache = KVCache(ROPE)
    cache.attend(TOKEN, TOKEN, TOKEN)
    with pytest.raises(ValueError, match=words):
        cache.attend(**{"q": TOKEN, "k": TOKEN, "v": TOKEN, **change})
    np.testing.assert_array_equal(cache.positions, [[0]])
    assert cache.attend(TOKEN, TOKEN, TOKEN)[1].shape == (1, 2, 1, 2)


@pytest.mark.parametrize("channels", [16, 4])
def test_a_head_is_whole(channels):
    cache = KVCache(Rope(inverse_frequencies(4), head_dim=8))
    with pytest.raises(ValueError, match=f"q must have the 8 channels of a head, got {channels}"):
        cache.attend(*[np.ones((1, 2, 1, channels))] * 3)
    values = KVCache(Rope([1.0], head_dim=8, rotates_values=True))
    with pytest.raises(ValueError, match=f"v must have the 8 channels of a head, got {channels}"):
        values.attend(TOKEN, TOKEN, np.ones((1, 2, 1, channels)))


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"rope": None}, "rope must be a Rope, got NoneType"),
        ({"rope": ROPE, "window": 0}, "window must be at least 1"),
        ({"rope": ROPE, "window": 2.0}, "window must be an integer"),
        ({"rope": ROPE, "window": 2, "sinks": -1}, "sinks must be at least 0"),
        ({"rope": ROPE, "window": 2, "renumber": 1}, "renumber must be True or False"),
        ({"rope": ROPE, "sinks": 1}, "window must be given where there are sinks or new numbers"),
        ({"rope": ROPE, "renumber": True}, "window must be given where there are sinks or new numbers"),
        ({"rope": Rope([1.0, 1.0], axes=[0, 1]), "window": 2, "renumber": True}, "renumber needs a rope with one axis"),
        ({"rope": Rope([1.0], by_length=lambda n: ([1.0], 1.0)), "window": 2, "renumber": True}, "renumber needs a rope"),
        ({"rope": Rope([1.0, 1.0], axes=[0, 1], by_position=np.ones_like)}, "rope must have one axis where queries"),
        ({"rope": Rope([1.0], 2.0, rotates_values=True)}, "attention_factor must be 1 where values rotate too, got 2"),
    ],
)
def test_a_cache_that_could_not_be_right_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        KVCache(**arguments)


def test_a_cache_that_counts_takes_no_positions():
    with pytest.raises(ValueError, match="positions must not be given where the cache counts its own"):
        KVCache(ROPE, 2, renumber=True).attend(TOKEN, TOKEN, TOKEN, positions=[[0]])
    axes = KVCache(Rope([1.0, 1.0], axes=[0, 1]))
    with pytest.raises(ValueError, match=r"positions must have shape \(2, 1, 1\), got \(1, 1\)"):
        axes.attend(*[np.ones((1, 1, 1, 4))] * 3, positions=[[0]])
