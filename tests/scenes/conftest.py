"""What the tests of scenes share: the scripts without a browser, and one page that holds every scene."""

import json
import sys
from pathlib import Path

import pytest

from ropelib.book import javascript, labels, scenes
from ropelib.book.scenes import parts, stage
from tools.scenes import page

ROOT = Path(__file__).parents[2]
for folder in ("site", "notebooks"):
    sys.path.append(str(ROOT / "tests" / folder))

LOOK = (Path(__file__).parent / "look.js").read_text("utf-8")


@pytest.fixture(autouse=True)
def english():
    labels.use("en")
    yield
    labels.use("en")


@pytest.fixture(scope="session")
def js():
    """Run a line of JavaScript that knows every scene, and give what it says."""
    engine = javascript.engine()
    assert engine is not None, "mini-racer is not installed: pip install -r requirements.txt"
    for kind in scenes.KINDS:
        stage.ready(kind)
    engine.eval(LOOK)
    engine.eval(f"const SCENES = {json.dumps({kind: scenes.scene(kind).data for kind in scenes.KINDS})}")

    def run(line):
        return json.loads(engine.eval(f"JSON.stringify({line})"))

    return run


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """The addresses of the two pages, opened from disk."""
    folder, found = tmp_path_factory.mktemp("scenes"), {}
    for language in labels.LANGUAGES:
        path = folder / f"{language}.html"
        path.write_text(page(language), "utf-8")
        found[language] = path.as_uri()
    return found


def scripts():
    return {kind: parts.script(kind) for kind in (None, *scenes.KINDS)}
