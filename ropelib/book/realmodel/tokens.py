"""From text to token numbers and back: byte-level BPE, as the model's file describes it.

The text's bytes are written as printable characters, one each; then, word by word, the neighbours that were joined first
when the vocabulary was made are joined first, until no known pair is left.
"""

import functools
import itertools
import re
import unicodedata

LETTERS = r"[^\W\d_]"
WORDS = re.compile(rf"'s|'t|'re|'ve|'m|'ll|'d| ?{LETTERS}+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
CONTROL = 3  # the kind of token that is no text: <|im_start|> and its like


def letters_of_bytes():
    """A printable character for each of the 256 bytes: its own where it has one, else the next free from 256 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printable]
    return {b: chr(b) for b in printable} | {b: chr(256 + k) for k, b in enumerate(others)}


def is_number(character):
    """Whether Unicode calls it a number: 7, ², ½ or Ⅷ."""
    return unicodedata.category(character).startswith("N")


class Tokenizer:
    """Text to numbers and back.

    Parameters
    ----------
    tokens : list of str
        Every token, in the order of the numbers.
    merges : list of str
        Pairs, with a space between, in the order in which they are joined.
    kinds : list of int
        Of every token; 3 is a control token, which is taken whole.
    """

    def __init__(self, tokens, merges, kinds):
        self.tokens = tokens
        self._number = {token: k for k, token in enumerate(tokens)}
        self._rank = {tuple(pair.split(" ")): k for k, pair in enumerate(merges)}
        self._letter = letters_of_bytes()
        self._byte = {letter: b for b, letter in self._letter.items()}
        self._control = {token for token, kind in zip(tokens, kinds, strict=True) if kind == CONTROL}
        longest_first = sorted(self._control, key=len, reverse=True)
        self._cut = re.compile(f"({'|'.join(map(re.escape, longest_first))})")
        self.word = functools.lru_cache(None)(self._word)

    @classmethod
    def of(cls, settings):
        """From the settings of a GGUF file."""
        return cls(*(settings[f"tokenizer.ggml.{name}"] for name in ("tokens", "merges", "token_type")))

    def encode(self, text):
        """The numbers of a text: a list of int. Any text can be written; what is rare takes more tokens."""
        if not isinstance(text, str):
            raise TypeError(f"text must be a string, got {type(text).__name__}")
        numbers = []
        for part in self._cut.split(text):
            if part in self._control:
                numbers.append(self._number[part])
            else:
                for digits, run in itertools.groupby(part, is_number):  # every digit stands alone
                    for word in run if digits else WORDS.findall("".join(run)):
                        numbers += self.word(word)
        return numbers

    def _word(self, word):
        parts = [self._letter[b] for b in word.encode("utf-8")]
        while len(parts) > 1:
            pairs = itertools.pairwise(parts)
            first = min(pairs, key=lambda pair: self._rank.get(pair, len(self._rank)))
            if first not in self._rank:
                break
            joined, k = [], 0
            while k < len(parts):
                together = tuple(parts[k : k + 2]) == first
                joined.append("".join(parts[k : k + 1 + together]))
                k += 1 + together
            parts = joined
        return tuple(self._number[part] for part in parts)

    def decode(self, numbers):
        """The text of numbers; bytes that are no character become �."""
        found = (self.tokens[int(n)] for n in numbers)
        data = b"".join(t.encode() if t in self._control else bytes(self._byte[c] for c in t) for t in found)
        return data.decode("utf-8", "replace")
