"""What the doctor must not be certain of: each with the right code, or the right value, beside it."""

import re

import numpy as np
import pytest

import ropelib
from ropelib import Rope, check_rope, diagnose
from ropelib.diagnosis import formats

RIGHT = Rope(ropelib.inverse_frequencies(64))
X = np.random.default_rng(0).normal(size=(128, 64))
GRIDS = Rope(ropelib.axial(64)[0], axes=ropelib.axial(64)[1])
GRID = np.stack([np.arange(128) // 16, np.arange(128) % 16])


def rows(x):
    return np.arange(x.shape[-2])


def bfloat16(a):
    bits = np.asarray(a, np.float32).view(np.uint32)
    return ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def settings(most, theta=1e4, **scaling):
    named = {"rope_theta": theta, "max_position_embeddings": most, "rope_scaling": scaling or None}
    return {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8} | named


@pytest.mark.parametrize("times", [[1, 1], [1, 2], [1, 0.25], [0.25, 1]])
def test_a_method_of_one_axis_is_not_taken_for_all(times):
    speeds, axes = ropelib.axial(64)
    report = diagnose(X, Rope(speeds, axes=axes).rotate(X, GRID * np.array(times)[:, None]), GRID)
    if times == [1, 1]:
        assert report["method"].value == "plain, axis by axis" and report["base"].sure and report["base"].value == 1e4
    else:
        assert not report["method"].sure and not report["base"].sure


def test_a_base_of_two_axes_is_the_base_of_neither():
    axes = np.repeat([0, 1], 16)
    speeds = np.r_[ropelib.inverse_frequencies(32, 1e4), ropelib.inverse_frequencies(32, 500.0)]
    assert not diagnose(X, Rope(speeds, axes=axes).rotate(X, GRID), GRID)["base"].sure


def test_what_depends_on_open_axes_is_open():
    places = np.stack([np.arange(128), np.arange(128) + 5])
    report = diagnose(X, RIGHT.rotate(X, np.arange(128)), places)
    assert not any(report[what].sure for what in ("axes", "offset", "base", "method"))


@pytest.mark.parametrize("takes", ["x positions", "q k positions"])
@pytest.mark.parametrize("expected", [RIGHT, None])
def test_a_token_that_comes_alone_is_asked(takes, expected):
    def right(*given):
        *arrays, p = given
        turned = [RIGHT.rotate(each, p) for each in arrays]
        return tuple(turned) if len(turned) > 1 else turned[0]

    def wrong(*given):
        return right(*given[:-1], given[-1] * (len(given[-1]) > 1))

    assert check_rope(right, takes=takes, expected=expected).ok
    assert not check_rope(wrong, takes=takes, expected=expected).ok


def test_an_attention_factor_shows_in_bfloat16():
    yarn = settings(4096, rope_type="yarn", factor=4.0, original_max_position_embeddings=1024)
    rope = ropelib.from_config(yarn)
    assert check_rope(lambda x: bfloat16(rope.rotate(x)), expected=yarn).ok
    for power in (-1, 1):
        report = check_rope(lambda x, power=power: bfloat16(rope.rotate(x) * rope.attention_factor**power), expected=yarn)
        assert report.sentence.startswith("scale: expected 1.13863, got")


@pytest.mark.parametrize("takes", ["x", "x positions"])
def test_angles_past_the_switch_are_compared(takes):
    expected = settings(2048, type="dynamic", factor=2.0)
    assert check_rope(ropelib.from_config(expected).rotate, takes=takes, expected=expected).ok
    for other in (settings(2048, type="dynamic", factor=4.0), settings(4096, type="dynamic", factor=2.0)):
        assert not check_rope(ropelib.from_config(other).rotate, takes=takes, expected=expected).ok


@pytest.mark.parametrize("place", [lambda p: p % 4096, lambda p: np.minimum(p, 8100), lambda p: np.where(p < 5000, p, -p)])
def test_rows_that_are_elsewhere_leave_the_place_open(place):
    report = check_rope(lambda x: RIGHT.rotate(x, place(rows(x))))
    assert not report["offset"].sure and not report["sense"].sure
    assert report["base"].sure and report["base"].value == 1e4 and report["scale"].sure


def test_rows_with_a_factor_leave_the_scale_open():
    factors = np.where((np.arange(8192) >= 400) & (np.arange(8192) < 500), 1.01, 1.0)[:, None]
    report = check_rope(lambda x: (RIGHT.rotate(x) * factors[: x.shape[-2]]).astype(x.dtype))
    assert not report["scale"].sure and report["offset"].sure and report["offset"].value == 0


@pytest.mark.parametrize("key", [lambda p: rows(p[:, None]), lambda p: p % 100, lambda p: p * 1.0002])
def test_keys_are_asked_where_nothing_is_expected(key):
    def fn(q, k, p):
        return RIGHT.rotate(q, p), RIGHT.rotate(k, key(p))

    assert not check_rope(fn, takes="q k positions").ok
    assert check_rope(lambda q, k, p: (RIGHT.rotate(q, p), RIGHT.rotate(k, p)), takes="q k positions").ok


def test_the_second_of_a_batch_is_asked_where_nothing_is_expected():
    def fn(x):
        y = RIGHT.rotate(x)
        if len(x) > 1 and x.shape[-2] > 8:
            y[1] = RIGHT.rotate(x[1], 1 + rows(x))
        return y

    assert not check_rope(fn).ok


def test_what_changes_with_the_length_is_not_certain():
    report = check_rope(lambda x: RIGHT.rotate(x, rows(x)[::-1]))
    assert not report["offset"].sure and report["sense"].value == -1


def test_positions_that_are_changed_in_place():
    def fn(x, p):
        y = RIGHT.rotate(x, p)
        p += 1
        return y

    assert "positions changed" in check_rope(fn, takes="x positions", expected=RIGHT).sentence


@pytest.mark.parametrize("base", [1e4, 501234.0, 1e6])
def test_a_base_in_coarse_numbers_is_certain_where_it_is_the_one_published(base):
    x = bfloat16(np.random.default_rng(0).normal(size=(4, 64, 64)))
    found = diagnose(x, bfloat16(Rope(ropelib.inverse_frequencies(64, base)).rotate(x)))["base"]
    assert not found.sure or abs(found.value / base - 1) < 0.01
    assert (found.sure and found.value == base) or base == 501234.0


def test_far_out_slow_pairs_are_held_to_less_than_fast_ones():
    config = settings(10485760, 5e5)
    rope = ropelib.from_config(config)

    def fn(x, p):
        return rope.rotate(x, p).astype(x.dtype)

    assert check_rope(fn, takes="x positions", expected=config).ok
    assert not check_rope(lambda x, p: fn(x, p) * (p < 6_000_000)[:, None], takes="x positions", expected=config).ok
    assert not check_rope(lambda x, p: fn(x, np.minimum(p, 5_000_000)), takes="x positions", expected=config).ok


def test_keys_are_asked_far_out():
    def fn(q, k, p):
        return RIGHT.rotate(q, p), RIGHT.rotate(k, np.minimum(p, 20000))

    report = check_rope(fn, takes="q k positions", expected=settings(32768))
    assert report.sentence == "positions of k: expected row by row, got stops at 20000; first at position 20001 of k of 32768"


@pytest.mark.parametrize("place", [lambda p: p, lambda p: np.minimum(p, 8192), lambda p: p % 9000, lambda p: p * (p < 16384)])
def test_keys_of_a_long_text_are_asked(place):
    report = check_rope(lambda q, k: (RIGHT.rotate(q), RIGHT.rotate(k, place(rows(k)))), takes="q k", expected=settings(32768))
    assert report.ok == (place(np.array([30000])) == 30000)


# --- of coarse formats all numbers together tell more than one


@pytest.mark.parametrize("rows_, cast", [(64, bfloat16), (512, bfloat16), (64, np.float16)])
def test_a_factor_near_1_in_coarse_numbers(rows_, cast):
    x = np.asarray(cast(np.random.default_rng(1).normal(size=(4, rows_, 64))), float)
    for scale in (1, 1.0025, 1.014):
        found = diagnose(x, np.asarray(cast(RIGHT.rotate(x) * scale), float))["scale"]
        assert found.value == pytest.approx(scale, abs=2e-4) and (found.sure or (scale == 1.0025 and found.rivals))


@pytest.mark.parametrize("cast", [bfloat16, np.float16, np.float64])
def test_an_offset_near_0_is_not_none(cast):
    x = np.asarray(cast(np.random.default_rng(1).normal(size=(4, 64, 64))), float)
    for offset in (0, 0.01, 1):
        found = diagnose(x, np.asarray(cast(RIGHT.rotate(x, np.arange(64) + offset)), float))["offset"]
        assert found.value == pytest.approx(offset, abs=1e-3) if found.sure else offset == 0.01


@pytest.mark.parametrize("cast", [bfloat16, lambda a: np.asarray(a, np.float16).astype(np.float32)])
@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda x: RIGHT.rotate(x), ""),
        (lambda x: RIGHT.rotate(x, rows(x) / 1.02), "frequencies: expected 1 of pair 0, got 0.98"),
        (lambda x: Rope(ropelib.inverse_frequencies(64, 10100.0)).rotate(x), "frequencies: .* base 10100"),
        (lambda x: RIGHT.rotate(x, rows(x) + 0.7), "offset: expected 0, got 0.699"),
        (lambda x: RIGHT.rotate(x, np.minimum(rows(x), 1000)), "positions: .* stops at 1000"),
        (lambda x: RIGHT.rotate(x) * np.where(rows(x) < 500, 1, 1.2)[:, None], "scale: expected 1, got 1.2 in rows 500"),
        (lambda x: RIGHT.rotate(x) * np.where(rows(x) == 500, 0, 1)[:, None], "scale: expected 1, got 0 in row 500;"),
        (lambda x: RIGHT.rotate(x, rows(x) + 0.2 * (rows(x) >= 1000)), "first at row 1000 of 8192"),
    ],
)
def test_what_is_wrong_in_coarse_numbers_is_named(cast, wrong, words):
    report = check_rope(lambda x: cast(wrong(x)), expected=RIGHT)
    assert report.ok == (not words)
    assert re.search(words, report.sentence)


