"""Put a rotary embedding in PyTorch through the test vectors."""

import json
from pathlib import Path

import torch
from rope_torch import rotate


def turn(x, positions, rope):  # yours goes here
    inv_freq = torch.tensor(rope["inv_freq"], dtype=torch.float64)
    angle = rope["direction"] * positions[:, None] * inv_freq
    cos, sin = ((rope["attention_factor"] * f).to(x.dtype)
                for f in (angle.cos(), angle.sin()))
    return rotate(x, cos, sin, rope["layout"])


def offered(case):  # what your code claims to do
    rope = case.get("rope")
    return (case["kind"] == "rotation" and rope["axes"] is None
            and rope["rotary_start"] == 0)


def missed(path, turn=turn, dtype=torch.float32):
    """Cases that are off by more than they may be, and by how much."""
    name, bad = str(dtype).removeprefix("torch."), {}
    for case in json.loads(Path(path).read_text("utf-8"))["cases"]:
        if offered(case):
            x = torch.tensor(case["input"], dtype=dtype)
            right = torch.tensor(case["output"], dtype=torch.float64)
            places = torch.tensor(case["positions"], dtype=torch.float64)
            off = (turn(x, places, case["rope"]) - right).abs().max()
            if not off <= case["bound"][name]:
                bad[case["id"]] = off.item()
    return bad
