"""The bench on which modules are broken on purpose."""

import subprocess
import sys

from tools import mutants


def test_the_bench_stands_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "BENCH", tmp_path / "bench")
    mutants.bench(("axes",))
    tests = [f"tests/lib/test_{name}.py" for name in mutants.TESTS]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *tests]
    ran = subprocess.run(command, cwd=tmp_path / "bench", capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
