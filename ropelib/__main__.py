"""ropelib on the command line: a config's card, two configs compared, code held against a config, two arrays diagnosed.

    python -m ropelib card CONFIG.json
    python -m ropelib diff A.json B.json
    python -m ropelib check MODULE:FUNCTION CONFIG.json [--takes "q k"] [--axes bshd]
    python -m ropelib diagnose BEFORE.npy AFTER.npy [--positions POSITIONS.npy]

Exit code 0: all is well, nothing differs, or every finding is certain. 1: something differs, or a finding is open.
2: a file, a setting or a function cannot be read. --json prints JSON's own types instead of text.
"""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from . import __version__

_CHOICES: tuple[tuple[str, type, str], ...] = (
    ("--takes", str, "'x' (the default), 'x positions', 'q k' or 'q k positions'"),
    ("--axes", str, "the order of x's axes, such as bshd; bhsd if not given"),
    ("--head-dim", int, "channels of x; the config's if not given"),
    ("--heads", int, "heads of x; 2 if not given"),
    ("--kv-heads", int, "heads of k, where they are fewer"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line if not given.

    Returns
    -------
    int
    """
    parser = argparse.ArgumentParser(
        "python -m ropelib", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"ropelib {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    card = commands.add_parser("card", help="what a model's config says of its rotation")
    card.add_argument("config", type=Path, help="config.json")
    diff = commands.add_parser("diff", help="what differs between two configs")
    diff.add_argument("a", type=Path)
    diff.add_argument("b", type=Path)
    check = commands.add_parser("check", help="whether code turns as a config says")
    check.add_argument("code", help="module:function, found as import finds it; takes and returns NumPy arrays or torch's kind")
    check.add_argument("config", type=Path, help="config.json")
    check.add_argument("--layer", type=int, help="which layer's rotation, where layers differ")
    for name, kind, told in _CHOICES:
        check.add_argument(name, type=kind, help=told)
    diagnose = commands.add_parser("diagnose", help="what turned one array into another")
    diagnose.add_argument("before", type=Path, help="x, shape (..., rows, channels), .npy")
    diagnose.add_argument("after", type=Path, help="y, of the same shape, .npy")
    diagnose.add_argument("--positions", type=Path, help="positions of the rows, .npy; consecutive if not given")
    for each in (card, diff, check, diagnose):
        each.add_argument("--json", action="store_true", help="JSON instead of text")
    given = parser.parse_args(arguments)
    try:
        return {"card": _card, "diff": _diff, "check": _check, "diagnose": _diagnose}[given.command](given)
    except FileNotFoundError as error:
        print(f"ropelib: {error.filename} is not there", file=sys.stderr)
        return 2
    except (OSError, ValueError, TypeError) as error:
        print(f"ropelib: {error}", file=sys.stderr)
        return 2


def _config(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))  # Windows puts a mark of byte order before it
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must hold JSON: {error}") from error


def _array(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path} must hold one array, as np.save writes it: {error}") from error


def _card(given: argparse.Namespace) -> int:
    from .config.cards import SCHEMA, cards

    made, warnings = cards(_config(given.config))
    if given.json:
        print(json.dumps({"schema": SCHEMA, "cards": [each.to_dict() for each in made], "warnings": warnings}))
    else:
        print("\n".join([line for each in made for line in each.lines()] + [f"warning: {each}" for each in warnings]))
    return 0


def _diff(given: argparse.Namespace) -> int:
    from .config.cards import differences

    found = differences(_config(given.a), _config(given.b))
    print(json.dumps({"differences": found}) if given.json else "\n".join(found) or "both turn alike")
    return 1 if found else 0


def _check(given: argparse.Namespace) -> int:
    from .config import from_config
    from .diagnosis import check_rope

    module, _, name = given.code.partition(":")
    try:
        fn = attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{given.code} must be module:function, as import finds it: {error}") from error
    config = _config(given.config)
    rope = from_config(config, layer=given.layer)
    how = {key: value for key in ("takes", "axes", "head_dim", "heads", "kv_heads") if (value := getattr(given, key)) is not None}
    report = check_rope(fn, expected=config, layer=given.layer, **{"head_dim": rope.head_dim} | how)
    print(json.dumps(report.to_dict()) if given.json else report)
    return 0 if report.ok else 1


def _diagnose(given: argparse.Namespace) -> int:
    from .diagnosis import diagnose

    positions = None if given.positions is None else _array(given.positions)
    report = diagnose(_array(given.before), _array(given.after), positions)
    print(json.dumps(report.to_dict()) if given.json else report)
    return 0 if all(finding.sure for finding in report.findings.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
