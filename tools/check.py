"""Run the tests of the library, the site and the scenes, and every notebook against its stored outputs.

    python -m tools.check [pytest's own arguments]

Others have commands of their own: `make test-pages` opens every page, `make test-peers` compares with other libraries,
`make test-live` runs every page's cells. With REQUIRE_BROWSER=1 a missing browser is a failure; without it, the run says
what it left out.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(arguments):
    compare = ["-p", "tests.notebooks.elsewhere", "--nbval", "--nbval-sanitize-with", "tests/nbval.cfg"]
    # loadfile: a notebook's cells need one kernel, in order; the files that take longest are the first to start
    in_two = ["tests/scenes", "tests/site", "chapters", "tests", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    left = ["-m", "not live and not every_page", "--ignore=tests/peers"]
    command = [sys.executable, "-m", "pytest", *in_two, *compare, *left, "-q", *arguments]
    sys.exit(subprocess.call(command, cwd=ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
