"""A check that cannot fail is a defect: for every check cell, a slip in the chapter's own code that makes it stop.

    python -m tools.slips [CHAPTERS]      python -m tools.slips 03 09

tests/notebooks/slips/<chapter>.toml names them, under the id of the check cell that they stop:

    [[same-score]]                   # the check cell
    cell = "turn"                    # the idea cell that slips, or the figure whose folded code the check rests on
    old = "np.exp(1j * m * theta)"   # stands there once
    new = "np.exp(1j * m)"           # what a reader might have written

The slip must stop this check, and nothing before it: an edit that breaks an earlier check, or that raises anything but the
check's own AssertionError, is refused. Solutions are left out, and so are figures that no slip names. One process runs a
chapter, and each slip goes on in a fork of it from the cell that slips.
"""

import contextlib
import io
import os
import pickle
import subprocess
import sys
import time
import tomllib
import warnings
from concurrent.futures import ThreadPoolExecutor

import nbformat

from tools.pair import ROOT, kind

CHAPTERS = ROOT / "chapters" / "en"  # the code is the same in both languages
SLIPS = ROOT / "tests" / "notebooks" / "slips"
RUN = ("setup", "idea", "grader", "check")


def cells_to_run(book, slips):
    """The code cells that a check can depend on, widgets apart."""
    named = {slip.get("cell") for tried in slips.values() for slip in tried}
    code = [c for c in book.cells if c.cell_type == "code"]
    code = [c for c in code if kind(c) in RUN or (kind(c) == "figure" and c.id in named)]
    return [c for c in code if "nbval-ignore-output" not in c.metadata.get("tags", [])]


def slips_of(stem, folder=SLIPS):
    """Check cell -> its slips, as the chapter's file has them; a chapter without a file has none."""
    path = folder / f"{stem[:2] if stem[0].isdigit() else stem}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def faults_of_form(cells, slips):
    """What can be said of slips without running them."""
    ids = [c.id for c in cells]
    checks = [c.id for c in cells if kind(c) == "check"]
    yield from (f"{check}: no slip stops this check" for check in checks if not slips.get(check))
    for check, tried in slips.items():
        if check not in checks:
            yield f"{check}: there is no such check cell"
            continue
        for slip in tried:
            if set(slip) - {"why"} != {"cell", "old", "new"}:
                yield f"{check}: a slip has cell, old and new (and perhaps why), got {', '.join(sorted(slip))}"
            elif slip["cell"] not in ids or kind(cells[ids.index(slip["cell"])]) not in ("idea", "figure"):
                yield f"{check}: {slip['cell']} is no idea cell of this chapter, and no figure"
            elif ids.index(slip["cell"]) > ids.index(check):
                yield f"{check}: {slip['cell']} stands after it"
            elif (found := cells[ids.index(slip["cell"])].source.count(slip["old"])) != 1:
                yield f"{check}: {slip['old']!r} stands {found} times in {slip['cell']}, expected once"


def run(cell, names, source=None):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a slip may well divide by zero
        exec(compile(source or cell.source, f"<cell {cell.id}>", "exec"), names)


def verdict(cells, names, check, slip):
    """What is wrong with a slip, tried from the cell that it edits on; None if it stops its check and nothing else."""
    source = cells[0].source.replace(slip["old"], slip["new"])
    for cell in cells:
        try:
            run(cell, names, source if cell is cells[0] else None)
        except AssertionError as error:
            if cell.id == check:
                return None
            return f"stops {cell.id} first: {error}"
        except Exception as error:
            return f"raises {type(error).__name__} in {cell.id}: {error}"
        if cell.id == check:
            return "does not stop it"
    raise ValueError(f"check: got {check!r}, which is not among the cells")


def in_a_fork(job):
    """What `job()` returns, run in a copy of this process."""
    take, give = os.pipe()
    if not (child := os.fork()):
        try:
            os.write(give, pickle.dumps(job()))
        finally:
            os._exit(0)
    os.close(give)
    with open(take, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(said) if said else "ended the process"


def faults(cells, slips):
    """Complaints about a chapter's checks and slips."""
    if found := list(faults_of_form(cells, slips)):
        yield from found
        return
    names = {"__name__": "__main__"}
    for k, cell in enumerate(cells):
        for check, slip in ((check, slip) for check, tried in slips.items() for slip in tried if slip["cell"] == cell.id):
            if wrong := in_a_fork(lambda k=k, check=check, slip=slip: verdict(cells[k:], names, check, slip)):
                yield f"{check}: {slip['old']!r} -> {slip['new']!r} in {cell.id} {wrong}"
        try:
            run(cell, names)
        except Exception as error:
            yield f"{cell.id}: stops without any slip: {type(error).__name__}: {error}"
            return


def try_chapter(path):
    """Try the slips of one chapter and print what came of it. Returns the number of faults."""
    slips, start = slips_of(path.stem), time.perf_counter()
    cells = cells_to_run(nbformat.read(path, as_version=4), slips)
    found = list(faults(cells, slips))
    count = sum(map(len, slips.values()))
    print(f"{path.stem}: {len(slips)} checks, {count} slips, {time.perf_counter() - start:.1f} s", *found, sep="\n  ✗ ")
    return len(found)


def try_each_by_itself(paths):
    """One process a chapter, as many at a time as there are cores. Returns the chapters with faults."""

    def alone(path):
        done = subprocess.run([sys.executable, "-m", "tools.slips", path.stem], cwd=ROOT, capture_output=True, text=True)
        print(done.stdout + done.stderr, end="", flush=True)
        return done.returncode

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(code != 0 for code in pool.map(alone, paths))


def main(*numbers):
    os.environ["MPLBACKEND"] = "agg"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small, and the cores are taken
    paths = [p for p in sorted(CHAPTERS.glob("*.ipynb")) if not numbers or p.stem.startswith(numbers)]
    if not paths:
        raise SystemExit(f"chapters: got {' '.join(numbers)}, expected beginnings of names in {CHAPTERS.relative_to(ROOT)}")
    if len(paths) > 1:
        if bad := try_each_by_itself(paths):
            raise SystemExit(f"{bad} chapters with faults")
    elif bad := sum(map(try_chapter, paths)):
        raise SystemExit(f"{bad} faults")


if __name__ == "__main__":
    main(*sys.argv[1:])
