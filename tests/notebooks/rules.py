"""What every notebook of the book must keep to. Each rule gives the complaints it has: file, cell, what is wrong."""

import ast
import io
import re
from pathlib import Path

import nbformat

from ropelib.book.absent import MARK

ROOT = Path(__file__).parents[2]
LANGUAGES = {"zh-Hant": "zh", "en": "en"}


def notebooks(language):
    return sorted((ROOT / "chapters" / language).glob("*.ipynb"))


def pages(language):
    """Every source page of a language: notebooks and plain MyST."""
    return sorted(p for p in (ROOT / "chapters" / language).iterdir() if p.suffix in (".ipynb", ".md"))


def read(path):
    return nbformat.read(path, as_version=4)


def where(path, cell):
    return f"{path.parent.name}/{path.name}, cell {cell.id}"


def code_cells(book):
    return [c for c in book.cells if c.cell_type == "code"]


# --- outputs -----------------------------------------------------------------------------------------------------------

SHOWS = {"print", "check", "answer", "show", "display", "interact", "scene"}


def must_show(source):
    """Whether this code, when run, prints or displays something: what nbval would not miss if it were cleared."""
    tree = ast.parse(source)
    inside = {n for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.Lambda)) for n in ast.walk(f) if n is not f}
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and n not in inside]
    names = {getattr(c.func, "id", getattr(c.func, "attr", "")) for c in calls}
    last = tree.body[-1] if tree.body else None
    bare = isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant) and not isinstance(last.value, ast.Call)
    return bool(names & SHOWS) or any(n.startswith("grade") for n in names) or bare


def outputs_stored(path, book):
    """Outputs are there, in order, without errors, warnings or addresses that another machine would not repeat."""
    for number, cell in enumerate(code_cells(book), 1):
        if cell.execution_count != number:
            yield f"{where(path, cell)}: execution count {cell.execution_count}, expected {number}; run: make run"
        if not cell.outputs and must_show(cell.source):
            yield f"{where(path, cell)}: prints or draws, but has no stored output"
        for out in cell.outputs:
            text = out.get("text", "") or "".join(str(v) for v in out.get("data", {}).values())
            if out.output_type == "error":
                yield f"{where(path, cell)}: raised {out.ename}: {out.evalue}"
            elif text.startswith(MARK):
                yield f"{where(path, cell)}: was left out; install what it needs, then: make run"
            elif out.get("name") == "stderr":
                yield f"{where(path, cell)}: wrote to stderr: {text[:80]!r}"
            elif found := re.search(r"<[\w. ]+ at 0x[0-9a-f]+>", text):
                yield f"{where(path, cell)}: left {found[0]} in its output"


PROSE_IN_CODE = re.compile(r"^`{3,}\{(admonition|exercise|solution-start|solution-end|note|warning)\}", re.M)


def prose_stays_prose(path, book):
    """Directives that hold sentences are fenced by colons: viewers that do not know them then show text, not a box of code."""
    for cell in book.cells:
        if cell.cell_type == "markdown":
            for name in PROSE_IN_CODE.findall(cell.source):
                yield f"{where(path, cell)}: {{{name}}} is fenced by backticks, expected :::"


def figures_described(path, book):
    """Whatever draws carries alt text, and its numbers in words."""
    for cell in code_cells(book):
        for out in cell.outputs:
            data = out.get("data", {})
            if "image/svg+xml" in data or "image/png" in data:
                if not cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip():
                    yield f"{where(path, cell)}: a figure without alt text"
                if not data.get("text/plain", "").startswith("<Figure: "):
                    yield f"{where(path, cell)}: a figure without its numbers"


SCENE = 40_000  # bytes that one stored scene may take


def stills_stored(path, book):
    """What moves has left a still: a viewer without scripts shows no scene, one without a kernel no widget."""
    for cell in code_cells(book):
        for out in cell.outputs:
            data = out.get("data", {})
            if "application/vnd.jupyter.widget-view+json" in data:
                yield f"{where(path, cell)}: a widget without a still; run: make run"
            if (page := data.get("text/html", "")).startswith("<rope-scene"):
                if not re.search(r'<img alt="[^"]+" src="data:image/svg\+xml,<svg', page):
                    yield f"{where(path, cell)}: a scene without a still; run: make run"
                if (size := len(page.encode())) > SCENE:
                    yield f"{where(path, cell)}: a scene of {size:,} bytes, expected at most {SCENE:,}"


def comparison_left_out(path, book):
    """Only a live widget may escape comparison: what it shows depends on the front end, so it must not carry a fact."""
    for cell in code_cells(book):
        odd = [tag for tag in cell.metadata.get("tags", []) if "nbval" in tag or tag in ("skip-execution", "raises-exception")]
        if odd and not (odd == ["nbval-ignore-output"] and "interact(" in cell.source and "check(" not in cell.source):
            yield f"{where(path, cell)}: {' '.join(odd)} hides what this cell prints"


