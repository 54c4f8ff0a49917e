"""From a run's weights to the book's `Model`, and the files that the book loads: python -m training.export"""

import hashlib
from pathlib import Path

import numpy as np

from ropelib.book.models import Model, files

from .encodings import ENCODINGS, HEADS, LAYERS, LENGTH, LONGEST
from .runs import RUNS
from .texts import prepared
from .train import weights

HERE = Path(files.__file__).parent
SHIPPED = {"kjv": "kjv-rope", "tang": "tang-rope"}  # seed 0 of each
ROWS = {"kjv": (32, LONGEST + 1), "tang": (24, 4 * LENGTH + 1)}  # held-out text that travels with the weights


def parts(name, seed):
    """Settings, held-out rows and weights of a run that rotates, or has no encoding: what `Model` can run."""
    run, encoding = RUNS[name], ENCODINGS[RUNS[name].encoding]()
    _, text, characters = prepared(run.text)
    settings = {"characters": characters, "heads": HEADS, "inv_freq": list(encoding.inv_freq), "length": LENGTH}
    if encoding.window is not None:
        settings["window"] = encoding.window
    return settings, rows(text, *ROWS[run.text]).astype(np.uint16), named(weights(name, seed))


def rows(text, count, length):
    """Held-out rows from places spread evenly over the text, which tells more than one place does."""
    starts = np.linspace(0, len(text) - length, count).astype(int)
    return text[starts[:, None] + np.arange(length)]


def named(path):
    """A run's weights under the book's names, both layers of a kind together, matrices for x @ matrix."""
    with np.load(path) as saved:
        layers = {
            name: np.stack([saved[f"layers.{layer}.{name}.weight"] for layer in range(LAYERS)])
            for name in ("norm_attention", "qkv", "output", "norm_mlp", "up", "down")
        }
        layers = {name: array.swapaxes(1, 2) if array.ndim == 3 else array for name, array in layers.items()}
        query, key, value = np.split(layers.pop("qkv"), 3, axis=2)
        ends = {"embedding": saved["embedding.weight"], "norm": saved["norm.weight"]}
        return {**ends, "query": query, "key": key, "value": value, **layers}


def model(name, seed):
    """A run as the book's `Model`."""
    settings, heldout, arrays = parts(name, seed)
    return Model(**settings, heldout=heldout, weights=arrays)


def sums():
    """Note the hashes of what is loaded."""
    found = (path for path in sorted(HERE.iterdir()) if path.suffix in (".npz", ".json"))
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in found)
    (HERE / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    for short, name in SHIPPED.items():
        files.pack(HERE / f"{short}.npz", *parts(name, 0))
    sums()
