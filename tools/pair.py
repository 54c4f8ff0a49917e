"""Write a chapter once: its two notebooks, opened as one text and folded back.

    python -m tools.pair open 03     chapters/*/03-*.ipynb  ->  one text, printed
    python -m tools.pair close 03-remember-position-by-rotating FILE    the text  ->  both notebooks, without outputs
    python -m tools.pair run 03 [04 ...]    execute both notebooks of each chapter and store their outputs

The text is a row of cells. Code is written once; prose, captions and alt texts once in each language:

    === md hands
    --- zh-Hant
    ## 兩支指針
    --- en
    ## Two clock hands
    === code hands-figure figure
    fig, ax = plt.subplots()
    --- zh-Hant
    alt: 單位圓上的兩支指針。
    caption: 夾角不變。
    --- en
    alt: Two clock hands on the unit circle.
    caption: The angle between them stays.

The word after the kind is the cell's id, then come its tags (docs/authors.md). `{language}` in code becomes the notebook's.
A code cell with a caption becomes a numbered figure named fig-<chapter number>-<id>-<zh or en>.
"""

import re
import sys
from pathlib import Path

import nbformat
import yaml

ROOT = Path(__file__).parent.parent
LANGUAGES = {"zh-Hant": "zh", "en": "en"}
KINDS = ("setup", "check", "figure", "grader", "solution")  # tags; a code cell with none of them is an idea


def kind(cell):
    """Which kind of code cell this is: one of `KINDS`, or an idea."""
    return next((k for k in KINDS if k in cell.metadata.get("tags", [])), "idea")


def parse(text):
    """The cells of a pair text: kind, id, tags, code, and a part for each language."""
    seen = set()
    for block in re.split(r"^=== ", text, flags=re.M)[1:]:
        head, _, body = block.partition("\n")
        kind, cell_id, *tags = head.split()
        if cell_id in seen:
            raise SystemExit(f"=== {head}: another cell has the id {cell_id!r} already")
        seen.add(cell_id)
        if kind not in ("md", "code"):
            raise SystemExit(f"=== {head}: got kind {kind!r}, expected md or code")
        code, *parts = re.split(r"^--- (zh-Hant|en)\n", body, flags=re.M)
        parts = {lang: part.strip("\n") for lang, part in zip(parts[::2], parts[1::2], strict=True)}
        if (kind == "md" or parts) and set(parts) != set(LANGUAGES):
            raise SystemExit(f"=== {head}: got the languages {sorted(parts)}, expected both of {sorted(LANGUAGES)}")
        yield kind, cell_id, tags, code.strip("\n"), parts


def notebook(cells, slug, language):
    book = nbformat.v4.new_notebook()
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for kind, cell_id, tags, code, parts in cells:
        if kind == "md":
            cell = nbformat.v4.new_markdown_cell(parts[language], id=cell_id)
        else:
            cell = nbformat.v4.new_code_cell(code.replace("{language}", language), id=cell_id)
            if words := yaml.safe_load(parts.get(language, "")):
                shown = {"image": {"alt": words["alt"]}} if "alt" in words else {}  # a scene makes its own
                if "caption" in words:
                    name = f"fig-{slug[:2]}-{cell_id}-{LANGUAGES[language]}"
                    shown["figure"] = {"name": name, "caption": words["caption"]}
                cell.metadata["mystnb"] = shown
        if tags:
            cell.metadata["tags"] = tags
        book.cells.append(cell)
    return book


def paths(number):
    for language in LANGUAGES:
        found = sorted((ROOT / "chapters" / language).glob(f"{number}*.ipynb"))
        if len(found) != 1:
            raise SystemExit(f"chapters/{language}/{number}*.ipynb: got {len(found)} notebooks, expected 1")
        yield language, found[0]


