"""What can be folded is a <details>: it opens by mouse, keyboard and voice, and without a script."""

import html

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.locale import admonitionlabels
from sphinx.transforms.post_transforms import SphinxPostTransform

from .speech import speaking
from .words import word


class fold(nodes.General, nodes.Element):
    """A folded admonition, exercise or solution."""


class fold_title(nodes.TextElement):
    pass


def _unlink(title):
    """A link inside a summary would have two things to press in one place."""
    for reference in list(title.findall(nodes.reference)):
        reference.replace_self(reference.children)


class FoldDropdowns(SphinxPostTransform):
    default_priority = 900  # the titles of exercises and solutions are written by then
    formats = ("html",)

    def run(self, **kwargs):
        for box in [n for n in self.document.findall(nodes.Admonition) if "dropdown" in n["classes"]]:
            if isinstance(box.children[0], nodes.title):
                title, rest = fold_title("", "", *box.children[0].children), box.children[1:]
            else:
                title, rest = fold_title("", str(admonitionlabels[box.tagname])), box.children
            _unlink(title)
            if "solution" in box["classes"]:  # it opens right below its exercise, but is printed elsewhere
                full = nodes.inline("", "", *title.children, classes=["on-paper"])
                title[:] = [nodes.inline("", word(speaking(), "solution"), classes=["on-screen"]), full]
            classes = [c for c in dict.fromkeys(["admonition", box.tagname, *box["classes"]]) if c != "dropdown"]
            box.replace_self(fold("", title, *rest, ids=box["ids"], classes=classes))


class ChinesePunctuation(SphinxPostTransform):
    """sphinx-exercise puts a title in half-width parentheses, with a space before."""

    default_priority = 30

    def run(self, **kwargs):
        if speaking() == "zh-Hant":
            for box in self.document.findall(nodes.Admonition):
                if {"exercise", "solution"} & set(box["classes"]) and isinstance(box.children[0], nodes.title):
                    for text in list(box.children[0].findall(nodes.Text)):
                        new = {" (": "（", ")": "）"}.get(str(text), str(text).lstrip(" "))
                        if new != text:
                            text.parent.replace(text, nodes.Text(new))


def _open_cell(self, node):
    name = word(speaking(), "code" if "above-input" in node["classes"] else "output")
    self.body.append(f'<details class="hide {" ".join(node["classes"])}"><summary>{html.escape(name)}</summary>\n')


def setup(app):
    app.add_node(
        fold,
        html=(
            lambda self, node: self.body.append(self.starttag(node, "details")),
            lambda self, node: self.body.append("</details>\n"),
        ),
    )
    app.add_node(
        fold_title,
        html=(
            lambda self, node: self.body.append('<summary class="admonition-title">'),
            lambda self, node: self.body.append("</summary>\n"),
        ),
    )
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, html=(_open_cell, lambda self, node: self.body.append("</details>\n")))
    app.add_post_transform(ChinesePunctuation)
    app.add_post_transform(FoldDropdowns)
