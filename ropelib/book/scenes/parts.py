"""The files that scenes are made of, and the words in them."""

import re
import tomllib
from functools import cache
from pathlib import Path

from .. import labels

HERE = Path(__file__).parent
KINDS = tuple(sorted(path.stem for path in HERE.glob("*.js")))
ENGINE = ("tree", "drawing", "handles", "questions", "still", "element")  # in this order
LITERAL = re.compile(r'(?<![\w.])t\(\s*"((?:[^"\\]|\\.)+)"')
NOTE = re.compile(r"(?<=[;,{}()\]]) +// .*$")  # at the end of a line of a script
EITHER = re.compile(r'(?<![\w.])t\([^"]*? \? "((?:[^"\\]|\\.)+)" : "((?:[^"\\]|\\.)+)"')


def read(name):
    return (HERE / name).read_text("utf-8")


def squeezed(text):
    """A script or a style without its notes and its indentation, and without the line ends that say nothing."""
    lines = (NOTE.sub("", line).strip() for line in re.sub(r"^\s*/\*.*?\*/$", "", text, flags=re.S | re.M).splitlines())
    return re.sub(r"(?<=[;{,])\n", "", "\n".join(line for line in lines if line and not line.startswith("// ")))


@cache
def script(kind=None):
    """The script of one scene; of the engine without a kind."""
    return squeezed(read(f"{kind}.js") if kind else "\n".join(read(f"engine/{name}.js") for name in ENGINE))


@cache
def style(kind=None):
    """The style of one scene; of the engine without a kind."""
    return squeezed(read(f"{kind}.css" if kind else "engine/scene.css"))


@cache
def keys(kind=None):
    """The English words in a script: what stands in its calls of ``t("...")``."""
    found = LITERAL.findall(script(kind)) + [key for pair in EITHER.findall(script(kind)) for key in pair]
    return tuple(dict.fromkeys(found))


@cache
def chinese(kind):
    """A scene's words: English key -> Chinese. Its own go before the engine's, and those before the book's."""
    own = (tomllib.loads((labels.FOLDER / "scenes" / f"{name}.toml").read_text("utf-8")) for name in ("engine", kind))
    return {**labels.WORDS, **next(own), **next(own)}


def words(kind, language=None):
    """What the script of a scene says, in a language, or in the notebook's; English needs no dictionary."""
    says = speaker(kind, language)
    both = {key: says(key) for key in (*keys(), *keys(kind))}
    return {key: word for key, word in both.items() if word != key}


def speaker(kind, language=None):
    """The `t` of one scene, in a language, or in the notebook's."""

    def t(text, **values):
        if text not in chinese(kind):
            raise ValueError(f"text: got {text!r}, which ropelib/book/words/scenes/{kind}.toml does not hold")
        word = text if (language or labels.language()) == "en" else chinese(kind)[text]
        return word.format(**values) if values else word

    return t
