"""The ledger of published claims: every verdict is run or cited, every run can fail, every link leads somewhere."""

import re
import tomllib

import numpy as np
import pytest
import rules
from rules import LANGUAGES, ROOT

import ropelib

BOOK = tomllib.loads((ROOT / "chapters" / "claims.toml").read_text("utf-8"))
CLAIMS = BOOK["claim"]
KEYS = set(re.findall(r"^@\w+\{([\w-]+)", (ROOT / "references.bib").read_text("utf-8"), re.M))
RUN = [c for c in CLAIMS if "run" in c]
VERDICTS = {"holds", "condition", "precision", "contradicted"}


def test_there_are_forty_at_least_and_of_every_verdict():
    assert len(CLAIMS) >= 40
    assert {c["verdict"] for c in CLAIMS} == VERDICTS
    assert len({c["id"] for c in CLAIMS}) == len(CLAIMS)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c["id"])
def test_a_claim_is_whole(claim):
    assert {"id", "topic", "en", "zh", "verdict", "why_en", "why_zh"} <= set(claim)
    assert claim["topic"] in {t["id"] for t in BOOK["topic"]}
    assert sum(k in claim for k in ("cite", "url", "article")) == 1, "one source"
    assert ("url" in claim) == ("name" in claim)
    assert sum(k in claim for k in ("run", "by")) == 1, "decided by a run, or by somebody's work"
    assert {claim.get("cite"), claim.get("by")} - {None} <= KEYS
    assert claim.get("url", "https://").startswith("https://")
    for stem in claim.get("chapters", ()):
        for language in LANGUAGES:
            assert (ROOT / "chapters" / language / f"{stem}.ipynb").exists(), f"{stem} is no chapter"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c["id"])
def test_a_claims_chinese_is_taiwans(claim):
    for key in ("zh", "why_zh"):
        assert [*rules.chinese_words(claim[key]), *rules.chinese_typing(claim[key])] == []


def run(code):
    exec(compile(code, "<claim>", "exec"), {"np": np, "ropelib": ropelib})


@pytest.mark.parametrize("claim", RUN, ids=lambda c: c["id"])
def test_a_verdict_is_what_its_run_decides(claim):
    run(claim["run"])


@pytest.mark.parametrize("claim", RUN, ids=lambda c: c["id"])
def test_a_run_can_fail(claim):
    old, new = claim["slip"]
    assert claim["run"].count(old) == 1, f"{old!r} stands {claim['run'].count(old)} times"
    with pytest.raises(AssertionError):
        run(claim["run"].replace(old, new))