# --- what other callers ask, where nothing is expected


@pytest.mark.parametrize(
    "place",
    [
        lambda p: p if len(p) < 2 or len(set(np.diff(p).tolist())) == 1 else np.arange(len(p)),
        lambda p: p if p.max() < 16 else np.arange(len(p)),
    ],
)
def test_positions_that_are_not_consecutive_are_asked(place):
    assert not check_rope(lambda x, p: RIGHT.rotate(x, place(p)), takes="x positions").ok


def test_large_numbers_and_a_last_call_are_asked():
    assert "64 x" in check_rope(lambda x: RIGHT.rotate(np.clip(x, -10, 10))).sentence
    calls = []

    def counted(x):
        calls.append(1)
        return RIGHT.rotate(x, rows(x) + (len(calls) > before))

    before = 10**6
    assert check_rope(counted, expected=RIGHT).ok
    before, calls[:] = len(calls) - 1, []
    assert check_rope(counted, expected=RIGHT).sentence.startswith("remembers earlier calls")


@pytest.mark.parametrize(
    "wrong, still_open",
    [
        (lambda x, p: GRIDS.rotate(x, p), ()),
        (lambda x, p: GRIDS.rotate(x, np.minimum(p, 300)), ("offset", "sense", "scale", "base")),
        (lambda x, p: GRIDS.rotate(x, p) * np.where(p[0] > 300, 1.5, 1)[:, None], ("scale",)),
        (lambda x, p: GRIDS.rotate(x, np.stack([p[0], p[1] % 1000])), ("offset", "sense", "scale", "base")),
    ],
)
def test_far_positions_of_two_axes_are_asked(wrong, still_open):
    report = check_rope(wrong, takes="x positions", position_axes=2)
    assert {what for what in ("offset", "sense", "scale", "base") if not report[what].sure} == {*still_open}


