"""Every number of golden.json: 50-digit arithmetic, rounded once."""

import json
from pathlib import Path

import numpy as np
import pytest

import ropelib

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden.json").read_text())
EXACT = {"rtol": 1e-14, "atol": 0}


def older(config):
    """The same settings as they were spelled before `rope_parameters`."""
    config = dict(config)
    settings = dict(config.pop("rope_parameters", {}))
    if {"sliding_attention", "full_attention"} <= settings.keys():
        config["rope_local_base_freq"] = settings["sliding_attention"]["rope_theta"]
        settings = dict(settings["full_attention"])
    if "rope_theta" in settings:
        config["rope_theta"] = settings.pop("rope_theta")
    if "rope_type" in settings:
        kind = settings.pop("rope_type")
        settings["type"] = {"longrope": "su"}.get(kind, "mrope" if "mrope_section" in settings else kind)
        config["rope_scaling"] = settings if settings["type"] != "default" else None
    return config


@pytest.mark.parametrize("spelled", [dict, older], ids=["newer", "older"])
@pytest.mark.parametrize("model", GOLDEN["models"], ids=lambda model: model["id"])
def test_model(model, spelled):
    rope = ropelib.from_config(spelled(model["config"]), seq_len=model["seq_len"], layer_type=model["layer_type"])
    np.testing.assert_allclose(rope.inv_freq, model["inv_freq"], **EXACT)
    np.testing.assert_allclose(rope.attention_factor, model["attention_factor"], **EXACT)
    assert (rope.head_dim, rope.rotary_dim) == (model["head_dim"], model["rotary_dim"])
    assert rope.layout == model["layout"]
    extra = model.get("extra", {})
    np.testing.assert_allclose(rope.softmax_factor, extra.get("softmax_scale_multiplier", 1.0), **EXACT)
    if "softmax_scale" in extra:
        np.testing.assert_allclose(rope.softmax_factor * rope.head_dim**-0.5, extra["softmax_scale"], **EXACT)
    axes = extra.get("axis_of_pair (0=T,1=H,2=W)")
    assert (None if rope.axes is None else rope.axes.tolist()) == axes


@pytest.mark.parametrize("model", [m for m in GOLDEN["models"] if m["seq_len"]], ids=lambda model: model["id"])
def test_model_that_takes_the_length_from_positions(model):
    rope = ropelib.from_config(model["config"])
    assert rope.length_dependent
    cos, sin = rope.cos_sin([0, 1, model["seq_len"] - 1])
    np.testing.assert_allclose(cos[1], np.cos(model["inv_freq"]) * model["attention_factor"], **EXACT)
    np.testing.assert_allclose(sin[1], np.sin(model["inv_freq"]) * model["attention_factor"], **EXACT)


@pytest.mark.parametrize("case", GOLDEN["rotations"], ids=lambda case: f"{case['layout']}-{case['position']}")
def test_rotation(case):
    table = ropelib.cos_sin(case["position"], ropelib.inverse_frequencies(case["rotary_dim"], case["base"]))
    got = ropelib.rotate(case["x"], *table, layout=case["layout"])
    # 1e-12 where float64 can hold it: an inverse frequency and its product with a position are each rounded to half a
    # unit in the 53rd bit, so an angle a is off by up to a * 2**-52, and a pair of length |x| by |x| times that.
    turning = 1 if case["rotary_dim"] < 4 else case["base"] ** (-2 / case["rotary_dim"])
    angle = abs(case["position"]) * turning  # pair 0 turns by whole radians, which are exact
    np.testing.assert_allclose(got, case["y"], rtol=0, atol=max(1e-12, angle * 2**-52 * np.abs(case["x"]).max() * 2**0.5))
