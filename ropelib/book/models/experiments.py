"""What is done to the trained models: each experiment is a dict from its name to arguments of `Model`.

    model.loss_at(64, **slips()["other layout"])

`training/evaluate.py` ran all of them over three seeds; `measured()` has the numbers.
"""

import re

import numpy as np

from ...frequencies import inverse_frequencies
from ...scaling import linear, ntk, temperature, yarn
from .far import per_pair, rerope, self_extend

TRAINED, HEAD = 64, 16  # characters, channels
OWN = inverse_frequencies(HEAD)
PAIRS = np.arange(HEAD // 2)


def slips(length=TRAINED):
    """What people get wrong, within the trained length."""
    positions = np.arange(length)
    return {
        "right": {},
        "other layout": {"layout": "interleaved"},
        "no rotation": {"inv_freq": 0 * OWN},
        "keys not rotated": {"key_inv_freq": 0 * OWN},
        "queries not rotated": {"inv_freq": 0 * OWN, "key_inv_freq": OWN},
        "turned backwards": {"inv_freq": -OWN},
        "queries one position late": {"query_positions": positions + 1},
        "positions divided by 2": {"positions": positions / 2},
        "base 20,000": {"inv_freq": inverse_frequencies(HEAD, 2e4)},
        "base 500,000": {"inv_freq": inverse_frequencies(HEAD, 5e5)},
        "all positions + 1,000": {"positions": positions + 1000},
        "all positions + 1,000,000": {"positions": positions + 1_000_000},
    }


def methods(length):
    """Ways to read `length` characters with weights trained on 64, and nothing trained anew."""
    times = max(1.0, length / TRAINED)
    grown = {"factor": times, "original_max_position_embeddings": TRAINED}
    return {
        "none": {},
        "PI": frequencies(linear(HEAD, factor=times)),
        "NTK": frequencies(ntk(HEAD, factor=times)),
        "YaRN": frequencies(yarn(HEAD, **grown)),
        "YaRN, the paper's ramp": frequencies(yarn_by_turns(times)),
        "NTK, keys as they arrived": {"inv_freq": arrived(length)},
        "window": {"window": TRAINED},
        "window, 4 sinks": {"window": TRAINED, "sinks": 4},
        "ReRoPE": {"far": rerope(length, TRAINED // 2)},
        "SelfExtend": {"far": self_extend(length, TRAINED // 4, TRAINED // 4)},
        "fast pairs held back": {"far": per_pair(length, TRAINED - 1, PAIRS < 3)},
        "slow pairs held back": {"far": per_pair(length, TRAINED - 1, PAIRS >= 3)},
    }


def frequencies(scaled):
    """Arguments of `Model` from what the functions of `ropelib.scaling` return."""
    return dict(zip(("inv_freq", "factor"), scaled, strict=True))


def yarn_by_turns(factor, fast=32.0, slow=1.0):
    """YaRN as the paper has it: blended by how often a pair turns within the trained length, not by its number."""
    keep = np.clip((TRAINED * OWN / (2 * np.pi) - slow) / (fast - slow), 0, 1)
    return keep * OWN + (1 - keep) * OWN / factor, temperature(factor)


def arrived(length):
    """Dynamic NTK, one token at a time: each query and key turns by the length of its own time: shape (length, P)."""
    return np.stack([ntk(HEAD, factor=max(1.0, (m + 1) / TRAINED))[0] for m in range(length)])


def bfloat16(x):
    """The nearest bfloat16, as float64."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def precision(offset, length=TRAINED):
    """Positions kept in narrow formats, for a text that starts at `offset`."""
    positions = offset + np.arange(length)
    return {
        "float64": {"positions": positions},
        "float32": {"positions": positions, "tables": in_float32},
        "float16": {"positions": positions.astype(np.float16).astype(np.float64)},
        "bfloat16": {"positions": bfloat16(positions)},
    }


def in_float32(positions, inv_freq):
    """Tables whose angles are float32 numbers."""
    angles = np.multiply.outer(positions.astype(np.float32), inv_freq.astype(np.float32))
    return np.cos(angles), np.sin(angles)


def pairs():
    """Each pair of channels stopped in turn, and all but the fastest few."""
    stopped = {f"pair {i} stopped": {"inv_freq": np.where(PAIRS == i, 0, OWN)} for i in PAIRS}
    return stopped | {f"only the {n} fastest turn": {"inv_freq": np.where(n > PAIRS, OWN, 0)} for n in range(len(PAIRS) + 1)}


def verse(length=48):
    """Ways to let the poems' model write `length` characters; they go to `Model.write`."""
    positions = np.arange(length)
    return {
        "right": {},
        "all positions + 1,000": {"positions": positions + 1000},
        "PI by 2": frequencies(linear(HEAD, factor=2)),
        "NTK by 2": frequencies(ntk(HEAD, factor=2)),
        "other layout": {"layout": "interleaved"},
        "no rotation": {"inv_freq": 0 * OWN},
    }


def verse_lengths(texts):
    """Characters of each whole verse in texts that the poems' model wrote: int array."""
    return np.array([len(v) for text in texts for v in re.findall(r"([^，。\n]*)[，。]", text)], int)
