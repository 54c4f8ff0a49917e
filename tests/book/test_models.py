"""The trained models: what the book says of them is measured again, and bad input is told how to go on."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ropelib
from ropelib.book import models
from ropelib.book.models import Model, files, load, per_pair, rerope, self_extend

FOLDER = Path(models.__file__).parent


@pytest.fixture(scope="module")
def kjv():
    return load("kjv")


@pytest.fixture(scope="module")
def tang():
    return load("tang")


def test_files_are_small_known_and_explained():
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir() if path.suffix in (".npz", ".json")}
    assert sum(sizes.values()) <= 600_000, sizes
    sums = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in sizes}
    notice = (FOLDER / "NOTICE.md").read_text("utf8")
    assert all(name in notice for name in sizes if name.endswith(".npz"))


# --- the model is the model ---


def test_scores_are_those_of_ropelib(kjv):
    """Attention of a trace equals softmax of ropelib's own rotated queries and keys."""
    trace = kjv.trace(kjv.heldout[:2, :20])
    cos, sin = ropelib.cos_sin(np.arange(20), ropelib.inverse_frequencies(16))
    q, k = (ropelib.rotate(x, cos, sin, layout="half") for x in (trace.q, trace.k))
    _, weights = ropelib.attend(q, k, k, mask=ropelib.causal_mask(20, 20))
    np.testing.assert_allclose(trace.attention, weights, atol=1e-5)


def test_the_future_changes_nothing(kjv):
    x = kjv.heldout[:3, :40].copy()
    before = kjv(x)
    x[:, 30:] = (x[:, 30:] + 1) % len(kjv.characters)
    np.testing.assert_array_equal(kjv(x)[:, :30], before[:, :30])
    assert np.abs(kjv(x)[:, 30:] - before[:, 30:]).max() > 1


def test_last_rows_and_blocks_are_those_of_the_whole(kjv, monkeypatch):
    x = kjv.heldout[:5, :50]
    logits = kjv(x)
    np.testing.assert_allclose(kjv(x, last=7), logits[:, -7:], atol=1e-4)
    np.testing.assert_allclose(kjv.trace(x).logits, logits, atol=1e-4)
    np.testing.assert_array_equal(kjv(x, last=99), logits)
    monkeypatch.setattr(models.model, "BLOCK", 1)
    np.testing.assert_allclose(kjv(x), logits, atol=1e-4)


def test_loss_is_minus_the_log_of_the_probability(kjv):
    x = kjv.heldout[0, :30]
    p = ropelib.softmax(kjv(x[:-1]).astype(float))[0]
    np.testing.assert_allclose(kjv.loss(x)[0], -np.log(p[np.arange(29), x[1:]]), atol=1e-9)


def test_settings_that_change_nothing(kjv):
    x, length = kjv.heldout[:2, :48], 48
    own = kjv.inv_freq
    for how in (
        {"layout": "half", "inv_freq": own, "positions": np.arange(length), "factor": 1, "keep": 1},
        {"inv_freq": np.tile(own, (length, 1)), "key_inv_freq": np.tile(own, (length, 1))},
        {"positions": np.tile(np.arange(length)[:, None], 8)},
        {"window": length},
        {"far": rerope(length, length)},
        {"far": (10, np.arange(length), np.arange(length))},
        {"far": self_extend(length, 8, 1)},
        {"far": per_pair(length, 5, np.zeros(8, bool))},
        {"keep": np.ones((2, 4, 8))},
        {"keep": np.ones(8, bool)},
        {"bias": np.zeros((2, 4, length, length))},
    ):
        np.testing.assert_allclose(kjv(x, **how), kjv(x), atol=2e-4, err_msg=str(how))


def test_maps_give_the_distances_they_promise():
    """How far apart a far pair looks: the positions of its query and of its key."""
    true = np.subtract.outer(np.arange(40), np.arange(40))
    window, q, k = rerope(40, 8)
    assert set(np.subtract.outer(q, k)[true >= window]) == {8}
    window, q, k = self_extend(40, 8, 4)
    far = np.subtract.outer(q, k)[true >= window]
    assert far.min() == 8 and far.max() == 39 // 4 + 8 - 2  # it goes on from the window, four times as slowly
    seen, q, k = per_pair(40, 8, np.array([True, False]))
    assert set(np.subtract.outer(q[:, 0], k[:, 0])[true >= seen]) == {8}
    np.testing.assert_array_equal(np.subtract.outer(q[:, 1], k[:, 1]), true)


