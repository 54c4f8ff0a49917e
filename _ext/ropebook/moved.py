"""404.html, which hosts show in place of a page that is not there: an old bookmark still finds its chapter by number."""

import re

from .languages import NAMES, home_of, language_of
from .numbering import chapter_of
from .pages import STATIC
from .search import visible
from .styles import stylesheet
from .words import WORDS

FACES = re.compile(r"@font-face \{.*?\}", re.S)  # found with the rest, once the page knows where the book lies


def _page(app):
    chapters = {language: {} for language in NAMES}
    for docname in sorted(app.env.found_docs):
        if docname.startswith("chapters/") and chapter_of(docname) is not None:
            title = visible(app.env.titles[docname])
            chapters[language_of(docname)][chapter_of(docname)] = [f"{docname}.html", title]
    languages = [
        {"tag": tag, "words": WORDS[tag], "home": f"{home_of(tag)}.html", "search": f"chapters/{tag}/search.html"}
        for tag in NAMES
    ]
    mark = (STATIC / "favicon.svg").read_text("utf-8").replace("<svg", '<svg width="96" height="96" aria-hidden="true"', 1)
    shown = {"chapters": chapters, "languages": languages, "base": app.config.html_baseurl, "mark": mark}
    yield "404", {**shown, "styles_text": FACES.sub("", stylesheet())}, "404.html"


def setup(app):
    app.connect("html-collect-pages", _page)