def open_pair(number):
    """The text of both notebooks. They must be twins."""
    books = {language: nbformat.read(path, as_version=4) for language, path in paths(number)}
    out = []
    for one, two in zip(*(book.cells for book in books.values()), strict=True):
        if (one.id, one.cell_type) != (two.id, two.cell_type):
            raise SystemExit(f"cell {one.id} stands beside {two.id}: the notebooks are not twins")
        tags = one.metadata.get("tags", [])
        out.append(" ".join(["===", "md" if one.cell_type == "markdown" else "code", one.id, *tags]))
        if one.cell_type == "code":
            out.append(re.sub(r'(book\.setup\(")zh-Hant("\))', r"\1{language}\2", one.source))
        for language, cell in zip(books, (one, two), strict=True):
            if one.cell_type == "markdown":
                out += [f"--- {language}", cell.source]
            elif shown := cell.metadata.get("mystnb"):
                words = {k: shown[part][k] for part, k in (("image", "alt"), ("figure", "caption")) if k in shown.get(part, {})}
                out += [
                    f"--- {language}",
                    yaml.safe_dump(words, allow_unicode=True, sort_keys=False, width=10**6).strip(),
                ]
    return "\n".join(out) + "\n"


def close_pair(slug, text):
    """Write both notebooks, keeping the stored outputs of the code cells that did not change."""
    cells = list(parse(text))
    books = {language: notebook(cells, slug, language) for language in LANGUAGES}  # a fault stops before either is written
    for language, book in books.items():
        path = ROOT / "chapters" / language / f"{slug}.ipynb"
        if path.exists():
            old = {c.id: c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"}
            for cell in book.cells:
                if cell.cell_type == "code" and cell.id in old and old[cell.id].source == cell.source:
                    cell.outputs, cell.execution_count = old[cell.id].outputs, old[cell.id].execution_count
        write(book, path)


def hide_sources(book):
    """Fold in JupyterLab what the page folds."""
    for cell in book.cells:
        if cell.cell_type == "code" and kind(cell) != "idea":
            cell.metadata["jupyter"] = {"source_hidden": True}
        else:
            cell.metadata.pop("jupyter", None)


def write(book, path):
    hide_sources(book)
    nbformat.validate(book)
    path.write_text(nbformat.writes(book) + "\n", "utf8")


def leave_stills(book):
    """Each widget becomes the figure it first drew: without a kernel, a viewer shows no widget."""
    kept = book.metadata.pop("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    for cell in book.cells:
        for output in cell.get("outputs", []):
            if view := output.get("data", {}).get("application/vnd.jupyter.widget-view+json"):
                children = kept[view["model_id"]]["state"]["children"]
                inner = (kept[child.removeprefix("IPY_MODEL_")]["state"] for child in children)
                output.data = next(o["data"] for state in inner for o in state.get("outputs", []) if "data" in o)


def run(number):
    """Execute both notebooks and store their outputs; a cell that raises or is left out leaves the notebook as it was."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    from ropelib.book.absent import MARK

    for _, path in paths(number):
        book = nbformat.read(path, as_version=4)
        try:
            NotebookClient(book, timeout=120, coalesce_streams=True, resources={"metadata": {"path": str(path.parent)}}).execute()
        except CellExecutionError as error:
            cell = next(c for c in book.cells for o in c.get("outputs", []) if o.output_type == "error")
            raise SystemExit(f"{path.relative_to(ROOT)}, cell {cell.id}: {error.ename}: {error.evalue}") from None
        for cell in book.cells:
            if said := next((o.text for o in cell.get("outputs", []) if o.get("text", "").startswith(MARK)), None):
                raise SystemExit(f"{path.relative_to(ROOT)}, cell {cell.id} was left out: {said.removeprefix(MARK).strip()}")
            cell.metadata.pop("execution", None)  # the hour at which it ran is nobody's business
        book.metadata["language_info"] = {"name": "python"}
        leave_stills(book)
        write(book, path)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def main(verb="", *rest):
    if verb == "open" and len(rest) == 1:
        print(open_pair(rest[0]), end="")
    elif verb == "close" and len(rest) == 2:
        close_pair(rest[0], Path(rest[1]).read_text("utf8"))
    elif verb == "run" and rest:
        for number in rest:
            run(number)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
