"""404.html, which hosts show in place of a page that is not there: an old bookmark still finds its chapter by number."""

from .languages import NAMES, home_of, language_of
from .numbering import chapter_of
from .search import visible
from .words import WORDS


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
    yield "404", {"chapters": chapters, "languages": languages, "base": app.config.html_baseurl}, "404.html"


def setup(app):
    app.connect("html-collect-pages", _page)
