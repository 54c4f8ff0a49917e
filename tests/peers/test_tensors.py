"""Tensors of torch as arguments, and positions after an image as transformers counts them."""

import importlib
import math
from types import MethodType, SimpleNamespace

import numpy as np
import pytest
import torch

import ropelib


@pytest.mark.parametrize("name", ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn"])
@pytest.mark.parametrize("gradient", [False, True])
def test_tensors_are_read_with_or_without_gradient(name, gradient):
    x = torch.randn(3, 8).to(getattr(torch, name))
    wide = x.double().numpy()
    if gradient and x.itemsize > 1:
        x.requires_grad_()
    rope = ropelib.Rope(ropelib.inverse_frequencies(8))
    got = rope.rotate(x, torch.arange(3))
    own = {"float64": "f8", "float16": "f2"}.get(name, "f4")
    assert type(got) is np.ndarray and got.dtype == own
    np.testing.assert_array_equal(got, rope.rotate(wide.astype(own)))
    np.testing.assert_array_equal(ropelib.softmax(x), ropelib.softmax(wide.astype(own)))
    np.testing.assert_array_equal(ropelib.attend(x, x, x)[0], ropelib.attend(*[wide.astype(own)] * 3)[0])


def test_parameters_and_views_of_torch_are_read():
    weight = torch.nn.Linear(6, 16, dtype=torch.bfloat16).weight
    moved = ropelib.permute_weights(weight, 2, to="half")
    np.testing.assert_array_equal(moved, ropelib.permute_weights(weight.detach().float().numpy(), 2, to="half"))
    z = torch.view_as_complex(torch.randn(3, 4, 2)).conj()
    plain = z.resolve_conj().numpy()
    np.testing.assert_array_equal(ropelib.from_complex(z, layout="half"), ropelib.from_complex(plain, layout="half"))
    np.testing.assert_array_equal(ropelib.softmax(z.imag), ropelib.softmax(plain.imag))
    assert ropelib.padded_positions(torch.tensor([[False, True, True]])).tolist() == [[0, 0, 1]]


def test_what_torch_cannot_give_is_refused_by_name():
    rope = ropelib.Rope(ropelib.inverse_frequencies(8))
    for tensor in (torch.ones(3, 8, device="meta"), torch.ones(3, 8).to_sparse()):
        with pytest.raises(TypeError, match="x must convert to a NumPy array, got Tensor"):
            rope.rotate(tensor)
    with pytest.raises(TypeError, match="x must hold real numbers, got dtype complex64"):
        rope.rotate(torch.ones(3, 8, dtype=torch.complex64))
    with pytest.raises(TypeError, match="out must be a NumPy array, got Tensor"):
        rope.rotate(torch.ones(3, 8), out=torch.ones(3, 8))


def theirs(parts, seconds, module):
    """Positions and delta of transformers, which takes sizes before it merges 2 x 2 patches."""
    name = {"qwen2_vl": "Qwen2VLModel", "qwen2_5_vl": "Qwen2_5_VLModel"}[module]
    model = getattr(importlib.import_module(f"transformers.models.{module}.modeling_{module}"), name)
    vision = SimpleNamespace(spatial_merge_size=2, tokens_per_second=2)
    own = SimpleNamespace(config=SimpleNamespace(vision_config=vision))
    own.get_vision_position_ids = MethodType(model.get_vision_position_ids, own)
    kinds, grids = [], {1: [], 2: []}
    for part in parts:
        kind = 0 if isinstance(part, int) else 1 if part[0] == 1 else 2
        kinds += [kind] * (math.prod(part) if kind else part)
        if kind:
            grids[kind].append([part[0], 2 * part[1], 2 * part[2]])
    given = [torch.tensor(grids[kind]) if grids[kind] else None for kind in (1, 2)]
    more = {"second_per_grid_ts": torch.tensor([seconds])} if seconds else {}
    ids = torch.zeros(1, len(kinds), dtype=torch.long)
    positions, delta = model.get_rope_index(own, ids, torch.tensor([kinds]), *given, **more)
    return positions[:, 0].numpy(), int(delta)


@pytest.mark.parametrize(
    "module, parts, seconds",
    [
        ("qwen2_vl", [2, (1, 2, 3), 1], None),
        ("qwen2_vl", [(1, 3, 2), 4, (2, 2, 2), 3], None),
        ("qwen2_5_vl", [1, (3, 8, 2), 3], 1.0),
        ("qwen2_5_vl", [5, (2, 2, 2), (1, 1, 1), 3], 0.75),
    ],
)
def test_positions_after_an_image_as_transformers(module, parts, seconds):
    positions, delta = ropelib.mrope_positions(parts, time_step=2 * seconds if seconds else 1)
    wanted, wanted_delta = theirs(parts, seconds, module)
    np.testing.assert_array_equal(positions, wanted)
    assert delta == wanted_delta


def test_transformers_gives_positions_twice_after_a_long_video():
    """Its text goes on from the larger of height and width; in the paper, from the largest position of all."""
    parts = [1, (5, 2, 2), 3]
    positions, delta = ropelib.mrope_positions(parts)
    wanted, wanted_delta = theirs(parts, None, "qwen2_vl")
    np.testing.assert_array_equal(positions[:, :-3], wanted[:, :-3])
    assert wanted[0, -4] == 5 and wanted[0, -3:].tolist() == [3, 4, 5]
    assert positions[0, -3:].tolist() == [6, 7, 8] and (delta, wanted_delta) == (-15, -18)
