"""Which of its keys a family's code reads: the lists in ropelib.config.families, made anew from the installed transformers.

Each list must hold those families that a run or the source finds, and no others that transformers has.
"""

import inspect
import re
import warnings

import numpy as np
import pytest
from families import FOLDER, as_published, module, own_classes, rotary_classes, rotary_families, speeds, text_models
from test_families import GIVEN

import ropelib
from ropelib.config import families as known
from ropelib.config import names

SIZES = {"hidden_size": 512, "num_attention_heads": 8, "num_hidden_layers": 6, "max_position_embeddings": 32_768, "head_dim": 64}
PLAIN = {"rope_type": "default", "rope_theta": 777_777.0}
COMPOSED = ("blt", "t5gemma")  # their parts have the widths
FOLDERS = pytest.mark.parametrize("folder, stem", rotary_families(), ids=[folder for folder, _ in rotary_families()])


def configs(of):
    """The config classes of a modeling file whose families are known to rotate."""
    for each in {value for value in vars(of).values() if inspect.isclass(value) and value.__name__.endswith("Config")}:
        family = names.family(str(getattr(each, "model_type", "")))
        if names.layout(family) and "text_config" not in getattr(each, "__dataclass_fields__", {}):
            yield family, each


def frequencies(of, config_class, **settings):
    """Those of each embedding of a file that takes such settings, by its name and its buffer's."""
    found = {}
    for embedding in rotary_classes(of):
        if "Vision" in embedding.__name__:
            continue
        try:
            made = embedding(config=config_class(**SIZES | settings))
        except Exception:  # of any kind: the embedding of another part, or of settings that this family refuses
            continue
        found |= {(embedding.__name__, name): value.double().numpy() for name, value in speeds(made).items()}
    return found


def types(found):
    return {name.removesuffix("inv_freq").rstrip("_") for _, name in found} - {""}


def same(one, two):
    return all(len(one[key]) == len(two[key]) and np.allclose(one[key], two[key], rtol=1e-6) for key in one)