def test_a_profile_is_the_mean_of_the_diagonals(kjv):
    trace = kjv.trace(kjv.heldout[:3, :12])
    profile = trace.profile(12)  # only the last query sees twelve distances
    np.testing.assert_allclose(profile, trace.attention[..., -1, ::-1].mean(1), atol=1e-6)
    by_hand = np.mean([trace.attention[1, :, 2, i, i - 3] for i in range(4, 12)])
    assert trace.profile(5)[1, 2, 3] == pytest.approx(by_hand, abs=1e-6)
    with pytest.raises(ValueError, match="distances must be at most the 12 characters of the text, got 13"):
        trace.profile(13)


def test_a_removed_pair_leaves_the_scores(kjv):
    """keep = 0 for a pair is the same as scores of the other pairs alone."""
    x, keep = kjv.heldout[:1, :20], np.ones(8)
    keep[2] = 0
    trace = kjv.trace(x, keep=keep)
    cos, sin = ropelib.cos_sin(np.arange(20), kjv.inv_freq)
    q, k = (ropelib.rotate(a[0], cos, sin, layout="half") for a in (trace.q, trace.k))  # the first layer: nothing before it
    others = [c for c in range(16) if c % 8 != 2]
    _, weights = ropelib.attend(q[..., others], k[..., others], k, mask=ropelib.causal_mask(20, 20), scale=0.25)
    np.testing.assert_allclose(trace.attention[0], weights, atol=1e-5)


def test_a_bias_is_added_to_the_scores(kjv):
    x, bias = kjv.heldout[:1, :20], np.random.default_rng(0).normal(size=(4, 20, 20))
    trace = kjv.trace(x, bias=bias)
    cos, sin = ropelib.cos_sin(np.arange(20), kjv.inv_freq)
    q, k = (ropelib.rotate(a[0], cos, sin, layout="half") for a in (trace.q, trace.k))  # the first layer: nothing before it
    scores = q @ k.swapaxes(-1, -2) / 4 + bias
    weights = ropelib.softmax(np.where(ropelib.causal_mask(20, 20), scores, -np.inf))
    np.testing.assert_allclose(trace.attention[0, 0], weights[0], atol=1e-5)
    np.testing.assert_allclose(kjv(x, last=3, bias=bias), kjv(x, bias=bias)[:, -3:], atol=1e-5)


def test_sinks_and_window_say_who_is_seen(kjv):
    attention = kjv.trace(kjv.heldout[:1, :30], window=5, sinks=2).attention
    seen = (attention > 0).all(axis=(0, 1, 2))
    expected = ropelib.sliding_mask(30, 30, 5) | (ropelib.causal_mask(30, 30) & (np.arange(30) < 2))
    np.testing.assert_array_equal(seen, expected)


def test_writing_is_drawn_as_the_model_says(tang, kjv):
    assert tang.write(rows=2, length=12, seed=3) == tang.write(rows=2, length=12, seed=3)
    assert tang.write(rows=2, length=12, seed=3) != tang.write(rows=2, length=12, seed=4)
    coldest = kjv.write("In the beginning", rows=1, length=5, temperature=1e-6)[0]
    x = "In the beginning"
    for _ in range(5):
        x += kjv.characters[int(kjv(x, last=1).argmax())]
    assert coldest == x[-5:]


def test_nobody_can_change_a_shared_model(kjv):
    assert load("kjv") is kjv
    for array in (kjv.weights["query"], kjv.heldout, kjv.inv_freq):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_every_character_of_the_poems_is_in_the_books_font(tang):
    assert all(b"\xa1\x40" <= c.encode("big5") < b"\xc9\x40" for c in tang.characters if c != "\n")
    assert "為" in tang.characters and "爲" not in tang.characters


def test_heldout_text_reads(kjv, tang):
    assert kjv.heldout.shape == (32, 513) and tang.heldout.shape == (24, 257)
    assert re.search(r"\bthe LORD|\bJesus\b|\bGod\b", kjv.decode(kjv.heldout[0]))
    assert not re.search(r"\d", kjv.characters)
    for row in tang.heldout:
        for poem in tang.decode(row).split("\n")[1:-1]:
            assert re.fullmatch(r"(.{5}，.{5}。)+|(.{7}，.{7}。)+", poem)
    np.testing.assert_array_equal(kjv.encode(kjv.decode(kjv.heldout[3])), kjv.heldout[3])


