"""What a reader does with a live page, and what goes wrong: every loss says what was lost and how to go on."""

import re

import pytest
from panel import START, Panel, running
from reading import in_language

from tools.slips import slips_of

pytestmark = pytest.mark.live
WIDGET = "from ipywidgets import interact\n\n\ndef show(m):\n    print(f'at {m}')\n\n\ninteract(show, m=(0, 9));"
PAGE = "chapters/{}/03-remember-position-by-rotating.html"


def test_cells_are_changed_stopped_and_run_again(served, tab):
    panel = running(tab, served + PAGE.format("zh-Hant"))

    # a slider of the reader's own answers to the keyboard
    cell = panel.cell(2)
    cell.write(WIDGET)
    cell.run()
    assert cell.state.text_content() == "✓" and "at 4" in cell.box.inner_text()
    handle = cell.box.get_by_label("m")
    handle.focus()
    handle.press("ArrowRight")
    cell.box.get_by_text("at 5").wait_for()

    # a mistake is shown under its cell, in the page
    cell = panel.cell(1)
    cell.write("print(6 * 7)\n1 / 0")
    cell.run()
    assert "42" in cell.box.inner_text() and "ZeroDivisionError" in cell.box.inner_text()
    assert cell.state.text_content() == "✗" and in_language(panel.says, "zh-Hant")

    # the keyboard gets out of the editor
    cell.box.locator(".cm-content").click()
    tab.keyboard.press("Tab")
    assert not tab.evaluate("document.activeElement.closest('.cm-editor')")

    # a cell that never ends: a sentence, then Stop, then Python again
    cell.write("while True:\n    pass")
    cell.button.click()
    tab.wait_for_function("document.querySelector('.live-status').textContent.includes('15')", timeout=60_000)
    cell.button.click()
    tab.wait_for_function("!document.querySelector('.live-status').textContent.includes('15')")
    panel.wait("ready", timeout=START)
    assert "while True" in cell.box.locator(".cm-content").inner_text(), "what was written stays"
    assert in_language(cell.state.text_content(), "zh-Hant")
    cell.write("print(40 + 2)")
    cell.run()
    assert "42" in cell.box.inner_text()


def test_what_stands_above_runs_first(served, tab):
    """After a fresh start any cell can be pressed; an answer to an exercise is graded where it stands."""
    panel = running(tab, served + PAGE.format("en"))
    panel.box.get_by_role("button", name="Restart Python").click()
    panel.wait("starting", timeout=START)
    panel.wait("ready", timeout=START)
    assert all(not state.text_content() for state in tab.locator(".live-state").all())
    number = 1 + next(k for k, source in enumerate(panel.sources()) if source.startswith("mine = ..."))
    cell = panel.cell(number)
    cell.write(cell.box.locator(".cm-content").inner_text().replace("...", "-1", 1))
    cell.run()
    assert "Not yet" in cell.box.inner_text(), cell.box.inner_text()
    states = [panel.cell(k + 1).state.text_content() for k in range(number + 1)]
    assert states == ["✓"] * (number - 1) + ["", ""], "an answer that is not right yet gets no tick"

    # where a cell above fails, the one that was pressed says so and leads there; Python's own frames stay out of what it says
    panel.cell(2).write("this is no Python")
    panel.box.get_by_role("button", name="Restart Python").click()
    panel.wait("starting", timeout=START)
    panel.wait("ready", timeout=START)
    cell.run()
    assert cell.state.text_content().startswith("Cell 2 raised an error")
    cell.state.get_by_role("button").click()
    told = panel.cell(2).box.locator(".stderr").inner_text()
    assert "this is no Python" in told and "SyntaxError" in told and "ast.py" not in told


def test_a_package_that_no_cell_of_the_page_imports_comes_when_asked_for(served, tab):
    panel = running(tab, served + PAGE.format("en"))
    cell = panel.cell(2)
    cell.write("import sympy\n\ndisplay(sympy.Integer(6) * 7)\nimport nowhere")
    cell.run()
    assert "42" in cell.box.inner_text() and "No module named 'nowhere'" in cell.box.inner_text()