def test_a_token_of_two_axes_that_comes_alone():
    def alone(x, p):
        return GRIDS.rotate(x, p * (p.shape[-1] > 1))

    for expected in (None, GRIDS):
        assert check_rope(lambda x, p: GRIDS.rotate(x, p), takes="x positions", position_axes=2, expected=expected).ok
        assert not check_rope(alone, takes="x positions", position_axes=2, expected=expected).ok


def test_a_list_may_be_a_ramp_of_positions_drawn_together():
    """YaRN by 16 at positions that are 16 times nearer: its speeds are those of no one method."""
    x = np.random.default_rng(0).normal(size=(2, 2, 16))
    speeds, _ = ropelib.yarn(16, 1e5, factor=16.0, original_max_position_embeddings=2048)
    assert not diagnose(x, Rope(speeds).rotate(x, np.arange(2) / 16))["method"].sure


# --- what programs that serve models send


def consecutive(p):
    return len(p) > 1 and (np.diff(p) == 1).all()


@pytest.mark.parametrize(
    "place",
    [
        lambda p: np.arange(len(p)) if consecutive(p) else p,
        lambda p: p[0] + (p[0] > 0) + np.arange(len(p)) if consecutive(p) else p,
        lambda p: np.arange(len(p)) if (np.diff(p) == 1).sum() > len(p) / 2 and p[0] == 0 else p,
        lambda p: p,
    ],
)
@pytest.mark.parametrize("expected", [RIGHT, None])
@pytest.mark.parametrize("takes", ["x positions", "k"])
def test_chunks_packed_texts_and_padding_are_asked(place, expected, takes):
    def key(q, k, p):
        return RIGHT.rotate(q, p), RIGHT.rotate(k, place(p))

    def fn(x, p):
        return RIGHT.rotate(x, place(p))

    report = check_rope(fn if takes != "k" else key, takes="q k positions" if takes == "k" else takes, expected=expected)
    assert report.ok == (place(np.arange(5) + 9)[0] == 9 and place(np.array([0, 1, 2, 3, 0, 1]))[-1] == 1)


