"""Kernels of all encodings, and linear attention: equal to the plain computation, and clear about what they refuse."""

import numpy as np
import pytest

import ropelib

RNG = np.random.default_rng(14)
Q, K = RNG.normal(size=(2, 8))
AT = np.array([0, 1, 5, 63])
CODES, FAR, BIASES = RNG.normal(size=(400, 8)), RNG.normal(size=(17, 8)), RNG.normal(size=32)
SETTINGS = {
    "none": {}, "sinusoidal": {}, "learned": {"table": CODES}, "rope": {}, "xpos": {}, "alibi": {"slope": 0.25},
    "t5": {"table": BIASES}, "shaw": {"table": FAR},
}  # fmt: skip


def plain(encoding, m, n):
    """One score, as each paper has it."""
    q, k, bias = Q, K, 0.0
    if encoding == "sinusoidal":
        q, k = q + ropelib.sinusoidal(m, 8), k + ropelib.sinusoidal(n, 8)
    if encoding == "learned":
        q, k = q + CODES[m], k + CODES[n]
    if encoding in ("rope", "xpos"):
        q, k = (
            ropelib.rotate(x, *ropelib.cos_sin(at, ropelib.inverse_frequencies(8)), layout="interleaved")
            for x, at in ((q, m), (k, n))
        )
    if encoding == "xpos":  # the paper's way: queries grow, keys shrink
        q, k = q * np.repeat(ropelib.xpos_scale(m, 8), 2), k / np.repeat(ropelib.xpos_scale(n, 8), 2)
    if encoding == "shaw":
        k = k + FAR[min(m - n, 16)]
    if encoding == "alibi":
        bias = -0.25 * (m - n)
    if encoding == "t5":
        bias = BIASES[ropelib.t5_bucket(n - m, bidirectional=False)]
    return q @ k / 8**0.5 + bias


@pytest.mark.parametrize("start", [0, 300])
@pytest.mark.parametrize("encoding", SETTINGS)
def test_a_kernel_is_the_score_of_the_paper(encoding, start):
    got = ropelib.kernel(Q, K, AT, encoding, start=start, **SETTINGS[encoding])
    np.testing.assert_allclose(got, [plain(encoding, start + r, start) for r in AT], atol=1e-12)


@pytest.mark.parametrize("encoding", SETTINGS)
def test_shapes_and_nothing(encoding):
    many = ropelib.kernel(Q, K, [[0, 1], [2, 3]], encoding, **SETTINGS[encoding])
    assert many.shape == (2, 2) and many.dtype == np.float64
    assert ropelib.kernel(Q, K, [], encoding, **SETTINGS[encoding]).shape == (0,)
    assert np.shape(ropelib.kernel(Q, K, 3, encoding, **SETTINGS[encoding])) == ()


def test_case_r72_xpos_at_any_place():
    """Scores of case R72: the same for any centre, here for any start, also where powers would leave float32."""
    ones = np.ones(8)
    for start in (4, 256, 10**6):
        assert ropelib.kernel(ones, ones, 3, "xpos", start=start) * 8**0.5 == pytest.approx(3.9282167630, abs=1e-6)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"encoding": "nope"}, "encoding must be one of 'none'"),
        ({"encoding": "alibi"}, "slope must be given for 'alibi'"),
        ({"encoding": "shaw"}, "table must be given for 'shaw'"),
        ({"slope": 1.0}, "slope must not be given for 'rope', which reads base, layout"),
        ({"encoding": "none", "base": 10.0}, "which reads no setting"),
        ({"distances": [-1]}, "distances must be at least 0"),
        ({"distances": [0.5]}, "distances must hold integers"),
        ({"q": Q[:7]}, "q and k must be two vectors of one length"),
        ({"q": Q[:7], "k": K[:7]}, "dim must be even|must be even"),
        ({"start": -1}, "start must be at least 0"),
        ({"base": 1.0}, "base must be greater than 1"),
        ({"layout": "odd"}, "layout must be one of"),
        ({"encoding": "alibi", "slope": -1.0}, "slope must be at least 0"),
        ({"encoding": "learned", "table": CODES[:3]}, "table must have a row for every position, got 3 rows and position 63"),
        ({"encoding": "learned", "table": BIASES}, r"table must have shape \(N, 8\)"),
        ({"encoding": "t5", "table": CODES}, "table must hold one bias a bucket"),
        ({"encoding": "xpos", "scale_base": 0.0}, "scale_base must be greater than 0"),
    ],
)
def test_kernel_refuses(change, words):
    call = {"q": Q, "k": K, "distances": AT, "encoding": "rope", **change}
    with pytest.raises(ValueError, match=words):
        ropelib.kernel(**call)


# --- linear attention ---


def token_by_token(q, k, v, rope):
    """One state, whatever the length."""
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    state, total, out = np.zeros((q.shape[1], v.shape[1])), 0, []
    for n in range(len(q)):
        state = state + rope.rotate(k[n : n + 1], [n]).T @ v[n : n + 1]
        total = total + k[n]
        out.append(rope.rotate(q[n : n + 1], [n])[0] @ state / (q[n] @ total))
    return np.array(out)


def test_linear_attention_is_one_growing_state():
    q, k, v = RNG.normal(size=(3, 40, 8))
    rope = ropelib.Rope(ropelib.inverse_frequencies(8))
    output, weights = ropelib.linear_attend(q, k, v, rope=rope)
    np.testing.assert_allclose(output, token_by_token(q, k, v, rope), atol=1e-12)
    moved, _ = ropelib.linear_attend(q, k, v, rope=rope, positions=1000 + np.arange(40))
    np.testing.assert_allclose(moved, output, atol=1e-11)
    assert weights.min() < 0 and not np.triu(weights, 1).any()
    _, still = ropelib.linear_attend(q, k, v)
    assert still.min() >= 0 and np.allclose(still.sum(-1), 1)
    both, all_weights = ropelib.linear_attend(q[None], k[None], v[None], causal=False)
    assert both.shape == (1, 40, 8) and (all_weights > 0).all()
    assert ropelib.linear_attend(q[:0], k[:0], v[:0], rope=rope)[0].shape == (0, 8)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"k": np.ones((4, 8))}, "q and k must have one shape"),
        ({"v": np.ones((4, 2))}, "q and k must have one shape"),
        ({"q": np.ones(8), "k": np.ones(8)}, "q and k must have one shape"),
        ({"rope": 1}, "rope must be a Rope or None, got 1"),
        ({"positions": np.arange(5)}, "positions must not be given without a rope"),
        ({"causal": 1}, "causal must be True or False"),
        ({"q": np.ones((5, 8), bool)}, "q must hold real numbers"),
    ],
)
def test_linear_attention_refuses(change, words):
    call = {"q": np.ones((5, 8)), "k": np.ones((5, 8)), "v": np.ones((5, 2)), **change}
    with pytest.raises(ValueError, match=words):
        ropelib.linear_attend(**call)
