"""python -m ropelib: text, JSON and exit codes; cards of models whose layers differ."""

import json
import subprocess
import sys

import numpy as np
import pytest

import ropelib
from ropelib.__main__ import main
from ropelib.book.published import MODELS
from ropelib.config.cards import Card, cards, differences

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "rope_theta": 5e5,
    "max_position_embeddings": 8192,
}
GEMMA = {"model_type": "gemma3_text", "head_dim": 256, "num_hidden_layers": 12, "rope_theta": 1e6,
         "rope_local_base_freq": 10000.0, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}  # fmt: skip
SMOLLM = {"model_type": "smollm3", "head_dim": 128, "rope_theta": 5e6, "num_hidden_layers": 8}


@pytest.fixture
def config(tmp_path):
    def written(name, value):
        path = tmp_path / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    return written


def test_card_of_a_plain_model(config, capsys):
    assert main(["card", config("a.json", LLAMA)]) == 0
    text = capsys.readouterr().out
    assert "all layers: layout half, 128 of 128 channels" in text and "base 500,000, scaling none" in text
    turns = (2 * np.pi / ropelib.inverse_frequencies(128, 5e5) > 8192).sum()
    assert f"{turns} of 64 pairs make no full turn in 8,192 positions" in text
    assert "cache: 4,096 bytes a token a layer" in text  # 2 (k, v) * 8 heads * 128 channels * 2 bytes


def test_card_by_layer_type():
    made, _ = cards(GEMMA)
    by_name = {card.layers.split(" (")[0]: card for card in made}
    assert {*by_name} == {"sliding_attention", "full_attention"} or len(made) == 2
    assert sorted(card.base for card in made) == [1e4, 1e6]
    assert [card.scaling for card in sorted(made, key=lambda card: card.base)] == ["none", "linear by 8"]
    still = [card for card in cards(SMOLLM)[0] if not card.inv_freq]
    assert len(still) == 1 and "does not rotate" in still[0].lines()[0] and "3, 7" in still[0].layers


def test_card_of_latent_attention_and_of_axes():
    latent = {
        "model_type": "deepseek_v3",
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "kv_lora_rank": 512,
        "rope_theta": 10000.0,
    }
    (card,), _ = cards(latent)
    assert card.cache_bytes == 2 * 576 and card.channels == "64 of 192 channels, from 128"
    qwen = {
        "model_type": "qwen2_vl",
        "head_dim": 128,
        "rope_theta": 1e6,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
    }
    (card,), _ = cards(qwen)
    assert any("16 on axis 0 (time), 24 on axis 1 (height), 24 on axis 2 (width); in blocks" in line for line in card.lines())


