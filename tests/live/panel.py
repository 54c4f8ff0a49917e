"""The page's panel of live cells, as a reader uses it."""

import re

START, RUN = 300_000, 240_000  # milliseconds; a tenth of that on an idle machine


class Panel:
    def __init__(self, page):
        self.page, self.box = page, page.locator(".live")

    def wait(self, *states, timeout):
        wanted = "|".join(states)
        self.page.wait_for_function(f"/^({wanted})$/.test(document.querySelector('.live').dataset.state)", timeout=timeout)
        return self.box.get_attribute("data-state")

    @property
    def says(self):
        return self.box.locator(".live-status").text_content()

    def start(self):
        """One press loads Python and runs the page."""
        self.box.locator(".live-start").click()
        state = self.wait("ready", "failed", timeout=START)
        assert state == "ready", self.says

    def unfold(self):
        self.page.evaluate("for (const fold of document.querySelectorAll('article details')) fold.open = true")

    def run_all(self):
        self.box.locator("button:visible").first.click()
        self.wait("ready", timeout=RUN)

    @property
    def boxes(self):
        """The cells in the order in which they run: the set-up stands last in the page."""
        every = self.page.locator("div.cell:has(.cell_input)").all()
        late = [box.evaluate("e => !e.closest('details.setup')") for box in every]
        return [box for _, box in sorted(zip(late, every, strict=True), key=lambda pair: pair[0])]

    def sources(self):
        return [box.locator(".cell_input pre, .cm-content").first.inner_text() for box in self.boxes]

    def outputs(self):
        script = "new URL(document.querySelector('.live').dataset.script, document.baseURI)"
        return self.page.evaluate(f"async () => (await import({script})).outputs()")

    def cell(self, number):
        return Cell(self, number)


def running(tab, address):
    """The panel of a page whose cells have run, with all folds open."""
    tab.goto(address)
    panel = Panel(tab)
    panel.start()
    panel.unfold()
    return panel


class Cell:
    def __init__(self, panel, number):
        self.panel, self.page, self.box = panel, panel.page, panel.boxes[number - 1]
        self.button = self.box.locator(".live-cell > button")
        self.state = self.box.locator(".live-state")

    def write(self, code):
        self.box.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)

    def run(self):
        self.button.click()
        self.panel.wait("ready", timeout=RUN)


def printed(outputs):
    """What a cell printed, and the numbers that its figures drew."""
    text = []
    for output in outputs:
        data = output.get("data", {})
        if output["output_type"] == "stream":
            text.append("".join(output["text"]))
        elif output["output_type"] == "error":
            text.append(f"{output['ename']}: {output['evalue']}")
        elif "image/svg+xml" in data:
            text.append("".join(data["text/plain"]) + "\n")
        else:
            text.append(f"{sorted(set(data) - {'text/plain'}) or ''.join(data['text/plain'])}\n")
    return re.sub(r"\n+", "\n", "".join(text)).strip()
