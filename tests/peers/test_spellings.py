"""Every rotary family under every spelling of its settings: turned as its own code turns, or told, or refused.

A config in each of the forms below is read by the family's own class in the installed transformers and by `from_config`;
frequencies, in a long text too where they grow, and the factor on cosine and sine are compared. What differs in silence is a
fault.
"""

import copy
import warnings

import numpy as np
import pytest
import torch
from families import module, rotary_classes, rotary_families, speeds
from test_families import GIVEN
from test_told import FOLDERS, SIZES, configs

import ropelib
from ropelib.config import families as known

BASE = 54_321.0
FAR = 300_000  # tokens, beyond any trained length here
LONGER = {"factor": 4.0, "original_max_position_embeddings": 8192}
SHARP = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, "factor": 4.0}


def new(kind="default", **settings):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": BASE, **settings}}


def old(name="rope_type", kind="yarn", **settings):
    return {"rope_theta": BASE, "rope_scaling": {name: kind, **settings}}


SCALED = {"linear": {"factor": 4.0}, "dynamic": {"factor": 4.0}, "yarn": LONGER, "llama3": SHARP | LONGER}
SCALED["llama3"].pop("rope_type")
PARTS = ("rotary_pct", "rotary_emb_fraction")
LOCALS = ("local_rope_theta", "swa_rope_theta")
BASES = ("rotary_emb_base", "global_rope_theta", "rope_freq_constant")
FORMS = {
    "a base beside": {"rope_theta": BASE},
    "a base beside null": {"rope_theta": BASE, "rope_scaling": None},
    "a base inside, no kind": {"rope_parameters": {"rope_theta": BASE}},
    "an empty block": {"rope_parameters": {}},
    "null": {"rope_parameters": None},
    "yarn": new("yarn", **LONGER),
    "yarn, older": old(**LONGER),
    "yarn, first": old("type", **LONGER),
    "yarn with its settings": new("yarn", beta_fast=16, beta_slow=2, truncate=False, **LONGER),
    "yarn with two mscales": new("yarn", mscale=0.7, mscale_all_dim=0.9, **LONGER),
    "yarn with a factor on cos and sin": new("yarn", attention_factor=1.5, **LONGER),
    "yarn, length beside": old(factor=4.0) | {"original_max_position_embeddings": 8192},
    "yarn of a part": new("yarn", partial_rotary_factor=0.5, **LONGER),
    "linear": new("linear", factor=4.0),
    "linear, first": old("type", "linear", factor=4.0),
    "linear of a part": new("linear", partial_rotary_factor=0.5, factor=4.0),
    "dynamic": old("type", "dynamic", factor=4.0),
    "dynamic, trained length": new("dynamic", **LONGER),
    "llama3": {"rope_theta": BASE, "rope_scaling": SHARP | LONGER},
    "llama3, length beside": {"rope_theta": BASE, "rope_scaling": SHARP, "original_max_position_embeddings": 8192},
    "proportional": new("proportional", partial_rotary_factor=0.5),
    "a part beside": {"rope_theta": BASE, "partial_rotary_factor": 0.5},
    "a part inside": new(partial_rotary_factor=0.5),
    "a part by GPT-NeoX's name": {"rope_theta": BASE, "rotary_pct": 0.5},
    "a part in channels": {"rope_theta": BASE, "rotary_dim": 32},
    "a local base": {"rope_theta": BASE, "rope_local_base_freq": 22_222.0},
    "no width": {"rope_theta": BASE, "head_dim": None},
    "a part that is null": {"rope_theta": BASE, "partial_rotary_factor": None},
    "a part that is null, beside channels": {"rope_theta": BASE, "partial_rotary_factor": None, "rotary_dim": 32},
    "widths by layer that are null": {"per_layer_config": None},
    **{f"{kind} of a part in channels": new(kind, **SCALED[kind]) | {"rotary_dim": 32} for kind in SCALED},
    **{f"{kind} of a part in channels, inside": new(kind, rotary_dim=32, **SCALED[kind]) for kind in SCALED},
    **{f"{kind} of a part by {name}": new(kind, **SCALED[kind]) | {name: 0.5} for kind in SCALED for name in PARTS},
    "dynamic, trained length alone": new("dynamic", **LONGER) | {"max_position_embeddings": None},
    "dynamic, a length by another name": new("dynamic", factor=4.0) | {"max_position_embeddings": None, "n_positions": 4096},
    "an alpha of a part": new("dynamic", factor=1.0, alpha=1000.0, partial_rotary_factor=0.5),
    "two bases": old(kind="linear", factor=4.0) | {"rope_theta": 22_222.0, **new("linear", factor=4.0)},
    "two bases, older": {"rope_theta": 22_222.0, "rope_scaling": {"rope_type": "linear", "rope_theta": BASE, "factor": 4.0}},
    "a base in an older block": {"rope_scaling": {"rope_type": "linear", "rope_theta": BASE, "factor": 4.0}},
    **{f"a local base by {name}": {"rope_theta": BASE, name: 22_222.0} for name in LOCALS},
    **{f"a base by {name}": {name: BASE} for name in BASES},
    "a base inside attention": {"attn_config": {"rope_theta": BASE}},
    "a width by a slip": {"rope_theta": BASE, "headdim": 64, "head_dim": None},
    "another base than the family's": {"rope_theta": 1e4},
    "blocks by type": {},
    "yarn by type": {"rope_type": "yarn", "truncate": False, **LONGER},
    "a part by type": {"partial_rotary_factor": 0.5},
    "channels by type": {"rotary_dim": 32},
    "a part beside blocks by type": {},
    "a base beside blocks by type": {},
    "a base beside the settings, blocks by type": {},
}
OUTSIDE = {  # what stands beside the blocks, in the rope settings or beside them, and is not in the blocks
    "a part beside blocks by type": {"rope_parameters": {"partial_rotary_factor": 0.5}},
    "a base beside blocks by type": {"rope_parameters": {"rope_theta": 22_222.0}},
    "a base beside the settings, blocks by type": {"rope_theta": 22_222.0},
}
# Where a part of latent attention is scaled, transformers takes that part of the slice that turns, and then cannot apply it.
APART = {
    (family, form)
    for family in ("bailing_hybrid", "minicpm3")
    for form in ("yarn of a part", "linear of a part", "an alpha of a part")
}
# Whose code reads a width as that of the slice where it is not the sum of both parts: no model has such sizes.
SLICED = {"mistral4"}


