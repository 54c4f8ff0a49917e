"""Time every scene in Chromium: one drawing, as it is and slowed down four times, and the frames while a hand drags.

    python -m bench.scenes [kind]

Fails above a frame's 16 and 60 ms, and below 55 frames a second. Every handle is moved through its range; of its drawings
the median and the slowest but one are printed. Then the mouse drags each handle to and fro for a second, its motion eased
as readers see it, and the frames of the worst handle are counted. The best of three tries counts: other programs can only
make it slower.
"""

import sys
import tempfile
import time
from pathlib import Path

from ropelib.book import scenes
from tools.scenes import page

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "site"))
LIMITS = {1: 16, 4: 60}  # times slower: milliseconds
LEAST, TRIES, SECONDS = 55, 3, 1.0  # frames a second
DRAW = """(kind) => {
    const scene = document.querySelector(`rope-scene[kind=${kind}]`), took = [];
    for (const [id, c] of Object.entries(scene.controls())) for (let i = 0; i <= 30; i++) {
        scene.s = {...scene.s, ...c.set(c.min + (i / 30) * (c.max - c.min))};
        scene.e = scene.s;
        const from = performance.now();
        scene.draw();
        scene.getBoundingClientRect();
        took.push(performance.now() - from);
    }
    return took.sort((a, b) => a - b);
}"""
COUNT = """() => {
    window.frames_ = [];
    const next = (now) => { if (window.frames_) { window.frames_.push(now); requestAnimationFrame(next); } };
    requestAnimationFrame(next);
}"""
COUNTED = "() => { const all = window.frames_; window.frames_ = null; return 1000 * (all.length - 1) / (all.at(-1) - all[0]); }"


def tab(browser, path, rate=1):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.evaluate("document.querySelectorAll('[data-do=free]').forEach((b) => b.click())")
    return page


def drawings(page, kind):
    """Median and slowest but one, in milliseconds."""
    took = min((page.evaluate(DRAW, kind) for _ in range(TRIES)), key=lambda times: times[len(times) // 2])
    return took[len(took) // 2], took[-2]


def frames(page, kind, handle):
    """Frames a second while the mouse drags a handle to and fro."""
    grip = page.locator(f"rope-scene[kind={kind}] [data-h={handle}] .grip")
    grip.evaluate("g => g.scrollIntoView({block: 'center'})")
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(COUNT)
    began, step = time.monotonic(), 0
    while time.monotonic() - began < SECONDS:
        away = abs((step * 4) % 240 - 120) - 60  # a triangle, 4 pixels a move
        page.mouse.move(x + away, y + away / 2)
        step += 1
    found = page.evaluate(COUNTED)
    page.mouse.up()
    return found


def main(wanted=""):
    import chromium
    from playwright.sync_api import sync_playwright

    slow, kinds = [], [kind for kind in scenes.KINDS if wanted in kind]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "scenes.html")
        path.write_text(page("en"), "utf-8")
        browser = chromium.launch(playwright)
        for rate, limit in LIMITS.items():
            opened = tab(browser, path, rate)
            for kind in kinds:
                middle, late = drawings(opened, kind)
                slow += [f"{kind} at {rate}x"] if middle > limit else []
                print(f"{rate}x  {middle:6.1f} ms, slowest but one {late:6.1f}  {kind}", flush=True)
            opened.close()
        opened = tab(browser, path)
        for kind in kinds:
            handles = opened.locator(f"rope-scene[kind={kind}] [data-h]").evaluate_all("all => all.map((h) => h.dataset.h)")
            rates = {}
            for handle in handles:
                for _ in range(TRIES):
                    rates[handle] = max(rates.get(handle, 0), frames(opened, kind, handle))
                    if rates[handle] >= LEAST:
                        break
            worst = min(rates, key=rates.get)
            slow += [f"{kind}, dragging {worst}"] if rates[worst] < LEAST else []
            print(f"{rates[worst]:5.1f} frames a second  {kind}, dragging {worst}", flush=True)
        browser.close()
    if slow:
        sys.exit(f"slower than a frame: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