@pytest.mark.parametrize(
    "place, words",
    [
        (lambda p: np.arange(len(p)), "ignores positions: equal rows of k, all at position 5"),
        (lambda p: np.minimum(p, 2047), "positions of k: expected row by row, got stops at 2047; first at row 2048 of 8192"),
        (lambda p: p.astype(np.float16).astype(int), "positions of k: expected row by row, got row 2049 at 2048, row 2050 at"),
        (lambda p: p, ""),
    ],
)
def test_where_keys_are_is_told(place, words):
    report = check_rope(lambda q, k, p: (RIGHT.rotate(q, p), RIGHT.rotate(k, place(p))), takes="q k positions", expected=RIGHT)
    assert report.ok == (not words) and report.sentence.startswith(words)


@pytest.mark.parametrize("key", [len, lambda p: 0, lambda p: (len(p), p[0], p[-1])])
def test_a_cache_of_positions_remembers_and_does_not_ignore_them(key):
    kept = {}

    def fn(x, p):
        return RIGHT.rotate(x, np.resize(kept.setdefault(key(p), p), len(p)))

    told = {0: "ignores positions", 1: "remembers earlier calls"}.get(key([5]), "ties positions to rows")
    assert check_rope(fn, takes="x positions", expected=RIGHT).sentence.startswith(told)


# --- the length from which angles are others

LONGROPE = settings(131072) | {"original_max_position_embeddings": 4096, "head_dim": 64}
DYNAMIC = settings(4096, type="dynamic", factor=2.0)
LONGROPE["rope_scaling"] = {
    "type": "longrope",
    "short_factor": [1 + 0.02 * k for k in range(32)],
    "long_factor": [1 + 0.5 * k for k in range(32)],
}


def switching(expected, at, length):
    """The expected rotation, but for the length from which it changes."""
    rope = ropelib.from_config(expected)

    def fn(x, p=None):
        n, places = length(x, p), rows(x) if p is None else p
        speeds, factor = rope.by_length(max(n, 4097) if n >= at else 1.0)
        return Rope(speeds, factor).rotate(x, places)

    return fn


