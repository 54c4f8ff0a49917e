"""Record what transformers answers, for tests that run without it: tests/lib/data/peers.json.

    python -m tools.peers

The sweep of tests/peers runs over every rotary family; its heads are random from a fixed seed, so that only the scores of
each need keeping. tests/lib/test_recorded_peers.py reads them.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from ropelib.config.families import OF_ITS_NAME
from ropelib.config.spellings import BESIDE, NESTED, NULL

ROOT = Path(__file__).parent.parent
FILE = ROOT / "tests" / "lib" / "data" / "peers.json"
READ = {spelling for name, others in BESIDE.items() for spelling in (name, *others)} | {*NESTED, "attn_config"}
READ |= {key for _, key in OF_ITS_NAME.values()}  # by which a file is known


def short(config):
    """What of a config concerns rotation."""
    return {key: value for key, value in config.items() if key in READ and (value is not None or key in NULL)}


def main():
    sys.path.insert(0, str(ROOT / "tests" / "peers"))
    import families
    import test_families as sweep

    for folder, stem in families.rotary_families():
        sweep.test_a_family_turns_as_its_own_code_does(folder, stem)
        sweep.test_what_a_familys_config_leaves_out_is_known_or_told(folder, stem)
        print(folder, flush=True)
    scores, layers, silent, seen = [], [], [], set()
    for kind, config, *rest in sweep.recorded:
        entry = {"config": short(config)}
        if kind == "layers":
            turning, step = rest
            layers.append(entry | {"step": step, "rotates": turning})
            continue
        if kind == "silent":
            which, rope, told = rest
            if not told and rope.rotary_dim:
                ends = [float(f"{rope.inv_freq[i]:.10g}") for i in (1, -1)]
                silent.append(entry | {"which": which, "rotary_dim": rope.rotary_dim, "inv_freq": ends})
            continue
        which, places, shape, seq_axis, theirs = rest
        entry |= {"which": which, "positions": np.asarray(places).tolist(), "shape": shape, "seq_axis": seq_axis}
        if json.dumps(entry) not in seen:
            seen.add(json.dumps(entry))
            scores.append(entry | {"scores": [[float(f"{each:.6g}") for each in row] for row in theirs]})
    refused = sorted({model_type for where in families.other_families() for model_type in sweep.without_rotation(*where)})
    versions = {name: version(name) for name in ("transformers", "torch")}
    lines = [f'"versions": {json.dumps(versions)}', f'"refused": {json.dumps(refused)}']
    for name, entries in (("layers", layers), ("silent", silent), ("scores", scores)):
        rows = ",\n".join(map(json.dumps, entries))
        lines.append(f'"{name}": [\n{rows}\n]')
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    counts = f"{len(scores)} rotations, {len(layers)} models' layers, {len(silent)} silent configs, {len(refused)} refusals"
    print(f"{counts}: {FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
