"""Measure what was trained, over all seeds, and write what the book loads: python -m training.evaluate"""

import json
from collections import Counter

import numpy as np
import torch
import torch.nn.functional as F

from ropelib.book.models import experiments

from . import export
from .encodings import LENGTH
from .runs import COMPARED, RUNS, SEEDS
from .texts import prepared
from .train import load, logged, weights

LENGTHS = (64, 128, 256, 512)
LAST, NEAR, BACK = 32, 64, 200  # characters: predicted at the end, left as they are before those, before the last one
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


@torch.no_grad()
def logits(model, x, last):
    """Logits after each of the last characters, shape (rows, last, characters)."""
    return torch.cat([model(row)[:, -last:] for row in torch.from_numpy(x.astype(np.int64)).split(8)]).double()


def heldout():
    """The rows that are read: those that travel with the book's model."""
    return export.rows(prepared("kjv")[1], *export.ROWS["kjv"])


def read(name):
    """How well a run reads: by how much it has read, and the same characters after more and more text."""
    rows, log, models = heldout(), logged(), trained(name, load)

    def bands(model, seed):  # by how much has been read
        loss = losses(model, rows)
        return [loss[:, a:b].mean() for a, b in zip((0, *LENGTHS), LENGTHS, strict=False)]

    return {
        "training": over_seeds(lambda model, seed: np.mean(log[name, seed]["loss"][-2:]), models),
        "bands": over_seeds(bands, models),
        "same": over_seeds(lambda model, seed: [losses(model, rows[:, -n - 1 :])[:, -LAST:].mean() for n in LENGTHS], models),
    }


def far(name):
    """What text far back does to what a run predicts at the end of 512 characters.

    all: everything more than 64 before the last 32 is another row's text; the share of their probability that moves.
    one: the character 200 back is another one; how far a logit after the last character moves, at most, in 8 rows.
    loss: of those 32, after their own text and after the other's.
    """
    rows, models = heldout(), trained(name, load)
    changed, others, end = rows[:, :-1].copy(), rows.copy(), LENGTHS[-1]
    changed[:, end - 1 - BACK] = (changed[:, end - 1 - BACK] + 1) % len(prepared("kjv")[2])
    others[:, : end - LAST - NEAR] = np.roll(others, 1, axis=0)[:, : end - LAST - NEAR]

    def measure(model, seed):
        own, other = (logits(model, x[:, :-1], LAST) for x in (rows, others))
        share = (own.softmax(-1) - other.softmax(-1)).abs().sum(-1).mean() / 2
        one = (logits(model, changed[:8], 1) - own[:8, -1:]).abs().max()
        right = torch.from_numpy(rows[:, -LAST:].astype(np.int64))
        return [share, one, *(F.cross_entropy(x.transpose(1, 2), right) for x in (own, other))]

    found = over_seeds(measure, models)
    return {"all": [row[0] for row in found], "one": [row[1] for row in found], "loss": [row[2:] for row in found]}


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
        "far": {name: far(f"compare-{name}") for name in COMPARED},
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
