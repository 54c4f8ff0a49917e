"""Notebooks to hand out: every chapter without its solutions.

    python -m tools.handout [CHAPTERS]      python -m tools.handout 03 09

They are written to _build/handout/<language>/. Questions, the cells for answers and the graders stay; a grader's source is
folded, but it holds the right answer: to keep that from students as well, ask for --no-graders.
"""

import re
import sys

import nbformat

from tools.pair import LANGUAGES, ROOT, kind

PLACE = ROOT / "_build" / "handout"
MARK = re.compile(r"^(`{3,}|:{3,})\{solution-(start|end)\}.*?^\1[ \t]*$\n?", re.M | re.S)


def without_solutions(book, graders=True):
    """A copy of a notebook without what stands between the marks of its solutions, and without solutions' code."""
    out, inside = nbformat.from_dict({**book, "cells": []}), False
    for cell in book.cells:
        cell = nbformat.from_dict(cell)
        if cell.cell_type == "markdown":
            kept, place = [], 0
            for mark in MARK.finditer(cell.source):
                if not inside:
                    kept.append(cell.source[place : mark.start()])
                inside, place = mark[2] == "start", mark.end()
            if not inside:
                kept.append(cell.source[place:])
            cell.source = "".join(kept).strip("\n")
            if cell.source:
                out.cells.append(cell)
        elif not inside and (graders or not _of_a_grader(cell)):
            out.cells.append(cell)
    return out


def _of_a_grader(cell):
    """A grader's cell; and of an answer's cell the question to the grader goes."""
    cell.source = re.sub(r"^grade_\w+\(.*\)\n?", "", cell.source, flags=re.M).rstrip("\n")
    return kind(cell) == "grader"


def main(*numbers):
    graders = "--no-graders" not in numbers
    numbers = tuple(n for n in numbers if n != "--no-graders")
    for language in LANGUAGES:
        found = sorted((ROOT / "chapters" / language).glob("[0-9]*.ipynb"))
        paths = [p for p in found if not numbers or p.stem.startswith(numbers)]
        if not paths:
            raise SystemExit(f"chapters: got {' '.join(numbers)}, expected beginnings of names in chapters/{language}")
        (PLACE / language).mkdir(parents=True, exist_ok=True)
        for path in paths:
            nbformat.write(without_solutions(nbformat.read(path, as_version=4), graders), PLACE / language / path.name)
    print(f"{len(paths)} chapters in both languages: {PLACE}")


if __name__ == "__main__":
    main(*sys.argv[1:])
