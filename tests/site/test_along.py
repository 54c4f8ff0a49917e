"""What a reader takes along: the notebook, a wheel that names all it needs, and the doors to Binder and Colab."""

import ast
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from reading import pages, read

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "_ext"))
NOTEBOOKS = sorted((ROOT / "chapters").glob("*/*.ipynb"))


def imported(path):
    """The packages that a notebook's cells import, Python's own apart."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            for node in ast.walk(ast.parse("".join(cell["source"]))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) else []
                yield from {n.partition(".")[0] for n in names} - set(sys.stdlib_module_names)


def test_one_install_brings_every_package_a_chapter_imports(book):
    wheel = next((book / "_static" / "live" / "wheels").glob("ropelib-*.whl"))
    metadata = next(n for n in zipfile.ZipFile(wheel).namelist() if n.endswith(".dist-info/METADATA"))
    needs = re.findall(r"^Requires-Dist: (\w+)", zipfile.ZipFile(wheel).read(metadata).decode(), re.M)
    assert not [(p.parent.name, p.name, name) for p in NOTEBOOKS for name in imported(p) if name not in (*needs, "ropelib")]


def test_every_notebook_s_page_offers_it_and_the_command(book):
    for page in [p for p in pages(book) if (ROOT / p.relative_to(book)).with_suffix(".ipynb").is_file()]:
        offered = [a["href"] for a in read(page).find("a", download="")]
        assert page.with_suffix(".ipynb").name in offered and any(link.endswith(".whl") for link in offered), page
        wheel = next(link for link in offered if link.endswith(".whl"))
        assert f'pip install "./{Path(wheel).name}[notebooks]"' in page.read_text("utf-8").replace("&#34;", '"'), page


def test_what_the_pages_name_to_download_is_there(book):
    """The clinic and the page of vectors: how to get ropelib, and the files beside it."""
    wanted = {"08-implement-rope": {"rope_torch.py"},
              "19-visit-the-debug-clinic": {"ask_engines.py", "vectors_torch.py", "rope_torch.py", "vectors.json"},
              "vectors": {"ask_engines.py", "vectors.json", "vectors.schema.json"}}  # fmt: skip
    for language in ("en", "zh-Hant"):
        for name, files in wanted.items():
            page = book / "chapters" / language / f"{name}.html"
            links = [a["href"] for a in read(page).find("a") if "download" in a.get("class", "").split()]
            assert files <= {Path(link).name for link in links}, page
            assert name[0] == "0" or any(link.endswith(".whl") for link in links), page
            for link in links:
                assert (page.parent / link).is_file(), (page, link)
            for link in (link for link in links if link.endswith(".py")):
                assert (page.parent / link).read_bytes() == (ROOT / "docs" / "listings" / Path(link).name).read_bytes()


def test_binder_and_colab_are_offered_when_the_repository_has_an_address_and_only_then(book):
    url = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["repository"]["url"]
    for page in pages(book):
        doors = [a for a in read(page).links if "mybinder.org" in a or "colab.research" in a]
        assert len(doors) == (2 if url and (ROOT / page.relative_to(book)).with_suffix(".ipynb").is_file() else 0), page


@pytest.mark.parametrize("url", ["https://github.com/someone/rope", "https://github.com/someone/rope.git"])
def test_one_address_opens_every_door(url):
    from ropebook.along import launchers

    assert launchers(url, "main", "chapters/en/03-a b.ipynb") == {
        "binder": "https://mybinder.org/v2/gh/someone/rope/main?urlpath=lab%2Ftree%2Fchapters%2Fen%2F03-a%20b.ipynb",
        "colab": "https://colab.research.google.com/github/someone/rope/blob/main/chapters/en/03-a%20b.ipynb",
        "install": '%pip install "ropelib[draw] @ git+https://github.com/someone/rope@main"',
    }
    assert launchers("", "main", "x.ipynb") == {}


@pytest.mark.parametrize("url", ["github.com/someone/rope", "https://github.com/someone", "https://example.org/a/b"])
def test_another_address_is_refused(url):
    from ropebook.along import launchers
    from sphinx.errors import ConfigError

    with pytest.raises(ConfigError, match=f"repository.url in _config.yml: got '{re.escape(url)}', expected https://github.com"):
        launchers(url, "main", "x.ipynb")
