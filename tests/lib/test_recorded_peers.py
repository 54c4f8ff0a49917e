"""What transformers answered for every rotary family, as `make peers` recorded it: the same without torch.

Scores of random heads tell frequencies, layout, direction, slice and axes at once; whoever doubts one runs tests/peers.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from ropelib import from_config

PEERS = json.loads((Path(__file__).parent / "data" / "peers.json").read_text(encoding="utf-8"))


def name(entry):
    return "-".join([entry["config"]["model_type"], *map(str, entry.get("which", {}).values())])


def rope(entry, **which):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the sweep of tests/peers looks at what is told
        return from_config(entry["config"], **which)


@pytest.mark.parametrize("entry", PEERS["scores"], ids=name)
def test_scores(entry):
    turned, axis = rope(entry, **entry["which"]), entry["seq_axis"]
    q, k = np.random.default_rng(0).standard_normal((2, *entry["shape"])).astype("f4")
    q, k = (np.moveaxis(turned.rotate(x, np.array(entry["positions"]), seq_axis=axis), axis, -2)[0, 0] for x in (q, k))
    np.testing.assert_allclose(q @ k.T, entry["scores"], rtol=1e-5, atol=1e-4 * entry["shape"][-1] ** 0.5)


@pytest.mark.parametrize("entry", PEERS["layers"], ids=name)
def test_layers(entry):
    indices = range(0, len(entry["rotates"]) * entry["step"], entry["step"])
    assert [int(rope(entry, layer=i).rotary_dim > 0) for i in indices] == entry["rotates"]


@pytest.mark.parametrize("entry", PEERS["silent"], ids=name)
def test_a_config_without_rope_settings(entry):
    """The second and the last frequency of what the family's own code takes then."""
    turned = rope(entry, **entry["which"])
    assert turned.rotary_dim == entry["rotary_dim"]
    np.testing.assert_allclose(turned.inv_freq[[1, -1]], entry["inv_freq"], rtol=1e-9)


@pytest.mark.parametrize("model_type", PEERS["refused"])
def test_refusals(model_type):
    with pytest.raises(ValueError, match="must be that of a"):
        from_config({"head_dim": 64, "rope_theta": 1e4, "model_type": model_type})
