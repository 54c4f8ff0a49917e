"""The claims page: every check of the book by chapter, linked; then what others claim about RoPE, with a verdict on each.

{checks}    what the pages' check cells printed, gathered when the book is built
{ledger}    chapters/claims.toml, in the page's language
"""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from .cells import cell_fold
from .languages import language_of
from .numbering import chapter_of
from .search import visible
from .words import word

VERDICTS = ("holds", "condition", "precision", "contradicted")


class all_checks(nodes.General, nodes.Element):
    """Stands where the book's checks will be listed."""


# --- the book's own ----------------------------------------------------------------------------------------------------


def _collect(app, document):
    """Keep what this page's check cells claim, and give each an address."""
    docname = app.env.docname
    cells = [n for n in document.findall(nodes.container) if "tag_check" in n["classes"] and n.get("nb_element") == "cell_code"]
    found = []
    if cells:
        source = json.loads(Path(app.env.doc2path(docname)).read_text("utf-8"))["cells"]
        for cell in cells:
            anchor = f"check-{source[cell['cell_index']]['id']}"
            cell.children[0]["ids"].append(anchor)  # inside the fold, so that a link to it opens the fold
            lines = cell.children[-1].astext().splitlines()
            found.append((anchor, [line.removeprefix("✓").strip() for line in lines if line.startswith("✓")]))
    _kept(app.env)[docname] = found


def _kept(env):
    if not hasattr(env, "ropebook_checks"):
        env.ropebook_checks = {}
    return env.ropebook_checks


def _merge(app, env, docnames, other):
    _kept(env).update({d: found for d, found in _kept(other).items() if d in docnames})


def _pages_with_lists(app, env):
    """The lists are written again when any check on any page has changed."""
    shown = json.dumps([_kept(env), {d: t.astext() for d, t in env.titles.items()}], sort_keys=True)
    if shown == getattr(env, "ropebook_checks_shown", None):
        return []
    env.ropebook_checks_shown = shown
    return sorted(getattr(env, "ropebook_check_lists", ()))


def _fill(app, document, docname):
    """Where the list belongs, the checks of this language's chapters."""
    for place in list(document.findall(all_checks)):
        language, made = language_of(docname), []
        for page in sorted(d for d, found in _kept(app.env).items() if found and language_of(d) == language):
            rows = nodes.bullet_list(classes=["claims"])
            for anchor, claims in _kept(app.env)[page]:
                for claim in claims:
                    said, *bound = re.split(r"\s*[:：]\s*(?=\|Δ\| < )", claim)
                    to = f"{app.builder.get_relative_uri(docname, page)}#{anchor}"
                    line = nodes.paragraph("", "", nodes.reference("", said, internal=True, refuri=to))
                    line += [nodes.inline("", f" {b}", classes=["bound"]) for b in bound]
                    rows.append(nodes.list_item("", line))
            title, number = visible(app.env.titles[page]), chapter_of(page)
            name = title if number is None else f"{word(language, 'chapter') % number} · {title}"
            count = word(language, "check" if len(rows) == 1 else "checks") % len(rows)
            made.append(cell_fold("", rows, classes=["checks", "chapter"], name=f"{name} · {count}", mark="✓"))
        place.replace_self(made or nodes.paragraph("", word(language, "no checks")))


class Checks(Directive):
    def run(self):
        env = self.state.document.settings.env
        env.ropebook_check_lists = {*getattr(env, "ropebook_check_lists", ()), env.docname}
        return [all_checks()]


# --- what others claim -------------------------------------------------------------------------------------------------


def source_of(claim, language):
    """Where a claim stands, who decided it where a run could not, and which chapters tell more: a line of MyST."""
    if "article" in claim:
        parts = [word(language, "ledger article")]
    else:
        parts = [f"{{cite:t}}`{claim['cite']}`" if "cite" in claim else f"[{claim['name']}]({claim['url']})"]
    if "by" in claim:
        parts.append(word(language, "ledger by") % f" {{cite:t}}`{claim['by']}` ".strip())
    for stem in claim.get("chapters", ()):
        if not ("article" in claim and stem.startswith("09")):
            parts.append(f"{{doc}}`{word(language, 'chapter') % int(stem[:2])} <{stem}>`")
    return " · ".join(parts)


class Ledger(SphinxDirective):
    def run(self):
        path = Path(self.env.srcdir, "chapters", "claims.toml")
        self.env.note_dependency(str(path))
        book, language = tomllib.loads(path.read_text("utf-8")), language_of(self.env.docname)
        end = "zh" if language == "zh-Hant" else language
        counts = Counter(claim["verdict"] for claim in book["claim"])
        made = self.parsed(word(language, "ledger") % (sum(counts.values()), *(counts[v] for v in VERDICTS)))
        for topic in book["topic"]:
            name = f"claims-{topic['id']}-{end}"
            section = nodes.section("", nodes.title("", topic[end]), ids=[name], names=[name])
            self.state.document.note_explicit_target(section)
            section += [self.entry(claim, language, end) for claim in book["claim"] if claim["topic"] == topic["id"]]
            made.append(section)
        return made

    def entry(self, claim, language, end):
        verdict = nodes.inline("", word(language, f"verdict {claim['verdict']}"), classes=["verdict"])
        said, why = self.parsed(claim[end]), self.parsed(claim[f"why_{end}"])
        said[0].insert(0, verdict)
        said[0].insert(1, nodes.Text(" "))
        source = self.parsed(source_of(claim, language))
        box = nodes.container("", *said, *why, *source, classes=["claim", claim["verdict"]], ids=[f"claim-{claim['id']}"])
        for part, name in ((said, "said"), (why, "why"), (source, "source")):
            part[0]["classes"].append(name)
        if "run" in claim:
            code = nodes.literal_block(claim["run"].strip(), claim["run"].strip(), language="python")
            box.append(cell_fold("", code, classes=["checks"], name=word(language, "ledger check"), mark="✓"))
        return box

    def parsed(self, text):
        place = nodes.Element()
        self.state.nested_parse(StringList(text.splitlines(), self.env.docname), self.content_offset, place)
        return list(place.children)


def setup(app):
    app.add_node(all_checks)
    app.add_directive("checks", Checks)
    app.add_directive("ledger", Ledger)
    app.connect("doctree-read", _collect)
    app.connect("env-purge-doc", lambda app, env, docname: _kept(env).pop(docname, None))
    app.connect("env-merge-info", _merge)
    app.connect("env-get-updated", _pages_with_lists)
    app.connect("doctree-resolved", _fill)