# --- twins -------------------------------------------------------------------------------------------------------------

LABEL = re.compile(r"^\(([\w-]+)\)=$|:(?:label|name): ([\w-]+)|\$\$ \(([\w-]+)\)", re.M)
CITE = re.compile(r"\{cite(?::\w+)?\}`([^`]+)`")
DIRECTIVE = re.compile(r"^[`:]{3,}\{([\w-]+)\}", re.M)


def _without_language(names, language):
    return [re.sub(f"-{LANGUAGES[language]}$", "", n) for n in names]


def skeleton(cell, language):
    """What must be equal in both languages: by name, what is found in this cell."""
    if cell.cell_type == "code":
        return {
            "code": cell.source.replace(f'book.setup("{language}")', 'book.setup("")'),
            "figure": _without_language([cell.metadata.get("mystnb", {}).get("figure", {}).get("name", "")], language),
        }
    text = cell.source
    keys = [k.strip() for group in CITE.findall(text) for k in group.split(",")]
    return {
        "labels": _without_language(["".join(m) for m in LABEL.findall(text)], language),
        "citations": sorted(re.sub(f"^{LANGUAGES[language]}-", "", k) for k in keys),
        "headings": [len(h) for h in re.findall(r"^(#+) ", re.sub(r"```.*?```", "", text, flags=re.S), re.M)],
        "directives": DIRECTIVE.findall(text),
        "displayed equations": len(re.findall(r"^\$\$", text, re.M)),
    }


def page_twins(texts):
    """Complaints where the plain pages of {language: (path, text)} differ in more than words."""
    (one, (path, mine)), (two, (_, theirs)) = texts.items()
    left, right = (skeleton(nbformat.v4.new_markdown_cell(t), lang) for t, lang in ((mine, one), (theirs, two)))
    yield from (f"{path.name}: {k} {left[k]!r} in {one}, {right[k]!r} in {two}" for k in left if left[k] != right[k])


def twins(books):
    """Complaints where the notebooks of {language: (path, book)} are not the same but for their words."""
    (one, (path, mine)), (two, (_, theirs)) = books.items()
    ids = [[c.id for c in b.cells] for b in (mine, theirs)]
    if ids[0] != ids[1]:
        odd = sorted(set(ids[0]) ^ set(ids[1])) or "their order"
        yield f"{path.name}: the cells of {one} and {two} differ in {odd}"
        return
    for a, b in zip(mine.cells, theirs.cells, strict=True):
        if (a.cell_type, a.metadata.get("tags", [])) != (b.cell_type, b.metadata.get("tags", [])):
            yield f"{where(path, a)}: kind or tags differ between {one} and {two}"
            continue
        left, right = skeleton(a, one), skeleton(b, two)
        yield from (f"{where(path, a)}: {k} {left[k]!r} in {one}, {right[k]!r} in {two}" for k in left if left[k] != right[k])


# --- Chinese -----------------------------------------------------------------------------------------------------------

HAN = "\u3400-\u9fff\uf900-\ufaff"
# Written the mainland way; the Taiwan word follows. Only words that have no other use in this book.
MAINLAND = {
    "代碼": "程式碼", "信息": "資訊", "數組": "陣列", "緩存": "快取", "默認": "預設", "缺省": "預設",
    "視頻": "影片", "網絡": "網路", "質量": "品質", "優化": "最佳化", "程序": "程式", "對于": "對於",
    "打印": "印出", "屏幕": "螢幕", "軟件": "軟體", "硬件": "硬體", "內存": "記憶體", "字符": "字元",
    "變量": "變數", "線程": "執行緒", "服務器": "伺服器", "用戶": "使用者", "鏈接": "連結", "加載": "載入",
    "調用": "呼叫", "接口": "介面", "可視化": "視覺化", "算法": "演算法", "遞歸": "遞迴", "魯棒": "穩健",
    "返回": "回傳", "創建": "建立", "運行": "執行", "編程": "程式設計", "數據": "資料", "標量": "純量",
    "矢量": "向量", "註釋": "註解", "支持": "支援", "文件": "檔案", "導入": "匯入", "令牌": "詞元",
    "激活": "啟用", "庫函": "程式庫函", "位元組序": "位元組順序",
}  # fmt: skip
SHARED = {
    "于": "於",
    "并": "並",
    "里": "裡",
    "几": "幾",
    "后": "後",
}  # in Big5, but not the Taiwan way to write these words
FINE = re.compile("演算法|公里|里程|皇后|茶几|英里|海里|鄰里|萬里|千里|于右任")