@pytest.mark.parametrize("takes", ["x", "x positions"])
@pytest.mark.parametrize("expected", [LONGROPE, DYNAMIC])
@pytest.mark.parametrize("at", [4097, 3000, 4096, 4098, 4141])
def test_the_length_from_which_angles_change_is_compared(takes, expected, at):
    fn = switching(expected, at, lambda x, p: x.shape[-2] if p is None else p.max() + 1)
    report = check_rope(fn, takes=takes, expected=expected)
    assert report.ok == (at == 4097)
    assert at == 4097 or report.sentence.startswith(f"length: expected the switch at 4097 rows, got {at};")


@pytest.mark.parametrize("expected", [LONGROPE, DYNAMIC])
def test_a_token_alone_is_asked_past_the_switch(expected):
    report = check_rope(switching(expected, 4097, lambda x, p: x.shape[-2]), takes="x positions", expected=expected)
    assert report.sentence == "one row: expected as among many, got otherwise; S = 1, position 4096"


def test_rows_that_stop_before_the_switch_are_no_switch():
    rope = ropelib.from_config(LONGROPE)
    report = check_rope(lambda x: Rope(*rope.by_length(x.shape[-2])).rotate(x, np.minimum(rows(x), 3000)), expected=LONGROPE)
    assert report.sentence.startswith("positions: expected row by row, got position 3072 and all after it at 3000")


@pytest.mark.parametrize("expected", [RIGHT, None])
@pytest.mark.parametrize("takes", ["x positions", "q k positions"])
@pytest.mark.parametrize("by_rows", [True, False])
def test_a_table_that_grows_with_the_rows_remembers(expected, takes, by_rows):
    grown = [1]

    def fn(*given):
        *arrays, p = given
        grown.append(max(grown[-1], len(p), 0 if by_rows else p.max() + 1))
        turned = [RIGHT.rotate(each, np.minimum(p, grown[-1] - 1)) for each in arrays]
        return turned if len(turned) > 1 else turned[0]

    report = check_rope(fn, takes=takes, expected=expected)
    assert report.ok == (not by_rows)
    assert not by_rows or report.sentence.startswith("remembers earlier calls: S = 1, position 100")


# --- the cause that is named


def resting(made):
    def fn(x):
        y = QUARTER.rotate(x)
        y[..., 32:] = made(x)[..., 32:]
        return y

    return fn


QUARTER = Rope(ropelib.inverse_frequencies(32), head_dim=64)


@pytest.mark.parametrize(
    "made, words",
    [
        (lambda x: x, ""),
        (lambda x: 0 * x, "got 0; one-hot e32"),
        (lambda x: -x, "got negated; one-hot e32"),
        (lambda x: 2 * x, "got times 2; one-hot e32"),
        (lambda x: np.roll(x, 16, axis=-1), "got otherwise; one-hot e"),
    ],
)
def test_channels_that_should_rest_are_named(made, words):
    report = check_rope(resting(made), expected=QUARTER)
    assert report.ok == (not words) and len(report.differences) == bool(words)
    assert not words or report.sentence.startswith(f"channels that rest: expected as they are, {words}")


def test_more_channels_that_turn_are_not_ones_that_should_rest():
    report = check_rope(Rope(ropelib.inverse_frequencies(64)).rotate, expected=QUARTER)
    assert report.sentence.startswith("rotary_dim: expected 32, got 64")


@pytest.mark.parametrize(
    "speeds, expected, words",
    [
        (1, settings(4096, type="linear", factor=2.0), r"expected 0.5 of pair 0, got 1 \(method plain, base 10000\)"),
        (0.5, settings(4096, type="linear", factor=4.0), r"got 0.5 \(method linear, base 10000, factor 2\)"),
        (1, settings(4096, 1e8), r"\(method plain, base 10000; or exponent i/d instead of 2i/d\)"),
        (2, settings(4096), r"got 2 \(rotated twice, or positions doubled, method linear"),
        (np.r_[np.ones(16), np.zeros(16)], settings(4096), r"expected 0.01 of pair 16, got 0 \(method proportional"),
    ],
)
def test_what_was_measured_comes_before_a_slip(speeds, expected, words):
    fn = Rope(speeds * ropelib.inverse_frequencies(64)).rotate
    assert re.search(words, check_rope(fn, expected=expected).sentence)


