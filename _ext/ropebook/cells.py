"""Four kinds of code cell, told apart by their tags; the lesson stands open, what proves and draws it is folded.

no tag    an idea: code and output stand open
check     one quiet line that counts what was checked, and opens to code and output
figure    the picture; its code opens from the caption
setup     nowhere in the text: one fold at the end of the page
grader    what looks at a reader's answer: folded where it stands
"""

import html
import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from .languages import language_of
from .speech import speaking
from .words import word

logger = logging.getLogger(__name__)


class cell_fold(nodes.General, nodes.Element):
    """Part of a cell in a <details>: `mark` and `name` make its summary."""


def _part(cell, name):
    return next((child for child in cell.children if child.get("nb_element") == f"cell_code_{name}"), None)


def _fold(kind, name, *children, mark=""):
    return cell_fold("", *children, classes=[kind], name=name, mark=mark)


def checks(cell):
    """How many claims a check cell printed as holding."""
    printed = _part(cell, "output")
    return sum(line.startswith("✓") for line in printed.astext().splitlines()) if printed else 0


class FoldCells(SphinxPostTransform):
    default_priority = 198  # before myst-nb hides what has its own tags (199)
    formats = ("html",)

    def run(self, **kwargs):
        self.language = speaking()
        cells = [n for n in self.document.findall(nodes.container) if n.get("nb_element") == "cell_code"]
        kinds = {kind: [c for c in cells if f"tag_{kind}" in c["classes"]] for kind in ("check", "figure", "setup", "grader")}
        for count, cell in enumerate(kinds["check"]):
            self.check(cell, first=not count)
        for cell in kinds["figure"]:
            self.figure(cell)
        for cell in kinds["grader"]:
            cell[:] = [_fold("hide", word(self.language, "grader"), *cell.children)]
        self.setup(kinds["setup"])

    def check(self, cell, first):
        count = checks(cell)
        if not count:
            logger.warning("%s: a check cell printed no ✓", self.env.docname, type="ropebook", subtype="check")
        name = word(self.language, "check" if count == 1 else "checks") % count
        cell[:] = [_fold("checks", name, *cell.children, mark="✓"), *(self.how_to_read() if first else [])]

    def how_to_read(self):
        """What a check is, one press away where a page first has one."""
        page = f"chapters/{language_of(self.env.docname)}/reading"
        if page in self.env.found_docs and page != self.env.docname:
            to = self.app.builder.get_relative_uri(self.env.docname, page)
            link = nodes.reference("", word(self.language, "how to read"), internal=True, refuri=to)
            yield nodes.paragraph("", "", link, classes=["how-to-read"])

    def figure(self, cell):
        code, output = _part(cell, "source"), _part(cell, "output")
        if code is None or output is None:
            return
        cell.remove(code)
        fold = _fold("hide", word(self.language, "code"), code)
        drawn = next(iter(output.findall(nodes.figure)), None)
        if drawn is None or drawn.next_node(nodes.caption) is None:
            cell.append(fold)
        else:
            drawn.append(fold)  # the writer closes a caption with its figure

    def setup(self, cells):
        if not cells:
            return
        for cell in cells:
            cell.parent.remove(cell)
        end = next(n for n in self.document.children if isinstance(n, nodes.section))
        end.append(cell_fold("", *cells, classes=["hide", "setup"], name=word(self.language, "set-up"), mark=""))


def _open(self, node):
    mark = f'<span class="mark">{node["mark"]}</span> ' if node["mark"] else ""
    self.body.append(f'<details class="{" ".join(node["classes"])}"><summary>{mark}{html.escape(node["name"])}</summary>\n')


CODE = re.compile(r'<div class="highlight-python notranslate"><div class="highlight"><pre>.*?</pre>', re.S)


def one_blank_line(body):
    """Of two blank lines between functions one is shown; both are there for whoever copies or runs the code."""
    return CODE.sub(lambda code: code[0].replace("\n\n\n", '\n\n<span class="gap">\n</span>'), body)


def setup(app):
    app.add_node(cell_fold, html=(_open, lambda self, node: self.body.append("</details>\n")))
    app.add_post_transform(FoldCells)