def simplified(text):
    """Characters that mainland China's simplified set has and Taiwan's Big5 has not."""

    def fits(char, codec):
        try:
            return bool(char.encode(codec))
        except UnicodeEncodeError:
            return False

    return sorted({c for c in text if re.match(f"[{HAN}]", c) and fits(c, "gb2312") and not fits(c, "big5")})


def chinese_words(text):
    """Complaints about the words of Chinese text."""
    text = FINE.sub("", text)
    yield from (f"simplified character {c}" for c in simplified(text))
    yield from (f"{c}, in Taiwan {want}" for c, want in SHARED.items() if c in text)
    yield from (f"{bad}, in Taiwan {want}" for bad, want in MAINLAND.items() if bad in text)


def prose(markdown):
    """Markdown without what is not prose: code, formulas, roles and directives become single marks."""
    text = re.sub(r"^(`{3,}|~{3,})(?!\{).*?^\1", "", markdown, flags=re.S | re.M)
    text = re.sub(r"^(`{3,})\{(?:math|bibliography)\}.*?^\1|\$\$.*?\$\$(?: \([\w-]+\))?", "", text, flags=re.S | re.M)
    text = re.sub(r"^\([\w-]+\)=$|^[`:]{3,}(\{[\w-]+\})?(?: [\w-]+)?$|^:[\w-]+:.*$", "", text, flags=re.M)
    text = re.sub(r"\{(?:ref|doc|term)\}`([^<`]*)(?:<[^>]*>)?`", r"\1", text)
    text = re.sub(r"\{[\w:]+\}`[^`]*`", "\x01", text)
    text = re.sub(r"`[^`]+`", "x", text)
    text = re.sub(r"\$[^$\n]+\$", "x", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>\n]+>", "", text)
    return text.replace("**", "").replace("*", "")


def chinese_typing(markdown):
    """Complaints about punctuation and spacing of Chinese text."""
    text = prose(markdown)
    for m in re.finditer(rf"[{HAN}][,;:?!()]|[(),;:?!][{HAN}]|[{HAN}]\.(?!\w)", text):
        yield f"half-width punctuation in {text[max(0, m.start() - 6) : m.end() + 6]!r}"
    for m in re.finditer(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9%][{HAN}]", text):
        yield f"no space between Chinese and Latin in {text[max(0, m.start() - 6) : m.end() + 6]!r}"


def chinese(path):
    """Complaints about a page of the Chinese book."""
    if path.suffix == ".md":
        parts = [(path.name, path.read_text("utf8"))]
    else:
        parts = []
        for cell in read(path).cells:
            shown = cell.metadata.get("mystnb", {})
            words = [shown.get("image", {}).get("alt", ""), shown.get("figure", {}).get("caption", "")]
            parts.append((where(path, cell), cell.source if cell.cell_type == "markdown" else "\n".join(words)))
    for place, text in parts:
        yield from (f"{place}: {c}" for c in (*chinese_words(text), *chinese_typing(text)))


def english(path):
    """Complaints about a page of the English book: it is typed in English, even where it quotes Chinese."""
    parts = [(path.name, path.read_text("utf8"))]
    if path.suffix == ".ipynb":
        cells = read(path).cells
        shown = [(c, c.metadata.get("mystnb", {})) for c in cells]
        parts = [(where(path, c), c.source) for c in cells if c.cell_type == "markdown"]
        parts += [
            (where(path, c), f"{s.get('image', {}).get('alt', '')}\n{s.get('figure', {}).get('caption', '')}") for c, s in shown
        ]
    for place, text in parts:
        text = re.sub(rf"[「『（][^」』）\n]*[{HAN}][^」』）\n]*[」』）]", "", text)  # a quotation in Chinese keeps its marks
        if marks := sorted(set(re.findall("[「」『』，。、；：（）！？]", text))):
            yield f"{place}: Chinese punctuation {' '.join(marks)} in English text"


# --- glyphs ------------------------------------------------------------------------------------------------------------


def glyphs(paths):
    """The characters that a set of font files can draw."""
    from fontTools.ttLib import TTFont

    return set().union(*(TTFont(io.BytesIO(Path(p).read_bytes())).getBestCmap() for p in paths))


def undrawable(path, book, known):
    """Characters in a notebook's figures that no font of the book draws."""
    for cell in code_cells(book):
        for out in cell.outputs:
            data = out.get("data", {})
            svg = data.get("image/svg+xml", "") + data.get("text/html", "")
            text = "".join(re.findall(r"<(?:text|tspan)\b[^>]*>([^<]*)", svg))
            if missing := sorted({c for c in text if ord(c) > 32 and ord(c) not in known}):
                yield f"{where(path, cell)}: no glyph for {' '.join(missing)}; see tools/subset_font.py"
