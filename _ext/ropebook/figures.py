"""Figures become part of the page: its colours, its fonts, its words for those who do not see them."""

import html
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from .languages import language_of
from .scenes import HELD, as_page
from .words import word

logger = logging.getLogger(__name__)
LIVE = "tag_nbval-ignore-output"  # the cell of a widget, whose stored output is the figure it first drew


def _own_ids(svg, prefix):
    """Matplotlib gives the same id to the same shape in every figure; a page may hold an id once."""
    return re.sub(r'(\bid=\\?"|href=\\?"#|url\(#)(?=[\w.-])', rf"\g<1>{prefix}", svg)


def _place(node):
    """Which cell an output came from, counted from 1."""
    while node is not None and node.get("nb_element") != "cell_code":
        node = node.parent
    return "a cell" if node is None else f"cell {node['cell_index'] + 1}"


class PlaceFigures(SphinxTransform):
    """Replace stored outputs by what the page shows; done when a page is read, so that its doctree needs no other file."""

    default_priority = 400

    def apply(self, **kwargs):
        bundles = [n for n in self.document.findall(nodes.container) if n.get("nb_element") == "mime_bundle"]
        for count, bundle in enumerate(bundles):
            kinds = {kind["mime_type"]: kind for kind in bundle if isinstance(kind, nodes.container)}
            if "text/html" in kinds and HELD.match(stored := kinds["text/html"].astext()):
                self.keep(bundle, kinds["text/html"], as_page(stored, language_of(self.env.docname)), "scene")
            elif "image/svg+xml" in kinds:
                self.figure(bundle, kinds["image/svg+xml"], f"f{count}-")
        self.refuse_figures_without_alt()

    def figure(self, bundle, kind, prefix):
        from ropelib.book.figures import page_svg

        image = kind.next_node(nodes.image)
        if not image.get("alt", "").strip():
            return  # refused below, with the cell named
        svg = Path(self.app.srcdir, image["uri"].lstrip("/")).read_text("utf-8")
        text = _own_ids(page_svg(svg, image["alt"]), prefix)
        if LIVE in bundle.parent.parent["classes"]:
            text += self.word_for_widget()
        self.keep(bundle, kind, text, "figure")

    def word_for_widget(self):
        language = language_of(self.env.docname)
        name = self.env.docname.rsplit("/", 1)[-1]
        space = " " if language == "en" else ""
        return (
            f'<p class="needs-kernel">{word(language, "needs kernel")}{space}'
            f'<a href="{html.escape(name)}.ipynb" download>{word(language, "get notebook")}</a></p>'
        )

    def keep(self, bundle, kind, text, name):
        kind["mime_type"] = "text/html"
        kind[:] = [nodes.raw("", text, format="html", classes=["ropebook", name])]
        bundle[:] = [kind]

    def refuse_figures_without_alt(self):
        for image in self.document.findall(nodes.image):
            if not image.get("alt", "").strip():
                source = Path(self.env.doc2path(self.env.docname)).relative_to(self.app.srcdir).as_posix()
                where = _place(image) if image.parent.get("mime_type") else image.get("uri", "an image")
                logger.warning(
                    "%s: %s: a figure without alt text; say what it shows in the cell's metadata: "
                    '{"mystnb": {"image": {"alt": "..."}}}',
                    source,
                    where,
                    type="ropebook",
                    subtype="alt",
                )


def setup(app):
    app.add_transform(PlaceFigures)
