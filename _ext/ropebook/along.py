"""What a reader takes along from a chapter: its notebook, the wheel it needs, and the places that run it elsewhere."""

import re
from urllib.parse import quote

from docutils import nodes
from sphinx.errors import ConfigError
from sphinx.util.docutils import SphinxRole

from .live import ROOT
from .live.wheels import name_of_ropelib

ADDRESS = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
BINDER = "https://mybinder.org/v2/gh/{place}/{branch}?urlpath={path}"
COLAB = "https://colab.research.google.com/github/{place}/blob/{branch}/{path}"


def launchers(url, branch, notebook):
    """Where `notebook`, a path in the repository at `url`, runs without being installed; without a url, nowhere."""
    if not url:
        return {}
    found = ADDRESS.fullmatch(url)
    if not found:
        raise ConfigError(f"repository.url in _config.yml: got {url!r}, expected https://github.com/OWNER/NAME")
    place = "/".join(found.groups())
    return {
        "binder": BINDER.format(place=place, branch=quote(branch, safe=""), path=quote(f"lab/tree/{notebook}", safe="")),
        "colab": COLAB.format(place=place, branch=quote(branch), path=quote(notebook)),
        "install": f'%pip install "ropelib[draw] @ git+https://github.com/{place}@{branch}"',
    }


def along(app, context, pagename):
    """What the template shows beside a chapter's button."""
    name = name_of_ropelib(ROOT)
    return {
        "wheel": context["pathto"](f"_static/live/wheels/{name}", 1),
        "wheel_name": name,
        **launchers(*app.config.ropebook_repository, f"{pagename}.ipynb"),
    }


class Wheel(SphinxRole):
    """{wheel}`ropelib`: the wheel that the site serves, by its whole name, which pip wants on Windows."""

    def run(self):
        name = name_of_ropelib(ROOT)
        where = f"{'../' * self.env.docname.count('/')}_static/live/wheels/{name}"
        return [nodes.reference("", "", nodes.literal("", name), internal=True, refuri=where, classes=["download"])], []


def _take_over(app, config):
    """Jupyter Book hands the repository over among the options of its own theme, which this book does without."""
    options = config.html_theme_options
    config.ropebook_repository = (options.get("repository_url", ""), options.get("repository_branch") or "main")
    config.html_theme_options = {}


def setup(app):
    app.add_config_value("ropebook_repository", ("", "main"), "html")
    app.add_role("wheel", Wheel())
    app.connect("config-inited", _take_over)
