"""What a notebook must hold before it becomes a page: the outputs of a run that went through."""

import json
from pathlib import Path

from sphinx.util import logging

logger = logging.getLogger(__name__)


def faults(notebook):
    """Yield (cell counted from 1, what is wrong) for every code cell that was not run, or that complained."""
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code" or not "".join(cell["source"]).strip():
            continue
        name = f"cell {number} ({cell.get('id', 'without id')})"
        if cell.get("execution_count") is None:
            yield name, "was not run, or its output was cleared: run the notebook and save it"
        for output in cell.get("outputs", []):
            if output["output_type"] == "error":
                yield name, f"raised {output['ename']}: {output['evalue']}"
            elif output.get("name") == "stderr":
                yield name, f"wrote to stderr: {''.join(output['text']).strip().splitlines()[0]}"


def _check(app, docname, source):
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        for cell, fault in faults(json.loads(source[0])):
            logger.warning("%s: %s %s", path.relative_to(app.srcdir).as_posix(), cell, fault, type="ropebook", subtype="run")


def setup(app):
    app.connect("source-read", _check)
