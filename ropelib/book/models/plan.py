"""Everything about position that a chapter may change in a trained model, checked and ready for use."""

from dataclasses import dataclass, replace

import numpy as np

from ..._arguments import LAYOUTS, choice, finite, number, plain, whole
from ...attention import behind, causal_mask, sliding_mask
from ...rotation import cos_sin


@dataclass
class Plan:
    """How queries and keys turn and meet, for texts of T characters."""

    layout: str
    near: tuple  # (cos, sin) of queries and (cos, sin) of keys, each of shape (T, P)
    far: tuple | None  # the same, for tokens far from each other
    is_near: np.ndarray  # (T, T), bool
    seen: np.ndarray  # (T, T), bool: who may look at whom
    keep: np.ndarray  # (layers, H, 1, D), or its like: a factor on queries
    bias: np.ndarray | None  # (layers, H, T, T): added to scores

    def first(self, length):
        """The plan for the first characters of such a text."""
        cut = lambda sides: sides and tuple((cos[:length], sin[:length]) for cos, sin in sides)  # noqa: E731
        square = (slice(length),) * 2
        pairs = {name: getattr(self, name)[square] for name in ("is_near", "seen")}
        bias = None if self.bias is None else self.bias[..., *square]
        return replace(self, near=cut(self.near), far=cut(self.far), bias=bias, **pairs)


def plan(
    model, length, *, layout=None, inv_freq=None, key_inv_freq=None, positions=None, query_positions=None, factor=1.0,
    window=None, sinks=0, far=None, keep=None, bias=None, tables=cos_sin,
):  # fmt: skip
    """A `Plan` for `model` and texts of `length` characters.

    Parameters
    ----------
    layout : {"interleaved", "half"}
    inv_freq, key_inv_freq : array_like, shape (P,) or (T, P)
        Radians per position; those of keys, if others than those of queries.
    positions, query_positions : array_like, shape (T,) or (T, P)
        Positions; those of queries, if others than those of keys. One a pair, if there are two axes.
    factor : float
        Multiplies queries and keys: the attention factor of YaRN and others.
    window, sinks : int
        A sliding window, and how many first characters stay in sight of all.
    far : tuple
        A map of relative positions, from `rerope`, `self_extend` or `per_pair`.
    keep : array_like of float or bool, broadcast to (layers, H, D / 2)
        Multiplies each pair of channels (i, i + D / 2) of the queries: 0 removes it from the scores.
    bias : array_like of float, broadcast to (layers, H, T, T), optional
        Added to the scores, after they are divided by the root of D.
    tables : function of (positions, inv_freq) that returns cos and sin
        Instead of `ropelib.cos_sin`: for tables of another precision.

    What is not given stays as the model was trained.

    Raises
    ------
    TypeError, ValueError
        If an argument is not what it should be.
    """
    pairs = len(model.inv_freq)

    def places(value, name):  # (T, 1) or (T, P)
        return shaped(value, name, length, {(length,): (length, 1), (length, pairs): (length, pairs)})

    def speeds(value, name):  # (1, P) or (T, P)
        return shaped(value, name, length, {(pairs,): (1, pairs), (length, pairs): (length, pairs)})

    def turned(places, speeds):
        return tuple((factor * table).astype(np.float32) for table in turn(tables, places, speeds))

    factor = number(factor, "factor")
    q_speed = speeds(model.inv_freq if inv_freq is None else inv_freq, "inv_freq")
    k_speed = q_speed if key_inv_freq is None else speeds(key_inv_freq, "key_inv_freq")
    k_place = places(np.arange(length) if positions is None else positions, "positions")
    q_place = k_place if query_positions is None else places(query_positions, "query_positions")

    window = model.window if window is None else whole(window, "window")
    causal = causal_mask(length, length)
    seen = causal if window is None else sliding_mask(length, length, window)
    seen = seen | (causal & (np.arange(length) < whole(sinks, "sinks", 0)))

    start, far_q, far_k = (length, None, None) if far is None else far
    if far is not None:
        far = turned(places(far_q, "far[1]"), q_speed), turned(places(far_k, "far[2]"), k_speed)
    every = (model.layers, model.heads, length, length)
    return Plan(
        layout=choice(model.layout if layout is None else layout, "layout", LAYOUTS),
        near=(turned(q_place, q_speed), turned(k_place, k_speed)),
        far=far,
        is_near=behind(length, length) < whole(start, "far[0]"),
        seen=seen,
        bias=None if bias is None else spread(finite(bias, "bias"), "bias", every, "(layers, heads, T, T)"),
        keep=per_channel(1.0 if keep is None else keep, (model.layers, model.heads, model.width // model.heads // 2)),
    )


def shaped(value, name, length, shapes):
    value = finite(value, name)
    if value.shape not in shapes:
        raise ValueError(f"{name} must have shape {' or '.join(map(str, shapes))} for {length} characters, got {value.shape}")
    return value.reshape(shapes[value.shape])


def turn(tables, places, speeds):
    """cos and sin of shape (T, P)."""
    if places.shape[1] == speeds.shape[0] == 1:
        return tables(places[:, 0], speeds[0])
    cos, sin = tables(places * speeds, np.ones(1))  # every pair has places or speeds of its own
    return cos[..., 0], sin[..., 0]


def per_channel(keep, shape):
    keep = plain(keep, "keep")
    keep = spread(finite(keep * 1.0 if keep.dtype == bool else keep, "keep"), "keep", shape, "(layers, heads, pairs)")
    return np.concatenate([keep, keep], axis=-1)[..., None, :]


def spread(value, name, shape, axes):
    try:
        return np.broadcast_to(value.astype(np.float32), shape)
    except ValueError:
        raise ValueError(f"{name} must broadcast to {axes} = {shape}, got shape {value.shape}") from None
