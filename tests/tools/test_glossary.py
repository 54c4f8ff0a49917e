"""The glossary says of each term in which chapter it is first seen, and both languages agree."""

import re

import pytest

from tools import glossary

SEEN = glossary.first_seen()


def entries(language):
    return list(glossary.ENTRY.finditer((glossary.CHAPTERS / language / "glossary.md").read_text("utf-8")))


def test_every_term_stands_in_some_chapter():
    assert [term for term, slug in SEEN.items() if slug is None] == []


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_the_chapters_are_those_that_the_text_shows(language):
    path = glossary.CHAPTERS / language / "glossary.md"
    assert path.read_text("utf-8") == glossary.written(language, SEEN), "run: python -m tools.glossary"


def test_both_languages_have_the_same_terms_in_the_same_order():
    chinese = [(entry["term"], entry["body"].split("　")[0]) for entry in entries("zh-Hant")]
    english = [(entry["body"].split("　")[0], entry["term"]) for entry in entries("en")]
    plain = [[re.sub(r"\s*[(（].*", "", word) for word in pair] for pair in (*chinese, *english)]
    assert plain[: len(chinese)] == plain[len(chinese) :]


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_no_term_has_two_entries(language):
    terms = [entry["term"] for entry in entries(language)]
    assert sorted(terms) == sorted(set(terms))
    assert len(terms) == len(SEEN) > 80
