"""The book's own Sphinx extension and theme: one build, two languages, nothing from another host."""

from pathlib import Path

from . import (
    along,
    cells,
    chinese,
    citations,
    claims,
    figures,
    folds,
    formulas,
    headings,
    languages,
    lines,
    live,
    moved,
    notebooks,
    numbering,
    pages,
    reference,
    scenes,
    search,
    speech,
    styles,
    weight,
)

# Settings that Jupyter Book passes on for extensions this book does without
UNUSED = ("comments_config", "thebe_config", "togglebutton_hint", "togglebutton_hint_hide", "copybutton_selector")


def setup(app):
    app.add_html_theme("ropebook", Path(__file__).parent / "theme")
    for name in UNUSED:
        if name not in app.config:
            app.add_config_value(name, None, "")
    for module in (
        languages,
        speech,
    styles,
        numbering,
        headings,
        chinese,
        lines,
        notebooks,
        figures,
        folds,
        cells,
        claims,
        formulas,
        citations,
        reference,
        scenes,
        search,
        moved,
        pages,
        along,
        live,
        weight,
    ):
        module.setup(app)
    # pages are made of the extension too: when it changes, none of the last build's work is kept
    state = int(pages.state_of(pages.HERE, pages.BOOK)[:12], 16)
    return {"version": "1", "env_version": state, "parallel_read_safe": True, "parallel_write_safe": True}
