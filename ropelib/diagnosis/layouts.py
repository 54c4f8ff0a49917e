"""Which channels share an angle: every pairing that programs use or slip into, and the angles each one reads."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .report import Array

Index = npt.NDArray[np.int64]
SOUND = ("half", "interleaved")
# name: which channels pair up, how the table runs, and what became of the pair
LAYOUTS = {
    "half": ("half", "half", ""),
    "interleaved": ("interleaved", "interleaved", ""),
    "half rotation, interleaved table": ("half", "interleaved", ""),
    "interleaved rotation, half table": ("interleaved", "half", ""),
    "half without minus": ("half", "half", "plus"),
    "interleaved without minus": ("interleaved", "interleaved", "plus"),
    "half, second channel from the overwritten first": ("half", "half", "overwritten"),
    "interleaved, second channel from the overwritten first": ("interleaved", "interleaved", "overwritten"),
    "interleaved in, half out": ("interleaved", "interleaved", "half out"),
    "half in, interleaved out": ("half", "half", "interleaved out"),
    "first with last": ("mirrored", "mirrored", ""),
}


@dataclass(frozen=True)
class Pairing:
    """y[channel] = scale (x[source] cos + sign * both[partner] sin), `both` being x and then y; a row shares its angle."""

    name: str
    start: int
    rotary_dim: int
    width: int

    def columns(self) -> tuple[Index, Index, Index, Array]:
        """Arrays of shape (P, 2): channel, source, partner, sign."""
        pair, table, fate = LAYOUTS[self.name]
        channel = source = _members(table, self.rotary_dim)
        a, b = _members(pair, self.rotary_dim).T
        other, minus = np.empty(self.rotary_dim, np.int64), np.ones(self.rotary_dim)
        other[a], other[b], minus[a] = b, a, 1.0 if fate == "plus" else -1.0
        partner, sign = other[source], minus[source]
        if fate == "overwritten":
            partner = partner + np.array([0, self.width])
        elif fate.endswith("out"):
            channel = _members(fate.removesuffix(" out"), self.rotary_dim)
        return channel + self.start, source + self.start, partner + self.start, sign

    def links(self, moved: Index) -> tuple[tuple[object, ...] | None, ...]:
        """What this pairing says of the channels that moved: equal links cannot be told apart."""
        told: dict[int, tuple[object, ...]] = {}
        for here, source, partner, sign in zip(*self.columns(), strict=True):
            for k in (0, 1):
                told[int(here[k])] = (int(source[k]), int(partner[k]), float(sign[k]), int(here[1 - k]))
        return tuple(told.get(int(j)) for j in moved)


def _members(pairs: str, rotary_dim: int) -> Index:
    """The two channels of each pair, shape (P, 2)."""
    j = np.arange(rotary_dim)
    if pairs == "interleaved":
        return j.reshape(-1, 2)
    first = j[: rotary_dim // 2]
    return np.stack([first, first + rotary_dim // 2 if pairs == "half" else rotary_dim - 1 - first], axis=1)


@dataclass(frozen=True)
class Reading:
    """Angles (rows, P) that a pairing reads, their information, the squared error that is left, and the common scale."""

    angle: Array
    information: Array
    error: float
    scale: float


def read(x: Array, y: Array, pairing: Pairing) -> Reading | None:
    """The angle of every pair in every row of x and y, (rows, D), by least squares; one scale for all."""
    channel, source, partner, sign = pairing.columns()
    a, b, t = x[:, source], sign * np.concatenate([x, y], axis=1)[:, partner], y[:, channel]
    aa, bb, ab, at, bt = ((u * v).sum(-1) for u, v in ((a, a), (b, b), (a, b), (a, t), (b, t)))
    det = aa * bb - ab * ab
    seen = det > 1e-12 * aa * bb
    safe = np.where(seen, det, 1.0)
    cos, sin = (bb * at - ab * bt) / safe, (aa * bt - ab * at) / safe
    radius, weight = np.hypot(cos, sin)[seen], (det / np.where(seen, aa + bb, 1.0))[seen]
    if not seen.any():
        return None
    order = np.argsort(radius)
    middle = np.cumsum(weight[order])
    scale = float(radius[order][np.searchsorted(middle, middle[-1] / 2)])
    near = abs(radius - scale) < 0.05 * scale
    if near.any():
        scale = float(np.average(radius[near], weights=weight[near]))
    angle = np.where(seen, np.arctan2(sin, cos), 0.0)
    for _ in range(3):
        c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
        along = scale * (b * c - a * s)
        information = (along**2).sum(-1)
        step = ((t - scale * (a * c + b * s)) * along).sum(-1) / np.maximum(information, 1e-300)
        angle = angle + np.clip(step, -0.5, 0.5)
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return Reading(angle, information, float(((t - scale * (a * c + b * s)) ** 2).sum()), scale)


@dataclass(frozen=True)
class Fit:
    """One pairing tried: its error as a part of the change from x to y, and over what the number format explains."""

    share: float
    over_noise: float
    pairing: Pairing
    scale: float


def fits(x: Array, y: Array, noise: Array) -> tuple[list[Fit], Index]:
    """Every pairing that was tried on x and y, (rows, D), best first, and the channels that moved."""
    width = x.shape[1]
    gain = (x * y).sum(0) / np.maximum((x * x).sum(0), 1e-300)
    still = (abs(y - gain * x) <= 6 * noise).all(0) & (len(x) > 1)
    common = 1.0
    if still.sum() > 2 and np.ptp(gain[still]) < 0.02:  # channels that do not turn tell the scale
        common = float(np.median(gain[still]))
    moved = np.nonzero((abs(y - common * x) > 6 * noise * max(1, common)).any(0))[0]
    first, last = (int(moved[0]), int(moved[-1])) if len(moved) else (0, 1)
    most = np.argsort(-((y - x) ** 2).sum(-1))[:16]
    x, y, noise = x[most], y[most], noise[most]
    change = max(float(((y - (x * y).sum() / max((x * x).sum(), 1e-300) * x) ** 2).sum()), 1e-300)
    floor = max(float((noise**2).sum()), 1e-300)

    def tried(whole: bool) -> list[Fit]:
        found = []
        for rotary in range(2, width + 1, 2):
            for start in {0, width - rotary}:
                inside = start <= first and last < start + rotary
                if inside == whole:
                    continue
                for name in LAYOUTS if rotary > 2 else ("half", "half without minus", "half, second channel from the overwritten first"):
                    pairing = Pairing(name, start, rotary, width)
                    shorter = last < start + rotary - 2 and start == 0 and 2 < rotary < width
                    if not whole and shorter and LAYOUTS[name][0] == LAYOUTS[name][1] == "interleaved":
                        continue  # its moved channels are those of a shorter one
                    reading = read(x, y, pairing)
                    if reading is not None:
                        outside = np.r_[0:start, start + rotary : width]
                        passed = ((y - x)[:, outside] ** 2).sum(), ((y - reading.scale * x)[:, outside] ** 2).sum()
                        error = reading.error + float(min(passed))
                        found.append(Fit(error / change, error / floor, pairing, reading.scale))
        return found

    found = tried(whole=False)
    best = min(found, key=lambda fit: fit.share, default=None)
    if best is None or (best.share > 1e-3 and best.over_noise > 9):
        found += tried(whole=True)
    names = list(LAYOUTS)
    return sorted(found, key=lambda fit: (fit.share, names.index(fit.pairing.name))), moved