def test_warnings_are_on_the_card(config, capsys):
    assert main(["card", config("a.json", {"head_dim": 64}), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["cards"][0]["head_dim"] == 64 and "10000" in made["warnings"][0]


JSON_TYPES = {"layers": str, "indices": list, "rotates": bool, "layout": str, "head_dim": int, "rotary_dim": int}
JSON_TYPES |= {"rotary_start": int, "still_pairs": int, "direction": int, "base": float, "scaling": dict, "axes": list}
JSON_TYPES |= {"inv_freq": list, "longest_wavelength": float, "context": int, "pairs_without_a_turn": int}
JSON_TYPES |= {"attention_factor_in_context": float}
JSON_TYPES |= {"attention_factor": float, "softmax_factor": float, "scales_queries": bool, "last_query_factor": float}
JSON_TYPES |= {"cache_bytes": int, "no_cache_bytes": str, "window": int, "window_both_sides": bool, "window_of_family": bool}
JSON_TYPES |= {"rotates_values": bool, "indexer": dict}
NEVER_NULL = {"layers", "rotates", "layout", "head_dim", "rotary_dim", "rotary_start", "still_pairs", "direction", "inv_freq"}
NEVER_NULL |= {"attention_factor_in_context"}
NEVER_NULL |= {"attention_factor", "softmax_factor", "scales_queries", "window_both_sides", "window_of_family", "rotates_values"}


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_of_a_card(name, config, capsys):
    """Schema 1: programs stand on these keys and types. One that goes or changes raises ropelib.config.cards.SCHEMA."""
    main(["card", config("a.json", MODELS[name].config), "--json"])
    made = json.loads(capsys.readouterr().out)
    assert {*made} == {"schema", "cards", "warnings"} and made["schema"] == 1
    for card in made["cards"]:
        assert {*card} == {*JSON_TYPES}
        for key, value in card.items():
            assert type(value) is JSON_TYPES[key] if value is not None else key not in NEVER_NULL, (key, value)


def test_every_key_of_the_schema_is_documented():
    assert not [key for key in JSON_TYPES if f'"{key}"' not in Card.to_dict.__doc__]


def test_the_numbers_of_a_card(config, capsys):
    gpt = {"model_type": "gpt_oss", "num_hidden_layers": 3, "num_key_value_heads": 8, "max_position_embeddings": 131_072}
    main(["card", config("a.json", gpt), "--json"])
    sliding, full = json.loads(capsys.readouterr().out)["cards"]
    assert (sliding["layers"], sliding["indices"], full["layers"], full["indices"]) == (
        "sliding_attention", [0, 2], "full_attention", [1]
    )  # fmt: skip
    assert (sliding["window"], sliding["window_of_family"], full["window"]) == (128, True, None)
    assert full["scaling"] == {
        "type": "yarn", "factor": 32.0, "original_length": 4096, "by_length": False, "in_steps": False, "of_family": True
    }  # fmt: skip
    assert full["attention_factor"] == pytest.approx(0.1 * np.log(32) + 1)
    assert (full["rotary_dim"], full["cache_bytes"]) == (64, 2 * 2 * 8 * 64)
    latent = MODELS["DeepSeek-V3.2-Exp"].config
    main(["card", config("b.json", latent), "--json"])
    (card,) = json.loads(capsys.readouterr().out)["cards"]
    assert (card["rotary_dim"], card["head_dim"], card["rotary_start"], card["softmax_factor"]) == (
        64, 192, 128, pytest.approx((0.1 * np.log(40) + 1) ** 2)
    )  # fmt: skip
    assert card["indexer"] == {"layout": "half", "head_dim": 128, "rotary_dim": 64, "rotary_start": 0}


def test_a_file_with_a_mark_of_byte_order(tmp_path, capsys):
    path = tmp_path / "windows.json"
    path.write_text(json.dumps(LLAMA), "utf-8-sig")
    assert main(["card", str(path)]) == 0
    assert main(["card", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err == f"ropelib: {tmp_path / 'none.json'} is not there\n"


def test_diff(config, capsys):
    other = LLAMA | {"rope_theta": 1e6}
    assert main(["diff", config("a.json", LLAMA), config("b.json", LLAMA)]) == 0
    assert capsys.readouterr().out == "both turn alike\n"
    assert main(["diff", config("a.json", LLAMA), config("b.json", other)]) == 1
    assert "base: 500,000 against 1,000,000" in capsys.readouterr().out
    assert differences(LLAMA, LLAMA | {"layout": "interleaved"}) == ["all layers: layout: half against interleaved"]


def test_diagnose(tmp_path, capsys):
    x = np.random.default_rng(0).normal(size=(64, 16))
    y = ropelib.Rope(ropelib.inverse_frequencies(16, 500.0)).rotate(x, np.arange(64) + 1)
    paths = [str(tmp_path / name) for name in ("x.npy", "y.npy")]
    np.save(paths[0], x)
    np.save(paths[1], y)
    assert main(["diagnose", *paths, "--json"]) in (0, 1)
    told = json.loads(capsys.readouterr().out)["findings"]
    assert told["offset"]["value"] == 1 and told["offset"]["sure"] and told["base"]["value"] == 500
    assert main(["diagnose", *paths]) in (0, 1)
    assert "certain  layout        half" in capsys.readouterr().out


TURNS = """
import numpy as np

def mine(x, positions, start=0):
    angle = (positions[:, None] + start) * 5e5 ** (-np.arange(64) / 64)
    a, b = x[..., :64], x[..., 64:]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], -1).astype(x.dtype)

def late(x, positions):
    return mine(x, positions, 1)

class model:
    def bshd(q, k):
        return tuple(mine(x.swapaxes(1, 2), np.arange(x.shape[1])).swapaxes(1, 2) for x in (q, k))
"""


def test_check(config, tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "turns_of_test.py").write_text(TURNS)
    path = config("a.json", LLAMA)
    assert main(["check", "turns_of_test:mine", path, "--takes", "x positions"]) == 0
    assert "layout half, 128 channels rotate" in capsys.readouterr().out
    assert main(["check", "turns_of_test:late", path, "--takes", "x positions", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sentence"].startswith("offset: expected 0, got 1")
    grouped = ["--takes", "q k", "--axes", "bshd", "--heads", "4", "--kv-heads", "2"]
    assert main(["check", "turns_of_test:model.bshd", path, *grouped]) == 0
    assert main(["check", "turns_of_test:mine", config("s.json", SMOLLM), "--takes", "x positions", "--layer", "0"]) == 1
    assert "base 500000" in capsys.readouterr().out
    for missing in ("turns_of_test", "turns_of_test:nothing", "no_such_module:f", ":f"):
        assert main(["check", missing, path]) == 2
        assert "must be module:function" in capsys.readouterr().err


def test_what_cannot_be_read_is_said_and_exits_with_2(config, tmp_path, capsys):
    bad = config("bad.json", "{")
    for arguments in (
        ["card", bad],
        ["card", str(tmp_path / "none.json")],
        ["card", config("g.json", {"model_type": "gpt2", "n_embd": 768, "n_head": 12})],
        ["diagnose", bad, bad],
    ):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("ropelib: ")


def test_the_module_runs(config):
    done = subprocess.run([sys.executable, "-m", "ropelib", "card", config("a.json", LLAMA)], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("all layers")


def test_the_command_says_its_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0 and capsys.readouterr().out == f"ropelib {ropelib.__version__}\n"


LONG_LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 4096}
PHI = {"model_type": "phi3", "hidden_size": 128, "num_attention_heads": 1, "max_position_embeddings": 8192, "rope_theta": 1e4,
       "original_max_position_embeddings": 4096}  # fmt: skip


@pytest.mark.parametrize(
    ("common", "key", "one", "two", "said"),
    [
        (LONG_LLAMA, "rope_scaling", {"type": "dynamic", "factor": 2.0}, {"type": "dynamic", "factor": 4.0}, "at length 8,192"),
        (PHI, "rope_scaling", {"type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64},
         {"type": "longrope", "short_factor": [1.0] * 64, "long_factor": [9.0] * 64}, "pair 0: 0.5 against 0.111"),
    ],
)  # fmt: skip
def test_two_that_part_at_some_length_only_do_not_turn_alike(common, key, one, two, said):
    from ropelib.config.cards import differences

    found = differences({**common, key: one}, {**common, key: two})
    assert any(said in line for line in found), found
    assert differences({**common, key: one}, {**common, key: one}) == []
