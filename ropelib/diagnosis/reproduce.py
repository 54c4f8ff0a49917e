"""The rope that reproduces y: the simplest description that does so as well as the best one."""

from typing import Any, cast

import numpy as np

from ..rope import Rope
from .explanations import Explanation
from .layouts import SOUND
from .measured import Measured
from .offsets import Offset
from .report import Array, Report


def described(item: Explanation | None, speed: Array, data: Measured) -> list[Array]:
    """Speeds from the simplest description to what was measured: a base, the explanation's own, each pair's own."""
    if item is None or item.model is speed:
        return [speed]
    return [data.ideal(item.base), item.model, speed] if item.method == "plain" else [item.model, speed]


def rope_of(data: Measured, speeds: Array, scale: float, direction: int, axes: Array | None = None) -> Rope:
    pairing = data.pairing
    return Rope(
        speeds,
        scale,
        head_dim=data.x.shape[-1],
        rotary_dim=pairing.rotary_dim,
        layout=cast(Any, pairing.name),
        axes=axes,
        rotary_start=pairing.start,
        direction=direction,
    )


class Residual:
    """Root mean square of what a rope misses of y, in units of the last place."""

    def __init__(self, data: Measured) -> None:
        self.data, self.turned = data, slice(data.pairing.start, data.pairing.start + data.pairing.rotary_dim)
        size = np.sqrt((data.y**2).mean())
        self.unit = 2 * (data.form.relative * np.maximum(abs(data.y), size) + data.form.absolute)

    def __call__(self, rope: Rope, places: Array, rows: slice = slice(None)) -> float:
        """Of some rows alone: no more than of all."""
        x, y, unit = (each[..., rows, :] for each in (self.data.x, self.data.y, self.unit))
        away = ((rope.rotate(x, places[..., rows]) - y) / unit)[..., self.turned]
        return float(np.sqrt((away**2).sum() / self.unit[..., self.turned].size))


def reproduce(
    report: Report,
    data: Measured,
    item: Explanation | None,
    speed: Array,
    axis: Array,
    direction: int,
    offset: Offset | None,
    shifts: Array | None,
) -> None:
    """Put `rope`, `positions` and `residual` into the report, where a rope gives y."""
    scale = report["scale"].value
    if data.pairing.name not in SOUND or offset is None or not isinstance(scale, float):
        return
    axes = None if data.one_axis else axis.astype(int)
    places = (data.places[0] if axes is None else data.places[: axes.max() + 1]) + offset.value
    if shifts is not None:
        places = places.reshape(*places.shape[:-1], *[1] * len(data.lead), -1) + shifts.reshape(*data.lead, 1)
    ropes = []
    for model in described(item, speed, data):
        if not offset.quarters:
            ropes.append((rope_of(data, model, scale, direction, axes), places))
        elif (model > 0).all():  # a phase is a step of its own for every pair
            back = direction * offset.quarters * np.pi / 2 / model
            at = (places if axes is None else places[axes]) + back.reshape(-1, *[1] * (places.ndim - (axes is not None)))
            ropes.append((rope_of(data, model, scale, direction, np.arange(data.pairs)), at))
    if not ropes:
        return
    residual = Residual(data)
    least = [residual(*ropes[0])]
    far, enough = slice(-max(data.x.shape[-2] // 4, 1), None), (least[0] - 0.5) / 2
    if any(residual(*each, far) < enough for each in ropes[1:]):  # else the first is as good as any, for sure
        least += [residual(*each) for each in ropes[1:]]
    n = next(n for n, each in enumerate(least) if each <= 2 * min(least) + 0.5)
    (report.rope, report.positions), report.residual = ropes[n], least[n]
