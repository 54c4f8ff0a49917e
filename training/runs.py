"""Every run: what is trained, on which text, from where and for how long."""

from dataclasses import dataclass

SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Run:
    encoding: str
    text: str = "kjv"
    steps: int = 1000
    length: int = 64  # of a window, in characters
    windows: int = 64  # in a step
    rate: float = 3e-3
    start: str | None = None  # the run whose weights this one goes on from, of the same seed

    @property
    def hidden(self):
        """Width of the feed-forward layers: the poems' model spends its weights on 2,000 characters instead."""
        return {"kjv": 256, "tang": 128}[self.text]


def on(encoding, steps, **settings):
    """A trained model goes on for some steps with another encoding, at a lower rate."""
    return Run(encoding, steps=steps, rate=1e-3, start="kjv-rope", **settings)


COMPARED = ("rope", "nope", "window", "t5", "alibi", "sinusoidal", "learned", "xpos", "shaw", "partial", "proportional")
LONGER = {"steps": 100, "length": 256, "windows": 16}  # as many characters a step as training has
RUNS = {
    "kjv-rope": Run("rope"),
    "tang-rope": Run("rope", "tang"),
    **{f"kjv-tuned-{name}": on(name, **LONGER) for name in ("rope", "linear", "ntk", "yarn")},
    **{f"kjv-drope-{steps}": on("nope", steps) for steps in (100, 300)},  # the rotation is dropped
    **{f"compare-{name}": Run(name, steps=500, windows=32) for name in COMPARED},
}