def test_a_fault_of_the_batch_is_the_only_one():
    speeds = ropelib.inverse_frequencies(64).astype(np.float32)

    def fn(x):
        y = x.copy()
        y[:1] = Rope(speeds).rotate(x[:1])
        return y

    report = check_rope(fn, expected=RIGHT)
    assert len(report.differences) == 1 and report.differences[0].startswith("batch: expected each x as")


# --- how much right code is off, and no more

SHIFTS = {"+1": lambda p: p + 1, "-1": lambda p: p - 1, "halved": lambda p: p // 2 * 2, "float16": lambda p: p.astype(np.float16)}
IMAGES = settings(32768, 1e6, type="mrope", mrope_section=[16, 24, 24]) | {"model_type": "qwen2_vl", "num_attention_heads": 4}


@pytest.mark.parametrize("name", ["right", *SHIFTS])
def test_slow_pairs_of_several_axes_are_held_to_what_they_show(name):
    rope = ropelib.from_config(IMAGES)

    def fn(x, p):
        return rope.rotate(x, np.stack([p[0], p[1], SHIFTS.get(name, abs)(p[2]).astype(float)])).astype(x.dtype)

    assert check_rope(fn, takes="x positions", position_axes=3, expected=IMAGES).ok == (name == "right")


@pytest.mark.parametrize(
    "moved, words",
    [
        (lambda p: p, ""),
        (lambda p: p + np.array([[0], [1], [0]]), "positions: expected as given, got +1 on axis 1;"),
        (lambda p: p - np.array([[0], [0], [1]]), "positions: expected as given, got -1 on axis 2;"),
        (lambda p: p[[0, 2, 1]], "axes: expected "),
    ],
)
def test_the_axis_that_is_elsewhere_is_named(moved, words):
    rope = ropelib.from_config(IMAGES)
    report = check_rope(lambda x, p: rope.rotate(x, moved(p)), takes="x positions", position_axes=3, expected=IMAGES)
    assert report.ok == (not words) and report.sentence.startswith(words)


def cast_by(kind):
    return bfloat16 if kind == "bfloat16" else lambda a: np.asarray(a, kind).astype(np.float32)


def as_models_do(x, p, speeds, cast):
    """Angles in float32, tables and every product in the format of x."""
    angles = p.astype(np.float32)[:, None] * speeds.astype(np.float32)
    cos, sin = (cast(each) for each in (np.cos(angles), np.sin(angles)))
    a, b = np.split(cast(x), 2, axis=-1)
    return np.concatenate([cast(cast(a * cos) - cast(b * sin)), cast(cast(b * cos) + cast(a * sin))], axis=-1)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("base, slow", [(1e4, 1.03), (1e6, 0.0), (1e7, 0.0)])
def test_slow_pairs_are_held_to_what_the_format_leaves_them(kind, base, slow):
    cast, most = cast_by(kind), 8192 if base == 1e7 and kind == "float32" else 32768
    if base == 1e7 and kind != "float32":
        base = 5e5
    for last in (1.0, slow):
        speeds = ropelib.inverse_frequencies(64, base) * np.r_[np.ones(30), last, last]
        fn = lambda x, p, speeds=speeds: as_models_do(x, p, speeds, cast)  # noqa: E731
        assert check_rope(fn, takes="x positions", expected=settings(most, base)).ok == (last == 1)


@pytest.mark.parametrize("base, most", [(1e4, 131072), (1e6, 1048576), (1e9, 32768)])
def test_frequencies_that_are_multiplied_up_in_float32_are_right(base, most):
    expected = settings(most, base) | {"head_dim": 128}

    def fn(x, p):
        step, angle, angles = np.float32(base) ** np.float32(-2 / 128), p.astype(np.float32), []
        for _ in range(64):
            angles.append(angle)
            angle = angle * step
        cos, sin, (a, b) = np.cos(angles).T, np.sin(angles).T, np.split(x, 2, axis=-1)
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)

    assert check_rope(fn, takes="x positions", expected=expected).ok


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda x: RIGHT.rotate(x) * 1.0001, "scale: expected 1, got 1.0001"),
        (lambda x: RIGHT.rotate(x, rows(x) + 1e-4), "offset: expected 0, got"),
        (lambda x: as_models_do(x, rows(x), RIGHT.inv_freq, np.float32), ""),
    ],
)
def test_what_is_certain_and_not_as_expected_is_a_difference(wrong, words):
    report = check_rope(lambda x: wrong(x).astype(np.float32), expected=RIGHT)
    assert report.ok == (not words) and report.sentence.startswith(words)


