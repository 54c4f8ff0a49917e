"""Archives of Python's sources with their bytecode beside them, which a browser's Python need not compile at each start.

    python3.12 bytecode.py FROM TO [FROM TO ...]

A target whose name ends in .packed is compressed as one piece, its files lying in it as they are: the page unpacks it at one
go, where each of two thousand files of its own would cost it a third of a millisecond.

Run by a Python of the reader's version: bytecode is read by no other, which would go back to the sources. They stay, for
the lines of tracebacks. The bytecode is the same for the same sources, and is never compared with them again.
"""

import gzip
import io
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import cache_from_source, source_hash
from pathlib import Path

SITE = "/lib/python{}.{}/site-packages/".format(*sys.version_info)
ZIP = "/lib/python{}{}.zip/".format(*sys.version_info)
THEN = (2020, 1, 1, 0, 0, 0)  # a date that does not change


def compiled(name, source, place):
    """The bytecode of one file, as Python keeps it; None for what is no Python, such as a template."""
    try:
        code = compile(source, place + name, "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError):
        return None
    return bytes(_code_to_hash_pyc(code, source_hash(source), False))


def with_bytecode(source, target):
    """Write the archive `source` to `target` with bytecode. A wheel is unpacked, the library is read as it lies."""
    wheel, packed = str(source).endswith(".whl"), str(target).endswith(".packed")
    made, method = io.BytesIO(), zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(made, "w", method, compresslevel=6) as new:
        for entry in old.infolist():
            name, data = entry.filename, old.read(entry)
            files = {name: data}
            if name.endswith(".py") and (code := compiled(name, data, SITE if wheel else ZIP)):
                files[cache_from_source(name, optimization="") if wheel else f"{name}c"] = code
            for path, content in files.items():
                info = zipfile.ZipInfo(path, THEN)
                info.compress_type, info.external_attr = method, entry.external_attr
                new.writestr(info, content)
    Path(target).write_bytes(gzip.compress(made.getvalue(), 6, mtime=0) if packed else made.getvalue())


if __name__ == "__main__":
    for pair in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        with_bytecode(*pair)