# --- bad input ---


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: load("bible"), r"name must be one of 'kjv', 'tang', got 'bible'"),
        (lambda m: m("光 and 1"), r"not trained on, '光1': use only the 63 in model.characters"),
        (lambda m: m.encode(5), "text must be a string, got int"),
        (lambda m: m(""), r"1 to 2048 characters"),
        (lambda m: m.loss("a"), r"2 to 2048 characters"),
        (lambda m: m("a" * 2049), r"got shape \(2049,\); take a part: x\[..., :2048\]"),
        (lambda m: m([[0, 63]]), "x must hold numbers from 0 to 62, got 0 to 63"),
        (lambda m: m([[-1, 3]]), "x must hold numbers from 0 to 62, got -1 to 3"),
        (lambda m: m([[0.5, 1.0]]), "x must be a string or integers"),
        (lambda m: m([[[1]]]), "x must be a string or integers"),
        (lambda m: m("ab", layout="halves"), "layout must be one of"),
        (lambda m: m("ab", inv_freq=[1.0]), r"inv_freq must have shape \(8,\) or \(2, 8\) for 2 characters, got \(1,\)"),
        (lambda m: m("ab", positions=[0, 1, 2]), r"positions must have shape \(2,\) or \(2, 8\) for 2 characters, got \(3,\)"),
        (lambda m: m("ab", positions=[0, np.nan]), "positions must be finite"),
        (
            lambda m: m("ab", keep=np.ones(16)),
            r"keep must broadcast to \(layers, heads, pairs\) = \(2, 4, 8\), got shape \(16,\)",
        ),
        (
            lambda m: m("ab", bias=np.ones(3)),
            r"bias must broadcast to \(layers, heads, T, T\) = \(2, 4, 2, 2\), got shape \(3,\)",
        ),
        (lambda m: m("ab", window=0), "window must be at least 1"),
        (lambda m: m("ab", sinks=-1), "sinks must be at least 0"),
        (lambda m: m("ab", factor="2"), "factor must be a number"),
        (lambda m: m("ab", far=rerope(3, 1)), r"far\[1\] must have shape"),
        (lambda m: m("ab", last=0), "last must be at least 1"),
        (lambda m: m.loss_at(513), "length must be less than the 513 characters of a held-out row, got 513"),
        (lambda m: m.write(""), "x must have 1 to 2048 characters"),
        (lambda m: m.write(temperature=0), "temperature must be greater than 0"),
        (lambda m: self_extend(9, 3, 2), "window must be a multiple of group, got 3 and 2"),
        (lambda m: per_pair(9, 3, [0, 1]), "pairs must be booleans"),
    ],
)
def test_bad_input_is_told_what_is_expected(kjv, call, message):
    with pytest.raises(ValueError, match=message):
        call(kjv)


def test_an_unknown_setting_is_refused(kjv):
    with pytest.raises(TypeError, match="inv_freqs"):
        kjv("ab", inv_freqs=kjv.inv_freq)


def test_missing_and_damaged_files_say_how_to_get_them_back(tmp_path):
    with pytest.raises(ValueError, match=r"kjv.npz is missing .*\(git checkout ropelib/book/models\)"):
        files.verified("kjv.npz", folder=tmp_path)
    for name in ("kjv.npz", "SHA256SUMS"):
        shutil.copy(FOLDER / name, tmp_path / name)
    data = bytearray((FOLDER / "kjv.npz").read_bytes())
    data[5000] ^= 1
    (tmp_path / "kjv.npz").write_bytes(data)
    with pytest.raises(ValueError, match=r"kjv.npz is damaged: its SHA-256 is .* \(git checkout ropelib/book/models"):
        files.verified("kjv.npz", folder=tmp_path)
    with pytest.raises(ValueError, match="holds no model of this book"):
        files.unpack(b"not a zip", "other.npz")
    np.savez(tmp_path / "other.npz", settings=np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="holds no model of this book"):
        files.unpack((tmp_path / "other.npz").read_bytes(), "other.npz")


def test_what_is_packed_is_what_is_unpacked(kjv, tmp_path):
    settings = {"characters": kjv.characters, "heads": 4, "inv_freq": kjv.inv_freq.tolist(), "length": 64, "window": 32}
    files.pack(tmp_path / "again.npz", settings, kjv.heldout.astype(np.uint16), kjv.weights)
    again = Model(**files.unpack((tmp_path / "again.npz").read_bytes(), "again.npz"))
    assert again.window == 32
    np.testing.assert_array_equal(again("In the beginning", window=16), kjv("In the beginning"))


def test_loading_needs_numpy_alone():
    """The page's Python loads models before anything else, and quickly."""
    code = (
        "import sys; from ropelib.book.models import load; load('kjv'); print(sorted({'torch', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
