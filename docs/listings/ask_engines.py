"""Bring an engine's rotation to the doctor."""

import numpy as np
import torch


def transformers(rotary, apply, *layer_type):
    """From a model's rotary_emb and its module's apply_rotary_pos_emb."""

    def code(q, k, positions):  # (batch, heads, sequence, channels)
        q, k, positions = map(torch.from_numpy, (q, k, positions))
        return apply(q, k, *rotary(q, positions[None], *layer_type))

    return code


def vllm(rotary):
    """From a layer's rotary_emb, which may write over what it gets."""

    def code(q, k, positions):  # (sequence, heads, channels)
        where = rotary.cos_sin_cache.device
        flat = [torch.tensor(x, device=where).flatten(1) for x in (q, k)]
        out = rotary.forward(torch.tensor(positions, device=where), *flat)
        return [y.reshape(q.shape[0], -1, q.shape[2]) for y in out]

    return code


def save_next(owner, name, q=0, head_dim=None):
    """The next call of owner.name saves its q, before and after."""
    turn = getattr(owner, name)

    def saving(*arguments, **more):
        setattr(owner, name, turn)  # this one call only
        before = arguments[q].clone()  # turn may write over it
        out = turn(*arguments, **more)
        for file, x in (("before.npy", before), ("after.npy", out[0])):
            x = x.detach().float().cpu()
            if head_dim:  # vLLM's rows: heads side by side
                x = x.unflatten(-1, (-1, head_dim)).transpose(0, 1)
            np.save(file, x.numpy())
        return out

    setattr(owner, name, saving)
