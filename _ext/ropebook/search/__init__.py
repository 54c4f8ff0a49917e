"""Search without a server: each language's passages in one script, and the scripts that find them, fetched when search opens.

The passages are scripts and not JSON, since a page opened from disk may load the one and not the other.
"""

import hashlib
import json
import posixpath
from functools import cache
from pathlib import Path

from sphinx import addnodes
from sphinx.search.en import js_porter_stemmer

from ..languages import NAMES, home_of, language_of
from ..words import word
from . import tables
from .passages import numbered, passages, visible

HERE = Path(__file__).parent
PARTS = ("words", "meanings", "numbers", "rank", "snippet", "panel")  # in the order in which they need each other
NUMBERED = {"displaymath": "equation", "figure": "figure", "exercise": "exercise"}  # in Sphinx's words, and in a reader's

__all__ = ["script", "script_name", "visible"]


@cache
def script():
    """What finds: MiniSearch, hidden from a page's module loader, and around it the book's own parts."""
    mini = (HERE / "minisearch" / "minisearch.min.js").read_text("utf-8")
    own = "".join((HERE / "script" / f"{part}.js").read_text("utf-8") for part in PARTS)
    return f"((module, exports, define) => {{{mini}}})();\nconst ropebook = (() => {{\n{own}}})();\n"


@cache
def script_name():
    return f"search.js?v={hashlib.sha256(script().encode()).hexdigest()[:12]}"


def _collect(app, document):
    """Keep a page's passages, and the names by which it links other pages: a reader may know them by those."""
    docname = app.env.docname
    if docname.startswith("chapters/"):
        links = [x for x in document.findall(addnodes.pending_xref) if x["reftype"] == "doc" and x["refexplicit"]]
        names = {(posixpath.join(posixpath.dirname(docname), x["reftarget"]), visible(x)) for x in links}
        found = getattr(app.env, "ropebook_search", {})
        app.env.ropebook_search = {**found, docname: (list(passages(document)), names, dict(numbered(document)))}


def _forget(app, env, docname):
    getattr(env, "ropebook_search", {}).pop(docname, None)


def _merge(app, env, docnames, other):
    theirs = getattr(other, "ropebook_search", {})
    env.ropebook_search = {**getattr(env, "ropebook_search", {}), **{d: theirs[d] for d in docnames if d in theirs}}


def _works(env):
    """By page: the works that its list of references holds. And the short name of every work."""
    listed, names = {}, {}
    for citation in env.get_domain("cite").data["citations"]:
        people = [" ".join(person.last_names).strip("{}") for person in citation.entry.persons.get("author", ())]
        who = " & ".join(people) if len(people) < 3 else f"{people[0]} et al."
        names[citation.key] = f"{who} {citation.entry.fields.get('year', '')}".strip()
        title = citation.entry.fields.get("title", "").replace("{", "").replace("}", "")
        all_people = ", ".join(str(person) for person in citation.entry.persons.get("author", ()))
        row = [citation.citation_id, names[citation.key], "work", title, "", all_people, "", 0]
        listed.setdefault(citation.bibliography_key.docname, []).append(row)
    return listed, names


def _places(counted, said, language):
    """What a page numbers: its kind, number, anchor, name, and what it says."""
    return [
        [kind, number, anchor, word(language, f"{kind} %s") % number, said[anchor]]
        for place, kind in NUMBERED.items()
        for anchor, count in counted.get(place, {}).items()
        if anchor in said and (number := ".".join(map(str, count)))
    ]


def _index(env, language):
    """The language's pages in the book's order, with their other names and passages, and the tables of other ways to say it."""
    found = getattr(env, "ropebook_search", {})
    works, short = _works(env)
    named = {}
    for target, name in sorted(pair for _, linked, _ in found.values() for pair in linked):
        named.setdefault(target, []).append(name)
    pages, entries = [], []
    for docname in sorted(found, key=lambda name: (name != home_of(language), name)):
        if language_of(docname) == language:
            numbers = env.toc_secnumbers.get(docname, {})
            rows = [p.row(lambda key: short.get(key, ""), numbers, first=not k) for k, p in enumerate(found[docname][0])]
            rows += works.get(docname, [])
            places = _places(env.toc_fignumbers.get(docname, {}), found[docname][2], language)
            pages.append([docname.split("/", 2)[2] + ".html", named.get(docname, []), rows, places])
            entries += [(heading, text) for _, heading, kind, text, *_ in rows if kind == "term"]
    index = {"pages": pages, "terms": tables.terms(entries, language)}
    if language == "zh-Hant":
        text = "\n".join(f"{heading}\n{said}" for _, _, rows, _ in pages for _, heading, _, said, *_ in rows)
        index |= {"characters": tables.characters(text), "words": tables.words(text)}
    return index


def _write(app):
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / "search.js").write_text(script(), "utf-8")
    for language in NAMES:
        stemmer = js_porter_stemmer if language == "en" else ""
        data = json.dumps(_index(app.env, language), ensure_ascii=False, separators=(",", ":"))
        (static / f"search-index.{language}.js").write_text(f"{stemmer}ropebook.index({data})\n", "utf-8")
        yield f"chapters/{language}/search", {"title": word(language, "search")}, "search.html"


def setup(app):
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))  # Sphinx's own index
    app.connect("doctree-read", _collect, priority=900)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("html-collect-pages", _write)
