"""A page that runs is as accessible as one that is read."""

import axe
import pytest
from panel import Panel

pytestmark = pytest.mark.live


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_no_serious_finding_while_a_page_runs(served, tab, language):
    tab.goto(f"{served}chapters/{language}/03-remember-position-by-rotating.html")
    panel = Panel(tab)
    panel.start()
    panel.unfold()
    axe.lighten(tab)
    assert not (found := list(axe.serious(tab))), "\n".join(found)
