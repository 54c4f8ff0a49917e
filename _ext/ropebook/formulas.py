"""Formulas written as KaTeX HTML and MathML when the book is built: nothing to fetch and nothing to run in the browser."""

import hashlib
import html
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from .lines import kept
from .speech import speaking
from .words import word

logger = logging.getLogger(__name__)
SCRIPT = Path(__file__).parent / "katex" / "katex.min.js"
# var, since one engine may be asked by several builds.
# strict: Chinese outside \text, and other things KaTeX would only guess at, are errors
RENDER = """
var render = (tex, displayMode) => {
  try { return JSON.stringify({html: katex.renderToString(tex, {displayMode, strict: "error", trust: false, maxExpand: 1000})}); }
  catch (e) { return JSON.stringify({error: e.message}); }
};
"""


class Renderer:
    """KaTeX in V8, with what it has rendered kept beside the doctrees for the next build."""

    def __init__(self, path):
        self.path = Path(path)
        self.version = hashlib.sha256(SCRIPT.read_bytes() + RENDER.encode()).hexdigest()
        try:
            kept = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            kept = {}
        self.known = kept.get("known", {}) if kept.get("version") == self.version else {}
        self.engine, self.fresh = None, False

    def __call__(self, tex, display):
        key = ("D" if display else "I") + tex
        if key not in self.known:
            if self.engine is None:
                from ropelib.book import javascript

                self.engine = javascript.engine()
                self.engine.eval(SCRIPT.read_text("utf-8") + RENDER)
            answer = json.loads(self.engine.call("render", tex, display))
            if "error" in answer:
                raise ValueError(answer["error"])
            self.known[key], self.fresh = answer["html"], True
        return self.known[key]

    def save(self):
        if self.fresh:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps({"version": self.version, "known": self.known}, ensure_ascii=False), "utf-8")


def _render(translator, node, display):
    tex = node.astext().strip()
    # KaTeX numbers these by CSS, apart from the book's own numbers
    tex = re.sub(r"\\(begin|end)\{(align|equation|gather|alignat)\}", r"\\\1{\2*}", tex)
    if display and "\\\\" in tex and "\\begin" not in tex:
        tex = rf"\begin{{gathered}}{tex}\end{{gathered}}"
    try:
        return translator.builder.app.ropebook_katex(tex, display)
    except ValueError as error:
        logger.warning("formula %r: %s", tex, error, location=node, type="ropebook", subtype="formula")
        return f"<code>{html.escape(tex)}</code>"


def _inline(translator, node):
    shown = kept(_render(translator, node, False), html.escape(node.get("before", "")), html.escape(node.get("after", "")))
    translator.body.append(f'<span class="math">{shown}</span>')
    raise nodes.SkipNode


def _block(translator, node):
    number = ""
    if node.get("number") is not None:
        link = html.escape(word(speaking(), "link equation"))
        number = (
            f'<span class="eqno">({get_node_equation_number(translator, node)})'
            f'<a class="headerlink" tabindex="-1" href="#{node["ids"][0]}" title="{link}" aria-label="{link}">#</a></span>'
        )
    name = html.escape(word(speaking(), "formula"))
    translator.body.append(translator.starttag(node, "div", CLASS="math equation"))
    translator.body.append(
        f'<div class="formula scrolls" data-name="{name}">{_render(translator, node, True)}</div>{number}</div>\n'
    )
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (_inline, None), (_block, None))
    app.connect("config-inited", lambda app, config: setattr(config, "html_math_renderer", "katex"))
    app.connect("builder-inited", lambda app: setattr(app, "ropebook_katex", Renderer(Path(app.doctreedir) / "katex.json")))
    app.connect("build-finished", lambda app, error: app.ropebook_katex.save() if hasattr(app, "ropebook_katex") else None)
