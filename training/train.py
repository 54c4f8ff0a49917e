"""Training: the same numbers each time on the same kind of machine (one thread, fixed seeds)."""

import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .model import Model
from .runs import RUNS
from .texts import FOLDER, prepared

WEIGHTS = FOLDER.parent / "weights"
LOG = Path(__file__).parent / "log.jsonl"  # one line a run, in the repository


def weights(name, seed):
    """Where a run leaves its weights: NumPy's npz, float16, torch's names."""
    return WEIGHTS / f"{name}-{seed}.npz"


def load(name, seed):
    """The trained model of a run."""
    run = RUNS[name]
    model = Model(len(prepared(run.text)[2]), run.encoding, run.hidden)
    with np.load(weights(name, seed)) as saved:
        model.load_state_dict({key: torch.from_numpy(saved[key].astype(np.float32)) for key in saved})
    return model.eval()


def windows(text, starts, length):
    """What is read and what comes next, each of shape (windows, length)."""
    both = torch.from_numpy(text[starts[:, None] + np.arange(length + 1)])
    return both[:, :-1], both[:, 1:]


def rate(step, run):
    """Warm-up, then a cosine down to a twentieth; a model that goes on is warm and ends at 0."""
    warm, floor = (10, 0.0) if run.start else (50, 0.05)
    cosine = 0.5 * (1 + math.cos(math.pi * step / run.steps))
    return run.rate * min(1, (step + 1) / warm) * (floor + (1 - floor) * cosine)


def train(name, seed, progress=lambda: None):
    """Train one model, save its weights and return its line of the log."""
    run = RUNS[name]
    text, _, characters = prepared(run.text)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    model = Model(len(characters), run.encoding, run.hidden)
    if run.start:
        model.load_state_dict(load(run.start, seed).state_dict(), strict=True)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.95), weight_decay=0.01)
    losses, start = [], time.process_time()
    for step in range(run.steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, run)
        x, y = windows(text, random.integers(0, len(text) - run.length, run.windows), run.length)
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        progress()
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(weights(name, seed), **{k: v.numpy().astype(np.float16) for k, v in model.state_dict().items()})
    return {
        "run": name,
        "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "loss": np.reshape(losses, (-1, 50)).mean(1).round(3).tolist(),  # nats a character, every 50 steps
        "seconds": round(time.process_time() - start),
        "torch": torch.__version__,
    }


def logged():
    """The log by (run, seed)."""
    lines = LOG.read_text().splitlines() if LOG.exists() else []
    return {(line["run"], line["seed"]): line for line in map(json.loads, lines)}


def log(line):
    """Put a line into the log, in the order of the runs."""
    lines = {**logged(), (line["run"], line["seed"]): line}
    order = list(RUNS)
    ordered = sorted(lines.values(), key=lambda line: (order.index(line["run"]), line["seed"]))
    LOG.write_text("".join(json.dumps(line) + "\n" for line in ordered))
