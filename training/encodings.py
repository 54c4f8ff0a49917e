"""Every encoding of position of chapter 14, by where it acts: on embeddings, on queries and keys, or on scores.

Rotations, slopes, buckets and codes are ropelib's; only what is learned stands here.
"""

import functools

import numpy as np
import torch
from torch import nn

import ropelib

LENGTH, LONGEST = 64, 512  # characters: of a training window, of the longest evaluation
WIDTH, HEADS, LAYERS, HEAD = 64, 4, 2, 16


def tensor(array):
    return torch.from_numpy(np.asarray(array, np.float32))


class Encoding(nn.Module):
    """No encoding: only the causal mask tells one order from another (NoPE)."""

    inv_freq, window = np.zeros(HEAD // 2), None

    def add(self, x):
        """Embeddings, shape (B, T, WIDTH), with what is added to them."""
        return x

    def turn(self, q, k):
        """Queries and keys, shape (B, HEADS, T, HEAD), as they meet."""
        return q, k

    def bias(self, q, layer):
        """What is added to scores, -inf for the future included; broadcast to (B, HEADS, T, T). None: a causal mask."""
        return None


class Rotary(Encoding):
    """RoPE in the half layout. Frequencies may cover a part of the head; a window limits how far a query looks back.

    `factor` multiplies queries and keys (YaRN's temperature); `grow` lets queries grow and keys shrink (xPos).
    """

    def __init__(self, inv_freq, factor=1.0, window=None, grow=False):
        super().__init__()
        self.inv_freq, self.factor, self.window, self.grow = inv_freq, factor, window, grow

    def turn(self, q, k):
        cos, sin, grow = self.tables(q.shape[-2])
        return rotate(q, cos * grow, sin * grow), rotate(k, cos / grow, sin / grow)

    def bias(self, q, layer):
        return None if self.window is None else hidden(q.shape[-2], self.window)

    @functools.cache  # noqa: B019 - a model lives as long as its run
    def tables(self, length):
        positions = np.arange(length)
        cos, sin = (tensor(self.factor * table) for table in ropelib.cos_sin(positions, self.inv_freq))
        grow = ropelib.xpos_scale(positions, HEAD, scale_base=LENGTH / 2, centre=length // 2) if self.grow else 1.0
        return cos, sin, tensor(grow)


def rotate(x, cos, sin):
    """`ropelib.rotate(layout="half")` for torch, so that gradients pass; channels past the tables stay."""
    pairs = cos.shape[-1]
    a, b, rest = x.split([pairs, pairs, x.shape[-1] - 2 * pairs], -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], -1)


@functools.cache
def hidden(length, window=None):
    """0 where a query may look and -inf elsewhere."""
    seen = ropelib.causal_mask(length, length) if window is None else ropelib.sliding_mask(length, length, window)
    return torch.zeros(length, length).masked_fill(~torch.from_numpy(seen), float("-inf"))


@functools.cache
def distances(length):
    return np.maximum(np.subtract.outer(np.arange(length), np.arange(length)), 0)


class Sinusoidal(Encoding):
    """Fixed sines and cosines, with one learned factor, since embeddings here are small."""

    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.tensor(0.1))
        self.code = tensor(ropelib.sinusoidal(np.arange(LONGEST), WIDTH))

    def add(self, x):
        return x + self.factor * self.code[: x.shape[1]]


class Learned(Encoding):
    """A learned vector for every position. Those past the trained length exist, and stay what they were drawn as."""

    def __init__(self):
        super().__init__()
        self.code = nn.Parameter(torch.randn(LONGEST, WIDTH) * 0.02)

    def add(self, x):
        return x + self.code[: x.shape[1]]


class Shaw(Encoding):
    """A learned vector for every distance up to 16, added to keys: all heads share it, each layer has its own."""

    def __init__(self, farthest=16):
        super().__init__()
        self.farthest = farthest
        self.code = nn.Parameter(torch.randn(LAYERS, farthest + 1, HEAD) * 0.1)

    def bias(self, q, layer):
        distance = torch.from_numpy(np.minimum(distances(q.shape[-2]), self.farthest))
        scores = q @ self.code[layer].T * HEAD**-0.5  # one number for every distance
        return scores.gather(-1, distance.expand(*q.shape[:-1], -1)) + hidden(q.shape[-2])


class T5(Encoding):
    """A learned bias for every bucket of distances and every head; both layers share it."""

    def __init__(self):
        super().__init__()
        self.by_bucket = nn.Parameter(torch.zeros(32, HEADS))

    def bias(self, q, layer):
        return self.at(distances(q.shape[-2])).permute(2, 0, 1) + hidden(q.shape[-2])

    def at(self, distance):
        bucket = ropelib.t5_bucket(-distance, max_distance=LENGTH, bidirectional=False)
        return 8 * self.by_bucket[torch.from_numpy(bucket)]  # the learning rate is that of matrices; biases grow larger

    def by_distance(self, length):
        """The learned bias of every head at distances 0 to length - 1, shape (HEADS, length)."""
        return self.at(np.arange(length)).T.detach().numpy()


class Alibi(Encoding):
    """A fixed penalty that grows with distance, by a slope for every head."""

    def bias(self, q, layer):
        return tensor(ropelib.alibi_bias(HEADS, q.shape[-2], q.shape[-2])) + hidden(q.shape[-2])


FREQUENCIES = ropelib.inverse_frequencies(HEAD)
ENCODINGS = {  # those of chapter 14, and the methods of chapter 13 for four times the trained length
    "rope": lambda: Rotary(FREQUENCIES),
    "nope": Encoding,
    "sinusoidal": Sinusoidal,
    "learned": Learned,
    "shaw": Shaw,
    "t5": T5,
    "alibi": Alibi,
    "xpos": lambda: Rotary(FREQUENCIES, grow=True),
    "window": lambda: Rotary(FREQUENCIES, window=LENGTH // 2),
    "partial": lambda: Rotary(ropelib.inverse_frequencies(HEAD // 4)),  # 4 of 16 channels, spaced for a head of 4
    "proportional": lambda: Rotary(ropelib.proportional(HEAD, partial_rotary_factor=0.25)[0]),  # spaced for all 16
    "linear": lambda: Rotary(*ropelib.linear(HEAD, factor=4)),
    "ntk": lambda: Rotary(*ropelib.ntk(HEAD, factor=4)),
    "yarn": lambda: Rotary(*ropelib.yarn(HEAD, factor=4, original_max_position_embeddings=LENGTH)),
}
