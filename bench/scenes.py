"""Time one drawing of every scene in Chromium, as it is and slowed down four times, and fail above a frame's 16 and 60 ms.

    python -m bench.scenes [kind]

Every handle is moved through its range; the median and the slowest but one of its drawings are printed.
"""

import sys
import tempfile
from pathlib import Path

from ropelib.book import scenes
from tools.scenes import page

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "site"))
LIMITS = {1: 16, 4: 60}  # times slower: milliseconds
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


def main(wanted=""):
    import chromium
    from playwright.sync_api import sync_playwright

    slow = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "scenes.html")
        path.write_text(page("en"), "utf-8")
        browser = chromium.launch(playwright)
        for rate, limit in LIMITS.items():
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.goto(path.as_uri())
            tab.context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": rate})
            tab.evaluate("document.querySelectorAll('[data-do=free]').forEach((b) => b.click())")
            for kind in scenes.KINDS:
                if wanted in kind:
                    took = min((tab.evaluate(DRAW, kind) for _ in range(3)), key=lambda times: times[len(times) // 2])
                    middle, late = took[len(took) // 2], took[-2]
                    slow += [f"{kind} at {rate}x"] if middle > limit else []
                    print(f"{rate}x  {middle:6.1f} ms, slowest but one {late:6.1f}  {kind}", flush=True)
            tab.close()
        browser.close()
    if slow:
        sys.exit(f"slower than a frame: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
