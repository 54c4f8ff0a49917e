"""Measure what was trained, over all seeds, and write what the book loads: python -m training.evaluate"""

import json
from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

from ropelib.book.models import experiments

from . import export
from .encodings import LENGTH
from .runs import RUNS, SEEDS
from .texts import prepared
from .train import load, logged, weights

LENGTHS = (64, 128, 256, 512)
OFFSETS = (0, 500, 1000, 2000, 4000, 8000, 16_000, 32_000)


def over_seeds(measure, models):
    """What `measure` says of the model of each seed, in order, rounded to thousandths."""
    return [np.round(np.asarray(measure(models[seed], seed), np.float64), 3).tolist() for seed in models]


def trained(name, loader):
    """The models of a run by seed; those that are not trained yet are left out, and named."""
    found = [seed for seed in SEEDS if weights(name, seed).exists()]
    if len(found) < len(SEEDS):
        print(f"{name}: only seeds {found or 'none'} are trained")
    return {seed: loader(name, seed) for seed in found}


@torch.no_grad()
def losses(model, x):
    """Nats of every character after the first, shape (rows, T)."""
    x = torch.from_numpy(x.astype(np.int64))
    parts = [F.cross_entropy(model(row[:, :-1]).transpose(1, 2), row[:, 1:], reduction="none") for row in x.split(8)]
    return torch.cat(parts).double().numpy()


def read(name):
    """How well a run reads: by how much it has read, and the same characters after more and more text."""
    rows, log, models = export.rows(prepared("kjv")[1], *export.ROWS["kjv"]), logged(), trained(name, load)

    def bands(model, seed):  # by how much has been read
        loss = losses(model, rows)
        return [loss[:, a:b].mean() for a, b in zip((0, *LENGTHS), LENGTHS, strict=False)]

    return {
        "training": over_seeds(lambda model, seed: np.mean(log[name, seed]["loss"][-2:]), models),
        "bands": over_seeds(bands, models),
        "same": over_seeds(lambda model, seed: [losses(model, rows[:, -n - 1 :])[:, -32:].mean() for n in LENGTHS], models),
    }


def verse(models, how):
    """What the poems' model writes, by seed: its verses of 0, 1, ... 24 characters, and for seed 0 the first texts."""
    texts = {seed: model.write(length=48, rows=24, seed=1, **how) for seed, model in models.items()}
    lengths = (experiments.verse_lengths(written) for written in texts.values())
    return {"lengths": [np.bincount(np.minimum(n, 24), minlength=25).tolist() for n in lengths], "texts": texts[0][:4]}


def letter_counts(name):
    """Nats a character for one who knows how often each occurs and nothing else, on the held-out part."""
    text, heldout, _ = prepared(name)
    counts = Counter(text.tolist())
    return round(-np.mean([np.log(counts.get(c, 0.5) / len(text)) for c in heldout.tolist()]), 3)


def main():
    kjv, tang = trained("kjv-rope", export.model), trained("tang-rope", export.model)

    def loss(how, length=LENGTH):
        return over_seeds(lambda model, seed: model.loss_at(length, **how), kjv)

    def by_length(name):
        return over_seeds(lambda model, seed: [model.loss_at(n, **experiments.methods(n)[name]) for n in LENGTHS], kjv)

    table = {
        "seeds": SEEDS,
        "lengths": LENGTHS,
        "letter counts": {name: letter_counts(name) for name in ("kjv", "tang")},
        "slips": {name: loss(how) for name, how in experiments.slips().items()},
        "pairs": {name: loss(how) for name, how in experiments.pairs().items()},
        "methods": {name: by_length(name) for name in experiments.methods(LENGTH)},
        "precision": {
            name: {str(offset): loss(experiments.precision(offset)[name]) for offset in OFFSETS}
            for name in experiments.precision(0)
        },
        "verse": {name: verse(tang, how) for name, how in experiments.verse().items()},
        "tang": over_seeds(lambda model, seed: model.loss_at(LENGTH), tang),
        "continued": {name.removeprefix("kjv-"): read(name) for name in RUNS if name.startswith("kjv-")},
        "encodings": {name.removeprefix("compare-"): read(name) for name in RUNS if name.startswith("compare-")},
        "t5 bias": over_seeds(lambda model, seed: model.encoding.by_distance(2 * LENGTH), trained("compare-t5", load)),
    }
    (export.HERE / "measured.json").write_text(lines(table), encoding="utf-8")
    export.sums()


def lines(table):
    """JSON with one measurement a line, so that a change shows where it is."""

    def text(value):
        if not isinstance(value, dict):
            return json.dumps(value)
        rows = (f"  {json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in value.items())
        return "{\n" + ",\n".join(rows) + "\n}"

    return "{\n" + ",\n".join(f"{json.dumps(name)}: {text(value)}" for name, value in table.items()) + "\n}\n"


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
