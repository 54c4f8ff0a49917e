"""All pages of a language as one document: links lead inside it, and solutions stand at its end.

`Joined` keeps, beside the HTML, every heading that the contents and the bookmarks name: (depth, anchor, words).
"""

import html
import json
import re
from pathlib import Path

from bs4 import BeautifulSoup

from .contents import parts
from .paper import plain, settle, without_links
from .words import WORDS

CSS = Path(__file__).with_name("paper.css")
NAMED = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
ALIKE = re.compile(r"--sec-\d+-(exercises|now|can|reading|further)-\w+$")  # what ends every chapter: the contents do without
POINTED = ("clip-path", "mask", "filter", "fill", "stroke", "style")


class Joined:
    """One document of the built book at `built`, in `language`; `chapters` keeps only pages whose names begin so."""

    def __init__(self, built, language, chapters=()):
        self.root, self.language, self.words = built / "chapters" / language, language, WORDS[language]
        self.static = built / "_static"
        home = _read(self.root / "index.html")
        self.title = home.select_one(".brand").get_text(" ", strip=True)
        self.lead = home.select_one("article p strong").get_text(strip=True)
        self.foot = " · ".join(li.get_text(" ", strip=True) for li in home.select(".bd-footer .foot > li") if not li.details)
        self.handout = bool(chapters)
        self.parts = parts(home)
        if chapters:
            for part in self.parts:
                part.pages = [p for p in part.pages if p.startswith(tuple(chapters))]
            self.parts = [part for part in self.parts if part.pages]
        self.slugs = {page: "p-" + page.removesuffix(".html") for part in self.parts for page in part.pages}
        self.headings, self.rules, self.solutions, self.body = [], [], [], []
        for k, part in enumerate(self.parts):
            if k == len(self.parts) - 1 and self.solutions:
                self._solutions()  # before the appendix
            divided = part.title and not self.handout
            if divided:
                self.headings.append((0, f"part-{k}", html.escape(part.title), part.title))
                place, first = len(self.body), len(self.headings)
            for page in part.pages:
                self._page(page, 2 if divided else 1)
            if divided:  # what a part holds is known when its pages have been read
                self.body.insert(place, self._division(f"part-{k}", part.title, self.headings[first:]))

    # --- what stands in the body

    def _division(self, anchor, title, headings):
        """A part's own page: the book's mark, the part's number and name, its chapters."""
        lines = "".join(f"<span>{html.escape(w)} </span>" for w in part_lines(title))
        chapters = "".join(_entry(*heading[:3]) for heading in headings if heading[0] == 1)
        mark = f'<img src="{(self.static / "favicon.svg").as_uri()}" alt="" width="72">'
        return f'<div class="division" id="{anchor}">{mark}<h1 aria-level="1">{lines}</h1>{chapters}</div>'

    def _page(self, page, level):
        slug = self.slugs[page]
        article = _read(self.root / page).select_one("article")
        settle(article)
        self._lead_inside(article, slug)
        for h in article.find_all(re.compile("^h[1-6]$")):
            h["aria-level"] = str(int(h.name[1]) + level - 1)
        first = article.h1
        if page == "index.html":
            first.string = self.words["preface"]
            first.insert_after(BeautifulSoup(f'<p class="paper-note">{self.words["note"]}</p>', "html.parser"))
        number = first.select_one(".section-number")
        n = number.get_text(strip=True) if number else ""
        chapter = self.words["chapter"].format(n=n) if n else ""
        self._running_head(slug, f"{chapter} · {plain(first)}" if n else plain(first))
        self.headings.append((1, slug, f"<em>{n}</em> " * bool(n) + without_links(first), f"{n} " * bool(n) + plain(first)))
        if n:
            number.string = chapter
            for h in article.find_all("h2"):
                if not h.find_parent("details"):
                    self.headings.append((2, h.find_parent("section")["id"], without_links(h), plain(h)))
        self._take_solutions(article, chapter, plain(first))
        self.body.append(f'<div class="page {slug}" id="{slug}">{article}</div>')

    def _take_solutions(self, article, chapter, title):
        found = [s.extract() for s in article.select("details.solution")]
        if self.handout:
            return
        if found:
            self.solutions.append((chapter, title, found))
        for solution in found:
            exercise = article.find(id=solution["id"].replace("--sol-", "--ex-"))
            if exercise is not None:
                exercise.append(self._see("to solution", solution["id"]))

    def _solutions(self):
        title = self.words["solutions"]
        self._running_head("p-solutions", title)
        self.headings.append((0, "p-solutions", title, title))
        self.body.append(f'<div class="page p-solutions" id="p-solutions"><h1 aria-level="1">{title}</h1>')
        for k, (chapter, name, found) in enumerate(self.solutions):
            words = f"{chapter} · {name}"
            self.headings.append((1, f"solutions-{k}", html.escape(words), words))
            self.body.append(f'<section id="solutions-{k}"><h2 aria-level="2">{html.escape(words)}</h2>')
            for solution in found:
                solution.name, solution["class"] = "div", ["solved"]
                solution.summary["aria-level"] = "3"
                solution.summary.name = "h3"
                solution.h3.append(self._see("to exercise", solution["id"].replace("--sol-", "--ex-")))
                self.body.append(str(solution))
            self.body.append("</section>")
        self.body.append("</div>")

    def _see(self, way, target):
        where = self.words["page"].format(page=f'<b data-page="{target}"></b>')
        return BeautifulSoup(f'<a class="see" href="#{target}">{self.words[way]} {where}</a>', "html.parser")

    # --- ids and links

    def _lead_inside(self, article, slug):
        """Ids get the page's name in front; links into the book become anchors of the one document."""
        for tag in article.find_all(True):
            if tag.get("id"):
                tag["id"] = f"{slug}--{tag['id']}"
            for name in NAMED:
                if name in tag.attrs:
                    tag[name] = " ".join(f"{slug}--{i}" for i in tag[name].split())
            for name in POINTED:
                if "url(#" in tag.attrs.get(name, ""):
                    tag[name] = tag[name].replace("url(#", f"url(#{slug}--")
            for name in ("href", "xlink:href"):
                if name in tag.attrs and not re.match(r"[a-z]+:", tag[name]):
                    self._lead(tag, name, slug)

    def _lead(self, tag, name, slug):
        page, _, at = tag[name].partition("#")
        if not page:
            tag[name] = f"#{slug}--{at}"
        elif page in self.slugs:
            tag[name] = f"#{self.slugs[page]}--{at}" if at else f"#{self.slugs[page]}"
        elif tag.name == "a":
            del tag[name]  # downloads, the other language, what was left out: nothing to open on paper

    # --- the document

    def _running_head(self, slug, words):
        said = json.dumps(words, ensure_ascii=False)
        self.rules.append(f"@page {slug} {{ @top-right {{ content: {said} }} }} .{slug} {{ page: {slug} }}")

    def html(self, fonts):
        listed = [h for h in self.headings if h[0] < 2 or not ALIKE.search(h[1])]
        contents = "".join(_entry(*heading[:3]) for heading in listed)
        style = (
            CSS.read_text("utf-8").replace("FONTS", fonts.as_uri()).replace("BOOK", json.dumps(self.title, ensure_ascii=False))
        )
        title = html.escape(self.title)
        sheets = [
            "book.css",
            "katex/katex.css",
            *(f"scenes/{p.name}" for p in sorted((self.static / "scenes").glob("*.css"))),
            "print.css",
        ]
        links = "".join(f'<link rel="stylesheet" href="{(self.static / sheet).as_uri()}">' for sheet in sheets)
        return f"""<!DOCTYPE html>
<html lang="{self.language}" data-theme="light" class="js paper"><head><meta charset="utf-8"><title>{title}</title>
{links}<style>{style}{"".join(self.rules)}</style></head><body>
<div class="cover"><img src="{(self.static / "favicon.svg").as_uri()}" alt="" width="150"><p class="cover-title">{title}</p>
<p>{html.escape(self.lead)}</p><p class="imprint">{html.escape(self.foot)}</p></div>
<nav class="contents" id="contents"><h1 aria-level="1">{self.words["contents"]}</h1>{contents}</nav>
{"".join(self.body)}</body></html>"""


def part_lines(title):
    """A part's number and its name.

    >>> part_lines("Part I · Intuition"), part_lines("第一篇 直覺"), part_lines("Appendix")
    (['Part I', 'Intuition'], ['第一篇', '直覺'], ['Appendix'])
    """
    return re.split(r"\s*·\s*" if "·" in title else r"\s+", title.strip(), maxsplit=1)


def _entry(depth, anchor, inner):
    """A line of a list of contents."""
    return f'<p class="entry depth{depth}"><a href="#{anchor}"><span>{inner}</span><b data-page="{anchor}"></b></a></p>'


def _read(path):
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")
