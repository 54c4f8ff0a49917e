"""Time every candidate at two shapes, write the table, and fail if ropelib misses its limits.

A ratio is the fastest of many runs over the fastest of as many copies made in turn with them: the fastest run is the
one that other programs disturbed least. Run it on a quiet machine all the same.
"""

import importlib.metadata
import importlib.util
import json
import platform
import sys
import time
from pathlib import Path

import numpy as np

from .candidates import CANDIDATES

SHAPES = {"A": (1, 32, 4096, 128), "B": (8, 16, 512, 64)}
LIMITS = {"interleaved": 1.35, "half": 3.8}  # at A, with out=
MEMORY_LIMIT = 1.0  # MiB beyond the result, with out=
RUNS, MEBI = 15, 2**20
TIE = 0.05  # ratios closer than this are a tie: at B a copy is the floor, and two of them lie on it
HERE = Path(__file__).parent


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def peak_mebibytes(function, result_bytes):
    """Resident memory that one call adds at its peak, without its result; None where the system does not tell."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = resident("VmRSS")
        function()
        return max(0.0, (resident("VmHWM") - before) / 1024 - result_bytes / MEBI)
    except OSError:
        return None


def resident(field):
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith(field)).split()[1])


def measure(shape):
    random = np.random.default_rng(0)
    q, k = (random.standard_normal(shape, dtype=np.float32) for _ in range(2))
    targets = np.empty_like(q), np.empty_like(k)

    def copy():
        np.copyto(targets[0], q)
        np.copyto(targets[1], k)

    def negative():
        np.negative(q, out=targets[0])
        np.negative(k, out=targets[1])

    rows = [("np.copyto", "-", copy, False), ("np.negative(out=)", "-", negative, False)]
    for name, layout, ready, new in CANDIDATES:
        try:
            rows.append((name, layout, ready(q, k), new))
        except ImportError as missing:
            print(f"not measured: {name}: {missing}", file=sys.stderr)
    times = []
    for _ in range(RUNS + 1):  # in turn, so that all meet the same disturbances; the first round warms up
        times.append([timed(function) for _, _, function, _ in rows])
    fastest, median = np.min(times[1:], axis=0), np.median(times[1:], axis=0)
    return [
        {
            "name": name,
            "layout": layout,
            "ratio": fastest[i] / fastest[0],
            "median": median[i] / median[0],
            "extra_mib": peak_mebibytes(function, q.nbytes + k.nbytes if new else 0),
        }
        for i, (name, layout, function, new) in enumerate(rows)
    ][1:]


def versions():
    packages = ("numpy", "torch", "transformers", "rotary-embedding-torch", "x-transformers")
    found = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def markdown(results):
    lines = [
        "| implementation | layout | " + " | ".join(f"{label}" for label in SHAPES) + " | extra MiB at A |",
        "|---|---|" + "---:|" * (len(SHAPES) + 1),
    ]
    for i, row in enumerate(results["A"]):
        extra = "?" if row["extra_mib"] is None else f"{row['extra_mib']:.1f}"
        ratios = " | ".join(f"{results[label][i]['ratio']:.2f}" for label in SHAPES)
        lines.append(f"| {row['name']} | {row['layout']} | {ratios} | {extra} |")
    return "\n".join(lines) + "\n"


CHINESE = {
    "| implementation | layout |": "| 實作 | 佈局 |",
    "extra MiB at A": "A 多用的 MiB",
    "NumPy textbook": "NumPy 教科書寫法",
    "torch complex (Meta)": "torch 複數（Meta）",
    "| interleaved |": "| 交錯 |",
    "| half |": "| 對半 |",
    "| ropelib, out= |": "| ropelib，`out=` |",
}


def in_chinese(table):
    for words, chinese in CHINESE.items():
        if words not in table:
            raise ValueError(f"{words!r} is not in the table; mend CHINESE")
        table = table.replace(words, chinese)
    return table


def missed(results):
    """Every limit that ropelib does not keep, in words."""
    for row in results["A"]:
        if row["name"] == "ropelib, out=":
            if row["ratio"] > LIMITS[row["layout"]]:
                yield f"{row['layout']} at A: {row['ratio']:.2f}, the limit is {LIMITS[row['layout']]}"
            if (row["extra_mib"] or 0) > MEMORY_LIMIT:
                yield f"{row['layout']} at A: {row['extra_mib']:.2f} MiB more memory, the limit is {MEMORY_LIMIT}"
    for label, rows in results.items():
        for layout in LIMITS:  # peers return new arrays, so they are compared with the ropelib that does
            ours = next(row["ratio"] for row in rows if (row["name"], row["layout"]) == ("ropelib", layout))
            for row in rows:
                if row["layout"] == layout and not row["name"].startswith("ropelib") and row["ratio"] < ours - TIE:
                    yield f"{layout} at {label}: {row['name']} takes {row['ratio']:.2f}, ropelib {ours:.2f}"


def main():
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
    # glibc keeps freed memory of up to the largest size freed so far: let that be 32 MiB for the first candidate too
    warm = np.ones(2**25 - 2**16, np.uint8)
    del warm
    results = {label: measure(shape) for label, shape in SHAPES.items()}
    table = markdown(results)
    (HERE / "results.md").write_text(table, encoding="utf-8")
    (HERE / "results.zh-Hant.md").write_text(in_chinese(table), encoding="utf-8")
    record = {"shapes": SHAPES, "dtype": "float32", "runs": RUNS, "versions": versions(), "results": results}
    (HERE / "results.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(table)
    misses = list(missed(results))
    for miss in misses:
        print(f"missed: {miss}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
