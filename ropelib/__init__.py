"""Rotary position embedding (RoPE), small enough to read. It needs NumPy alone; `ropelib.book` is what the book teaches with.

A model's settings  from_config, cards, Rope
Your own code       check_rope, diagnose, and the test vectors in ropelib.conformance
Frequencies         inverse_frequencies, wavelengths, critical_dimension
Longer contexts     linear, ntk, dynamic_ntk, yarn, longrope, llama3, proportional; temperature, longrope_temperature,
                    logn_query_factor, stepped_query_factor
Rotation            cos_sin, rotate, rotation_matrix, to_complex, from_complex; to_half, to_interleaved, permute_weights
Several axes        axial, cos_sin_axes, grid_positions, patch_centres, pixel_frequencies, mrope_axes, mrope_positions
Attention           attend, softmax, KVCache, causal_mask, sliding_mask, packed_mask, packed_positions, padded_positions,
                    linear_attend, kernel
Maps of position    attend_mapped, relative_positions, rerope_map, self_extend_map, dual_chunk_map
Other encodings     sinusoidal, alibi_bias, alibi_slopes, t5_bucket, xpos_scale
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .attention import attend, causal_mask, packed_mask, packed_positions, padded_positions, sliding_mask, softmax
from .axes import axial, cos_sin_axes, grid_positions, mrope_axes, mrope_positions, patch_centres, pixel_frequencies
from .cache import KVCache
from .config import from_config
from .encodings import alibi_bias, alibi_slopes, sinusoidal, t5_bucket, xpos_scale
from .frequencies import critical_dimension, inverse_frequencies, wavelengths
from .kernels import kernel
from .linear_attention import linear_attend
from .maps import attend_mapped, dual_chunk_map, relative_positions, rerope_map, self_extend_map
from .rope import Rope
from .rotation import cos_sin, from_complex, permute_weights, rotate, rotation_matrix, to_complex, to_half, to_interleaved
from .scaling import (
    dynamic_ntk,
    linear,
    llama3,
    logn_query_factor,
    longrope,
    longrope_temperature,
    ntk,
    proportional,
    stepped_query_factor,
    temperature,
    yarn,
)

if TYPE_CHECKING:
    from . import conformance as conformance
    from .config.cards import cards
    from .diagnosis import check_rope, diagnose

__version__ = "0.2.0"

# fmt: off
__all__ = [
    "KVCache", "Rope", "alibi_bias", "alibi_slopes", "attend", "attend_mapped", "axial", "cards", "causal_mask",
    "check_rope", "cos_sin", "cos_sin_axes", "critical_dimension", "diagnose", "dual_chunk_map", "dynamic_ntk", "from_complex",
    "from_config", "grid_positions", "inverse_frequencies", "kernel", "linear", "linear_attend", "llama3",
    "logn_query_factor", "longrope", "longrope_temperature", "mrope_axes", "mrope_positions", "ntk", "packed_mask",
    "packed_positions", "padded_positions", "patch_centres", "permute_weights", "pixel_frequencies", "proportional",
    "relative_positions", "rerope_map", "rotate", "rotation_matrix", "self_extend_map", "sinusoidal", "sliding_mask",
    "softmax", "stepped_query_factor", "t5_bucket", "temperature", "to_complex", "to_half", "to_interleaved",
    "wavelengths", "xpos_scale", "yarn",
]
# fmt: on

# rooms that are loaded when used
_ROOMS = {"cards": "config.cards", "check_rope": "diagnosis", "diagnose": "diagnosis", "conformance": "conformance"}


if not TYPE_CHECKING:  # a checker that saw it would let every wrong name pass

    def __getattr__(name: str) -> Any:
        if name not in _ROOMS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        room = import_module(f".{_ROOMS[name]}", __name__)
        return room if name == _ROOMS[name] else getattr(room, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ROOMS})
