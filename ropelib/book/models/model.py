"""A trained transformer of two layers, short enough to be read, in which everything about position can be changed."""

from typing import NamedTuple

import numpy as np

from ..._arguments import WrongType, finite, number, real, whole
from ...rotation import rotate
from .plan import plan

LONGEST = 2048  # characters; attention's memory grows with their square
BLOCK = 2**21  # scores computed at once: 8 MiB


class Trace(NamedTuple):
    """What a run leaves behind.

    Attributes
    ----------
    logits : ndarray, shape (B, T, characters), float32
    q, k : ndarray, shape (layers, B, H, T, D), float32
        Before rotation.
    attention : ndarray, shape (layers, B, H, T, T), float32
    """

    logits: np.ndarray
    q: np.ndarray
    k: np.ndarray
    attention: np.ndarray

    def profile(self, distances):
        """Mean attention that each head gives to each distance, shape (layers, H, distances), float64.

        Only queries that see them all take part: those from position distances - 1 on.
        """
        if whole(distances, "distances") > (length := self.attention.shape[-1]):
            raise ValueError(f"distances must be at most the {length} characters of the text, got {distances}")
        late = self.attention[..., distances - 1 :, :].astype(np.float64)
        rows = np.arange(late.shape[-2])
        return np.stack([late[..., rows, rows + distances - 1 - d].mean((1, -1)) for d in range(distances)], axis=-1)


