"""Every page's cells run in the reader's browser, offline, and print what the notebook holds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from panel import Panel, printed

from ropelib.book.absent import MARK

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*/*.ipynb"))
assert NOTEBOOKS


def left_out_without_the_model(path):
    """The cells that leave themselves out: the one that asks for the model, and whatever uses what comes of it."""
    if "optional(" not in path.read_text("utf-8"):
        return set()
    program = "import sys; sys.path.insert(0, 'tests/notebooks'); import without; print(*without.left_out(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_page_runs(path, live_book, served, tab):
    from chromium import Watch

    page = path.relative_to(ROOT).with_suffix(".html")
    assert (live_book / page).is_file(), f"{page} is not in the book"
    watch = Watch(tab, served)
    tab.goto(served + page.as_posix())
    assert not [a for a in watch.asked if "/live/" in a], "nothing is loaded before the reader asks"
    panel = Panel(tab)
    panel.start()
    cells = json.loads(path.read_text("utf-8"))["cells"]
    stored = [c for c in cells if c["cell_type"] == "code" and "".join(c["source"]).strip()]
    live = panel.outputs()
    assert len(live) == len(stored)
    needs = left_out_without_the_model(path)  # these say so in the page, and no other does
    assert {c["id"] for c, o in zip(stored, live, strict=True) if printed(o).startswith(MARK)} == needs
    both = [(c, o) for c, o in zip(stored, live, strict=True) if c["id"] not in needs]
    differ = [
        f"cell {c['id']}\n  stored: {printed(c['outputs'])}\n  live:   {printed(o)}"
        for c, o in both
        if printed(c["outputs"]) != printed(o)
    ]
    assert not differ, "\n".join(differ)
    assert not [a for a in watch.asked if not a.startswith((served, "data:", "blob:"))]
    scenes = sum("<rope-scene" in "".join(o.get("data", {}).get("text/html", "")) for c in stored for o in c["outputs"])
    assert tab.locator(".live-output rope-scene[data-live]").count() == scenes, "a scene whose cell was run is alive"
    drawn = sum("image/svg+xml" in o.get("data", {}) for c, _ in both for o in c["outputs"])
    named = tab.locator(".live-output .ropebook.figure > [role=img]").evaluate_all("all => all.map((x) => x.ariaLabel)")
    assert len(named) == drawn and all(named)
