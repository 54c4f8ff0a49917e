"""Every page's cells run in the reader's browser, offline, and print what the notebook holds."""

import json
from pathlib import Path

import pytest
from panel import Panel, printed

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*/*.ipynb"))
assert NOTEBOOKS


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
    differ = [f"cell {c['id']}\n  stored: {printed(c['outputs'])}\n  live:   {printed(o)}"
              for c, o in zip(stored, live, strict=True) if printed(c["outputs"]) != printed(o)]
    assert not differ, "\n".join(differ)
    assert not [a for a in watch.asked if not a.startswith((served, "data:", "blob:"))]
    scenes = sum("<rope-scene" in "".join(o.get("data", {}).get("text/html", "")) for c in stored for o in c["outputs"])
    assert tab.locator(".live-output rope-scene[data-live]").count() == scenes, "a scene whose cell was run is alive"
    drawn = sum("image/svg+xml" in o.get("data", {}) for c in stored for o in c["outputs"])
    named = tab.locator(".live-output .ropebook.figure > [role=img]").evaluate_all("all => all.map((x) => x.ariaLabel)")
    assert len(named) == drawn and all(named)