class Model:
    """A trained model. Made by `load`.

    Parameters
    ----------
    weights : dict of ndarray
        embedding (characters, W); for each layer query, key, value, output (layers, W, W), up (layers, W, F), down
        (layers, F, W), norm_attention, norm_mlp (layers, W); norm (W,). Matrices multiply from the right: x @ query[0].
    characters : str
        The characters in the order of their numbers.
    heads : int
        H, each of D = W / H channels.
    inv_freq : array_like, shape (P,)
        Radians per position, as trained.
    length : int
        Characters of the windows it was trained on.
    heldout : ndarray of int, shape (rows, T)
        Text that it never saw.
    layout : {"interleaved", "half"}
        As trained.
    window : int, optional
        Sliding window that it was trained with.
    """

    def __init__(self, weights, characters, heads, inv_freq, length, heldout, layout="half", window=None):
        self.weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}
        self.characters, self.heads, self.length, self.layout, self.window = characters, heads, length, layout, window
        self.inv_freq = finite(inv_freq, "inv_freq")
        self.heldout = heldout.astype(np.intp)
        self.layers, self.width = self.weights["query"].shape[:2]
        self._number = {character: i for i, character in enumerate(characters)}
        for array in (self.inv_freq, self.heldout, *self.weights.values()):
            array.flags.writeable = False  # `load` hands the same model to everyone

    def encode(self, text):
        """The number of each character, shape (T,).

        Raises ValueError, with the characters, if some never occurred in training.
        """
        if not isinstance(text, str):
            raise WrongType(f"text must be a string, got {type(text).__name__}")
        if unknown := "".join(dict.fromkeys(c for c in text if c not in self._number)):
            known = f"use only the {len(self.characters):,} in model.characters"
            raise ValueError(f"text holds characters that the model was not trained on, {unknown!r}: {known}")
        return np.array([self._number[c] for c in text], np.intp)

    def decode(self, x):
        """The text of an array of numbers of shape (T,)."""
        return "".join(self.characters[i] for i in np.asarray(x))

    def __call__(self, x, *, last=None, **how):
        """Logits of what comes after each character.

        Parameters
        ----------
        x : str, or array_like of int, shape (T,) or (B, T)
            Up to 2048 characters.
        last : int, optional
            Only those of the last characters.
        **how
            What is changed about position: the arguments of `plan`.

        Returns
        -------
        ndarray, shape (B, T or last, characters), float32

        Raises
        ------
        TypeError, ValueError
            If an argument is not what it should be.
        """
        x = self._tokens(x)
        start = 0 if last is None else max(0, x.shape[1] - whole(last, "last"))
        how = plan(self, x.shape[1], **how)
        rows = max(1, BLOCK // (self.heads * x.shape[1] ** 2))
        return np.concatenate([self._run(x[i : i + rows], how, start) for i in range(0, len(x), rows)])

    def trace(self, x, **how):
        """A run with its queries, keys and attention: arguments of `model(...)` without `last`, returns a `Trace`."""
        x, seen = self._tokens(x), []
        logits = self._run(x, plan(self, x.shape[1], **how), seen=seen)
        return Trace(logits, *(np.stack(layers) for layers in zip(*seen, strict=True)))

    def loss(self, x, *, last=None, **how):
        """How surprised the model is by each character after the first.

        Parameters
        ----------
        x : str, or array_like of int, shape (T + 1,) or (B, T + 1)
            The last character is only predicted.
        last : int, optional
            Only the last ones.
        **how
            The arguments of `plan`.

        Returns
        -------
        ndarray, shape (B, T or last), float64
            Nats. Guessing evenly costs ln(characters).
        """
        x = self._tokens(x, least=2)
        logits = self(x[:, :-1], last=last, **how).astype(np.float64)
        right = np.take_along_axis(logits, x[:, -logits.shape[1] :, None], -1)[..., 0]
        top = logits.max(-1)
        return top + np.log(np.exp(logits - top[..., None]).sum(-1)) - right

    def loss_at(self, length, *, last=32, rows=None, **how):
        """Mean loss of the last characters of held-out windows of a length.

        Whatever the length, the same characters are predicted: only how much stands before them differs.

        Parameters
        ----------
        length : int
            Characters read.
        last : int
            Characters predicted in each row.
        rows : int, optional
            Held-out rows, all of them if not given.
        **how
            The arguments of `plan`.

        Returns
        -------
        float
            Nats a character.
        """
        if whole(length, "length") >= self.heldout.shape[1]:
            raise ValueError(f"length must be less than the {self.heldout.shape[1]} characters of a held-out row, got {length}")
        return float(self.loss(self.heldout[:rows, -length - 1 :], last=last, **how).mean())

    def write(self, start="\n", *, length=48, rows=8, temperature=0.8, seed=0, **how):
        """Texts that the model writes, character by character.

        Parameters
        ----------
        start : str
            What each begins with; "\\n" is the end of the text before.
        length : int
            Characters to be written.
        rows : int
            Texts.
        temperature : float
            Greater than 0; below 1 likely characters are preferred.
        seed : int
            Of the draws.
        **how
            The arguments of `plan`; T is len(start) + length - 1.

        Returns
        -------
        list of str
            Without `start`.
        """
        x = np.tile(self._tokens(start), (whole(rows, "rows"), 1))
        began, temperature, random = x.shape[1], number(temperature, "temperature", above=0), np.random.default_rng(seed)
        longest = began + whole(length, "length") - 1
        how = plan(self, longest, **how)
        for now in range(began, longest + 1):
            logits = self._run(x, how.first(now), start=now - 1)[:, 0]
            draw = np.argmax(logits / temperature + random.gumbel(size=logits.shape), axis=-1)  # as likely as softmax says
            x = np.hstack([x, draw[:, None]])
        return [self.decode(row[began:]) for row in x]

    def _tokens(self, x, least=1):
        x = self.encode(x) if isinstance(x, str) else real(x, "x")
        if x.dtype.kind not in "iu" or x.ndim not in (1, 2):
            raise WrongType(f"x must be a string or integers of shape (T,) or (B, T), got {x.dtype} of shape {x.shape}")
        if not least <= x.shape[-1] <= LONGEST or not x.size:
            part = f"; take a part: x[..., :{LONGEST}]" if x.shape[-1] > LONGEST else ""
            raise ValueError(f"x must have {least} to {LONGEST} characters in one row or more, got shape {x.shape}{part}")
        if x.min() < 0 or x.max() >= len(self.characters):
            raise ValueError(f"x must hold numbers from 0 to {len(self.characters) - 1}, got {x.min()} to {x.max()}")
        return x.reshape(-1, x.shape[-1]).astype(np.intp)

    def _run(self, x, how, start=0, seen=None):
        """The model: embeddings, two layers of attention and feed-forward, logits of the characters from `start` on."""
        w, (batch, length) = self.weights, x.shape
        stream = w["embedding"][x]
        for layer in range(self.layers):
            h = norm(stream, w["norm_attention"][layer])
            q, k, v = (
                (h @ w[name][layer]).reshape(batch, length, self.heads, -1).swapaxes(1, 2) for name in ("query", "key", "value")
            )
            rows = slice(start if layer == self.layers - 1 else 0, None)  # after the last layer nobody needs the others
            attention = attend(q * how.keep[layer], k, how, rows, layer)
            if seen is not None:
                seen.append((q, k, attention))
            mixed = (attention @ v).swapaxes(1, 2).reshape(batch, -1, self.width)
            stream = stream[:, rows] + mixed @ w["output"][layer]
            h = norm(stream, w["norm_mlp"][layer])
            stream = stream + gelu(h @ w["up"][layer]) @ w["down"][layer]
        return norm(stream, w["norm"]) @ w["embedding"].T


def attend(q, k, how, rows, layer):
    """Attention of the queries in `rows`, shape (B, H, rows, T)."""

    def scores(sides):
        (q_cos, q_sin), (k_cos, k_sin) = sides
        turned = rotate(q[..., rows, :], q_cos[rows], q_sin[rows], layout=how.layout) * np.float32(q.shape[-1] ** -0.5)
        return turned @ rotate(k, k_cos, k_sin, layout=how.layout).swapaxes(-1, -2)

    met = scores(how.near)
    if how.far is not None:
        met = np.where(how.is_near[rows], met, scores(how.far))
    if how.bias is not None:
        met = met + how.bias[layer][:, rows]
    np.copyto(met, np.float32(-np.inf), where=~how.seen[rows])
    return weigh(met)


def weigh(scores):
    """softmax, in the place of the scores: every query sees a key, itself at least."""
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


def norm(x, weight):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + np.float32(1e-5)) * weight


def gelu(x):
    return x * (np.tanh(np.float32((2 / np.pi) ** 0.5) * (x + np.float32(0.044715) * x * x * x)) + 1) / 2
