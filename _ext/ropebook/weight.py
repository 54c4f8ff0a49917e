"""Keep out of the book what no page of it loads."""

from pathlib import Path

# Copied by Sphinx and by extensions whatever the theme; the pages have their own
UNUSED = (
    "basic.css",
    "pygments.css",
    "doctools.js",
    "documentation_options.js",
    "sphinx_highlight.js",
    "searchtools.js",
    "language_data.js",
    "translations.js",
    "exercise.css",
    "design-tabs.js",
    "mystnb*.css",
    "file.png",
    "minus.png",
    "plus.png",
)


def _tidy(app, error):
    if error is None:
        for pattern in UNUSED:
            for path in Path(app.outdir, "_static").glob(pattern):
                path.unlink()


def setup(app):
    app.connect("build-finished", _tidy, priority=950)
