"""Time the largest paint of every page in Chromium slowed down four times, and fail if one takes longer than the limit.

    python -m bench.pages [part of a page's address]

The best of three visits counts, each with an empty cache: other programs can only make it later. `make book` comes first.
"""

import sys

from bench.visits import ROOT, best_of_each

LIMIT, SLOWER = 800, 4  # milliseconds; times slower
WATCH = """window.paint = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.paint = entry.startTime })
    .observe({type: "largest-contentful-paint", buffered: true})"""


def visit(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_timeout(500)  # a later and larger paint would still count
    paint = page.evaluate("window.paint")
    context.close()
    return paint


def main(wanted=""):
    slow = []
    for name, best in best_of_each(ROOT / "_build" / "html", lambda _, name: wanted in name, visit):
        slow += [name] if best > LIMIT or not best else []
        print(f"{best:6.0f} ms  {name}{'  over the limit' if best > LIMIT else ''}", flush=True)
    if slow:
        sys.exit(f"largest paint after {LIMIT} ms, or none seen: {', '.join(slow)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
