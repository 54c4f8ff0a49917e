"""An anchor on the page is the label in the source, and nothing else.

Docutils would call a Chinese heading id1, id2, ... and so would break every link when one is added.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)


class AnchorsAreLabels(SphinxTransform):
    default_priority = 860  # after labels have reached their headings (260), before anything reads the ids

    def apply(self, **kwargs):
        source = Path(self.env.doc2path(self.env.docname)).relative_to(self.app.srcdir).as_posix()
        for section in self.document.findall(nodes.section):
            if section["ids"] and section["ids"][0] in ("exercise-content", "solution-content"):
                section["ids"] = [f"{section.parent['label']}-content"]  # sphinx-exercise gives all of them one id
                continue
            title = section.next_node(nodes.title)
            if title is None or title.parent is not section:
                continue
            labels = [name for name in section["names"] if self.document.nametypes.get(name)]
            if not labels:
                if re.fullmatch(r"id\d+", section["ids"][0]) or not title.astext().isascii():
                    logger.warning(
                        "%s: heading %r has no label; put (sec-some-name)= on the line before it",
                        source,
                        title.astext(),
                        type="ropebook",
                        subtype="label",
                    )
                continue
            for label in labels:
                if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", label):
                    logger.warning(
                        "%s: label %r of heading %r: use lower-case ASCII letters, digits and single hyphens",
                        source,
                        label,
                        title.astext(),
                        type="ropebook",
                        subtype="label",
                    )
            kept = [self.document.nameids[label] for label in labels if self.document.nameids.get(label)]
            for name in section["names"]:
                if name not in labels and kept:
                    self.document.nameids[name] = kept[0]
            section["ids"] = kept or section["ids"]


def setup(app):
    app.add_transform(AnchorsAreLabels)
