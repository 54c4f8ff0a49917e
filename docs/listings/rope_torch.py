"""Rotary position embedding for PyTorch, in either layout."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def tables(position_ids, rotary_dim, base, dtype):
    """cos and sin, each (batch, 1, sequence, pairs)."""
    step = torch.arange(0, rotary_dim, 2, device=position_ids.device)
    inv_freq = base ** (-step.double() / rotary_dim)
    angle = position_ids[:, None, :, None].double() * inv_freq
    return angle.cos().to(dtype), angle.sin().to(dtype)


def rotate(x, cos, sin, layout):
    """Turn the first channels of x, (batch, heads, sequence, d)."""
    width = 2 * cos.shape[-1]
    part, rest = x[..., :width], x[..., width:]
    if layout == "half":
        u, w = part.chunk(2, dim=-1)
    elif layout == "interleaved":
        u, w = part[..., 0::2], part[..., 1::2]
    else:
        raise ValueError(f"layout: got {layout!r}")
    pair = u * cos - w * sin, u * sin + w * cos
    if layout == "half":
        turned = torch.cat(pair, dim=-1)
    else:
        turned = torch.stack(pair, dim=-1).flatten(-2)
    return torch.cat([turned, rest], dim=-1)


class RotaryAttention(torch.nn.Module):
    """Causal attention: several query heads share a key head."""

    def __init__(self, width, heads, kv_heads, head_dim,
                 *, layout, rotary_dim=None, base=10_000.0):
        super().__init__()
        self.head_dim, self.layout, self.base = head_dim, layout, base
        self.rotary_dim = head_dim if rotary_dim is None else rotary_dim
        self.q = torch.nn.Linear(width, heads * head_dim, bias=False)
        self.k = torch.nn.Linear(width, kv_heads * head_dim, bias=False)
        self.v = torch.nn.Linear(width, kv_heads * head_dim, bias=False)
        self.o = torch.nn.Linear(heads * head_dim, width, bias=False)

    def forward(self, x, position_ids):
        """x: (batch, sequence, width); position_ids without width."""
        q, k, v = (
            f(x).unflatten(-1, (-1, self.head_dim)).transpose(1, 2)
            for f in (self.q, self.k, self.v))
        turn = tables(position_ids, self.rotary_dim, self.base, x.dtype)
        q, k = (rotate(a, *turn, self.layout) for a in (q, k))
        past = position_ids[:, :, None] >= position_ids[:, None, :]
        y = scaled_dot_product_attention(
            q, k, v, attn_mask=past[:, None], enable_gqa=True)
        return self.o(y.transpose(1, 2).flatten(2))
