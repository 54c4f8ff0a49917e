"""The reference pages: docstrings write shapes as (*B, S), where reStructuredText would begin emphasis."""

import re

STAR = re.compile(r"(?<![\\*])\*(?=\w)")


def keep_stars(app, what, name, obj, options, lines):
    lines[:] = [STAR.sub(r"\\*", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", keep_stars, priority=400)  # before napoleon, which is at 500
