"""Checks of arguments: every message names the argument, what it got and what it expects."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Layout = Literal["interleaved", "half"]
Name = TypeVar("Name", bound=str)

LAYOUTS: tuple[Layout, ...] = ("interleaved", "half")
EXACT = 2**53  # float64 tells every integer up to here from its neighbours


class WrongType(TypeError, ValueError):
    """An argument of the wrong type: also a ValueError, so that one `except ValueError` catches every bad argument."""


def whole(value: Any, name: str, minimum: int = 1) -> int:
    """`value` as an int of at least `minimum`."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        value = operator.index(value)
    except TypeError:
        raise WrongType(f"{name} must be an integer, got {value!r}") from None
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def even(value: Any, name: str, minimum: int = 2) -> int:
    """`value` as an even int of at least `minimum`: channels rotate in pairs."""
    value = whole(value, name, minimum)
    if value % 2:
        raise ValueError(f"{name} must be even, got {value}: channels rotate in pairs")
    return value


def number(value: Any, name: str, *, above: float | None = None, least: float | None = None) -> float:
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


def flag(value: Any, name: str) -> bool:
    """`value` as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise WrongType(f"{name} must be True or False, got {value!r}")
    return bool(value)


def choice(value: Any, name: str, known: Sequence[Name]) -> Name:
    """`value`, if it is one of the strings in `known`."""
    for each in known:
        if isinstance(value, str) and value == each:
            return each
    raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")


def plain(value: Any, name: str) -> Array:
    """`value` as an array. A torch tensor may have a gradient, lie on a device, or hold a type that NumPy has not."""
    if isinstance(value, np.ma.MaskedArray):
        raise WrongType(f"{name} must be a plain array, got a masked array, whose mask would be lost")
    try:
        return np.asarray(_from_torch(value) if type(value).__module__.partition(".")[0] == "torch" else value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array, got rows of different lengths") from None
    except (TypeError, RuntimeError, NotImplementedError) as error:
        raise WrongType(f"{name} must convert to a NumPy array, got {type(value).__name__}: {error}") from None


def _from_torch(tensor: Any) -> Any:
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    narrow = tensor.is_floating_point() and str(tensor.dtype) not in ("torch.float16", "torch.float64")
    return (tensor.float() if narrow else tensor).numpy()  # bfloat16 and narrower are exact in float32


def is_floating(dtype: np.dtype[Any]) -> bool:
    """Whether a dtype is of real floats: NumPy's own, or bfloat16 and its narrower kin, as JAX and `ml_dtypes` name them."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def work_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What arrays of a dtype are computed in: float32 for narrower ones, else the same in this machine's byte order."""
    return np.promote_types(dtype.newbyteorder("="), np.float32)


def real(value: Any, name: str) -> Array:
    """`value` as an array of real numbers in its own dtype."""
    array = plain(value, name)
    if array.size == 0 and not isinstance(value, np.ndarray):
        array = array.astype(np.float64)
    if array.dtype == object and array.size and all(type(item) is int for item in array.flat):
        raise ValueError(_BEYOND.format(name))
    if array.dtype.kind not in "iu" and not is_floating(array.dtype):
        raise WrongType(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array


def floating(value: Any, name: str) -> Array:
    """`value` as an array of floats: integers become float64, exactly or not at all."""
    array = real(value, name)
    return array if is_floating(array.dtype) else _float64(array, name)


_BEYOND = "{} holds numbers beyond 2**53, which float64 cannot tell apart"


def _float64(array: Array, name: str) -> Floats:
    wider = (array.dtype.kind in "iu" and array.dtype.itemsize == 8) or array.dtype.itemsize > 8
    if wider and array.size and not -EXACT <= array.min() <= array.max() <= EXACT and np.isfinite(array).all():
        raise ValueError(_BEYOND.format(name))
    return array.astype(np.float64, copy=False)


def finite(value: Any, name: str) -> Floats:
    """`value` as a float64 array without NaN or infinity."""
    array = _float64(real(value, name), name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)][0]}")
    return array


def axis(value: Any, name: str, ndim: int) -> int:
    """`value` as an index from 0 into `ndim` axes."""
    index = whole(value, name, -ndim)
    if index >= ndim:
        raise ValueError(f"{name} must be less than {ndim} for an array of {ndim} axes, got {value}")
    return index % ndim
