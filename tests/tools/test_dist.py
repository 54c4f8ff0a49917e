"""The book in one file: the same pages under one folder, and the same file from the same book."""

import zipfile

import pytest

from tools import dist


def test_the_zip_holds_the_book_under_one_folder(tmp_path):
    book = tmp_path / "html"
    (book / "chapters").mkdir(parents=True)
    files = {"index.html": b"<p>home", "chapters/\u5716.html": "圖".encode()}
    for name, data in files.items():
        (book / name).write_bytes(data)
    first, again = tmp_path / "out" / "first.zip", tmp_path / "out" / "again.zip"
    dist.pack(book, first)
    (book / "index.html").touch()
    dist.pack(book, again)
    assert first.read_bytes() == again.read_bytes()
    zipfile.ZipFile(first).extractall(tmp_path / "disk")
    assert {p.name for p in (tmp_path / "disk").iterdir()} == {dist.NAME}
    assert {name: (tmp_path / "disk" / dist.NAME / name).read_bytes() for name in files} == files
    assert not list(first.parent.glob("*.part"))


def test_without_a_built_book_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(dist, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="Build it first: make book"):
        dist.main()
