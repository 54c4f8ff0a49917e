"""What the templates know of a page: its language, its twin, its place in the book."""

import hashlib
import html
import re
import shutil
from functools import cache
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.util.osutil import relative_uri

from . import styles
from .along import along
from .cells import one_blank_line
from .languages import FIRST, NAMES, home_of, language_of, twin_of
from .numbering import chapter_of
from .search import script_name, visible
from .speech import speak
from .tables import cards, numbers
from .words import WORDS

HERE = Path(__file__).parent
STATIC = HERE / "theme" / "static"
BOOK = HERE.parents[1] / "ropelib" / "book"  # stills of scenes, and their words, are drawn into the pages


@cache
def _digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def state_of(*folders):
    """Changes when any file in one of `folders` does."""
    found = [(folder, p) for folder in folders for p in sorted(folder.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
    return hashlib.sha256("".join(f"{p.relative_to(folder)} {_digest(p)}\n" for folder, p in found).encode()).hexdigest()


def _parts(env, language):
    """The book's parts in one language: (caption, names of pages), its home page apart."""
    for tree in env.external_site_map.root.subtrees:
        pages = [re.sub(r"\.(ipynb|md)$", "", str(item)) for item in tree.items]
        pages = [p for p in pages if p in env.found_docs and language_of(p) == language and p != home_of(language)]
        if pages:
            yield tree.caption, pages


def _inline(app, node):
    """A title as HTML: text, formulas and code, without links of its own."""
    if isinstance(node, nodes.Text):
        return html.escape(str(node))
    if isinstance(node, nodes.math):
        return app.ropebook_katex(node.astext().strip(), False)
    inner = "".join(_inline(app, child) for child in node.children)
    return f"<code>{inner}</code>" if isinstance(node, nodes.literal) else inner


def _title(app, docname):
    return _inline(app, app.env.titles[docname]) if docname in app.env.titles else ""


def _menu(app, docname):
    """The name that stands for a page in lists: its own title, or for what is looked up the word one looks for."""
    return WORDS[language_of(docname)].get(f"menu {docname.rsplit('/', 1)[-1]}") or _title(app, docname)


def _opening(body):
    """What stands before the row of actions, and the rest: a title and the paragraphs that lead in."""
    before = r"\s*(?:<section\b[^>]*>\s*|<span\b[^>]*></span>\s*)*"
    lead = r"(?:<p\b[^>]*>.*?</p>\s*|<!--.*?-->\s*)*"
    found = re.match(rf"{before}<h1\b.*?</h1>\s*{lead}", body, re.S)
    return (body[: found.end()], body[found.end() :]) if found else ("", body)


def _cite(app, title, chapter, words):
    """How the page is cited: who, when, what, and where once the book has an address."""
    config = app.config
    what = words["book"] + ("" if chapter is None else f"{words['stop']}{words['chapter'] % chapter} {title}")
    where = config.html_baseurl or config.ropebook_repository[0]
    return words["cite as"] % (config.author, config.copyright, what) + (f"{words['stop']}{where}" if where else "")


def _report(app, pagename):
    """Where a mistake on the page is reported: the repository's list of issues, when the book has one."""
    url = app.config.ropebook_repository[0]
    return f"{url.removesuffix('/').removesuffix('.git')}/issues/new?title={quote(pagename)}" if url else None


def _headings(app, docname):
    """The page's own sections, two levels deep: (depth, anchor, number, title)."""
    found = []

    def walk(items, depth):
        for item in items:
            if not isinstance(item, nodes.list_item):
                continue
            reference = item.next_node(nodes.reference)
            if depth and reference["anchorname"]:
                number = ".".join(map(str, reference.get("secnumber") or ()))
                found.append((depth, reference["anchorname"], number, _inline(app, reference)))
            if depth < 2:
                for below in item.children:
                    if isinstance(below, nodes.bullet_list):
                        walk(below, depth + 1)

    walk(app.env.tocs.get(docname, []), 0)
    return found


def _description(document):
    """The page's first paragraph, for those who list the page elsewhere."""
    for paragraph in document.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            text = re.sub(r"\s+", " ", paragraph.astext()).strip()
            return text if len(text) <= 160 else text[:157].rstrip() + "…"
    return ""


def _css(text):
    """Text as a string of CSS."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _running(title, chapter, words):
    """What stands at the head of each printed page, for print.css: the book, and the page's own title."""
    own = title if chapter is None else f"{words['chapter'] % chapter} · {title}"
    own = "" if own == words["book"] else own  # the home page is called like the book
    return f"--head-book: {_css(words['book'])}; --head-page: {_css(own)}"


def _context(app, pagename, templatename, context, doctree):
    env, language = app.env, language_of(pagename)
    speak(language)
    uri = app.builder.get_target_uri

    def to(page):
        return relative_uri(uri(pagename), uri(page)) or uri(page).rsplit("/", 1)[-1]  # a page links itself by name

    def static(name):
        return f"{context['pathto']('_static/' + name, 1)}?v={_digest(STATIC / name)}"

    parts = [
        (caption, [{"name": p, "href": to(p), "title": _menu(app, p), "chapter": chapter_of(p)} for p in pages])
        for caption, pages in _parts(env, language)
    ]
    order = [home_of(language), *(p["name"] for _, pages in parts for p in pages)]
    beside = {}
    if pagename in order:
        k = order.index(pagename)
        for side, page in (("previous", order[k - 1] if k else None), ("next", order[k + 1] if k + 1 < len(order) else None)):
            if page:
                beside[side] = {"href": to(page), "title": _menu(app, page), "chapter": chapter_of(page)}
    body = context.get("body") or ""
    title = visible(env.titles[pagename]) if pagename in env.titles else context.get("title", "")
    notebook = Path(env.doc2path(pagename)).suffix == ".ipynb" if pagename in env.found_docs else False
    opening, body = _opening(_mend(body, language))
    context["book"] = {
        "opening": opening,
        "cite": _cite(app, title, chapter_of(pagename), WORDS[language]),
        "report": _report(app, pagename),
        "language": language,
        "languages": [
            {
                "tag": tag,
                "name": name,
                "href": to(twin_of(pagename, tag)),
                "current": tag == language,
                "home": to(home_of(tag)),
                "words": WORDS[tag],
            }
            for tag, name in NAMES.items()
        ],
        "home": to(home_of(language)),
        "is_home": pagename == home_of(language),
        "search": to(f"chapters/{language}/search"),
        "search_script": context["pathto"](f"_static/{script_name()}", 1),
        "index": context["pathto"](f"_static/search-index.{language}.js", 1),
        "root": relative_uri(uri(pagename), "") or "./",
        "chapter": chapter_of(pagename),
        "title": title,
        "running": _running(title, chapter_of(pagename), WORDS[language]),
        "parts": parts,
        "page": pagename,
        "headings": _headings(app, pagename),
        "beside": beside,
        "live": {key.removeprefix("live "): text for key, text in WORDS[language].items() if key.startswith("live ")},
        "notebook": pagename.rsplit("/", 1)[-1] + ".ipynb" if notebook else None,
        "along": along(app, context, pagename) if notebook else None,
        "description": _description(doctree) if doctree is not None else "",
        "base": app.config.html_baseurl.rstrip("/"),
        "uri": uri(pagename),
        "has_math": 'class="katex' in body or 'class="math' in body,
        "has_design": "sd-" in body,
        "first": FIRST,
    }
    context["word"] = lambda key: WORDS[language][key]
    context["static"] = static
    context["styles"] = styles.digest()
    context["body"] = one_blank_line(body)
    if pagename == app.config.root_doc:
        return "landing.html"
    return None


def _mend(body, language):
    # a wide table scrolls in its own box; a phone's page does not
    box = f'<div class="table-frame"><div class="scrolls table-box" data-name="{html.escape(WORDS[language]["table"])}">'
    body = re.sub(r"<table\b.*?</table>", lambda m: f"{box}{cards(numbers(m[0]))}</div></div>", body, flags=re.S)
    body = re.sub(r'(<h[23]><span class="section-number">[^<]*</span>)(.*?)(<a class="headerlink")', r"\1<span>\2</span>\3", body)
    # docstrings are English on every page, their field names are not: a voice must know which is which
    body = body.replace('<dl class="py ', '<dl lang="en" class="py ')
    body = re.sub(r'<(dt|p) (class="(?:field-|rubric"))', rf'<\1 lang="{language}" \2', body)
    body = re.sub(r"(</strong>|</em>\)) -- ", r"\1 — ", body)  # a parameter and what it is
    # Sphinx calls the references a list whose parts are no list items
    return body.replace('<div role="list" class="citation-list">', '<div class="citation-list">').replace(
        ' role="doc-biblioentry"', ""
    )


def _copy_notebooks(app, error):
    """Beside each page lies the notebook it was made from."""
    if error is None:
        for docname in app.env.found_docs:
            source = Path(app.env.doc2path(docname))
            if source.suffix == ".ipynb":
                shutil.copyfile(source, Path(app.outdir, docname + ".ipynb"))


def _write_sitemap(app, error):
    """For search engines, once the book has an address: every page, with its twin."""
    base = app.config.html_baseurl.rstrip("/")
    if error is None and base:
        entries = []
        for docname in sorted(d for d in app.env.found_docs if d != app.config.root_doc):
            twins = "".join(
                f'<xhtml:link rel="alternate" hreflang="{tag}" href="{base}/{twin_of(docname, tag)}.html"/>' for tag in NAMES
            )
            entries.append(f"<url><loc>{base}/{docname}.html</loc>{twins}</url>\n")
        spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {spaces}>\n{"".join(entries)}</urlset>\n'
        Path(app.outdir, "sitemap.xml").write_text(text, "utf-8")


def setup(app):
    app.connect("build-finished", _write_sitemap)
    app.connect("html-page-context", _context, priority=900)
    app.connect("build-finished", _copy_notebooks)
