"""make pdf: one PDF a language. make handout: one of some chapters, without solutions."""

import argparse
import time

from ..handout import PLACE
from ..pair import LANGUAGES, ROOT
from .fonts import fetch
from .join import Joined
from .press import press


def main():
    asked = argparse.ArgumentParser(prog="python -m tools.pdf", description=__doc__)
    asked.add_argument("languages", nargs="*", metavar="language", help=f"of {', '.join(LANGUAGES)}; all unless named")
    asked.add_argument("--chapters", nargs="+", default=(), help="only these, and no solutions")
    asked = asked.parse_args()
    if odd := set(asked.languages) - set(LANGUAGES):
        raise SystemExit(f"language: got {', '.join(sorted(odd))}, expected some of {', '.join(LANGUAGES)}")
    built = ROOT / "_build" / "html"
    if not (built / "index.html").is_file():
        raise SystemExit(f"No built book at {built}. Build it first: make book")
    fonts, place = fetch(), PLACE if asked.chapters else ROOT / "_build" / "pdf"
    place.mkdir(parents=True, exist_ok=True)
    for language in asked.languages or LANGUAGES:
        start = time.perf_counter()
        book = Joined(built, language, asked.chapters)
        if not book.parts:
            raise SystemExit(f"chapters: got {' '.join(asked.chapters)}, expected beginnings of names in chapters/{language}")
        document, pdf = place / f"rope.{language}.html", place / f"rope.{language}.pdf"
        document.write_text(book.html(fonts), "utf-8")
        pages, too_wide = press(document, pdf, book.headings, book.title)
        document.unlink()
        print(f"{pdf}: {pages} pages, {pdf.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - start:.0f} s")
        for what in too_wide:
            print(f"  wider than the paper: {what}")


if __name__ == "__main__":
    main()
