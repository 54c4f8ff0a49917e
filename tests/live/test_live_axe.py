"""A page that runs is as accessible as one that is read."""

import axe
import pytest
from panel import running

pytestmark = pytest.mark.live


@pytest.mark.parametrize("language", ["zh-Hant", "en"])
def test_no_serious_finding_while_a_page_runs(served, tab, language):
    running(tab, f"{served}chapters/{language}/03-remember-position-by-rotating.html")
    axe.lighten(tab)
    assert not (found := list(axe.serious(tab))), "\n".join(found)
