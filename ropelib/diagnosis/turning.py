"""From angles in rows to turning: the speed and the phase of each pair."""

from dataclasses import dataclass, replace

import numpy as np

from .report import Array, Mask


def wrap(angle: Array) -> Array:
    """Into [-pi, pi)."""
    turned = angle + np.pi
    if turned.size > 64 and abs(turned).max() < 4 * np.pi and turned.min() >= -2 * np.pi:  # the same remainder, ten times as fast
        turned = np.where(turned < 0, turned + 2 * np.pi, np.where(turned < 2 * np.pi, turned, turned - 2 * np.pi))
    else:
        turned = turned % (2 * np.pi)
    return np.asarray(turned - np.pi)


def phasor(angle: Array) -> Array:
    """exp(i angle); of real angles half the work of a complex exponential."""
    made = np.empty(angle.shape, complex)
    made.real, made.imag = np.cos(angle), np.sin(angle)
    return made


@dataclass(frozen=True)
class Turning:
    """What each pair does along its axis: angle = speed * position + phase, with standard deviations; all of shape (P,).

    `scatter` is what is left about the line, `axis` the axis of positions that the pair follows (-1: none), `fitting` how
    many axes it could follow.
    """

    speed: Array
    phase: Array
    speed_error: Array
    phase_error: Array
    scatter: Array
    axis: Array
    fitting: Array

    def __getitem__(self, pairs: Mask) -> "Turning":
        return Turning(*(value[pairs] for value in vars(self).values()))


def line(z: Array, p: Array, error: Array) -> Turning:
    """Speed and phase of unit phasors z (S, P) at positions p (S,), by doubling the lag and then least squares."""
    order = np.argsort(p, kind="stable")
    z, p = z[order], p[order]
    step = np.diff(p)[np.diff(p) > 0].min()
    speed = np.zeros(z.shape[1])
    lag = step
    while lag <= 2 * np.ptp(p):
        there = np.searchsorted(p, p + lag * (1 + 1e-9), "right") - 1
        gap = p[there] - p
        use = gap > (0.5 * lag if lag > step else 0)
        between = z[there[use]] * z[use].conj()
        if lag == step:
            speed = np.angle(between.sum(0)) / step
        elif use.any():
            gaps, which = np.unique(gap[use], return_inverse=True)  # few where rows count by one
            between *= phasor(-np.outer(gaps, speed))[which]
            speed = speed + (np.angle(between) * gap[use, None]).sum(0) / (gap[use] ** 2).sum()
        lag *= 2
    weight = error**-2.0
    centre = (weight * p[:, None]).sum(0) / weight.sum(0)
    away = p[:, None] - centre
    spread = (weight * away**2).sum(0)
    for step in range(4):
        flat = z * phasor(-speed * away)
        middle = np.angle((weight * flat).sum(0))
        rest = np.angle(flat * np.exp(-1j * middle))
        nearer = speed + (weight * rest * away).sum(0) / spread
        if step == 3 or np.array_equal(nearer, speed):
            break
        speed = nearer
    scatter = (
        np.sqrt((weight * rest**2).sum(0) / weight.sum(0) * len(p) / max(len(p) - 2, 1)) if len(p) > 2 else np.zeros(len(speed))
    )
    typical = np.sqrt(len(p) / weight.sum(0))
    worse = np.maximum(1.0, scatter / typical)
    if len(p) > 3:  # what is more than noise may be steps: neighbours that err alike count as one
        run = np.clip((rest[1:] * rest[:-1]).sum(0) / np.maximum((rest**2).sum(0), 1e-300), 0, 1 - 2 / len(p))
        worse = np.where(worse > 2, worse * np.sqrt((1 + run) / (1 - run)), worse)
    speed_error = np.maximum(worse / np.sqrt(spread), 1e-16)
    phase_error = np.hypot(worse / np.sqrt(weight.sum(0)), abs(centre) * speed_error)
    nothing = np.zeros(len(speed))
    return Turning(speed, wrap(middle - speed * centre), speed_error, phase_error, scatter, nothing, nothing + 1)


def turning(z: Array, positions: Array, error: Array, loose: float) -> Turning:
    """Each pair's line along the axis of positions (A, S) that explains it best."""
    best: Turning | None = None
    for a, row in enumerate(positions):
        values, where = np.unique(row, return_inverse=True)
        if len(values) < 2:
            continue
        weight = error**-2.0
        inside, order = np.zeros(z.shape[1]), np.argsort(row)
        pooled, total = (weight * z)[order], weight[order]
        if len(values) < len(row):  # rows at one position must agree
            pooled, total = np.zeros((len(values), z.shape[1]), complex), np.zeros((len(values), z.shape[1]))
            np.add.at(pooled, where, weight * z)
            np.add.at(total, where, weight)
            inside = np.sqrt(((np.angle(z * pooled[where].conj()) / np.hypot(error, loose)) ** 2).mean(0))
        found = line(pooled / np.maximum(abs(pooled), 1e-300), values, total**-0.5)
        straight = found.scatter < 5 * np.hypot(np.median(error, 0), loose) if len(positions) > 1 and len(values) > 2 else True
        follows = (inside < 3) & straight
        found = replace(found, axis=np.where(follows, a, -1.0), fitting=follows.astype(float))
        if best is None:
            best = found
            continue
        clear = abs(found.speed) / found.speed_error
        better = follows & ((best.axis < 0) | ((clear > abs(best.speed) / best.speed_error) & (clear > 8)))
        merged = {name: np.where(better, value, getattr(best, name)) for name, value in vars(found).items()}
        best = Turning(**merged | {"fitting": best.fitting + found.fitting})
    assert best is not None
    return best
