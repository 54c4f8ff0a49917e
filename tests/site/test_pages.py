"""The built book, read as HTML: links, languages, numbers, words for those who do not see, nothing from outside."""

import gzip
import json
import re
from pathlib import Path

import pytest
import yaml
from reading import LANGUAGES, chapter, in_language, pages, read, target

ROOT = Path(__file__).parents[2]
LIMIT = 300_000  # bytes with gzip on a first visit
NUMBERED = {
    "zh-Hant": {"figure": r"圖 (\d+)\.(\d+)", "exercise": r"練習 (\d+)\.(\d+)", "table": r"表 (\d+)\.(\d+)"},
    "en": {"figure": r"Fig\. (\d+)\.(\d+)", "exercise": r"Exercise (\d+)\.(\d+)", "table": r"Table (\d+)\.(\d+)"},
}
# KaTeX's fonts outside its stylesheet, by the class that asks for them
FONTS = {
    "mathbf": "Main-Bold",
    "textbf": "Main-Bold",
    "boldsymbol": "Math-BoldItalic",
    "mathbb": "AMS-Regular",
    "amsrm": "AMS-Regular",
    "textit": "Main-Italic",
    "mathit": "Main-Italic",
    "mathcal": "Caligraphic-Regular",
    "mathsf": "SansSerif-Regular",
    "textsf": "SansSerif-Regular",
    "mathtt": "Typewriter-Regular",
    "texttt": "Typewriter-Regular",
    "mathscr": "Script-Regular",
    "mathfrak": "Fraktur-Regular",
}


def listed():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    return [c["file"] for part in toc["parts"] for c in part["chapters"]]


def complaints(found):
    found = list(found)
    assert not found, "\n" + "\n".join(found)


def name(page):
    return "/".join(page.parts[-2:])


def test_every_listed_page_is_built(book):
    complaints(f"{page}.html is missing" for page in listed() if not (book / f"{page}.html").is_file())


def test_pages_say_their_language(book):
    complaints(
        f"{name(p)}: <html lang={read(p).find('html')[0].get('lang')!r}>"
        for p in pages(book)
        if read(p).find("html")[0].get("lang") != read(p).language
    )


def test_pages_link_their_twin(book):
    def faults():
        for p in pages(book):
            other = LANGUAGES[read(p).language]
            links = [a["href"] for a in read(p).find("a", hreflang=other, rel="alternate")]
            want = book / "chapters" / other / p.name
            if [target(p, link)[0] for link in links] != [want]:
                yield f"{name(p)}: links {links} to its twin, expected one to {other}/{p.name}"
            elif not want.is_file():
                yield f"{name(p)}: has no twin"

    complaints(faults())


def test_previous_and_next_follow_the_table_of_contents(book):
    def faults():
        for language in LANGUAGES:
            order = [book / f"{page}.html" for page in listed() if page.startswith(f"chapters/{language}/")]
            for k, p in enumerate(order):
                for rel, want in (("prev", order[k - 1] if k else None), ("next", order[k + 1] if k + 1 < len(order) else None)):
                    got = [target(p, a["href"])[0] for a in read(p).find("a", rel=rel)]
                    if got != ([want] if want else []):
                        yield f"{name(p)}: {rel} leads to {got}, expected {want}"

    complaints(faults())


def test_the_contents_list_only_the_page_s_language(book):
    def faults():
        for p in pages(book):
            page = read(p)
            for link in page.links:
                to = target(p, link)
                if to and "chapters" in to[0].parts and f"/chapters/{page.language}/" not in to[0].as_posix():
                    if link not in [a["href"] for a in page.find("a", rel="alternate")]:
                        yield f"{name(p)}: links the other language: {link}"

    complaints(faults())


def test_links_and_anchors_lead_somewhere(book):
    def faults():
        for p in [book / "index.html", *pages(book)]:
            for link in read(p).links:
                if to := target(p, link):
                    file, anchor = to
                    if not file.is_file():
                        yield f"{name(p)}: {link} leads to no file"
                    elif anchor and file.suffix == ".html" and anchor not in read(file).ids:
                        yield f"{name(p)}: {link} leads to no place on the page"

    complaints(faults())


