"""Checks of arguments: every message names the argument, what it got and what it expects."""

import math
import numbers
import operator

import numpy as np

LAYOUTS = ("interleaved", "half")
EXACT = 2**53  # float64 tells every integer up to here from its neighbours


class WrongType(TypeError, ValueError):
    """An argument of the wrong type: also a ValueError, so that one `except ValueError` catches every bad argument."""


def whole(value, name, minimum=1):
    """`value` as an int of at least `minimum`."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        value = operator.index(value)
    except TypeError:
        raise WrongType(f"{name} must be an integer, got {value!r}") from None
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return value


def even(value, name, minimum=2):
    """`value` as an even int of at least `minimum`: channels rotate in pairs."""
    value = whole(value, name, minimum)
    if value % 2:
        raise ValueError(f"{name} must be even, got {value}: channels rotate in pairs")
    return value


def number(value, name, *, above=None, least=None):
    """`value` as a finite float, greater than `above`, not less than `least`."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise WrongType(f"{name} must be a number, got {value!r}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise ValueError(f"{name} must be finite, got {value!r}")
    if above is not None and not result > above:
        raise ValueError(f"{name} must be greater than {above:g}, got {value!r}")
    if least is not None and not result >= least:
        raise ValueError(f"{name} must be at least {least:g}, got {value!r}")
    return result


def flag(value, name):
    """`value` as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise WrongType(f"{name} must be True or False, got {value!r}")
    return bool(value)


def choice(value, name, known):
    """`value`, if it is one of the strings in `known`."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def plain(value, name):
    """`value` as an array."""
    if isinstance(value, np.ma.MaskedArray):
        raise WrongType(f"{name} must be a plain array, got a masked array, whose mask would be lost")
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array, got rows of different lengths") from None


def real(value, name):
    """`value` as an array of real numbers in its own dtype."""
    array = plain(value, name)
    if array.size == 0 and not isinstance(value, np.ndarray):
        array = array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        raise WrongType(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array


def floating(value, name):
    """`value` as an array of floats: integers become float64, exactly or not at all."""
    array = real(value, name)
    return array if array.dtype.kind == "f" else _float64(array, name)


def _float64(array, name):
    if array.dtype not in (np.float64, np.float32) and array.size and not -EXACT <= array.min() <= array.max() <= EXACT:
        if np.isfinite(array).all():
            raise ValueError(f"{name} holds numbers beyond 2**53, which float64 cannot tell apart")
    return array.astype(np.float64, copy=False)


def finite(value, name):
    """`value` as a float64 array without NaN or infinity."""
    array = _float64(real(value, name), name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def axis(value, name, ndim):
    """`value` as an index from 0 into `ndim` axes."""
    index = whole(value, name, -ndim)
    if index >= ndim:
        raise ValueError(f"{name} must be less than {ndim} for an array of {ndim} axes, got {value}")
    return index % ndim
