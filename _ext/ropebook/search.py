"""The search index: for each language, the plain text of its sections. The browser cuts it into words, once, when search opens.

A script and not JSON, since a page opened from disk may load the one and not the other.
"""

import json
import posixpath
import re
import unicodedata
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.search.en import js_porter_stemmer

from .languages import NAMES, home_of, language_of
from .words import word

LEFT_OUT = (nodes.raw, nodes.comment, nodes.image, nodes.system_message)


GREEK = {
    n.lower(): unicodedata.lookup(f"GREEK SMALL LETTER {n}")
    for n in ("ALPHA BETA GAMMA DELTA EPSILON ZETA ETA THETA IOTA KAPPA MU NU XI PI RHO SIGMA TAU PHI CHI PSI OMEGA".split())
}


def _plain(tex):
    """A formula as a reader would type it."""
    tex = re.sub(r"\\(?:begin|end)\{[^}]*\}|\\(?:label|tag)\{[^}]*\}", " ", tex)
    tex = re.sub(r"\\(?:var)?([a-z]+)", lambda m: GREEK.get(m[1], " "), tex)
    return re.sub(r"\\.|[{}&$^_]", " ", tex)


def _is_section(node):
    return isinstance(node, nodes.section) and bool(node["names"])  # the insides of an exercise belong to the section around it


def _defined(node):
    """What a node defines: an entry of the glossary its term, a row of a table the formula that is its first cell."""
    if isinstance(node, nodes.definition_list_item) and node.children[0]["ids"]:
        return node.children[0]
    if isinstance(node, nodes.row):
        cell = node.children[0]
        inside = [x for paragraph in cell.children for x in paragraph.children]
        return cell if visible(cell) and all(isinstance(x, nodes.math) for x in inside) else None
    return None


def _text(node, *, inside=False):
    """What a reader sees of a node, sections under it apart."""
    if isinstance(node, LEFT_OUT) or (inside and (_is_section(node) or _defined(node))):
        return ""
    if isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_output":
        return ""
    if isinstance(node, addnodes.pending_xref) and node["refdomain"] == "cite":
        return ""  # its key, here; authors and year come later
    if isinstance(node, (nodes.math, nodes.math_block)):
        return f" {_plain(node.astext())} "
    if isinstance(node, nodes.Text):
        return node.astext()
    gap = "" if isinstance(node, nodes.TextElement) else "\n"
    return gap.join(_text(child, inside=True) for child in node.children) + gap


def visible(node):
    """The text of a node on one line, formulas as a reader would type them."""
    return re.sub(r"\s+", " ", _text(node)).strip()


def sections(document):
    """Yield (anchor, heading, text) of each section of a page, in order; what defines a term or a symbol stands apart."""
    for node in document.findall(lambda n: _is_section(n) or _defined(n)):
        if _is_section(node):
            title = node.next_node(nodes.title)
            body = "\n".join(_text(c, inside=True) for c in node.children if c is not title)
            yield (anchor := node["ids"][0]), visible(title), re.sub(r"\s+", " ", body).strip()
        else:
            term = _defined(node)
            own = term["ids"][0] if term["ids"] else anchor
            yield own, visible(term), " ".join(visible(c) for c in node.children if c is not term)


def _collect(app, document):
    """Keep a page's sections, and the names by which it links other pages: a reader may know them by those."""
    docname = app.env.docname
    if docname.startswith("chapters/"):
        links = [x for x in document.findall(addnodes.pending_xref) if x["reftype"] == "doc" and x["refexplicit"]]
        names = {(posixpath.join(posixpath.dirname(docname), x["reftarget"]), visible(x)) for x in links}
        found = getattr(app.env, "ropebook_search", {})
        app.env.ropebook_search = {**found, docname: (list(sections(document)), names)}


def _forget(app, env, docname):
    getattr(env, "ropebook_search", {}).pop(docname, None)


def _merge(app, env, docnames, other):
    theirs = getattr(other, "ropebook_search", {})
    env.ropebook_search = {**getattr(env, "ropebook_search", {}), **{d: theirs[d] for d in docnames if d in theirs}}


def _pages(app):
    found, names = getattr(app.env, "ropebook_search", {}), {}
    for target, name in sorted(pair for _, linked in found.values() for pair in linked):
        names.setdefault(target, []).append(name)
    for language in NAMES:
        index = []
        for docname in sorted(found, key=lambda name: (name != home_of(language), name)):  # in the order of the book
            if language_of(docname) == language:
                page = docname.split("/", 2)[2] + ".html"
                index.append([page, [list(section) for section in found[docname][0]], names.get(docname, [])])
        path = Path(app.outdir, "_static", f"search-index.{language}.js")
        path.parent.mkdir(parents=True, exist_ok=True)
        stemmer = js_porter_stemmer if language == "en" else ""
        path.write_text(stemmer + f"ropebook.index({json.dumps(index, ensure_ascii=False, separators=(',', ':'))})\n", "utf-8")
        yield f"chapters/{language}/search", {"title": word(language, "search")}, "search.html"


def setup(app):
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))  # Sphinx's own index
    app.connect("doctree-read", _collect, priority=900)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("html-collect-pages", _pages)
