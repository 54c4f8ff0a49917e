"""The numbers that a scene computes in the page are ropelib's."""

import numpy as np
import pytest

import ropelib
from ropelib.book import scenes

Q, K, THETA = 1.5 * np.array([0.96, 0.28]), 2.0 * np.array([0.28, 0.96]), np.pi / 12


def maths(kind):
    return f"ropescenes.kinds['{kind}'].maths"


def test_two_hands_score_as_ropelib_rotates(js):
    table = ropelib.cos_sin(np.arange(20), [THETA])
    q, k = (ropelib.rotate(np.broadcast_to(v, (20, 2)), *table, layout="interleaved") for v in (Q, K))
    places = "Array.from({length: 400}, (_, i) => [Math.floor(i / 20), i % 20])"
    found = js(f"{places}.map(([m, n]) => {maths('two-hands')}.score({Q.tolist()}, {K.tolist()}, m, n, {THETA}))")
    np.testing.assert_allclose(np.reshape(found, (20, 20)), q @ k.T, atol=1e-12)


def test_two_hands_says_what_ropelib_says(js):
    facts = repr(scenes.scene("two-hands"))
    assert "(7, 4): 2.9291; (16, 13): 2.9291; (16, 15): 2.2126; highest at distance 4" in facts
    first, second = js("ropescenes.kinds['two-hands'].questions(held('two-hands', first('two-hands'))).map((q) => q.answer)")
    assert "2.93" in first and "from 2.93 to 2.21" in second
    free = js("ropescenes.kinds['two-hands'].free(held('two-hands', after('two-hands', first('two-hands'), 'free', 'sweep')))[0]")
    assert "highest at distance 4" in free


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"query": 11}, "query: got 11, expected 0 to 10"),
        ({"key": -1}, "key: got -1, expected 0 to 10"),
        ({"query": 5, "key": 4}, "query, key: got 5 and 4"),
        ({"q": [1, 2, 3]}, r"q: got shape \(3,\), expected a vector of two numbers"),
        ({"k": [0, 0]}, "k: got shape"),
        ({"k": [1.92, 0.56]}, "the scene asks where it falls"),
        ({"q": [float("nan"), 1]}, "q must be finite"),
    ],
)
def test_two_hands_refuses_what_would_make_its_answers_false(data, fault):
    with pytest.raises(ValueError, match=fault):
        scenes.scene("two-hands", **data)


def listed(kind, call):
    return f"{maths(kind)}.{call}"


@pytest.mark.parametrize("base", [100, 1e4, 5e5, 1e7])
@pytest.mark.parametrize("length", [128, 4096, 2**20])
def test_clocks_count_as_ropelib(base, length, js):
    speeds, own = ropelib.inverse_frequencies(128, base), listed("clocks", f"speeds(128, {base})")
    np.testing.assert_allclose(js(own), speeds, rtol=1e-13)
    assert js(listed("clocks", f"never({own}, {length})")) == 64 - ropelib.critical_dimension(128, length, base) // 2
    for p in (1, length // 2, length, length + 1, 8000, 3 * length):
        rest = np.mod(p * speeds, 2 * np.pi)
        assert js(f"{own}.map((v) => {maths('clocks')}.strange({p}, v, {length}))") == list((p > length) & (rest > length * speeds))
        cos, _ = ropelib.cos_sin(p, speeds)
        assert abs(js(listed("clocks", f"mean({p}, {own})")) - cos.mean()) < 1e-9


def test_clocks_say_what_ropelib_says(js):
    first, second = js("ropescenes.kinds.clocks.questions(held('clocks', first('clocks'))).map((q) => q.answer)")
    assert "33 hands now never finish, before it was 18" in first and "14 slow hands" in second
    assert "18 of 64 never finish a turn in 4096, 33 with base 1e6; at 8000 14" in repr(scenes.scene("clocks"))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"head_dim": 64}, "head_dim: got 64, expected 128"),
        ({"base": 1e6}, "base: got 1000000.0, expected 100 to 100 000"),
        ({"base": 12_345}, "two digits"),
        ({"length": 4000}, "length: got 4000, expected a power of two"),
        ({"length": 8192}, "length: got 8192"),
        ({"position": 5000}, "position: got 5000, expected 1 to 4096"),
    ],
)
def test_clocks_refuse_what_they_cannot_show(data, fault):
    with pytest.raises(ValueError, match=fault):
        scenes.scene("clocks", **data)
