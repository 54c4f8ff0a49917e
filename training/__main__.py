"""Train what is not trained yet: python -m training [run ...]   (make train: everything, then the tables)."""

import argparse
import sys

from tqdm import tqdm

from .runs import RUNS, SEEDS
from .train import log, logged, train, weights


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="run", help=f"all if none is named: {', '.join(RUNS)}")
    names = parser.parse_args(arguments).runs or list(RUNS)
    if unknown := set(names) - set(RUNS):
        parser.error(f"no such run: {', '.join(sorted(unknown))}; there are {', '.join(RUNS)}")
    # a whole table with one seed, then with two, then with three; the poems' other seeds are long runs, and come last
    order = sorted(((name, seed) for seed in SEEDS for name in names), key=lambda run: run[1] > 0 and run[0] == "tang-rope")
    todo = [run for run in order if not weights(*run).exists()]
    known = logged()  # how long each took last time: the bar's estimate knows that runs differ
    seconds = {run: known.get(run, {}).get("seconds", RUNS[run[0]].steps / 15) for run in todo}
    form = "{desc} {percentage:3.0f}%|{bar}| {elapsed} so far, {remaining} to go"
    with tqdm(total=sum(seconds.values()), bar_format=form, smoothing=0) as bar:
        for name, seed in todo:
            bar.set_description(f"{name}, seed {seed}")
            log(train(name, seed, lambda step=seconds[name, seed] / RUNS[name].steps: bar.update(step)))


if __name__ == "__main__":
    main(sys.argv[1:])
