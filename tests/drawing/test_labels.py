"""A label has both languages, or it is an error in either."""

import json
import re
from pathlib import Path

import pytest

from ropelib import labels
from ropelib.labels import WORDS, t

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("language", "word"), [("en", "position 3"), ("zh-Hant", "位置 3")])
def test_a_label_speaks_the_chosen_language(language, word):
    labels.use(language)
    assert t("position {m}", m=3) == word


@pytest.mark.parametrize("language", labels.LANGUAGES)
def test_a_missing_label_is_an_error_in_either_language(language):
    labels.use(language)
    with pytest.raises(ValueError, match="text: got 'no such words'"):
        t("no such words")


@pytest.mark.parametrize("language", ["zh", "zh-Hans", "", None])
def test_an_unknown_language_is_refused_and_changes_nothing(language):
    with pytest.raises(ValueError, match=r"language: got .* expected one of 'zh-Hant', 'en'"):
        labels.use(language)
    assert t("score") == "score"


def test_both_languages_fill_the_same_places():
    def places(s):
        return sorted(re.findall(r"\{(\w+)(?::[^}]*)?\}", re.sub(r"\$[^$]*\$", "", s)))

    assert [k for k, v in WORDS.items() if places(k) != places(v)] == []


def test_every_label_is_used():
    code = "".join(p.read_text("utf8") for p in (ROOT / "ropelib").glob("*.py") if p.name != "labels.py")
    code += (ROOT / "ropelib" / "labels.py").read_text("utf8").partition("\n}\n")[2]
    for path in (ROOT / "chapters" / "en").glob("*.ipynb"):
        code += "\n".join("".join(c["source"]) for c in json.loads(path.read_text("utf8"))["cells"] if c["cell_type"] == "code")
    quoted = code.replace('\\"', '"').replace("\\\\", "\\")
    assert [k for k in WORDS if k not in quoted] == []


def test_no_label_stands_twice():
    """In a dict the later one would win without a word."""
    import ast

    tree = ast.parse((ROOT / "ropelib" / "labels.py").read_text("utf8"))
    words = next(n for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "WORDS").value
    keys = [k.value for k in words.keys]
    assert sorted({k for k in keys if keys.count(k) > 1}) == []
