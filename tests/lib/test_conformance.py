"""The test vectors: well formed, made without ropelib, and what ropelib gives; a failure ends in the doctor's sentence."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import ropelib
from ropelib import from_config
from ropelib.conformance import assert_matches, vectors

HERE = Path(__file__).parents[2]
FILES = HERE / "ropelib" / "conformance"
CASES = {case.id: case for case in vectors()}
TURNS = [case for case in CASES.values() if case.kind == "rotation"]


def read(case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return from_config(case.config, **case.read)


def test_file_is_as_its_schema_says():
    schema = json.loads((FILES / "vectors.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads((FILES / "vectors.json").read_text("utf-8")), schema)


def test_command_makes_the_file_that_is_stored():
    before = (FILES / "vectors.json").read_bytes()
    subprocess.run([sys.executable, "-m", "tools.vectors"], cwd=HERE, check=True, capture_output=True)
    assert (FILES / "vectors.json").read_bytes() == before
    imports = [
        line for line in (HERE / "tools" / "vectors.py").read_text("utf-8").splitlines() if line.startswith(("import", "from"))
    ]
    assert imports and not any("ropelib" in line for line in imports)


def test_vectors_reach_everything_that_a_rotation_can_be():
    ropes = [case.rope for case in TURNS]
    assert len(CASES) >= 150
    assert {rope.layout for rope in ropes} == {"half", "interleaved"}
    assert {rope.direction for rope in ropes} == {1, -1}
    assert {case.method for case in TURNS} >= set("default linear ntk dynamic yarn longrope llama3 proportional".split())
    starts = {(rope.rotary_start > 0, rope.rotary_dim < rope.head_dim) for rope in ropes if rope.rotary_dim}
    assert starts == {(False, False), (False, True), (True, True)}
    assert any(rope.rotary_dim == 0 for rope in ropes) and any(rope.axes is not None for rope in ropes)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_rope_gives_the_vectors(dtype):
    assert_matches(lambda case, x: case.rope.rotate(x, case.positions), dtype=dtype)


@pytest.mark.parametrize("case", [case for case in TURNS if case.config], ids=lambda case: case.id)
def test_from_config_reads_the_settings(case):
    rope, want = read(case), case.rope
    if want.rotary_dim and rope.rotary_dim:
        np.testing.assert_allclose(rope.inv_freq, want.inv_freq, rtol=1e-13, atol=0)
    assert (rope.rotary_dim, rope.head_dim) == (want.rotary_dim, want.head_dim)
    if want.rotary_dim:
        assert (rope.layout, rope.rotary_start, rope.direction) == (want.layout, want.rotary_start, want.direction)
        np.testing.assert_allclose(rope.attention_factor, want.attention_factor, rtol=1e-14)
        assert (rope.axes is None) == (want.axes is None)
        assert want.axes is None or rope.axes.tolist() == want.axes.tolist()
    assert_matches(lambda case, x: rope.rotate(x, case.positions), [case], dtype="float64")


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.kind == "query_factor"], ids=lambda case: case.id)
def test_query_factors(case):
    np.testing.assert_allclose(read(case).query_factor(case.positions), case.output, rtol=0, atol=case.bound["float64"])


MAKES = {"rerope": ropelib.rerope_map, "self_extend": ropelib.self_extend_map, "dual_chunk": ropelib.dual_chunk_map}


@pytest.mark.parametrize("case", vectors("map"), ids=lambda case: case.id)
def test_maps_of_relative_position(case):
    settings = dict(case.map)
    passes = MAKES[case.method](settings.pop("queries"), settings.pop("keys"), **settings)
    np.testing.assert_allclose(ropelib.relative_positions(passes), case.distances, rtol=0, atol=1e-12)
    _, weights = ropelib.attend_mapped(case.input, case.keys, np.eye(len(case.keys)), case.rope, passes, scale=0.25)
    scores = np.where(np.isnan(case.output), -np.inf, 0.25 * case.output)
    np.testing.assert_allclose(weights, ropelib.softmax(scores), rtol=0, atol=case.bound["float64"])
    seen = ~np.isnan(case.distances)
    turned = [
        case.rope.rotate(np.repeat(q[None], len(r), 0), np.nan_to_num(r)) for q, r in zip(case.input, case.distances, strict=True)
    ]
    factor = case.rope.attention_factor  # once in `turned`, and once more on the keys
    met = np.array([factor * (q * case.keys).sum(-1) for q in turned])
    assert np.abs(met - case.output)[seen].max() <= case.bound["float64"]


def test_maps_are_told_apart_by_the_vectors():
    """What the chapter says of them stands in the file: grouped positions, no order kept, the nearest alike."""
    by_id = {case.id: case.distances for case in vectors("map")}
    grouped, chunked = by_id["SelfExtend, queries 20 and 21"], by_id["Dual Chunk, query 30"][0, ::-1]
    assert (grouped[0, 11], grouped[1, 12]) == (7, 6)
    assert chunked[:8].tolist() == [0, 1, 2, 3, 4, 5, 6, 4] and chunked.max() == 11
    assert by_id["Dual Chunk, 6 counts as 8"][0, 3] == 8
    assert {case.method for case in vectors("map")} == set(MAKES)


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.kind == "refused"], ids=lambda case: case.id)
def test_settings_that_are_no_rotation_are_refused(case):
    with pytest.raises(ValueError):
        read(case)


def test_a_failure_ends_in_the_doctors_sentence():
    def wrong(case, x):
        return case.rope.rotate(x, case.positions + 1)

    with pytest.raises(AssertionError) as caught:
        assert_matches(wrong, [CASES["R01 1 2 3 4, half"], CASES["base 10000, half"]])
    message = str(caught.value)
    assert message.startswith("2 of 2 cases") and "offset: expected 0, got 1" in message.splitlines()[-1]


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="kind must be one of"):
        vectors("rotations")
    with pytest.raises(TypeError, match="fn must be callable"):
        assert_matches(3)
    with pytest.raises(ValueError, match="cases must be test vectors"):
        assert_matches(lambda case, x: x, [])
    with pytest.raises(ValueError, match="dtype must be one of"):
        assert_matches(lambda case, x: x, TURNS, dtype="int32")
    with pytest.raises(AssertionError, match="raises ZeroDivisionError"):
        assert_matches(lambda case, x: 1 / 0, TURNS[:1])
    with pytest.raises(AssertionError, match="has shape"):
        assert_matches(lambda case, x: x[:, :1], TURNS[:1])


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_short_test_on_the_page_passes_right_code(language):
    """Pasted as printed, with a rotation of neighbours half a head apart, and nothing of ropelib in it."""

    def my_rotate(x, positions, inv_freq):
        half = len(inv_freq)
        angle = np.multiply.outer(np.asarray(positions, float), inv_freq)
        a, b = x[..., :half], x[..., half : 2 * half]
        turned = [a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]
        return np.concatenate([*turned, x[..., 2 * half :]], axis=-1)

    page = (HERE / "chapters" / language / "vectors.md").read_text("utf-8")
    code = page[page.rindex("```python", 0, page.index("assert_matches(mine")) + 9 :]
    names = {"my_rotate": my_rotate}
    exec(code[: code.index("```")], names)
    names["test_mine"]()
    names["my_rotate"] = lambda x, positions, inv_freq: my_rotate(x, np.asarray(positions) + 1, inv_freq)
    with pytest.raises(AssertionError):
        names["test_mine"]()
