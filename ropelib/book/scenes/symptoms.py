"""Fourteen faults: how far each puts scores off at every position, and which are left once something was seen."""

import numpy as np

from ... import cos_sin, inverse_frequencies, mrope_axes, rotate, yarn
from .parts import speaker

HEAD, PAIRS, STEPS = 64, 32, 57  # positions 2**(0/4) to 2**(56/4), as in symptoms.js
SEEN = 0.25  # an error that shows
EYE = np.eye(HEAD)
READING = ("layout", "backwards", "base", "part", "scaling", "bfloat16", "float16", "table", "chunks")
FAULTS = (*READING, "zero", "twice", "stale", "blocks", "swapped")


def rounded(p, bits):
    """A whole number kept in so many significant bits, half to even."""
    step = 2.0 ** max(0, int(np.log2(max(p, 1))) + 1 - bits)
    return np.round(p / step) * step


def grown(length, head=HEAD):
    """Dynamic NTK's frequencies, four times 2,048."""
    return inverse_frequencies(head, 1e4 * max(1.0, 4 * length / 2048 - 3) ** (head / (head - 2)))


def turned(place, speeds, layout="half"):
    """What rotation makes of each channel alone: rows of (HEAD, HEAD)."""
    return rotate(EYE, *(np.repeat(table, HEAD, 0) for table in cos_sin(np.array([place]), speeds)), layout=layout)


def error(fault, p, prompt=32, last=4095, chunk=512, wide=32):
    """Scores of a query at p with a key at p // 2: root mean square of what is off, over that of the score."""
    n, own = p // 2, inverse_frequencies(HEAD)
    right = turned(p, own), turned(n, own)
    if fault == "layout":
        right = turned(p, own, "interleaved"), turned(n, own, "interleaved")
        wrong = turned(p, own), turned(n, own)
    elif fault == "backwards":
        wrong = turned(-p, own), turned(-n, own)
    elif fault == "base":
        other = inverse_frequencies(HEAD, 5e5)
        wrong = turned(p, other), turned(n, other)
    elif fault == "part":
        right, wrong = (turned(p, inverse_frequencies(HEAD // 2)), turned(n, inverse_frequencies(HEAD // 2))), right
    elif fault == "scaling":
        slow, _ = yarn(HEAD, factor=4, original_max_position_embeddings=4096)
        right, wrong = (turned(p, slow), turned(n, slow)), right
    elif fault in ("bfloat16", "float16"):
        bits = {"bfloat16": 8, "float16": 11}[fault]
        wrong = turned(rounded(p, bits), own), turned(rounded(n, bits), own)
    elif fault == "table":
        wrong = turned(min(p, last), own), turned(min(n, last), own)
    elif fault == "chunks":
        wrong = turned(p % chunk, own), turned(n % chunk, own)
    elif fault in ("zero", "twice"):
        at = {"zero": lambda i: i if i < prompt else 0, "twice": lambda i: i if i < prompt else i + prompt}[fault]
        wrong = turned(at(p), own), turned(at(n), own)
    elif fault == "stale":
        right = turned(p, grown(p + 1)), turned(n, grown(p + 1))
        wrong = turned(p, grown(p + 1)), turned(n, grown(n + 1))
    else:
        axes = mrope_axes([12, 10, 10], interleaved=True)
        other = np.repeat([0, 1, 2], [12, 10, 10]) if fault == "blocks" else np.array([0, 2, 1])[axes]
        place = {i: np.array([0, i // wide, i % wide]) for i in (p, n)}
        right, wrong = ([turned(1, place[i][each] * own) for i in (p, n)] for each in (axes, other))
    return float(np.linalg.norm(wrong[0] @ wrong[1].T - right[0] @ right[1].T) / HEAD**0.5)


def position(step):
    return int(2 ** (step / 4) + 0.5)


def around(fault, p):
    """The worse of a position and the next: what is exact at even ones is not at odd ones."""
    return max(error(fault, p), error(fault, p + 1))


def build():
    """Data, words for those who do not see it, and numbers of the scene.

    Raises
    ------
    ValueError
        If a fault would begin elsewhere than the scene's answers say.
    """
    first = {}
    for fault in FAULTS:
        shown = [position(step) for step in range(STEPS) if around(fault, position(step)) > SEEN]
        first[fault] = shown[0] if shown else None
    told = first["table"] == 4096 and first["chunks"] == 512 and first["zero"] == first["twice"] == 32
    if not (told and first["layout"] <= 2 and first["bfloat16"] < 512):
        raise ValueError(f"SEEN: at {SEEN} the faults begin at {first}, and the scene's answers would be false")
    slow, _ = yarn(HEAD, factor=4, original_max_position_embeddings=4096)
    speeds = {
        "own": inverse_frequencies(HEAD),
        "other": inverse_frequencies(HEAD, 5e5),
        "part": inverse_frequencies(HEAD // 2),
        "slow": slow,
    }
    alt = speaker("symptoms")(
        "Fourteen rows, a fault each: red begins where scores go wrong, the other layout at the second token, a table that "
        "ends at 4,096. A mark stands where trouble was first seen, and faults that do not fit are pale."
    )
    facts = "first wrong: " + ", ".join(f"{fault} {at}" for fault, at in first.items())
    return {name: [float(f"{v:.9g}") for v in each] for name, each in speeds.items()}, alt, facts
