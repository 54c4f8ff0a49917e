"""Arguments that the other encodings and the axes refuse, and edges of what they take."""

import warnings

import numpy as np
import pytest

import ropelib


def longrope(**settings):
    return ropelib.longrope(4, short_factor=[1, 1], long_factor=[2, 2], **settings)


def llama3(**settings):
    return ropelib.llama3(4, factor=2, original_max_position_embeddings=9, **settings)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ropelib.sinusoidal(1, 0), "dim must be at least 1"),
        (lambda: ropelib.sinusoidal(1, 4, layout="sin"), "layout must be one of"),
        (lambda: ropelib.sinusoidal(True, 4), "positions must hold real numbers"),
        (lambda: ropelib.sinusoidal(1, 4, base=1), "base must be greater than 1"),
        (lambda: ropelib.inverse_frequencies(4, 1), "base must be greater than 1, got 1"),
        (lambda: ropelib.axial(4, 0.5), "base must be greater than 1"),
        (lambda: ropelib.ntk(4, 1.0, factor=2), "base must be greater than 1"),
        (lambda: ropelib.yarn(4, 1, factor=2, original_max_position_embeddings=9), "base must be greater than 1"),
        (lambda: ropelib.yarn(4, factor=0.5, original_max_position_embeddings=9), "factor must be at least 1"),
        (lambda: ropelib.proportional(4, factor=0.5), "factor must be at least 1"),
        (lambda: ropelib.longrope_temperature(2, 1), "original_max_position_embeddings must be greater than 1"),
        (lambda: longrope(original_max_position_embeddings=1), "original_max_position_embeddings must be greater than 1"),
        (lambda: longrope(original_max_position_embeddings=9), "factor must be given .* got None"),
        (lambda: llama3(high_freq_factor=0), "high_freq_factor must be greater than 0"),
        (lambda: llama3(high_freq_factor=1, step="yes"), "step must be True or False"),
        (lambda: ropelib.critical_dimension(4, 9, 1), "base must be greater than 1"),
        (lambda: ropelib.alibi_slopes(0), "heads must be at least 1"),
        (lambda: ropelib.alibi_slopes(8.0), "heads must be an integer"),
        (lambda: ropelib.alibi_bias(8, -1, 4), "q_len must be at least 0"),
        (lambda: ropelib.t5_bucket(1.5, bidirectional=True), "relative must hold integers"),
        (lambda: ropelib.t5_bucket(1, bidirectional=1), "bidirectional must be True or False"),
        (lambda: ropelib.t5_bucket(1, buckets=1, bidirectional=False), "buckets must be at least 2"),
        (lambda: ropelib.t5_bucket(1, buckets=5, bidirectional=True), "buckets must be even and at least 4"),
        (lambda: ropelib.t5_bucket(1, max_distance=8, bidirectional=True), "max_distance must be at least 9"),
        (lambda: ropelib.xpos_scale(1, 7), "rotary_dim must be even"),
        (lambda: ropelib.xpos_scale(1, 8, scale_base=0), "scale_base must be greater than 0"),
        (lambda: ropelib.xpos_scale(1, 8, centre="0"), "centre must be a number"),
        (lambda: ropelib.xpos_scale(np.nan, 8), "positions must be finite"),
        (lambda: ropelib.grid_positions(0, 3), "rows must be at least 1"),
        (lambda: ropelib.grid_positions(3, 2.0), "columns must be an integer"),
        (lambda: ropelib.mrope_positions([-1]), "a part of text must be at least 0"),
        (lambda: ropelib.mrope_positions([1.5]), "a part of text must be an integer"),
        (lambda: ropelib.mrope_positions([True]), "a part of text must be an integer"),
        (lambda: ropelib.mrope_positions([(1, 2)]), r"parts must hold integers and triples \(T, H, W\), got \(1, 2\)"),
        (lambda: ropelib.mrope_positions(["abc"]), "a size in parts must be an integer, got 'a'"),
        (lambda: ropelib.mrope_positions([(1, 0, 2)]), "a size in parts must be at least 1"),
        (lambda: ropelib.mrope_positions([1], start=-1), "start must be at least 0"),
        (lambda: ropelib.mrope_positions([1], time_step=0), "time_step must be greater than 0"),
        (lambda: ropelib.mrope_positions(5), "parts must be a sequence"),
        (lambda: ropelib.axial(6), "rotary_dim must be a multiple of 4"),
        (lambda: ropelib.axial(7, split=(4, 2)), "rotary_dim must be even, got 7"),
        (lambda: ropelib.axial(8, split=(4, 2)), r"split must have the sum rotary_dim, 8, got \[4, 2\]"),
        (lambda: ropelib.axial(8, split=(5, 3)), "split must be even, got 5"),
        (lambda: ropelib.axial(8, split="44"), "split must be a list of integers, got '44'"),
        (lambda: ropelib.patch_centres(0, 3), "rows must be at least 1"),
        (lambda: ropelib.pixel_frequencies(8, 1), "max_freq must be at least 2"),
        (
            lambda: ropelib.cos_sin_axes(np.zeros((2, 3)), [1.0, 1.0], [0, 2]),
            "positions must have a first axis of at least 3",
        ),
        (lambda: ropelib.cos_sin_axes(3, [1.0, 1.0], [0, 0]), "positions must have a first axis of at least 1"),
        (lambda: ropelib.cos_sin_axes(np.zeros((2, 3)), [1.0, 1.0], [0, -1]), "axes must be 0 or more"),
        (lambda: ropelib.cos_sin_axes(np.zeros((2, 3)), [1.0, 1.0], [0.0, 1.0]), "axes must hold integers"),
        (lambda: ropelib.cos_sin_axes(np.zeros((2, 3)), [1.0], [0, 1]), "axes must have the shape of inv_freq"),
        (lambda: ropelib.cos_sin_axes(np.zeros((2, 3)), [1.0], [0], int), "dtype must be floating"),
    ],
)
def test_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_positions_after_an_image():
    """Three tokens of text, an image of 2 x 3 patches, text: the article's row of a Qwen2-VL prompt."""
    positions, delta = ropelib.mrope_positions([3, (1, 2, 3), 2])
    assert positions.tolist() == [
        [0, 1, 2, 3, 3, 3, 3, 3, 3, 6, 7],
        [0, 1, 2, 3, 3, 3, 4, 4, 4, 6, 7],
        [0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7],
    ]
    assert delta == -3 and positions.shape[1] + delta == positions.max() + 1
    video, delta = ropelib.mrope_positions([(4, 1, 1), 1], start=5, time_step=1.5)
    assert video.tolist() == [[5, 6, 8, 9, 10], [5, 5, 5, 5, 10], [5, 5, 5, 5, 10]]
    assert delta == 11 - 5
    assert ropelib.mrope_positions([4], start=2)[1] == 2
    nothing, delta = ropelib.mrope_positions([], start=3)
    assert nothing.shape == (3, 0) and nothing.dtype == np.int64 and delta == 3
    assert ropelib.mrope_positions([0, (1, 1, 1), 0])[0].tolist() == [[0]] * 3


