"""Numbers that follow the file's name: in 03-slug sections are 3.1, figures 圖 3.1, equations (3.1), in either language.

Sphinx would count chapters by their place in the table of contents, and both languages' chapters together.
"""

import copy
import re
from collections import Counter

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import clean_astext

from .speech import speaking
from .words import word

DEPTH = 2  # 3.1 has a number, what lies under it has none


def chapter_of(docname):
    """The chapter number in a page's name, or None."""
    found = re.match(r"(\d\d)-", docname.rsplit("/", 1)[-1])
    return int(found[1]) if found else None


def _number_sections(toc, chapter):
    numbers = {}

    def walk(items, above):
        for k, item in enumerate((i for i in items if isinstance(i, nodes.list_item)), 1):
            reference = item.next_node(nodes.reference)
            number = (chapter,) if not above else (*above, k)
            number = number if len(number) <= DEPTH else ()
            numbers[reference["anchorname"]] = number
            reference["secnumber"] = number or None
            for below in item.children:
                if isinstance(below, nodes.bullet_list):
                    walk(below, number or above)

    walk(toc, ())
    return numbers


def _number_pages(env):
    sections, figures = {}, {}
    for docname in sorted(env.found_docs):
        chapter = chapter_of(docname)
        if chapter is not None and docname in env.tocs:
            sections[docname] = _number_sections(env.tocs[docname], chapter)
            env.titles[docname]["secnumber"] = (chapter,)
        above = () if chapter is None else (chapter,)
        for kind, found in env.toc_fignumbers.get(docname, {}).items():
            count = Counter()
            for anchor in sorted(found, key=found.get):
                count[kind] += 1
                figures.setdefault(docname, {}).setdefault(kind, {})[anchor] = (*above, count[kind])
    return sections, figures


def _give_sphinx_its_own_numbers(app, env):
    """Sphinx compares its new numbers with its old ones to see which pages to write again; ours would always differ."""
    env.toc_fignumbers = getattr(env, "ropebook_sphinx_figures", {})
    env.toc_secnumbers = {}
    return []


def _number(app, env):
    env.ropebook_sphinx_figures = env.toc_fignumbers
    env.toc_secnumbers, env.toc_fignumbers = _number_pages(env)
    # What pages show of one another: titles in the contents, numbers and headings in references
    titles = {docname: title.astext() for docname, title in env.titles.items()}
    shown = titles, env.toc_secnumbers, env.toc_fignumbers, env.get_domain("std").labels, repr(env.external_site_map.as_json())
    old, env.ropebook_shown = getattr(env, "ropebook_shown", None), copy.deepcopy(shown)
    return [] if shown == old else sorted(env.found_docs)


class NameChapters(SphinxPostTransform):
    """A {numref} to a whole chapter says "chapter 3", not "section 3"."""

    default_priority = 8  # before references are resolved (10)

    def run(self, **kwargs):
        labels = self.env.get_domain("std").labels
        for node in self.document.findall(addnodes.pending_xref):
            if node.get("reftype") == "numref" and not node.get("refexplicit"):
                docname, _, title = labels.get(node["reftarget"], ("", "", ""))
                if docname and chapter_of(docname) and title == clean_astext(self.env.titles[docname]):
                    node["refexplicit"] = True
                    node[:] = [nodes.literal("", word(speaking(), "chapter"), classes=["xref", "std", "std-numref"])]


def setup(app):
    app.connect("env-get-updated", _give_sphinx_its_own_numbers, priority=100)
    app.connect("env-get-updated", _number, priority=900)
    app.add_post_transform(NameChapters)
