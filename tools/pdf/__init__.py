"""The book on paper: one PDF a language, 17 by 23 centimetres, from the built pages.

python -m tools.pdf [zh-Hant] [en]          _build/pdf/rope.<language>.pdf
python -m tools.pdf --chapters 03 09        _build/handout/rope.<language>.pdf, without solutions

fonts     static TrueType faces, fetched once: Chromium takes variable fonts and the system's CJK fonts apart
contents  what the book holds and in which order, read from the pages' own sidebar
paper     what a page leaves out and changes when it cannot be touched
join      all pages as one document: links lead inside, solutions stand at the end
press     Chromium prints until the page numbers stay; then bookmarks
fit       a figure that would leave much of a page empty becomes a little smaller
"""
