"""Package files that are fetched once, by the command that a reader would type, and known by their hash."""

import hashlib
import subprocess


def fetched(path, command, digest):
    """The package file at `path`, fetched there by `command` if it is not there yet; SystemExit says what is wrong."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(command, cwd=path.parent, check=True, capture_output=True)
        except FileNotFoundError:
            raise SystemExit(f"{command[0]} is missing: install it, or put {path.name} into {path.parent} by hand.") from None
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"{' '.join(command)} failed:\n{error.stderr.decode()}") from None
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != digest:
        raise SystemExit(f"{path}: its SHA-256 is {found}, expected {digest}. Remove it and try again.")
    return path
