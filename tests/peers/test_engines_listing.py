"""Chapter 19's wrappers for engines: the page shows the file, its lines run, and the hook saves what diagnose needs."""

import importlib
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch

from ropelib import check_rope, diagnose

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "listings"
CONFIG = {"hidden_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32, "num_hidden_layers": 1,
          "intermediate_size": 64, "vocab_size": 50, "max_position_embeddings": 2048,
          "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}  # fmt: skip


class Flat(torch.nn.Module):
    """As vLLM's: rows of heads side by side, a table by position, q and k written over."""

    def __init__(self, late=0, base=1e4, dtype=torch.float32):
        super().__init__()
        angles = (torch.arange(2048) + late)[:, None] * base ** (-torch.arange(16) / 16)
        table = torch.cat([angles.cos(), angles.sin()], -1)
        self.register_buffer("cos_sin_cache", table.to(dtype).float())

    def forward(self, positions, query, key=None):
        cos, sin = self.cos_sin_cache.index_select(0, positions)[:, None].chunk(2, -1)
        for x in (query, key):
            heads = x.view(len(positions), -1, 32)
            a, b = heads.chunk(2, -1)
            heads.copy_(torch.cat([a * cos - b * sin, a * sin + b * cos], -1))
        return query, key


@pytest.fixture
def engines(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("ask_engines")


def blocks(language, cell="engines"):
    book = nbformat.read(ROOT / "chapters" / language / "19-visit-the-debug-clinic.ipynb", as_version=4)
    source = next(c.source for c in book.cells if c.id == cell)
    return re.findall(r"^```python\n(.*?)^```$", source, re.M | re.S)


def test_the_page_shows_the_file_and_both_languages_use_it_alike():
    shown, use = blocks("en")
    assert shown == (FOLDER / "ask_engines.py").read_text("utf-8")
    assert blocks("zh-Hant") == [shown, use]


def test_the_lines_on_the_page_run(engines, tmp_path, monkeypatch):
    transformers = importlib.import_module("transformers")
    monkeypatch.chdir(tmp_path)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**CONFIG)).eval()
    names = {"model": model, "rotary": Flat(), "check_rope": check_rope}
    said = []
    exec(blocks("en")[1].replace("print(", "said.append("), names | {"said": said})
    assert len(said) == 2 and all(report.ok for report in said), said
    assert said[0].sentence == said[1].sentence and said[0]["base"].value == 1e4
    with torch.no_grad():
        model(torch.arange(40)[None])
    report = diagnose(np.load("before.npy"), np.load("after.npy"))
    assert report["layout"].value == "half" and report["base"].value == 1e4 and report["offset"].value == 0


def test_layers_that_differ_are_asked_by_their_kind(engines):
    gemma = importlib.import_module("transformers.models.gemma3.modeling_gemma3")
    kinds = ["sliding_attention", "full_attention"]
    turns = {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
             "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}  # fmt: skip
    config = gemma.Gemma3TextConfig(**CONFIG | {"num_hidden_layers": 2, "layer_types": kinds, "rope_parameters": turns})
    how = {"takes": "q k positions", "heads": 4, "kv_heads": 2, "expected": config.to_dict()}
    for kind in kinds:
        code = engines.transformers(gemma.Gemma3RotaryEmbedding(config), gemma.apply_rotary_pos_emb, kind)
        assert check_rope(code, layer_type=kind, **how).ok
        other = check_rope(code, layer_type=next(each for each in kinds if each != kind), **how)
        assert other.sentence.startswith("frequencies: expected")


def test_what_is_wrong_is_named_in_either_form(engines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    how = {"takes": "q k positions", "axes": "shd", "head_dim": 32, "heads": 4, "kv_heads": 2, "expected": CONFIG}
    assert check_rope(engines.vllm(Flat(late=1)), **how).sentence.startswith("offset: expected 0, got 1")
    rotary = Flat(late=1)
    engines.save_next(rotary, "forward", q=1, head_dim=32)
    for _ in range(2):  # the second call is not saved
        rotary(torch.arange(40), torch.randn(40, 128), torch.randn(40, 64))
    report = diagnose(np.load("before.npy"), np.load("after.npy"))
    assert np.load("before.npy").shape == (4, 40, 32) and report["offset"].value == 1 and report["offset"].sure


def test_a_finished_table_in_bfloat16_says_so_and_hides_no_other_fault(engines):
    how = {"takes": "q k positions", "axes": "shd", "head_dim": 32, "heads": 4, "kv_heads": 2, "expected": CONFIG}
    report = check_rope(engines.vllm(Flat(dtype=torch.bfloat16)), **how)
    assert report.sentence.startswith("arithmetic: expected float32 or better, got bfloat16 tables")
    assert str(report).count("\ndiffers ") == 1 and str(report).count("\nfails ") == 2
    for wrong, said in ((Flat(base=5e5, dtype=torch.bfloat16), "frequencies:"), (Flat(late=1, dtype=torch.bfloat16), "offset:")):
        assert check_rope(engines.vllm(wrong), **how).sentence.startswith(said)


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_curve_and_the_steps_run_on_a_model_of_transformers(language, monkeypatch):
    transformers = importlib.import_module("transformers")
    torch.manual_seed(19)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**CONFIG)).eval()
    ids = torch.randint(50, (3, 40))
    names = {"model": model, "torch": torch, "ids": ids}
    exec(blocks(language, "curve-real")[0], names)
    exec(blocks(language, "protocol")[0], names)
    assert not names["curve"].requires_grad and not names["whole"].requires_grad
    with torch.no_grad():
        assert names["curve"].shape == (39,)
        torch.testing.assert_close(names["curve"].mean(), model(ids, labels=ids).loss)
        assert names["off"].shape == (40,) and names["off"].max() < 1e-4
        whole = model(ids).logits
        torch.testing.assert_close(names["in_steps"](ids, size=16), whole, atol=1e-4, rtol=0)
        turn = model.model.rotary_emb.forward
        from_zero = lambda x, position_ids: turn(x, position_ids - position_ids[:, :1])  # noqa: E731
        monkeypatch.setattr(model.model.rotary_emb, "forward", from_zero)
        off = (names["in_steps"](ids, size=16) - whole).abs().amax((0, 2))
        assert off[:16].max() < 1e-4 < off[16:].min()
