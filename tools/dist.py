"""Pack the built book into one file that is unzipped and opened from disk.

    python -m tools.dist

`make book` comes first. The same book gives the same file, byte for byte.
"""

import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
NAME = "rope-book"
THEN = (2020, 1, 1, 0, 0, 0)  # a date that does not change


def pack(book, out):
    """Write the folder `book` as `out`, under one folder, so that unzipping leaves no litter."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(p for p in book.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(f"{NAME}/{path.relative_to(book).as_posix()}", THEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    part.replace(out)


def main():
    book, out = ROOT / "_build" / "html", ROOT / "_build" / f"{NAME}.zip"
    if not (book / "index.html").is_file():
        raise SystemExit(f"No built book at {book}. Build it first: make book")
    pack(book, out)
    print(f"\nThe book lies in\n\n    {out}  ({out.stat().st_size / 1e6:.1f} MB)\n\nUnzip it and open {NAME}/index.html.\n")


if __name__ == "__main__":
    main()
