"""Bring another KaTeX into the book:  python _ext/ropebook/katex/refresh.py katex-X.Y.Z.tgz

The archive is npm's (`npm pack katex@X.Y.Z`). Kept are the script that the build runs, the stylesheet and its woff2 fonts.
Fonts that nearly every formula needs go into the stylesheet itself: they are there at the first paint, so nothing moves
when a font arrives.
"""

import base64
import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
SERVED = HERE.parent / "theme" / "static" / "katex"
AT_ONCE = ("Main-Regular", "Math-Italic", "Size1-Regular", "Size2-Regular", "Size3-Regular", "Size4-Regular")


def main(archive):
    with tarfile.open(archive) as tar:
        files = {m.name.removeprefix("package/"): tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}
    version = json.loads(files["package.json"])["version"]
    (HERE / "katex.min.js").write_bytes(files["dist/katex.min.js"])
    for folder in (HERE, SERVED):
        (folder / "LICENSE").write_bytes(files["LICENSE"])
    (SERVED / "copy-tex.min.js").write_bytes(files["dist/contrib/copy-tex.min.js"])
    for old in (SERVED / "fonts").glob("*.woff2"):
        old.unlink()
    (SERVED / "fonts").mkdir(parents=True, exist_ok=True)
    css = files["dist/katex.min.css"].decode()
    css = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)', "", css)
    for name in re.findall(r"url\(fonts/KaTeX_([\w-]+)\.woff2\)", css):
        font = files[f"dist/fonts/KaTeX_{name}.woff2"]
        if name in AT_ONCE:
            data = "data:font/woff2;base64," + base64.b64encode(font).decode()
            css = css.replace(f"url(fonts/KaTeX_{name}.woff2)", f"url({data})")
        else:
            (SERVED / "fonts" / f"KaTeX_{name}.woff2").write_bytes(font)
    (SERVED / "katex.css").write_text(css, "utf-8")
    kept = [HERE / "katex.min.js", *sorted(p for p in SERVED.rglob("*") if p.is_file())]
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(HERE.parent).as_posix()}\n" for p in kept)
    (HERE / "SHA256SUMS").write_text(sums, "utf-8")
    readme = HERE / "README.md"
    readme.write_text(re.sub(r"KaTeX \d\S*", f"KaTeX {version}", readme.read_text("utf-8"), count=1), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
