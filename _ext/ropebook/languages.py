"""Which languages the book speaks, and which of them a page is written in."""

from pathlib import Path

from sphinx.errors import SphinxError

NAMES = {"zh-Hant": "中文", "en": "English"}  # folder under chapters/, which is also the HTML language tag
FIRST = "zh-Hant"
SOURCES = (".ipynb", ".md")


class MissingTwin(SphinxError):
    category = "Book"


def language_of(docname):
    """The language a page is written in; pages outside chapters/ speak the first one."""
    parts = docname.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "chapters" and parts[1] in NAMES else FIRST


def twin_of(docname, language):
    """The same page in another language."""
    return docname.replace(f"chapters/{language_of(docname)}/", f"chapters/{language}/", 1)


def home_of(language):
    return f"chapters/{language}/index"


def _refuse_unknown_folders(app):
    for folder in sorted(Path(app.srcdir, "chapters").iterdir()):
        if folder.is_dir() and not folder.name.startswith(".") and folder.name not in NAMES:
            raise MissingTwin(f"chapters/{folder.name}/: unknown language folder, expected one of {', '.join(NAMES)}")


def _refuse_pages_without_twin(app, env, docnames):
    lost = []
    for docname in sorted(env.found_docs):
        if docname.startswith("chapters/"):
            source = Path(env.doc2path(docname)).relative_to(app.srcdir).as_posix()
            for language in NAMES:
                if (twin := twin_of(docname, language)) not in env.found_docs:
                    lost.append(f"{source}: no page {twin} in _toc.yml and on disk: every page needs its twin")
    if lost:
        raise MissingTwin("\n".join(lost))


def setup(app):
    app.connect("builder-inited", _refuse_unknown_folders)
    app.connect("env-before-read-docs", _refuse_pages_without_twin)
