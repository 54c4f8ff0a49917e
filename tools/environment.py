"""Make the book's own virtual environment, or say what the machine lacks.

    python3 tools/environment.py            what the book and its notebooks need
    python3 tools/environment.py --test     and what the tests need
    python3 tools/environment.py --peers    and the libraries that ropelib is compared with
    python3 tools/environment.py --training what training the small models needs

Runs before anything is installed, so it stays readable by old Pythons and needs nothing but the standard library.
"""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(FOLDER, "Scripts" if os.name == "nt" else "bin", "python")
LEAST = (3, 11)
NEEDS = {"": ["requirements.txt"]}
NEEDS["--test"] = NEEDS[""] + ["requirements-test.txt"]
NEEDS["--peers"] = NEEDS["--test"] + ["requirements-peers.txt"]
NEEDS["--training"] = NEEDS[""] + ["training/requirements.txt"]
ALONE = {"--test": "requirements-model.txt", "--peers": "requirements-model.txt"}  # packages without what they would bring

# A notebook that draws, a page that is built, a test: what is imported for them comes to be compiled.
FIRST = """
import matplotlib.pyplot, nbclient, nbformat.v4 as v
draw = "import io, matplotlib.pyplot as plt; plt.plot([1]); plt.savefig(io.BytesIO(), format='svg')"
nbclient.execute(v.new_notebook(cells=[v.new_code_cell(draw)]))
import sphinx.application, myst_nb
"""


def complain(text):
    sys.stderr.write(text + "\n")
    sys.exit(1)


def check_python(version=sys.version_info):
    if tuple(version[:2]) < LEAST:
        complain(
            "Python {}.{} is too old: the book needs 3.11 or newer.\n"
            "Install one (Debian 12 or newer: apt install python3 python3-venv) and name it:  make book PYTHON=python3.12".format(
                version[0], version[1]
            )
        )


def check_venv():
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        complain("This Python cannot make virtual environments. On Debian or Ubuntu:  apt install python3-venv")


def fingerprint(files):
    """Changes when a requirement, or the Python that reads it, does."""
    parts = [sys.version.encode()]
    for name in files:
        with open(os.path.join(ROOT, name), "rb") as f:
            parts.append(f.read())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def made_elsewhere():
    """Whether .venv came along with a copied or moved folder: its links still lead to the old one."""
    place = os.path.join(FOLDER, "made-for")
    if not os.path.exists(place):
        return os.path.exists(PYTHON)
    with open(place) as f:
        return f.read() != ROOT


def make():
    subprocess.check_call([sys.executable, "-m", "venv", "--clear", FOLDER])
    with open(os.path.join(FOLDER, "made-for"), "w") as f:
        f.write(ROOT)


def compile_once():
    """Where Python must not write what it compiles, each notebook would compile 600 modules again, for a second or two."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        free = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.call([PYTHON, "-c", FIRST], env=free, cwd=FOLDER)


def main(arguments):
    wanted = arguments[0] if arguments else ""
    files, alone = NEEDS[wanted], ALONE.get(wanted)
    check_python()
    if made_elsewhere():
        print("This .venv was made for another folder; making a new one.")
        make()
    stamp = os.path.join(FOLDER, "{}.stamp".format(files[-1].replace("/", "-")))
    want = fingerprint(files + [alone] if alone else files)
    if os.path.exists(stamp) and os.path.exists(PYTHON):
        with open(stamp) as f:
            if f.read() == want:
                return
    check_venv()
    print("Preparing .venv from {} (once, a few minutes) ...".format(" and ".join(files)))
    sys.stdout.flush()
    if not os.path.exists(PYTHON) or subprocess.call([PYTHON, "-c", "import pip"]):
        make()
    # without compiled copies: Python makes those of what is really imported, a third of what pip would (200 MB) write
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    install = pip + ["-e", ROOT]
    for name in files:
        install += ["-r", os.path.join(ROOT, name)]
    without = pip + ["--no-deps", "-r", os.path.join(ROOT, alone)] if alone else None
    if subprocess.call(install) or (without and subprocess.call(without)):
        complain(
            "pip could not install {}: its message stands above; then run the same command again.".format(" and ".join(files))
        )
    compile_once()
    with open(stamp, "w") as f:
        f.write(want)


if __name__ == "__main__":
    main(sys.argv[1:])
