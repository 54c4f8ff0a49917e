"""Faults to plant in a rotary embedding, written apart from ropelib, and the judge of what the doctor says of them."""

from dataclasses import dataclass, field, replace

import numpy as np

QUESTIONS = (
    "rotates",
    "layout",
    "rotary_dim",
    "sense",
    "offset",
    "base",
    "method",
    "factor",
    "scale",
    "phase",
    "arithmetic",
    "axes",
    "positions",
)


def bf16(a):
    a = np.ascontiguousarray(a, np.float32)
    bits = a.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(float)


CASTS = {
    "float64": lambda a: np.asarray(a, float),
    "float32": lambda a: np.asarray(a, np.float32).astype(float),
    "float16": lambda a: np.asarray(a, np.float16).astype(float),
    "bfloat16": bf16,
}


@dataclass
class Plan:
    """One implementation: everything that can be planted."""

    width: int
    rows: int
    dtype: str
    rotary: int
    base: float
    layout: str = "half"
    start: int = 0
    sense: int = 1
    offset: float = 0.0
    scale: float = 1.0
    whole_scale: float = 1.0
    quarters: int = 0
    arithmetic: str = "float64"
    speeds: object = None  # theta -> theta
    method: str = ""  # the fault that set them
    places: object = None  # (lead, rows) positions -> positions
    after: object = None  # (x, y) -> y
    lead: tuple = (2,)
    axes: object = None
    exchanged: bool = False
    strange: bool = False  # no rotation that has a name: nothing beyond `rotates` may be certain but what is true
    names: list = field(default_factory=list)

    @property
    def turns(self):
        """The sense in which pairs turn: with cos and sin exchanged the angle is pi/2 - theta."""
        return -self.sense if self.quarters == 1 else self.sense

    @property
    def theta(self):
        k = np.arange(self.rotary // 2)
        theta = self.base ** (-2.0 * k / self.rotary)
        return theta if self.speeds is None else self.speeds(theta, self)


LAYOUTS = {
    "half": "hh", "interleaved": "ii", "half rotation, interleaved table": "hi", "interleaved rotation, half table": "ih",
    "half without minus": "hh+", "interleaved without minus": "ii+",
    "half, second channel from the overwritten first": "hho", "interleaved, second channel from the overwritten first": "iio",
    "interleaved in, half out": "iiH", "half in, interleaved out": "hhI", "first with last": "mm",
}  # fmt: skip


def rotate(x, cos, sin, layout):
    """x (..., R), tables (..., P)."""
    code, pairs = LAYOUTS[layout], x.shape[-1] // 2
    r = x.shape[-1]
    order = {"h": np.r_[0:r], "i": np.r_[0:r:2, 1:r:2], "m": np.r_[0:pairs, np.arange(r - 1, pairs - 1, -1)]}
    if code in ("hi", "ih"):
        spread = {"i": np.arange(r) // 2, "h": np.arange(r) % pairs}[code[1]]
        c, s = cos[..., spread], sin[..., spread]
        turned = np.empty_like(x)
        at = order[code[0]]
        a, b = at[:pairs], at[pairs:]
        turned[..., a], turned[..., b] = -x[..., b], x[..., a]
        return x * c + turned * s
    at = order[code[0]]
    a, b = x[..., at[:pairs]], x[..., at[pairs:]]
    first = a * cos - b * sin if "+" not in code else a * cos + b * sin
    second = a * sin + b * cos if "o" not in code else first * sin + b * cos
    out = np.empty_like(x)
    to = order[{"H": "h", "I": "i"}.get(code[-1], code[0])]
    out[..., to[:pairs]], out[..., to[pairs:]] = first, second
    return out


def tables(p, theta, mode):
    what, _, where = mode.partition(" ")
    np.seterr(over="ignore", invalid="ignore")
    if mode == "float32 angles":
        f = CASTS["float32"]
        angles = f(f(p)[..., None] * f(theta))
        return np.cos(angles), np.sin(angles)
    cast = CASTS[what]
    p_ = cast(p) if where in ("positions", "angles") else p
    t_ = cast(theta) if where in ("inverse frequencies", "angles") else theta
    angles = np.asarray(p_)[..., None] * t_
    angles = cast(angles) if where == "angles" else angles
    cos, sin = np.cos(angles), np.sin(angles)
    return (cast(cos), cast(sin)) if where == "tables" else (cos, sin)


def run(plan, random):
    """x, y, positions to give, and the angles that were planted (lead, rows, P)."""
    shape = (*plan.lead, plan.rows, plan.width)
    cast = CASTS[plan.dtype]
    x = cast(random.standard_normal(shape))
    given = None
    if plan.axes is not None:
        given = np.stack([random.permutation(plan.rows) for _ in range(plan.axes.max() + 1)]).astype(float)
        p = given[plan.axes].T  # (rows, P)
        p = np.broadcast_to(p, (*plan.lead, *p.shape)) + plan.offset
        angles = p * plan.theta
        cos, sin = np.cos(angles), np.sin(angles)
    else:
        p = np.broadcast_to(np.arange(plan.rows, dtype=float), shape[:-1]).copy()
        if plan.exchanged:
            p = np.broadcast_to(np.arange(plan.lead[-1], dtype=float)[:, None], shape[:-1]).copy()
        if plan.places is not None:
            p = plan.places(p, plan)
        p = p + plan.offset
        cos, sin = tables(p, plan.theta, plan.arithmetic)
        angles = p[..., None] * plan.theta
    if plan.quarters == 1:  # cos and sin exchanged
        cos, sin = sin, cos
    elif plan.quarters == 2:
        cos, sin = -cos, -sin
    sin = sin * plan.sense
    y = x * plan.whole_scale
    end = plan.start + plan.rotary
    y[..., plan.start : end] = (
        rotate(x[..., plan.start : end], cos * plan.scale, sin * plan.scale, plan.layout) * plan.whole_scale
    )
    if plan.after is not None:
        y = plan.after(x, y, random)
    return x, cast(y).copy(), given, p


def yarn(theta, plan, factor, length=None, truncate=True):
    pairs, base = len(theta), plan.base
    length = length or (2048, 4096, 8192, 32768)[int(plan.base) % 4]
    find = [2 * pairs * np.log(length / (turns * 2 * np.pi)) / (2 * np.log(base)) for turns in (32, 1)]
    low, high = (np.floor(find[0]), np.ceil(find[1])) if truncate else find
    low, high = max(low, 0), min(high, 2 * pairs - 1)
    share = np.clip((np.arange(pairs) - low) / max(high - low, 0.001), 0, 1)
    return theta * (1 - share) + theta / factor * share


def llama3(theta, plan, factor, length=8192, low=1, high=4):
    wave = 2 * np.pi / theta
    smooth = np.clip((length / wave - low) / (high - low), 0, 1)
    return theta / factor * (1 - smooth) + theta * smooth


def on(name, **values):
    return lambda plan, random: replace(plan, **values, names=[*plan.names, name])


def speeds(name, change):
    return lambda plan, random: replace(plan, speeds=change, method=name, names=[*plan.names, name])


def places(name, change, strange=False):
    return lambda plan, random: replace(plan, places=change, strange=strange or plan.strange, names=[*plan.names, name])


def after(name, change):
    return lambda plan, random: replace(plan, after=change, strange=True, names=[*plan.names, name])


def part(name, share, last=False):
    def fault(plan, random):
        rotary = max(2, int(plan.width * share) // 2 * 2)
        return replace(plan, rotary=rotary, start=plan.width - rotary if last else 0, names=[*plan.names, name])

    return fault


def _axes(plan, random):
    count = int(random.integers(2, 4))
    axes = np.arange(plan.rotary // 2) % count
    return replace(plan, axes=axes, rows=max(plan.rows, 8), names=[*plan.names, "axes"]) if plan.rotary // 2 >= count else plan


def _exchanged(plan, random):
    return replace(plan, exchanged=True, lead=(4,), names=[*plan.names, "axes exchanged"])


def _jump(p, plan):
    q = p.copy()
    q[..., plan.rows // 2 :] -= plan.rows // 2
    return q


def _padding(p, plan):
    q = p.copy()
    q[0] = np.maximum(q[0] - plan.rows // 3, 0)
    return q


def _shifted(p, plan):
    q = p.copy()
    q[0] += 5
    return q


def _odd_heads(x, y, random):
    y = y.copy()
    y[0] = x[0]
    return y


def _rms(x, y, random):
    return y / np.sqrt((y**2).mean(-1, keepdims=True))


def _sinusoid(x, y, random):
    k = np.arange(x.shape[-1] // 2)
    angles = np.arange(x.shape[-2])[:, None] * 1e4 ** (-2.0 * k / x.shape[-1])
    return x + np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)[:, : x.shape[-1]]


def _decay(x, y, random):
    return y * np.linspace(1, 0.5, x.shape[-1])[None] ** (np.arange(x.shape[-2])[:, None] / 64)


def _every_other(x, y, random):
    y = y.copy()
    y[..., 1::2, :] = x[..., 1::2, :]
    return y


def _mixed(x, y, random):
    return y @ np.linalg.qr(random.standard_normal((x.shape[-1], x.shape[-1])))[0]


def _negated(x, y, random):
    return np.where(np.arange(x.shape[-1]) % 3 == 0, -y, y)


ARITHMETIC = [
    f"{kind} {where}" for kind in ("bfloat16", "float16") for where in ("positions", "inverse frequencies", "angles", "tables")
]
FAULTS = {
    **{name: on(name, layout=name) for name in LAYOUTS},
    **{f"part {share}": part(f"part {share}", share) for share in (0.25, 0.5, 0.75)},
    **{f"last {share}": part(f"last {share}", share, True) for share in (0.25, 0.5)},
    "other sense": on("other sense", sense=-1),
    **{f"offset {n}": on(f"offset {n}", offset=float(n)) for n in (1, -1, 2, 7, 100, 1000, 4096, 0.5)},
    **{f"base {b:g}": on(f"base {b:g}", base=b) for b in (100.0, 317.0, 1e3, 27_123.4, 5e5, 1e6, 3.3e6, 1e7)},
    "exponent i/d": speeds("exponent i/d", lambda t, plan: np.sqrt(t)),
    "head_dim in the exponent": speeds("head_dim in the exponent", lambda t, plan: t ** (plan.rotary / plan.width)),
    **{
        f"ntk {f}": speeds(f"ntk {f}", lambda t, plan, f=f: t * f ** (-2.0 * np.arange(len(t)) / max(plan.rotary - 2, 1)))
        for f in (2, 8)
    },
    **{f"linear {f}": speeds(f"linear {f}", lambda t, plan, f=f: t / f) for f in (2, 3.3, 8, 0.5)},
    "index from 1": speeds("index from 1", lambda t, plan: t * plan.base ** (-2 / plan.rotary)),
    **{f"yarn {f}": speeds(f"yarn {f}", lambda t, plan, f=f: yarn(t, plan, f)) for f in (4, 16, 40)},
    "yarn 4, 4096": speeds("yarn 4, 4096", lambda t, plan: yarn(t, plan, 4, 4096)),
    "yarn 32, not truncated": speeds("yarn 32, not truncated", lambda t, plan: yarn(t, plan, 32, 4096, False)),
    **{f"llama3 {f}": speeds(f"llama3 {f}", lambda t, plan, f=f: llama3(t, plan, f)) for f in (8, 32)},
    "llama3 short": speeds("llama3 short", lambda t, plan: llama3(t, plan, 8, 512)),
    "step": speeds("step", lambda t, plan: np.where(np.arange(len(t)) < len(t) // 2, t, t / 4)),
    "list": speeds("list", lambda t, plan: t / (1 + 0.7 * np.sin(np.arange(len(t)) * 1.7) ** 2)),
    "smooth list": speeds("smooth list", lambda t, plan: t / np.linspace(1, 4, len(t))),
    **{
        f"proportional {s}": speeds(
            f"proportional {s}", lambda t, plan, s=s: np.where(np.arange(len(t)) < max(1, int(s * len(t))), t, 0)
        )
        for s in (0.25, 0.5)
    },
    "fastest last": speeds("fastest last", lambda t, plan: t[::-1]),
    "half as fast beyond": speeds("half as fast beyond", lambda t, plan: np.where(t < 0.01, t / 2, t)),
    "linspace": speeds("linspace", lambda t, plan: np.linspace(1, plan.width / 2, len(t)) * np.pi / 64),
    **{f"scale {s:g}": on(f"scale {s:g}", scale=s) for s in (1.1386294, 0.5, 0.125)},
    "scale on all": on("scale on all", whole_scale=1.2),
    "cos and sin exchanged": on("cos and sin exchanged", quarters=1),
    "negated": on("negated", quarters=2),
    "float32 angles": on("float32 angles", arithmetic="float32 angles"),
    **{mode: on(mode, arithmetic=mode) for mode in ARITHMETIC},
    "backwards": places("backwards", lambda p, plan: plan.rows - 1 - p),
    "all at 0": places("all at 0", lambda p, plan: 0 * p),
    "all at 5": places("all at 5", lambda p, plan: 0 * p + 5),
    "packed": places("packed", _jump),
    "wraps at 16": places("wraps at 16", lambda p, plan: p % 16),
    "stops at 20": places("stops at 20", lambda p, plan: np.minimum(p, 20)),
    "padding in one": places("padding in one", _padding),
    "one shifted": places("one shifted", _shifted),
    "two rows a position": places("two rows a position", lambda p, plan: p // 2),
    "every other position": places("every other position", lambda p, plan: 2 * p),
    "even rows first": places("even rows first", lambda p, plan: np.where(p % 2 == 0, p // 2, (plan.rows + 1) // 2 + p // 2)),
    "rows of an image": places("rows of an image", lambda p, plan: p // 8 + p % 8),
    "position squared": places("position squared", lambda p, plan: p**2 / 16),
    "axes exchanged": _exchanged,
    "axes": _axes,
    "one head": on("one head", lead=()),
    "many heads": on("many heads", lead=(2, 4)),
    "x": after("x", lambda x, y, random: x),
    "2x": after("2x", lambda x, y, random: 2 * x),
    "sinusoid added": after("sinusoid added", _sinusoid),
    "decay": after("decay", _decay),
    "one head still": after("one head still", _odd_heads),
    "normalised": after("normalised", _rms),
    "noise": after("noise", lambda x, y, random: y + 1e-3 * random.standard_normal(y.shape)),
    "every other row": after("every other row", _every_other),
    "mixed": after("mixed", _mixed),
    "signs": after("signs", _negated),
    "shuffled rows": after("shuffled rows", lambda x, y, random: np.roll(y, 1, axis=-2)),
    "factor by row": after("factor by row", lambda x, y, random: y * (1 + 0.1 * np.log1p(np.arange(y.shape[-2]) // 8))[:, None]),
}


LISTS = {"list", "smooth list", "linspace"}
STRANGE = {"x", "2x", "sinusoid added", "decay", "one head still", "normalised", "noise", "every other row", "mixed", "signs",
           "shuffled rows", "factor by row"}  # fmt: skip
ELSEWHERE = {"backwards", "all at 0", "all at 5", "packed", "wraps at 16", "stops at 20", "padding in one", "one shifted",
             "two rows a position", "every other position", "even rows first", "rows of an image", "position squared",
             "axes exchanged", "axes"}  # fmt: skip


def plan(random, names, rows=None, dtype=None):
    """A plan of random sizes with the faults of these names."""
    width = int(random.choice([8, 16, 32, 64, 80, 96, 128, 256]))
    made = Plan(
        width,
        rows or int(random.choice([2, 3, 5, 8, 16, 24, 33, 64, 100, 128, 256, 512])),
        dtype or str(random.choice(list(CASTS))),
        width,
        float(random.choice([1e4, 5e5, 1e6, 1e7, 1e5, 12_345.0, 10 ** random.uniform(4, 7)])),
        layout=str(random.choice(["half", "interleaved"])),
    )
    for name in sorted(names, key=lambda name: name == "axes exchanged"):  # last: it sets the heads
        made = FAULTS[name](made, random)
    return made


# --- the judge


def has_base(plan):
    """Whether three pairs, at the fast end, follow one base: any two pairs do, and a list of divisors has none."""
    theta = plan.theta[::-1] if "fastest last" in plan.names else plan.theta
    return len(theta) > 2 and (theta[:3] > 0).all() and abs(np.log(theta[0] * theta[2] / theta[1] ** 2)) < 1e-3


def judged(plan, report, x, y, p):
    """{question: "right" | "open" | "wrong"} for all that is answered: what is certain must be true of what was planted."""
    told = {}
    for what in QUESTIONS:
        if what not in report.findings:
            continue
        finding = report[what]
        told[what] = "open" if not finding.sure else "right" if _true(what, finding.value, plan, report, x, y, p) else "wrong"
    return told


def _true(what, value, plan, report, x, y, p):
    theta = plan.theta
    if what == "rotates":
        unit = {"float64": 1e-14, "float32": 2e-7, "float16": 2e-3, "bfloat16": 0.01}[plan.dtype]
        same = abs(y - x * (y * x).sum() / (x * x).sum()).max() < unit * abs(y).max()
        if value and same and not plan.strange:  # little more than the format shows, and not nothing
            part = slice(plan.start, plan.start + plan.rotary)
            at_rest = CASTS[plan.dtype](x[..., part] * (plan.scale * plan.whole_scale))
            return bool(p.any() and theta.any() and (y[..., part] != at_rest).any())
        return value != same and not {"x", "2x", "mixed", "sinusoid added"} & ({*plan.names} if value else set())
    if what == "scale" and ({"x", "2x"} & {*plan.names} or not report["rotates"].value):
        return np.allclose(y, value * x, rtol=0.02)
    if what == "layout":
        return (
            value == plan.layout
            or plan.rotary == 2
            or _same_layout(value, plan, theta)
            or (plan.strange and "signs" in plan.names)
        )
    if plan.strange and what == "rotary_dim" and "signs" in plan.names:
        return True  # channels that are negated turn by pi
    mild = {*plan.names} & {"decay", "noise", "normalised", "factor by row"}
    if (
        plan.strange
        and what not in ("scale", "rotary_dim")
        and not ("signs" in plan.names and what in ("base", "method", "factor"))  # pairs negated turn as fast
        and not (mild and what in ("sense", "offset", "phase", "base", "method", "factor", "arithmetic"))
    ):  # certain only where the description gives y
        return _explained(plan, report, x, y)
    if what == "rotary_dim":
        return value == plan.rotary or (value < plan.rotary and (theta[value // 2 :] == 0).all() and "interleaved" in plan.layout)
    if what == "scale":
        want = plan.scale * plan.whole_scale
        if isinstance(value, list | str):
            ratio = np.linalg.norm(y, axis=-1) / np.linalg.norm(x, axis=-1)
            return np.allclose(ratio, value, rtol=0.03) if isinstance(value, list) else plan.strange
        return abs(value / want - 1) < {"bfloat16": 0.02, "float16": 3e-3}.get(
            plan.dtype, 1e-3 if "1" in plan.arithmetic else 1e-4
        )
    if what == "axes":
        if isinstance(value, str):
            return plan.exchanged
        return plan.axes is not None and value == plan.axes.tolist()[: len(value)]
    if what == "positions":
        if isinstance(value, str):
            return len(np.unique(CASTS[plan.arithmetic.split()[0]](p))) == 1
        first = p.reshape(-1, p.shape[-1])[0]
        got = np.asarray(value, float)
        take = first if len(got) == len(first) else first[np.unique(np.linspace(0, len(first) - 1, len(got)).astype(int))]
        take = CASTS[plan.arithmetic.split()[0]](take) if plan.arithmetic.endswith(("positions", "angles")) else take
        return np.ptp(got - take) == 0 or np.ptp(got + take) == 0
    if what == "arithmetic":
        if value == plan.arithmetic:
            return True
        q = p
        cos, sin = tables(q, theta, plan.arithmetic)
        other = {"float64": "float64", "as good as the format shows": "float64"}.get(value, value)
        c, s = tables(q, theta, other)
        unit = {"float64": 2.0**-50, "float32": 2.0**-22, "float16": 2.0**-10, "bfloat16": 2.0**-7}[plan.dtype]
        grain = unit if plan.dtype == "float64" else max(unit, 2.0**-22)
        near = np.hypot(cos - c, sin - s) < 8 * grain * (1 + abs(q[..., None] * theta))
        return bool(near.mean() > 0.99)
    sense, offset, speeds = _effective(plan, p)
    if isinstance(report["positions"].value, list):
        got = np.asarray(report["positions"].value, float)
        first = p.reshape(-1, p.shape[-1])[0]
        take = first[np.unique(np.linspace(0, len(first) - 1, len(got)).astype(int))]
        sense, speeds = plan.turns * (1 if ((got - got.mean()) * (take - take.mean())).sum() > 0 else -1), theta
    elif sense is None and what == "sense":
        ways = {_way(rows) for rows in p.reshape(-1, p.shape[-1])}
        sense = None if len(ways) > 1 or 0 in ways else plan.turns * ways.pop()
    if what == "sense":
        return sense is not None and value == sense
    if what == "phase":
        return value == {0: "0", 1: "pi/2" if plan.sense == 1 else "-pi/2", 2: "pi"}[plan.quarters]
    if what == "offset":
        if isinstance(value, list):
            return offset is None and _offsets_by_index(np.asarray(value), p)
        if offset is not None and abs(value - offset) > 1:  # frequencies with a common period: the very same numbers
            return speeds is not None and bool((abs(np.exp(1j * speeds * (value - offset)) - 1) < 1e-9).all())
        return offset is not None and abs(value - offset) < 0.02
    if speeds is None:
        return False
    live = speeds > 0
    if what == "method" and value == "list":  # no formula
        return plan.method in LISTS
    if what == "method":
        model = _model(report, plan, len(speeds))
        return model is not None and bool((abs(model - speeds)[live] < 0.02 * speeds[live]).all() and (model[~live] == 0).all())
    if what == "factor":
        return abs(value * speeds[0] - 1) < 0.03 or abs(value / (report_base_last(report, speeds, plan)) - 1) < 0.03
    if what == "base":
        fast = np.diff(np.log(speeds[live][: max(3, 2)]))[0] if live.sum() > 1 else 0.0
        if "fastest last" in plan.names and report["method"].value == "plain, fastest pair last":
            fast = -np.diff(np.log(speeds))[0]
        return (
            abs(-fast * plan.rotary / 2 / np.log(value) - 1) < 0.004
            or abs(np.exp(-fast * (report["rotary_dim"].value) / 2) / value - 1) < 0.02
        )
    raise AssertionError(what)


def report_base_last(report, speeds, plan):
    base = report["base"].value
    return base ** (-2 * (len(speeds) - 1) / plan.rotary) / speeds[-1] if base and speeds[-1] > 0 else np.inf


def _model(report, plan, pairs):
    """The speeds that method, base and factor describe."""
    method, base, rotary = report["method"].value, report["base"].value, report["rotary_dim"].value
    if method is None or base is None:
        return None
    model = base ** (-2.0 * np.arange(rotary // 2) / rotary) / (report["factor"].value or 1.0)
    if method not in ("plain", "linear"):
        model = report.angles.get("model", np.zeros(rotary // 2))
    return np.r_[model, np.zeros(max(0, pairs - len(model)))][:pairs]


def _effective(plan, p):
    """Sense, offset and speeds of pairs over the row's index, where positions are a straight line over it; else None."""
    theta = plan.theta
    sense = plan.turns
    if plan.exchanged and plan.axes is None:
        if np.ptp(p, axis=-1).max() > 0:
            return None, None, None
        p = p[..., :1].swapaxes(-1, -2)
    if plan.axes is not None:
        return sense, plan.offset, theta
    rows = p.reshape(-1, p.shape[-1])
    counted = rows[:, :1] + np.arange(rows.shape[1])
    if np.array_equal(np.round(rows), rows) and (abs(np.exp(1j * np.multiply.outer(rows - counted, theta)) - 1) < 1e-9).all():
        rows = counted  # rows a common period of all pairs from there: the very same numbers
    if np.ptp(rows - rows[:1]) > 0:
        slope = np.diff(rows[0]) if rows.shape[1] > 1 else np.array([1.0])
        return (sense, None, theta) if np.ptp(slope) == 0 else (None, None, None)
    slope = np.diff(rows[0])
    if len(slope) == 0 or np.ptp(slope) > 1e-9 or slope[0] == 0:
        return None, None, None
    return sense * int(np.sign(slope[0])), rows[0][0] / slope[0], theta * abs(slope[0])


def _way(rows):
    """1 where positions rise, -1 where they fall, 0 where they do neither. One row that is elsewhere does not turn the others."""
    for way in (1, -1):
        bad = np.nonzero(way * np.diff(rows) < 0)[0]
        without = [np.delete(rows, k) for k in (bad[0], bad[0] + 1)] if len(bad) and len(rows) > 8 else []
        if any((way * np.diff(some) >= 0).all() and np.ptp(some) > 0 for some in (rows, *without)):
            return way
    return 0


def _offsets_by_index(value, p):
    rows = p.reshape(-1, p.shape[-1])
    return np.allclose(np.ravel(value), rows[:, 0])


def _same_layout(value, plan, theta):
    """Whether another name gives the very same numbers."""
    if value not in LAYOUTS:
        return False
    random = np.random.default_rng(0)
    x = random.standard_normal((4, plan.rotary))
    angles = np.arange(4)[:, None] * theta
    return np.allclose(rotate(x, np.cos(angles), np.sin(angles), value), rotate(x, np.cos(angles), np.sin(angles), plan.layout))


def _explained(plan, report, x, y):
    """Of strange code only y itself tells: the description must give it."""
    if report.rope is None or report.positions is None:
        rows = report["positions"].value
        if {"every other row"} & {*plan.names} and isinstance(rows, list):
            return all(p == 0 for p in rows[1::2]) or len(rows) < x.shape[-2]
        return not any(report[what].sure for what in ("offset", "method", "base", "sense"))
    want = report.rope.rotate(x, report.positions)
    length = np.linalg.norm(y, axis=-1, keepdims=True) / np.linalg.norm(want, axis=-1, keepdims=True)
    unit = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 0.1}[plan.dtype]
    return bool(abs(want * length - y).max() < unit * abs(y).max())
