"""Cut Source Sans 3 down to the letters of the pages: two variable fonts, upright and italic.

The Latin and Greek of Noto Sans TC, with which figures are drawn and measured, are those of Source Sans at 111.7 %: so a
page in this font at that size shows the words of its figures as wide as they were measured.

Only needed when a page wants a letter that the fonts lack (a test says which). It needs fonttools, brotli and the npm
package of Adobe, unpacked:

    npm pack source-sans@3.52.0 && tar xzf source-sans-3.52.0.tgz && python tools/web_font.py package
"""

import shutil
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

FOLDER = Path(__file__).parent.parent / "_ext" / "ropebook" / "theme" / "static" / "fonts"
NAME = "RopeSans"  # a changed font carries its own name
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ŁłĆćČčĐđĘęĚěĞğİıŃńŇňŐőŘřŚśŠšŞşŤťŮůŰűŹźŻżŽž–—‘’“”„…•‹›€™−")}
GREEK_AND_SIGNS = {*range(0x391, 0x3CA), *map(ord, "ϕ→←↑↓↔⇒≤≥≈≠≡±×÷·√∞∑∏∫∂∆⟨⟩✓✗△□■°′″‧ᵀ⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺₀₁₂₃₄₅₆₇₈₉")}


def cut(source, letters, out):
    font = TTFont(source)
    options = subset.Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.hinting, options.flavor = False, "woff2"
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    instancer.instantiateVariableFont(font, {"wght": (400, 400, 700)}, inplace=True)
    for record in font["name"].names:
        if record.nameID in (1, 4, 16):
            record.string = "Rope Sans"
        elif record.nameID == 6:
            record.string = NAME
    font.flavor = "woff2"
    font.save(out)
    print(out.name, len(font.getBestCmap()), "letters,", out.stat().st_size, "bytes")


def main(package):
    FOLDER.mkdir(exist_ok=True)
    cut(package / "VF" / "SourceSans3VF-Upright.ttf", LATIN | GREEK_AND_SIGNS, FOLDER / f"{NAME}.woff2")
    cut(package / "VF" / "SourceSans3VF-Italic.ttf", LATIN, FOLDER / f"{NAME}-Italic.woff2")
    shutil.copyfile(package / "LICENSE.md", FOLDER / "OFL.md")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
