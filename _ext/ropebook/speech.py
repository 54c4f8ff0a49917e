"""Sphinx speaks one language a build; here it speaks the language of the page at hand."""

import gettext

from sphinx import locale
from sphinx.domains.python._object import PyObject
from sphinx.transforms.post_transforms import SphinxPostTransform

from .languages import FIRST, language_of
from .words import MESSAGES, word

_speaking = FIRST
_plain = gettext.NullTranslations()
_sphinx = {}  # the translators Sphinx loaded for its one language, Traditional Chinese


class _Ours(gettext.NullTranslations):
    def __init__(self, messages, fallback):
        super().__init__()
        self.messages = messages
        self.add_fallback(fallback)

    def gettext(self, message):
        return self.messages.get(message) or super().gettext(message)


NUMBERED = {
    "figure": "figure %s",
    "table": "table %s",
    "code-block": "listing %s",
    "section": "section %s",
    "exercise": "exercise %s",
}


# Sphinx translates these names of a docstring's fields once, when it starts
FIELDS = {
    "parameter": "Parameters",
    "variable": "Variables",
    "exceptions": "Raises",
    "returnvalue": "Returns",
    "returntype": "Return type",
}


class NumberWords(dict):
    """`numfig_format` in the language spoken. As a dict it never changes, so Sphinx never takes it for a changed setting."""

    def __init__(self):
        super().__init__(NUMBERED)

    def __getitem__(self, kind):
        return word(_speaking, NUMBERED[kind])

    def get(self, kind, default=None):
        return self[kind] if kind in NUMBERED else default


def speaking():
    return _speaking


def speak(language):
    """Everything read or written from here on is in this language."""
    global _speaking
    _speaking = language
    for key, chinese in _sphinx.items():
        locale.translators[key] = _Ours(MESSAGES[language], chinese if language == "zh-Hant" else _plain)
    for field in PyObject.doc_field_types:
        if field.name in FIELDS:
            field.label = locale._(FIELDS[field.name])


def _learn(app):
    _sphinx.update({k: v for k, v in locale.translators.items() if k[0] == "general" and not isinstance(v, _Ours)})
    speak(FIRST)


class SpeakAsPage(SphinxPostTransform):
    default_priority = 1

    def run(self, **kwargs):
        speak(language_of(self.env.docname))


def setup(app):
    app.connect("config-inited", lambda app, config: setattr(config, "numfig_format", NumberWords()), priority=900)
    app.connect("builder-inited", _learn)
    app.connect("source-read", lambda app, docname, source: speak(language_of(docname)), priority=100)
    app.add_post_transform(SpeakAsPage)
