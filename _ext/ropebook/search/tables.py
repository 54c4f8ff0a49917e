"""Other ways to write what the book says: simplified characters, mainland words, and the other language's term.

Made at each build from the book's own text by OpenCC, so that they hold only what there is to find.
"""

import re
from collections import Counter

HAN = "\u3400-\u9fff\uf900-\ufaff"
LONGEST = 4  # characters of a word
# Mainland words of this subject that OpenCC does not turn: its word lists are those of an office, not of a model
THEIRS = {
    "令牌": "詞元",
    "優化": "最佳化",
    "內存": "記憶體",
    "外推": "外插",
    "插值": "內插",
    "推理": "推論",
    "掩碼": "遮罩",
    "歸一化": "正規化",
    "窗口": "視窗",
    "位置插值": "位置內插",
    "詞表": "詞彙",
    "鍵值緩存": "KV 快取",
    "顯存": "記憶體",
    "點積": "內積",
    "點乘": "內積",
    "默認": "預設",
}


def characters(text):
    """Simplified character -> the character that the book writes, the commonest where several are written so."""
    from opencc import OpenCC

    simplify, table = OpenCC("t2s"), {}
    for char, _ in Counter(re.findall(f"[{HAN}]", text)).most_common():
        table.setdefault(simplify.convert(char), char)
    return {"着": "著"} | {simple: char for simple, char in table.items() if simple != char}


def words(text):
    """Mainland word, in the book's characters -> Taiwan's word, for every word of the text that has another there."""
    from opencc import OpenCC

    simplify, mainland, back = OpenCC("t2s"), OpenCC("tw2sp"), OpenCC("s2t")
    runs = re.findall(f"[{HAN}]+", text)
    seen = Counter(run[i : i + n] for run in runs for n in range(2, LONGEST + 1) for i in range(len(run) - n + 1))
    grams = sorted((g for g, count in seen.items() if count > 1), key=len)
    if not grams:
        return {}
    theirs = dict(zip(grams, mainland.convert("\n".join(grams)).split("\n"), strict=True))
    plain = dict(zip(grams, simplify.convert("\n".join(grams)).split("\n"), strict=True))
    table, found = characters(text), {}
    for gram in grams:
        # a character that stands for two (汇 for 彙 and 匯) is read by its neighbours
        if len(gram) == 2 and (turned := "".join(table.get(c, c) for c in plain[gram])) != gram:
            found.setdefault(turned, gram)
        if theirs[gram] == plain[gram]:
            continue
        # the word itself, not a longer run that happens to hold it
        made = (theirs.get(gram[:k], plain[gram][:k]) + theirs.get(gram[k:], plain[gram][k:]) for k in range(1, len(gram)))
        if theirs[gram] not in made:
            found.setdefault(back.convert(theirs[gram]), gram)
    found |= {there: here for there, here in THEIRS.items() if here in text}
    # what the book itself writes more often means something else here, and characters alone are the other table's business
    rarer = {there: here for there, here in found.items() if text.count(there) < text.count(here)}
    kept = {there: here for there, here in rarer.items() if there.replace("着", "著") != here}
    # in simplified characters too: those that the book never writes the other table does not know
    return {simplify.convert(there): here for there, here in kept.items()} | kept


def terms(entries, language):
    """The other language's term -> this page's, from the glossary: an entry begins with the other language's words."""
    own = "[A-Za-z0-9 ()/'’-]+" if language == "zh-Hant" else f"[{HAN}]+"
    pairs = {}
    for term, text in entries:
        if found := re.match(own, text):
            pairs.setdefault(found[0].strip().lower(), term)
    return pairs