def raw(config_class):
    """A config of plain sizes that the class takes, and the types of its layers."""
    given = {key: value for key, value in GIVEN.get(config_class.model_type, {}).items() if key != "rope_parameters"}
    for sizes in (SIZES, {}):
        try:
            own = config_class(**sizes | given)
            return {"model_type": config_class.model_type, **sizes, **given}, sorted(set(getattr(own, "layer_types", None) or ()))
        except Exception:  # of any kind: sizes that this family refuses
            continue
    return None, []


def theirs(of, config_class, config):
    """(type of layer or "", frequencies, factor, frequencies in a long text) of each embedding that takes the config."""
    given = {key: value for key, value in config.items() if key != "model_type"}
    for embedding in rotary_classes(of):
        if "Vision" in embedding.__name__ or "Axial" in embedding.__name__:
            continue
        try:
            made = embedding(config_class.from_dict(copy.deepcopy(given)))
        except Exception:  # of any kind: the embedding of another part, or settings that this family refuses
            continue
        found = {name: values.double().numpy().copy() for name, values in speeds(made).items()}
        for name, values in found.items():
            kind = name.removesuffix("inv_freq").rstrip("_")
            methods = getattr(made, "rope_type", None)
            method = methods.get(kind) if isinstance(methods, dict) else methods
            grown = far(made, kind).get(name) if method == "dynamic" else None
            yield kind, values, float(getattr(made, f"{kind}_attention_scaling".lstrip("_"), 1)), grown


def far(made, kind):
    """The frequencies that an embedding grows to in a long text, if it takes one of these positions."""
    for shape in ((1, 1), (3, 1, 1)):
        try:
            made(torch.zeros(1, 1, 8), torch.full(shape, FAR - 1), **({"layer_type": kind} if kind else {}))
            return {name: values.double().numpy().copy() for name, values in speeds(made).items()}
        except Exception:  # of any kind: positions of other axes
            continue
    return {}


@FOLDERS
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_family_reads_each_form_as_its_own_code_does(folder, stem):
    of = module(folder, stem)
    for family, config_class in configs(of):
        config, types = raw(config_class)
        if config is None or family in known.UNSUPPORTED or family in SLICED:
            continue
        for form, settings in FORMS.items():
            if (family, form) in APART or (form.endswith("by type") and not types):
                continue
            if form in OUTSIDE:
                kinds = {kind: {"rope_type": "default"} for kind in types}
                settings = OUTSIDE[form] | {"rope_parameters": kinds | OUTSIDE[form].get("rope_parameters", {})}
            elif form.endswith("by type"):
                default = {"rope_type": "default", "rope_theta": BASE}
                settings = {"rope_parameters": {kind: {**default, **settings} for kind in types}}
            for kind, frequencies, factor, grown in theirs(of, config_class, config | settings):
                own = {block: each for each, block in known.BLOCK_OF.get(family, {}).items()}.get(kind, kind)
                for layer_type in [own] if own else types or [None]:
                    rope = quiet(config | settings, layer_type)
                    if rope is None or not rope.rotary_dim:
                        continue
                    ours, want = np.sort(rope.inv_freq), np.sort(frequencies)
                    assert ours.shape == want.shape and np.allclose(ours, want, rtol=5e-6, atol=0), (family, form, layer_type)
                    assert rope.attention_factor == pytest.approx(factor, abs=1e-5), (family, form, layer_type)
                    if grown is not None:
                        ours = np.sort(quiet(config | settings, layer_type, seq_len=FAR).inv_freq)
                        assert np.allclose(ours, np.sort(grown), rtol=2e-5, atol=0), (family, form, layer_type)


def quiet(config, layer_type, **asked):
    """The rope of a config of which nothing is said; None where it is told of, or refused."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            rope = ropelib.from_config(config, layer_type=layer_type, **asked)
        except ValueError:
            return None
    return None if told else rope


def test_the_forms_reach_what_they_are_for():
    assert len(rotary_families()) > 150 and len(FORMS) == 67
