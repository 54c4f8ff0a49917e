"""A scene as a notebook keeps it, and as a page shows it."""

import base64
import gzip
import json
import re

from .. import javascript
from . import parts

WIDE, NARROW = 686, 336  # pixels that a page gives a scene, on a desk and on a phone


LOAD = """\
document.head.append(Object.assign(document.createElement("style"), {textContent: `%s`}));
%s"""
# packed, or a notebook would grow by 35 kB; one after the other, since a scene needs the engine
UNPACK = """\
<script class="rope-scene-script">globalThis.ropeloading = Promise.resolve(globalThis.ropeloading).then(async () => {
if (globalThis.ropescenes?.kinds["%s"]) return;
const packed = Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0));
const text = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
document.head.append(Object.assign(document.createElement("script"), {textContent: text}));
});</script>"""


def packed(text):
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def ready(kind):
    """The JavaScript engine with the scripts of a scene, or None where there is none."""
    js = javascript.engine()
    if js is not None:
        if not js.eval("Boolean(globalThis.ropescenes)"):
            js.eval(parts.script())
        if not js.eval(f"Boolean(ropescenes.kinds['{kind}'])"):
            js.eval(parts.script(kind))
    return js


def drawn(call, kind, data, width):
    """Have the scene drawn without a browser; None where there is no JavaScript."""
    js = ready(kind)
    return js and js.call(f"ropescenes.{call}", kind, data, width)


def alone(svg, kind):
    """A picture that needs no page: its style comes with it, in the colours of paper."""
    both = f"{parts.style()}\n{parts.style(kind)}"
    palette = "".join(f"{name}:{colour};" for name, colour in re.findall(r"(--s-\w+): [^;]*light-dark\((#\w+),", both))
    rules = re.findall(rf"^(?:svg\.|\.{kind}\b)[^{{]*{{[^}}]*}}$", both, flags=re.M)
    style = f"svg{{{palette}background:#fff}}" + "".join(r for r in rules if ":hover" not in r and "focus" not in r)
    return re.sub(r"></(?:line|path|circle|rect|polygon)>", "/>", svg).replace(">", f"><style>{style}</style>", 1)


def page(kind, data):
    """What stands in a page: the first state at both widths, for who has no scripts the telling one; the data."""
    first, told = ("".join(drawn(call, kind, data, width) for width in (WIDE, NARROW)) for call in ("part", "paper"))
    return f"{first}{told and f'<noscript>{told}</noscript>'}{script(data)}"


def script(data):
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="application/json">{text}</script>'


class Carried:
    """Which cell of this notebook carries which script: JupyterLab has none of its own, and one copy is enough."""

    def __init__(self):
        self.by = {}

    def cell(self):
        try:
            from IPython import get_ipython

            parent = get_ipython().get_parent()
        except (ImportError, AttributeError):
            return None
        return parent.get("metadata", {}).get("cellId", parent.get("header", {}).get("msg_id"))

    def needs(self, name):
        """Whether the cell that runs now is the first to need it: run once more, it carries it once more."""
        cell = self.cell()
        return cell is None or self.by.setdefault(name, cell) == cell

    def script(self, kind):
        """What makes a scene move where no page has brought its script."""
        parted = [LOAD % (parts.style(name), parts.script(name)) for name in (None, kind) if self.needs(name)]
        return UNPACK % (kind, packed("\n".join(parted))) if parted else ""


carried = Carried()


class Scene:
    """A figure that its reader moves.

    Parameters
    ----------
    kind : str
    data : dict
        What the scene's script starts from.
    alt : str
        What it shows at first, for those who do not see it.
    facts : str
        Its numbers as ropelib computes them: what a test compares.
    """

    def __init__(self, kind, data, alt, facts):
        self.kind, self.facts = kind, facts
        self.data = {**data, "alt": alt, "words": parts.words(kind)}

    def __repr__(self):
        return f"<Scene {self.kind}: {self.facts}>"

    def still(self, width=WIDE):
        """The telling state as one ``<svg>`` that stands alone, or None where there is no JavaScript."""
        svg = drawn("still", self.kind, self.data, width)
        return svg and alone(svg, self.kind)

    def page(self):
        """The scene as a page of the book holds it, before its script runs."""
        return f'<rope-scene kind="{self.kind}">{page(self.kind, self.data)}</rope-scene>'

    def _repr_html_(self):
        image = ""
        if svg := self.still():
            code = svg.translate({ord(c): f"%{ord(c):02X}" for c in '%"#&\n'})
            alt = re.search(r'aria-label="([^"]*)"', svg)[1]  # of what is drawn; the data's is of the first state
            image = f'<img alt="{alt}" src="data:image/svg+xml,{code}">'
        return f'<rope-scene kind="{self.kind}">{image}{script(self.data)}</rope-scene>{carried.script(self.kind)}'
