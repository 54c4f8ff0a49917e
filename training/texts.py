"""The two texts: fetched as packages by their own package managers, checked by hash, and prepared.

Both are in the public domain. The King James Bible comes from Debian's `bible-kjv-text`, the Complete Tang Poems in
Traditional characters from npm's `chinese-poetry`.
"""

import json
import re
import struct
import subprocess
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np

from tools.packages import fetched

FOLDER = Path(__file__).parent.parent / "_build" / "training" / "texts"
PACKAGES = {  # file: the command that fetches it, its hash
    "bible-kjv-text_4.38_all.deb": (
        ["apt-get", "download", "bible-kjv-text=4.38"],
        "d61b6aad4c51ba9e2800b825325fa6a09e99a0d02a9bb6dc4724fcc4995a1b7a",
    ),
    "chinese-poetry-2.0.1.tgz": (
        ["npm", "pack", "chinese-poetry@2.0.1"],
        "25b549e46919c3a0569db6b68ddc96956b04a484ea4518ad2bbd4f137e307e86",
    ),
}
VOCABULARY = 2000  # characters of the Tang poems, the commonest; a poem with any other character is left out
VARIANTS = str.maketrans(  # what OpenCC leaves: other forms of characters that Taiwan writes so
    "疎烟恒凉寃粧黄却猨劒荆徧堦慙蘂斾鬬鬭迹暎髪廻臯幷飜脚棊覩鴈遶嬾媿桮栖翫褭秪",
    "疏煙恆涼冤妝黃卻猿劍荊遍階慚蕊旆鬥鬥跡映髮迴皋並翻腳棋睹雁繞懶愧杯棲玩裊祇",
)
VERSES = re.compile(r"([\u4e00-\u9fff]{5}，[\u4e00-\u9fff]{5}。)+|([\u4e00-\u9fff]{7}，[\u4e00-\u9fff]{7}。)+")


def package(name):
    """The package file, fetched if it is not here yet: none but the one that the models were trained on."""
    return fetched(FOLDER / name, *PACKAGES[name])


def king_james():
    """The King James Bible, one verse a line, without numbers."""
    folder = FOLDER / "bible-kjv-text"
    subprocess.run(["dpkg-deb", "-x", package("bible-kjv-text_4.38_all.deb"), folder], check=True)
    return verses(blocks((folder / "usr/lib/bible.data").read_bytes()))


def blocks(data):
    """The text of the package's own format: blocks as of Unix compress, without their first bytes, at listed offsets."""
    (count,) = struct.unpack_from(">I", data, 88)
    starts = struct.unpack_from(f">{count}I", data, 92)
    parts = (b"\x1f\x9d\x90" + data[a:b] for a, b in zip(starts, [*starts[1:], len(data)], strict=True))
    return b"".join(map(unpacked, parts)).decode("ascii")


def unpacked(part):
    return subprocess.run(["gzip", "-dc"], input=part, capture_output=True, check=True).stdout


def verses(text):
    """Lines such as "Ge1:1 In the beginning ..." without what stands before the first blank; the title has no number."""
    found = (re.fullmatch(r"\w+?\d+:\d+ +(.*?) *", line) for line in text.splitlines())
    return "".join(verse[1] + "\n" for verse in found if verse)


def tang():
    """Regular poems in verses of 5 or 7 characters, one a line, in Taiwan's characters."""
    from opencc import OpenCC

    with tarfile.open(package("chinese-poetry-2.0.1.tgz")) as archive:
        names = [n for n in archive.getnames() if re.fullmatch(r"package/dist/quantangshi/poet\.tang\.\d+\.json", n)]
        names.sort(key=lambda name: int(name.split(".")[-2]))
        poems = ["".join(poem["paragraphs"]) for name in names for poem in json.load(archive.extractfile(name))]
    return regular(OpenCC("t2tw").convert("\n".join(poems)).split("\n"))


def frequent(character):
    """Whether it is among the 5,401 frequently used characters of Big5, which the book's font holds; or its punctuation."""
    return b"\xa1\x40" <= character.encode("big5", "replace") < b"\xc9\x40"


def regular(poems, vocabulary=VOCABULARY):
    """Poems of one metre, each once, that keep to the commonest characters; shuffled, since they came author by author."""
    poems = [poem for poem in dict.fromkeys(poem.translate(VARIANTS) for poem in poems) if VERSES.fullmatch(poem)]
    common = [character for character, _ in Counter("".join(poems)).most_common() if frequent(character)]
    common = set(common[:vocabulary])
    poems = [poem for poem in poems if set(poem) <= common]
    return "".join(poems[i] + "\n" for i in np.random.default_rng(0).permutation(len(poems)))


def prepared(name):
    """A text as numbers: (training part, held-out last twentieth, the characters in the order of their numbers)."""
    path = FOLDER / f"{name}.txt"
    if not path.exists():
        text = {"kjv": king_james, "tang": tang}[name]()
        path.write_text(text, encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    characters, numbers = np.unique(np.array(list(text)), return_inverse=True)
    cut = len(numbers) * 19 // 20
    return numbers[:cut], numbers[cut:], "".join(characters)
