"""What explains measured frequencies: the methods, from simple to rich."""

from dataclasses import dataclass, field, replace

import numpy as np

from .formats import bfloat16, float16
from .report import Array, Mask

# Bases in published models, and round ones that programs are tried with.
BASES = (100.0, 1e3, 1e4, 2e4, 2.5e4, 4e4, 5e4, 1e5, 1.5e5, 1.6e5, 2.5e5, 5e5, 6e5, 1e6, 2e6, 4e6, 5e6, 8e6, 1e7, 1e8, 1e9)


@dataclass(frozen=True)
class Explanation:
    """One description of measured speeds.

    `low` and `high` bound the base, `model` are its speeds (P,), `enough` says whether it was seen well enough to be
    told from its neighbours.
    """

    method: str
    base: float
    low: float
    high: float
    model: Array
    enough: bool
    factor: float = 1.0
    factor_error: float = 0.0
    listed: bool = False  # the base is the one published base within the bounds
    rounding: str = ""
    rounding_sure: bool = False
    ramp: dict[str, float] = field(default_factory=dict)
    head: int = 0  # how many pairs, from the first, turn as this base alone has them, where a scaling slows the others


@dataclass(frozen=True)
class Speeds:
    """Measured speeds > 0 (P,), their errors, and the relative error that float32 frequencies have."""

    value: Array
    error: Array
    tolerance: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", np.arange(len(self.value), dtype=float))

    k: Array = field(init=False)

    @property
    def seen(self) -> Mask:
        return self.value > 8 * self.error

    @property
    def prefix(self) -> int:
        """How many pairs, from the first, are seen."""
        return len(self.k) if self.seen.all() else int(np.argmin(self.seen))

    def misses(self, model: Array, error: Array | None = None) -> bool:
        """Whether a model is more than the errors away."""
        away = (self.value - model) / np.hypot(self.error if error is None else error, self.tolerance * model)
        return bool(np.sqrt((away**2).mean()) > 2 or abs(away).max() > 6)


