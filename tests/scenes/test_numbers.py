"""The numbers that a scene computes in the page are ropelib's."""

import json
import re

import numpy as np
import pytest

import ropelib
from ropelib.book import scenes
from ropelib.book.models import experiments, load, per_pair
from ropelib.book.scenes import hold, parts, symptoms, train, verse

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


def test_two_hands_may_ask_of_the_query_alone(js):
    assert "(16, 4): -1.6128" in repr(scenes.scene("two-hands", alone=True))
    asked = "ropescenes.kinds['two-hands'].questions(held('two-hands', first('two-hands')))"
    first, second = js(f"(SCENES['two-hands'].alone = true, {asked})")
    js("delete SCENES['two-hands'].alone")
    assert "-1.61" in first["answer"].replace("\u2212", "-") and "2.93" in first["answer"]
    assert any(key.startswith("The query alone") for key in parts.keys("two-hands"))
    assert first["guess"] == 12 and "from 2.93 to 2.21" in second["answer"]


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
        ({"theta": np.pi / 4.5, "k": [-1.44, 1.39], "alone": True}, "alone: got True"),  # nine places are a turn
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
        assert js(f"{own}.map((v) => {maths('clocks')}.strange({p}, v, {length}))") == list(
            (p > length) & (rest > length * speeds)
        )


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


@pytest.mark.parametrize(("query", "key"), [(1, 1), (1, 0), (1, -1), (0, 0), (0, 1), (-1, -1)])
def test_stripes_score_as_ropelib_rotates(query, key, js):
    how = {1: "turned", 0: "none", -1: "back"}
    sides = ((Q, query), (K, key))
    q, k = (
        ropelib.rotate(np.tile(v, (24, 1)), *ropelib.cos_sin(n * np.arange(24), [THETA]), layout="interleaved") for v, n in sides
    )
    call = f"{maths('stripes')}.score({Q.tolist()}, {K.tolist()}, ['{how[query]}', '{how[key]}'], m, n, {THETA})"
    found = js(f"Array.from({{length: 24}}, (_, m) => Array.from({{length: 24}}, (_, n) => {call}))")
    np.testing.assert_allclose(found, q @ k.T, atol=1e-12)


def test_stripes_of_what_is_added(js):
    p = np.stack([np.cos(np.arange(8) * THETA), np.sin(np.arange(8) * THETA)], axis=-1)
    call = f"{maths('stripes')}.score({Q.tolist()}, {K.tolist()}, ['added', 'added'], m, n, {THETA})"
    found = js(f"Array.from({{length: 8}}, (_, m) => Array.from({{length: 8}}, (_, n) => {call}))")
    np.testing.assert_allclose(found, (Q + p) @ (K + p).T, atol=1e-12)


def test_stripes_say_what_ropelib_says(js):
    """In the builder scores are ropelib's; the answers give them with two digits."""
    said = js("ropescenes.kinds.stripes.questions(held('stripes', first('stripes'))).map((q) => q.answer)")
    facts = dict(re.findall(r"(both|query only|opposite) ([\d.]+)", repr(scenes.scene("stripes"))))
    assert facts["both"] == "0.0000"
    assert said[1].endswith(f"{float(facts['query only']):.2f}.") and said[2].endswith(f"{float(facts['opposite']):.2f}.")
    with pytest.raises(ValueError, match=r"expected 0\.5 or more"):
        scenes.scene("stripes", q=[0.1, 0], k=[0.1, 0])


@pytest.mark.parametrize("mask", [False, True])
def test_shuffle_attends_as_ropelib(mask, js):
    q, k, v = np.random.default_rng(1).normal(size=(3, 5, 16))
    for order in ([0, 1, 2, 3, 4], [2, 4, 0, 3, 1], [4, 3, 2, 1, 0]):
        slots = np.argsort(order)
        seen = ropelib.causal_mask(5, 5) if mask else None
        output, weights = ropelib.attend(q[order], k[order], v[order], mask=seen)
        own = f"{maths('shuffle')}.weights({(q @ k.T / 4).tolist()}, {slots.tolist()}, {str(mask).lower()})"
        np.testing.assert_allclose(np.array(js(own))[np.ix_(order, order)], weights, atol=1e-12)
        np.testing.assert_allclose(np.array(js(f"{maths('shuffle')}.outputs({own}, {v.tolist()})"))[order], output, atol=1e-12)


def test_shuffle_moves_one_word_and_keeps_the_rest_in_order(js):
    assert js(f"{maths('shuffle')}.move([0, 1, 2, 3, 4], 0, 4)") == [4, 0, 1, 2, 3]
    assert js(f"{maths('shuffle')}.move([4, 0, 1, 2, 3], 0, 0)") == [0, 1, 2, 3, 4]