# --- what is rounded


def half_precision(a):
    return np.asarray(a, np.float16).astype(np.float32)


def to_even(a):
    """bfloat16 as programs round to it, halves to even."""
    return formats.bfloat16(a).astype(np.float32)


def rounding(position=np.float32, speed=np.float32, angle=np.float32, table=np.float32):
    def fn(x):
        angles = angle(position(rows(x))[:, None] * speed(RIGHT.inv_freq.astype(np.float32)))
        cos, sin, (a, b) = table(np.cos(angles)), table(np.sin(angles)), np.split(x, 2, axis=-1)
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)

    return fn


@pytest.mark.parametrize(
    "rounded, one",
    [
        ({"table": half_precision}, "float16 tables"),
        ({"speed": half_precision}, "float16 inverse frequencies"),
        ({"position": to_even}, "bfloat16 positions"),
        ({"speed": to_even}, "bfloat16 inverse frequencies"),
        ({"angle": to_even}, "bfloat16 angles alone"),
        ({"angle": half_precision}, "float16 angles alone"),
        ({"position": to_even, "speed": to_even, "angle": to_even}, "bfloat16 angles"),
        ({"speed": half_precision, "table": half_precision}, "float16 inverse frequencies and float16 tables"),
        ({"speed": to_even, "table": half_precision}, "bfloat16 inverse frequencies and float16 tables"),
        ({"speed": half_precision, "table": to_even}, "float16 inverse frequencies and bfloat16 tables"),
        ({"position": to_even, "speed": to_even}, ""),
        ({"speed": to_even, "angle": to_even}, ""),
    ],
)
def test_two_things_that_are_rounded_are_not_certainly_one(rounded, one):
    found = check_rope(rounding(**rounded), longest=1024)["arithmetic"]
    assert not found.sure or found.value == one
    told = check_rope(rounding(**rounded), longest=1024, expected=RIGHT)
    assert not told.ok and (not one or f"arithmetic: expected float32 or better, got {one}" in told.sentence)


@pytest.mark.parametrize("speed, value", [(np.float64, "float64"), (np.float32, "float32 inverse frequencies")])
def test_frequencies_in_float32_under_float64(speed, value):
    rope = Rope(RIGHT.inv_freq.astype(speed))
    report = check_rope(rope.rotate, dtype=np.float64, expected=RIGHT)
    assert report["arithmetic"].sure and report["arithmetic"].value == value
    assert diagnose(X, rope.rotate(X))["arithmetic"].value == value
    assert report.ok == (report["precision"].value == "the format's") == (value == "float64")
    words = r"inverse frequencies: expected float64, got float32; one-hot e(\d+), .* -> (.*); expected (.*)"
    told = re.match(words, report.sentence)
    assert report.ok or (told and told[2] != told[3])


# --- what few rows show by chance


@pytest.mark.parametrize("small", [1.0, 1e-4, 0.0])
def test_a_channel_that_moves_little_by_chance_has_a_partner_all_the_same(small):
    x = np.random.default_rng(3).normal(size=(2, 256)).astype(np.float32).astype(float)
    x[1, 240] *= small  # its partner hardly moves in the one row that turns
    y = Rope(ropelib.inverse_frequencies(256), layout="interleaved").rotate(x).astype(np.float32)
    report = diagnose(x, y)
    assert report["layout"].value == "interleaved" and report["rotary_dim"].value == 256
    assert report["rotary_dim"].sure and report["base"].sure and report["base"].value == 1e4


