"""A citation leads to the references page in its own language, though both languages cite the same keys."""

from sphinxcontrib.bibtex.domain import BibtexDomain

from .languages import language_of


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
            return super().resolve_xref(env, fromdocname, *args)
        finally:
            self._language = None


def setup(app):
    app.setup_extension("sphinxcontrib.bibtex")
    app.add_domain(CitationsByLanguage, override=True)
