"""Bring another MiniSearch into the book:  python _ext/ropebook/search/minisearch/refresh.py minisearch-X.Y.Z.tgz

The archive is npm's (`npm pack minisearch@X.Y.Z`); npm's esbuild makes its script small.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
SMALL = ("npx", "--yes", "esbuild@0.25.11", "--minify", "--target=es2018", "--legal-comments=none")


def main(archive):
    with tarfile.open(archive) as tar:
        files = {m.name.removeprefix("package/"): tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}
    version = json.loads(files["package.json"])["version"]
    script = subprocess.run(SMALL, input=files["dist/umd/index.js"], capture_output=True, check=True).stdout
    (HERE / "minisearch.min.js").write_bytes(f"/*! MiniSearch {version}, MIT, (c) Luca Ongaro */\n".encode() + script)
    (HERE / "LICENSE").write_bytes(files["LICENSE.txt"])
    kept = [HERE / name for name in ("LICENSE", "minisearch.min.js")]
    (HERE / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in kept), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
