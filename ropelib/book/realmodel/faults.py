"""Ports of the model that are wrong in one place: for practice in finding it."""

import numpy as np

from ..._arguments import choice, whole
from ...rotation import to_half, to_interleaved
from .model import SmolLM2, Step

FAULTS = {  # the first thing that is wrong: what was done
    "q": "the layer's query weights were converted once too often",
    "k": "the layer's key heads stand in another order",
    "v": "the value weights are those of the layer before",
    "turned_q": "the layer turns in the half layout",
    "turned_k": "the layer's keys are not turned",
    "weights": "query heads are dealt to key heads in turn",
    "mixed": "heads are put together channel by channel",
    "out": "GELU in place of SiLU",
}


def plant(model, fault, layer):
    """The model with one fault in one layer.

    Parameters
    ----------
    model : SmolLM2
    fault : str
        A key of `FAULTS`: the field of `Step` that is the first to be wrong.
    layer : int
        1 to 29.

    Returns
    -------
    SmolLM2
    """
    last = len(model.layers) - 1
    if whole(layer, "layer") > last:
        raise ValueError(f"layer must be 1 to {last}, got {layer}")
    return Port(model, choice(fault, "fault", tuple(FAULTS)), layer)


def hidden(model, seed):
    """A port with a fault that the seed chooses, and the place to be found: (layer, field of `Step`)."""
    random = np.random.default_rng(whole(seed, "seed", 0))
    place = int(random.integers(1, len(model.layers))), list(FAULTS)[random.integers(len(FAULTS))]
    return plant(model, place[1], place[0]), place


class Port(SmolLM2):
    """Made by `plant`. Shares the model's weights."""

    def __init__(self, model, fault, layer):
        self.__dict__.update(model.__dict__)
        self._fault = None  # within the layer, which fault
        self._planted = fault
        self.layers = list(model.layers)
        self._spoiled = self.layers[layer] = dict(self.layers[layer])
        if fault == "q":
            heads = self._spoiled["attn_q"].reshape(self.heads, self.head_dim, -1)
            self._spoiled["attn_q"] = to_half(heads, axis=1).reshape(self._spoiled["attn_q"].shape)
        elif fault == "k":
            self._spoiled["attn_k"] = np.roll(self._spoiled["attn_k"], self.head_dim, axis=0)
        elif fault == "v":
            self._spoiled["attn_v"] = self.layers[layer - 1]["attn_v"]

    def step(self, layer, x, turn, past=None) -> Step:
        self._fault = self._planted if layer is self._spoiled else None
        if self._fault == "turned_q":
            return super().step(layer, x, lambda q, k: tuple(map(to_half, turn(*map(to_interleaved, (q, k))))), past)
        if self._fault == "turned_k":
            return super().step(layer, x, lambda q, k: (turn(q, k)[0], k), past)
        return super().step(layer, x, turn, past)

    def look(self, q, k):
        if self._fault != "weights":
            return super().look(q, k)
        shares = self.heads // self.key_heads
        dealt = np.arange(self.heads).reshape(shares, self.key_heads).T.ravel()  # 0, 3, 6, 1, 4, 7, 2, 5, 8
        return super().look(q[dealt], k)[np.argsort(dealt)]

    def mix(self, weights, values):
        mixed = super().mix(weights, values)
        if self._fault != "mixed":
            return mixed
        return mixed.reshape(len(mixed), self.heads, -1).swapaxes(1, 2).reshape(mixed.shape)

    def gated(self, gate, up):
        if self._fault != "out":
            return super().gated(gate, up)
        inner = np.float32((2 / np.pi) ** 0.5) * (gate + np.float32(0.044715) * gate**3)
        return gate * (1 + np.tanh(inner)) / 2 * up
