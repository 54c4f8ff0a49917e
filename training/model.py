"""The small language model, in torch: two layers, and an encoding of position that can be exchanged."""

import torch
import torch.nn.functional as F
from torch import nn

from .encodings import ENCODINGS, HEAD, HEADS, LAYERS, WIDTH


class Norm(nn.Module):
    """Root-mean-square norm."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


class Layer(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.norm_attention, self.norm_mlp = Norm(), Norm()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.output = nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, hidden, bias=False)
        self.down = nn.Linear(hidden, WIDTH, bias=False)
        for matrix in (self.output, self.down):  # what is added to the stream starts small
            nn.init.normal_(matrix.weight, std=0.03)

    def forward(self, x, encoding, number):
        batch, length, _ = x.shape
        q, k, v = self.qkv(self.norm_attention(x)).view(batch, length, 3, HEADS, HEAD).permute(2, 0, 3, 1, 4)
        bias = encoding.bias(q, number)  # of the keys that may be looked at; None: the causal mask alone
        mixed = F.scaled_dot_product_attention(*encoding.turn(q, k), v, attn_mask=bias, is_causal=bias is None)
        x = x + self.output(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.down(F.gelu(self.up(self.norm_mlp(x)), approximate="tanh"))


class Model(nn.Module):
    """Numbers of characters, shape (B, T), to the logits of what comes next, shape (B, T, characters)."""

    def __init__(self, characters, encoding, hidden):
        super().__init__()
        self.embedding = nn.Embedding(characters, WIDTH)
        nn.init.normal_(self.embedding.weight, std=0.08)
        self.layers = nn.ModuleList(Layer(hidden) for _ in range(LAYERS))
        self.norm = Norm()
        self.encoding = ENCODINGS[encoding]()

    def forward(self, x):
        x = self.encoding.add(self.embedding(x))
        for number, layer in enumerate(self.layers):
            x = layer(x, self.encoding, number)
        return self.norm(x) @ self.embedding.weight.T