def test_channels_beyond_the_slice_that_change_leave_it_open():
    y = X.copy()
    y[:, :32] = Rope(ropelib.inverse_frequencies(32), layout="interleaved").rotate(X[:, :32])
    assert diagnose(X, y)["rotary_dim"].sure and diagnose(X, y)["rotary_dim"].value == 32
    y[:, 33:63] = Rope(ropelib.inverse_frequencies(30) * 1e-6).rotate(X[:, 33:63])  # little, and paired otherwise
    report = diagnose(X, y)
    assert not any(report[what].sure for what in ("rotary_dim", "base", "method"))


def test_rows_that_turn_by_little_more_than_the_format_shows_are_not_alike():
    x = bfloat16(np.random.default_rng(0).normal(size=(2, 2, 80))).astype(float)
    for place in (1.0625, 1.0):
        y = bfloat16(Rope(ropelib.inverse_frequencies(80), layout="interleaved").rotate(x, np.array([1, place])))
        found = diagnose(x, y)["positions"]
        assert found.value == "every row turns alike" and found.sure == (place == 1)


@pytest.mark.parametrize("keep, sure", [(np.float64, True), (np.float16, False)])
def test_what_float16_has_as_0_may_be_a_slower_pair(keep, sure):
    speeds = 1e7 ** (-np.arange(8) / 8) / [1, 1, 1.95, 40, 40, 40, 40, 40]  # YaRN; the last is 0 in float16
    x = np.random.default_rng(0).normal(size=(2, 16, 16))
    angles = (np.arange(16)[:, None].astype(keep) * speeds.astype(keep)).astype(float)
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    report = diagnose(x, np.stack([z.real, z.imag], axis=-1).reshape(x.shape))
    assert report["rotary_dim"].value == (16 if sure else 14) and report["rotary_dim"].sure == sure
    assert sure or not (report["base"].sure or report["method"].sure)


def test_a_method_whose_base_is_one_of_many_is_open():
    x = np.random.default_rng(0).normal(size=(2, 2, 8)).astype(np.float32).astype(float)
    rope = Rope(2 * ropelib.inverse_frequencies(8, 8.62e6), layout="interleaved")
    report = diagnose(x, -rope.rotate(x).astype(np.float32))
    named = report["base"].value ** (-np.arange(4) / 4) / report["factor"].value
    assert report["method"].value == "linear" and abs(named / rope.inv_freq - 1).max() > 0.02
    assert not report["method"].sure and not report["factor"].sure


def test_a_row_that_is_elsewhere_leaves_the_sense_of_the_others():
    x = bfloat16(np.random.default_rng(0).normal(size=(512, 16))).astype(float)
    for way in (1, -1):
        places = np.r_[5, 1:512]
        report = diagnose(x, bfloat16(Rope(ropelib.inverse_frequencies(16, 12345.0)).rotate(x, way * places)))
        assert report["sense"].sure and report["sense"].value == way and not report["offset"].sure


def test_a_turn_of_two_units_of_the_last_place_is_a_turn():
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float16)
    for speed in (1e-3, 0.0):
        y = Rope([speed, 1e-6 * speed], layout="interleaved").rotate(x.astype(float)).astype(np.float16)
        assert diagnose(x, y)["rotates"].sure and diagnose(x, y)["rotates"].value == (speed > 0)


def test_texts_a_common_period_long_are_one():
    x = np.random.default_rng(0).normal(size=(2, 512, 16)).astype(np.float16)
    rope = Rope(np.arange(1, 9) * np.pi / 64)  # all pairs are back after 128 rows
    y = rope.rotate(x.astype(float), np.arange(512) % 256).astype(np.float16)
    assert abs(y - rope.rotate(x.astype(float))).max() < 4e-3  # the very same numbers
    report = diagnose(x, y)
    assert report["sense"].value == 1 and report["offset"].value == 0
