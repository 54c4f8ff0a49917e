"""Change one operator, number or word of modules at a time: does tests/lib notice? python -m tools.mutants scaling axes

mutmut makes the changes and runs the tests that reach each of them. What survives is printed with its change; REASONS
names the survivors that no test can tell from the original.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "_build" / "mutants"
COMMAND = [sys.executable, "-m", "mutmut"]
SETTINGS = """
[tool.pytest.ini_options]
testpaths = ["tests"]

[tool.mutmut]
source_paths = {sources}
also_copy = ["ropelib", "tests", "tools"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "--disable-warnings"]
pytest_add_cli_args_test_selection = {tests}
"""

# Those of the numerics: other rooms have their own, some of which start programs that are not on the bench.
TESTS = "arguments arrays attention cache cases docs encodings found golden kernels maps properties rope rotation".split()

# Survivors that give the same numbers and messages: part of the changed line -> why.
COUNTS = "NumPy counts in int64 on this machine too"
SHAPE = "NumPy takes any negative size for the one to be found"
REASONS = {
    "waves <= number(length": "a wavelength is a multiple of pi, a length of the tests never is",
    'whole(columns, "columns")), ).reshape': COUNTS,
    "np.array([0, 1], None)": COUNTS,
    "np.array([0, 1], )": COUNTS,
    "dtype=None), section)": COUNTS,
    "dtype=None), np.array(split)": COUNTS,
    "lengths.sum(), dtype=None)": COUNTS,
    "np.arange(lengths.sum(), )": COUNTS,
    "np.arange(len(split), ), np.array(split)": COUNTS,
    "np.arange(len(section), ), section)": COUNTS,
    ".reshape(2, -2)": SHAPE,
    ".reshape(3, -2)": SHAPE,
    "initial=-2)) + 1)": "an empty part lies behind every position, by one or by two",
    "3 * power, 2) * 4": "more slopes than heads are made, and cut",
    'not in "XXiuXX"': "no dtype is of kind X",
    "relative.astype(None)": "NumPy's own choice is float64",
    "(j / steps)) - 2": "the count begins one lower, and ends at the same edge",
    "side=\"right\") + after, ": COUNTS,
    "np.arange(rotary_dim / 2)": "the same numbers as floats",
    ") / 1.0": "times one, or divided by it",
}


def bench(modules: tuple[str, ...]) -> None:
    """A copy of the numerics and their tests, in which things may be broken."""
    shutil.rmtree(BENCH, ignore_errors=True)
    for folder in ("ropelib", "tests/lib"):
        shutil.copytree(ROOT / folder, BENCH / folder, ignore=shutil.ignore_patterns("__pycache__", "book"))
    shutil.copy(ROOT / "tests" / "conftest.py", BENCH / "tests")
    (BENCH / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "__init__.py", BENCH / "tools")  # conftest reads it
    sources, tests = [f"ropelib/{name}.py" for name in modules], [f"tests/lib/test_{name}.py" for name in TESTS]
    settings = SETTINGS.format(sources=sources, tests=tests)
    (BENCH / "pyproject.toml").write_text(settings, encoding="utf-8")


def mutmut(*arguments: str) -> str:
    return subprocess.run([*COMMAND, *arguments], cwd=BENCH, capture_output=True, text=True).stdout


def main(*modules: str) -> int:
    bench(modules)
    subprocess.run([*COMMAND, "run", "--max-children", "2"], cwd=BENCH, check=True)
    results = mutmut("results", "--all", "true")
    for module in modules:
        verdicts = re.findall(rf"^\s*(ropelib\.{module}\.\S+): (.+)$", results, re.M)
        survivors = [name for name, verdict in verdicts if verdict not in ("killed", "timeout")]
        unexplained = 0
        for name in survivors:
            change = "\n".join(re.findall(r"^[-+](?![-+]).*$", mutmut("show", name), re.M))
            reason = next((why for part, why in REASONS.items() if part in change), None)
            unexplained += reason is None
            print(f"\n{name}: {reason or 'no test notices'}\n{change}")
        share = (len(verdicts) - len(survivors)) / max(1, len(verdicts))
        print(f"\n{module}: {share:.0%} of {len(verdicts)} caught; {unexplained} of {len(survivors)} survivors without a reason")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