def explain(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """Every method that fits, the simplest first; nothing that another method contains."""
    for method in (_geometric, _reversed, _rounded_frequencies, _ramps, _head):
        found = method(speeds, rotary_dim)
        if found:
            return found
    return []


def _shortest(low: float, high: float) -> tuple[float, bool]:
    """A published base within the bounds, else the number of fewest digits; whether it is the one published."""
    inside = [base for base in BASES if low <= base <= high]
    if inside:
        return inside[0], len(inside) == 1
    middle = float(np.sqrt(low) * np.sqrt(high))
    for digits in range(1, 12):
        short = float(f"{middle:.{digits - 1}e}")
        if low <= short <= high:
            return short, False
    return middle, False


def _line(k: Array, value: Array, error: Array, factor: bool) -> tuple[Array, Array] | None:
    """ln value = -k g - ln f by least squares: (g, ln f) and their covariance. None where it misses."""
    weight = value / error
    design = np.stack([-k, -np.ones_like(k)], axis=1)[:, : 1 + factor] * weight[:, None]
    covariance = np.linalg.pinv(design.T @ design)
    solution = covariance @ (design.T @ (np.log(value) * weight))
    rest = np.log(value) * weight - design @ solution
    if np.sqrt((rest**2).sum() / max(len(k) - 1 - factor, 1)) > 2 or abs(rest).max() > 6:
        return None
    return solution, covariance


def _bounds(fit: tuple[Array, Array], rotary_dim: int) -> tuple[float, float]:
    """Four errors either side of the base of a fitted line."""
    g, spread = fit[0][0], 4 * fit[1][0, 0] ** 0.5
    low, high = (float(np.exp(np.clip((g + side) * rotary_dim / 2, -700, 700))) for side in (-spread, spread))
    return low, high


def _geometric(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """b**(-2k/R), over a factor where need be; the last pairs may stand still."""
    seen, k = speeds.seen, speeds.k
    pairs = len(k)
    tail = int(np.nonzero(seen)[0].max(initial=-1)) + 1
    if seen.sum() < 2:
        return []
    for factor in (False, True):
        if factor and seen.sum() < 3:
            break
        error = np.hypot(speeds.error, speeds.tolerance * speeds.value)
        fit = _line(k[seen], speeds.value[seen], error[seen], factor)
        if fit is None:
            continue
        solution, covariance = fit
        g, log_f = solution[0], solution[1] if factor else 0.0
        if g < 0:
            continue
        low, high = _bounds(fit, rotary_dim)
        base, listed = _shortest(low, high)
        model = np.exp(-g * k - log_f)
        wide = covariance[-1, -1] ** 0.5 if factor else 0.0
        made = Explanation(
            "linear" if factor else "plain",
            base,
            low,
            high,
            model,
            False,
            float(np.exp(log_f)),
            float(np.exp(log_f) * wide),
            listed,
        )
        if factor and abs(log_f) < 0.02:
            made = replace(made, method="plain", factor=1.0)
        else:
            made = replace(made, enough=bool(seen.sum() >= 3 + factor))
        # a pair that is not seen widens with the fit's own error
        slack = np.where(seen, 0.0, model * covariance[0, 0] ** 0.5 * k)
        if not speeds.misses(model, np.hypot(speeds.error, slack)):
            return [made]
        still = np.arange(pairs) >= tail
        if (
            still.any()
            and (abs(speeds.value[still]) < 6 * speeds.error[still]).all()
            and (model[still] > 12 * speeds.error[still])[0]
        ):
            clear = bool((model[still] > 12 * speeds.error[still]).all())
            clear &= bool(model[still][0] > 64 * 10 * speeds.error[still][0])  # else a scaling may have slowed them
            return [replace(made, method="proportional", model=np.where(still, 0.0, model), enough=made.enough and clear)]
    return []


def _reversed(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """The fastest pair last."""
    if not speeds.seen.all() or len(speeds.k) < 3:
        return []
    back = Speeds(speeds.value[::-1], speeds.error[::-1], speeds.tolerance)
    return [
        replace(each, method="plain, fastest pair last", model=each.model[::-1])
        for each in _geometric(back, rotary_dim)
        if each.method == "plain"
    ]


def _rounded_frequencies(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """Frequencies kept in float16 or bfloat16: each is a number of that format, and about geometric."""
    for name, cast, grain in (("bfloat16", bfloat16, 2.0**-8), ("float16", float16, 2.0**-11)):  # the coarser grid first
        exact = speeds.error < grain / 16 * speeds.value  # these tell the grid from chance
        on_grid = abs(cast(speeds.value) - speeds.value) < 4 * speeds.error + 1e-6 * speeds.value
        if exact.sum() < 4 or not on_grid[exact].all():
            continue
        rounded = Speeds(speeds.value, np.hypot(speeds.error, 3e-8 * (name == "float16")), grain / 2)
        found = _geometric(rounded, rotary_dim)
        if not found:
            return [replace(each, rounding=name) for each in _ramps(rounded, rotary_dim)]
        ideal = found[0].base ** (-2 * speeds.k / rotary_dim)
        fits = [not speeds.misses(each(ideal)) for each in (cast, bfloat16, float16)]
        same = found[0].method == "plain" and fits[0]
        model = cast(ideal) if same else np.where(speeds.seen, cast(speeds.value), found[0].model)
        return [replace(found[0], model=model, rounding=name, rounding_sure=same and sum(fits[1:]) == 1)]
    return []


def _ramps(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """1 at the fast end, 1 / factor at the slow end, and a ramp over pairs (YaRN) or over frequency (Llama 3) between."""
    out: list[Explanation] = []
    seen = speeds.prefix
    if seen < 4:
        return []
    k, value, error = speeds.k[:seen], speeds.value[:seen], speeds.error[:seen]
    every = np.arange(len(speeds.k))
    for base, doubt in _head_bases(speeds, rotary_dim).items():
        pure = base ** (-2 * k / rotary_dim)
        ratio, spread = value / pure, np.hypot(error / pure, speeds.tolerance * 1.25 + doubt * k)
        level, slow = _plateau(ratio, spread)
        factor, slow = 1 / level, slow / level
        if abs(ratio[0] - 1) > 6 * spread[0]:
            continue
        if not 1.05 < factor < 1e4 or slow > 0.05:
            continue
        ramp, loose = (1 - ratio) / (1 - 1 / factor), spread / (1 - 1 / factor)
        end = 6 * (loose + slow)
        inner = (ramp > 6 * loose) & (ramp < 1 - end)
        if not ((abs(ramp) < 6 * loose) | inner | (abs(ramp - 1) < end)).all():
            continue
        cut = np.nonzero(inner)[0]
        if (np.diff(cut) != 1).any():
            continue
        head = int((abs(ramp) < 6 * loose).sum())
        if head < 2:  # without the fast plateau a wrong base looks like a ramp
            continue
        whole = base ** (-2 * every / rotary_dim)
        common = Explanation(
            "step", base, base, base, np.where(every < head, whole, whole / factor), False, factor, slow * factor, head >= 4,
            head=head,
        )  # fmt: skip
        if len(cut) < 2:
            clear = len(cut) == 0 and head >= 3 and seen - head >= 3 and slow < 0.005
            out.append(replace(common, enough=clear, listed=head >= 4 or clear))
            continue
        for method, along, everywhere in (("yarn", k, every), ("llama3", pure, whole)):
            design = np.stack([along[cut], np.ones(len(cut))], axis=1) / loose[cut, None]
            slope, start = np.linalg.lstsq(design, ramp[cut] / loose[cut], rcond=None)[0]
            away = (ramp - np.clip(slope * along + start, 0, 1)) / (loose + slow)
            if np.sqrt((away**2).mean()) > 2 or abs(away).max() > 6:
                continue
            ends = -start / slope, (1 - start) / slope
            sharp = slow < 0.005 and loose[cut].max() < 0.01 and len(cut) >= 3 and head >= 3
            if method == "yarn":
                turns = [2 * np.pi * base ** (2 * each / rotary_dim) for each in ends]
                told = {"first pair": ends[0], "last pair": ends[1], "L / beta_fast": turns[0], "L / beta_slow": turns[1]}
            else:
                told = {"L / high_freq_factor": 2 * np.pi / ends[0], "L / low_freq_factor": 2 * np.pi / ends[1]}
            model = whole * (1 - np.clip(slope * everywhere + start, 0, 1) * (1 - 1 / factor))
            ramps = {name: float(each) for name, each in told.items()}
            out.append(replace(common, method=method, model=model, enough=bool(sharp), ramp=ramps))
    return _distinct(out, speeds)


def _distinct(found: list[Explanation], speeds: Speeds) -> list[Explanation]:
    """Of like explanations the one that fits best: a base and the round number beside it are one answer, not two."""

    def miss(each: Explanation) -> float:
        return float((((speeds.value - each.model) / np.hypot(speeds.error, speeds.tolerance * each.model + 1e-300)) ** 2).sum())

    out: list[Explanation] = []
    for each in sorted(found, key=miss):
        if not any(each.method == other.method and abs(each.base / other.base - 1) < 0.01 for other in out):
            out.append(each)
    ramps = [each for each in out if each.method != "step"]
    return ramps or out


def _plateau(ratio: Array, spread: Array) -> tuple[float, float]:
    """The ratio that the slowest pairs agree on, and its error."""
    level, error = float(ratio[-1]), float(spread[-1])
    for each, own in zip(ratio[-2::-1], spread[-2::-1], strict=True):
        if abs(each - level) > 4 * np.hypot(own, error):
            break
        weight = own**-2 + error**-2
        level, error = float((each / own**2 + level / error**2) / weight), float(weight**-0.5)
    return level, error


def _head(speeds: Speeds, rotary_dim: int) -> list[Explanation]:
    """The fastest pairs tell the base even where nothing explains the others: a list of divisors that starts with ones."""
    best: list[Explanation] = []
    error = np.hypot(speeds.error, speeds.tolerance * speeds.value)
    for n in range(4, speeds.prefix):
        fit = _line(speeds.k[:n], speeds.value[:n], error[:n], False)
        if fit is None:
            break
        if (error[:n] > 1e-4 * speeds.value[:n]).any():  # a smooth list would pass for a base
            break
        low, high = _bounds(fit, rotary_dim)
        base, listed = _shortest(low, high)
        best = [Explanation("list", base, low, high, speeds.value, False, listed=listed)]
    return best


def _head_bases(speeds: Speeds, rotary_dim: int) -> dict[float, float]:
    """Bases that the fastest pairs allow, and the error of ln(speed) that each brings a pair."""
    found = dict.fromkeys(BASES, 0.0)
    error = np.hypot(speeds.error, speeds.tolerance * speeds.value)
    for n in range(2, min(speeds.prefix, 24) + 1):
        fit = _line(speeds.k[:n], speeds.value[:n], error[:n], False)
        if fit is None:
            break
        low, high = _bounds(fit, rotary_dim)
        base, _ = _shortest(low, high)
        if base == float(f"{base:.3e}"):
            found[base] = 0.0
        elif high / low < 1.001 and n > 3:
            found[base] = float(fit[1][0, 0] ** 0.5)
    return found
