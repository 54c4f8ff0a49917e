"""The chapter in which each term of the glossary is first seen, found in the text.

    python -m tools.glossary        # writes it into both glossaries

A Chinese term is looked for, since it is seldom part of another word. Text and captions count, lists of further reading
do not.
"""

import json
import re
import sys
from pathlib import Path

CHAPTERS = Path(__file__).parents[1] / "chapters"
# What the text writes where the glossary has a longer name, or a name with an everyday sense
FORMS = {
    "多頭注意力": "**頭**",
    "偏置": "**偏置**（bias",
    "狀態": "**狀態**",
    "頭": "**頭**",
    "層": "**層**",
    "值": "**值**",
    "提示": "提示，prompt",
    "交錯佈局": "**交錯**",
    "對半佈局": "對半",
    "多模態旋轉（M-RoPE）": "M-RoPE",
    "容許誤差": "容許的誤差",
}
ENTRY = re.compile(r"^(?P<term>[^\s(#`].*)\n  (?P<body>.*)\{doc\}`(?P<words>\D*)\d+(?P<rest>\D*)<[0-9a-z-]+>`", re.M)


def prose(path):
    """Text and captions of a notebook, without marks, addresses and further reading."""
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append("".join(cell["source"]))
        else:
            parts.append(cell["metadata"].get("mystnb", {}).get("figure", {}).get("caption", ""))
    text = re.sub(r"\n## 延伸閱讀.*", "", "\n".join(parts), flags=re.S)
    return re.sub(r"^%.*$|^\(sec-.*\)=$|\]\(\S*\)", "", text, flags=re.M)


def first_seen():
    """Each Chinese term of the glossary, with the slug of its chapter; None where no chapter has it."""
    texts = {path.stem: prose(path) for path in sorted((CHAPTERS / "zh-Hant").glob("[0-9][0-9]-*.ipynb"))}
    glossary = (CHAPTERS / "zh-Hant" / "glossary.md").read_text("utf-8")
    terms = [entry["term"] for entry in ENTRY.finditer(glossary)]
    return {term: next((slug for slug, text in texts.items() if FORMS.get(term, term) in text), None) for term in terms}


def written(language, seen):
    """The glossary of a language with the chapters of `seen`, in the order of its entries."""
    slugs = iter(seen.values())

    def entry(match):
        slug = next(slugs)
        return f"{match['term']}\n  {match['body']}{{doc}}`{match['words']}{int(slug[:2])}{match['rest']}<{slug}>`"

    return ENTRY.sub(entry, (CHAPTERS / language / "glossary.md").read_text("utf-8"))


def main():
    seen = first_seen()
    if missing := [term for term, slug in seen.items() if slug is None]:
        sys.exit(f"no chapter has {', '.join(missing)}: say in FORMS what the text writes")
    for language in ("zh-Hant", "en"):
        (CHAPTERS / language / "glossary.md").write_text(written(language, seen), "utf-8")


if __name__ == "__main__":
    main()
