"""A package is the one that its hash names, or a sentence says what is wrong."""

import hashlib
import sys

import pytest

from tools.packages import fetched

WRITE = [sys.executable, "-c", "open('package.tgz', 'w').write('whole')"]
DIGEST = hashlib.sha256(b"whole").hexdigest()


def test_it_is_fetched_once_and_known_again(tmp_path):
    path = tmp_path / "new" / "package.tgz"
    assert fetched(path, WRITE, DIGEST) == path and path.read_text() == "whole"
    assert fetched(path, ["no-such-command"], DIGEST) == path


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["no-such-command"], "no-such-command is missing: install it, or put package.tgz into .* by hand"),
        ([sys.executable, "-c", "raise SystemExit('no network')"], "failed:\nno network"),
        ([sys.executable, "-c", "open('package.tgz', 'w').write('cut')"], "its SHA-256 is .*, expected .* Remove it"),
    ],
)
def test_what_goes_wrong_is_said(tmp_path, command, said):
    with pytest.raises(SystemExit, match=said):
        fetched(tmp_path / "package.tgz", command, DIGEST)