@FOLDERS
def test_whose_code_passes_over_a_part_or_a_block(folder, stem):
    """A part of a half and of a quarter, inside the rope settings, of each type of layer where there are types."""
    of = module(folder, stem)
    for family, config_class in configs(of):
        plain = frequencies(of, config_class, rope_parameters=dict(PLAIN))
        if not plain or family in known.LATENT or family in known.UNSUPPORTED:
            continue
        kinds = types(plain)
        if kinds and family not in known.BLOCK_OF:
            other = frequencies(of, config_class, rope_parameters=PLAIN | {"rope_theta": 555_555.0})
            if other.keys() == plain.keys():
                passed = any(np.allclose(plain[key], other[key]) for key in plain)
                assert passed == (family in known.BLOCKS_ALONE), family
        blocks = [PLAIN, PLAIN | {"partial_rotary_factor": 0.5}, PLAIN | {"partial_rotary_factor": 0.25}]
        by_type = [{kind: dict(block) for kind in kinds} if kinds else dict(block) for block in blocks]
        whole, half, quarter = (frequencies(of, config_class, rope_parameters=each) for each in by_type)
        if whole and whole.keys() == half.keys() == quarter.keys():
            assert (same(whole, half) and same(whole, quarter)) == (family in known.WHOLE_HEADS), family
        wide = frequencies(of, config_class, rope_parameters=dict(PLAIN), head_dim=96)
        if not kinds and wide.keys() == plain.keys():
            assert same(plain, wide) == (family in known.DIVIDED - known.DIVIDED_BUT_EMBEDDED), family
        held = frequencies(of, config_class, rope_theta=1e4, partial_rotary_factor=0.25)
        if family in known.PART_HELD:
            assert {len(each) for each in held.values()} == {int(SIZES["head_dim"] * known.PART_HELD[family]) // 2}


def shapes(model_class, config):
    """Of the parameters of a model, which takes no room."""
    import torch

    with torch.device("meta"):
        return {name: tuple(each.shape) for name, each in model_class(config).named_parameters()}


@FOLDERS
def test_a_base_that_is_null(folder, stem):
    """Code that fails on it, code that turns nothing, and code that has a base of its own: told, refused, silent."""
    of = module(folder, stem)
    source = (FOLDER / folder / f"{stem}.py").read_text(encoding="utf-8")
    still = bool(re.search(r"rope_theta.{0,9} is not None", source))
    for family, config_class in configs(of):
        assert still == (family in known.STILL_IF_NULL), family
        turning = "sliding_attention" if family in known.ONLY_SLIDING else "full_attention"
        turning = "chunked_attention" if family in known.CHUNK else turning
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                ropelib.from_config({**SIZES, "model_type": family, "rope_theta": None}, layer_type=turning)
            except ValueError as refused:
                assert not still or "does not rotate" in str(refused), family
                continue
        told = any("is null" in str(each.message) for each in told)
        for embedding in rotary_classes(of):
            try:
                config = config_class(**SIZES, rope_theta=None)
            except Exception:  # of any kind: null is refused, or these sizes are
                continue
            try:
                embedding(config)
            except TypeError as failed:
                assert told or "NoneType" not in str(failed) or "pow" not in str(failed), family
            except Exception:  # of any kind: the embedding of another part
                continue


@FOLDERS
def test_whose_heads_are_divided_whatever_head_dim_says(folder, stem):
    """Two widths, and not one projection that differs: whether or not the rotary embedding reads the width."""
    of, divided = module(folder, stem), {}
    for model_class in text_models(of):
        family, given = names.family(model_class.config_class.model_type), {"hidden_size": 512, "num_attention_heads": 8}
        given |= {"num_key_value_heads": 8, "num_hidden_layers": 4} | GIVEN.get(model_class.config_class.model_type, {})
        try:
            one, two = (shapes(model_class, model_class.config_class(**given | {"head_dim": width})) for width in (64, 96))
        except Exception:  # of any kind: settings that this family refuses
            continue
        divided[family] = divided.get(family, True) and one == two
    for family, whether in divided.items():
        if names.layout(family) and family not in {*known.READ_BY["qk_rope_head_dim"], *known.UNSUPPORTED, *COMPOSED}:
            assert whether == (family in known.DIVIDED), family


@pytest.mark.parametrize("family", sorted(known.FIXED & {path.name for path in FOLDER.iterdir()}))
def test_whose_code_reads_no_base_and_no_block(family):
    for path in FOLDER.glob(f"{family}/*_{family}.py"):
        assert not re.search("rope_theta|rope_parameters|rope_scaling", path.read_text(encoding="utf-8"))


def test_a_base_that_stands_alone_in_a_model_without_words():
    of, family = module("nemotron3_5_transcribe", "modeling_nemotron3_5_transcribe"), "nemotron3_5_transcribe_asr_audio"
    (theirs,) = frequencies(of, dict(configs(of))[family], rope_theta=5e5).values()
    with pytest.warns(UserWarning, match="rope_theta=500000.0 is passed over"):
        ours = ropelib.from_config({**SIZES, "model_type": family, "rope_theta": 5e5})
    np.testing.assert_allclose(ours.inv_freq, theirs, rtol=1e-6)


@FOLDERS
def test_sizes_and_lengths_that_a_text_part_leaves_to_its_family(folder, stem):
    for family, config_class in configs(module(folder, stem)):
        fields = getattr(config_class, "__dataclass_fields__", {})
        if "original_max_position_embeddings" in fields:
            assert known.ORIGINAL[family] == fields["original_max_position_embeddings"].default
        elif family in known.ORIGINAL:
            assert folder not in known.ORIGINAL
        try:
            full = as_published(config_class())
        except Exception:  # of any kind: its defaults make no config
            continue
        sizes = full.get("hidden_size"), full.get("num_attention_heads")
        if family in known.SIZES and sizes != (None, None):
            assert sizes == known.SIZES[family], family


def vision_configs():
    """Configs of parts that turn by rows and columns, each with the name of the model that it is a part of."""
    for path in sorted(FOLDER.glob("*/configuration_*.py")):
        if 'default_rope_type = "axial"' in path.read_text(encoding="utf-8"):
            for each in own_classes(module(path.parent.name, path.stem)):
                if getattr(each, "default_rope_type", "") == "axial":
                    yield path.parent.name, each


def test_a_part_that_sees_is_refused_under_its_models_name():
    """As its first files name it: transformers mends them by hand, ropelib tells them by their keys."""
    swept = set()
    for folder, each in vision_configs():
        if names.layout(folder):
            swept.add(folder)
            with pytest.raises(ValueError, match=r"a part that sees|with a supported rotation"):
                ropelib.from_config(as_published(each()) | {"model_type": folder})
    assert swept >= {"qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5", "qwen3_5_moe", "paddleocr_vl"}


def readers(pattern):
    """Folders whose modeling code holds a word."""
    files = sorted(FOLDER.glob("*/modeling_*.py"))
    return {path.parent.name for path in files if re.search(pattern, path.read_text(encoding="utf-8"))}


def test_whose_code_is_not_in_transformers():
    files = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*/configuration_*.py"))
    theirs = {names.family(name) for name in re.findall(r'model_type\s*(?::\s*\w+\s*)?=\s*"([\w-]+)"', files)}
    assert known.ROTATING - theirs == known.PUBLISHERS


@FOLDERS
def test_whose_code_takes_a_block_for_each_type_of_layer(folder, stem):
    of = module(folder, stem)
    takes = any("layer_type" in inspect.getsource(each) for each in rotary_classes(of))
    for family, _ in configs(of):
        assert takes <= (family in known.BY_BLOCKS), family


def test_whose_code_has_no_window():
    with_one, without, by_type = set(), set(), set()
    for path in sorted(FOLDER.glob("*/modeling_*.py")):
        code, found = path.read_text(encoding="utf-8"), set[str]()
        for each in path.parent.glob("configuration_*.py"):
            types = re.findall(r'model_type\s*(?::\s*\w+\s*)?=\s*"([\w-]+)"', each.read_text(encoding="utf-8"))
            found |= {names.family(name) for name in types if names.layout(names.family(name))}
        (with_one if re.search("sliding_window|local_attention", code) else without).update(found)
        by_type |= found if "layer_types" in code else set()
    assert without - with_one == known.WINDOWLESS
    assert known.ALL_SLIDE & by_type == known.BY_TYPE_SLIDE


def test_keys_that_few_families_read():
    assert readers("short_mscale") == known.MSCALE_SIDES
    assert readers(r"\.rope_interleave\b") <= known.LAYOUT_SAID
    assert readers("rope_interleaved") == set()
