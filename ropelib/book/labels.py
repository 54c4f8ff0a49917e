"""Words that figures and checks print: written in English in the code, shown in the notebook's language.

Each chapter keeps its own in `words/<chapter>.toml`, English key, Chinese value; `words/shared.toml` has those of several.
Scenes keep theirs in `words/scenes/`, for themselves.
"""

import tomllib
from pathlib import Path

LANGUAGES = ("zh-Hant", "en")
FOLDER = Path(__file__).parent / "words"
_language = "en"


def gather(folder):
    """Put the words of all files of a folder together.

    Parameters
    ----------
    folder : pathlib.Path

    Returns
    -------
    dict of str to str
        English label -> Chinese.

    Raises
    ------
    ValueError
        If two files say different things for one label.
    """
    words, source = {}, {}
    for path in sorted(folder.glob("*.toml")):
        for label, word in tomllib.loads(path.read_text("utf-8")).items():
            if words.setdefault(label, word) != word:
                raise ValueError(
                    f"{path.name}: {label!r} is {word!r}, but {words[label]!r} in {source[label]}: one label, one word"
                )
            source[label] = path.name
    return words


WORDS = gather(FOLDER)


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


def language():
    """The language of labels now."""
    return _language


def t(text, **values):
    """Give a label in the chosen language.

    Parameters
    ----------
    text : str
        The English label, a key of a file in `words`.
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
        raise ValueError(f"text: got {text!r}, which no file of ropelib/book/words holds; add its Chinese to the chapter's")
    word = WORDS[text] if _language == "zh-Hant" else text
    return word.format(**values) if values else word
