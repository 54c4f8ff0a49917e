"""Scenes: their script and style lie beside the pages once, and a page names those that it holds."""

import hashlib
import json
import re
from pathlib import Path

HELD = re.compile(r'<rope-scene kind="([\w-]+)"')


def as_page(stored, language):
    """A stored scene as the page holds it: with the scripts and words of today, not the copies that a notebook carries."""
    from ropelib.book.scenes import parts, stage

    kind = HELD.search(stored)[1]
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', stored, re.S)[1])
    data["words"] = parts.words(kind, language)
    return f'<rope-scene kind="{kind}">{stage.page(kind, data)}</rope-scene>'


def _files(kind=None):
    from ropelib.book.scenes import parts

    return {f"{kind or 'engine'}.js": parts.script(kind), f"{kind or 'engine'}.css": parts.style(kind)}


def _name_files(app, pagename, templatename, context, doctree):
    kinds = list(dict.fromkeys(HELD.findall(context.get("body") or "")))
    files = [item for kind in ((None, *kinds) if kinds else ()) for item in _files(kind).items()]
    links = [
        (name, f"{context['pathto'](f'_static/scenes/{name}', 1)}?v={hashlib.sha256(text.encode()).hexdigest()[:8]}")
        for name, text in files
    ]
    context["scenes"] = {ending: [link for name, link in links if name.endswith(ending)] for ending in (".js", ".css")}


def _write(app, error):
    from ropelib.book.scenes import KINDS

    if error is None:
        folder = Path(app.outdir, "_static", "scenes")
        folder.mkdir(parents=True, exist_ok=True)
        for kind in (None, *KINDS):
            for name, text in _files(kind).items():
                (folder / name).write_text(text, "utf-8")


def setup(app):
    app.connect("html-page-context", _name_files, priority=910)
    app.connect("build-finished", _write)
