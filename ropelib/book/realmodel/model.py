"""SmolLM2-135M in NumPy: thirty layers, short enough to be read, with position in the reader's hand.

All that the model knows of position happens in one place, `turn(q, k)`, which the caller may replace.
"""

from typing import NamedTuple

import numpy as np

from ...frequencies import inverse_frequencies
from ...rotation import cos_sin, rotate

LONGEST = 2048  # tokens at once: attention's memory grows with their square


class Step(NamedTuple):
    """What one layer did, all float32: H query heads, K key heads, T tokens after S - T earlier ones, D channels, W wide.

    Attributes
    ----------
    q, k, v : ndarray, shape (H, T, D), (K, T, D), (K, T, D)
        Before rotation.
    turned_q, turned_k : ndarray, shape (H, T, D), (K, T, D)
        After it.
    weights : ndarray, shape (H, T, S)
        Attention.
    mixed : ndarray, shape (T, W)
        What attention adds to the stream.
    out : ndarray, shape (T, W)
        The stream after the layer.
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    turned_q: np.ndarray
    turned_k: np.ndarray
    weights: np.ndarray
    mixed: np.ndarray
    out: np.ndarray


def rope(positions, inv_freq, *, layout="interleaved", factor=1.0):
    """A `turn` for `SmolLM2`: queries and keys rotated by their positions.

    Parameters
    ----------
    positions : array_like, shape (T,)
    inv_freq : array_like, shape (D / 2,)
        Radians per position.
    layout : {"interleaved", "half"}
        The file keeps its weights interleaved.
    factor : float
        Multiplies both: YaRN's attention factor.

    Returns
    -------
    function of (q, k) of shapes (H, T, D) and (K, T, D) that returns both, rotated
    """
    cos, sin = ((factor * table).astype(np.float32) for table in cos_sin(positions, inv_freq))

    def turn(q, k):
        return rotate(q, cos, sin, layout=layout), rotate(k, cos, sin, layout=layout)

    return turn


def appended(past, keys, values):
    """Earlier keys and values (K, S, D), if there are any, and then these."""
    if past is None:
        return keys, values
    return np.concatenate([past[0], keys], axis=1), np.concatenate([past[1], values], axis=1)


class SmolLM2:
    """The model. Made by `load`.

    Parameters
    ----------
    settings : dict
        Of the GGUF file.
    tensors : dict of ndarray
        Of the GGUF file.
    tokenizer : Tokenizer
    """

    def __init__(self, settings, tensors, tokenizer):
        def of(name):
            return settings[f"llama.{name}"]

        self.tokenizer = tokenizer
        self.heads, self.key_heads = of("attention.head_count"), of("attention.head_count_kv")
        self.head_dim, self.base = of("rope.dimension_count"), of("rope.freq_base")
        self.trained_length, self.eps = of("context_length"), np.float32(of("attention.layer_norm_rms_epsilon"))
        self.inv_freq = inverse_frequencies(self.head_dim, self.base)
        self.embedding, self.norm = tensors["token_embd.weight"], tensors["output_norm.weight"]
        names = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")
        self.layers = [{name: tensors[f"blk.{n}.{name}.weight"] for name in names} for n in range(of("block_count"))]

    def rope(self, positions=None, inv_freq=None, **how):
        """The `turn` the model was trained with, for T positions from 0 on unless others are given; see `rope`."""
        return rope(positions, self.inv_freq if inv_freq is None else inv_freq, **how)

    def encode(self, text):
        """Token numbers of a text, shape (T,)."""
        return np.array(self.tokenizer.encode(text), np.intp)

    def decode(self, numbers):
        """The text of token numbers."""
        return self.tokenizer.decode(numbers)

    def __call__(self, ids, turn=None, *, past=None, trace=None):
        """Logits of what comes after each token.

        Parameters
        ----------
        ids : array_like of int, shape (T,)
        turn : function, optional
            Of (q, k), as `rope` makes it. If not given, positions go on from `past`.
        past : list, optional
            Keys and values of what was read before, as `turn` left them; a run appends its own. Begin with [].
        trace : list, optional
            Gets a `Step` for each layer.

        Returns
        -------
        ndarray, shape (T, vocabulary), float32
        """
        ids = self._tokens(ids)
        start = past[0][0].shape[1] if past else 0
        turn = turn or self.rope(start + np.arange(len(ids)))
        x = self.embedding[ids]
        for n, layer in enumerate(self.layers):
            step = self.step(layer, x, turn, past[n] if start else None)
            if past is not None:
                past[n : n + 1] = [appended(past[n] if start else None, step.turned_k, step.v)]
            if trace is not None:
                trace.append(step)
            x = step.out
        return self.normed(x, self.norm) @ self.embedding.T

    def step(self, layer, x, turn, past=None):
        """One layer: attention, then the feed-forward part, each added to what came in."""
        h = self.normed(x, layer["attn_norm"])
        q, k, v = (self.split(h @ layer[f"attn_{name}"].T) for name in "qkv")
        turned_q, turned_k = turn(q, k)
        keys, values = appended(past, turned_k, v)
        weights = self.look(turned_q, keys)
        mixed = self.mix(weights, values) @ layer["attn_output"].T
        x = x + mixed
        h = self.normed(x, layer["ffn_norm"])
        out = x + self.gated(h @ layer["ffn_gate"].T, h @ layer["ffn_up"].T) @ layer["ffn_down"].T
        return Step(q, k, v, turned_q, turned_k, weights, mixed, out)

    def normed(self, x, weight):
        """Every token's vector at one length, channel by channel times `weight`."""
        return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + self.eps) * weight

    def split(self, x):
        """(T, heads * D) into (heads, T, D)."""
        return np.ascontiguousarray(x.reshape(len(x), -1, self.head_dim).swapaxes(0, 1))

    def look(self, q, k):
        """Attention weights (H, T, S): query heads 0, 1, 2 share key head 0, and so on; no one sees what comes later."""
        rows, seen = q.shape[1], k.shape[1]
        scores = self.shared(q) @ k.swapaxes(1, 2) * np.float32(self.head_dim**-0.5)
        scores = scores.reshape(self.heads, rows, seen)
        scores[:, np.triu(np.ones((rows, seen), bool), seen - rows + 1)] = -np.inf
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        return scores / scores.sum(-1, keepdims=True)

    def mix(self, weights, values):
        """Values (K, S, D) mixed by weights, (T, H * D)."""
        rows = weights.shape[1]
        mixed = (self.shared(weights) @ values).reshape(self.heads, rows, -1)
        return mixed.swapaxes(0, 1).reshape(rows, -1)

    def shared(self, x):
        """(H, T, any) as (K, H / K * T, any): the query heads that share a key head, below one another."""
        return x.reshape(self.key_heads, -1, x.shape[-1])

    def gated(self, gate, up):
        """SiLU of one times the other."""
        return gate / (1 + np.exp(-gate)) * up

    def _tokens(self, ids):
        ids = np.asarray(ids)
        if ids.dtype.kind not in "iu" or ids.ndim != 1:
            found = f"{ids.dtype} of shape {ids.shape}"
            raise TypeError(f"ids must be integers of shape (T,), got {found}: begin with model.encode(text)")
        if not 1 <= len(ids) <= LONGEST:
            parts = "read a longer text in parts, with past=[]"
            raise ValueError(f"ids must have 1 to {LONGEST} tokens at once, got {len(ids)}: {parts}")
        if ids.min() < 0 or ids.max() >= len(self.embedding):
            raise ValueError(f"ids must hold numbers from 0 to {len(self.embedding) - 1}, got {ids.min()} to {ids.max()}")
        return ids
