"""What the poems' model writes when its rotation is changed: it counts the characters of a verse by angles."""

from functools import lru_cache

import numpy as np

from ...scaling import linear, ntk, yarn
from ..models import experiments, load
from .parts import speaker

FACTORS = (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5)
STARTS = (0, 10, 100, 1000, 10_000, 100_000, 1_000_000)
ROWS, LENGTH = 6, 42  # poems, and characters of each
COLUMNS = 16  # verses as long and longer are counted together
ASKED, MOVED = FACTORS.index(2.0), STARTS.index(1000)
METRE = (5, 7)


def divided(how, times, head, trained):
    """Arguments of `Model` that stretch its rotation."""
    if how == "linear":
        return experiments.frequencies(linear(head, factor=times))
    if how == "ntk":
        return experiments.frequencies(ntk(head, factor=times))
    return experiments.frequencies(yarn(head, factor=times, original_max_position_embeddings=trained))


@lru_cache(maxsize=4)
def written(model, seed):
    """What the model writes in each way, [(arguments, texts), ...] a way; stretched, one for each factor."""

    def write(**how):
        return how, tuple(model.write(rows=ROWS, length=LENGTH, seed=seed, **how))

    own, head = model.inv_freq, 2 * len(model.inv_freq)
    as_trained, fast = write(), np.arange(len(own)) < 2
    ways = {
        how: [as_trained, *(write(**divided(how, times, head, model.length)) for times in FACTORS[1:])]
        for how in ("linear", "ntk", "yarn")
    }
    other = "interleaved" if model.layout == "half" else "half"
    ways |= {"layout": [write(layout=other)], "none": [write(inv_freq=0 * own)]}
    return ways | {"fast": [write(inv_freq=own / np.where(fast, 2, 1))], "others": [write(inv_freq=own / np.where(fast, 1, 2))]}


def draws(model, seed):
    """The chance in `Model.write`, all at once: shape (ROWS, LENGTH, characters)."""
    random = np.random.default_rng(seed)
    return np.stack([random.gumbel(size=(ROWS, len(model.characters))) for _ in range(LENGTH)], axis=1)


def same_from(model, how, texts, chance, start):
    """Whether the same is written when counting starts elsewhere: each character is drawn again, after those before it."""
    numbers = np.stack([model.encode("\n" + text) for text in texts])
    logits = model(numbers[:, :-1], positions=start + np.arange(LENGTH), **how)
    return np.array_equal(np.argmax(logits / 0.8 + chance, axis=-1), numbers[:, 1:])


def counted(texts):
    """Verses by length, 0 to COLUMNS."""
    return np.bincount(np.minimum(experiments.verse_lengths(texts), COLUMNS), minlength=COLUMNS + 1)


def build(model=None, seed=0):
    """Data, words for those who do not see it, and numbers of the scene.

    Parameters
    ----------
    model : Model, optional
        Writes poems; the book's own, ``load("tang")``, when not given.
    seed : int
        Of what is drawn.

    Raises
    ------
    ValueError
        If the model does not write what the scene says: verses of five or seven characters, the same from any start, twice as
        long with positions divided by 2, as before under NTK, and hardly any in the other layout; or if it is not the two
        fastest pairs that count them.
    """
    model = load("tang") if model is None else model
    ways = written(model, seed)
    counts = {how: [counted(texts) for _, texts in each] for how, each in ways.items()}
    metre = {how: [c[list(METRE)].sum() / max(1, c.sum()) for c in each] for how, each in counts.items()}
    doubled = {how: [c[9:11].sum() / max(1, c.sum()) for c in each] for how, each in counts.items()}

    def expect(truth, got, wanted):
        if not truth:
            raise ValueError(f"model: got {got}, expected {wanted}: the scene says so")

    fives, tens, fast = "nine of ten with five or seven", "half of them with nine or ten", "the two fastest pairs to count"
    expect(metre["linear"][0] > 0.9, f"{metre['linear'][0]:.0%} of verses in metre as trained", fives)
    expect(doubled["linear"][ASKED] >= 0.5, f"{doubled['linear'][ASKED]:.0%} with positions divided by 2", tens)
    expect(metre["ntk"][ASKED] > 0.9, f"{metre['ntk'][ASKED]:.0%} of verses in metre under NTK by 2", fives)
    expect(doubled["fast"][0] >= 0.5, f"{doubled['fast'][0]:.0%} with nine or ten, two pairs halved", fast)
    expect(metre["others"][0] > 0.8, f"{metre['others'][0]:.0%} of verses in metre, all but two pairs halved", fast)
    ended = {how: int(each[0].sum()) for how, each in counts.items()}
    expect(ended["layout"] < ended["linear"] / 2, f"{ended['layout']} verses in the other layout", "hardly any")
    chance = draws(model, seed)
    moved = [(how, i, STARTS[-1]) for how, each in ways.items() for i in range(len(each))]
    for how, i, start in moved + [("linear", 0, start) for start in STARTS]:
        expect(same_from(model, *ways[how][i], chance, start), f"other poems from {start:,} on", "the same")

    own = model.inv_freq
    shown = ("linear", "ntk", "yarn", "layout", "none")
    pairs = {how: [[float(own[i] / args.get("inv_freq", own)[i]) for i in (0, -1)] for args, _ in ways[how]] for how in shown[:3]}
    data = {
        "factors": FACTORS, "starts": STARTS, "asked": ASKED, "moved": MOVED, "metre": METRE, "poems": ROWS,
        "texts": {how: [texts[0] for _, texts in ways[how]] for how in shown},
        "counts": {how: [c.tolist() for c in counts[how]] for how in shown},
        "divided": pairs,
    }  # fmt: skip
    facts = (
        f"of five or seven: as trained {metre['linear'][0]:.2f}, NTK by 2 {metre['ntk'][ASKED]:.2f}, all but two pairs halved "
        f"{metre['others'][0]:.2f}; of nine or ten: positions divided by 2 {doubled['linear'][ASKED]:.2f}, the two fastest pairs "
        f"halved {doubled['fast'][0]:.2f}; "
        f"verses ended {ended['linear']}, other layout {ended['layout']}, no rotation {ended['none']}"
    )
    alt = speaker("verse")(
        "A poem, a verse a row, under a ruler of characters and two rulers of what the fastest and the slowest pair of "
        "channels make of them; all verses end below 5 or 7. Above, bars of how long the verses of {n} poems are, nearly all "
        "five or seven.",
        n=ROWS,
    )
    return data, alt, facts
