"""Chinese as it is set: a line break in the source is no space on the page, and none follows full-width punctuation."""

import re

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform

from .languages import language_of

WIDE = "\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u2018-\u201d\u2026\u2014"
SHORT = re.compile(
    r"第 ?\d+ ?[章節]|[圖表式] ?\d+\.\d+|練習 ?\d+\.\d+|案例 ?\d+|"
    r"(?:[Cc]hapter|[Ss]ection|[Cc]ase|Fig\.|Table|Exercise) [\d.]+"
)
STOPS = "\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20"


class SetChinese(SphinxTransform):
    default_priority = 410

    def apply(self, **kwargs):
        if language_of(self.env.docname) == "en":
            return
        for block in self.document.findall(nodes.TextElement):
            if isinstance(block, nodes.FixedTextElement) or isinstance(block.parent, nodes.TextElement):
                continue
            before = ""
            texts = [t for t in block.findall(nodes.Text)]
            for k, text in enumerate(texts):
                if isinstance(text.parent, (nodes.literal, nodes.math, nodes.raw)):
                    before = str(text)[-1:]
                    continue
                after = str(texts[k + 1])[:1] if k + 1 < len(texts) else ""
                line = before + str(text) + after
                new = re.sub(f"(?<=[{WIDE}])\\n(?=[{WIDE}])", "", line)
                new = re.sub(f"(?<=[{STOPS}])[ \\n]+(?=\\S)", "", new)
                new = new[len(before) : len(new) - len(after)]
                if new != str(text):
                    text.parent.replace(text, nodes.Text(new))
                before = new[-1:] or before


class CloseReferences(SphinxPostTransform):
    """A role needs a space before it in the source; between Chinese characters the page has none."""

    default_priority = 600  # a reference has its words by then

    def run(self, **kwargs):
        if language_of(self.env.docname) == "en":
            return
        for link in list(self.document.findall(nodes.reference)):
            words, line, place = link.astext(), link.parent, link.parent.index(link)
            if not words:
                continue
            if place and isinstance(line[place - 1], nodes.Text) and re.match(f"[{WIDE}]", words):
                line[place - 1] = nodes.Text(re.sub(f"(?<=[{WIDE}])[ \\n]+$", "", line[place - 1]))
            if place + 1 < len(line) and isinstance(line[place + 1], nodes.Text) and re.search(f"[{WIDE}]$", words):
                line[place + 1] = nodes.Text(re.sub(f"^[ \\n]+(?=[{WIDE}])", "", line[place + 1]))


class KeepReferences(SphinxPostTransform):
    """第 10 章 and Fig. 6.1 stay on one line."""

    default_priority = 610

    def run(self, **kwargs):
        for link in self.document.findall(nodes.reference):
            if SHORT.fullmatch(link.astext()):
                link["classes"].append("keep")


def setup(app):
    app.add_post_transform(KeepReferences)
    app.add_post_transform(CloseReferences)
    app.add_transform(SetChinese)
