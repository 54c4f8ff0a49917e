"""The reference pages: what docstrings need before Sphinx reads them, and after."""

import re

from docutils import nodes
from sphinx.locale import _

STAR = re.compile(r"(?<![\\*])\*(?=\w)")


def keep_stars(app, what, name, obj, options, lines):
    """Shapes are written as (*B, S), where reStructuredText would begin emphasis."""
    lines[:] = [STAR.sub(r"\\*", line) for line in lines]


def name_types(app, document):
    """A property's type is a field that Sphinx has no name for, in any language."""
    for name in document.findall(nodes.field_name):
        if name.astext() == "Type":
            name.children[:] = [nodes.Text(_("Type"))]


def setup(app):
    app.connect("autodoc-process-docstring", keep_stars, priority=400)  # before napoleon, which is at 500
    app.connect("doctree-read", name_types)
