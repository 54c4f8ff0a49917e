"""Which channels share an angle: every pairing that programs use or slip into, and the angles each one reads."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from .report import Array, Index, Mask

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
ONE_PAIR = ("interleaved", "interleaved without minus", "interleaved, second channel from the overwritten first")  # same as half


@dataclass(frozen=True)
class Pairing:
    """y[channel] = scale (x[source] cos + sign * both[partner] sin), `both` being x and then y; a row shares its angle."""

    name: str
    start: int
    rotary_dim: int
    width: int

    def columns(self) -> tuple[Index, Index, Index, Array]:
        """Arrays of shape (2, P): channel, source, partner, sign."""
        pair, table, fate = LAYOUTS[self.name]
        channel = source = _members(table, self.rotary_dim)
        a, b = _members(pair, self.rotary_dim)
        other, minus = np.empty(self.rotary_dim, np.int64), np.ones(self.rotary_dim)
        other[a], other[b], minus[a] = b, a, 1.0 if fate == "plus" else -1.0
        partner, sign = other[source], minus[source]
        if fate == "overwritten":
            partner = partner + np.array([[0], [self.width]])
        elif fate.endswith("out"):
            channel = _members(fate.removesuffix(" out"), self.rotary_dim)
        return channel + self.start, source + self.start, partner + self.start, sign

    def links(self, moved: Index) -> list[list[float] | None]:
        """What this pairing says of the channels that moved: equal links cannot be told apart."""
        told: dict[int, list[float]] = {}
        channel, source, partner, sign = (each.tolist() for each in self.columns())
        for k in (0, 1):
            told |= {j: link for j, *link in zip(channel[k], source[k], partner[k], sign[k], channel[1 - k], strict=True)}
        return [told.get(j) for j in moved.tolist()]


@lru_cache(256)
def _members(pairs: str, rotary_dim: int) -> Index:
    """First and second channel of each pair, shape (2, P)."""
    j = np.arange(rotary_dim)
    if pairs == "interleaved":
        return j.reshape(-1, 2).T
    half = rotary_dim // 2
    return np.stack([j[:half], j[half:] if pairs == "half" else j[: half - 1 : -1]])


@dataclass(frozen=True)
class Reading:
    """Angles (rows, P) that a pairing reads, exp(i angle), information, the squared error left in each pair, the common scale."""

    angle: Array
    turn: Array
    information: Array
    left: Array
    scale: float

    @property
    def error(self) -> float:
        return float(self.left.sum())


def read(x: Array, y: Array, pairing: Pairing, steps: int = 3) -> Reading | None:
    """The angle of every pair in every row of x and y, (rows, D), by least squares; one scale for all."""
    channel, source, partner, sign = pairing.columns()
    both = np.concatenate([x, y], axis=1) if partner.max() >= x.shape[1] else x
    a, b, t = ([each[:, k].ravel() for k in (0, 1)] for each in (x[:, source], sign * both[:, partner], y[:, channel]))
    aa, bb, ab, at, bt = (u[0] * v[0] + u[1] * v[1] for u, v in ((a, a), (b, b), (a, b), (a, t), (b, t)))
    det = aa * bb - ab * ab
    seen = det > 1e-12 * aa * bb
    if not seen.any():
        return None
    safe = np.where(seen, det, 1.0)
    cos, sin = (bb * at - ab * bt) / safe, (aa * bt - ab * at) / safe
    information = det / np.where(seen, aa + bb, 1.0)
    scale = _middle(np.hypot(cos, sin)[seen], information[seen])
    angle = np.where(seen, np.arctan2(sin, cos), 0.0)
    c, s = np.cos(angle), np.sin(angle)

    def along(of: Any) -> Array:
        """The squared length of the derivative."""
        return np.asarray(scale * (bb[of] * c[of] * c[of] + aa[of] * s[of] * s[of] - 2 * ab[of] * c[of] * s[of]) * scale)

    def rest(of: Any) -> list[Array]:
        return [t[k][of] - scale * (a[k][of] * c[of] + b[k][of] * s[of]) for k in (0, 1)]

    still: Any = slice(None)  # angles that the last step changed: only these change again
    for step in range(steps):
        left = rest(still)
        on_b, on_a = (left[0] * to[0][still] + left[1] * to[1][still] for to in (b, a))
        push = scale * (on_b * c[still] - on_a * s[still])
        nearer = angle[still] + np.clip(push / np.maximum(along(still), 1e-300), -0.5, 0.5)
        changed = nearer != angle[still]
        still = still[changed] if step else np.flatnonzero(changed)
        angle[still] = nearer[changed]
        c[still], s[still] = np.cos(angle[still]), np.sin(angle[still])
    shape, every = (len(x), -1), slice(None)
    left = np.stack([each.reshape(shape) for each in rest(every)], axis=1)
    turn = (c + 1j * s).reshape(shape)
    return Reading(angle.reshape(shape), turn, along(every).reshape(shape), (left**2).sum((0, 1)), scale)


def _middle(radius: Array, weight: Array) -> float:
    """The weighted mean of what is near the weighted median."""
    if np.ptp(radius) > 0.04 * radius.min():  # else all of them are near, whichever the median is
        order = np.argsort(radius)
        total = np.cumsum(weight[order])
        median = float(radius[order][np.searchsorted(total, total[-1] / 2)])
        near = abs(radius - median) < 0.05 * median
        if not near.any():
            return median
        radius, weight = radius[near], weight[near]
    return float((radius * weight).sum() / weight.sum())


@dataclass(frozen=True)
class Fit:
    """One pairing tried: its error as a part of the change from x to y, and over what the number format explains."""

    share: float
    over_noise: float
    pairing: Pairing


def fits(x: Array, y: Array, noise: Array) -> tuple[list[Fit], Index]:
    """Every pairing that was tried on x and y, (rows, D), best first, and the channels that moved."""
    width = x.shape[1]
    gain = (x * y).sum(0) / np.maximum((x * x).sum(0), 1e-300)
    still = (abs(y - gain * x) <= 6 * noise).all(0) & (len(x) > 1)
    common = 1.0
    if still.sum() > 2 and np.ptp(gain[still]) < 0.02:  # channels that do not turn tell the scale
        common = float(np.median(gain[still]))
    over = abs(y - common * x) / (np.maximum(noise, 1e-300) * max(1, common))
    far, often = over.max(0), (over > 200).sum(0) >= 4  # in one row alone, a channel may move little by chance
    moved = np.nonzero(far > 6)[0]
    first, last = (int(moved[0]), int(moved[-1])) if len(moved) else (0, 1)
    order = np.argsort(-((y - x) ** 2).sum(-1))

    def tried(pairings: list[Pairing], rows: Index, steps: int) -> list[Fit]:
        u, v, w = x[rows], y[rows], noise[rows]
        change = max(float(((v - (u * v).sum() / max((u * u).sum(), 1e-300) * u) ** 2).sum()), 1e-300)
        floor, found = max(float((w**2).sum()), 1e-300), []
        for pairing in pairings:
            reading = read(u, v, pairing, steps)
            if reading is not None:
                end = pairing.start + pairing.rotary_dim
                rest = u[:, : pairing.start], v[:, : pairing.start], u[:, end:], v[:, end:]
                passed = [
                    sum(float(((b - gain * a) ** 2).sum()) for a, b in (rest[:2], rest[2:])) for gain in (1.0, reading.scale)
                ]
                error = reading.error + min(passed)
                found.append(Fit(error / change, error / floor, pairing))
        return sorted(found, key=lambda fit: fit.share)

    usual = {width * eighths // 8 // 2 * 2 for eighths in range(1, 9)} | {(last + 2 - start) // 2 * 2 for start in (0, first)}
    clear = int((far > 200).sum()) >= 4  # then no second pairing can fit by chance
    found: list[Fit] = []
    for sizes, reaching in ((usual, True), ({*range(2, width + 1, 2)}, True), (usual, False)):
        pairings = [
            each
            for each in _candidates(width, far, often, sizes, usual)
            if (each.start <= first and last < each.start + each.rotary_dim) == reaching
        ]
        if reaching:
            pairings = [each for each in pairings if not _longer(each, last)]
        rough = tried(pairings, order[:4], 1)
        hopeful = rough and (rough[0].share < 0.1 or rough[0].over_noise < 20)
        kept = [fit.pairing for fit in rough if fit.share <= 100 * rough[0].share or fit.over_noise < 9][: 64 if hopeful else 2]
        found = sorted(found + tried(kept, order[:16], 3), key=lambda fit: fit.share)
        good = bool(found) and (found[0].share < 1e-3 or found[0].over_noise < 9)
        if good and (clear or len(sizes) > len(usual)):
            break
    return found, moved


def _candidates(width: int, far: Array, often: Mask, sizes: set[int], usual: set[int]) -> list[Pairing]:
    """All pairings worth a try. Where both channels of a pair turn alike, one that often moved far has a partner that moved."""
    out = []
    for rotary in sorted(size for size in sizes if 2 <= size <= width):
        for start in {0, width - rotary}:
            resting, moving = far[start : start + rotary] < 2, often[start : start + rotary]
            for name in LAYOUTS if rotary > 2 else ONE_PAIR:
                pair, table, fate = LAYOUTS[name]
                if pair != table or fate.endswith("out"):
                    if rotary not in usual:
                        continue
                else:
                    members = _members(pair, rotary)
                    if (moving[members].any(0) & resting[members].any(0)).any():
                        continue
                out.append(Pairing(name, start, rotary, width))
    return out


def _longer(pairing: Pairing, last: int) -> bool:
    """An interleaved pairing whose moved channels are those of a shorter one."""
    plain = LAYOUTS[pairing.name][:2] == ("interleaved", "interleaved") and not LAYOUTS[pairing.name][2].endswith("out")
    return plain and pairing.start == 0 and 2 < pairing.rotary_dim < pairing.width and last < pairing.rotary_dim - 2
