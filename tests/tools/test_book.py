"""Only a build that succeeded replaces the last good book."""

import pytest

from tools import book


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(book, "BUILD", tmp_path)
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "index.html").write_text("good")
    return tmp_path


def test_a_failed_build_keeps_the_last_good_book(place, monkeypatch):
    monkeypatch.setattr(book, "build", lambda: None)
    with pytest.raises(SystemExit, match="the last good book was kept"):
        book.main()
    assert (place / "html" / "index.html").read_text() == "good"


def test_a_good_build_replaces_the_book_whole(place, monkeypatch, capsys):
    (place / "html" / "old-page.html").write_text("gone after this")
    fresh = place / "fresh"
    fresh.mkdir()
    (fresh / "index.html").write_text("better")
    monkeypatch.setattr(book, "build", lambda: fresh)
    book.main()
    assert [p.name for p in (place / "html").iterdir()] == ["index.html"]
    assert (place / "html" / "index.html").read_text() == "better"
    assert str(place / "html" / "index.html") in capsys.readouterr().out


def test_a_first_build_that_fails_says_so(place, monkeypatch):
    (place / "html" / "index.html").unlink()
    (place / "html").rmdir()
    monkeypatch.setattr(book, "build", lambda: None)
    with pytest.raises(SystemExit, match="no book was written"):
        book.main()


def test_a_chapter_that_the_contents_forget_is_named(place, monkeypatch, capsys):
    (place / "chapters" / "en").mkdir(parents=True)
    (place / "_toc.yml").write_text("- file: chapters/en/01-listed\n# - file: chapters/en/02-put-off\n")
    for name in ("01-listed.ipynb", "02-put-off.ipynb", "03-forgotten.md", "notes.txt"):
        (place / "chapters" / "en" / name).touch()
    assert book.unlisted(place) == ["chapters/en/02-put-off.ipynb", "chapters/en/03-forgotten.md"]
    monkeypatch.setattr(book, "build", lambda: None)
    monkeypatch.setattr(book, "unlisted", lambda: ["chapters/en/03-forgotten.md"])
    with pytest.raises(SystemExit):
        book.main()
    assert "chapters/en/03-forgotten.md is not in _toc.yml" in capsys.readouterr().err
