"""A label has both languages, or it is an error in either."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from ropelib.book import labels
from ropelib.book.labels import WORDS, t

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


def test_every_label_is_used_where_it_stands():
    """A chapter's file holds the words of that chapter alone; `shared` those of several, `checks` the library's own."""
    code = {path.stem: "" for path in labels.FOLDER.glob("*.toml")}
    for path in (ROOT / "chapters" / "en").glob("*.ipynb"):
        cells = json.loads(path.read_text("utf8"))["cells"]
        chapter = path.stem[:2] if path.stem[0].isdigit() else path.stem
        code[chapter] = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    everything = "\n".join(code.values())
    library = "\n".join(p.read_text("utf8") for p in (ROOT / "ropelib" / "book").rglob("*.py"))
    unused = []
    for path in labels.FOLDER.glob("*.toml"):
        where = library + (everything if path.stem in ("shared", "checks") else code[path.stem])
        where = where.replace('\\"', '"').replace("\\\\", "\\")
        unused += [f"{path.name}: {label}" for label in tomllib.loads(path.read_text("utf8")) if label not in where]
    assert unused == []


def test_one_label_has_one_word(tmp_path):
    (tmp_path / "a.toml").write_text('"dog" = "狗"\n"man" = "人"\n', "utf8")
    (tmp_path / "b.toml").write_text('"dog" = "狗"\n', "utf8")
    assert labels.gather(tmp_path) == {"dog": "狗", "man": "人"}
    (tmp_path / "b.toml").write_text('"dog" = "犬"\n', "utf8")
    with pytest.raises(ValueError, match=r"b\.toml: 'dog' is '犬', but '狗' in a\.toml"):
        labels.gather(tmp_path)
