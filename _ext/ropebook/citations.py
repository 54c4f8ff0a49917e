"""References: a citation leads to the list in its own language, though both languages cite the same keys."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib.bibtex.domain import BibtexDomain

from .languages import FIRST, language_of


class CitationsByLanguage(BibtexDomain):
    _language = None

    @property
    def citations(self):
        found = self.data["citations"]
        if self._language is None:
            return found
        return [c for c in found if language_of(c.bibliography_key.docname) == self._language]

    def resolve_xref(self, env, fromdocname, *args):
        self._language = language_of(fromdocname)
        try:
            found = super().resolve_xref(env, fromdocname, *args)
            return in_chinese(found) if found and self._language == FIRST else found
        finally:
            self._language = None


def in_chinese(citation):
    """Names in a Chinese sentence are joined by Chinese words."""
    for text in list(citation.findall(nodes.Text)):
        if text == "et al.":
            text.parent.replace_self(nodes.Text("等人"))  # which was in italics
        elif " and " in text:
            text.parent.replace(text, nodes.Text(text.replace(" and ", " 與 ")))
    return citation


class LinkArxiv(SphinxPostTransform):
    default_priority = 6  # the list of references is written at 5

    def run(self, **kwargs):
        for citation in self.document.findall(nodes.citation):
            for text in list(citation.findall(nodes.Text)):
                if isinstance(text.parent, nodes.reference):
                    continue
                pieces = re.split(r"(arXiv:\d{4}\.\d{4,5})", str(text))
                if len(pieces) > 1:
                    text.parent[:] = [new for child in text.parent for new in (self.linked(pieces) if child is text else [child])]

    def linked(self, pieces):
        return [
            nodes.reference("", p, refuri=f"https://arxiv.org/abs/{p.removeprefix('arXiv:')}") if k % 2 else nodes.Text(p)
            for k, p in enumerate(pieces)
            if p
        ]


def setup(app):
    app.setup_extension("sphinxcontrib.bibtex")
    app.add_domain(CitationsByLanguage, override=True)
    app.add_post_transform(LinkArxiv)
