"""diagnose: twenty puzzles, planted faults of which none may be answered wrongly and with certainty, and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.doctor import case
from bench.faults import CASTS, FAULTS, QUESTIONS
from ropelib import Rope, diagnose, inverse_frequencies, rotate
from ropelib.diagnosis.turning import wrap

PUZZLES = json.loads((Path(__file__).parent / "data" / "puzzles.json").read_text("utf-8"))
ASKED = {"rotates": "rotates", "layout": "layout", "sense": "sense", "rotary": "rotary_dim", "start": "rotary_start",
         "base": "base", "offset": "offset", "scale": "scale", "method": "method", "factor": "factor"}  # fmt: skip
IN_BFLOAT16_FROM_300 = 19  # eight rows, two apart: only the positions themselves can be read


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: str(puzzle["id"]))
def test_puzzles(puzzle):
    answer, report = puzzle["answer"], diagnose(puzzle["x"], puzzle["y"], puzzle["positions"])
    for short, what in ASKED.items():
        finding = report[what]
        if short not in answer or what not in report.findings or (short == "factor" and answer[short] == 1.0):
            continue
        if puzzle["id"] == IN_BFLOAT16_FROM_300 and what in ("offset", "base", "method", "sense"):
            assert not finding.sure
            continue
        assert finding.sure, str(report)
        assert (
            finding.value == pytest.approx(answer[short], rel=1e-4)
            if isinstance(answer[short], float)
            else finding.value == answer[short]
        )
    if puzzle["id"] == IN_BFLOAT16_FROM_300:
        assert report["positions"].value == [300, 300, 302, 304, 304, 304, 306, 308] and "bfloat16" in report["positions"].why
    if answer.get("quarter"):
        assert report["phase"].value == "pi/2" and "exchanged" in report["phase"].cause
    if answer.get("axes") == "exchanged":
        assert "exchanged" in report["axes"].value
    if report.rope is not None:
        assert report.residual < 1  # x and y were rounded to six decimals
        np.testing.assert_allclose(report.rope.rotate(puzzle["x"], report.positions), puzzle["y"], atol=4e-6)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("dtype", CASTS)
def test_no_fault_is_answered_wrongly_with_certainty(name, dtype):
    made, report, told, _ = case([list(FAULTS).index(name), list(CASTS).index(dtype)], (name,), dtype=dtype)
    assert "wrong" not in told.values(), f"{made}\n{report}\n{told}"


@pytest.mark.parametrize("seed", range(60))
def test_no_pair_of_faults_is_answered_wrongly_with_certainty(seed):
    names = np.random.default_rng(seed).choice(list(FAULTS), 2, replace=False)
    _, report, told, _ = case(seed, tuple(map(str, names)))
    assert "wrong" not in told.values(), f"{names}\n{report}\n{told}"


FOUND = [  # by larger runs of the bench
    (1021367944, ("linear 0.5", "two rows a position")),  # positions by twos: or frequencies twice as high
    (3669831066, ("packed", "noise")),  # noise at position 0 is no rotation
    (115130316, ("base 1e+07", "signs")),  # pairs that are half a turn on
    (1987896047, ("linear 3.3", "signs")),  # one pair turns, the others are mirrored, in each head otherwise
    (2324648539, ("part 0.75", "offset 0.5")),  # one pair is seen to move, and two layouts have it
    (1335296399, ("half without minus", "llama3 32")),  # slowed 32 times is still, to bfloat16
    (396842951, ("offset 4096", "linspace")),  # frequencies with a common period: as offset 0
    (432522135, ("backwards", "axes exchanged")),  # the other way along the heads
]


@pytest.mark.parametrize(("seed", "names"), FOUND)
def test_found_by_the_bench(seed, names):
    _, report, told, _ = case(seed, names)
    assert "wrong" not in told.values(), f"{report}\n{told}"


def test_plain_rotations_are_told_whole():
    """64 rows in float32 of what models do: nothing about the rotation is left open."""
    asked = ("rotates", "layout", "rotary_dim", "sense", "offset", "base", "method", "scale")
    for name in ("half", "interleaved", "other sense", "offset 1", "base 500000", "linear 2", "scale 1.13863"):
        for seed in range(4):
            _, report, told, _ = case([seed, 7], (name,), rows=64, dtype="float32")
            assert {told[what] for what in asked} == {"right"}, f"{name}\n{report}"
    assert set(told) <= set(QUESTIONS)


def test_rope_gives_y_and_the_offset_is_in_the_positions():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 40, 24))
    rope = Rope(
        inverse_frequencies(16, 500.0), 1.25, head_dim=24, rotary_dim=16, layout="interleaved", rotary_start=8, direction=-1
    )
    report = diagnose(x, rope.rotate(x, np.arange(40) + 3))
    assert report["offset"].value == 3 and report["sense"].value == -1 and report["rotary_start"].value == 8
    np.testing.assert_allclose(report.rope.rotate(x, report.positions), rope.rotate(x, np.arange(40) + 3), atol=1e-12)
    told = json.loads(json.dumps(report.to_dict()))
    assert told["findings"]["layout"] == {"what": "layout", "value": "interleaved", "sure": True} | {
        key: told["findings"]["layout"][key] for key in ("why", "rivals", "same", "next", "cause")
    }


@pytest.mark.parametrize(("turn", "sense", "words"), [
    (np.pi / 2, -1, "sense -1, phase pi/2 (cos and sin exchanged: the angle is pi/2 - m theta, which turns the other way)"),
    (np.pi / 2, 1, "sense 1, phase pi/2 (a quarter turn on in every pair)"),
    (-np.pi / 2, 1, "sense 1, phase -pi/2 (a quarter turn back in every pair; cos and sin exchanged, if"),
    (np.pi, 1, "sense 1, phase pi (negated)"),
])  # fmt: skip
def test_a_constant_phase_is_named_and_rope_gives_y(turn, sense, words):
    x = x_of(2, 40, 16)
    angles = sense * (np.arange(40)[:, None] + 3) * inverse_frequencies(16) + turn
    y = rotate(x, np.cos(angles), np.sin(angles), layout="half")
    report = diagnose(x, y)
    assert words in report.sentence and report["sense"].sure and report["phase"].sure and report["offset"].value == 3
    np.testing.assert_allclose(report.rope.rotate(x, report.positions), y, atol=1e-12)


def test_a_constant_phase_along_another_axis():
    x = x_of(2, 5, 3, 16)
    angles = np.broadcast_to(-np.arange(5)[:, None, None] * inverse_frequencies(16) + np.pi / 2, (2, 5, 3, 8))
    y = rotate(x, np.cos(angles), np.sin(angles), layout="half")
    report = diagnose(x, y)
    assert "exchanged: turns by the index along axis 1" in report["axes"].value and report["sense"].value == -1
    np.testing.assert_allclose(report.rope.rotate(x, report.positions), y, atol=1e-12)


@pytest.mark.parametrize(("speeds", "words"), [
    (np.deg2rad(inverse_frequencies(64)), "factor 57.2958 (or degrees for radians: times pi / 180)"),
    (np.rad2deg(inverse_frequencies(64)), "list (or base 10000, degrees for radians: times 180 / pi) (open)"),
    (1e4 ** -np.linspace(0, 1, 32), "base 13459.6 (or base 10000 with exponents that reach 1, i/(d/2 - 1))"),
    (2 * inverse_frequencies(64), "factor 0.5 (or rotated twice, or positions doubled)"),
    (inverse_frequencies(64) ** 0.5, "base 100 (or base 10000 with exponent i/d instead of 2i/d)"),
])  # fmt: skip
def test_the_sentence_names_the_slip(speeds, words):
    x = x_of(64, 64)
    assert words in diagnose(x, Rope(speeds).rotate(x)).sentence


def test_several_axes_are_told_apart():
    rng = np.random.default_rng(0)
    axes = np.array([0, 1, 2, 0, 1, 2, 0, 1])
    rope = Rope(inverse_frequencies(16, 100.0), axes=axes)
    places = np.stack([rng.permutation(64) for _ in range(3)])
    x = rng.normal(size=(64, 16))
    report = diagnose(x, rope.rotate(x, places), places)
    assert report["axes"].value == axes.tolist() and report["axes"].sure
    assert report["base"].value == 100 and report.rope is not None


def x_of(*shape):
    return np.random.default_rng(0).normal(size=shape)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (x_of(4, 8), x_of(4, 6), "one shape"),
        (x_of(8), x_of(8), "one shape"),
        (x_of(4, 1), x_of(4, 1), "at least 2 channels"),
        (x_of(4, 8), np.full((4, 8), np.nan), "y must be finite, got nan at"),
        (np.full((4, 8), np.inf), x_of(4, 8), "x must be finite, got inf at"),
        (x_of(4, 8), np.ones((4, 8), int), "y must hold floats, got int64"),
        (np.zeros((4, 8)), np.zeros((4, 8)), "all zeros"),
        (x_of(4, 8) > 0, x_of(4, 8), "real numbers"),
        (x_of(4, 8), x_of(4, 8) * 1j, "real numbers"),
    ],
)
def test_bad_input_is_named(x, y, words):
    with pytest.raises((TypeError, ValueError), match=words):
        diagnose(x, y)


def test_x_written_over_is_named():
    x = x_of(4, 8)
    with pytest.raises(ValueError, match="y must not be x itself"):
        diagnose(x, x)
    with pytest.raises(ValueError, match="positions must have shape"):
        diagnose(x, x + 0, [1, 2])


@pytest.mark.parametrize("rows", [1, 2])
def test_little_data_leaves_questions_open(rows):
    x = x_of(rows, 16)
    rope = Rope(inverse_frequencies(16))
    only_0 = diagnose(x[:1], rope.rotate(x[:1], [0]))
    assert not only_0["rotates"].sure and "position 0" in only_0["rotates"].why and only_0["rotates"].next
    one = diagnose(x[:1], rope.rotate(x[:1], [5]))
    assert one["layout"].sure and not one["offset"].sure and not one["base"].sure
    still = diagnose(np.ones((4, 8)), np.ones((4, 8)))
    assert still["rotates"].value is False and "position 0" in " ".join(still["rotates"].same)


def test_rows_that_stay_after_a_prompt_are_read_from_the_arrays():
    x = x_of(64, 16)
    report = diagnose(x, Rope(inverse_frequencies(16)).rotate(x, np.where(np.arange(64) < 6, np.arange(64), 0)))
    assert report["positions"].sure and report["positions"].why == "counts to 5, then every row at 0"


def test_a_constant_x_is_no_obstacle():
    x = np.ones((64, 16))
    report = diagnose(x, Rope(inverse_frequencies(16)).rotate(x))
    assert (report["layout"].value, report["base"].value, report["offset"].value) == ("half", 1e4, 0)


def test_what_is_printed():
    x = x_of(64, 16)
    text = str(diagnose(x, Rope(inverse_frequencies(16)).rotate(x)))
    assert "certain  layout        half" in text and "same numbers as: base 1e+08 with exponent i/d instead of 2i/d" in text
    assert "measure:" in str(diagnose(x[:1], Rope(inverse_frequencies(16)).rotate(x[:1], [5])))


def _rope_of(width, **more):
    return Rope(10_000.0 ** (-2 * np.arange(width // 2) / width), **more)


def test_one_channel_scaled_is_no_scale():
    x = np.random.default_rng(0).normal(size=(64, 16))
    y = _rope_of(16).rotate(x)
    y[:, 5] *= 1.01
    assert not diagnose(x, y)["scale"].sure


def test_a_small_offset_is_not_certainly_none():
    x = np.random.default_rng(0).normal(size=(64, 64))
    report = diagnose(x, _rope_of(64).rotate(x, np.arange(64) + 0.001))
    assert report["offset"].value == pytest.approx(0.001) and report["phase"].value == "0"


def test_the_residual_counts_channels_that_rest():
    x = np.random.default_rng(0).normal(size=(24, 16))
    assert diagnose(x, 2 * _rope_of(8, head_dim=16).rotate(x)).residual > 1e3


def test_zeros_in_x_show_nothing():
    x = np.zeros((64, 16))
    x[:, 12] = np.random.default_rng(0).normal(size=64)
    report = diagnose(x, _rope_of(8, head_dim=16).rotate(x))
    assert not report["rotates"].sure and not report["scale"].sure


def test_a_single_pair_has_no_certain_layout():
    x = np.random.default_rng(0).normal(size=(24, 2))
    assert not diagnose(x, Rope([1.0]).rotate(x))["layout"].sure


def test_an_axis_that_stands_still_hides_its_pairs():
    rope = _rope_of(32, axes=[0] * 8 + [1] * 8, layout="interleaved")
    places, x = np.array([np.zeros(48), np.arange(48)]), np.random.default_rng(0).normal(size=(48, 32))
    report = diagnose(x, rope.rotate(x, places), places)
    assert not any(report[what].sure for what in ("rotary_dim", "rotary_start", "base", "method", "factor", "axes"))


@pytest.mark.parametrize(("rows", "start"), [(2, 300), (3, 17), (12, 0)])
@pytest.mark.parametrize("seed", range(5))
def test_coarse_angles_in_few_rows_settle_no_base(rows, start, seed):
    x = np.random.default_rng(seed).normal(size=(rows, 8))
    angles = (np.arange(rows)[:, None] + start) * 500.0 ** (-np.arange(4) / 4)
    bits = angles.astype(np.float32).view(np.uint32)
    angles = ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(float)
    z = (x[:, :4] + 1j * x[:, 4:]) * np.exp(1j * angles)
    report = diagnose(x, np.concatenate([z.real, z.imag], axis=-1))
    assert not report["base"].sure or report["base"].value == 500
    assert not report["offset"].sure or report["offset"].value == start


def test_heads_with_offsets_of_their_own_on_two_axes():
    rope, random = _rope_of(64, axes=[0] * 16 + [1] * 16), np.random.default_rng(0)
    x, places = random.normal(size=(1, 2, 64, 64)), random.integers(0, 30, (2, 64))
    y = rope.rotate(x, places)
    y[:, 1] = rope.rotate(x[:, 1], places + 1)
    assert diagnose(x, y, places)["rotates"].value


@pytest.mark.parametrize("places", [np.minimum(np.arange(24), 9), np.arange(24) % 7, np.arange(24) // 3])
@pytest.mark.parametrize("first", [0, 1000])
def test_rows_found_elsewhere_count_up_in_the_sense_that_turns_them(places, first):
    x = x_of(24, 16)
    report = diagnose(x, _rope_of(16, direction=-1).rotate(x, places + first))
    assert report["positions"].sure and report["positions"].value == (places + first).tolist()
    assert report["sense"].sure and report["sense"].value == -1
    np.testing.assert_allclose(report.rope.rotate(x, report.positions), _rope_of(16, direction=-1).rotate(x, places + first))


def test_rows_in_no_order_leave_the_sense_open():
    x, places = x_of(24, 16), np.random.default_rng(1).permutation(24) - 12
    report = diagnose(x, _rope_of(16, direction=-1).rotate(x, places))
    assert not report["sense"].sure and not report["positions"].sure
    assert report["positions"].value in (places.tolist(), (-places).tolist())


def test_given_positions_that_were_rounded_are_named():
    x, given = x_of(64, 16), np.r_[:32, 600:632]
    report = diagnose(x, _rope_of(16).rotate(x, CASTS["bfloat16"](given)), given)
    assert report["positions"].why == "bfloat16 of those given" and not report["arithmetic"].sure
    report = diagnose(x, _rope_of(16).rotate(x, CASTS["bfloat16"](given * 2 + 5)), given)  # as it happens
    assert not report["arithmetic"].sure


def test_one_row_that_is_elsewhere_leaves_the_base_open():
    """Its angle is beyond what the format hides, and no published base decodes it."""
    x, places = x_of(300, 128) * 0.01, np.arange(300.0)
    x, places[299] = np.round(x, 3), 304
    y = np.round(Rope(inverse_frequencies(128, 987_654.0)).rotate(x, places), 3)
    assert not diagnose(x, y)["base"].sure


@pytest.mark.parametrize("layout", ["first with last", "half"])
def test_one_channel_scaled_is_no_scale_where_rows_are_far_apart(layout):
    x = x_of(33, 16)
    rope = _rope_of(16, layout="half")
    order = np.r_[:8, 15:7:-1] if layout == "first with last" else np.arange(16)
    y = np.empty_like(x)
    y[:, order] = rope.rotate(x[:, order], np.arange(33) * 37)
    y[:, 5] *= 1.01
    assert not diagnose(x, y, np.arange(33) * 37)["scale"].sure


def test_channels_that_change_without_turning_are_in_no_slice():
    x = np.broadcast_to(x_of(1, 20), (7, 20)) + 0.0
    y = Rope([0.5], head_dim=20, rotary_start=12).rotate(x, 3 + np.arange(7)) * (1 + 0.001 * np.arange(7))[:, None]
    report = diagnose(np.stack([x, x]), np.stack([y, y]), np.arange(7) * 44)
    assert not (report["rotary_dim"].sure and report["rotary_dim"].value > 2)


def test_a_slice_whose_first_channel_rests_may_start_elsewhere():
    x = np.broadcast_to(x_of(1, 20), (24, 20)).astype(np.float16)
    rope = Rope(inverse_frequencies(16) / 16, head_dim=20, rotary_start=1)
    report = diagnose(x, rope.rotate(x.astype(float)).astype(np.float16))
    assert not report["rotary_start"].sure or report["rotary_start"].value == 1


def test_half_a_turn_may_be_a_turn():
    x = x_of(4, 8)
    assert not diagnose(x, -x)["rotates"].sure


def test_zeros_in_x_settle_no_layout():
    x = np.zeros((64, 4))
    x[:, 1] = 1
    assert not diagnose(x, 0.5 * _rope_of(4).rotate(x))["layout"].sure


def test_a_pair_in_the_middle_has_no_certain_layout():
    x = x_of(24, 8)
    assert not diagnose(x, Rope([1.0], head_dim=8, rotary_start=1).rotate(x))["layout"].sure


def test_tables_that_are_coarser_than_the_format_are_seen():
    x, angles = x_of(2, 64, 64).astype(np.float16).astype(float), np.arange(64)[:, None] * inverse_frequencies(64)
    for cast, sure in ((CASTS["bfloat16"], False), (CASTS["float64"], True)):
        y = rotate(x, cast(np.cos(angles)), cast(np.sin(angles)), layout="half").astype(np.float16)
        assert diagnose(x.astype(np.float16), y)["arithmetic"].sure == sure


def test_speeds_that_are_numbers_of_a_coarse_format_may_have_been_rounded():
    """1, 1/16, 1/256, 1/4096 are those of base 65536, and those of 65274 in bfloat16."""
    x = x_of(64, 8).astype(np.float32)
    report = diagnose(x, Rope(16.0 ** -np.arange(4)).rotate(x.astype(float)).astype(np.float32))
    assert not report["base"].sure and not report["arithmetic"].sure


def test_as_good_names_what_these_rows_do_not_show():
    x = x_of(64, 16).astype(np.float32)
    report = diagnose(x, _rope_of(16).rotate(x.astype(float)).astype(np.float32))
    assert report["arithmetic"].sure and "bfloat16 positions" in report["arithmetic"].why


def test_a_list_of_divisors_is_certain_where_nothing_known_comes_near():
    x, pairs = x_of(64, 64), np.arange(32)
    divided = inverse_frequencies(64) / (1 + 0.7 * np.sin(1.7 * pairs) ** 2)
    assert diagnose(x, Rope(divided).rotate(x))["method"].sure
    near = inverse_frequencies(64) * (1 + 1e-3 * np.sin(1.7 * pairs))
    assert diagnose(x, Rope(near).rotate(x))["method"].value == "list" and not diagnose(x, Rope(near).rotate(x))["method"].sure
    round_pi = np.rad2deg(inverse_frequencies(64, 12_345.0))  # angles beyond pi come back round
    assert not diagnose(x, Rope(round_pi).rotate(x))["method"].sure


def test_a_published_base_shows_through_tables_in_bfloat16():
    x, angles = x_of(2, 512, 64), np.arange(512)[:, None] * inverse_frequencies(64, 5e5)
    report = diagnose(x, rotate(x, CASTS["bfloat16"](np.cos(angles)), CASTS["bfloat16"](np.sin(angles)), layout="half"))
    assert report["base"].sure and report["base"].value == 5e5 and report["arithmetic"].value == "bfloat16 tables"


def test_what_rope_cannot_do_is_noted():
    x = x_of(24, 16)
    assert "channels that rest" in str(diagnose(x, 2 * _rope_of(8, head_dim=16).rotate(x)).notes)
    report = diagnose(x, _rope_of(16).rotate(x) * (1 + 0.01 * np.arange(24))[:, None])
    assert "factors of the rows" in str(report.notes) and report.residual > 1e3


@pytest.mark.parametrize("axis", [0, 1])
def test_positions_of_exchanged_axes_fit_x(axis):
    x = x_of(3, 4, 5, 16)
    by = np.moveaxis(np.broadcast_to(np.arange(x.shape[axis]), (*np.delete(x.shape[:3], axis), x.shape[axis])), -1, axis)
    y = _rope_of(16).rotate(x, np.ascontiguousarray(by))
    report = diagnose(x, y)
    np.testing.assert_allclose(report.rope.rotate(x, report.positions), y, atol=1e-12)


def test_too_few_rows_settle_no_offset_of_another_layout():
    x, order = x_of(2, 16), np.r_[:8, 15:7:-1]
    y = np.empty_like(x)
    angles = ((np.arange(2)[:, None] + 1000) * inverse_frequencies(16, 100.0)).astype(np.float16).astype(float)
    y[:, order] = rotate(x[:, order], np.cos(angles), np.sin(angles), layout="half")
    report = diagnose(x, y)
    assert not report["offset"].sure and not report["phase"].sure


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_base_lies_within_its_bounds_where_speeds_may_have_been_rounded(dtype):
    cast, x = CASTS[dtype], x_of(3, 256, 8)
    y = cast(Rope(cast(inverse_frequencies(8))).rotate(cast(x)))
    report = diagnose(cast(x), y)
    if report["base"].sure and report["base"].why:
        _, low, _, high = report["base"].why.split()
        assert float(low) <= 1e4 <= float(high)


def test_tables_are_read_from_pairs_that_are_seen():
    x = np.round(x_of(2, 12, 64) * 0.01, 3)
    slowed = inverse_frequencies(64, 1e6) / np.where(np.arange(32) < 16, 1, 3)
    report = diagnose(x, np.round(Rope(slowed).rotate(x, np.arange(12) + 2), 3))
    assert not report["method"].sure


def test_the_short_way_into_one_turn_gives_the_same_numbers():
    ends = np.pi * np.arange(-3, 4)
    angles = np.r_[np.linspace(-3, 3, 999) * np.pi, ends, np.nextafter(ends, -9), np.nextafter(ends, 9), 1e-18, -1e-18]
    for some in (angles[abs(angles + np.pi) < 4 * np.pi], angles, angles[-3:]):
        np.testing.assert_array_equal(wrap(some), (some + np.pi) % (2 * np.pi) - np.pi)