def test_text_around_images_rotates_as_one_row():
    """What lies after an image goes on as text alone does from the same position."""
    rope = ropelib.Rope(ropelib.inverse_frequencies(8), axes=[0, 1, 2, 0])
    positions, delta = ropelib.mrope_positions([2, (1, 4, 4), 3])
    cos, _ = rope.cos_sin(positions[:, None])
    np.testing.assert_array_equal(cos[0, -3:], rope.cos_sin(np.arange(18, 21) + delta)[0])


def test_three_axes_have_a_spectrum_each():
    """Wan's split of 128 channels: as its code, which joins three tables of 1-D RoPE."""
    inv_freq, axes = ropelib.axial(128, split=(44, 42, 42))
    own = [ropelib.inverse_frequencies(channels) for channels in (44, 42, 42)]
    np.testing.assert_array_equal(inv_freq, np.concatenate(own))
    assert np.bincount(axes).tolist() == [22, 21, 21] and (np.diff(axes) >= 0).all()
    video = ropelib.mrope_positions([(3, 2, 2)])[0]
    cos, _ = ropelib.Rope(inv_freq, axes=axes).cos_sin(video)
    np.testing.assert_array_equal(cos[:, 22:43], ropelib.cos_sin(video[1], own[1])[0])


def test_centres_of_patches():
    """DINOv3, a grid of 2 x 3, its cell (1, 2), a head of 8: as transformers, to 3e-7 in float32."""
    centres = ropelib.patch_centres(2, 3)
    inv_freq, axes = ropelib.axial(8, 100.0)
    angles = 2 * np.pi * centres[axes, 5] * inv_freq
    np.testing.assert_allclose(angles, [3.1415926536, 0.3141592654, 4.1887902048, 0.4188790205], rtol=1e-9)
    fine = ropelib.patch_centres(4, 6).reshape(2, 2, 2, 3, 2)  # each patch in four
    np.testing.assert_allclose(fine.mean(axis=(2, 4)).reshape(2, -1), centres, atol=1e-15)


def test_t5_edges():
    """Powers of two are edges, where a rounded logarithm may fall short."""
    got = ropelib.t5_bucket([-7, -8, -11, -12, -16, -32, -64, -127, -128, -(10**9)], bidirectional=True)
    assert got.tolist() == [7, 8, 8, 9, 10, 12, 14, 15, 15, 15]
    decoder = ropelib.t5_bucket([5, 0, -15, -16, -32, -64, -128], bidirectional=False)
    assert decoder.tolist() == [0, 0, 15, 16, 21, 26, 31]
    assert ropelib.t5_bucket(np.iinfo(np.int64).min, bidirectional=True) == 15
    assert ropelib.t5_bucket(np.array(2**63 + 5, "u8"), bidirectional=True) == 31
    assert ropelib.t5_bucket(-9 * 10**7, max_distance=10**9, bidirectional=True) == 14
    assert ropelib.t5_bucket([], bidirectional=True).shape == (0,)


def test_each_distance_has_its_bucket():
    """Of 16 buckets a side 8 hold one distance each; the others begin at 8 * 16 ** (j / 8), that is 8 * 2 ** (j / 2)."""
    begin = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    distance = np.arange(300)
    want = (distance[:, None] >= begin).sum(-1)
    np.testing.assert_array_equal(ropelib.t5_bucket(-distance, bidirectional=True), want)


def test_empty_positions():
    assert ropelib.sinusoidal([], 3).shape == (0, 3)
    assert ropelib.xpos_scale([], 4).shape == (0, 2)
    assert ropelib.cos_sin_axes(np.zeros((2, 0)), *ropelib.axial(4))[0].shape == (0, 2)


def test_a_pair_that_never_turns_has_no_end_and_no_warning():
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        np.testing.assert_array_equal(ropelib.wavelengths([0.0, -0.0, -1.0]), [np.inf, np.inf, 2 * np.pi])
