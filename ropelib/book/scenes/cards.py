"""Two models' cards side by side: the wavelength of every pair, and what their settings make of a head."""

import numpy as np

from ...config.cards import cards
from ..published import MODELS
from .parts import speaker

# Shown in this order; the second word picks a kind of layer. The script asks about those named in ASKED.
PICKS = (
    ("GPT-J 6B", "all"), ("GPT-NeoX 20B", "all"), ("Llama 2 7B", "all"), ("Llama 3.1 8B", "all"), ("Phi-3 mini 128k", "all"),
    ("GLM-4 9B", "all"), ("GLM-4.5", "all"), ("Qwen2-VL 7B", "all"), ("Qwen3-VL 235B", "all"), ("ERNIE 4.5 VL 28B", "all"),
    ("Gemma 3 12B", "sliding"), ("Gemma 3 12B", "full"), ("Gemma 4 12B", "full"), ("SmolLM3 3B", "rotating"),
    ("SmolLM3 3B", "without"), ("Llama 4 Scout", "full"), ("gpt-oss 120b", "full"), ("Ministral 3 8B", "all"),
    ("MiniMax-M2", "all"), ("nanochat d32", "all"), ("DeepSeek-V3", "all"), ("Kimi K2", "all"), ("DeepSeek-V3.2-Exp", "all"),
    ("DeepSeek-V4-Flash", "compressed_sparse"),
)  # fmt: skip
ASKED = (("Gemma 3 12B", "full"), ("Gemma 4 12B", "full"), ("GLM-4 9B", "all"), ("GLM-4.5", "all"), ("DeepSeek-V3", "all"))
ASKED += (("DeepSeek-V3.2-Exp", "all"),)
NAMES = {"llama3": "Llama 3", "yarn": "YaRN", "longrope": "LongRoPE", "linear": "linear", "proportional": "proportional"}


def build(models=None):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    models : mapping of str to mapping, optional
        Configs by the name of the model; `ropelib.book.published` if not given.

    Raises
    ------
    ValueError
        If a model that the scene asks about is missing, or its card does not answer as the scene says.
    """
    models = {name: each.config for name, each in MODELS.items()} if models is None else models
    missing = [name for name, _ in ASKED if name not in models]
    if missing:
        raise ValueError(f"models: got none named {missing[0]!r}, about which the scene asks")
    made = {name: cards(models[name])[0] for name, _ in PICKS if name in models}
    shown = [(name, kind, _of(made[name], kind)) for name, kind in PICKS if name in models]
    entries = [_entry(name, kind, card, models[name]) for name, kind, card in shown]
    found = {(name, kind): card for name, kind, card in shown}
    three, four, old, new, plain, sparse = (found[each] for each in ASKED)
    if not (four.longest_wavelength < 1000 and three.longest_wavelength > 1e6 and three.base == four.base):
        raise ValueError("models: got Gemma 3 and 4 without the gap between their longest wavelengths that the scene asks about")
    if not (old.layout != new.layout and old.channels == new.channels):
        raise ValueError("models: got GLM-4 and GLM-4.5 of one layout; the scene asks where they differ")
    if not (plain.layout == sparse.layout != sparse.turning_head["layout"] and plain.inv_freq == sparse.inv_freq):
        raise ValueError("models: got a DeepSeek-V3.2 whose attention is not V3's, or whose indexer turns like it")
    facts = (
        f"{len(entries)} cards; Gemma 3 {three.longest_wavelength:,.0f}, Gemma 4 {four.longest_wavelength:,.0f} positions; "
        f"GLM-4 {old.layout}, GLM-4.5 {new.layout}; indexer of DeepSeek-V3.2-Exp: {sparse.indexer}"
    )
    alt = speaker("cards")(
        "Two cards side by side, of the global layers of Gemma 3 and Gemma 4; rows that differ are lit. Above, the wavelengths "
        "of their pairs: up to {a} positions in the one, up to {b} in the other.",
        a=f"{three.longest_wavelength:,.0f}",
        b=f"{four.longest_wavelength:,.0f}",
    )
    return {"models": entries}, alt, facts


def _of(made, kind):
    return next(card for card in made if card.layers.startswith(kind))


def _entry(name, kind, card, config):
    """What the script shows of a card, as short as can be."""
    speeds = np.array(card.inv_freq)
    speeds = speeds[speeds > 0]
    waves = np.log10(2 * np.pi / speeds)
    even = len(waves) > 1 and bool(speeds[0] == 1) and bool(np.abs(np.diff(waves, 2)).max(initial=0) < 1e-9)
    config = config.get("text_config", config)
    length = config.get("max_position_embeddings") or config.get("n_positions") or config.get("seq_length")
    axes = card.axes or []
    scaling = card.method or {"type": "", "factor": None}
    method = NAMES.get(scaling["type"], "")
    entry = {
        "name": name,
        "kind": {"full": "full", "sliding": "sliding", "without": "without", "compressed_sparse": "sparse"}.get(kind, ""),
        "mixed": card.layout == "interleaved",
        "head": card.head_dim,
        "from": 0 if card.still else card.rotary_start,
        "base": card.base,
        "method": method,
        "factor": 0 if method == "LongRoPE" else scaling["factor"],
        "exact": "not rounded" in card.scaling,
        "wave": [len(waves), round(float(waves[1] - waves[0]), 6)] if even else [round(100 * w) for w in waves.tolist()],
        "even": even,
        "longest": round(card.longest_wavelength or 0),
        "slow": card.slow or 0,
        "length": length,
        "heat": _heat(card),
        "axes": [axes.count(axis) for axis in range(3)] if axes else [],
        "order": ("blocks" if axes == sorted(axes) else "alternating" if axes[0] else "mixed") if axes else "",
        "window": card.window or 0,
        "cache": card.cache_bytes or 0,
        "values": card.rotates_values,
        "back": card.direction < 0,
        "indexer": card.turning_head["layout"] if card.turning_head else "",
    }
    return {key: value for key, value in entry.items() if value not in ("", 0, [], False, None) or key in ("wave", "head")}


def _heat(card):
    """[factor, where it is applied], or nothing."""
    if card.scales_queries:
        return [0, "position"]
    for factor, where in ((card.attention_factor, "cos"), (card.softmax_factor, "softmax")):
        if factor != 1:
            return [round(factor, 3), where]
    return []
