"""Words that figures and checks print: written in English in the code, shown in the notebook's language."""

LANGUAGES = ("zh-Hant", "en")
_language = "en"

# English key -> Taiwan Chinese. Sections follow the chapters; a word used by several stands under "shared".
WORDS = {
    # shared
    "position": "位置",
    "position {m}": "位置 {m}",
    "relative distance": "相對距離",
    "score": "分數",
    "query": "查詢",
    "key": "鍵",
    # checks
    "expected below": "應小於",
    "no answer yet: put yours in place of the dots": "還沒有作答：請把刪節號換成你的答案",
    "shape: got {got}, expected {want}": "形狀：得到 {got}，應為 {want}",
    "got {got}, expected numbers": "得到 {got}，應為數字",
    "this is what you get when: {slip}": "這個結果的由來：{slip}",
    "off most at {place}: got {got}, expected a value that differs by {gap}": "{place} 差最多：得到 {got}，與正確值相差 {gap}",
    "the number itself": "這個數",
}


def use(language):
    """Choose the language of every label from here on.

    Parameters
    ----------
    language : str
        ``"zh-Hant"`` or ``"en"``.

    Raises
    ------
    ValueError
        If the language is not one of the two.
    """
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"language: got {language!r}, expected one of {', '.join(map(repr, LANGUAGES))}")
    _language = language


def t(text, **values):
    """Give a label in the chosen language.

    Parameters
    ----------
    text : str
        The English label, a key of `WORDS`.
    **values
        What ``{name}`` in the label stands for.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the label has no Chinese: in either language, so that one notebook cannot run ahead of its twin.
    """
    if text not in WORDS:
        raise ValueError(f"text: got {text!r}, which ropelib.labels.WORDS does not hold; add its Chinese there")
    word = WORDS[text] if _language == "zh-Hant" else text
    return word.format(**values) if values else word
