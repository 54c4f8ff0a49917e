"""A slider keeps every frame whole, though it stores each part once."""

import html
import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from ropelib import book


def draw(m):
    fig, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, m])
    ax.set_title(f"m = {m} </script>")
    return fig


@pytest.fixture(scope="module")
def slider():
    return book.Frames(draw, range(5), "position", start=2, text=lambda m: f"{m} & on")


def stored(slider):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', slider._repr_html_(), re.S)[1])


def test_parts_put_together_are_the_frames(slider):
    data = stored(slider)
    assert ["".join(data["parts"][i] for i in parts) for _, parts in data["frames"]] == slider.pages
    assert [at for at, _ in data["frames"]] == [f"{m} & on" for m in range(5)]


def test_parts_are_kept_once(slider):
    parts = stored(slider)["parts"]
    assert len(set(parts)) == len(parts)
    assert sum(map(len, parts)) < sum(map(len, slider.pages)) / 2


def test_it_is_a_native_slider_with_a_name_and_a_value(slider):
    page = slider._repr_html_()
    assert '<input type="range" min="0" max="4" value="2" aria-valuetext="2 &amp; on"' in page
    assert "position" in re.search(r"<label>(.*?)<input", page)[1]
    assert "<output>2 &amp; on</output>" in page


def test_a_still_stands_where_scripts_do_not_run(slider):
    still = re.search(r'<div class="stage"><img alt="([^"]*)" src="data:image/png;base64,', slider._repr_html_())
    assert html.unescape(still[1]) == "m = 2 </script>"


def test_its_numbers_in_words_tell_first_middle_and_last(slider):
    lines = repr(slider).splitlines()
    assert [line.split(":")[0] for line in lines] == ["0 & on", "2 & on", "4 & on"]
    assert "line 2: 0 to 4" in lines[-1]


def test_no_figure_is_left_open(slider):
    before = plt.get_fignums()
    book.Frames(draw, [1], "position")
    assert plt.get_fignums() == before


@pytest.mark.parametrize(("values", "start"), [([], 0), ([1, 2], 2), ([1, 2], -1)])
def test_a_start_that_is_no_frame_is_refused(values, start):
    with pytest.raises(ValueError, match=f"start: got {start}, expected an index into {len(values)} values"):
        book.Frames(draw, values, "position", start=start)


def test_any_values_may_be_stepped_through():
    assert book.Frames(draw, np.array([0.5, 1.5]), "position").at == ["0.5", "1.5"]
