"""A claim is run, or it is not made: one line of stable text for each that holds, a reason for each that does not."""

import numpy as np

from .labels import WORDS, t


def _said(words):
    """The book's words in the page's language, anybody else's as they are."""
    return t(words) if words in WORDS else words


def check(claim, value, *, below=None):
    """Print that a claim holds, or stop with what was found.

    Parameters
    ----------
    claim : str
        The claim. A label of the book comes in the notebook's language; any other words are printed as they are.
    value : bool, or number or array
        Whether the claim holds; with `below`, the error: its largest magnitude must stay under that bound.
    below : float, optional
        Bound on the error.

    Raises
    ------
    AssertionError
        If the claim does not hold. An error that is NaN does not hold.
    TypeError
        If `value` is not a bool and no bound is given: a number is no verdict.

    Examples
    --------
    >>> check("score", 1e-17, below=1e-12)
    ✓ score: |Δ| < 1e-12
    """
    if below is None:
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"value: got {type(value).__name__}, expected a bool, or an error with below=")
        if not value:
            raise AssertionError(f"✗ {_said(claim)}")
        print(f"✓ {_said(claim)}")
        return
    error = float(np.max(np.abs(value)))
    if not error < below:
        raise AssertionError(
            t(
                "✗ {claim}: |Δ| = {error}, expected below {below}",
                claim=_said(claim),
                error=f"{error:.6g}",
                below=f"{below:g}",
            )
        )
    print(t("✓ {claim}: |Δ| < {below}", claim=_said(claim), below=f"{below:g}"))


def grade(got, right, *, slips=(), below=1e-9, on=None):
    """Look at a reader's answer and print whether it is right, or which slip it looks like. Never an error.

    Parameters
    ----------
    got : number, array_like or callable
        The reader's answer; dots mean that there is none yet.
    right : number or array_like
        The right answer.
    slips : mapping of str to number or array_like, optional
        What known slips give, by the words that name them.
    below : float
        Largest absolute difference still taken as right.
    on : tuple, optional
        For an answer that is a function: what it is called with. Its result is compared with `right`.

    Examples
    --------
    >>> grade(20, 60, slips={"the sum": 22, "the product": 120})
    Not yet, and no slip we know: too small
    >>> grade(22, 60, slips={"the sum": 22, "the product": 120})
    Not yet. Your answer looks like this slip: the sum
    """
    print(_verdict(got, right, dict(slips), below, on))


def _verdict(got, right, slips, below, on):
    if on is not None and not _empty(got):
        if not callable(got):
            return t("Not yet: got {got}, expected a function", got=type(got).__name__)
        try:
            got = got(*on)
        except Exception as error:  # the reader's own function may stop in any way
            return t("Not yet: your function stopped. {error}", error=f"{type(error).__name__}: {error}")
    if _empty(got):
        return t("No answer yet: put yours in place of the dots")
    try:
        value = np.asarray(got)
    except ValueError:  # rows of different lengths
        return t("Not yet: the rows have different lengths")
    if value.dtype == object and any(_empty(x) for x in value.ravel()):
        return t("No answer yet: put yours in place of the dots")
    if value.dtype.kind not in "biufc":
        return t("Not yet: got {got}, expected numbers", got=type(got).__name__)
    if _same(value, right, below):
        return t("✓ Right")
    for slip, wrong in slips.items():
        if _same(value, wrong, below):
            return t("Not yet. Your answer looks like this slip: {slip}", slip=_said(slip))
    if value.shape != np.shape(right):
        return t("Not yet: the shape is {got}, expected {right}", got=value.shape, right=np.shape(right))
    return t("Not yet, and no slip we know: {where}", where=_where(value, np.asarray(right)))


def _empty(x):
    return x is None or x is Ellipsis


def _same(a, b, below):
    return a.shape == np.shape(b) and bool(np.all(np.abs(a - np.asarray(b) * 1.0) < below))


def _where(value, right):
    """Where an answer is off most and which way, without giving the right one away."""
    gap = value - right * 1.0
    size = np.where(np.isnan(gap), np.inf, np.abs(gap))
    place = np.unravel_index(np.argmax(size), gap.shape)
    if np.isnan(gap[place]):
        way = t("not a number")
    elif value.dtype.kind == "c":
        way = t("off")
    else:
        way = t("too large") if gap[place] > 0 else t("too small")
    return t("at {place} {way}", place=f"[{', '.join(map(str, place))}]", way=way) if place else way
