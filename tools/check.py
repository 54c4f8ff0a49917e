"""Run every test: the library's, the site's, and every notebook against its stored outputs.

    python -m tools.check [pytest's own arguments]

With REQUIRE_BROWSER=1 a missing browser is a failure; without it, the run says what it left out.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(arguments):
    compare = ["--nbval", "--nbval-sanitize-with", "tests/nbval.cfg"]
    in_two = ["-n", "2", "--dist", "loadfile"]  # loadfile: a notebook's cells need one kernel, in order
    command = [sys.executable, "-m", "pytest", "tests", "chapters", "-m", "not live", *compare, *in_two, "-q", *arguments]
    sys.exit(subprocess.call(command, cwd=ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
