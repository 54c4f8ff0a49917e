"""Ways to rotate queries and keys, each as a function made ready for given arrays: tables are built beforehand."""

import numpy as np

import ropelib

BASE = 10_000.0


def tables(q, dtype=np.float32):
    return ropelib.cos_sin(np.arange(q.shape[-2]), ropelib.inverse_frequencies(q.shape[-1], BASE), dtype)


def ropelib_out(layout):
    def ready(q, k):
        table, out = tables(q), (np.empty_like(q), np.empty_like(k))
        return lambda: [ropelib.rotate(x, *table, layout=layout, out=y) for x, y in zip((q, k), out, strict=True)]

    return ready


def ropelib_new(layout):
    def ready(q, k):
        table = tables(q)
        return lambda: [ropelib.rotate(x, *table, layout=layout) for x in (q, k)]

    return ready


def textbook_half(q, k):
    cos, sin = (np.concatenate([t, t], axis=-1) for t in tables(q))

    def one(x):
        a, b = np.split(x, 2, axis=-1)
        return x * cos + np.concatenate([-b, a], axis=-1) * sin

    return lambda: [one(q), one(k)]


def meta_complex(q, k):
    import torch

    cos, sin = map(torch.tensor, tables(q))
    turn = torch.complex(cos, sin)

    def one(x):
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(pairs * turn).flatten(-2)

    q, k = torch.from_numpy(q), torch.from_numpy(k)
    return lambda: [one(q), one(k)]


def transformers_llama(q, k):
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    q, k = torch.from_numpy(q), torch.from_numpy(k)
    heads, dim = q.shape[1], q.shape[-1]
    config = LlamaConfig(hidden_size=heads * dim, num_attention_heads=heads, head_dim=dim)
    table = LlamaRotaryEmbedding(config)(q, torch.arange(q.shape[-2])[None])
    return lambda: apply_rotary_pos_emb(q, k, *table)


def rotary_embedding_torch(q, k):
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    peer = RotaryEmbedding(q.shape[-1]).requires_grad_(False)
    q, k = torch.from_numpy(q), torch.from_numpy(k)
    return lambda: [peer.rotate_queries_or_keys(x) for x in (q, k)]  # it keeps its table after the first call


def x_transformers(q, k):
    import torch
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    q, k = torch.from_numpy(q), torch.from_numpy(k)
    freqs, scale = RotaryEmbedding(q.shape[-1])(torch.arange(q.shape[-2]))
    return lambda: [apply_rotary_pos_emb(x, freqs, scale) for x in (q, k)]


# name, layout, how to make it ready, whether the result is a new array
CANDIDATES = (
    ("ropelib, out=", "interleaved", ropelib_out("interleaved"), False),
    ("ropelib", "interleaved", ropelib_new("interleaved"), True),
    ("torch complex (Meta)", "interleaved", meta_complex, True),
    ("rotary-embedding-torch", "interleaved", rotary_embedding_torch, True),
    ("x-transformers", "interleaved", x_transformers, True),
    ("ropelib, out=", "half", ropelib_out("half"), False),
    ("ropelib", "half", ropelib_new("half"), True),
    ("NumPy textbook", "half", textbook_half, True),
    ("transformers", "half", transformers_llama, True),
)
