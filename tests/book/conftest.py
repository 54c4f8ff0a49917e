"""Figures are drawn without a screen, in English unless a test says otherwise."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def house_style():
    import matplotlib.pyplot as plt

    from ropelib import book

    with matplotlib.rc_context():
        book.setup("en")
        yield
    plt.close("all")
    book.labels.use("en")
