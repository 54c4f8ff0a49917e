"""A page cut into passages, in words that a reader would say: what is searched, and what a result shows."""

import re
from dataclasses import dataclass, field

from docutils import nodes
from sphinx import addnodes
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_subtitle

from .formulas import short

LEFT_OUT = (nodes.raw, nodes.image, nodes.system_message, nodes.comment)
# Sections that name things in passing; what they name is explained elsewhere
IN_PASSING = re.compile(r"^sec-\w+-(exercises?|now|can|reading|further)-\w+$|^claims-")
# A comment of an author's, `% search: off by one, rotery`, adds words to its section
HIDDEN = re.compile(r"^search:(.*)", re.S)
QUIET = {"tag_check", "tag_figure", "tag_setup", "tag_hide-input"}  # cells whose code stands folded
COUNTED = (nodes.figure, nodes.math_block, exercise_enumerable_node)  # what has a number, besides sections
NAMING = (nodes.caption, exercise_subtitle)
CITED = "\ue000{}\ue001"  # the key of a work, until authors and year are known


@dataclass
class Passage:
    """A section, an entry of the glossary, a symbol, or a function: what a result of the search leads to."""

    anchor: str
    heading: str
    kind: str = ""  # "", "term", "symbol", "api" or "work"
    text: str = ""  # a line a block: a snippet never runs from one into the next
    code: str = ""
    detail: str = ""  # what a docstring says beyond its first paragraph
    hidden: str = ""
    low: bool = False
    lines: list = field(default_factory=list, repr=False)

    def row(self, cited, numbers, first):
        text = re.sub("\ue000(.*?)\ue001", lambda m: cited(m[1]), "\n".join(filter(None, self.lines)))
        number = "" if self.kind else ".".join(map(str, numbers.get("" if first else f"#{self.anchor}") or ()))
        return [self.anchor, self.heading, self.kind, text, self.code, self.detail, self.hidden, int(self.low), number]


def visible(node):
    """The text of a node on one line, formulas as a reader would type them."""
    return re.sub(r"\s+", " ", _said(node)).strip()


def _said(node):
    if isinstance(node, LEFT_OUT):
        return ""
    if isinstance(node, (nodes.math, nodes.math_block)):
        return short(node.astext())
    if isinstance(node, addnodes.pending_xref):
        if node["refdomain"] == "cite":
            return " ".join(CITED.format(key.strip()) for key in node["reftarget"].split(","))
        if not node.get("refexplicit"):
            return "…" if node["refdomain"] in ("std", "math") else node.astext()  # a bare label is nothing that a reader sees
    if isinstance(node, nodes.Text):
        return node.astext()
    return "".join(_said(child) for child in node.children)


def _is_section(node):
    return isinstance(node, nodes.section) and bool(node["names"])  # the insides of an exercise belong to the section around it


def _term(node):
    """What a node defines: an entry of the glossary its term, a row of a table the formula that is its first cell."""
    if isinstance(node, nodes.definition_list_item) and node.children[0]["ids"]:
        return node.children[0]
    if isinstance(node, nodes.row):
        cell = node.children[0]
        inside = [x for paragraph in cell.children for x in paragraph.children]
        return cell if visible(cell) and all(isinstance(x, nodes.math) for x in inside) else None
    return None


def _fill(passage, node):
    """Put what stands under a node into a passage, a block a line; sections and definitions have passages of their own."""
    for child in node.children:
        if isinstance(child, nodes.comment):
            if found := HIDDEN.match(child.astext().strip()):
                passage.hidden += " " + found[1].strip()
        elif isinstance(child, LEFT_OUT) or _is_section(child) or _term(child):
            continue
        elif isinstance(child, nodes.container) and (
            child.get("nb_element") == "cell_code_output" or QUIET & set(child.get("classes", ()))
        ):
            continue  # what no reader looks for
        elif isinstance(child, nodes.literal_block):
            passage.code += "\n" + child.astext()
        elif isinstance(child, addnodes.desc):
            _describe(passage, child)
        elif isinstance(child, nodes.math_block) or isinstance(child, nodes.TextElement):
            if not isinstance(child, nodes.title):
                passage.lines.append(visible(child))
        else:
            _fill(passage, child)


def _describe(passage, desc):
    """A function: its signature is code, its first paragraph the text, the rest detail."""
    passage.kind = "api"
    for child in desc.children:
        if isinstance(child, addnodes.desc_signature):
            passage.code += "\n" + child.astext()
        elif isinstance(child, addnodes.desc_content):
            first, *rest = child.children or [nodes.paragraph()]
            passage.lines.append(visible(first))
            passage.detail += " ".join(visible(x) for x in rest)


def passages(document):
    """Yield each passage of a page in order: its sections, and apart from them what defines a term or a symbol."""
    anchor = ""
    for node in document.findall(lambda n: _is_section(n) or _term(n)):
        if _is_section(node):
            anchor = node["ids"][0]
            found = Passage(anchor, visible(node.next_node(nodes.title)), low=any(map(IN_PASSING.match, node["ids"])))
            _fill(found, node)
        else:
            term = _term(node)
            glossary = isinstance(node, nodes.definition_list_item)
            found = Passage(term["ids"][0] if term["ids"] else anchor, visible(term), "term" if glossary else "symbol")
            for child in node.children:
                if child is not term:
                    _fill(found, child) if glossary else found.lines.append(visible(child))
        yield found


def numbered(document):
    """Yield the anchor of each figure, equation and exercise of a page, and what a result says of it."""
    for node in document.findall(lambda n: isinstance(n, COUNTED) and n["ids"]):
        if isinstance(node, nodes.math_block):
            yield node["ids"][0], visible(node).rstrip(" ,.")
        elif name := node.next_node(lambda n: isinstance(n, NAMING)):
            yield node["ids"][0], visible(name)
