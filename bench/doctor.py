"""How often the doctor is certain and right, open, or wrong and certain, on faults planted afresh.

python -m bench.doctor [--cases N] [--pairs N] [--rows S] [--dtype NAME] [--seed N] [--show]
"""

import argparse
import itertools
import sys
import time
from collections import Counter

import numpy as np

from ropelib.diagnosis import diagnose

from .faults import CASTS, ELSEWHERE, FAULTS, QUESTIONS, STRANGE, has_base, judged, plan, run

BASED = "base that 3 pairs follow"


def case(seed, names, rows=None, dtype=None):
    """One planted case, judged: the plan, the report, {question: verdict}, seconds."""
    random = np.random.default_rng(seed)
    made = plan(random, names, rows, dtype)
    x, y, given, p = run(made, random)
    start = time.process_time()
    report = diagnose(x, y, given)
    seconds = time.process_time() - start
    return made, report, judged(made, report, x, y, p), seconds


def combinations(random, pairs, regular=False):
    """Every fault alone, and a sample of pairs."""
    names = [name for name in FAULTS if not regular or name not in STRANGE | ELSEWHERE]
    both = [pair for pair in itertools.combinations(names, 2) if not STRANGE.issuperset(pair)]
    yield from ((name,) for name in names)
    yield from (both[i] for i in random.choice(len(both), size=min(pairs, len(both)), replace=False))


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m bench.doctor", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--dtype", choices=CASTS)
    parser.add_argument("--seed", type=int, help="new at each run unless given")
    parser.add_argument(
        "--regular", action="store_true", help="rotations of rows that count by one, as programs mean them, alone"
    )
    parser.add_argument("--open", choices=QUESTIONS, help="print every case in which this is open")
    parser.add_argument("--show", action="store_true", help="print every case that is wrong and certain")
    options = parser.parse_args(arguments)
    seed = int(np.random.SeedSequence().entropy % 2**32) if options.seed is None else options.seed
    random, counts, times, wrong, done = np.random.default_rng(seed), Counter(), [], 0, 0
    while done < options.cases:
        for names in itertools.islice(combinations(random, options.pairs, options.regular), options.cases - done):
            number = int(random.integers(2**32))
            made, report, told, seconds = case(number, names, options.rows, options.dtype)
            done += 1
            times.append(seconds)
            counts.update((what, verdict) for what, verdict in told.items())
            counts.update((BASED, verdict) for what, verdict in told.items() if what == "base" and has_base(made))
            if options.open and told.get(options.open) == "open":
                where = f"case({number}, {names}, {options.rows}, {options.dtype!r})"
                print(f"open: {where}; D {made.width} base {made.base:g}: {report[options.open].why}")
            if "wrong" in told.values():
                wrong += 1
                if options.show:
                    bad = {what: report[what].value for what, verdict in told.items() if verdict == "wrong"}
                    sizes = f"D {made.width} R {made.rotary} S {made.rows} {made.dtype} base {made.base:.6g} {made.layout}"
                    print(f"case({number}, {names}, {options.rows}, {options.dtype!r}): {bad}; {sizes}")
    print(f"seed {seed}: {done} cases, {len(FAULTS)} faults; mean {np.mean(times):.3f} s, worst {max(times):.2f} s")
    print(f"{'':26}{'certain and right':>18}{'open':>8}{'wrong and certain':>20}")
    for what in (*QUESTIONS, BASED):
        n = sum(counts[what, verdict] for verdict in ("right", "open", "wrong"))
        if n:
            print(f"{what:26}{counts[what, 'right'] / n:>17.1%}{counts[what, 'open'] / n:>9.1%}{counts[what, 'wrong']:>18}")
    print(f"{wrong} cases with something wrong and certain")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
