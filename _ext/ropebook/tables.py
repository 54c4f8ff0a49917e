"""Tables of words, which a phone shows as cards: each cell then says which column it stands in."""

import html
import re

WORDS = 60  # letters in a row; what is shorter fits a phone as a table
NUMBER = re.compile(r"^(?:[−+–-]?[\d.,]+(?:\s?[%°×]|×10[⁻⁰¹²³⁴-⁹−\d]+)?|[—–-]?)$")
WIDE = re.compile(r"[\u2e80-\uffff]")


def _text(cell):
    """What a reader sees of a cell; of a formula once, as it was written."""
    cell = re.sub(r'<span class="katex-mathml">.*?</span>(?=<span class="katex-html")', "", cell, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", cell))).strip()


def numbers(table):
    """A table's HTML with columns of numbers set at their ends, so that magnitudes can be compared; the first names the rows."""
    rows = [re.findall(r"<t[hd]\b[^>]*>.*?</t[hd]>", row, re.S) for row in re.findall(r"<tr\b.*?</tr>", table, re.S)]
    body = [[_text(cell) for cell in row] for row in rows if row and not row[0].startswith("<th class=\"head")]
    if "<thead>" not in table or not body or re.search("text-(right|center)", table) or len({len(row) for row in rows}) > 1:
        return table
    ends = {k for k, column in enumerate(zip(*body, strict=True)) if k and all(map(NUMBER.match, column)) and any(column)}

    def row(found):
        column = iter(range(len(rows[0])))

        def cell(m):
            if next(column) not in ends:
                return m[0]
            return m[0].replace('class="', 'class="text-right ') if 'class="' in m[0] else f'{m[0][:-1]} class="text-right">'

        return re.sub(r"<t[hd]\b[^>]*>", cell, found[0])

    return re.sub(r"<tr\b.*?</tr>", row, table, flags=re.S)


def cards(table):
    """A table's HTML, marked for cards when its rows are long and its columns have names."""
    head = re.search(r"<thead>(.*?)</thead>", table, re.S)
    if not head:
        return table
    names = [_text(cell) for cell in re.findall(r"<th\b[^>]*>(.*?)</th>", head[1], re.S)]
    before, after = table[: head.end()], table[head.end() :]
    rows = [[_text(c) for c in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.S)] for row in after.split("<tr")[1:]]
    if not any(sum(len(c) + len(WIDE.findall(c)) for c in row) > WORDS for row in rows):
        return table

    def named(row):
        column = iter(names)
        return re.sub(r"<(t[hd])\b", lambda m: f'<{m[1]} data-column="{html.escape(next(column, ""))}"', row)

    first, *rest = after.split("<tr")
    marked = before + first + "".join("<tr" + named(row) for row in rest)
    return re.sub(r'<table class="', '<table class="cards ', marked, count=1) if '<table class="' in marked else marked.replace(
        "<table", '<table class="cards"', 1
    )
