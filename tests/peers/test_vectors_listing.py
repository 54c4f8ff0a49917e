"""Chapter 19's PyTorch reader of the test vectors: the page shows the file, right code passes, and faults are named."""

import importlib
import re
from pathlib import Path

import nbformat
import pytest
import torch

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "listings"
VECTORS = ROOT / "ropelib" / "conformance" / "vectors.json"


@pytest.fixture
def listing(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("vectors_torch")


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_page_shows_the_file(language):
    book = nbformat.read(ROOT / "chapters" / language / "19-visit-the-debug-clinic.ipynb", as_version=4)
    source = next(c.source for c in book.cells if c.id == "listing")
    assert re.findall(r"^```python\n(.*?)^```$", source, re.M | re.S) == [(FOLDER / "vectors_torch.py").read_text("utf-8")]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_right_code_passes_in_every_format(listing, dtype):
    assert listing.missed(VECTORS, dtype=dtype) == {}


def test_faults_are_named(listing):
    def from_one(x, positions, rope):
        return listing.turn(x, positions + 1, rope)

    def one_layout(x, positions, rope):
        return listing.turn(x, positions, rope | {"layout": "half"})

    assert len(listing.missed(VECTORS, from_one)) > 50
    wrong = listing.missed(VECTORS, one_layout)
    assert "R06 GPT-J 6B" in wrong and "Llama 2 7B" not in wrong
