"""Archives of Python's sources with their bytecode beside them, which a browser's Python need not compile at each start.

    python3.12 bytecode.py FROM TO [FROM TO ...]

Run by a Python of the reader's version: bytecode is read by no other, which would go back to the sources. They stay, for
the lines of tracebacks. The bytecode is the same for the same sources, and is never compared with them again.
"""

import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import cache_from_source, source_hash

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
    wheel = str(source).endswith(".whl")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as new:
        for entry in old.infolist():
            name, data = entry.filename, old.read(entry)
            files = {name: data}
            if name.endswith(".py") and (made := compiled(name, data, SITE if wheel else ZIP)):
                files[cache_from_source(name, optimization="") if wheel else f"{name}c"] = made
            for path, content in files.items():
                info = zipfile.ZipInfo(path, THEN)
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, entry.external_attr
                new.writestr(info, content)


if __name__ == "__main__":
    for pair in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        with_bytecode(*pair)
