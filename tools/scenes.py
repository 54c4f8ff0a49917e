"""Every scene on one page in each language, to look at while one is made: it opens from disk.

python -m tools.scenes [folder]
"""

import sys
from pathlib import Path

from ropelib.book import labels, scenes
from ropelib.book.scenes import parts

ROOT = Path(__file__).parent.parent
THEME = ROOT / "_ext" / "ropebook" / "theme"
PAGE = """\
<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><title>Scenes</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<script>document.documentElement.classList.add("js")</script>
<style>{style}</style><style media="print">{paper}</style></head>
<body><div class="bd-container"><main class="bd-main"><article class="bd-article"><h1>Scenes</h1>
{body}
</article></main></div>
<script>{script}</script></body></html>
"""


def page(language, kinds=scenes.KINDS):
    """One page that needs no other file."""
    before = labels.language()
    labels.use(language)
    try:
        made = [scenes.scene(kind) for kind in kinds]
    finally:
        labels.use(before)
    body = "\n".join(f'<h2 id="{scene.kind}">{scene.kind}</h2><figure>{scene.page()}</figure>' for scene in made)
    names = (None, *kinds)
    book = (path.read_text("utf-8") for path in sorted((THEME / "styles").glob("*.css")))
    style = "\n".join([*book, *map(parts.style, names)]).replace("url(fonts/", f"url({(THEME / 'static' / 'fonts').as_uri()}/")
    paper = (THEME / "static" / "print.css").read_text("utf-8")
    return PAGE.format(language=language, style=style, paper=paper, body=body, script="\n".join(map(parts.script, names)))


def main(folder=ROOT / "_build" / "scenes"):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for language in labels.LANGUAGES:
        path = folder / f"{language}.html"
        path.write_text(page(language), "utf-8")
        print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