def test_shuffle_says_what_stays_only_once_a_word_has_moved(js):
    """While it asks what becomes of the outputs, neither labels nor handles tell."""
    for name, s in js("states('shuffle')"):
        said = js(f"drawn('shuffle', {json.dumps(s)}, 686)")
        told = [len(re.findall(word, said)) for word in (">the same<", ">change ", "output the same", "output changed")]
        moved = s["slots"] != [0, 1, 2, 3, 4]
        assert moved == (s["step"] % 2 == 1 or name == "free"), name
        changed = 3 if s["mask"] else 0
        assert told == ([5 - changed, changed] * 2 if moved else [0, 0, 0, 0]), name


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"q": np.ones((5, 16)), "k": np.ones((5, 16)), "v": np.ones((5, 16))}, "expected three that do"),
        ({"q": np.ones((4, 16)), "k": np.ones((5, 16)), "v": np.ones((5, 16))}, r"q: got shape \(4, 16\)"),
        ({"words": ["a", "a", "b", "c", "d"]}, "words: got"),
    ],
)
def test_shuffle_refuses_what_would_make_its_answers_false(data, fault):
    with pytest.raises(ValueError, match=fault):
        scenes.scene("shuffle", **data)


@pytest.mark.parametrize(("period", "count"), [(12, 1), (12, 4), (7, 8), (60, 2)])
def test_circles_are_as_alike_as_sinusoids(period, count, js):
    speeds = 2 * np.pi / (period * np.sqrt(10) ** np.arange(count))
    cos, sin = ropelib.cos_sin(np.arange(48), speeds)
    likeness = (cos @ cos.T + sin @ sin.T)[0] / count
    own = f"{maths('circles')}.speeds({period}, {count})"
    np.testing.assert_allclose(js(own), speeds, rtol=1e-13)
    found = js(f"Array.from({{length: 48}}, (_, r) => {maths('circles')}.likeness(r, {own}))")
    np.testing.assert_allclose(found, likeness, atol=1e-12)


