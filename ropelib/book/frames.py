"""Sliders that need no kernel: the frames are drawn once, and the page moves through them."""

import base64
import html
import io
import json
import re

from .figures import digest, page_svg
from .panels import stored

# Frames share most of their parts, so each part is kept once. They lie in a JSON script: a notebook that is not trusted
# drops it whole and shows the still.
_MOVE = (
    "const f=this.closest('.ropelib-frames'),d=JSON.parse(f.querySelector('script').textContent),[a,p]=d.frames[this.value];"
    "f.querySelector('.stage').innerHTML=p.map(i=>d.parts[i]).join('');"
    "f.querySelector('output').value=a;this.setAttribute('aria-valuetext',a)"
)

# A style is a part of its own: many shapes that differ wear the same.
_PART = re.compile(r"<[^>]*?(?= style=)| style=[^>]*>[^<]*|<[^>]+>[^<]*")


def _still(figure):
    """A small PNG, in base64: a drawing needs few colours."""
    from PIL import Image  # comes with matplotlib

    page, small = io.BytesIO(), io.BytesIO()
    figure.savefig(page, format="png", dpi=96, facecolor="white")
    Image.open(page).convert("RGB").quantize(64).save(small, format="png", optimize=True)
    return base64.b64encode(small.getvalue()).decode()


def _svg(figure):
    page = io.StringIO()
    figure.savefig(page, format="svg")
    return page.getvalue()


class Frames:
    """One figure for each value of a slider.

    Parameters
    ----------
    draw : callable
        ``draw(value)`` gives a matplotlib figure; its axes' titles say what the frame shows.
    values : sequence
        What the slider steps through.
    label : str
        What the slider moves.
    start : int
        Index of the frame shown first, and kept as a still for print and for viewers without scripts.
    text : callable
        ``text(value)`` is shown beside the slider and read aloud.

    Raises
    ------
    ValueError
        If there are no values, or `start` is not an index of them.
    """

    def __init__(self, draw, values, label, *, start=0, text=str):
        import matplotlib.pyplot as plt

        values = list(values)
        if not 0 <= start < len(values):
            raise ValueError(f"start: got {start}, expected an index into {len(values)} values")
        self.label, self.start = label, start
        self.at, self.pages, self.digests = [text(v) for v in values], [], []
        for k, value in enumerate(values):
            figure = draw(value)
            alt = "; ".join(filter(None, (ax.get_title() for ax in figure.axes))) or f"{label} {self.at[k]}"
            self.pages.append(page_svg(stored(figure, _svg), alt))
            self.digests.append(digest(figure))
            if k == start:
                self._still = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{_still(figure)}">'
            plt.close(figure)

    def __repr__(self):
        """The numbers of the first, middle and last frame, which a test compares."""
        last = len(self.at) - 1
        return "\n".join(f"{self.at[k]}: {self.digests[k]}" for k in sorted({0, last // 2, last}))

    def _repr_html_(self):
        parts, frames = {}, []
        for at, page in zip(self.at, self.pages, strict=True):
            frames.append([at, [parts.setdefault(p, len(parts)) for p in _PART.findall(page)]])
        data = json.dumps({"parts": list(parts), "frames": frames}, ensure_ascii=False, separators=(",", ":"))
        data = data.replace("</", "<\\/")  # a closing tag would end the script
        at = html.escape(self.at[self.start])
        return (
            f'<div class="ropelib-frames"><div class="stage">{self._still}</div>'
            f'<label>{html.escape(self.label)} <input type="range" min="0" max="{len(self.at) - 1}" value="{self.start}" '
            f'aria-valuetext="{at}" oninput="{html.escape(_MOVE)}"> <output>{at}</output></label>'
            f'<script type="application/json">{data}</script></div>'
        )
