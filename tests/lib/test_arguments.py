"""Every argument of every public function at the edge of its range, and past it, where it is refused by its name."""

import numpy as np
import pytest

import ropelib

INF, NAN = np.inf, np.nan
NOT_WHOLE = [2.0, "2", True, None, [2]]
NOT_A_NUMBER = [NAN, INF, "1", True, None, [1.0], 1j, 10**400]
NOT_FINITE = [NAN, [1.0, INF], "1", [True], None, [1j], [[1.0], [1.0, 2.0]], 2**53 + 1, 10**30, np.ma.zeros(2)]
NOT_REAL = ["1", [True], None, [1j], [[1.0], [1.0, 2.0]], 10**30, np.ma.zeros(2)]
NOT_FLAG = [0, 1, "True", None]
NOT_LAYOUT = ["neox", "", None, 0, ["half"]]
EVEN = ([2, np.int64(4)], [*NOT_WHOLE, 0, 1, 3, -2])
BASE = ([1.001, 10**6, np.float32(5e5)], [*NOT_A_NUMBER, 1, 0.5, 0, -1])
POSITIVE = ([1e-9, 7], [*NOT_A_NUMBER, 0, -1])
FACTOR = ([1, 1.0, 8.5], [*NOT_A_NUMBER, 0.999, 0, -1])
FROM_0 = ([0, 0.0, 3], [*NOT_A_NUMBER, -0.001])
COUNT = ([1, np.int8(3)], [*NOT_WHOLE, 0, -1])
LENGTH = ([0, 2], [*NOT_WHOLE, -1])
FLAG = ([True, False, np.True_], NOT_FLAG)
LAYOUT = (["half", "interleaved"], NOT_LAYOUT)
FINITE = ([0, [1.5, -2], 2**53, np.array([1], "u1"), np.array([1], "f2")], NOT_FINITE)

X, TABLE = np.ones((3, 8)), np.ones((3, 4))
TWO = np.ones((2, 4))
LONG = {"rotary_dim": 4, "base": 10.0, "short_factor": [1, 1], "long_factor": [2, 2], "factor": 2.0}
MAP = ropelib.rerope_map(2, 2, 1)
COUNT_THAT_DIVIDES = ([1, 4], [*NOT_WHOLE[1:], 0])
LISTS = ([[1e-9, 2.0]], ["1", [1.0], [1.0, 0.0], [1.0, -1.0], [1.0, NAN], [[1.0, 1.0]], None])

