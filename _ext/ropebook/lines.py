"""Where a line may not break: a browser takes a formula for a picture, and would leave the comma after it to the next line."""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

AFTER = re.compile(r"[，。、；：！？）」』》〉】…]+|[^\s\u2e80-\uffff]{1,12}(?=\s|$|[\u2e80-\uffff])|[,.;:!?)\]”’]+")
BEFORE = re.compile(r"[（「『《〈【(\[“‘]+$")


class KeepWithFormulas(SphinxPostTransform):
    """Stops, brackets and endings such as -th move into the formula's node, which is then written with them in one piece."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs):
        for math in list(self.document.findall(nodes.math)):
            line, place = math.parent, math.parent.index(math)
            if place and isinstance(line[place - 1], nodes.Text) and (found := BEFORE.search(line[place - 1])):
                math["before"] = found[0]
                line[place - 1] = nodes.Text(line[place - 1][: found.start()])
            if place + 1 < len(line) and isinstance(line[place + 1], nodes.Text) and (found := AFTER.match(line[place + 1])):
                math["after"] = found[0]
                line[place + 1] = nodes.Text(line[place + 1][found.end() :])


def kept(katex, before, after):
    """KaTeX's HTML of one formula, with what stands before its first piece and after its last."""
    if not before and not after:
        return katex
    head, mark, rest = katex.partition('<span class="katex-html" aria-hidden="true">')
    pieces = re.split(r'(?=<span class="katex-base">)', rest.removesuffix("</span></span>"))
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2:
        return f'<span class="keep">{before}{katex}{after}</span>'
    first, middle, last = pieces[0], "".join(pieces[1:-1]), pieces[-1]
    if before:  # what voices read stays one formula, before its first piece
        opened = f'<span class="keep">{before}{head}{mark}{first}</span></span></span>'
    else:
        opened = f"{head}{mark}{first}</span></span>"
    return (
        opened
        + (_only_seen(middle) if middle else "")
        + (f'<span class="keep">{_only_seen(last)}{after}</span>' if after else _only_seen(last))
    )


def _only_seen(pieces):
    return f'<span class="katex"><span class="katex-html" aria-hidden="true">{pieces}</span></span>'


def setup(app):
    app.add_post_transform(KeepWithFormulas)