def test_nothing_is_loaded_from_outside(book):
    def faults():
        for p in [book / "index.html", *pages(book)]:
            for link in read(p).loads:
                to = target(p, link)
                if to is None and not link.startswith("data:"):
                    yield f"{name(p)}: loads {link}"
                elif to and not to[0].is_file():
                    yield f"{name(p)}: loads {link}, which is not there"
            for word in ("MathJax", "require.js", "html-manager", "unpkg.com", "cdn."):
                if word in read(p).source:
                    yield f"{name(p)}: speaks of {word}"
        for css in book.rglob("*.css"):
            for link in re.findall(r"(?:url\(|@import\s+)[\"']?([^\"')]+)", css.read_text("utf-8")):
                if not link.startswith("data:") and not (css.parent / link.split("?")[0]).is_file():
                    yield f"{css.name}: loads {link}"

    complaints(faults())


def test_ids_stand_once(book):
    complaints(
        f"{name(p)}: id {i!r} stands {read(p).ids.count(i)} times"
        for p in pages(book)
        for i in sorted({i for i in read(p).ids if read(p).ids.count(i) > 1})
    )


def test_figures_are_described(book):
    def faults():
        for p in pages(book):
            for tag, attrs in read(p).drawings:
                if tag == "img" and "alt" not in attrs:
                    yield f"{name(p)}: an image without alt: {attrs.get('src', '')[:60]}"
                if tag == "svg" and not (attrs.get("aria-hidden") == "true" or attrs.get("aria-label", "").strip()):
                    yield f"{name(p)}: a drawing without words: {attrs.get('class')}"

    complaints(faults())


def test_no_formula_was_left_as_source(book):
    def faults():
        for p in pages(book):
            if "katex-error" in read(p).source:
                yield f"{name(p)}: KaTeX's error stands on the page"
            if found := re.search(r"\$\$|\\\(|\\\[|\\(?:begin|frac|theta|text|boldsymbol|mathbb)\b", read(p).text):
                at = found.start()
                yield f"{name(p)}: TeX on the page: {read(p).text[max(0, at - 30) : at + 40]!r}"

    complaints(faults())


@pytest.mark.parametrize("kind", ["figure", "exercise", "table"])
def test_numbers_run_through_each_chapter(book, kind):
    def faults():
        for p in pages(book):
            words = [w for w in read(p).spoken.get("caption-number", [])]
            found = [tuple(map(int, m.groups())) for w in words if (m := re.match(NUMBERED[read(p).language][kind], w))]
            want = [(chapter(p), k) for k in range(1, len(found) + 1)]
            if chapter(p) and found != want:
                yield f"{name(p)}: numbers {found}, expected {want}"

    complaints(faults())


def test_captions_speak_the_page_s_language(book):
    def faults():
        for p in pages(book):
            known = (
                "|".join(NUMBERED[read(p).language].values())
                + "|"
                + {"zh-Hant": r"程式 \d", "en": r"Listing \d"}[read(p).language]
            )
            for words in read(p).spoken.get("caption-number", []):
                if chapter(p) and words.strip() and not re.match(known, words):
                    yield f"{name(p)}: numbered as {words!r}"

    complaints(faults())


def test_equations_and_sections_are_numbered_by_chapter(book):
    def faults():
        for p in pages(book):
            equations = re.findall(r"\((\d+)\.(\d+)\)", "".join(read(p).spoken.get("eqno", [])))
            want = [(str(chapter(p)), str(k)) for k in range(1, len(equations) + 1)]
            if chapter(p) and equations != want:
                yield f"{name(p)}: equations {equations}, expected {want}"
            sections = [s.strip() for s in read(p).spoken.get("section-number", []) if s.strip()]
            want = [str(chapter(p)), *(f"{chapter(p)}.{k}" for k in range(1, len(sections)))]
            if chapter(p) and sections != want:
                yield f"{name(p)}: sections {sections}, expected {want}"

    complaints(faults())


def test_the_interface_speaks_the_page_s_language(book):
    def faults():
        for p in pages(book):
            for tag, attrs in read(p).tags:
                if attrs.get("role") == "img":
                    continue  # a figure's own words, which may be a formula alone
                if tag in ("button", "nav", "input", "dialog", "div") or "button" in attrs.get("class", ""):
                    for said in filter(None, (attrs.get("aria-label"), attrs.get("title"), attrs.get("placeholder"))):
                        if not in_language(said, read(p).language):
                            yield f"{name(p)}: <{tag}> says {said!r}"

    complaints(faults())


