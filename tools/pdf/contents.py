"""What the book holds and in which order, read from the sidebar of its home page."""

from dataclasses import dataclass, field

LEFT_OUT = {"api.html", "vectors.html"}  # forty pages of reference and a list of downloads: the web edition has them


@dataclass
class Part:
    title: str
    pages: list[str] = field(default_factory=list)


def parts(home):
    """The parts with their pages; what stands before the first part has no title."""
    found = [Part("")]
    for tag in home.select("#sidebar > p.caption, #sidebar a[href]"):
        if tag.name == "p":
            found.append(Part(tag.get_text(strip=True)))
        elif (href := tag["href"].partition("#")[0] or "index.html") not in LEFT_OUT:
            found[-1].pages.append(href)
    return found
