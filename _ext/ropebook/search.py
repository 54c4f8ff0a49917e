"""The search index: for each language, the plain text of its sections. The browser cuts it into words, once, when search opens.

A script and not JSON, since a page opened from disk may load the one and not the other.
"""

import json
import re
import unicodedata
from pathlib import Path

from docutils import nodes
from sphinx.search.en import js_porter_stemmer

from .languages import NAMES, language_of
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


def _text(node, *, inside=False):
    """What a reader sees of a node, sections under it apart."""
    if isinstance(node, LEFT_OUT) or (inside and isinstance(node, nodes.section) and node["names"]):
        return ""
    if isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_output":
        return ""
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
    """Yield (anchor, heading, text) of each section of a page, in order."""
    for section in document.findall(nodes.section):
        if not section["names"]:
            continue  # the insides of an exercise belong to the section around it
        title = section.next_node(nodes.title)
        body = "\n".join(_text(c, inside=True) for c in section.children if c is not title)
        yield section["ids"][0], visible(title), re.sub(r"\s+", " ", body).strip()


def _collect(app, document):
    docname = app.env.docname
    if docname.startswith("chapters/"):
        found = getattr(app.env, "ropebook_search", {})
        app.env.ropebook_search = {**found, docname: list(sections(document))}


def _forget(app, env, docname):
    getattr(env, "ropebook_search", {}).pop(docname, None)


def _merge(app, env, docnames, other):
    theirs = getattr(other, "ropebook_search", {})
    env.ropebook_search = {**getattr(env, "ropebook_search", {}), **{d: theirs[d] for d in docnames if d in theirs}}


def _pages(app):
    found = getattr(app.env, "ropebook_search", {})
    for language in NAMES:
        index = []
        for docname in sorted(found):
            if language_of(docname) == language:
                page = docname.split("/", 2)[2] + ".html"
                index.append([page, [list(section) for section in found[docname]]])
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
