"""Run the library's tests on the oldest and the newest NumPy, on every Python from 3.11 that the machine has.

python -m tools.matrix
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "_build" / "matrix"
LEAST = (3, 11)
# The first NumPy with wheels for a Python is the oldest one tried there; ropelib itself asks for 2.0.
OLDEST = {(3, 11): "2.0.0", (3, 12): "2.0.0", (3, 13): "2.1.0", (3, 14): "2.3.2"}
NEEDS = ("pytest", "hypothesis", "mypy", "ml-dtypes", "jsonschema", "mpmath", "tomli-w")  # where the requirements name them


def pythons():
    """Every Python from 3.11, newest last: those on the path, and pyenv's."""
    names = [f"python3.{minor}" for minor in range(LEAST[1], 20)]
    found = {sys.executable, *filter(None, map(shutil.which, names))}
    found |= {str(p) for p in Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin/python")}
    by_version = {}
    for path in sorted(found):
        done = subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True)
        if done.returncode == 0 and (version := tuple(map(int, done.stdout.split()))) >= LEAST:
            by_version.setdefault(version, path)
    return sorted(by_version.items())


def needs():
    """What tests/lib imports beside NumPy, pinned as the requirements pin it."""
    text = "".join((ROOT / name).read_text("utf-8") for name in ("requirements.txt", "requirements-test.txt"))
    return [line for line in text.splitlines() if re.split("==", line)[0].lower().replace("_", "-") in NEEDS]


def run(version, path, numpy):
    """Whether the library's tests pass on one Python with one NumPy."""
    folder = PLACE / f"python{version[0]}.{version[1]}-numpy{numpy or '-newest'}"
    subprocess.check_call([path, "-m", "venv", "--clear", folder])
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = [f"numpy=={numpy}" if numpy else "numpy", *needs()]
    if subprocess.call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]):
        return None
    return subprocess.call([python, "-m", "pytest", "tests/lib", "-q", "-p", "no:cacheprovider"], cwd=ROOT) == 0


def main():
    verdicts = {}
    for version, path in pythons():
        for numpy in (OLDEST.get(version), None):
            verdicts[f"Python {version[0]}.{version[1]}, NumPy {numpy or 'newest'}"] = run(version, path, numpy)
    print()
    for name, passed in verdicts.items():
        print(f"{name}: {'passed' if passed else 'could not be installed' if passed is None else 'FAILED'}")
    sys.exit(not all(verdicts.values()))


if __name__ == "__main__":
    main()
