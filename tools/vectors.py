"""Write ropelib/conformance/vectors.json: what every implementation of RoPE must give, in 50-digit arithmetic.

    python -m tools.vectors

Nothing of ropelib is used. Formulas are those of each method's paper and of each family's published code; a config stands
beside the plain parameters that it means, and the tests let `from_config` read it.
"""

import json
from pathlib import Path

from mpmath import mp, mpf

HERE = Path(__file__).parents[1] / "ropelib" / "conformance"
mp.dps = 50
TRANSFORMERS = "Hugging Face transformers 5.24"


# --- frequencies


def geometric(rotary, base, whole=None):
    return [mpf(base) ** (-mpf(2 * i) / (whole or rotary)) for i in range(rotary // 2)]


def linear(rotary, base, factor):
    return [theta / mpf(factor) for theta in geometric(rotary, base)]


def ntk(rotary, base, factor):
    return geometric(rotary, mpf(base) * mpf(factor) ** (mpf(rotary) / (rotary - 2)))


def dynamic(rotary, base, factor, trained, length):
    length = max(mpf(length), mpf(trained))
    return ntk(rotary, base, factor * length / trained - (factor - 1))


def stepwise(rotary, base, trained, length):
    alpha = max(mpf(2) ** mp.ceil(mp.log(mpf(length) / trained, 2) + 1) - 1, 1)
    return ntk(rotary, base, alpha)


def yarn(rotary, base, factor, trained, fast=32, slow=1, truncate=True):
    def pair(turns):
        return rotary * mp.log(mpf(trained) / (turns * 2 * mp.pi)) / (2 * mp.log(base))

    low, high = pair(fast), pair(slow)
    if truncate:
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(rotary - 1))
    high = high + mpf("0.001") if low == high else high
    out = []
    for i, theta in enumerate(geometric(rotary, base)):
        share = min(max((i - low) / (high - low), mpf(0)), mpf(1))
        out.append(theta * (1 - share) + theta / mpf(factor) * share)
    return out


def llama3(rotary, base, factor, low, high, trained, step=False):
    out = []
    for theta in geometric(rotary, base):
        turns = trained * theta / (2 * mp.pi)
        smooth = min(max((turns - low) / (mpf(high) - low), mpf(0)), mpf(1))
        if step:
            smooth = mpf(turns >= high)
        out.append(theta * smooth + theta / mpf(factor) * (1 - smooth))
    return out


def divided(rotary, base, divisors):
    return [theta / mpf(repr(divisor)) for theta, divisor in zip(geometric(rotary, base), divisors, strict=True)]


def proportional(head, base, part, factor=1):
    turning = int(part * head // 2)
    return [theta / mpf(factor) if i < turning else mpf(0) for i, theta in enumerate(geometric(head, base))]


def temperature(factor, mscale=1):
    return mpf("0.1") * mscale * mp.log(factor) + 1 if factor > 1 else mpf(1)


def longrope_factor(factor, trained):
    return mp.sqrt(1 + mp.log(factor) / mp.log(trained)) if factor > 1 else mpf(1)


# --- one case


def channels(rows, head):
    """Quarters from -1.5 to 1.5: exact in every number format."""
    return [[((5 * s + 3 * j) % 13 - 6) / 4 for j in range(head)] for s in range(rows)]


def rotation(
    name,
    source,
    inv_freq,
    positions,
    *,
    config=None,
    head=None,
    layout="half",
    start=0,
    direction=1,
    factor=1,
    axes=None,
    x=None,
    method="default",
    note="",
    **read,
):
    """A case of kind "rotation". `read`: layer_type, layer, part, seq_len, which the config is read with."""
    pairs = len(inv_freq)
    head = head or 2 * pairs
    rows = len(positions[0] if axes else positions)
    x = x or channels(rows, head)
    y = []
    for s, row in enumerate(x):
        out = [mpf(v) for v in row]
        for i, theta in enumerate(inv_freq):
            a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + pairs)
            a, b = a + start, b + start
            p = positions[axes[i]][s] if axes else positions[s]
            cos, sin = factor * mp.cos(p * theta), factor * direction * mp.sin(p * theta)
            out[a], out[b] = row[a] * cos - row[b] * sin, row[a] * sin + row[b] * cos
        y.append([float(v) for v in out])
    flat = [p for row in positions for p in row] if axes else positions
    far = float(max((abs(theta) for theta in inv_freq), default=0)) * max(abs(float(p)) for p in flat)
    size = float(factor) * max(abs(v) for row in x for v in row) * 2
    return {
        "id": name,
        "kind": "rotation",
        "method": method,
        "source": source,
        **({"note": note} if note else {}),
        **({"config": config, "read": read} if config else {}),
        "rope": plain(inv_freq, factor, layout, head, start, direction, axes),
        "positions": positions,
        "input": x,
        "output": y,
        "bound": {
            "float64": 2**-50 * (1 + far) * size,
            "float32": 2**-21 * (1 + far) * size,
            "float16": (2**-9 + 2**-21 * far) * size,
            "bfloat16": (2**-6 + 2**-21 * far) * size,
        },
    }


def plain(inv_freq, factor, layout, head, start=0, direction=1, axes=None):
    """A rotation in plain parameters."""
    return {
        "inv_freq": [float(theta) for theta in inv_freq],
        "attention_factor": float(factor),
        "layout": layout,
        "head_dim": head,
        "rotary_dim": 2 * len(inv_freq),
        "rotary_start": start,
        "direction": direction,
        "axes": axes,
    }


def factors(name, source, config, positions, values, note="", **read):
    """A case of kind "query_factor"."""
    return {
        "id": name, "kind": "query_factor", "method": "temperature", "source": source, **({"note": note} if note else {}),
        "config": config, "read": read, "positions": positions, "output": [float(v) for v in values],
        "bound": {"float64": 2**-50 * 2, "float32": 2**-21, "float16": 2**-9, "bfloat16": 2**-6},
    }  # fmt: skip


def mapped(name, source, method, queries, keys, *, layout="half", factor=1, note="", **settings):
    """A case of kind "map": how far apart queries and keys count as being, and the scores at those distances."""
    inv_freq, head = geometric(8, 10**4), 8
    pairs, first = len(inv_freq), keys - queries  # the last query stands where the last key does
    x, y = channels(keys, head)[first:], channels(keys + 3, head)[3:]
    far, scores = [], []
    for i in range(queries):
        apart = [counted(method, first + i, j, **settings) if j <= first + i else None for j in range(keys)]
        row = []
        for j, r in enumerate(apart):
            total = mpf(0)
            for p, theta in enumerate(inv_freq if r is not None else ()):
                a, b = (2 * p, 2 * p + 1) if layout == "interleaved" else (p, p + pairs)
                cos, sin = mp.cos(r * theta), mp.sin(r * theta)
                total += (x[i][a] * cos - x[i][b] * sin) * y[j][a] + (x[i][a] * sin + x[i][b] * cos) * y[j][b]
            row.append(None if r is None else float(mpf(factor) ** 2 * total))
        far.append([None if r is None else float(r) for r in apart])
        scores.append(row)
    size = head * float(factor) ** 2 * 2.25 * 2
    return {
        "id": name,
        "kind": "map",
        "method": method,
        "source": source,
        **({"note": note} if note else {}),
        "map": {"queries": queries, "keys": keys, **settings},
        "rope": plain(inv_freq, factor, layout, head),
        "input": x,
        "keys": y,
        "distances": far,
        "output": scores,
        "bound": {
            "float64": 2**-50 * (1 + keys) * size,
            "float32": 2**-21 * (1 + keys) * size,
            "float16": (2**-9 + 2**-21 * keys) * size,
            "bfloat16": (2**-6 + 2**-21 * keys) * size,
        },
    }


def counted(method, i, j, window=0, leak=None, group=0, chunk=0, trained=0):
    """The distance that stands for i - j, as each paper has it."""
    r = i - j
    if method == "rerope":
        return mpf(r) if r < window else mpf(window) + (mpf(0) if leak is None else (mpf(r) - window) / mpf(leak))
    if method == "self_extend":
        return mpf(r) if r < window else mpf(i // group - j // group + window - window // group)
    back, place = i // chunk - j // chunk, i % chunk
    query = place if back == 0 else min(place + chunk, trained - 1) if back == 1 else trained - 1
    return mpf(query - j % chunk)


def refused(name, source, config, why, **read):
    """A case of kind "refused": a reader of configs must not give a rotation."""
    return {"id": name, "kind": "refused", "method": "none", "source": source, "config": config, "read": read, "note": why}


# --- the cases


def plain_cases():
    """Layout, slice and sense, without a config."""
    source = "Su et al., RoFormer, 2021, equation 34; the half layout is that of GPT-NeoX"
    for layout in ("half", "interleaved"):
        yield rotation(f"one pair, {layout}", source, [mpf(1)], [0, 1, -2], layout=layout)
        yield rotation(f"R01 1 2 3 4, {layout}", source, geometric(4, 10**4), [1], layout=layout, x=[[1, 2, 3, 4]])
        for base in (100, 10**4, 500_000, 10**7):
            yield rotation(f"base {base}, {layout}", source, geometric(8, base), [0, 1, 5, 1000], layout=layout)
        for direction in (1, -1):
            sense = "" if direction == 1 else ", other sense"
            for head, rotary, start, name in (
                (16, 16, 0, "whole"),
                (16, 8, 0, "first half"),
                (16, 8, 8, "last half"),
                (16, 4, 12, "last quarter"),
                (20, 8, 4, "middle"),
            ):
                theta = geometric(rotary, 10**4)
                made = rotation(
                    f"{name}, {layout}{sense}",
                    source,
                    theta,
                    [0, 1, 3],
                    head=head,
                    layout=layout,
                    start=start,
                    direction=direction,
                )
                yield made
        yield rotation(f"fractions of a position, {layout}", source, geometric(8, 10**4), [0.5, 2.25], layout=layout)
        yield rotation(
            f"factor on cos and sin, {layout}", source, geometric(8, 10**4), [0, 3], layout=layout, factor=temperature(4)
        )


def precise_cases():
    """Angles that low precision loses: x = (1, 0) gives (cos, sin)."""
    one = [[1, 0]] * 4
    yield rotation(
        "R08 position 1857, pair 1 of 32",
        "EleutherAI/gpt-neox#1003",
        geometric(32, 10**4)[1:2],
        [1857],
        layout="interleaved",
        x=one[:1],
    )
    yield rotation(
        "R09 positions around 257", "huggingface/transformers#29285", [mpf(1)], [255, 256, 257, 258], layout="interleaved", x=one
    )
    yield rotation(
        "R11 positions from 65536",
        "huggingface/diffusers#13922",
        [mpf(1)],
        [65536, 65537, 65538, 65539],
        layout="interleaved",
        x=one,
    )
    for far in (4095, 131071, 1048575):
        theta = geometric(16, 10**6)
        yield rotation(f"position {far}", "as R11", theta, [far], x=channels(1, 16))
    yield rotation("float16 integers end at 2048", "as R08", geometric(8, 10**4), [2047, 2048, 2049], layout="half")
    yield rotation("R55 base 1e7 in 32 bits", "1bit-MONSTER/1bit-MONSTER#634", geometric(16, 10**7), [1, 1000])


def method_cases():
    """Every method as a config says it, in both layouts."""
    paper = {
        "default": "Su et al., RoFormer, 2021", "linear": "Chen et al., Position Interpolation, 2023", "ntk": "NTK-aware, 2023",
        "dynamic": "Dynamic NTK, 2023", "yarn": "Peng et al., YaRN, 2023", "llama3": "Llama 3.1's published code",
        "longrope": "Ding et al., LongRoPE, 2024", "proportional": f"{TRANSFORMERS}, _compute_proportional_rope_parameters",
    }  # fmt: skip
    r, L = 16, 512
    short, long = [1.0, 1.05, 1.1, 1.2, 1.5, 2.0, 2.5, 3.0], [1.0, 1.5, 2.5, 4.0, 8.0, 12.0, 16.0, 20.0]
    lists = {"rope_type": "longrope", "short_factor": short, "long_factor": long, "original_max_position_embeddings": L}
    Y = {"rope_type": "yarn", "original_max_position_embeddings": L}
    rows = [
        ("default", {"rope_type": "default"}, geometric(r, 10**4), 1, {}),
        *[(f"linear {f:g}", {"rope_type": "linear", "factor": f}, linear(r, 10**4, f), 1, {}) for f in (2.0, 4.0, 8.0)],
        ("linear, older spelling", {"type": "linear", "factor": 2.0}, linear(r, 10**4, 2), 1, {}),
        *[(f"ntk {f:g}", {"rope_type": "ntk", "factor": f}, ntk(r, 10**4, f), 1, {}) for f in (2.0, 8.0)],
        *[
            (f"dynamic 2, {n} tokens", {"rope_type": "dynamic", "factor": 2.0}, dynamic(r, 10**4, 2, L, n), 1, {"seq_len": n})
            for n in (100, 512, 513, 2048)
        ],
        *[(f"yarn {f:g}", Y | {"factor": f}, yarn(r, 10**4, f, L), temperature(f), {}) for f in (4.0, 16.0, 40.0)],
        ("yarn, not truncated", Y | {"factor": 8.0, "truncate": False}, yarn(r, 10**4, 8, L, truncate=False), temperature(8), {}),
        (
            "yarn, betas",
            Y | {"factor": 8.0, "beta_fast": 16.0, "beta_slow": 2.0},
            yarn(r, 10**4, 8, L, 16, 2),
            temperature(8),
            {},
        ),
        ("R27 yarn, attention factor 1", Y | {"factor": 64.0, "attention_factor": 1.0}, yarn(r, 10**4, 64, L), 1, {}),
        (
            "yarn, mscale",
            Y | {"factor": 40.0, "mscale": 1.0, "mscale_all_dim": 0.5},
            yarn(r, 10**4, 40, L),
            temperature(40) / temperature(40, mpf("0.5")),
            {},
        ),
        (
            "R23 yarn, ramp from 0",
            {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
            yarn(r, 10**4, 4, 64),
            temperature(4),
            {},
        ),
        *[
            (
                f"llama3 {f:g}",
                {
                    "rope_type": "llama3",
                    "factor": f,
                    "low_freq_factor": 1.0,
                    "high_freq_factor": 4.0,
                    "original_max_position_embeddings": L,
                },
                llama3(r, 10**4, f, 1, 4, L),
                1,
                {},
            )
            for f in (8.0, 32.0)
        ],
        ("R34 longrope, 512 tokens", lists | {"factor": 4.0}, divided(r, 10**4, short), longrope_factor(4, L), {"seq_len": 512}),
        ("R34 longrope, 513 tokens", lists | {"factor": 4.0}, divided(r, 10**4, long), longrope_factor(4, L), {"seq_len": 513}),
        (
            "R36 longrope, attention factor",
            lists | {"factor": 4.0, "attention_factor": 1.25},
            divided(r, 10**4, long),
            mpf("1.25"),
            {"seq_len": 1024},
        ),
        *[
            (f"proportional {p}", {"rope_type": "proportional", "partial_rotary_factor": p}, proportional(r, 10**4, p), 1, {})
            for p in (0.25, 0.5, 0.75)
        ],
    ]
    for layout in ("half", "interleaved"):
        for name, rope, theta, factor, read in rows:
            method = rope.get("rope_type") or rope["type"]
            config = {
                "head_dim": r,
                "max_position_embeddings": L,
                "layout": layout,
                "rope_parameters": {"rope_theta": 10000.0, **rope},
            }
            if method in ("yarn", "longrope"):
                del config["max_position_embeddings"]
            yield rotation(
                f"{name}, {layout}",
                paper[method],
                theta,
                [0, 1, 40],
                config=config,
                layout=layout,
                factor=factor,
                method=method,
                **read,
            )


def model_cases():
    """Published settings, at two positions."""
    P = [1, 1000]

    def model(name, source, config, theta, **rest):
        return rotation(name, source, theta, P, config=config, **rest)

    card = "the model's published config.json and code"
    yield model(
        "Llama 2 7B",
        card,
        {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0},
        geometric(128, 10**4),
    )
    l3 = {
        "rope_type": "llama3",
        "factor": 32.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    yield model(
        "R38 Llama 3.2 1B",
        card,
        {"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0, "rope_scaling": l3},
        llama3(64, 500000, 32, 1, 4, 8192),
        method="llama3",
    )
    yield model("Mistral 7B", card, {"model_type": "mistral", "head_dim": 128, "rope_theta": 10000.0}, geometric(128, 10**4))
    yield model(
        "Qwen 2.5 7B",
        card,
        {"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1e6},
        geometric(128, 10**6),
    )
    q = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768, "rope_theta": 1e6}
    yield model(
        "Qwen 2.5 with YaRN",
        card,
        {"model_type": "qwen2", "head_dim": 128, "rope_parameters": q},
        yarn(128, 10**6, 4, 32768),
        factor=temperature(4),
        method="yarn",
    )
    oss = {
        "rope_type": "yarn",
        "factor": 32.0,
        "original_max_position_embeddings": 4096,
        "truncate": False,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
    }
    yield model(
        "R21 gpt-oss",
        "openai/gpt-oss, torch/model.py",
        {"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000, "rope_scaling": oss},
        yarn(64, 150000, 32, 4096, truncate=False),
        factor=temperature(32),
        method="yarn",
    )
    yield model(
        "GPT-NeoX 20B",
        card,
        {"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10000},
        geometric(24, 10**4),
        head=96,
    )
    yield model(
        "R06 GPT-J 6B",
        card,
        {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64},
        geometric(64, 10**4),
        head=256,
        layout="interleaved",
    )
    yield model(
        "GLM 4",
        card,
        {"model_type": "glm4", "head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        geometric(64, 10**4),
        head=128,
        layout="interleaved",
    )
    yield model(
        "R42 part of the head",
        "huggingface/transformers#48630",
        {"head_dim": 8, "partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        geometric(4, 10**4),
        head=8,
    )
    gemma = {
        "model_type": "gemma3_text",
        "head_dim": 256,
        "rope_theta": 1e6,
        "rope_local_base_freq": 10000.0,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    }
    yield model("R58 Gemma 3 4B, local layer", card, gemma, geometric(256, 10**4), layer_type="sliding_attention")
    yield model("R58 Gemma 3 4B, global layer", card, gemma, linear(256, 10**6, 8), layer_type="full_attention", method="linear")
    four = {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6}
    both = {"full_attention": four, "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}
    g4 = {"model_type": "gemma4_text", "head_dim": 256, "global_head_dim": 512, "rope_parameters": both}
    yield model(
        "Gemma 4, global layer",
        f"{TRANSFORMERS}, gemma4",
        g4,
        proportional(512, 10**6, 0.25),
        layer_type="full_attention",
        method="proportional",
    )
    yield model("Gemma 4, local layer", f"{TRANSFORMERS}, gemma4", g4, geometric(256, 10**4), layer_type="sliding_attention")
    yield model(
        "Cohere, interleaved",
        card,
        {"model_type": "cohere", "head_dim": 128, "rope_theta": 8e6},
        geometric(128, 8 * 10**6),
        layout="interleaved",
    )
    deep = {
        "rope_type": "yarn",
        "factor": 40.0,
        "original_max_position_embeddings": 4096,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
    }
    d3 = {
        "model_type": "deepseek_v3",
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "rope_theta": 10000.0,
        "rope_scaling": deep,
    }
    yield model(
        "N08 DeepSeek V3, whole head",
        "deepseek-ai/DeepSeek-V3, inference/model.py",
        d3,
        yarn(64, 10**4, 40, 4096),
        head=192,
        start=128,
        layout="interleaved",
        method="yarn",
    )
    n8 = {"model_type": "deepseek_v3", "qk_nope_head_dim": 2, "qk_rope_head_dim": 2, "rope_theta": 10000.0}
    yield rotation(
        "N08 tiny",
        "huggingface/transformers#39687",
        [mpf(1)],
        [1],
        config=n8,
        head=4,
        start=2,
        layout="interleaved",
        x=[[1, 2, 3, 4]],
    )
    n10 = {"model_type": "nanochat", "hidden_size": 8, "num_attention_heads": 2, "rope_theta": 10000.0}
    yield rotation(
        "N10 nanochat, the other sense",
        "karpathy/nanochat#489",
        geometric(4, 10**4),
        [1],
        config=n10,
        direction=-1,
        x=[[1, 2, 3, 4]],
    )
    dyn = {
        "head_dim": 128,
        "rope_theta": 10000.0,
        "max_position_embeddings": 2048,
        "rope_scaling": {"type": "dynamic", "factor": 4.0},
    }
    for n in (1000, 8192):
        yield model(
            f"R15 dynamic, {n} tokens",
            "vllm-project/vllm#3488",
            dyn,
            dynamic(128, 10**4, 4, 2048, n),
            method="dynamic",
            seq_len=n,
        )
    qwen = {
        "model_type": "qwen",
        "kv_channels": 128,
        "rotary_emb_base": 10000,
        "use_dynamic_ntk": True,
        "seq_length": 2048,
        "hidden_size": 4096,
        "num_attention_heads": 32,
    }
    for n in (2048, 2049, 4096, 4097, 8192):
        yield model(f"R19 Qwen, {n} tokens", "QwenLM/Qwen#401", qwen, stepwise(128, 10**4, 2048, n), method="dynamic", seq_len=n)


def layer_cases():
    """Layers that do not rotate, in models that do; an indexer beside attention."""
    types = ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"]
    exaone = {"model_type": "exaone4", "head_dim": 128, "rope_theta": 1e6, "sliding_window": 4096, "layer_types": types}
    cohere = {"model_type": "cohere2", "head_dim": 128, "rope_theta": 50000.0, "sliding_window": 4096, "layer_types": types}
    for name, config, source, base, layout in (
        ("N01 EXAONE 4", exaone, "vllm-project/vllm#23918", 10**6, "half"),
        ("N02 Command R7B", cohere, "vllm-project/vllm#11203", 50000, "interleaved"),
    ):
        yield rotation(
            f"{name}, full layer",
            source,
            [],
            [5],
            config=config,
            head=128,
            layout=layout,
            layer_type="full_attention",
            note="does not rotate",
        )
        yield rotation(
            f"{name}, sliding layer",
            source,
            geometric(128, base),
            [5],
            config=config,
            layout=layout,
            layer_type="sliding_attention",
        )
    yield rotation(
        "N01 EXAONE 4 1.2B",
        "vllm-project/vllm#23918",
        geometric(64, 10**6),
        [5],
        config={"model_type": "exaone4", "head_dim": 64, "rope_theta": 1e6, "sliding_window": None},
    )
    smol = {
        "model_type": "smollm3",
        "head_dim": 128,
        "rope_theta": 5e6,
        "num_hidden_layers": 36,
        "no_rope_layers": [1, 1, 1, 0] * 9,
    }
    for layer in (0, 2, 3, 35):
        turns = (layer + 1) % 4 != 0
        yield rotation(
            f"N03 SmolLM3, layer {layer}",
            "huggingface/transformers#43756",
            geometric(128, 5 * 10**6) if turns else [],
            [5],
            config=smol,
            head=128,
            layer=layer,
            note="1 in no_rope_layers means that the layer rotates",
        )
    v32 = {
        "model_type": "deepseek_v32",
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "rope_theta": 10000.0,
        "index_head_dim": 128,
    }
    yield rotation(
        "N25 DeepSeek V3.2, attention",
        "sgl-project/sglang#13495",
        geometric(64, 10**4),
        [7],
        config=v32,
        head=192,
        start=128,
        layout="interleaved",
    )
    yield rotation(
        "N25 DeepSeek V3.2, indexer",
        "sgl-project/sglang#13495",
        geometric(64, 10**4),
        [7],
        config=v32,
        head=128,
        layout="half",
        part="indexer",
    )


def axis_cases():
    """Pairs that follow several axes."""
    P = [[7, 1, 0], [3, 2, 9], [5, 3, 4]]
    q2 = {
        "model_type": "qwen2_vl",
        "head_dim": 128,
        "rope_theta": 1e6,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
    }
    yield rotation(
        "R61 Qwen2-VL, blocks", "alibaba/MNN#4133", geometric(128, 10**6), P, config=q2, axes=[0] * 16 + [1] * 24 + [2] * 24
    )
    q3 = {
        "model_type": "qwen3_vl_text",
        "head_dim": 128,
        "rope_theta": 5e6,
        "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": True},
    }
    yield rotation(
        "R61 Qwen3-VL, interleaved", "QwenLM/Qwen3-VL", geometric(128, 5 * 10**6), P, config=q3, axes=[0, 1, 2] * 20 + [0] * 4
    )
    q35 = {
        "model_type": "qwen3_5_text",
        "head_dim": 256,
        "rope_parameters": {"rope_theta": 1e7, "mrope_section": [11, 11, 10], "partial_rotary_factor": 0.25},
    }
    yield rotation(
        "N12 Qwen3.5, no flag",
        "NVIDIA/Megatron-LM#4750",
        geometric(64, 10**7),
        P,
        config=q35,
        head=256,
        axes=[0, 1, 2] * 10 + [0, 1],
    )
    ernie = {
        "model_type": "ernie4_5_vl_moe_text",
        "head_dim": 128,
        "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "default", "mrope_section": [22, 22, 20]},
    }
    yield rotation(
        "N11 ERNIE 4.5 VL",
        "huggingface/transformers#39585",
        geometric(128, 500000),
        P,
        config=ernie,
        layout="interleaved",
        axes=[1, 2] * 22 + [0] * 20,
    )
    yield rotation(
        "N11 tiny",
        "huggingface/transformers#39585",
        geometric(8, 10**4),
        [[7], [3], [5]],
        layout="interleaved",
        axes=[1, 2, 0, 0],
    )
    for layout in ("half", "interleaved"):
        same = [[4, 9]] * 3
        yield rotation(
            f"equal axes are text, {layout}",
            "Wang et al., Qwen2-VL, 2024",
            geometric(16, 10**4),
            same,
            layout=layout,
            axes=[0, 0, 1, 1, 1, 2, 2, 2],
        )
        two = geometric(8, 10**4) * 2
        yield rotation(
            f"R63 a grid of 2 x 3, {layout}",
            "axial RoPE: rows turn the first half of the pairs",
            two,
            [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]],
            layout=layout,
            axes=[0] * 4 + [1] * 4,
        )
    yield rotation(
        "N32 DINOv3, a grid of 2 x 4",
        "huggingface/pytorch-image-models#2692",
        [2 * mp.pi * theta for theta in geometric(4, 100) * 2],
        [[-0.5] * 4 + [0.5] * 4, [-0.75, -0.25, 0.25, 0.75] * 2],
        axes=[0, 0, 1, 1],
    )
    yield rotation(
        "Wan, a video of 2 x 2 x 3, a head of 64",
        "Wan-Video/Wan2.1, wan/modules/model.py",
        geometric(24, 10**4) + geometric(20, 10**4) + geometric(20, 10**4),
        [[0] * 6 + [1] * 6, [0, 0, 0, 1, 1, 1] * 2, [0, 1, 2] * 4],
        layout="interleaved",
        axes=[0] * 12 + [1] * 10 + [2] * 10,
    )
    pixel = [mpf(v) * mp.pi for v in (1, "64.5", 128)]
    yield rotation("R65 pixel frequencies", "lucidrains/rotary-embedding-torch#32", pixel, [-1, -0.5, 0.25], layout="interleaved")


def temperature_cases():
    """Factors on queries by position."""
    types = ["chunked_attention", "chunked_attention", "chunked_attention", "full_attention"]
    l4 = {
        "model_type": "llama4_text",
        "head_dim": 128,
        "rope_theta": 500000.0,
        "layer_types": types,
        "no_rope_layers": [1, 1, 1, 0],
        "attn_temperature_tuning": True,
        "attn_scale": 0.1,
        "floor_scale": 8192,
    }
    P = [0, 8190, 8191, 16383, 131071]
    values = [1 + mpf("0.1") * mp.log(1 + (p + 1) // 8192) for p in P]
    yield factors("N04 Llama 4, layer without rotation", "AI-Hypercomputer/maxtext#1611", l4, P, values, layer=3)
    yield rotation(
        "N04 Llama 4, layer without rotation: x",
        "AI-Hypercomputer/maxtext#1611",
        [],
        [5],
        config=l4,
        head=128,
        layout="interleaved",
        layer=3,
    )
    m3 = {
        "model_type": "ministral3",
        "head_dim": 128,
        "rope_parameters": {
            "rope_theta": 1e6,
            "rope_type": "yarn",
            "factor": 16.0,
            "original_max_position_embeddings": 16384,
            "mscale": 1.0,
            "mscale_all_dim": 1.0,
            "llama_4_scaling_beta": 0.1,
        },
    }
    P = [16383, 16384, 32768]
    yield factors("N05 Ministral 3", "ollama/ollama#13292", m3, P, [1 + mpf("0.1") * mp.log(1 + p // 16384) for p in P])


def map_cases():
    """Maps of relative position: distances, and scores at them."""
    su = "Su, ReRoPE, 2023, kexue.fm/archives/9708"
    jin = "Jin et al., Self-Extend, 2024"
    an = "An et al., Dual Chunk Attention, 2024, section 3; the authors' code clamps at trained, one more"
    yield mapped("ReRoPE, 12 tokens", su, "rerope", 12, 12, window=4)
    yield mapped("ReRoPE, one query of 20 keys", su, "rerope", 1, 20, window=4, layout="interleaved")
    yield mapped("ReRoPE, everything far", su, "rerope", 5, 5, window=1)
    yield mapped("ReRoPE, leaky", su, "rerope", 3, 20, window=4, leak=2.5)
    yield mapped("ReRoPE, a leak of 1 changes nothing", su, "rerope", 3, 12, window=4, leak=1)
    yield mapped("SelfExtend, 12 tokens", jin, "self_extend", 12, 12, window=4, group=2)
    told = "both queries see the key 9 before them, at 7 and at 6: positions are grouped, not distances"
    yield mapped("SelfExtend, queries 20 and 21", jin, "self_extend", 2, 22, window=4, group=2, note=told)
    yield mapped("SelfExtend, groups of 3", jin, "self_extend", 4, 23, window=6, group=3, layout="interleaved")
    yield mapped("SelfExtend, factor on cos and sin", jin, "self_extend", 3, 12, window=4, group=4, factor=temperature(4))
    yield mapped("Dual Chunk, 17 tokens", an, "dual_chunk", 17, 17, chunk=5, trained=8)
    back = "distances go to 6 and then back to 4: not monotone"
    yield mapped("Dual Chunk, query 30", an, "dual_chunk", 1, 31, chunk=8, trained=12, note=back)
    yield mapped("Dual Chunk, 6 counts as 8", an, "dual_chunk", 1, 10, chunk=4, trained=12, layout="interleaved")
    yield mapped("Dual Chunk, one chunk is plain attention", an, "dual_chunk", 6, 6, chunk=8, trained=8)


def refused_cases():
    yarn_ = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
    llama = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
    granite = {"model_type": "granitemoehybrid", "hidden_size": 1536, "num_attention_heads": 12, "rope_theta": 10000}

    def scaled(**scaling):
        return {"head_dim": 64, "rope_theta": 10000.0, "rope_scaling": scaling}

    for name, config, why in (
        ("N07 GPT-2", {"model_type": "gpt2", "n_embd": 768, "n_head": 12}, "learned positions"),
        ("N07 BLOOM", {"model_type": "bloom", "hidden_size": 1024, "n_head": 16}, "ALiBi"),
        ("N07 Granite hybrid", granite | {"position_embedding_type": "nope"}, "position_embedding_type is not rope"),
        ("R41 odd part of a head", {"head_dim": 4, "partial_rotary_factor": 0.75, "rope_theta": 10000.0}, "3 channels"),
        ("R53 odd head", {"head_dim": 9, "rope_theta": 10000.0}, "channels turn in pairs"),
        ("R25 betas exchanged", scaled(**yarn_, beta_fast=1.0, beta_slow=32.0), "beta_fast must be the larger"),
        ("R40 bands exchanged", scaled(**llama, low_freq_factor=4.0, high_freq_factor=1.0), "high must be the larger"),
        ("R59 base 0", {"head_dim": 64, "rope_theta": 0.0}, "the base must be positive"),
        ("R59 factor below 1", scaled(type="linear", factor=0.5), "a factor shortens nothing"),
        ("R59 unknown type", scaled(type="foo", factor=2.0), "unknown type"),
        ("R56 two types", scaled(**yarn_, rope_type="linear"), "type and rope_type disagree"),
    ):
        yield refused(name, "public reports; see the note", config, why)


def main():
    cases = [
        case
        for group in (
            plain_cases,
            precise_cases,
            method_cases,
            model_cases,
            layer_cases,
            axis_cases,
            temperature_cases,
            map_cases,
            refused_cases,
        )
        for case in group()
    ]
    names = [case["id"] for case in cases]
    assert len(set(names)) == len(names), sorted(name for name in names if names.count(name) > 1)
    head = {
        "format": 1,
        "about": "What rotary position embedding must give, computed in 50-digit arithmetic and rounded once to float64. "
        "vectors.schema.json says what each field means. MIT licence.",
    }
    lines = ",\n".join(json.dumps(case) for case in cases)
    text = json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n"
    (HERE / "vectors.json").write_text(text)
    kinds = {kind: sum(case["kind"] == kind for case in cases) for kind in sorted({case["kind"] for case in cases})}
    print(f"{len(cases)} cases, {len(text) / 1e6:.2f} MB: {kinds}")


if __name__ == "__main__":
    main()