# function: arguments that fit, then for each argument values at the edge of its range and values past it
CASES = {
    "inverse_frequencies": ({"rotary_dim": 4, "base": 10.0}, {"rotary_dim": EVEN, "base": BASE}),
    "wavelengths": ({"inv_freq": [1.0]}, {"inv_freq": FINITE}),
    "critical_dimension": (
        {"rotary_dim": 4, "length": 8, "base": 10.0},
        {"rotary_dim": EVEN, "length": POSITIVE, "base": BASE},
    ),
    "cos_sin": (
        {"positions": [1], "inv_freq": [1.0]},
        {
            "positions": FINITE,
            "inv_freq": ([[], [0.0]], [*NOT_FINITE, 1.0, [[1.0]]]),
            "dtype": (["f2", np.float32, "g"], [int, complex, bool, "no", 3]),
        },
    ),
    "rotate": (
        {"x": X, "cos": TABLE, "sin": TABLE, "layout": "half"},
        {
            "x": ([np.ones((3, 9))], [*NOT_REAL, [True], 1.0]),
            "cos": ([TABLE.astype("f2")], ["1", None, [[True] * 4] * 3]),
            "sin": ([TABLE.astype("i4")], ["1", None, [[True] * 4] * 3]),
            "layout": LAYOUT,
            "seq_axis": ([-2, 0], [*NOT_WHOLE, -1, 1, 2, -3]),
            "out": ([np.ones((3, 8))], [0, [1.0], np.ones((3, 7)), np.ones((3, 8), "f4"), np.ma.ones((3, 8))]),
        },
    ),
    "rotation_matrix": (
        {"positions": [1], "inv_freq": [1.0], "layout": "half"},
        {"positions": FINITE, "inv_freq": ([[0.0]], [*NOT_FINITE, 1.0]), "layout": LAYOUT},
    ),
    "to_complex": ({"x": X, "layout": "half"}, {"x": ([[1, 2]], NOT_REAL), "layout": LAYOUT}),
    "from_complex": (
        {"z": [1j], "layout": "half"},
        {"z": ([[1], [1.5]], ["a", None, [True], 1j, np.ma.zeros(2)]), "layout": LAYOUT},
    ),
    "to_half": ({"x": X, "axis": -1}, {"x": ([["a", "b"]], [np.ma.zeros(2)]), "axis": ([-1, 1], [*NOT_WHOLE, 2, -3])}),
    "to_interleaved": ({"x": X, "axis": -1}, {"x": ([["a", "b"]], [np.ma.zeros(2)]), "axis": ([-1, 1], [*NOT_WHOLE, 2, -3])}),
    "permute_weights": (
        {"w": np.ones((8, 3)), "heads": 2, "to": "half"},
        {
            "w": ([np.ones(8, "i1")], [np.ma.zeros(8), np.ones(7), 1.0]),
            "heads": ([1, 4], [*NOT_WHOLE, 0, -1]),
            "to": LAYOUT,
            "rotary_dim": ([2, 4, None], ["2", 2.0, True, 0, -2, 3, 6]),
            "rotary_start": ([0, 2], ["2", 2.0, True, None, -1, 4]),
        },
    ),
    "linear": ({"rotary_dim": 4, "base": 10.0, "factor": 2}, {"rotary_dim": EVEN, "base": BASE, "factor": FACTOR}),
    "ntk": (
        {"rotary_dim": 4, "base": 10.0, "factor": 2},
        {"rotary_dim": ([4], [*NOT_WHOLE, 0, 2, 3]), "base": BASE, "factor": FACTOR},
    ),
    "dynamic_ntk": (
        {"rotary_dim": 4, "base": 10.0, "factor": 2, "seq_len": 9, "max_position_embeddings": 8},
        {
            "rotary_dim": ([4], [*NOT_WHOLE, 0, 2, 3]),
            "base": BASE,
            "factor": FACTOR,
            "seq_len": ([0, 1.5], NOT_A_NUMBER),
            "max_position_embeddings": POSITIVE,
            "stepwise": FLAG,
        },
    ),
    "yarn": (
        {"rotary_dim": 8, "base": 10.0, "factor": 2, "original_max_position_embeddings": 64},
        {
            "rotary_dim": EVEN,
            "base": BASE,
            "factor": FACTOR,
            "original_max_position_embeddings": POSITIVE,
            "beta_fast": ([1, 32.0], [*NOT_A_NUMBER, 0.999, 0]),
            "beta_slow": ([1e-9, 32], [*NOT_A_NUMBER, 0, -1]),
            "truncate": FLAG,
            "attention_factor": ([0.001, 2, None], [0, NAN, INF, "1", True, [1.0], -0.001]),
            "mscale": ([0, 2, None], [NAN, INF, "1", True, [1.0], -0.001]),
            "mscale_all_dim": ([0, 2, None], [NAN, INF, "1", True, [1.0], -0.001]),
        },
    ),
    "temperature": ({"factor": 2, "mscale": 1}, {"factor": FACTOR, "mscale": FROM_0}),
    "longrope": (
        {**LONG, "original_max_position_embeddings": 64},
        {
            "rotary_dim": ([4], [*NOT_WHOLE, 0, 3]),
            "base": BASE,
            "short_factor": LISTS,
            "long_factor": LISTS,
            "original_max_position_embeddings": ([1.001, 9], [*NOT_A_NUMBER, 1, 0]),
            "seq_len": ([0, 64, None], [NAN, INF, "1", True, [1.0]]),
            "factor": ([1e-9, 1, 3], [NAN, INF, "1", True, [1.0], 0, None]),
            "attention_factor": ([0.001, 1, None], [0, NAN, INF, "1", True, [1.0], -0.001]),
        },
    ),
    "llama3": (
        {"rotary_dim": 4, "base": 10.0, "factor": 2, "original_max_position_embeddings": 64},
        {
            "rotary_dim": EVEN,
            "base": BASE,
            "factor": FACTOR,
            "original_max_position_embeddings": POSITIVE,
            "low_freq_factor": ([1e-9, 3.9], [*NOT_A_NUMBER, 0, -1]),
            "high_freq_factor": ([1.001, 9], [*NOT_A_NUMBER, 1, 0.5, 0]),
        },
    ),
    "proportional": (
        {"head_dim": 8, "base": 10.0},
        {
            "head_dim": EVEN,
            "base": BASE,
            "partial_rotary_factor": ([0, 1, 0.5], [*NOT_A_NUMBER, 1.001, -0.001]),
            "factor": FACTOR,
        },
    ),
    "stepped_query_factor": (
        {"positions": [1], "length": 8},
        {
            "positions": ([0, [[2, 3.5]]], [*NOT_FINITE, -0.001]),
            "length": POSITIVE,
            "beta": FROM_0,
            "first": FROM_0,
        },
    ),
    "logn_query_factor": (
        {"positions": [1], "length": 8},
        {"positions": ([0, [[2, 3.5]]], [*NOT_FINITE, -0.001]), "length": ([1.001, 9], [*NOT_A_NUMBER, 1, 0])},
    ),
    "grid_positions": ({"rows": 2, "columns": 3}, {"rows": COUNT, "columns": COUNT}),
    "patch_centres": ({"rows": 2, "columns": 3}, {"rows": COUNT, "columns": COUNT}),
    "axial": (
        {"rotary_dim": 8, "base": 10.0},
        {
            "rotary_dim": ([4], [*NOT_WHOLE, 0, 2, 6]),
            "base": BASE,
            "split": ([[8], (4, 2, 2), np.array([2, 6]), None], ["44", 8, [], [4, 2], [3, 5], [8, 0], [4.0, 4.0], [True, 7]]),
        },
    ),
    "pixel_frequencies": (
        {"rotary_dim": 4, "max_freq": 10},
        {"rotary_dim": EVEN, "max_freq": ([2, 2.5], [*NOT_A_NUMBER, 1.999, 0])},
    ),
    "mrope_axes": (
        {"section": [2, 1, 1]},
        {"section": ([[0, 1], (3,), np.array([1, 2])], ["21", 3, None, [], [0, 0], [1, -1], [1.0], [True]]), "interleaved": FLAG},
    ),
    "mrope_positions": (
        {"parts": [2]},
        {"parts": ([[], [(1, 1, 1)]], ["2", 2, None, [(1, 2)]]), "start": LENGTH, "time_step": POSITIVE},
    ),
    "cos_sin_axes": (
        {"positions": [[1], [2]], "inv_freq": [1.0, 2.0], "axes": [0, 1]},
        {
            "positions": ([[[0], [1], [2]]], ["1", None, [NAN, 1.0], 1.0, [[1]], [True, True]]),
            "inv_freq": ([[0.0, 0.0]], ["1", None, [NAN, 1.0], [True, True]]),
            "axes": ([[0, 0], np.array([1, 1], "u1")], ["0", None, [0.0, 1.0], [0], [[0, 1]], [0, -1], np.ma.zeros(2, int)]),
            "dtype": (["f4"], [int, "no"]),
        },
    ),
    "softmax": ({"x": X, "axis": -1}, {"x": ([[-INF, 1], [NAN]], NOT_REAL), "axis": ([0, -2], [*NOT_WHOLE, 2, -3])}),
    "causal_mask": ({"q_len": 2, "k_len": 3}, {"q_len": LENGTH, "k_len": LENGTH}),
    "sliding_mask": ({"q_len": 2, "k_len": 3, "window": 2}, {"q_len": LENGTH, "k_len": LENGTH, "window": COUNT}),
    "attend": (
        {"q": TWO, "k": TWO, "v": TWO},
        {
            "q": ([TWO.astype("f2")], NOT_REAL),
            "k": ([TWO.astype("i1")], NOT_REAL),
            "v": ([TWO.astype("f4")], NOT_REAL),
            "mask": ([[[True, False]], None, True], [0.0, [[1, 0]], [[True] * 3], "1", np.ma.ones((2, 2), bool)]),
            "bias": ([0, [[1.0, -INF]], None], ["1", True, [[1.0] * 3], 1j]),
            "scale": ([0, -1, 2.5, None], [NAN, INF, "1", True, [1.0]]),
        },
    ),
    "padded_positions": (
        {"mask": [1]},
        {"mask": ([[0, 1], [[True]], np.array([1], "u1")], ["1", 1, True, [2], [-1], [1.0], None, np.ma.ones(2, int)])},
    ),
    "packed_positions": (
        {"cu_seqlens": [0, 1]},
        {"cu_seqlens": ([[0], [0, 2, 2]], ["0", 0, [], [1, 2], [0, 2, 1], [0.0, 1.0], [[0, 1]], None, [False, True]])},
    ),
    "packed_mask": (
        {"cu_seqlens": [0, 1]},
        {"cu_seqlens": ([[0], [0, 2, 2]], ["0", 0, [], [1, 2], [0, 2, 1], [0.0, 1.0], [[0, 1]], None, [False, True]])},
    ),
    "sinusoidal": (
        {"positions": [1], "dim": 4, "base": 10.0, "layout": "half"},
        {"positions": FINITE, "dim": COUNT, "base": BASE, "layout": LAYOUT},
    ),
    "alibi_slopes": ({"heads": 2}, {"heads": COUNT}),
    "alibi_bias": ({"heads": 2, "q_len": 2, "k_len": 3}, {"heads": COUNT, "q_len": LENGTH, "k_len": LENGTH}),
    "t5_bucket": (
        {"relative": [1], "bidirectional": True},
        {
            "relative": ([[], -3], ["1", [1.0], [True], None, 1j]),
            "buckets": ([4, 6], [*NOT_WHOLE, 2, 3, 5, 0]),
            "max_distance": ([9, 128], [*NOT_WHOLE, 8, 0]),
            "bidirectional": FLAG,
        },
    ),
    "xpos_scale": (
        {"positions": [1], "rotary_dim": 4},
        {
            "positions": ([0, [-1.5, 2]], [*NOT_FINITE, 1e9, -1e9]),
            "rotary_dim": EVEN,
            "scale_base": ([1e-2, 512], [*NOT_A_NUMBER, 0, -1]),
            "centre": ([0, -1.5], NOT_A_NUMBER),
        },
    ),
    "Rope": (
        {"inv_freq": [1.0, 2.0], "head_dim": 8},
        {
            "inv_freq": ([[0.0, 0.0], [-1.0, 2.0]], ["1", None, [NAN, 1.0], [True, True], [[1.0, 2.0]]]),
            "attention_factor": FROM_0,
            "softmax_factor": FROM_0,
            "head_dim": ([4, 9, None], ["4", 4.0, True, 0, -1]),
            "rotary_dim": ([4, None], ["4", 4.0, True, -2, 3]),
            "layout": LAYOUT,
            "axes": ([[0, 0], None], ["0", [0.0, 1.0], [0], [0, -1]]),
            "by_length": ([None, len], [1, "len", [len]]),
            "rotary_start": ([0, 4], ["2", 2.0, True, None, -1, 5]),
            "direction": ([1, -1, np.int64(-1)], [0, 2, True, "1", None]),
            "rotates_values": FLAG,
            "by_position": ([None, len], [1, "len", [len]]),
        },
    ),
    "KVCache": (
        {"rope": ropelib.Rope([1.0]), "window": 3},
        {
            "rope": ([ropelib.Rope([], head_dim=2)], [None, "rope", [1.0]]),
            "window": ([1, None], ["1", 1.0, True, 0, -1]),
            "sinks": ([0, 2], [*NOT_WHOLE, -1]),
            "renumber": FLAG,
        },
    ),
    "longrope_temperature": (
        {"factor": 2, "original_max_position_embeddings": 64},
        {"factor": POSITIVE, "original_max_position_embeddings": ([1.001, 64], [*NOT_A_NUMBER, 1, 0])},
    ),
    "rerope_map": (
        {"q_len": 2, "k_len": 3, "window": 2},
        {"q_len": LENGTH, "k_len": LENGTH, "window": COUNT, "leak": ([1, 2.5, None], [NAN, INF, "1", True, [1.0], 0.999])},
    ),
    "self_extend_map": (
        {"q_len": 2, "k_len": 3, "window": 4, "group": 2},
        {"q_len": LENGTH, "k_len": LENGTH, "window": ([2, 6], [*NOT_WHOLE[1:], 0, -2, 3]), "group": COUNT_THAT_DIVIDES},
    ),
    "dual_chunk_map": (
        {"q_len": 2, "k_len": 3, "chunk": 2, "trained": 4},
        {"q_len": LENGTH, "k_len": LENGTH, "chunk": ([1, 4], [*NOT_WHOLE[1:], 0, 5]), "trained": ([2, 9], [*NOT_WHOLE[1:], 0])},
    ),
    "relative_positions": ({"passes": MAP}, {"passes": ([list(MAP)], [None, "map", [], [1]])}),
    "attend_mapped": (
        {"q": TWO, "k": TWO, "v": TWO, "rope": ropelib.Rope([1.0, 0.1]), "passes": MAP},
        {
            "q": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "k": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "v": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "rope": ([ropelib.Rope([0.5, 0.5])], [None, "rope", [1.0]]),
            "passes": ([list(MAP)], [None, "map", []]),
            "scale": ([0, 0.5, None], [NAN, INF, "1", True, [1.0]]),
        },
    ),
    "kernel": (
        {"q": [1.0, 2.0], "k": [2.0, 1.0], "distances": [0, 1], "encoding": "rope", "layout": "half", "base": 10.0},
        {
            "q": ([[1, 2]], NOT_FINITE),
            "k": ([[1, 2]], NOT_FINITE),
            "distances": ([[0, 3]], NOT_FINITE),
            "encoding": (["rope"], ["RoPE", "", None, 1]),
            "start": ([0, 7], NOT_WHOLE),
            "base": ([None, *BASE[0]], [x for x in BASE[1] if x is not None]),
            "layout": ([None, *LAYOUT[0]], [x for x in NOT_LAYOUT if x is not None]),
        },
    ),
    "linear_attend": (
        {"q": TWO, "k": TWO, "v": TWO},
        {
            "q": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "k": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "v": ([TWO.astype("f2")], ["1", None, 1j * TWO]),
            "rope": ([None, ropelib.Rope([1.0, 0.1])], ["rope", [1.0]]),
            "causal": FLAG,
        },
    ),
}
FITS = [(name, key, value) for name, (_, ranges) in CASES.items() for key, (inside, _) in ranges.items() for value in inside]
PAST = [(name, key, value) for name, (_, ranges) in CASES.items() for key, (_, outside) in ranges.items() for value in outside]