def test_chinese_sentences_name_authors_in_chinese(book):
    chapters = [p for p in pages(book) if chapter(p) and read(p).language == "zh-Hant"]
    cited = [(p, said) for p in chapters for said in re.findall(r'"bibtex-citation".*?</span>', p.read_text("utf-8"))]
    assert any("等人" in said for _, said in cited)
    complaints(f"{name(p)}: {said}" for p, said in cited if re.search(r">[^<]*(et al\.| and )", said))


def test_docstrings_are_english_and_their_fields_the_page_s_language(book):
    def faults():
        for p in [p for p in pages(book) if p.stem == "api"]:
            page = read(p)
            docs = page.find("dl", class_="py function")
            if not docs or any(attrs.get("lang") != "en" for attrs in docs):
                yield f"{name(p)}: a docstring is not marked as English"
            named = re.findall(r'<(?:dt|p) lang="([\w-]+)" class="(?:field-\w+|rubric)">(.*?)<', page.source)
            for language, word in named:
                if language != page.language or not in_language(word, language):
                    yield f"{name(p)}: a field is named {word!r} in {language}"
            if not named:
                yield f"{name(p)}: no field has a name"

    complaints(faults())


def test_headings_are_anchored_by_their_labels(book):
    def faults():
        for p in pages(book):
            ending = {"zh-Hant": "-zh", "en": "-en"}[read(p).language]
            for attrs in read(p).find("section"):
                anchor = attrs.get("id", "")
                if re.fullmatch(r"id\d+", anchor) or (chapter(p) and not anchor.removesuffix("-content").endswith(ending)):
                    yield f"{name(p)}: a section with the anchor {anchor!r}"

    complaints(faults())


def test_each_notebook_lies_beside_its_page(book):
    def faults():
        for page in listed():
            if (source := ROOT / f"{page}.ipynb").is_file():
                copy = book / f"{page}.ipynb"
                if not copy.is_file() or copy.read_bytes() != source.read_bytes():
                    yield f"{page}.ipynb: missing from the book, or older than the source; build again"

    complaints(faults())


def test_the_search_index_holds_every_page_of_its_language(book):
    def faults():
        for language in LANGUAGES:
            text = (book / "_static" / f"search-index.{language}.js").read_text("utf-8")
            index = json.loads(re.search(r"ropebook\.index\((.*)\)\s*$", text, re.S)[1])
            index = index["pages"]
            found = {page for page, *_ in index}
            want = {page.split("/", 2)[2] + ".html" for page in listed() if page.startswith(f"chapters/{language}/")}
            if found != want:
                yield f"{language}: {sorted(found ^ want)}"
            keys = re.findall(r"^@\w+\{([^,]+),", (ROOT / "references.bib").read_text("utf-8"), re.M)
            yield from (f"{language}: the index shows the citation key {key}" for key in keys if key in text)
            for page, _, passages, places in index:
                for anchor in [*(anchor for anchor, *_ in passages), *(anchor for _, _, anchor, *_ in places)]:
                    if anchor not in read(book / "chapters" / language / page).ids:
                        yield f"{language}/{page}: the index leads to #{anchor}, which is not there"

    complaints(faults())


def first_visit(book, page):
    """Files that a browser fetches for a page seen first: name and bytes with gzip."""
    files = {page, *(to[0] for link in read(page).loads if (to := target(page, link)))}
    classes = {c for tag, attrs in read(page).tags if tag == "span" for c in attrs.get("class", "").split()}
    files |= {book / "_static" / "katex" / "fonts" / f"KaTeX_{FONTS[c]}.woff2" for c in classes & set(FONTS)}
    slanted = read(page).language == "en" and any(tag in ("em", "i", "cite") for tag, _ in read(page).tags)
    files |= {book / "_static" / "fonts" / f"RopeSans{slant}.woff2" for slant in ("", "-Italic")[: 1 + slanted]}
    return {f.relative_to(book).as_posix(): len(gzip.compress(f.read_bytes(), 6)) for f in files}


def test_pages_are_light(book, record_property):
    weights = {p: first_visit(book, p) for p in pages(book)}
    rows = sorted(((sum(w.values()), w[p.relative_to(book).as_posix()], name(p)) for p, w in weights.items()), reverse=True)
    table = [f"{total / 1000:8.1f} kB  {own / 1000:8.1f} kB  {page}" for total, own, page in rows]
    record_property(
        f"print: page weights with gzip: first visit, the page alone (limit {LIMIT // 1000} kB)",
        "\n".join(table),
    )
    complaints(f"{page}: {total} bytes on a first visit, limit {LIMIT}" for total, _, page in rows if total > LIMIT)
