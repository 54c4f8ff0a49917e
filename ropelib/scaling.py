"""Ways to reach past the trained length: each returns inverse frequencies and the factor on cos and sin."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import Floats, even, finite, flag, number
from .frequencies import inverse_frequencies, wavelengths

Scaled = tuple[Floats, float]  # inverse frequencies, and the factor on cos and sin


def linear(rotary_dim: int, base: float = 10_000.0, *, factor: float) -> Scaled:
    """Position interpolation: every position, and so every frequency, divided by `factor`.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    base : float
        Greater than 1.
    factor : float
        At least 1: new length over trained length.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float
        1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Chen et al., "Extending Context Window of Large Language Models via Positional Interpolation", 2023.

    Examples
    --------
    >>> linear(4, factor=4)
    (array([0.25  , 0.0025]), 1.0)
    """
    return inverse_frequencies(rotary_dim, base) / number(factor, "factor", least=1), 1.0


def ntk(rotary_dim: int, base: float = 10_000.0, *, factor: float) -> Scaled:
    """NTK-aware scaling: the base times factor ** (R / (R - 2)), so that only the slowest pair is fully divided.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Even, at least 4: with one pair there is nothing to spread.
    base : float
        Greater than 1.
    factor : float
        At least 1.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float
        1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    bloc97, "NTK-Aware Scaled RoPE", 2023; Peng et al., "YaRN", 2023, definition 1.

    Examples
    --------
    >>> ntk(4, factor=4)[0]
    array([1.    , 0.0025])
    """
    rotary_dim, base = even(rotary_dim, "rotary_dim"), number(base, "base", above=1)
    if rotary_dim == 2:
        raise ValueError("rotary_dim must be at least 4 for NTK scaling, whose exponent is R / (R - 2), got 2")
    return inverse_frequencies(rotary_dim, base * number(factor, "factor", least=1) ** (rotary_dim / (rotary_dim - 2))), 1.0


def dynamic_ntk(
    rotary_dim: int,
    base: float = 10_000.0,
    *,
    factor: float,
    seq_len: float,
    max_position_embeddings: float,
    stepwise: bool = False,
) -> Scaled:
    """Dynamic NTK: NTK-aware scaling by the length of the sequence at hand, and none up to the trained length.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Even, at least 4.
    base : float
        Greater than 1.
    factor : float
        At least 1. The base is scaled by alpha = factor * L / L0 - (factor - 1), where L = max(seq_len, L0).
    seq_len : float
        Length of this sequence: its largest position + 1.
    max_position_embeddings : float
        Trained length L0, greater than 0.
    stepwise : bool
        Qwen's first models: alpha = 2 ** ceil(log2(L / L0) + 1) - 1, in steps; `factor` plays no part.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float
        1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    Notes
    -----
    The frequencies change as the sequence grows: keys that were rotated earlier must be rotated anew.

    References
    ----------
    emozilla, "Dynamically Scaled RoPE", 2023; Bai et al., "Qwen Technical Report", 2023, and its `modeling_qwen.py`.

    Examples
    --------
    >>> dynamic_ntk(128, factor=4, seq_len=8192, max_position_embeddings=2048)[0][-1].round(12)
    np.float64(8.882938e-06)
    """
    trained = number(max_position_embeddings, "max_position_embeddings", above=0)
    factor, ratio = number(factor, "factor", least=1), max(number(seq_len, "seq_len") / trained, 1.0)
    alpha = 2 ** math.ceil(math.log2(ratio) + 1) - 1 if flag(stepwise, "stepwise") else factor * ratio - (factor - 1)
    return ntk(rotary_dim, base, factor=alpha)


def yarn(
    rotary_dim: int,
    base: float = 10_000.0,
    *,
    factor: float,
    original_max_position_embeddings: float,
    beta_fast: float = 32,
    beta_slow: float = 1,
    truncate: bool = True,
    attention_factor: float | None = None,
    mscale: float | None = None,
    mscale_all_dim: float | None = None,
) -> Scaled:
    """YaRN: pairs with many turns in the trained length stay, pairs with few are divided, a ramp lies between.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    base : float
        Greater than 1.
    factor : float
        At least 1.
    original_max_position_embeddings : float
        Trained length L, greater than 0.
    beta_fast, beta_slow : float
        Turns in L at which the ramp begins and ends; beta_fast >= beta_slow > 0.
    truncate : bool
        Round the ramp's ends outward to whole pairs.
    attention_factor : float, optional
        Used as it is if given, greater than 0.
    mscale, mscale_all_dim : float, optional
        If one is given: attention_factor = m(mscale) / m(mscale_all_dim), m(c) = 0.1 c ln(factor) + 1, with
        DeepSeek's 1 and 0 for the one that is not. Without them 0.1 ln(factor) + 1.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range, or beta_fast < beta_slow.

    Notes
    -----
    The ramp is that of the published code, linear in the index of the pair; the paper's is linear in turns. Ends that
    meet or cross make a step.

    References
    ----------
    Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023, and its code; DeepSeek-AI,
    `modeling_deepseek.py`, for the pair of mscales.

    Examples
    --------
    >>> inv_freq, attention_factor = yarn(128, 1e6, factor=4, original_max_position_embeddings=32768)
    >>> round(attention_factor, 4)
    1.1386
    """
    inv_freq, base = inverse_frequencies(rotary_dim, base), float(base)
    factor = number(factor, "factor", least=1)
    trained = number(original_max_position_embeddings, "original_max_position_embeddings", above=0)
    fast, slow = number(beta_fast, "beta_fast", above=0), number(beta_slow, "beta_slow", above=0)
    if fast < slow:
        raise ValueError(f"beta_fast must not be less than beta_slow, got {beta_fast!r} and {beta_slow!r}")

    low, high = (rotary_dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (fast, slow))
    if flag(truncate, "truncate"):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, rotary_dim - 1)
    pair = np.arange(rotary_dim // 2)
    ramp = np.clip((pair - low) / (high - low), 0, 1) if high > low else (pair > high) * 1.0

    if attention_factor is not None:
        attention = number(attention_factor, "attention_factor", above=0)
    else:
        above = temperature(factor, 1.0 if mscale is None else mscale)
        below = temperature(factor, 0.0 if mscale_all_dim is None else number(mscale_all_dim, "mscale_all_dim", least=0))
        attention = above / below
    return inv_freq / factor * ramp + inv_freq * (1 - ramp), attention


def temperature(factor: float, mscale: float = 1.0) -> float:
    """YaRN's factor on queries and on keys: 0.1 mscale ln(factor) + 1.

    Parameters
    ----------
    factor : float
        At least 1.
    mscale : float
        At least 0.

    Returns
    -------
    float
        Its square is a factor on the scores. DeepSeek puts it there: 0.1 mscale_all_dim ln(factor) + 1, squared.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Peng et al., "YaRN", 2023, equation 22.

    Examples
    --------
    >>> round(temperature(40) ** 2, 6)
    1.873854
    """
    return 0.1 * number(mscale, "mscale", least=0) * math.log(number(factor, "factor", least=1)) + 1.0


def longrope(
    rotary_dim: int,
    base: float = 10_000.0,
    *,
    short_factor: ArrayLike,
    long_factor: ArrayLike,
    original_max_position_embeddings: float,
    seq_len: float | None = None,
    factor: float | None = None,
    attention_factor: float | None = None,
) -> Scaled:
    """LongRoPE: a divisor found by search for every pair, one list up to the trained length and one beyond.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    base : float
        Greater than 1.
    short_factor, long_factor : array_like, shape (R/2,)
        Greater than 0.
    original_max_position_embeddings : float
        Trained length L, greater than 1.
    seq_len : float, optional
        Length of this sequence, its largest position + 1. The long list serves all of it if it is greater than L.
    factor : float, optional
        Extended length over L, greater than 0; needed unless `attention_factor` is given.
    attention_factor : float, optional
        Used as it is if given, greater than 0; else sqrt(1 + ln(factor) / ln(L)), or 1 for a factor of 1 or less. The same
        on both sides of L.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range, or a list has not R/2 entries.

    References
    ----------
    Ding et al., "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024; `modeling_phi3.py`.

    Examples
    --------
    >>> lists = {"short_factor": [1, 1], "long_factor": [1, 32], "factor": 32}
    >>> longrope(4, original_max_position_embeddings=4096, seq_len=4097, **lists)
    (array([1.000e+00, 3.125e-04]), 1.1902380714238083)
    """
    inv_freq = inverse_frequencies(rotary_dim, base)
    trained = number(original_max_position_embeddings, "original_max_position_embeddings", above=1)
    lists = {}
    for name, values in (("short_factor", short_factor), ("long_factor", long_factor)):
        lists[name] = finite(values, name)
        if lists[name].shape != inv_freq.shape:
            raise ValueError(f"{name} must have one entry a pair, {len(inv_freq)}, got shape {lists[name].shape}")
        if not (lists[name] > 0).all():
            raise ValueError(f"{name} must be greater than 0, got {lists[name].min():g}")
    if attention_factor is not None:
        attention = number(attention_factor, "attention_factor", above=0)
    elif factor is None:
        raise ValueError("factor must be given when attention_factor is not, got None")
    else:
        attention = longrope_temperature(factor, trained)
    beyond = seq_len is not None and number(seq_len, "seq_len") > trained
    return inv_freq / lists["long_factor" if beyond else "short_factor"], attention


def longrope_temperature(factor: float, original_max_position_embeddings: float) -> float:
    """LongRoPE's factor on queries and on keys: sqrt(1 + ln(factor) / ln(L)).

    Parameters
    ----------
    factor : float
        Extended length over L, greater than 0; 1 or less gives 1.
    original_max_position_embeddings : float
        Trained length L, greater than 1.

    Returns
    -------
    float
        Its square, a factor on the scores, is the logarithm of the extended length over that of L.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Ding et al., "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024; `modeling_phi3.py`.

    Examples
    --------
    >>> round(longrope_temperature(32, 4096), 4)
    1.1902
    """
    trained = number(original_max_position_embeddings, "original_max_position_embeddings", above=1)
    return math.sqrt(1 + max(math.log(number(factor, "factor", above=0)), 0) / math.log(trained))


def llama3(
    rotary_dim: int,
    base: float = 500_000.0,
    *,
    factor: float,
    original_max_position_embeddings: float,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    step: bool = False,
) -> Scaled:
    """Llama 3: short wavelengths stay, long ones are divided, those between are blended.

    Parameters
    ----------
    rotary_dim : int
        Channels that rotate, R. Positive and even.
    base : float
        Greater than 1.
    factor : float
        At least 1.
    original_max_position_embeddings : float
        Trained length L, greater than 0.
    low_freq_factor, high_freq_factor : float
        Wavelengths above L / low_freq_factor are divided, those below L / high_freq_factor stay;
        high_freq_factor > low_freq_factor > 0.
    step : bool
        Allow the two to be equal: nothing is blended. Llama 4 Scout is published so.

    Returns
    -------
    inv_freq : ndarray, shape (R/2,), float64
    attention_factor : float
        1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range, or high_freq_factor <= low_freq_factor.

    References
    ----------
    Llama Team, "The Llama 3 Herd of Models", 2024; `apply_scaling` in Meta's llama-models.

    Examples
    --------
    >>> inv_freq, _ = llama3(64, factor=32, original_max_position_embeddings=8192)
    >>> (inv_freq / inverse_frequencies(64, 5e5))[[14, 16, 18]].round(4)
    array([1.    , 0.3037, 0.0312])
    """
    inv_freq, factor = inverse_frequencies(rotary_dim, base), number(factor, "factor", least=1)
    trained = number(original_max_position_embeddings, "original_max_position_embeddings", above=0)
    low = number(low_freq_factor, "low_freq_factor", above=0)
    high = number(high_freq_factor, "high_freq_factor", above=0)
    if high < low or (high == low and not flag(step, "step")):
        raise ValueError(f"high_freq_factor must be greater than low_freq_factor, got {high:g} and {low:g}")
    turns = trained / wavelengths(inv_freq)
    keep = np.clip((turns - low) / (high - low), 0, 1) if high > low else (turns >= high) * 1.0
    return keep * inv_freq + (1 - keep) * inv_freq / factor, 1.0


def proportional(head_dim: int, base: float = 10_000.0, *, partial_rotary_factor: float = 1.0, factor: float = 1.0) -> Scaled:
    """Proportional rotary: pairs span the whole head, but only the fastest part of them turns.

    Unlike partial rotary, the exponent's denominator stays the head's width and the pairs that do not turn have
    frequency 0.

    Parameters
    ----------
    head_dim : int
        Channels of a head, D. Positive and even.
    base : float
        Greater than 1.
    partial_rotary_factor : float
        Part of the pairs that turn, 0 to 1.
    factor : float
        At least 1: divides the frequencies.

    Returns
    -------
    inv_freq : ndarray, shape (D/2,), float64
    attention_factor : float
        1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Hugging Face transformers 5, `modeling_rope_utils.py`: the global layers of Gemma 4.

    Examples
    --------
    >>> proportional(8, partial_rotary_factor=0.5)[0]
    array([1. , 0.1, 0. , 0. ])
    """
    inv_freq = inverse_frequencies(even(head_dim, "head_dim"), base)
    part = fraction(partial_rotary_factor, "partial_rotary_factor")
    inv_freq[channels(head_dim, part) // 2 :] = 0
    return inv_freq / number(factor, "factor", least=1), 1.0


def stepped_query_factor(positions: ArrayLike, *, length: float, beta: float = 0.1, first: float = 0) -> Floats:
    """A factor on queries that grows with each `length` positions: 1 + beta ln(1 + floor((position + first) / length)).

    Parameters
    ----------
    positions : array_like, shape (*B,)
        At least 0.
    length : float
        Greater than 0.
    beta : float
        At least 0.
    first : float
        What the first position counts as: 1 in Llama 4's layers without rotation, 0 in Ministral 3. At least 0.

    Returns
    -------
    ndarray, shape (*B,), float64

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Meta, Llama 4, `attn_temperature_tuning`; Nakanishi, "Scalable-Softmax Is Superior for Attention", 2025; Mistral AI,
    Ministral 3, `llama_4_scaling_beta`.

    Examples
    --------
    >>> stepped_query_factor([8190, 8191, 16383], length=8192, first=1).round(4)
    array([1.    , 1.0693, 1.1099])
    """
    beta, first = number(beta, "beta", least=0), number(first, "first", least=0)
    times = np.floor((forward(positions) + first) / number(length, "length", above=0))
    return np.asarray(1 + beta * np.log1p(times))


def logn_query_factor(positions: ArrayLike, *, length: float) -> Floats:
    """A factor on queries past the trained length: the logarithm of position + 1 to the base `length`, at least 1.

    Parameters
    ----------
    positions : array_like, shape (*B,)
        At least 0.
    length : float
        Trained length, greater than 1.

    Returns
    -------
    ndarray, shape (*B,), float64

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number or out of its range.

    References
    ----------
    Su, "The entropy invariance of attention and its scale", 2021; Qwen's first models, `use_logn_attn`.

    Examples
    --------
    >>> logn_query_factor([0, 2047, 4194303], length=2048)
    array([1., 1., 2.])
    """
    factor: Floats = np.maximum(np.log1p(forward(positions)) / math.log(number(length, "length", above=1)), 1)
    return factor


def forward(positions: ArrayLike) -> Floats:
    """Positions that a factor on queries is defined for."""
    positions = finite(positions, "positions")
    if positions.min(initial=0) < 0:
        raise ValueError(f"positions must be at least 0 for a factor on queries, got {positions.min():g}")
    return positions


def fraction(value: float, name: str) -> float:
    """`value` as a number from 0 to 1."""
    value = number(value, name, least=0)
    if value > 1:
        raise ValueError(f"{name} must be at most 1, got {value:g}")
    return value


def channels(head_dim: int, part: float) -> int:
    """Whole channels in a part of a head, rounded down, but not because of float64's own rounding."""
    return int(head_dim * part + 1e-9)
