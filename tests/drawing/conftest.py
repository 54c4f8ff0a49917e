"""Figures are drawn without a screen, in English unless a test says otherwise."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def house_style():
    import matplotlib.pyplot as plt

    import ropelib

    with matplotlib.rc_context():
        ropelib.setup("en")
        yield
    plt.close("all")
    ropelib.labels.use("en")
