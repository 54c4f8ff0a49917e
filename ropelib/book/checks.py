"""A claim is run, or it is not made: one line of stable text for each that holds, a reason for each that does not."""

import numpy as np

from .labels import t


def check(claim, value, *, below=None):
    """Print that a claim holds, or stop with what was found.

    Parameters
    ----------
    claim : str
        The claim, a label of `ropelib.labels`.
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
            raise AssertionError(f"✗ {t(claim)}")
        print(f"✓ {t(claim)}")
        return
    error = float(np.max(np.abs(value)))
    if not error < below:
        raise AssertionError(
            t(
                "✗ {claim}: |Δ| = {error}, expected below {below}",
                claim=t(claim),
                error=f"{error:.6g}",
                below=f"{below:g}",
            )
        )
    print(t("✓ {claim}: |Δ| < {below}", claim=t(claim), below=f"{below:g}"))


def answer(got, want, *, mistakes=(), below=1e-9):
    """Look at a reader's answer to an exercise and say what is off, not only that it is.

    Parameters
    ----------
    got : array_like
        The reader's answer.
    want : array_like
        The right answer.
    mistakes : mapping of str to array_like, optional
        What a known slip would give, by the words that name it (labels of `ropelib.labels`).
    below : float
        Largest absolute difference still taken as right.

    Raises
    ------
    AssertionError
        With the reason: nothing given, another shape, one of the known slips, or where it differs most and by how much.
    """
    if got is None or got is Ellipsis:
        raise AssertionError(t("no answer yet: put yours in place of the dots"))
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        raise AssertionError(t("shape: got {got}, expected {want}", got=got.shape, want=want.shape))
    if got.dtype.kind not in "biufc":
        raise AssertionError(t("got {got}, expected numbers", got=got.dtype))
    gap = np.abs(got - want)
    if np.all(gap < below):
        print("✓")
        return
    for slip, value in dict(mistakes).items():
        if np.all(np.abs(got - np.asarray(value)) < below):
            raise AssertionError(t("this is what you get when: {slip}", slip=t(slip)))
    worst = np.unravel_index(np.argmax(np.where(np.isnan(gap), np.inf, gap)), gap.shape)
    place = f"[{', '.join(map(str, worst))}]" if worst else ""
    raise AssertionError(
        t(
            "off most at {place}: got {got}, expected a value that differs by {gap}",
            place=place or t("the number itself"),
            got=f"{got[worst]:.6g}",
            gap=f"{gap[worst]:.3g}",
        )
    )
