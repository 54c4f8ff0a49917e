"""What a page leaves out and changes when it cannot be touched."""

import re

from bs4 import BeautifulSoup, NavigableString

HANDS = "script, style, input, button, .headerlink, .actions, .live, .copy, .asks, .how-to-read, .needs-kernel, .on-screen"
NEVER = "details.hide"  # code that sets up or draws


def settle(article):
    """The article as paper shows it, in place."""
    for answer in article.select("rope-scene > noscript"):  # a scene as it tells most, in place of where it starts
        for start in answer.find_parent("rope-scene").find_all(class_="stage", recursive=False):
            start.decompose()
        answer.unwrap()
    for tag in article.select(f"{HANDS}, {NEVER}"):
        tag.decompose()
    for cell in article.select("div.cell"):
        if not cell.get_text(strip=True) and not cell.select_one("svg, img"):
            cell.decompose()  # its code was all there was
    for frame in article.select(".table-frame"):
        _name_in_its_head(frame)
    for name in article.select("p:has(> strong:first-child)"):
        if name.get_text(strip=True) == name.strong.get_text(strip=True):  # a heading of a few lines, in bold
            name["class"] = "stays"
    for fold in article.select("details.checks"):
        _as_one_line(fold)
    for fold in article.select("details"):
        fold["open"] = ""
    for pre in article.select("pre"):
        if pre.find_parent(class_="cell_input") or pre.find_parent(class_="highlight-python"):
            _break_at_blank_lines(pre)


def _name_in_its_head(frame):
    """A table whose name stands before it in bold: the name goes into its head, or it could stand alone at a page's foot."""
    name, table = frame.find_previous_sibling(), frame.table
    bold = name.strong if name and name.name == "p" else None
    if bold and table and table.thead and name.get_text(strip=True) == bold.get_text(strip=True):
        columns = len(table.thead.find_all("th"))
        row = _new("tr", "name")
        row.append(BeautifulSoup(f'<th colspan="{columns}">{bold.decode_contents()}</th>', "html.parser"))
        table.thead.insert(0, row)
        name.decompose()


def _as_one_line(fold):
    """A folded proof: that it was run, and nothing to open."""
    line = _new("p", "checked chapter" if "chapter" in fold["class"] else "checked")
    line.string = fold.summary.get_text(" ", strip=True)
    fold.replace_with(line)


def _break_at_blank_lines(pre):
    """Code goes over a page's foot only where a line is blank: each run of lines without one is a box of its own."""
    runs = re.split(r"\n(?:[ \t]*\n)+", pre.decode_contents().strip("\n"))
    if any(run.count("<span") != run.count("</span>") for run in runs):
        return  # a string over several lines, with a blank one in it: it stays as it is
    short = " short" if pre.get_text().count("\n") <= 12 else ""
    few = " head" if len(runs) > 1 and runs[0].count("\n") < 4 else ""  # a few imports do not stand alone at a page's foot
    boxes = "".join(f'<span class="run{few if k == 0 else ""}">{run}\n</span>' for k, run in enumerate(runs))
    # Parsed inside its own <pre>, or the white space at the beginnings of lines would be lost
    pre.replace_with(BeautifulSoup(f'<pre class="code{short}">{boxes}</pre>', "html.parser").pre)


def without_links(tag):
    """A copy of a heading's content, for the table of contents."""
    copy = BeautifulSoup(str(tag), "html.parser").find(True)
    for a in copy.find_all("a"):
        a.unwrap()
    for number in copy.select(".section-number"):
        number.decompose()
    return copy.decode_contents().strip()


def plain(tag):
    """What a heading says in letters, formulas as they are typed: a bookmark takes nothing else."""
    copy = BeautifulSoup(str(tag), "html.parser").find(True)
    for formula in copy.select(".katex"):
        if (typed := formula.select_one("annotation")) is None:
            formula.decompose()  # a later piece: the first has all that was typed
            continue
        tex = typed.get_text()
        formula.replace_with(NavigableString(re.sub(r"\\[,;! ]|\\(?:boldsymbol|mathrm|mathbf)\b|[{}]", "", tex).strip()))
    for number in copy.select(".section-number, svg"):
        number.decompose()
    return re.sub(r"\s+", " ", copy.get_text()).strip()


def _new(name, kind):
    return BeautifulSoup(f'<{name} class="{kind}"></{name}>', "html.parser").find(True)
