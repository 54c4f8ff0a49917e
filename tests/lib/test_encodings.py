"""Arguments that the other encodings and the axes refuse, and edges of what they take."""

import numpy as np
import pytest

import ropelib


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: ropelib.sinusoidal(1, 0), "dim must be at least 1"),
        (lambda: ropelib.sinusoidal(1, 4, layout="sin"), "layout must be one of"),
        (lambda: ropelib.sinusoidal(True, 4), "positions must hold real numbers"),
        (lambda: ropelib.sinusoidal(1, 4, base=0), "base must be greater than 0"),
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
        (lambda: ropelib.axial(6), "rotary_dim must be a multiple of 4"),
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


def test_empty_positions():
    assert ropelib.sinusoidal([], 3).shape == (0, 3)
    assert ropelib.xpos_scale([], 4).shape == (0, 2)
    assert ropelib.cos_sin_axes(np.zeros((2, 0)), *ropelib.axial(4))[0].shape == (0, 2)
