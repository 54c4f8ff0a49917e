"""Wheels made from what is on disk, byte for byte the same for the same sources, without the network."""

import base64
import hashlib
import re
import tomllib
import zipfile
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

# Never imported by a reader: they would be half of sympy's weight
LEAVE = re.compile(r"(^|/)(tests?|testing/tests|benchmarks|__pycache__)/|\.pyc$|^\.\.|^/")
WHEEL = "Wheel-Version: 1.0\nGenerator: ropebook\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
THEN = (2020, 1, 1, 0, 0, 0)  # a date that does not change


def _write(path, files):
    """One wheel of `files` (name: bytes), with its RECORD."""
    info = next(name.split("/")[0] for name in files if ".dist-info/" in name)
    record = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files = {**files, f"{info}/RECORD": "".join([*record, f"{info}/RECORD,,\n"]).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, THEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return path


@cache  # every page names the wheel
def _project(root):
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


def name_of_ropelib(root):
    project = _project(root)
    return f"{project['name']}-{project['version']}-py3-none-any.whl"


def _metadata(project):
    """What pip reads: who it is and what it needs."""
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {need}" for need in project["dependencies"])]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {need} ; extra == "{extra}"' for need in needs)]
    return "".join(f"{line}\n" for line in lines).encode()


def wheel_of_ropelib(root, folder):
    """ropelib as its sources stand."""
    project = _project(root)
    name, version = project["name"], project["version"]
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted((root / name).rglob("*")) if p.is_file()}
    files = {path: data for path, data in files.items() if not LEAVE.search(path)}
    info = f"{name}-{version}.dist-info"
    files[f"{info}/METADATA"] = _metadata(project)
    files[f"{info}/WHEEL"] = WHEEL.encode()
    return _write(folder / name_of_ropelib(root), files)


def wheel_of_distribution(name, folder):
    """An installed pure-Python package; one made before is kept, for a version's files do not change."""
    found = distribution(name)
    path = folder / f"{name}-{found.version}-py3-none-any.whl"
    if path.exists():
        return path
    files = {f.as_posix(): Path(found.locate_file(f)) for f in found.files}
    info = next(f.split("/")[0] for f in files if f.endswith(".dist-info/METADATA"))
    kept = {f: p.read_bytes() for f, p in files.items() if not LEAVE.search(f)
            and (not f.startswith(info) or f == f"{info}/METADATA" or "licen" in f.lower())}
    compiled = [f for f in kept if f.endswith((".so", ".pyd"))]
    if compiled:
        raise ValueError(f"{name}: holds compiled code ({compiled[0]}), which a browser cannot run")
    kept[f"{info}/WHEEL"] = WHEEL.encode()
    return _write(path, kept)


def imports_of(wheel):
    """The modules at the top of a wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    return sorted({n.split("/")[0].removesuffix(".py") for n in names
                   if n.endswith(".py") and ".dist-info/" not in n and ".data/" not in n})
