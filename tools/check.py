"""Run every test but those of peers: the library's, the site's, and every notebook against its stored outputs.

    python -m tools.check [pytest's own arguments]

With REQUIRE_BROWSER=1 a missing browser is a failure; without it, the run says what it left out.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(arguments):
    compare = ["-p", "tests.notebooks.elsewhere", "--nbval", "--nbval-sanitize-with", "tests/nbval.cfg"]
    # loadfile: a notebook's cells need one kernel, in order; the site's files take longest, so they are the first to start
    in_two = ["tests/site", "chapters", "tests", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", *in_two, *compare, "-m", "not live", "--ignore=tests/peers", "-q", *arguments]
    sys.exit(subprocess.call(command, cwd=ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