def test_a_check_that_stops_opens_and_says_so(served, tab):
    """The reader makes the first slip of chapter 2, and nothing else."""
    chapter = "02-tell-absolute-from-relative"
    check, (slip, *_) = next(iter(slips_of(chapter).items()))
    tab.goto(f"{served}chapters/en/{chapter}.html")
    panel = Panel(tab)
    sources = panel.sources()
    number = 1 + next(k for k, source in enumerate(sources) if slip["old"] in source)
    panel.start()
    panel.cell(number).write(sources[number - 1].replace(slip["old"], slip["new"]))
    panel.run_all()
    fold = tab.locator(f"details.checks:has(#check-{check})")
    assert fold.evaluate("e => e.open") and fold.locator(".mark").text_content() == "✗"
    assert "AssertionError" in tab.locator(f"div.cell:has(#check-{check})").inner_text()
    assert tab.locator("details.checks[open]").count() == 1


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
@pytest.mark.parametrize("lost", ["pyodide.asm.wasm", "live.json", "live.js", "worker.js", "cells.py", "codemirror.js", "numpy-"])
def test_a_lost_file_is_named_and_the_reader_can_go_on(served, tab, language, lost):
    tab.goto(served + PAGE.format(language))
    tab.route(f"**/{lost}*", lambda route: route.abort())
    panel = Panel(tab)
    panel.box.locator(".live-start").click()
    help_ = panel.box.locator(".live-help")
    help_.wait_for(state="visible", timeout=60_000)
    assert lost in panel.says and in_language(panel.says, language)
    assert help_.locator("a[download]").get_attribute("href").endswith(".ipynb")
    assert tab.locator(".cell_input pre:visible").count(), "the page stays as it was"
    assert not tab.locator(".cm-editor").count()
    assert panel.box.locator(".live-start").is_enabled()


def test_a_second_press_succeeds_once_the_connection_is_back(served, tab):
    tab.goto(served + PAGE.format("en"))
    tab.route("**/pyodide.asm.wasm*", lambda route: route.abort())
    panel = Panel(tab)
    panel.box.locator(".live-start").click()
    assert panel.wait("ready", "failed", timeout=START) == "failed"
    tab.unroute("**/pyodide.asm.wasm*")
    panel.start()
    panel.unfold()
    panel.cell(1).run()
    assert panel.cell(1).state.text_content() == "✓"


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_from_disk_the_button_says_what_it_needs(live_book, tab, language):
    tab.goto((live_book / PAGE.format(language)).as_uri())
    panel = Panel(tab)
    panel.box.locator(".live-start").click()
    assert "http" in panel.says and in_language(panel.says, language)


def test_without_scripts_no_button_is_offered(served, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served + PAGE.format("en"))
    assert not page.locator(".live").is_visible()
    context.close()


def test_pyodide_comes_from_its_cdn_unless_it_is_hosted(book):
    import json

    table = json.loads((book / "_static" / "live" / "live.json").read_text("utf-8"))
    assert table["pyodide"] == "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"
    assert not (book / "_static" / "live" / "pyodide").exists()


def test_what_is_hosted_is_what_the_lock_lists(book, live_book):
    """Bytecode changes the archives that Python starts from, and not the wheel that readers take along."""
    import hashlib
    import json

    folder = live_book / "_static" / "live"
    table = json.loads((folder / "live.json").read_text("utf-8"))
    for entry in table["lock"]["packages"].values():
        path = (folder if entry.get("ours") else folder / table["pyodide"]) / entry["file_name"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"], path.name
    for wheel in (book / "_static" / "live" / "wheels").iterdir():
        assert (folder / "wheels" / wheel.name).read_bytes() == wheel.read_bytes()


# dtype=int64 is printed where a machine's own integers have 32 bits, as here
EXAMPLES = """
import doctest, numpy, ropelib

class Checker(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        return super().check_output(want, got.replace(", dtype=int64", ""), flags)

names = {name: getattr(ropelib, name) for name in ropelib.__all__}
runner = doctest.DocTestRunner(checker=Checker())
for name, thing in names.items():
    for test in doctest.DocTestFinder().find(thing, name, globs={**names, "np": numpy}):
        runner.run(test)
print(len(names), "names", runner.summarize(verbose=False))
"""


def test_every_public_name_works_in_the_reader_s_python(served, tab):
    """Its integers have 32 bits, and its NumPy counts with those."""
    import ropelib

    panel = running(tab, served + PAGE.format("en"))
    cell = panel.cell(1)
    cell.write(EXAMPLES)
    cell.run()
    said = re.search(r"(\d+) names TestResults\(failed=(\d+), attempted=(\d+)\)", cell.box.inner_text())
    assert said, cell.box.inner_text()
    names, failed, attempted = map(int, said.groups())
    assert names == len(ropelib.__all__) and failed == 0 and attempted >= names, cell.box.inner_text()
