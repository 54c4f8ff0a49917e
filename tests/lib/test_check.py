"""check_rope on implementations written here in plain NumPy: right ones pass, and every broken one is named."""

import numpy as np
import pytest

import ropelib
from ropelib import Rope, check_rope

D, BASE = 64, 10_000.0
K = np.arange(D // 2)
THETA = BASE ** (-2 * K / D)
RIGHT = Rope(THETA)


def half(x, p, theta=THETA, sign=1.0, scale=1.0, turn=0.0):
    return turned(x, sign * np.asarray(p, float)[..., None] * theta + turn, scale=scale)


def turned(x, angles, scale=1.0):
    """The textbook: halves of the channels, and tables of their angles."""
    n = 2 * angles.shape[-1]
    cos, sin = np.cos(angles) * scale, np.sin(angles) * scale
    a, b = x[..., : n // 2], x[..., n // 2 : n]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos, x[..., n:]], axis=-1).astype(x.dtype)


def interleaved(x, p, theta=THETA):
    angles = np.asarray(p, float)[..., None] * theta
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape).astype(x.dtype)


def rows(x):
    return np.arange(x.shape[-2])


def wrong_table(x):
    """Half rotation with each angle written twice in a row."""
    angles = np.repeat(rows(x)[:, None] * THETA, 2, axis=-1)
    turned = np.concatenate([-x[..., D // 2 :], x[..., : D // 2]], axis=-1)
    return (x * np.cos(angles) + turned * np.sin(angles)).astype(x.dtype)


def no_minus(x):
    angles = np.concatenate([rows(x)[:, None] * THETA] * 2, axis=-1)
    turned = np.concatenate([x[..., D // 2 :], x[..., : D // 2]], axis=-1)
    return (x * np.cos(angles) + turned * np.sin(angles)).astype(x.dtype)


def overwritten(x):
    angles = rows(x)[:, None] * THETA
    y = x.copy()
    y[..., : D // 2] = x[..., : D // 2] * np.cos(angles) - x[..., D // 2 :] * np.sin(angles)
    y[..., D // 2 :] = y[..., : D // 2] * np.sin(angles) + x[..., D // 2 :] * np.cos(angles)
    return y


def bfloat16(a):
    bits = np.ascontiguousarray(a, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(float)


def in_place(x):
    x[...] = half(x, rows(x))
    return x


def short_table(x):
    return half(x, np.minimum(rows(x), 4095))


def dynamic(x):
    n = x.shape[-2]
    base = BASE * max(1, 2 * n / 2048 - 1) ** (D / (D - 2))
    return half(x, rows(x), base ** (-2 * K / D))


def half_precision(x):
    return turned(x, (rows(x)[:, None].astype(np.float16) * THETA.astype(np.float16)).astype(float))


def by_head(x):
    return np.swapaxes(half(np.swapaxes(x, -2, -3), np.arange(x.shape[-3])), -2, -3)


def other_heads(x):
    y = half(x, rows(x))
    y[:, 1:] = half(x[:, 1:], rows(x), THETA / 2)
    return y


def sinusoid(x):
    angles = rows(x)[:, None] * THETA
    return (x + np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)).astype(x.dtype)


def steps(x):
    """Angles by adding a step a row, in float32."""
    each = np.broadcast_to(THETA.astype(np.float32), (x.shape[-2], D // 2))
    return turned(x, (np.cumsum(each, axis=0, dtype=np.float32) - each[0]).astype(float))


def squares(x):
    angles = rows(x)[:, None] * THETA
    cos, sin, a, b = np.cos(angles) ** 2, np.sin(angles) ** 2, x[..., : D // 2], x[..., D // 2 :]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)


def llama3(theta):
    turns = 256 * theta / (2 * np.pi)
    smooth = np.clip((turns - 1) / 3, 0, 1)
    return theta * smooth + theta / 8 * (1 - smooth)


BROKEN = {  # name: the code, what must be in the report's first sentence
    "interleaved": (lambda x: interleaved(x, rows(x)), "layout: expected half, got interleaved; one-hot e0, S = 2, row 1"),
    "half rotation, interleaved table": (wrong_table, "layout: expected half, got half rotation, interleaved table"),
    "minus lost": (no_minus, "layout: expected half, got half without minus"),
    "second from the overwritten first": (overwritten, "got half, second channel from the overwritten first"),
    "other sense": (lambda x: half(x, rows(x), sign=-1.0), "sense: expected 1, got -1"),
    "offset 1": (lambda x: half(x, rows(x) + 1), "offset: expected 0, got 1; one-hot e0, S = 1, row 0 -> +0.5403 e0 +0.8415 e32"),
    "offset 3000": (lambda x: half(x, rows(x) + 3000), "offset: expected 0, got 3000"),
    "base 500000": (lambda x: half(x, rows(x), 5e5 ** (-2 * K / D)), "base 500000"),
    "i / d": (lambda x: half(x, rows(x), BASE ** (-K / D)), "(method plain, base 100; or exponent i/d instead of 2i/d)"),
    "index from 1": (lambda x: half(x, rows(x), BASE ** (-2 * (K + 1) / D)), "method linear"),
    "linear 4": (lambda x: half(x, rows(x), THETA / 4), "factor 4"),
    "llama3": (lambda x: half(x, rows(x), llama3(THETA)), "method llama3"),
    "zero tail": (lambda x: half(x, rows(x), np.where(K < 8, THETA, 0)), "method proportional"),
    "part of the head": (lambda x: half(x, rows(x), BASE ** (-2 * np.arange(16) / 32)), "rotary_dim: expected 64, got 32"),
    "scale": (lambda x: half(x, rows(x), scale=1.25), "scale: expected 1, got 1.25"),
    "not at all": (lambda x: x.copy(), "rotates: expected yes, got no"),
    "negated": (lambda x: -half(x, rows(x)), "phase: expected 0, got pi"),
    "bfloat16 angles": (lambda x: turned(x, bfloat16(bfloat16(rows(x))[:, None] * bfloat16(THETA))), "got bfloat16 angles"),
    "float16 angles": (half_precision, "arithmetic: expected float32 or better, got float16 angles; first at row 2 of 8"),
    "bfloat16 frequencies": (lambda x: half(x, rows(x), bfloat16(THETA)), "got bfloat16 inverse frequencies"),
    "bfloat16 positions": (lambda x: half(x, bfloat16(rows(x))), "bfloat16 positions"),
    "table that ends": (short_table, "positions: expected row by row, got stops at 4095; first at row 4096 of 8192"),
    "table that wraps": (lambda x: half(x, rows(x) % 512), "got starts again: row 512 at 0, and counts on from there"),
    "decoding at 0": (lambda x: half(x, np.where(rows(x) < 6, rows(x), 0)), "got row 6 and all after it at 0"),
    "decoding, late": (lambda x: half(x, np.where(rows(x) < 32, rows(x), 0)), "got row 32 and all after it at 0"),
    "prompt counted twice": (lambda x: half(x, np.where(rows(x) < 6, rows(x), rows(x) + 6)), "got row 6 at 12, and counts on"),
    "one position late": (lambda x: half(x, np.where(rows(x) < 6, rows(x), rows(x) - 1)), "got row 6 at 5, and counts on"),
    "16 times": (lambda x: half(x, rows(x), THETA * 16), "expected 1 of pair 0, got 16 times as much in every pair"),
    "dynamic": (dynamic, "depend on the length: from 2049 rows on"),
    "by head": (by_head, "axes: expected the sequence's, got exchanged"),
    "sinusoid added": (sinusoid, "is not linear: any x, row 0 -> y = a matrix times x, and +1.0000 e"),
    "cos and sin exchanged": (lambda x: half(x, rows(x), sign=-1.0, turn=np.pi / 2), "cos and sin: expected in their places, go"),
    "a quarter turn on": (lambda x: half(x, rows(x), turn=np.pi / 2), "phase: expected 0, got pi/2 (the same in every pair: sco"),
    "degrees": (lambda x: half(x, rows(x), np.deg2rad(THETA)), "got 0.0174533 (degrees for radians: times pi / 180, method line"),
    "degrees into cos": (lambda x: half(x, rows(x), np.rad2deg(THETA)), "in every pair (degrees for radians: times 180 / pi)"),
    "end point": (lambda x: half(x, rows(x), BASE ** -np.linspace(0, 1, D // 2)), "(exponents that reach 1: linspace with its e"),
    "rotated twice": (lambda x: half(half(x, rows(x)), rows(x)), "got 2 (rotated twice, or positions doubled, method linear"),
    "halves exchanged": (lambda x: np.roll(half(x, rows(x)), D // 2, axis=-1), "got halves exchanged in what is returned"),
    "neighbours exchanged": (lambda x: half(x, rows(x))[..., np.arange(D) ^ 1], "got channel 1 where channel 0 belongs; one-hot"),
    "frequencies in twos": (lambda x: half(x, rows(x), BASE ** (-(K // 2 * 2) * 2 / D)), "expected 0.749894 of pair 1, got 1"),
    "the last pair still": (lambda x: half(x, rows(x), THETA * (K < 31)), "of pair 31, got 0 (method proportional, base 10000"),
    "base 10001": (lambda x: half(x, rows(x), 10001.0 ** (-2 * K / D)), "(method plain, base 10001); first at row 54 of 64"),
    "steps added up in float32": (steps, "angles: expected float32 or better, got off by 0.6 at row 8191"),
    "mean removed": (lambda x: half(x - x.mean(-1, keepdims=True), rows(x)), "got no pairing of channels that is known"),
    "squares": (squares, "got no pairing of channels that is known"),
    "longer by row": (lambda x: half(x, rows(x)) * (1 + rows(x)[:, None] * 1e-5).astype("f"), "got 1 to 1.08191, row by row"),
    "not inverted": (lambda x: half(x, rows(x), 1 / THETA), "(frequencies not inverted"),
    "backwards": (lambda x: half(x, rows(x)[::-1]), "sense: expected 1, got -1; one-hot e0, S = 8, row 0"),
    "two rows a position": (lambda x: half(x, rows(x) // 2), "positions"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_code_is_named(name):
    fn, words = BROKEN[name]
    report = check_rope(fn, head_dim=D, expected=RIGHT)
    assert not report.ok
    assert words in report.sentence, str(report)


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (in_place, "writes over its input"),
        (other_heads, "turns heads differently: one-hot e0, row 1, head 1"),
        (by_head, "turns by the head's index"),
        (wrong_table, "is no rotation: one-hot e0 and e"),
        (overwritten, "is no rotation"),
        (sinusoid, "is not linear"),
        (lambda x: half(x, rows(x)) + np.roll(x, 1, axis=-2) * 0.01, "mixes rows"),
        (lambda x: half(x, rows(x)) * (1 + np.arange(len(x))).reshape(-1, 1, 1, 1).astype("f"), "treats batches differently"),
        (lambda x: half(x, rows(x)) * (1 + rows(x)[:, None] / 10).astype(x.dtype), "changes lengths by position"),
        (lambda x: half(x, rows(x) ** 2), "scores depend on more than the distance"),
    ],
)
def test_what_no_implementation_should_do(fn, words):
    report = check_rope(fn, head_dim=D)
    assert any(words in str(failure) for failure in report.failures), str(report)


@pytest.mark.parametrize(("layout", "fn"), [("half", half), ("interleaved", interleaved)])
def test_right_code_passes_and_every_question_is_decided(layout, fn):
    report = check_rope(lambda x: fn(x, rows(x)), head_dim=D, expected=Rope(THETA, layout=layout))
    assert report.ok, str(report)
    assert {what: report[what].value for what in ("layout", "rotary_dim", "sense", "offset", "method", "base")} == {
        "layout": layout, "rotary_dim": D, "sense": 1, "offset": 0, "method": "plain", "base": BASE,
    }  # fmt: skip
    assert all(finding.sure for finding in report.findings.values()), str(report)
    assert report["precision"].value == "the format's"


class Counting:
    """Positions go on where the last call ended."""

    def __init__(self):
        self.done = 0

    def __call__(self, x):
        self.done += x.shape[-2]
        return half(x, rows(x) + self.done - x.shape[-2])


class Third:
    """Another answer at every third call."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return half(x, rows(x) + (self.calls % 3 == 0))


class Longest:
    """Dynamic NTK that never goes back to the base of short sequences."""

    def __init__(self):
        self.rows = 0

    def __call__(self, x):
        self.rows = max(self.rows, x.shape[-2])
        return half(x, rows(x), (BASE * max(1, self.rows / 1024)) ** (-2 * K / D))


def dropout(x, random=np.random.default_rng(0)):  # noqa: B008
    return (half(x, rows(x)) * (random.random(x.shape) > 0.1)).astype(x.dtype)


def normalised(x):
    return half(x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-12), rows(x))


def one_head_still(x):
    y = half(x, rows(x))
    y[:, 1] = x[:, 1]
    return y


def running_on(x):
    return half(x, (np.arange(len(x))[:, None] * x.shape[2] + rows(x))[:, None])


def without_sign(x):
    y = half(x, rows(x))
    y[..., ::7] = abs(y[..., ::7])
    return y


def both(q, k):
    return half(q, rows(q)), half(k, rows(k))


@pytest.mark.parametrize(
    ("fn", "words", "takes"),
    [
        (Counting(), "is not repeatable: the same x twice -> row 0 at position 0, then at 7 (a counter kept between", "x"),
        (Third(), "is not repeatable: the same x, many calls later -> row 0 at position 0, then at 1", "x"),
        (dropout, "of the numbers are 0, others each time (dropout left on)", "x"),
        (lambda x: half(x, rows(x)) + np.random.default_rng().normal(0, 0.1, x.shape).astype("f"), "is not repeatable", "x"),
        (Longest(), "remembers earlier calls: 512 rows, then 8192, then the same 512", "x"),
        (normalised, "is not linear: x and 2 x -> the same y (x is normalised)", "x"),
        (lambda x: half(x, rows(x)) + np.ones(D, "f"), "is not linear: any x, row 0 -> y = a matrix times x, and +1", "x"),
        (without_sign, "is not linear: x and its multiples -> y(-x) is not -y(x)", "x"),
        (running_on, "treats batches differently: the same x twice in a batch -> batch 0 starts at position 0, batch 1 at ", "x"),
        (one_head_still, "turns heads differently: one-hot e0, row 1, head 1 -> +1.0000 e0", "x"),
        (lambda q, k: (both(q, k)[0] + 0.1 * k, both(q, k)[1] + 0.1 * q), "mixes q and k", "q k"),
    ],
)  # fmt: skip
def test_what_is_no_fixed_map_of_rows_is_said_first_and_nothing_is_certain(fn, words, takes):
    report = check_rope(fn, takes=takes, head_dim=D, expected=RIGHT)
    assert not report.ok and words in report.sentence, str(report)
    assert not [each.what for each in report.findings.values() if each.sure and each.what != "format"], str(report)


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (lambda q, k: (half(q, rows(q)), half(q, rows(q))), "never reads k: k changed"),
        (lambda q, k: both(k, q), "returns q and k in exchanged order: k changed -> the first output changes"),
        (lambda q, k: (half(q, rows(q)), half(k, rows(k) + 1)), "offset 0 of q, 1 of k"),
        (lambda q, k: (half(q, rows(q)), half(k, rows(k), sign=-1.0)), "q = k -> sense 1 of q, -1 of k"),
        (lambda q, k: (half(q, rows(q)), interleaved(k, rows(k))), "layout half of q, interleaved of k"),
        (lambda q, k: (half(q, rows(q)), half(k, rows(k), scale=0.125)), "scale 1 of q, 0.125 of k"),
        (lambda q, k: (half(q, rows(q)), one_head_still(k)), "head 1 of k is turned otherwise"),
        (lambda q, k: (half(q, rows(q)), half(k, rows(k) ** 2)), "both turn, not alike"),
    ],
)
def test_q_and_k_are_told_apart(fn, words):
    report = check_rope(fn, takes="q k", head_dim=D, expected=RIGHT)
    assert not report.ok and words in report.sentence, str(report)


def test_writing_over_k_alone_is_seen():
    def fn(q, k):
        out = both(q, k)
        k[...] = out[1]
        return out[0], k

    assert "writes over its input" in check_rope(fn, takes="q k", head_dim=D, expected=RIGHT).sentence


def test_heads_of_keys_may_be_fewer():
    assert check_rope(both, takes="q k", heads=8, kv_heads=2, head_dim=D, expected=RIGHT).ok
    swapped = check_rope(lambda q, k: both(k, q), takes="q k", heads=8, kv_heads=2, head_dim=D)
    assert "returns q and k in exchanged order" in swapped.sentence
    repeated = check_rope(lambda q, k: (q, np.repeat(k, 4, axis=1)), takes="q k", heads=8, kv_heads=2, head_dim=D)
    assert "changes the shape" in repeated.sentence
    late = check_rope(lambda q, k: (half(q, rows(q)), half(k, rows(k) + 1)), takes="q k", heads=4, kv_heads=1, head_dim=D)
    assert "offset 0 of q, 1 of k" in late.sentence
    packed = check_rope(lambda q, k: tuple(half(x.swapaxes(1, 2), np.arange(x.shape[1])).swapaxes(1, 2) for x in (q, k)),
                        takes="q k", axes="bshd", heads=4, kv_heads=2, head_dim=D, expected=RIGHT)  # fmt: skip
    assert packed.ok, str(packed)


LONG = {"head_dim": 64, "rope_theta": 1e4, "max_position_embeddings": 32768}


@pytest.mark.parametrize(
    ("fn", "words", "takes"),
    [
        (lambda x: half(x, rows(x) % 16384), "starts again: position 16384 at 0, and counts on from there; first at positi", "x"),
        (lambda x, p: half(x, p % 20000), "starts again: position 20000 at 0", "x positions"),
        (lambda x, p: half(x, np.minimum(p, 20000)), "got stops at 20000; first at position 20001 of 32768", "x positions"),
        (lambda x, p: half(x, np.arange(20001)[p]), "up to 32767, got raises IndexError; first at position 20001", "x positions"),
        (lambda x: half(x, np.arange(20000)[rows(x)]), "expected up to 32767, got raises IndexError", "x"),
        (lambda x, p: half(x, np.where(p < 30000, p, p - 32768)), "got position 30000 at -2768, and counts on", "x positions"),
        (lambda x, p: half(x, p, THETA * np.where(np.max(p) > 9000, 0.5, 1)), "far positions: expected as near o", "x positions"),
    ],
)  # fmt: skip
def test_the_far_end_that_is_expected_is_looked_at(fn, words, takes):
    report = check_rope(fn, takes=takes, head_dim=D, expected=LONG)
    assert words in report.sentence, str(report)


def test_the_report_says_how_far_it_looked():
    def seen(**how):
        return check_rope(how.pop("fn", RIGHT.rotate), head_dim=D, **how).notes[-1]

    assert seen() == "looked at every position up to 8,191; longest= looks further"
    assert seen(longest=256) == "looked at every position up to 255; longest= looks further"
    far = "looked at every position up to 8,191, and at some up to 32,767, the last that is expected"
    assert seen(expected=LONG) == far
    assert seen(expected=LONG, fn=lambda x, p: RIGHT.rotate(x, p), takes="x positions") == far
    more = LONG | {"max_position_embeddings": 131072}
    assert seen(expected=more).endswith("and at some up to 65,535; 131,072 are expected: longest= looks further")
    assert seen(expected=PLAIN | {"max_position_embeddings": 2048}).endswith("8,191; 2,048 are expected")


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
PLAIN = {"head_dim": 64, "rope_theta": 1e4}
PUBLISHED = {
    "llama3": {"head_dim": 64, "rope_theta": 5e5, "rope_scaling": LLAMA3 | {"original_max_position_embeddings": 1024}},
    "yarn": PLAIN | {"rope_scaling": {"type": "yarn", "factor": 16.0, "original_max_position_embeddings": 1024}},
    "dynamic": PLAIN | {"max_position_embeddings": 2048, "rope_scaling": {"type": "dynamic", "factor": 4.0}},
    "gptj": {"model_type": "gptj", "n_embd": 1024, "n_head": 16, "rotary_dim": 32},
    "deepseek": {"model_type": "deepseek_v3", "qk_nope_head_dim": 32, "qk_rope_head_dim": 32, "rope_theta": 1e4},
    "nanochat": {"model_type": "nanochat", "hidden_size": 128, "num_attention_heads": 2, "rope_theta": 1e4},
    "proportional": PLAIN | {"rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.25}},
}


@pytest.mark.parametrize("config", PUBLISHED.values(), ids=PUBLISHED)
def test_published_settings_pass_as_what_they_are(config):
    rope = ropelib.from_config(config)
    report = check_rope(rope.rotate, head_dim=rope.head_dim, expected=config)
    assert report.ok, str(report)
    assert report["layout"].value == rope.layout and report["sense"].value == rope.direction


def test_positions_pairs_and_axes_of_x_are_as_the_caller_names_them():
    assert check_rope(half, takes="x positions", head_dim=D, expected=RIGHT).ok
    assert check_rope(lambda q, k: (half(q, rows(q)), half(k, rows(k))), takes="q k", head_dim=D, expected=RIGHT).ok
    assert check_rope(lambda x: half(x, rows(x)), axes="sd", head_dim=D, expected=RIGHT).ok
    bshd = lambda x: np.swapaxes(half(np.swapaxes(x, 1, 2), np.arange(x.shape[1])), 1, 2)  # noqa: E731
    assert check_rope(bshd, axes="bshd", head_dim=D, expected=RIGHT).ok
    report = check_rope(bshd, axes="bhsd", head_dim=D, expected=RIGHT)
    assert "turns by the head's index" in str(report.failures[0])
    only_q = check_rope(lambda q, k: (half(q, rows(q)), k), takes="q k", head_dim=D)
    assert "k does not turn" in only_q.sentence
    deaf = check_rope(lambda x, p: half(x, rows(x)), takes="x positions", head_dim=D)
    assert "ignores positions" in deaf.sentence


def test_the_scaling_is_named_before_the_factor_that_comes_with_it():
    report = check_rope(lambda x: half(x, rows(x)), head_dim=D, expected=PUBLISHED["yarn"])
    assert report.sentence.startswith("frequencies: expected") and "(method plain, base 10000)" in report.sentence
    assert [each.split(":")[0] for each in report.differences] == ["frequencies", "scale"]


def test_a_single_pair_has_one_layout():
    report = check_rope(lambda x: half(x, rows(x) + 1, np.ones(1)), head_dim=2, expected=Rope([1.0]))
    assert report.sentence.startswith("offset: expected 0, got 1")


def test_formats_that_cannot_be_told_apart_are_all_named():
    report = check_rope(lambda x: half(x, bfloat16(rows(x)), np.ones(1)), head_dim=2, expected=Rope([1.0]))
    assert "got bfloat16 positions or bfloat16 angles or bfloat16 angles alone; first at row 257" in report.sentence


def test_what_should_depend_on_the_length_and_does_not():
    report = check_rope(lambda x: half(x, rows(x)), head_dim=D, expected=PUBLISHED["dynamic"])
    assert report.sentence.startswith("length: expected angles that depend on it, got the same angles at every length")


def test_only_one_of_q_and_k_turns():
    report = check_rope(lambda q, k: (q, half(k, rows(k))), takes="q k", head_dim=D, expected=RIGHT)
    assert report.sentence.startswith("q and k: expected turned alike, got q does not turn")


@pytest.mark.parametrize("places", [lambda p: np.arange(len(p)), lambda p: p[0] + np.arange(len(p)), lambda p: p - p.min()])
def test_positions_that_are_not_honoured_are_said_first(places):
    report = check_rope(lambda x, p: half(x, places(p)), takes="x positions", head_dim=D, expected=LONG)
    assert not report.ok and report.sentence.startswith("ignores positions"), str(report)


def test_numbers_of_a_coarse_format_are_no_fault_of_the_rotation():
    for name, cast in (
        ("float16", lambda y: y.astype(np.float16).astype(y.dtype)),
        ("bfloat16", lambda y: bfloat16(y).astype("f")),
    ):
        report = check_rope(lambda x, cast=cast: cast(half(x, rows(x))), head_dim=D, expected=RIGHT)
        assert report.ok and f"returns numbers of {name} in float32" in report.notes, str(report)


def test_several_axes():
    axes = np.array([0] * 8 + [1] * 12 + [2] * 12)

    def by(order):
        return lambda x, p: turned(x, p[order].T * THETA)

    rope = Rope(THETA, axes=axes)
    assert check_rope(by(axes), takes="x positions", position_axes=3, head_dim=D, expected=rope).ok
    report = check_rope(by(np.arange(32) % 3), takes="x positions", position_axes=3, head_dim=D, expected=rope)
    want = "axes: expected 8 x 0, 12 x 1, 12 x 2, got 0, 1, 2, 0, 1, 2, ..."
    assert report.sentence.startswith(want)


def test_angles_in_float32_are_seen_and_forgiven():
    def rough(x):
        angles = (rows(x)[:, None].astype(np.float32) * THETA.astype(np.float32)).astype(np.float32)
        return turned(x, angles.astype(float))

    report = check_rope(rough, head_dim=D, expected=RIGHT)
    assert report.ok and report["precision"].value.startswith("off by"), str(report)


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (lambda x: 1 / 0, "raises ZeroDivisionError: x of shape (2, 2, 7, 64) (b, h, s, d), float32"),
        (lambda x: x[..., :-2], "changes the shape"),
        (lambda x: x * np.nan, "returns NaN or infinity"),
        (lambda x: "no", "returns no array of numbers"),
        (lambda x: None, "returns no array of numbers"),
    ],
)
def test_code_that_cannot_be_probed_gets_a_sentence(fn, words):
    report = check_rope(fn, head_dim=D)
    assert not report.ok and words in report.sentence and not report["rotates"].sure


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"fn": 3}, "fn must be callable"),
        ({"takes": "y"}, "takes must be one of"),
        ({"axes": "dbhs"}, "axes must be an order"),
        ({"head_dim": 7}, "head_dim must be even"),
        ({"dtype": "int8"}, "dtype must be one of"),
        ({"position_axes": 3}, "position_axes needs positions"),
        ({"head_dim": 64, "expected": Rope([1.0])}, "head_dim must be that of expected"),
        ({"kv_heads": 0}, "kv_heads must be at least 1"),
        ({"takes": "q k", "heads": 8, "kv_heads": 3}, "kv_heads must divide heads, 8"),
        ({"heads": 8, "kv_heads": 2}, "kv_heads must divide heads, 8, and needs takes='q k'"),
    ],
)
def test_bad_arguments_are_named(arguments, words):
    with pytest.raises((TypeError, ValueError), match=words):
        check_rope(**{"fn": lambda x: x} | arguments)


def half_turned(x, angles):
    a, b = np.split(x.astype(float), 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1).astype(x.dtype)


def rows_of(x):
    return np.arange(x.shape[-2])[:, None] * 1.0


SPEEDS = THETA


def keys_at(place):
    return lambda q, k: (half_turned(q, rows_of(q) * SPEEDS), half_turned(k, place(k) * SPEEDS))


@pytest.mark.parametrize(
    "place",
    [
        lambda k: np.minimum(rows_of(k), 20),
        lambda k: np.minimum(rows_of(k), 4000),
        lambda k: rows_of(k).astype(np.float16).astype(float),
        lambda k: rows_of(k) + (k.shape[-2] == 1),
    ],
)
def test_keys_are_compared_as_far_as_queries(place):
    expected = Rope(SPEEDS)
    assert check_rope(keys_at(rows_of), takes="q k", expected=expected).ok
    report = check_rope(keys_at(place), takes="q k", expected=expected)
    assert not report.ok and " of k" in report.sentence


@pytest.mark.parametrize("place", [lambda k, p: rows_of(k), lambda k, p: np.sort(p)[:, None], lambda k, p: (p - p[0])[:, None]])
def test_keys_are_asked_whether_they_honour_positions(place):
    def fn(q, k, p):
        return half_turned(q, p[:, None] * SPEEDS), half_turned(k, place(k, p) * SPEEDS)

    assert not check_rope(fn, takes="q k positions", expected=Rope(SPEEDS)).ok


@pytest.mark.parametrize("few", [1, 3, 7])
def test_few_rows_are_compared(few):
    def fn(x):
        return half_turned(x, (rows_of(x) + (x.shape[-2] <= few)) * SPEEDS)

    assert not check_rope(fn, expected=Rope(SPEEDS)).ok


def test_the_second_of_a_batch_is_compared_at_every_row():
    def fn(x):
        y = half_turned(x, rows_of(x) * SPEEDS)
        if len(x) > 1:
            y[-1, :, 65:] = half_turned(x[-1], (rows_of(x) + 1) * SPEEDS)[:, 65:]
        return y

    assert not check_rope(fn, expected=Rope(SPEEDS)).ok


def test_positions_with_gaps_are_given():
    def fn(x, p):
        if len(p) > 1 and (np.diff(p) > 0).all():
            p = p[0] + np.arange(len(p))
        return half_turned(x, p[:, None] * SPEEDS)

    assert not check_rope(fn, takes="x positions", expected=Rope(SPEEDS)).ok


@pytest.mark.parametrize("factor", [1.0, 1.01, 1.05, 0.95])
def test_a_factor_shows_in_half_precision(factor):
    def fn(x):
        return (Rope(SPEEDS).rotate(x.astype(float)) * factor).astype(np.float16)

    report = check_rope(fn, dtype=np.float16, expected=Rope(SPEEDS))
    assert report.ok == (factor == 1.0)


@pytest.mark.parametrize("width", [2, 64, 80, 128])
def test_heads_are_as_wide_as_those_expected(width):
    config = {"head_dim": width, "rope_theta": 1e4}
    rope = ropelib.from_config(config)
    assert check_rope(rope.rotate, expected=config).ok
    assert check_rope(rope.rotate, expected=rope).ok


@pytest.mark.parametrize(
    "place",
    [
        lambda p: p.astype(np.float16).astype(float),
        lambda p: np.minimum(p, 5000),
        lambda p: p % 4096,
        lambda p: p + (p == 7001),
        lambda p: np.where(p >= 700, -p, p),
    ],
)
def test_rows_that_were_not_read_leave_arithmetic_open(place):
    report = check_rope(lambda x: half_turned(x, place(rows_of(x)) * SPEEDS))
    assert not report["arithmetic"].sure and not report["precision"].sure


def test_a_factor_that_grows_is_no_arithmetic():
    report = check_rope(lambda x: (half_turned(x, rows_of(x) * SPEEDS) * (1 + 1e-4 * rows_of(x))).astype(np.float32))
    assert not report["precision"].sure


def test_rows_that_come_back_as_nan_are_a_failure():
    def fn(x):
        y = half(x, rows(x))
        y[..., 6000:, 3] = np.nan
        return y

    report = check_rope(fn, expected=RIGHT)
    assert not report.ok and "returns NaN or infinity" in report.sentence


def test_a_result_that_the_next_call_overwrites():
    kept = {}

    def fn(x):
        y = kept.setdefault(x.shape, np.empty_like(x))
        y[...] = half(x, rows(x))
        return y

    assert "overwrites what it returned" in check_rope(fn, expected=RIGHT).sentence


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (
            lambda x: half(x, rows(x) - len(rows(x)) + 1),
            "length: expected rows that do not depend on it, got others in a longer x",
        ),
        (lambda x: half(x, rows(x), THETA if len(x) == 1 else 5e5 ** (-2 * K / D)), "batch: expected each x as by itself"),
    ],
)
def test_the_smallest_input_fails_by_itself(fn, words):
    report = check_rope(fn, expected=RIGHT)
    assert report.sentence.startswith(words) and ("S = 8, row 0" in report.sentence or "in a batch of 64" in report.sentence)


def one_pair_moved(x):
    return turned(x, (rows(x)[:, None] + 100.0 * ((rows(x)[:, None] > 999) & (K == 17))) * THETA)


def from_row(row, first, then):
    return lambda x: np.where(rows(x)[:, None] < row, first(x), then(x))


@pytest.mark.parametrize(
    ("fn", "words"),
    [
        (lambda x: half(x, rows(x), THETA * np.where(K < 16, 1, -1)), "sense: expected 1, got -1 in pairs 16, 17, 18"),
        (lambda x: half(x, rows(x), THETA * np.where(K % 2, 1, -1)), "sense: expected 1, got -1 in pairs 0, 2, 4"),
        (from_row(700, lambda x: half(x, rows(x)), lambda x: half(x, -rows(x))), "sense: expected 1, got -1; first at row 700"),
        (from_row(700, lambda x: half(x, rows(x)), lambda x: interleaved(x, rows(x))), "layout: expected half, got interleaved"),
        (
            from_row(8000, lambda x: half(x, rows(x)), lambda x: half(x, rows(x), scale=1.05)),
            "scale: expected 1, got 1.05 in rows 8000, 8001, ...; first",
        ),
        (one_pair_moved, "pair 17: expected turned as expected, got otherwise; first at row 1000"),
    ],
)
def test_what_changes_is_named(fn, words):
    assert check_rope(fn, expected=RIGHT).sentence.startswith(words)


def test_a_head_that_parts_later_is_named():
    def fn(x):
        y = half(x, rows(x))
        y[:, 1, 65:] = half(x, rows(x) + 1)[:, 1, 65:]
        return y

    assert check_rope(fn, expected=RIGHT).sentence.startswith(
        "heads: expected turned alike, got head 1 otherwise; first at row 65"
    )


def test_the_offset_does_not_hide_a_pair():
    report = check_rope(lambda x: half(x, rows(x) + 1, THETA * np.where(K == 31, -1, 1)), expected=RIGHT)
    assert report.sentence.startswith("offset: expected 0, got 1") and "got -1 in pair 31" in " ".join(report.differences)


def test_what_is_open_is_said_to_be_open():
    def fn(x):
        y = x.copy()
        y[..., 16:48] = interleaved(x[..., 16:48], rows(x) + 2, 10_000.0 ** (-2 * np.arange(16) / 32))
        return y

    assert "rotary_dim: expected 64, got 48 (open)" in check_rope(fn, expected=RIGHT).differences


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (lambda p: np.minimum(p, 200), "positions: expected as given, got stops at 200"),
        (lambda p: p % 4096, "positions: expected every one as given, got others beyond 4095"),
        (lambda p: np.where(p == 77, 78, p), "positions: expected every one as given, got another for 77"),
    ],
)
def test_positions_along_two_axes_are_compared_far_out(place, words):
    axes = K % 2
    rope = Rope(THETA, axes=axes)
    assert check_rope(lambda x, p: turned(x, p[axes].T * THETA), takes="x positions", position_axes=2, expected=rope).ok
    report = check_rope(lambda x, p: turned(x, place(p)[axes].T * THETA), takes="x positions", position_axes=2, expected=rope)
    assert words.split(" beyond")[0] in report.sentence and not report.ok, report.sentence


def test_the_last_pair_on_another_axis_is_shown():
    axes = K % 2
    other = np.where(K == 31, 0, axes)
    rope = Rope(THETA, axes=axes)
    report = check_rope(lambda x, p: turned(x, p[other].T * THETA), takes="x positions", position_axes=2, expected=rope)
    assert report.sentence.startswith("axes: expected 1 of pair 31, got 0")


def test_code_that_computes_in_float32_is_linear_in_float64():
    report = check_rope(lambda x: half(x.astype(np.float32), rows(x)).astype(float), dtype=np.float64, expected=RIGHT)
    assert report.ok and "returns numbers of float32 in float64" in report.notes, str(report)


def test_odd_lengths_are_not_told_as_all_that_follow():
    report = check_rope(lambda x: half(x, rows(x) + (len(rows(x)) % 2 and len(rows(x)) > 8)), expected=RIGHT)
    assert not report.ok and not any("rows on, row" in note for note in report.notes)


def test_a_switch_between_lengths_is_found():
    def fn(x):
        return half(x, rows(x), THETA if not 600 < len(rows(x)) < 8000 else 5e5 ** (-2 * K / D))

    assert not check_rope(fn, expected=RIGHT).ok


def test_numbers_that_differ_are_printed_apart():
    report = check_rope(lambda x: half(x, rows(x)) * (1 + 1e-7 * rows(x)[:, None]), dtype=np.float64, expected=RIGHT)
    assert report.failures
    for failure in report.failures:
        assert failure.got.split()[-1] not in failure.expected


GEMMA = {
    "model_type": "gemma3_text",
    "head_dim": D,
    "max_position_embeddings": 16384,
    "layer_types": 5 * ["sliding_attention"] + ["full_attention"],
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": BASE},
        "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
    },
}


@pytest.mark.parametrize("named", [{"layer_type": "full_attention"}, {"layer": 5}])
def test_a_layer_of_the_config_can_be_named(named):
    report = check_rope(ropelib.from_config(GEMMA, **named).rotate, expected=GEMMA, takes="x positions", **named)
    assert report.ok and report.notes[-1].endswith("at some up to 16,383, the last that is expected")
    assert "expected 0.125 of pair 0, got 1" in check_rope(lambda x: half(x, rows(x)), expected=GEMMA, **named).sentence
    assert check_rope(lambda x: half(x, rows(x)), expected=GEMMA, layer=0).ok


def test_a_layer_is_wanted_where_layers_differ_and_refused_where_there_is_none():
    with pytest.raises(ValueError, match="layer_type must be one of 'sliding_attention', 'full_attention'"):
        check_rope(RIGHT.rotate, expected=GEMMA)
    with pytest.raises(ValueError, match=r"layer_type chooses among .* expected must be those, got a Rope"):
        check_rope(RIGHT.rotate, expected=RIGHT, layer_type="full_attention")
    with pytest.raises(ValueError, match=r"layer chooses among .* expected must be those, got nothing"):
        check_rope(RIGHT.rotate, layer=0)


def test_a_report_is_true_where_it_is_ok():
    rope = ropelib.Rope(ropelib.inverse_frequencies(64))
    assert check_rope(rope.rotate, expected=rope)
    assert not check_rope(lambda x: rope.rotate(x, 1 + np.arange(x.shape[-2])), expected=rope)


def test_what_is_asked_of_code_that_changes_with_the_length_is_not_asked_twice():
    ntk = {"rope_type": "dynamic", "factor": 2.0}
    config = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "max_position_embeddings": 4096}
    config |= {"rope_theta": BASE, "rope_scaling": ntk}
    rope, asked = ropelib.from_config(config), []

    def fn(q, k):
        asked.append(q.shape[2])
        return rope.rotate(q), rope.rotate(k)

    report = check_rope(fn, takes="q k", expected=config)
    assert report.ok and any("from 4097 rows on" in note for note in report.notes)
    assert sum(each >= 2000 for each in asked) <= 24  # each length for q and for k, found among all lengths: 36
