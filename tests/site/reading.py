"""The built pages as the tests see them: one pass over each page's HTML, kept for the tests that follow."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LANGUAGES = {"zh-Hant": "en", "en": "zh-Hant"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
    "input": "src",
    "track": "src",
}
CHINESE = re.compile(r"[\u3400-\u9fff]")
UNSEEN = {"script", "style", "annotation", "code", "pre", "title"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.tags, self.ids, self.loads, self.links, self.seen = path, [], [], [], [], []
        self.stack, self.spoken, self.drawings = [], {}, []
        self.source = path.read_text("utf-8")
        self.feed(self.source)
        self.text = "".join(self.seen)

    def handle_starttag(self, tag, attrs):
        attrs = {k: v or "" for k, v in attrs}
        self.tags.append((tag, attrs))
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        if attrs.get(LOADS.get(tag, ""), ""):
            self.loads.append(attrs[LOADS[tag]])
        if tag == "link" and {"stylesheet", "icon", "preload", "modulepreload", "prefetch"} & set(attrs.get("rel", "").split()):
            self.loads.append(attrs["href"])
        if tag in ("svg", "img") and not any(a.get("aria-hidden") == "true" for _, a in self.stack):
            self.drawings.append((tag, attrs))
        if tag not in VOID:
            self.stack.append((tag, attrs))

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not any(tag in UNSEEN for tag, _ in self.stack):
            self.seen.append(data)
            for _, attrs in self.stack:
                for name in attrs.get("class", "").split():
                    if name in ("caption-number", "eqno", "section-number", "admonition-title"):
                        self.spoken.setdefault(name, []).append(data)

    @property
    def language(self):
        parts = self.path.parts
        return parts[parts.index("chapters") + 1] if "chapters" in parts else None

    def find(self, tag, **wanted):
        return [
            a for t, a in self.tags if t == tag and all(a.get(k.rstrip("_").replace("_", "-")) == v for k, v in wanted.items())
        ]


def in_language(text, language):
    """Whether words of the interface are in a language: Chinese ones hold Chinese, English ones none."""
    return bool(CHINESE.search(text)) == (language == "zh-Hant")


@cache
def read(path):
    return Page(path)


def pages(book):
    """Every page under chapters/, in both languages."""
    found = [p for language in LANGUAGES for p in sorted((book / "chapters" / language).glob("*.html"))]
    assert found, f"{book}/chapters holds no page"
    return found


def target(page, link):
    """The file and anchor that a link inside the book leads to, or None for a link that leaves it."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    address, anchor = urldefrag(link)
    address = unquote(address.split("?")[0])
    return (page.parent / address).resolve() if address else page, unquote(anchor)


def chapter(path):
    found = re.match(r"(\d\d)-", Path(path).name)
    return int(found[1]) if found else None
