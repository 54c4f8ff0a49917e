"""Cut Noto Sans TC down to the characters that the book's figures may use.

Only needed when a figure wants a character that the bundled font lacks (a test says which).
It reads Debian's `fonts-noto-cjk` and needs fonttools:  python tools/subset_font.py
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
ROOT = Path(__file__).parent.parent
BOOK = ROOT / "ropelib" / "book"
FAMILY = "RopeLib Sans TC"  # a changed font carries its own name


def big5_level_1():
    """The 5401 everyday characters of Taiwan's Big5, rows A4 to C6."""
    for high in range(0xA4, 0xC7):
        for low in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            try:
                yield bytes([high, low]).decode("big5")
            except UnicodeDecodeError:
                continue


def wanted():
    latin = map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x370, 0x400)))
    signs = "，。、；：？！「」『』（）《》〈〉—…·－／％×÷±−≈≠≤≥∞∑∏√∫→←↑↓↔°′″‧①②③④⑤✓✗△⟨⟩⊥∥∈"
    sources = (f for f in BOOK.rglob("*") if f.suffix in (".py", ".toml"))
    used = (c for f in sources for c in f.read_text("utf8") if ord(c) > 0x2E80)
    return {*latin, *signs, *big5_level_1(), *used}


def main():
    if not SOURCE.exists():
        sys.exit(f"{SOURCE} is missing: install the package fonts-noto-cjk")
    font = next(f for f in TTCollection(SOURCE).fonts if f["name"].getDebugName(1) == "Noto Sans CJK TC")
    options = subset.Options()
    options.layout_features = ["kern"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting = options.desubroutinize = False
    options.notdef_outline = True
    options.drop_tables += ["vhea", "vmtx", "VORG", "GPOS", "GSUB", "BASE"]
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(wanted()))
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4):
            record.string = FAMILY
        elif record.nameID == 6:
            record.string = FAMILY.replace(" ", "") + "-Regular"
    out = BOOK / "fonts" / "RopeLibSansTC-Regular.otf"
    font.save(out)
    print(out.relative_to(ROOT), out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