def test_circles_say_what_ropelib_says(js):
    said = js("ropescenes.kinds.circles.questions(held('circles', first('circles'))).map((q) => q.answer)")
    facts = repr(scenes.scene("circles"))
    assert "one circle 1.0000, four 0.5963; of neighbours on a slow circle 0.9945" in facts
    assert "1.00" in said[0] and "0.60" in said[1] and "0.99" in said[2]
    for data, fault in (({"period": 10}, "period: got 10"), ({"a": 9}, "a, b: got 9 and 3"), ({"a": 41, "b": 40}, "not beyond")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("circles", **data)


def complex_list(values):
    return np.stack([np.real(values), np.imag(values)], axis=-1).tolist()


@pytest.mark.parametrize("r", [0, 1, 10, 60, 100, 250])
def test_walk_is_ropelibs_score_and_roformers_bound(r, js):
    """A(r) is the mean of the partial sums; the bound is the largest drop times their sum."""
    speeds = ropelib.inverse_frequencies(128)
    cos, sin = ropelib.cos_sin(r, speeds)
    own = f"{maths('walk')}.speeds(128, 10000)"
    np.testing.assert_allclose(js(own), speeds, rtol=1e-13)
    stops = np.cumsum(cos + 1j * sin)
    np.testing.assert_allclose(js(f"{maths('walk')}.spread({r}, {own})"), np.abs(stops).sum(), rtol=1e-12)
    content = np.random.default_rng(r).normal(size=64) + 1j * np.random.default_rng(r + 1).normal(size=64)
    found = js(f"{maths('walk')}.walk({complex_list(content)}, {r}, {own})")
    np.testing.assert_allclose(found, complex_list(np.cumsum(content * (cos + 1j * sin))), atol=1e-10)
    drop = np.abs(np.diff(content, append=0)).max()
    assert js(f"{maths('walk')}.drop({complex_list(content)})") == pytest.approx(drop)
    assert np.abs((content * (cos + 1j * sin)).sum()) <= drop * np.abs(stops).sum() + 1e-9


@pytest.mark.parametrize("r", [1, 30, 100, 255])
def test_walk_touches_its_ceiling(r, js):
    own = f"{maths('walk')}.speeds(128, 10000)"
    touching = f"{maths('walk')}.touching({r}, {own})"
    score = js(f"{maths('walk')}.walk({touching}, {r}, {own}).at(-1)[0]")
    ceiling = js(f"{maths('walk')}.drop({touching}) * {maths('walk')}.spread({r}, {own})")
    assert score == pytest.approx(ceiling, rel=1e-12)
    assert js(f"{touching}.reduce((sum, z) => sum + Math.hypot(...z), 0)") == pytest.approx(64)


def walk_below(touched, r):
    """Score and ceiling at distance r of the content, 64 in all, that touches its ceiling at another."""
    turns = [np.exp(1j * at * ropelib.inverse_frequencies(128)) for at in (touched, r)]
    stops, far = map(np.cumsum, turns)
    content = np.cumsum((stops.conj() / np.abs(stops))[::-1])[::-1]
    content *= 64 / np.abs(content).sum()
    return (content * turns[1]).sum().real, np.abs(np.diff(content, append=0)).max() * np.abs(far).sum()


def test_walk_says_what_ropelib_says(js):
    said = js("ropescenes.kinds.walk.questions(held('walk', first('walk'))).map((q) => q.answer)")
    facts = repr(scenes.scene("walk"))
    found = re.search(r"score at 0, 10, 100, 250: 64.0000, [\d.]+, ([\d.]+), .*reached at 100: ([\d.]+); mean of .* 10.2", facts)
    assert f"{float(found[1]):.1f} of 64" in said[0] and f"here {float(found[2]):.1f} at distance 100" in said[1]
    assert "and 12.7 under a ceiling of 23.6 at 110" in said[1] and walk_below(100, 110) == pytest.approx((12.7, 23.6), abs=0.05)
    assert "At 60" in said[2] and "the score is 64" in said[2]
    for data, fault in (({"head_dim": 64}, "head_dim: got 64"), ({"base": 100.0}, "base: got 100"), ({"base": 1e9}, "base: got")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("walk", **data)


@pytest.mark.parametrize(("m", "n"), [(0, 0), (7, 1), (1, 7), (23, 4)])
@pytest.mark.parametrize("conjugate", [True, False])
def test_product_is_of_ropelibs_turned_vectors(m, n, conjugate, js):
    q, k = np.array([0.9, 0.5]), np.array([0.4, 1.0])
    a, b = ropelib.rotate(np.stack([q, k]), *ropelib.cos_sin([m, n], [THETA]), layout="interleaved") @ [1, 1j]
    turned = f"{maths('product')}.turn({q.tolist()}, {m * THETA}), {maths('product')}.turn({k.tolist()}, {n * THETA})"
    real, imaginary = js(f"{maths('product')}.product({turned}, {str(conjugate).lower()})")
    assert real + 1j * imaginary == pytest.approx(a * (b.conj() if conjugate else b), abs=1e-12)


def test_product_says_what_ropelib_says(js):
    said = js("ropescenes.kinds.product.questions(held('product', first('product'))).map((q) => q.answer)")
    facts = repr(scenes.scene("product"))
    right, later, wrong, wrong_later = (float(x) for x in re.findall(r"(?:k\)|k|moved) ([-\d.]+?)[-+][\d.]+i", facts))
    assert right == later and f"{right:.2f} before and after" in said[0]
    assert f"from {wrong:.2f} to {wrong_later:.2f}".replace("-", "−") in said[1]
    for data, fault in (({"q": [2, 2]}, "q: got"), ({"n": 24}, "n: got 24"), ({"theta": 0.0}, "expected a change of 0.5")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("product", **data)


@pytest.mark.parametrize("weights", ["interleaved", "half"])
@pytest.mark.parametrize("code", ["interleaved", "half"])
def test_dance_scores_as_ropelib_in_either_layout(weights, code, js):
    speeds, angles = ropelib.inverse_frequencies(8, 20.0), np.random.default_rng(2).uniform(0, 6, 4)
    q = np.stack([np.cos(angles), np.sin(angles)], axis=-1).ravel()
    k = ropelib.rotate(q[None], *ropelib.cos_sin([5], speeds), layout="interleaved")[0]
    if weights == "half":
        q, k = ropelib.to_half(q), ropelib.to_half(k)
    data = f"{angles.tolist()}, 5, {speeds.tolist()}, '{weights}'"
    head = js(f"{maths('dance')}.head({data})")
    np.testing.assert_allclose(head, [q, k], atol=1e-12)
    for m, n in ((0, 0), (5, 0), (24, 0), (7, 100), (1024, 1000)):
        a, b = ropelib.rotate(np.stack([q, k]), *ropelib.cos_sin([m, n], speeds), layout=code)
        assert js(f"{maths('dance')}.score({data}, '{code}', {m}, {n})") == pytest.approx(a @ b, abs=1e-9)


def test_dance_says_what_ropelib_says(js):
    said = js("ropescenes.kinds.dance.questions(held('dance', first('dance'))).map((q) => q.answer)")
    wrong = re.search(r"every head looks 5 back; half code on interleaved weights: (\d+), ", repr(scenes.scene("dance")))[1]
    assert f"now looks {wrong} back" in said[1]
    for data, fault in (({"back": 0}, "back: got 0"), ({"seed": 2, "back": 24}, "back: got 24")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("dance", **data)
    # a head that the wrong layout happens to leave right
    lucky = next(s for s in range(200) if _lucky(s))
    with pytest.raises(ValueError, match="take another seed"):
        scenes.scene("dance", seed=lucky)


def _lucky(seed):
    try:
        scenes.scene("dance", seed=seed)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("window", [1, 4, 16])
def test_window_sees_what_ropelibs_mask_lets_see(window, js):
    mask = ropelib.sliding_mask(16, 16, window)
    seen = f"{maths('window')}.sees(m, n, {window})"
    found = js(f"Array.from({{length: 16}}, (_, m) => Array.from({{length: 16}}, (_, n) => {seen}))")
    assert np.array_equal(found, mask)
    through = np.linalg.matrix_power(mask.astype(int), 3)[-1] > 0  # three layers
    reach = js(f"{maths('window')}.reach({window}, 3)")
    assert 15 - np.flatnonzero(through)[0] == min(15, reach)


def test_window_turns_for_a_length_as_dynamic_ntk(js):
    model = "{q: [1, 2, 3, 4], k: [4, 3, 2, 1], dim: 4, base: 10000, trained: 8, factor: 2}"
    for length in (3, 8, 9, 16):
        speeds, _ = ropelib.dynamic_ntk(4, 10_000, factor=2, seq_len=length, max_position_embeddings=8)
        np.testing.assert_allclose(js(f"{maths('window')}.speeds({model}, {length})"), speeds, rtol=1e-12)
    assert js(f"{maths('window')}.score({model}, 15, 16, 2, 16)") == pytest.approx(14.4302122977)
    assert js(f"{maths('window')}.score({model}, 15, 16, 2, 9)") == pytest.approx(14.5270835059)


def test_window_says_what_ropelib_says(js):
    said = js("ropescenes.kinds.window.questions(held('window', first('window'))).map((q) => q.answer)")
    worst, anew, kept = re.search(r"key at (\d+): turned anew ([-\d.]+), kept ([-\d.]+)>", repr(scenes.scene("window"))).groups()
    assert f"with key {worst}, {float(kept):.2f} where {float(anew):.2f} is right".replace("-", "−") in said[3]
    assert said[0].startswith("6 to 9") and said[2].startswith("15:")
    for data, fault in (
        ({"q": [1]}, "q: got shape"),
        ({"trained": 16}, "trained: got 16"),
        ({"q": [0.01, 0, 0, 0]}, "expected 0.05"),
    ):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("window", **data)


@pytest.mark.parametrize(("name", "kind"), [("fp16", np.float16), ("fp32", np.float32), ("bf16", None)])
def test_precision_keeps_what_the_formats_keep(name, kind, js):
    """Floats as NumPy rounds them, the small and the too large among them; bf16 by the bits of float32."""
    rng = np.random.default_rng(3)
    values = np.concatenate([np.arange(1, 300), 2.0 ** np.arange(-20, 30), rng.normal(size=200), 10 ** rng.uniform(-6, 7, 300)])
    values = np.concatenate([values, -values, [257, 2049, 2051, 16_777_217, 65_504, 65_519, 65_520, 1e5, 0.0]])
    if kind is None:
        bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        values = (bits.astype(np.uint32)).view(np.float32).astype(float)  # so that nothing is rounded twice
        wanted = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(float)
    else:
        with np.errstate(over="ignore"):
            wanted = values.astype(kind).astype(float)
    found = js(f"{values.tolist()}.map((x) => String({maths('precision')}.keep(x, ropescenes.kinds.precision.formats.{name})))")
    assert np.array_equal(np.abs(np.array(found, float)), np.abs(wanted))


@pytest.mark.parametrize("m", [1, 256, 257, 1000, 100_000, 9_999_999])
@pytest.mark.parametrize("pair", [0, 1, 20, 63])
def test_precision_points_where_rounded_numbers_point(m, pair, js):
    speed = ropelib.inverse_frequencies(128)[pair]
    assert js(f"{maths('precision')}.speed({pair}, 128, 10000)") == pytest.approx(speed, rel=1e-13)

    def angle(station):
        return js(f"{maths('precision')}.angle(ropescenes.kinds.precision.formats.fp16, '{station}', {m}, {speed})")

    with np.errstate(over="ignore"):
        half = float(np.float16(m))
    if np.isinf(half):
        assert angle("position") is None
    else:
        cos, _ = ropelib.cos_sin(half, [speed])
        assert np.cos(angle("position")) == pytest.approx(cos[0], abs=1e-9)
    assert angle("frequency") == pytest.approx(m * float(np.float16(speed)), rel=1e-13)
    table = np.array(ropelib.cos_sin(m, [speed], dtype=np.float16), float)[:, 0]
    assert [np.cos(angle("table")), np.sin(angle("table"))] == pytest.approx(table / np.hypot(*table), abs=1e-6)


def test_precision_says_what_is_so(js):
    said = js("ropescenes.kinds.precision.questions(held('precision', first('precision'))).map((q) => q.answer)")
    facts = re.search(
        r"257 for 256, hand off by -([\d.]+); at 100000 for 99840, .* rounded last by ([\d.]+); .*, ([\d.]+)>",
        repr(scenes.scene("precision")),
    )
    assert f"{float(facts[1]):.0f}° behind" in said[0] and f"Here {float(facts[2]):.3f}°" in said[1]
    assert f"By {float(facts[3]):.0f}°" in said[2]
    for name, lost in (("bf16", 257), ("fp16", 2049), ("fp32", 16_777_217)):
        keep = f"{maths('precision')}.keep({{}}, ropescenes.kinds.precision.formats.{name})"
        assert (
            js(keep.format(lost)) == lost - 1 and js(keep.format(lost - 1)) == lost - 1 and js(keep.format(lost - 2)) == lost - 2
        )
    worst = js(f"""Array.from({{length: 20000}}, (_, i) => Math.abs({maths("precision")}.off(
        ropescenes.kinds.precision.formats.bf16, "table", i * 0.0003141593, 1))).reduce((a, b) => Math.max(a, b))""")
    assert 0.1 < np.degrees(worst) < 0.25, "a quarter of a degree"


@pytest.mark.parametrize("factor", [1, 1.5, 4, 32])
@pytest.mark.parametrize(("dim", "base", "length"), [(128, 10_000, 4096), (64, 500, 1024), (128, 5000, 65_536)])
def test_stretch_scales_as_ropelib(factor, dim, base, length, js):
    methods = {
        "none": ropelib.inverse_frequencies(dim, base),
        "linear": ropelib.linear(dim, base, factor=factor)[0],
        "ntk": ropelib.ntk(dim, base, factor=factor)[0],
        "yarn": ropelib.yarn(dim, base, factor=factor, original_max_position_embeddings=length)[0],
        "llama3": ropelib.llama3(dim, base, factor=factor, original_max_position_embeddings=length)[0],
    }
    for method, wanted in methods.items():
        found = js(f"{maths('stretch')}.scaled('{method}', {dim}, {base}, {factor}, {length})")
        np.testing.assert_allclose(found, wanted, rtol=1e-12, err_msg=method)
        lost = js(f"{maths('stretch')}.lost({methods['none'].tolist()}, {wanted.tolist()}, {factor}, {length})")
        slow = ropelib.wavelengths(methods["none"]) > length
        assert lost == list(slow & (wanted * factor > methods["none"] * (1 + 1e-9))), method


def test_stretch_says_what_ropelib_says(js):
    said = js("ropescenes.kinds.stretch.questions(held('stretch', first('stretch'))).map((q) => q.answer)")
    assert "unchanged 18 of 64 pairs lost, linear 0, NTK 17, YaRN 0; fastest pair 57.2958° a position, linear 14.3239°" in repr(
        scenes.scene("stretch")
    )
    assert "The 18 slow ones" in said[0] and "57.3° from" in said[1] and "now 14.3°" in said[1] and "17 of the 18" in said[2]
    for data, fault in (
        ({"head_dim": 8}, "head_dim: got 8"),
        ({"base": 500_000}, "base: got 500000"),
        ({"length": 1000}, "length: got 1000"),
        ({"length": 65_536}, "of 0 slow pairs"),
    ):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("stretch", **data)


@pytest.mark.parametrize(("m", "n"), [(0, 0), (8, 0), (63, 0), (308, 300), (300, 308)])
def test_kernels_score_as_ropelib_encodes(m, n, js):
    q, k = np.random.default_rng(5).normal(size=(2, 16))
    speeds, data = ropelib.inverse_frequencies(16, 100.0), "{base: 100, slope: 0.0625, scale: 128}"
    a, b = ropelib.rotate(np.stack([q, k]), *ropelib.cos_sin([m, n], speeds), layout="interleaved")
    grow = [np.repeat(ropelib.xpos_scale(p, 16, scale_base=128), 2) for p in (m, n)]
    waves = ropelib.sinusoidal([m, n], 16, 100.0)
    wanted = {
        "nope": q @ k / 4,
        "rope": a @ b / 4,
        "xpos": (a * grow[0]) @ (b / grow[1]) / 4,
        "added": (q + waves[0]) @ (k + waves[1]) / 4,
        "alibi": q @ k / 4 - ropelib.alibi_slopes(8)[3] * abs(m - n),
    }
    for kind, score in wanted.items():
        found = js(f"{maths('kernels')}.score('{kind}', {q.tolist()}, {k.tolist()}, {m}, {n}, {data})")
        assert found == pytest.approx(score, abs=1e-9), kind


def test_kernels_say_what_ropelib_says(js):
    said = js("ropescenes.kinds.kernels.questions(held('kernels', first('kernels'))).map((q) => q.answer)")
    change, peak = re.search(r"change scores by ([\d.]+); .* highest at (\d+)", repr(scenes.scene("kernels"))).groups()
    assert f"by up to {float(change):.2f}" in said[0] and said[2].startswith(f"Distance {peak}:")
    for data, fault in (({"q": [1, 2]}, "q: got shape"), ({"q": np.zeros(16)}, "expected 0.5, and not 0")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("kernels", **data)


@pytest.mark.parametrize("columns", [4, 8, 12])
@pytest.mark.parametrize("way", ["rows", "both", "mixed"])
def test_patches_are_as_alike_as_ropelibs_tables(columns, way, js):
    if way == "both":
        cos, sin = ropelib.cos_sin_axes(ropelib.grid_positions(8, columns), *ropelib.axial(64, 100.0))
    elif way == "mixed":
        round_ = np.arange(32) * np.pi * (3 - 5**0.5)
        towards = ropelib.inverse_frequencies(64, 100.0) * [np.sin(round_), np.cos(round_)]
        angles = ropelib.grid_positions(8, columns).T @ towards
        cos, sin = np.cos(angles), np.sin(angles)
    else:
        cos, sin = ropelib.cos_sin(np.arange(8 * columns), ropelib.inverse_frequencies(64, 100.0))
    wanted = ((cos @ cos.T + sin @ sin.T) / 32)[2 * columns + 1]  # with the patch in row 2, column 1
    call = f"{maths('patches')}.likeness('{way}', [2, 1], [y, x], {columns}, {{dim: 64, base: 100}})"
    found = js(f"Array.from({{length: 8}}, (_, y) => Array.from({{length: {columns}}}, (_, x) => {call})).flat()")
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_patches_say_what_ropelib_says(js):
    said = js("ropescenes.kinds.patches.questions(held('patches', first('patches'))).map((q) => q.answer)")
    right, below, later, both = (float(x) for x in re.findall(r"0\.\d{4}", repr(scenes.scene("patches"))))
    assert f"{right:.2f}" in said[0] and f"{below:.2f}" in said[0] and f"{both:.2f} and {both:.2f}" in said[1]
    assert f"from {below:.2f} to {later:.2f}" in said[2]
    with pytest.raises(ValueError, match=r"expected them 0\.1 apart"):
        scenes.scene("patches", head_dim=64, base=1e30)


@pytest.fixture(scope="module")
def shown():
    from ropelib.book.published import MODELS
    from ropelib.book.scenes.cards import PICKS, build
    from ropelib.config.cards import cards

    made = [next(card for card in cards(MODELS[n].config)[0] if card.layers.startswith(kind)) for n, kind in PICKS]
    return build()[0]["models"], made


def test_cards_have_ropelibs_wavelengths_and_channels(shown, js):
    for entry, card in zip(*shown, strict=True):
        speeds = np.array(card.inv_freq)
        found = js(f"{maths('cards')}.waves({json.dumps(entry)})")
        np.testing.assert_allclose(found, np.log10(2 * np.pi / speeds[speeds > 0]), atol=0.006, err_msg=entry["name"])


def test_cards_light_what_differs_and_nothing_else(shown, js):
    entries, (same, t) = shown[0], (0, "(words, values = {}) => words.replace(/{(\\w+)}/g, (all, name) => values[name])")
    both = [json.dumps(entries[[e["name"] for e in entries].index(name)]) for name in ("DeepSeek-V3", "DeepSeek-V3.2-Exp")]
    assert sum(js(f"{maths('cards')}.differ({both[same]}, {both[same]}, {t})")) == 0
    assert [i for i, odd in enumerate(js(f"{maths('cards')}.differ({both[0]}, {both[1]}, {t})")) if odd] == [10]  # the indexer


def test_cards_say_what_ropelib_says():
    facts = repr(scenes.scene("cards"))
    assert "Gemma 3 45,122,677, Gemma 4 188 positions; GLM-4 interleaved, GLM-4.5 half" in facts
    assert "indexer of DeepSeek-V3.2-Exp: layout half, 64 of 128 channels" in facts


def test_cards_refuse_what_would_make_their_answers_false():
    from ropelib.book.published import MODELS

    configs = {name: each.config for name, each in MODELS.items()}
    with pytest.raises(ValueError, match="models: got none named 'Gemma 3 12B'"):
        scenes.scene("cards", models={"Llama 2 7B": configs["Llama 2 7B"]})
    for name, like, fault in (
        ("Gemma 4 12B", "Gemma 3 12B", "without the gap"),
        ("GLM-4.5", "GLM-4 9B", "of one layout"),
        ("DeepSeek-V3", "Llama 2 7B", "not V3's"),
    ):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("cards", models=configs | {name: configs[like]})


@pytest.mark.parametrize("fault", symptoms.FAULTS)
def test_symptoms_are_off_as_ropelib_rotates(fault, js):
    places = [1, 2, 7, 31, 32, 33, 63, 64, 255, 257, 511, 512, 1000, 2049, 2050, 4095, 4096, 4097, 9999, 16385]
    found = js(f"{places}.map((p) => {maths('symptoms')}.error('{fault}', p, SCENES.symptoms))")
    np.testing.assert_allclose(found, [symptoms.error(fault, p) for p in places], atol=1e-5)


def test_symptoms_begin_and_fit_as_the_scene_says(js):
    facts = dict(re.findall(r"(\w+) (\d+)", repr(scenes.scene("symptoms")).split("first wrong: ")[1]))
    firsts = js(f"Object.entries(first('symptoms').rows).map(([f, row]) => [f, {maths('symptoms')}.position(row.first)])")
    assert {fault: int(at) for fault, at in facts.items()} == dict(firsts)
    fits = "ropescenes.kinds.symptoms.maths.fits(first('symptoms').rows, '{}', {})"
    assert js(fits.format("read", 48)) == ["table", "float16", "scaling", "base"]  # the last two are noticed late
    assert js(fits.format("read", 36))[0] == "chunks"
    assert js(fits.format("write", 20)) == ["zero", "twice"]
    assert js(fits.format("look", 8)) == ["blocks", "swapped"] and js(fits.format("write", 3)) == []
    said = js("ropescenes.kinds.symptoms.questions(held('symptoms', first('symptoms'))).map((q) => q.answer)")
    assert "shows at position 1, bfloat16 positions from about 256 on" in said[0] and "float16, from 2,048 on" in said[0]


def test_symptoms_refuse_what_would_make_their_answers_false(monkeypatch):
    monkeypatch.setattr(symptoms, "SEEN", 0.6)
    with pytest.raises(ValueError, match="the faults begin at"):
        scenes.scene("symptoms")


@pytest.fixture
def recorded():
    return json.loads(train.RECORDED.read_text("utf-8"))


def test_train_reads_between_what_was_recorded(js, recorded):
    turned, added = np.array(recorded["turned"]), np.array(recorded["added"])
    for i, m in ((0, 0), (8, 9), (3, 2)):
        assert js(f"{maths('train')}.heads({json.dumps(recorded)}, {i}, {m})") == [turned[i].tolist(), added[i, m].tolist()]
    half = js(f"{maths('train')}.heads({json.dumps(recorded)}, 4.5, 1.25)")
    np.testing.assert_allclose(half[0], turned[4:6].mean(axis=0), atol=1e-12)
    between = added[4:6].mean(axis=0)
    np.testing.assert_allclose(half[1], 0.75 * between[1] + 0.25 * between[2], atol=1e-12)


def test_train_says_what_was_recorded(js):
    said = js("ropescenes.kinds.train.questions(held('train', first('train'))).map((q) => q.answer)")
    assert "99 % as before" in said[0] and "down to 30 %" in said[0]
    assert "has 89 % there, the other 14 %" in said[1]
    assert "step 60 turned 0.9, added 0.1; in the end 1.0, 0.7; counted from 300 0.3" in repr(scenes.scene("train"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"steps": [0, 1]}, r"turned: got shape \(9, 13\), expected \(2, D\)"),
        ({"starts": [0, 1]}, r"added: got shape \(9, 10, 13\), expected \(9, 2, 13\)"),
        ({"back": 6}, "in the end 0.0 and 0.1, expected both above 0.5"),
        ({"turned": 0.5}, "turned: got shape"),
    ],
)
def test_train_refuses_heads_that_do_not_do_as_it_says(change, fault, recorded):
    with pytest.raises(ValueError, match=fault):
        scenes.scene("train", **{**recorded, **change})


def test_train_wants_one_head_to_be_late_and_to_depend_on_its_start(recorded):
    sooner, moved = np.array(recorded["added"]), np.array(recorded["added"])
    sooner[5, 0, 5] = moved[8, 8, 5] = 0.9
    for added, fault in ((sooner, "steps: at 60 got 0.89 and 0.9, expected one head only"), (moved, "starts: from 300")):
        with pytest.raises(ValueError, match=fault):
            scenes.scene("train", **{**recorded, "added": added})


@pytest.mark.parametrize("how", ["linear", "ntk", "yarn"])
def test_verse_lays_poems_out_as_they_were_written(how, js):
    """Rows under the ruler are the verses that ropelib counts, and its rulers are divided as ropelib divides."""
    data = js("SCENES.verse")
    for i, (poem, times) in enumerate(zip(data["texts"][how], data["factors"], strict=True)):
        verses = js(f"{maths('verse')}.verses({json.dumps(poem)})")
        assert "".join("".join(words) + stop + end * "\n" for words, stop, end in verses) == poem
        assert [len(words) for words, stop, _ in verses if stop] == experiments.verse_lengths([poem]).tolist()
        rows = js(f"{maths('verse')}.rows({json.dumps(poem)})")
        assert sum(len(words) for words, *_ in rows) == sum(len(words) for words, *_ in verses)
        assert all(len(words) <= verse.COLUMNS for words, *_ in rows)
        used = verse.divided(how, times, 16, 64)["inv_freq"]
        np.testing.assert_allclose(data["divided"][how][i], (ropelib.inverse_frequencies(16) / used)[[0, -1]], rtol=1e-12)


def test_verse_is_what_the_model_writes():
    """Every line shown, written again; and the counts are of all the poems, not of that one."""
    data, _, _ = verse.build()
    tang = load("tang")
    for how, arguments in (("layout", {"layout": "interleaved"}), ("none", {"inv_freq": np.zeros(8)}), ("linear", {})):
        poems = tang.write(rows=verse.ROWS, length=verse.LENGTH, **arguments)
        assert data["texts"][how][0] == poems[0] and data["counts"][how][0] == verse.counted(poems).tolist()
    halved = tang.write(rows=verse.ROWS, length=verse.LENGTH, positions=np.arange(verse.LENGTH) / 2)
    assert data["texts"]["linear"][verse.ASKED] == halved[0]
    far = tang.write(rows=verse.ROWS, length=verse.LENGTH, positions=np.arange(verse.LENGTH) + 1_000_000)
    assert far[0] == data["texts"]["linear"][0]


def test_verse_says_what_the_model_wrote(js):
    said = js("ropescenes.kinds.verse.questions(held('verse', first('verse'))).map((q) => q.answer)")
    counts = js("SCENES.verse.counts")
    halved, raised, other = (counts[how][i] for how, i in (("linear", verse.ASKED), ("ntk", verse.ASKED), ("layout", 0)))
    assert f"{halved[9] + halved[10]} of {sum(halved)} have nine or ten" in said[1]
    assert f"{raised[5] + raised[7]} of {sum(raised)} verses have five or seven" in said[2]
    assert f"but {sum(other)} stops in 6 poems where {sum(counts['linear'][0])} were due" in said[3]
    facts = repr(scenes.scene("verse"))
    assert f"NTK by 2 {(raised[5] + raised[7]) / sum(raised):.2f}" in facts and f"other layout {sum(other)}" in facts


def test_verse_refuses_a_model_that_does_not_write_so(monkeypatch):
    with pytest.raises(ValueError, match=r"model: got 0% of verses in metre as trained, expected nine of ten"):
        scenes.scene("verse", model=load("kjv"))
    moves = "same_from", lambda *_: False, "other poems from 1,000,000 on"
    for name, other, fault in (moves, ("ASKED", 0, "0% with positions divided by 2")):
        with monkeypatch.context() as patched:
            patched.setattr(verse, name, other)
            with pytest.raises(ValueError, match=fault):
                scenes.scene("verse")


@pytest.mark.parametrize("at", [None, 20, 90])
def test_a_pair_held_gives_what_it_gave_there(at, js):
    data, r = scenes.scene("hold").data, np.arange(225)
    recorded = json.loads(hold.RECORDED.read_text("utf-8"))
    np.testing.assert_allclose(data["pairs"], recorded["pairs"], atol=5e-4)  # a scene keeps three places
    turns = np.array(data["pairs"]) @ [1, 1j] * np.exp(1j * np.outer(np.where(r > 63, at or r, r), data["speeds"]))
    rest = np.array(data["pairs"]) @ [1, 1j] * np.exp(1j * np.outer(r, data["speeds"]))
    wanted = turns[:, 3].real, rest.real.sum(1) - rest[:, 3].real + turns[:, 3].real
    for name, each in zip(("pair", "score"), wanted, strict=True):
        found = js(f"Array.from({{length: 225}}, (_, r) => {maths('hold')}.{name}(SCENES.hold, r, {json.dumps(at)}))")
        np.testing.assert_allclose(found, each, atol=1e-9)


def test_hold_says_what_was_measured(js):
    said = js("ropescenes.kinds.hold.questions(held('hold', first('hold'))).map((q) => q.answer)")
    free, edge, often, never, trained = re.search(
        r"loss ([\d.]+) free, ([\d.]+) held at 63, ([\d.]+) at 20, ([\d.]+) at 90; trained ([\d.]+)", repr(scenes.scene("hold"))
    ).groups()
    assert free in said[0] and f"{free} becomes {edge}" in said[1] and trained in said[1]
    assert f"Higher, {often}" in said[2] and f"Lower, {never}" in said[3]
    good = json.loads(hold.RECORDED.read_text("utf-8"))
    good["pairs"] = np.array(good["pairs"]) @ [1, 1j]
    faults = (
        ({"losses": [1.0]}, "losses: got shape"),
        ({"free": 1.5}, "expected them to rise"),
        ({"speeds": [1.0]}, "pairs, speeds"),
        ({"pairs": -good["pairs"]}, "expected it above 0"),
    )
    for part, fault in faults:
        with pytest.raises(ValueError, match=fault):
            scenes.scene("hold", **good | part)


def test_hold_is_chapter_12s_model():
    data, pair = json.loads(hold.RECORDED.read_text("utf-8")), np.arange(8)
    model = load("kjv")
    for at in (20, 63):
        assert model.loss_at(256, far=per_pair(256, at, pair == 3)) == pytest.approx(data["losses"][at - 1], abs=0.01)