def test_every_function_is_here():
    rooms = ("config", "diagnosis", "conformance")  # these have tests of their own
    modules = {name: getattr(ropelib, name).__module__.split(".") for name in ropelib.__all__}
    assert set(CASES) == {name for name, path in modules.items() if not set(rooms) & set(path)}


@pytest.mark.parametrize("name, key, value", FITS, ids=lambda each: repr(each)[:30])
def test_the_edge_of_the_range_is_in_it(name, key, value):
    getattr(ropelib, name)(**{**CASES[name][0], key: value})


@pytest.mark.parametrize("name, key, value", PAST, ids=lambda each: repr(each)[:30])
def test_past_the_edge_is_refused_by_name(name, key, value):
    with pytest.raises(ValueError) as refusal:
        getattr(ropelib, name)(**{**CASES[name][0], key: value})
    message = str(refusal.value)
    says = message.startswith((f"{key} must", f"{key} holds numbers beyond 2**53")) or f" {key} must" in f" {message}"
    assert says and ("got " in message or "beyond 2**53" in message), message


# What an argument is when it is left out, where a slightly different value would show.
SLIGHTLY = 2 * np.pi * 10_000 ** (90 / 128) * 1.00001  # just past the wavelength of pair 45
DEFAULTS = [
    ("inverse_frequencies", {"rotary_dim": 8}, {"base": 10_000.0}),
    ("critical_dimension", {"rotary_dim": 128, "length": SLIGHTLY}, {"base": 10_000.0}),
    ("cos_sin", {"positions": [1], "inv_freq": [1.0]}, {"dtype": np.float64}),
    ("rotate", {"x": np.arange(24.0).reshape(3, 8), "cos": TABLE, "sin": TABLE, "layout": "half"}, {"seq_axis": -2, "out": None}),
    ("to_half", {"x": np.arange(64).reshape(8, 8)}, {"axis": -1}),
    ("to_interleaved", {"x": np.arange(64).reshape(8, 8)}, {"axis": -1}),
    ("permute_weights", {"w": np.arange(12), "heads": 2, "to": "half"}, {"rotary_dim": 6, "rotary_start": 0}),
    ("linear", {"rotary_dim": 8, "factor": 2}, {"base": 10_000.0}),
    ("ntk", {"rotary_dim": 8, "factor": 2}, {"base": 10_000.0}),
    (
        "dynamic_ntk",
        {"rotary_dim": 8, "factor": 2, "seq_len": 9, "max_position_embeddings": 8},
        {"base": 10_000.0, "stepwise": False},
    ),
    (
        "yarn",
        {"rotary_dim": 64, "factor": 2, "original_max_position_embeddings": 4096},
        {"base": 10_000.0, "beta_fast": 32, "beta_slow": 1, "truncate": True},
    ),
    ("yarn", {"rotary_dim": 64, "factor": 2, "original_max_position_embeddings": 4096, "truncate": False}, {"beta_fast": 32}),
    ("yarn", {"rotary_dim": 64, "factor": 2, "original_max_position_embeddings": 4096, "truncate": False}, {"beta_slow": 1}),
    ("yarn", {"rotary_dim": 8, "factor": 2, "original_max_position_embeddings": 64, "mscale": 0.5}, {"mscale_all_dim": 0.0}),
    ("yarn", {"rotary_dim": 8, "factor": 2, "original_max_position_embeddings": 64, "mscale_all_dim": 0.5}, {"mscale": 1.0}),
    ("temperature", {"factor": 2}, {"mscale": 1.0}),
    (
        "longrope",
        {"rotary_dim": 4, "short_factor": [1, 1], "long_factor": [2, 2], "factor": 2, "original_max_position_embeddings": 64},
        {"base": 10_000.0, "seq_len": 64, "attention_factor": (1 + np.log(2) / np.log(64)) ** 0.5},
    ),
    (
        "llama3",
        {"rotary_dim": 64, "factor": 8, "original_max_position_embeddings": 8192},
        {"base": 500_000.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "step": False},
    ),
    ("proportional", {"head_dim": 8}, {"base": 10_000.0, "partial_rotary_factor": 1.0, "factor": 1.0}),
    ("stepped_query_factor", {"positions": [9], "length": 5}, {"beta": 0.1, "first": 0}),
    ("axial", {"rotary_dim": 8}, {"base": 10_000.0, "split": (4, 4)}),
    ("pixel_frequencies", {"rotary_dim": 8}, {"max_freq": 10.0}),
    ("mrope_axes", {"section": [2, 1, 1]}, {"interleaved": False}),
    ("mrope_positions", {"parts": [1, (3, 1, 1), 1]}, {"start": 0, "time_step": 1}),
    ("cos_sin_axes", {"positions": [[1], [2]], "inv_freq": [1.0, 2.0], "axes": [0, 1]}, {"dtype": np.float64}),
    ("softmax", {"x": np.arange(6.0).reshape(2, 3)}, {"axis": -1}),
    ("attend", {"q": np.eye(2, 4), "k": np.eye(2, 4), "v": np.eye(2)}, {"mask": True, "bias": 0.0, "scale": 0.5}),
    ("sinusoidal", {"positions": [1, 9], "dim": 8}, {"base": 10_000.0, "layout": "interleaved"}),
    ("t5_bucket", {"relative": range(-200, 200), "bidirectional": True}, {"buckets": 32, "max_distance": 128}),
    ("xpos_scale", {"positions": [9], "rotary_dim": 8}, {"scale_base": 512, "centre": 0}),
]


@pytest.mark.parametrize("name, given, defaults", DEFAULTS, ids=lambda each: each if isinstance(each, str) else "")
def test_an_argument_left_out_is_its_default(name, given, defaults):
    function = getattr(ropelib, name)
    want = function(**given, **defaults)
    got = function(**given)
    for ours, theirs in zip(*(each if isinstance(each, tuple) else (each,) for each in (got, want)), strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype


def test_a_rope_and_a_cache_have_their_defaults():
    rope = ropelib.Rope([1.0, 0.1])
    assert (rope.attention_factor, rope.softmax_factor, rope.layout, rope.axes) == (1.0, 1.0, "half", None)
    assert (rope.by_length, rope.by_position, rope.length_dependent) == (None, None, False)
    cache = ropelib.KVCache(rope)
    assert (cache.rope, cache.window, cache.sinks, cache.renumber) == (rope, None, 0, False)
