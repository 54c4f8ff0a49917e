"""No two works are cited alike: the style writes names and year, and adds no letter of its own."""

import re
from collections import Counter
from pathlib import Path

BIB = (Path(__file__).parents[2] / "references.bib").read_text("utf-8")


def cited(authors):
    """The names as the style shortens them."""
    names = [name.split(",")[0] for name in authors.split(" and ")]
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."


def test_no_two_works_are_cited_alike():
    works = re.findall(r"^@\w+\{[\w-]+, author = \{(.*?)\}, title = .*?year = \{(\w+)\}", BIB, re.M)
    assert len(works) == BIB.count("\n@") + 1
    assert [label for label, times in Counter((cited(a), year) for a, year in works).items() if times > 1] == []
