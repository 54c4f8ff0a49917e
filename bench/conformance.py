"""Run the test vectors against the libraries in requirements-test.txt, and write the table into both pages.

python -m bench.conformance
"""

import datetime
import importlib
import importlib.metadata
import os
from pathlib import Path

import numpy as np

from ropelib.conformance import assert_matches, vectors

os.environ.setdefault("HF_HUB_OFFLINE", "1")
ROOT = Path(__file__).parents[1]
WORDS = {
    "en": ("Method", "Layout", "not offered", "Run on {} with {}", "What is missed"),
    "zh-Hant": ("方法", "佈局", "不提供", "{}，{}", "不合之處"),
}


def transformers(case):
    """Llama's tables for settings in the new spelling, and its rotation: half, from the first channel."""
    torch, hf = importlib.import_module("torch"), importlib.import_module("transformers")
    llama = importlib.import_module("transformers.models.llama.modeling_llama")
    rope, config = case.rope, case.config or {}
    parameters = config.get("rope_parameters", {})
    plain = rope.layout == "half" and rope.direction == 1 and rope.rotary_start == 0 and rope.axes is None
    if not plain or "rope_theta" not in parameters or config.get("model_type") or parameters.get("rope_type") == "ntk":
        return None
    given = {"hidden_size": 2 * rope.head_dim, "num_attention_heads": 2, "head_dim": rope.head_dim}
    longest = config.get("max_position_embeddings", parameters.get("original_max_position_embeddings", 512))
    rotary = llama.LlamaRotaryEmbedding(hf.LlamaConfig(**given, max_position_embeddings=longest, rope_parameters=parameters))

    def turned(x, positions):
        places = torch.from_numpy(positions.astype(np.int64))[None]
        length = case.read.get("seq_len")
        if length:  # a sequence of that length decides
            rotary(torch.zeros(1), torch.tensor([[int(length) - 1]]))
            rotary.max_seq_len_cached = max(rotary.max_seq_len_cached, int(length))
            places_all = torch.arange(int(length))[None]
            cos, sin = rotary(torch.zeros(1), places_all)
            cos, sin = cos[:, places[0]], sin[:, places[0]]
        else:
            cos, sin = rotary(torch.zeros(1), places)
        x = torch.from_numpy(x)[None, None]
        return llama.apply_rotary_pos_emb(x, x, cos, sin)[0][0, 0]

    return turned


def raising(error):
    def turned(x, positions):
        raise error

    return turned


def whole(case):
    return (case.positions == np.round(case.positions)).all() and (case.positions >= 0).all()


def rotary_embedding_torch(case):
    """Frequencies as it is given them, row by row: interleaved."""
    torch, module = importlib.import_module("torch"), importlib.import_module("rotary_embedding_torch")
    rope = case.rope
    if (
        rope.layout != "interleaved"
        or rope.direction != 1
        or rope.axes is not None
        or rope.attention_factor != 1
        or not rope.rotary_dim
        or not whole(case)
    ):
        return None
    rotary = module.RotaryEmbedding(rope.rotary_dim, custom_freqs=torch.tensor(rope.inv_freq, dtype=torch.float32))

    def turned(x, positions):
        x = torch.from_numpy(x)
        angles = rotary.forward(torch.tensor(positions, dtype=torch.float32))
        return module.apply_rotary_emb(angles, x, start_index=rope.rotary_start)

    return turned


def x_transformers(case):
    """Its own frequencies, of one base: interleaved, from the first channel."""
    torch, module = importlib.import_module("torch"), importlib.import_module("x_transformers.x_transformers")
    rope = case.rope
    plain = rope.layout == "interleaved" and rope.direction == 1 and rope.rotary_start == 0 and rope.axes is None
    if not plain or case.method != "default" or rope.attention_factor != 1 or len(rope.inv_freq) < 2:
        return None
    base = float((rope.inv_freq[0] / rope.inv_freq[1]) ** len(rope.inv_freq))
    rotary = module.RotaryEmbedding(rope.rotary_dim, base=base)
    if not np.allclose(rotary.inv_freq.numpy(), rope.inv_freq, rtol=1e-4):
        return None

    def turned(x, positions):
        angles, scale = rotary(torch.tensor(positions, dtype=torch.float32))
        return module.apply_rotary_pos_emb(torch.from_numpy(x)[None, None], angles, scale)[0, 0]

    return turned


LIBRARIES = {"transformers": transformers, "rotary-embedding-torch": rotary_embedding_torch, "x-transformers": x_transformers}


def tried():
    """{(method, layout): {library: (passed, tried)}} and what is missed."""
    table, missed = {}, []
    for case in vectors("rotation"):
        row = table.setdefault((case.method, case.rope.layout), {name: [0, 0] for name in LIBRARIES})
        for name, make in LIBRARIES.items():
            try:
                turned = make(case)
            except ZeroDivisionError as error:  # a head of two channels
                turned = raising(error)
            if turned is None:
                continue
            row[name][1] += 1
            try:
                assert_matches(lambda each, x, turned=turned: turned(x, each.positions), [case], dtype=np.float32)
                row[name][0] += 1
            except AssertionError as error:
                missed.append((name, case.id, str(error).splitlines()[1].strip().partition(": ")[2]))
    return table, missed


def written(table, missed, language):
    method, layout, no, dated, what = WORDS[language]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    lines = [f"| {method} | {layout} | {' | '.join(LIBRARIES)} |", "|" + "---|" * (2 + len(LIBRARIES))]
    for (name, order), row in table.items():
        cells = [f"{good} / {n}" if n else no for good, n in row.values()]
        lines.append(f"| {name} | {order} | {' | '.join(cells)} |")
    lines += [
        "",
        dated.format(f"{datetime.date.today():%Y-%m-%d}", versions) + "。" * (language != "en") + "." * (language == "en"),
    ]
    if missed:
        lines += ["", f"{what}:" if language == "en" else f"{what}：", ""]
        lines += [
            f"- {library}, “{case}”: {told}" if language == "en" else f"- {library}，「{case}」：{told}"
            for library, case, told in missed
        ]
    return "\n".join(lines)


def main():
    table, missed = tried()
    for language in WORDS:
        path = ROOT / "chapters" / language / "vectors.md"
        page = path.read_text("utf-8")
        start, end = "% table: python -m bench.conformance writes it\n", "\n% end of table"
        before, _, rest = page.partition(start)
        path.write_text(f"{before}{start}\n{written(table, missed, language)}\n{end}{rest.partition(end)[2]}", "utf-8")
    print(written(table, missed, "en"))


if __name__ == "__main__":
    main()
