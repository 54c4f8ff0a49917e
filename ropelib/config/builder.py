"""From canonical settings and what is known of a family to a `Rope`."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import scaling
from .._arguments import Array, Floats, WrongType, choice, flag, number
from ..rope import Rope
from . import families as known
from .names import kind_of_layer
from .reading import LATENT
from .refusals import refuse
from .sizes import Sizes
from .spellings import ALIASES, Settings, agreed, read
from .turning import LAYERS, Turning, unscaled

_ORIGINAL = "original_max_position_embeddings"
_YARN_MAY_HAVE = ("beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim")
_LONGROPE_MAY_HAVE = ("factor", "attention_factor", "short_mscale", "long_mscale")


class _Method(NamedTuple):
    made: Callable[..., tuple[Floats, float]]
    must_have: tuple[str, ...]
    may_have: tuple[str, ...]


METHODS = {
    "default": _Method(scaling.linear, (), ()),
    "linear": _Method(scaling.linear, ("factor",), ()),
    "ntk": _Method(scaling.ntk, ("factor",), ()),
    "dynamic": _Method(scaling.dynamic_ntk, ("factor", "max_position_embeddings"), ("alpha", _ORIGINAL)),
    "yarn": _Method(scaling.yarn, ("factor", _ORIGINAL), _YARN_MAY_HAVE),
    "longrope": _Method(scaling.longrope, ("short_factor", "long_factor", _ORIGINAL), _LONGROPE_MAY_HAVE),
    "llama3": _Method(scaling.llama3, ("factor", "low_freq_factor", "high_freq_factor", _ORIGINAL), ()),
    "proportional": _Method(scaling.proportional, (), ("factor", "partial_rotary_factor")),
}
_TRAINED = [name for name, method in METHODS.items() if _ORIGINAL in method.must_have]
_READ_BY = (  # settings of a method that only these families' code reads
    ("alpha", "dynamic", known.ALPHA),
    ("short_mscale", "longrope", known.MSCALE_SIDES),
    ("long_mscale", "longrope", known.MSCALE_SIDES),
)
_IDLE_BESIDE_ALPHA = {"beta_fast": (32,), "beta_slow": (1,), "mscale": (1,), "mscale_all_dim": (0, 1)}  # as Hunyuan is published
_BY_ANY = (
    "layout llama_4_scaling_beta mrope_interleaved mrope_section partial_rotary_factor rope_interleaved rope_theta rope_type "
    "rotary_dim"
).split()
_NEEDS_TYPE = ("factor", "alpha", "short_factor", "long_factor", "low_freq_factor", "high_freq_factor")


def from_config(
    config: Mapping[str, Any],
    *,
    seq_len: float | None = None,
    layer_type: str | None = None,
    layer: int | None = None,
    part: str = "attention",
) -> Rope:
    """The rotation that a model's published settings describe.

    Parameters
    ----------
    config : mapping
        What its `config.json` holds. Read: `rope_parameters`, or the older `rope_scaling` with `rope_theta`, flat or by
        layer type, `type` beside `rope_type`; `head_dim`, or its family's own, or `hidden_size / num_attention_heads`,
        and the older names of each (`n_embd`, `n_head`, `kv_channels`, `qk_rope_head_dim`, `rotary_pct`,
        `rotary_emb_base`, ...); `partial_rotary_factor` inside or beside; `rotary_dim`; `mrope_section` with
        `mrope_interleaved`; `layout` or `rope_interleaved`; `layer_types`, `no_rope_layers` and other lists by layer;
        `model_type`, for what its family leaves unsaid; `text_config`, `thinker_config`, `llm_config`,
        `language_config`, for models that also see or hear. Null is absent. A mapping without `model_type` and
        `architectures` is taken for bare settings, as `Rope` takes them: layout "half", or that of the keys that only
        GPT-J's, DeepSeek's or native files have. Of keys that no rotation reads, one inside the rope settings is
        refused, and one beside them is passed over, with a warning if its name speaks of rotation or is a near miss.
    seq_len : float, optional
        Length of the sequence, for types that depend on it (dynamic, longrope): frequencies are then fixed. If not
        given, `Rope` takes each sequence's length from its positions.
    layer_type : str, optional
        "full_attention", "sliding_attention", ..., where layers differ.
    layer : int, optional
        Index of a layer, from 0, where layers differ.
    part : {"attention", "indexer"}
        The attention itself, or the sparse indexer beside it (DeepSeek V3.2), which turns a head of its own.

    Returns
    -------
    Rope
        With `rotary_dim` 0 for a layer that does not rotate in a model that does.

    Raises
    ------
    TypeError, ValueError
        If a setting is missing, of the wrong type or out of its range; if two spellings disagree; if the type of
        scaling is not known, or the rope settings hold a key that no method reads; if layers differ and none is named;
        if the model never rotates, or in a way that is not supported; if it is a part that sees, or the header of a
        GGUF file or a part of an image pipeline.

    Warns
    -----
    UserWarning
        For whatever had to be guessed or filled in: a base of 10 000, which may be the default of a family's code, the
        layout of a `model_type` that is not known, which layers of a hybrid model rotate, which of its two meanings
        ChatGLM's "rope_ratio" has, the sizes that a text part leaves to its family, what DeepSeek's own files leave to its
        code. For a key that seems to speak of rotation and is not read, such as a misspelt "rope_thetta", or that only the
        code of other families reads ("no_rope_layers", "kv_channels" in a llama's config). For a rope setting that only
        another type of scaling reads. If the `factor` of YaRN or LongRoPE is not the ratio of the two lengths given: the
        factor is used. Where weights enter the rotation.

    References
    ----------
    Hugging Face transformers 5, `modeling_rope_utils.py`, and the families' own code.

    Examples
    --------
    >>> rope = from_config({"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0})
    >>> rope.rotary_dim, rope.layout
    (128, 'half')
    >>> smollm3 = {"model_type": "smollm3", "head_dim": 128, "rope_theta": 5e6}
    >>> [from_config(smollm3, layer=i).rotary_dim for i in range(4)]
    [128, 128, 128, 0]
    """
    if seq_len is not None:
        seq_len = number(seq_len, "seq_len", above=0)
    choice(part, "part", ("attention", "indexer"))
    model = _Model(read(config))
    rope = model.rope(seq_len, layer_type, layer, part)
    for message in dict.fromkeys(model.warnings):
        warnings.warn(message, stacklevel=2)
    return rope


class _Model(Turning, Sizes):
    """The rotation of each layer of a config."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.method: _Frequencies | None = None  # once a rope is made that turns

    def rope(self, seq_len: float | None, layer_type: str | None, layer: int | None, part: str) -> Rope:
        refuse(self)
        if layer is not None:
            self.warnings += self.untold()
        layer_type, layers = self.layers(layer_type, layer)
        rotates = self.rotates(layer_type, layers)
        if self.family in known.LINEAR_PLAIN:
            self.of_linear(layer_type)
        rope, layer_type = self.parameters(layer_type, layers, rotates)
        rope = None if rope is None else self.of_code(rope)
        self.beside = self.of_layers(layers)
        if rope is None or not rotates:
            head, _, _ = self.sizes(rope or {}, "default", layer_type)
            return Rope(np.empty(0), 1.0, 1.0, head, 0, by_position=self.query_factor(rope or {}, still=True))
        kind = self.kind(rope)
        self.check_keys(rope, kind)
        if kind == "ntk" and self.is_known and self.family not in known.PUBLISHERS:
            but = f"though it is ropelib's own word: the code of {self.family} in transformers has no such type"
            self.warnings.append(f"rope_type 'ntk' is applied, {but}")
        if kind != "default" and self.family in known.TYPE_UNREAD and self.settings.kind_at.endswith(".type"):
            but = f"though the code of {self.family} in transformers knows it by rope_type alone"
            self.warnings.append(f"{self.settings.kind_at}={kind!r} is applied, {but}")
        if kind != "default" and self.family in known.UNSCALED:
            but = f"though the code of {self.family} in transformers scales nothing"
            self.warnings.append(f"rope_type {kind!r} is applied, {but}")
        head, rotary, start = self.sizes(rope, kind, layer_type)
        layout = self.layout(rope)
        if part == "indexer":
            head, start, layout = self.indexer(rotary, layout)
        at, depends = self.frequencies(rope, kind, rotary)
        self.method = at
        inv_freq, attention_factor = at(seq_len)
        return Rope(
            inv_freq,
            attention_factor,
            self.softmax_factor(rope, kind) if part == "attention" else 1.0,
            head,
            rotary,
            layout,
            self.axes(rope, rotary // 2),
            at if depends and seq_len is None else None,
            start,
            -1 if self.family in known.CLOCKWISE else 1,
            self.family in known.VALUES_TURNED_BACK and part == "attention",
            self.query_factor(rope, still=False) if part == "attention" else None,
        )

    def remarks(self) -> list[str]:
        """What a card must say beside the warnings: what kind of file was read, and what in it was not."""
        beside, said = self.beside, list[str]()
        layout = self.layout(self.settings.rope)
        if self.native and not self.family:
            said.append(f"read as the params file of native weights (dim, n_heads): layout {layout!r} is theirs")
        elif not self.family and "architectures" not in beside:
            said.append(f"model_type is not given: layout {layout!r} in every layer is assumed")
        elif self.family and not self.is_known and not any("is not known" in each for each in self.warnings):
            said.append(f"model_type {self.family!r} is not known, nor what its code does where the config is silent")
        width, heads, own = beside.get("hidden_size"), beside.get("num_attention_heads"), self.own_head_dim()
        told = beside.get("head_dim") is not None or "qk_rope_head_dim" in beside or own is None
        if not told and isinstance(width, int) and isinstance(heads, int) and width != heads * (own or 0):
            but = f"not hidden_size / num_attention_heads, {width} / {heads}"
            said.append(f"head_dim is not given: {own} is {self.family}'s own, {but}")
        if self.family and not self.is_known and beside.get("sliding_window") and self.types(1) is None:
            said.append(
                f"sliding_window={beside['sliding_window']!r} is given, and not which layers it is for: no window is told"
            )
        said += [f"{key} is not given: {value} is {self.family}'s own" for key, value in self.filled.items() if key in LATENT]
        return said + [f"{name} is left out: that part of the model is not read" for name in self.settings.others]

    # --- the rope settings of a layer

    def parameters(
        self, layer_type: str | None, layers: list[int] | None, rotates: bool
    ) -> tuple[dict[str, Any] | None, str | None]:
        """Settings of the rotation for the layers at hand, their base among them; None if they have no rotation."""
        rope, of_type = dict(self.settings.rope), dict(self.settings.of_type)
        local = self.beside.get("rope_local_base_freq")
        if not of_type:
            of_type = self.by_type(rope, local)
            if rope and self.family in known.BLOCKS_ALONE and self.spelled("rope_parameters").endswith("rope_parameters"):
                but = f"though the code of {self.family} in transformers reads only a block for each type of layer"
                self.warnings.append(f"rope_parameters is one block and is applied, {but}")
        elif self.is_known and self.family not in {*known.BY_BLOCKS, *known.PUBLISHERS}:
            where, but = self.spelled("rope_parameters"), f"though the code of {self.family} in transformers reads one for all"
            self.warnings.append(f"{where} holds a block for each type of layer and is applied, {but}")
        if not rope and not of_type and self.family in known.WHOLE and "layer_rope_theta" not in self.beside:
            rope, self.own = self.whole_of_family(), True
        names = known.BLOCK_OF.get(self.family, {})
        block = names.get(layer_type or "", layer_type)
        if of_type:
            block = self.block(of_type, block, layer_type, names)
            if block is None or of_type.get(block) is None:
                return None, layer_type
            rope = dict(of_type[block] or {})
            self.tell_shared(rope, block)
            usual = known.BY_TYPE[self.family].get(block) if self.family in known.PART_BY_TYPE else None
            if usual and "partial_rotary_factor" not in self.beside:
                rope.setdefault("partial_rotary_factor", usual["partial_rotary_factor"])
        elif layer_type is not None:
            types = self.types(24) or []
            choice(layer_type, "layer_type", [*dict.fromkeys([*LAYERS, *types])])
        if not rotates:
            return rope, layer_type
        scaled = self.beside.get("yarn_only_types", known.SCALED_TYPES.get(self.family))
        if scaled is not None and rope.get("rope_type", "default") != "default" and not of_type:
            if layer_type is None:
                raise ValueError(f"layer_type must be given, for only {', '.join(map(repr, scaled))} is scaled, got None")
            rope = rope if layer_type in scaled else unscaled(rope)
        if "rope_scaling_layers" in self.beside and rope.get("rope_type", "default") != "default":  # Molmo 2
            rope = self.of_scaled_layers(rope, layers)
        places = ((self.spelled("rope_theta"), self.beside), (f"{self.spelled('rope_parameters')}.rope_theta", rope))
        for name, base in ((name, place.get("rope_theta")) for name, place in places):
            if isinstance(base, list) and self.is_known and self.family not in known.BASES_BY_LAYER:
                which = ", ".join(sorted(known.BASES_BY_LAYER))
                raise WrongType(f"{name} must be a number, a list only for {which}, got {base!r}")
        beside = {key: self.of(key, self.beside.get(key), layers) for key in ("rope_theta", "layer_rope_theta")}
        own = self.of("rope_theta", rope.get("rope_theta"), layers)
        if not self.settings.of_type and block == "sliding_attention" and local is not None:
            base = local  # of sliding layers; what stands beside is that of the others
        elif self.settings.of_type and own is not None:
            base = own  # what stands beside is the default of all layers
        elif self.settings.of_type and beside["rope_theta"] is not None:
            base = beside["rope_theta"]
            full = block == "full_attention" and self.family in known.BLOCKS_ALONE - {"step3p5"}
            if self.family in known.BASE_BESIDE_BLOCKS_UNREAD and not full:
                but = f"whose block has none, though the code of {self.family} in transformers does not read it there"
                self.warnings.append(f"{places[0][0]}={base!r} is applied to {block}, {but}")
        elif own is not None and (self.family == "deepseek_v4" or (self.family in known.BY_TYPE and of_type)):
            base = own  # by_type has seen what stands beside
        else:
            base = agreed("rope_theta", [(places[0][0], beside["rope_theta"]), (places[1][0], own)])
        of_layer = beside["layer_rope_theta"] or None
        usual = known.BASE.get(self.family, 1e4) if rope else known.WHOLE.get(self.family, {}).get("rope_theta", 1e4)
        if of_layer not in (None, usual if base is None else base) and self.family in known.LAYER_BASE_UNREAD:
            agreed("rope_theta", [("layer_rope_theta", of_layer), ("rope_theta", base)])
            but = f"though the code of {self.family} in transformers reads of it alone which layers rotate"
            self.warnings.append(f"layer_rope_theta={of_layer!r} is taken for the base, {but}")
        base = agreed("rope_theta", [("layer_rope_theta", of_layer)], base)
        rope["rope_theta"] = self.base() if base is None else base
        alone = self.family in known.SCALING_UNREAD and places[1][0].endswith("rope_scaling.rope_theta")
        alone |= self.family in known.BASE_BESIDE_ALONE
        if own is not None and alone and own != beside["rope_theta"]:
            but = f"though the code of {self.family} in transformers reads a base beside the rope settings alone"
            self.warnings.append(f"{places[1][0]}={own!r} is applied, {but}")
        null = self.null_base(block)
        if null is not None:
            self.warnings.append(f"{null} is null and is taken for absent: the base is {rope['rope_theta']!r}")
        return rope, layer_type

    def tell_shared(self, rope: Mapping[str, Any], block: str) -> None:
        """Tell of what stands beside the blocks of layer types, and is no setting of the block at hand in its family's code."""
        where = self.spelled("rope_parameters")
        idle = ("layout", "rope_interleaved")
        names = [name for name in self.settings.shared.get(block, ()) if name not in idle and rope[name] != "default"]
        part = "partial_rotary_factor"
        if self.family in known.PART_KEY and part in self.beside and part not in rope:
            but = f"whose block has no {part}, though the code of {self.family} in transformers does not read it there"
            self.warnings.append(f"{self.spelled(part)}={self.beside[part]!r} is applied to {block}, {but}")
        if names and self.family in known.BY_BLOCKS:
            said, are = ", ".join(f"{where}.{name}={rope[name]!r}" for name in names), "is" if len(names) == 1 else "are"
            but = f"though the code of {self.family} in transformers reads only what stands in a block"
            self.warnings.append(f"{said} {are} applied to {block}, {but}")
        lacking = {*known.BLOCK_OF.get(self.family, {}).values()} - {*self.settings.of_type}
        if lacking and self.settings.of_type:
            but = f"the code of {self.family} in transformers reads its blocks only beside {' and '.join(sorted(lacking))}"
            self.warnings.append(f"{where}.{block} is applied, though {but}")

    def whole_of_family(self) -> dict[str, Any]:
        """The family's own rope settings, with a base that stands alone in the file."""
        own, stated = dict(known.WHOLE[self.family]), self.beside.get("rope_theta")
        if self.settings.null_block.endswith("{}"):
            but = f"{self.family}'s own are taken, though its code in transformers then has a base alone"
            self.warnings.append(f"{self.settings.null_block} is taken for absent: {but}")
        if stated is None:
            return own
        name = self.spelled("rope_theta")
        method = f", {own['rope_type']} by {own['factor']:g}," if "factor" in own else ""
        said = f"no rope settings are given: {self.family}'s own{method} are taken"
        if self.family in known.BASE_BESIDE or isinstance(stated, list):
            own["rope_theta"] = stated
            self.warnings.append(f"{said}, with {name}={stated!r}")
        elif stated != own["rope_theta"]:
            self.warnings.append(
                f"{said}, and their base, {own['rope_theta']:,.10g}, as its code does: {name}={stated!r} is passed over"
            )
            self.drop("rope_theta")
        elif method:
            self.warnings.append(said)
        return own

    def of_code(self, rope: dict[str, Any]) -> dict[str, Any]:
        """The rope settings, without what the family's code does not read of them."""
        kind, out = rope.get("rope_type", "default"), dict[str, Any]()
        for key, by, readers in _READ_BY:
            if key in rope and kind == by and self.is_known and self.family not in readers:
                out[key] = f"the code of {self.family} does not read it, only that of {', '.join(sorted(readers))}"
        if self.family in known.BY_BLOCKS:  # their blocks are read one by one, and what stands beside them is not
            whole = [f"{_ORIGINAL}={self.beside[_ORIGINAL]!r}"] if kind in _TRAINED and _ORIGINAL in self.beside else []
            whole = [] if _ORIGINAL in rope else whole
            whole += ["truncate=False"] if kind == "yarn" and rope.get("truncate") is False else []
            for said in whole:
                where = "inside the block" if said.startswith(_ORIGINAL) else "beside the blocks"
                but = f"though the code of {self.family} in transformers reads it {where} alone"
                self.warnings.append(f"{said} is applied, {but}")
        usual = known.ORIGINAL.get(self.family)
        if kind in _TRAINED and usual and _ORIGINAL not in self.beside and rope.get(_ORIGINAL, usual) != usual:
            out[_ORIGINAL] = f"the code of {self.family} reads it beside the rope settings alone, and takes {usual:,} without"
        longest, trained = self.beside.get("max_position_embeddings"), self.said(_ORIGINAL, rope)
        if kind == "dynamic" and self.is_known and None not in (longest, trained) and longest != trained and "alpha" not in rope:
            but = f"the code of {self.family} counts from max_position_embeddings, {longest:,}, with rope_type 'dynamic'"
            self.warnings.append(f"{_ORIGINAL}={trained!r} is passed over: {but}")
            self.drop(_ORIGINAL)
            rope = {key: value for key, value in rope.items() if key != _ORIGINAL}
        elif kind == "dynamic" and self.is_known and longest is None and trained is not None and "alpha" not in rope:
            but = f"though the code of {self.family} counts from max_position_embeddings, which is not given"
            self.warnings.append(f"{_ORIGINAL}={trained!r} is taken, {but}")
        if "rotary_dim" in rope and self.family in known.PART_BESIDE_ALONE:
            out["rotary_dim"] = f"the code of {self.family} reads it beside the rope settings alone"
        pair = ("mscale", "mscale_all_dim")
        single = [key for key in pair if rope.get(key)] if kind == "yarn" and rope.get("attention_factor") is None else []
        if len(single) == 1 and (single[0], rope[single[0]]) != ("mscale", 1):
            name = single[0]
            other = pair[1 - pair.index(name)]
            if "qk_rope_head_dim" not in self.beside:
                out[name] = f"transformers reads it only beside {other}"
            else:  # the code that DeepSeek keeps beside its weights
                but = f"though transformers reads it only beside {other}, and multiplies cos and sin by 0.1 ln(factor) + 1"
                self.warnings.append(f"{name}={rope[name]!r} is taken as in its publisher's code, {but}")
        for name, why in out.items():
            self.warnings.append(f"{name}={rope[name]!r} is passed over: {why}")
        return {key: value for key, value in rope.items() if key not in out}

    def block(self, of_type: dict[str, Any], block: str | None, layer_type: str | None, names: Mapping[str, str]) -> str | None:
        """Which of the settings by type of layer are asked for; None for a layer without attention."""
        if layer_type in known.WITHOUT_ATTENTION:
            return None
        if block in of_type:
            return block
        listed = "layer_types" in self.beside or len(known.PATTERN.get(self.family, "")) == 1  # all of one kind, by default
        types = [*dict.fromkeys(names.get(name, name) for name in self.types(1) or ())] if listed else []
        named = [name for name in types if name in of_type]
        if layer_type is None and named and all(of_type[name] == of_type[named[0]] for name in named):
            return named[0]
        alike = all(own == next(iter(of_type.values())) for own in of_type.values())
        if layer_type is None and alike:
            return next(iter(of_type))
        for name in of_type:
            meant = kind_of_layer(name)
            if meant:
                where, near = self.spelled("rope_parameters"), f"the nearest that is known is {meant!r}"
                raise ValueError(f"{where} must hold settings by kinds of layers, got {name!r}; {near}")
        choices = [name for name in names if names[name] in of_type] or [*of_type]
        choice(layer_type, "layer_type", choices) if layer_type is not None else None
        but = "" if self.types(1) else ": the config has no layer_types to tell which layer is of which"
        raise ValueError(f"layer_type must be one of {', '.join(map(repr, choices))}, which rotate differently, got None{but}")

    def by_type(self, rope: dict[str, Any], local: Any) -> dict[str, Any]:
        """Settings by type of layer, where a config is older than that form, or leaves all to its family."""
        beside = self.beside
        if self.family == "deepseek_v4":
            main = {"rope_theta": beside.get("rope_theta", 1e4)}
            rope = self.without_part(rope)
            far = {**rope, "rope_theta": beside.get("compress_rope_theta", 160_000.0)}
            if far.get("rope_type") == "yarn":
                far.setdefault("attention_factor", 1.0)  # its softmax does without YaRN's temperature
            return {"main": main, "compress": far}
        silent = known.BY_TYPE.get(self.family, {})
        if not silent and local is None and self.family != "olmo3":
            return {}
        inside = f"{self.spelled('rope_parameters')}.rope_theta"
        stated = agreed("rope_theta", [(self.spelled("rope_theta"), beside.get("rope_theta")), (inside, rope.get("rope_theta"))])
        if isinstance(stated, list) and self.family in known.BASES_BY_LAYER:
            return {}
        if silent and not rope and local is None and stated is None:
            self.own = True
            return {key: None if own is None else dict(own) for key, own in silent.items()}
        near_type = next((name for name in silent if "sliding" in name), "sliding_attention")
        far_type = next((name for name in silent if name != near_type), "full_attention")
        if silent and not rope and local is None:
            return self.with_base(silent, far_type, stated)
        far, near = silent.get(far_type, {}), silent.get(near_type) or {}
        if self.family == "olmo3" and stated not in (None, known.BASE["olmo3"]):
            but = f"though the code of olmo3 in transformers 5 keeps {known.BASE['olmo3']:,.10g} there"
            self.warnings.append(f"rope_theta={stated!r} is taken in sliding layers too, {but}")
        if self.family == "dots3_note" and rope:
            but = "though the code of dots3_note in transformers applies it to sliding ones, too"
            self.warnings.append(f"{self.spelled('rope_parameters')} is one block and is applied to full layers alone, {but}")
        if local is None:  # OLMo 3 has one base, which only its global layers extend
            local = (self.base() if stated is None else stated) if self.family == "olmo3" else near.get("rope_theta")
        base = (far or {}).get("rope_theta") if stated is None else stated
        if far is not None and local == (self.base() if base is None else base) and self.kind(rope) == "default":
            return {}
        shared = {key: value for key, value in rope.items() if key in ("layout", "rope_interleaved", "partial_rotary_factor")}
        if self.family == "modernbert":  # whose scaling is for all layers, and whose bases have names of their own
            shared = rope
            if "rope_theta" in rope and rope["rope_theta"] != local:
                but = "though the code of modernbert in transformers takes it in sliding layers too"
                self.warnings.append(f"{inside}={rope['rope_theta']!r} is taken in full layers alone, {but}")
            if self.spelled("rope_theta") == "rope_theta" and "rope_theta" in beside:
                base = (far or {})["rope_theta"]
                self.warnings.append(
                    f"rope_theta={stated!r} is passed over, as the code of modernbert does: {base:,.10g} is its own"
                )
                self.drop("rope_theta")
        own = None if far is None else rope if base is None else {**rope, "rope_theta": base}
        return {far_type: own, near_type: {**shared, "rope_theta": local}}

    def without_part(self, rope: dict[str, Any]) -> dict[str, Any]:
        """DeepSeek V4's one block, whose part of a head its code fills in from what stands beside."""
        for key in ("partial_rotary_factor", "rope_theta"):
            if key in rope and key not in self.beside:
                but = f"the code of {self.family} reads it beside the rope settings alone"
                self.warnings.append(f"{key}={rope[key]!r} is passed over: {but}")
        return {key: value for key, value in rope.items() if key != "partial_rotary_factor"}

    def with_base(self, silent: Mapping[str, dict[str, Any] | None], far_type: str, stated: Any) -> dict[str, Any]:
        """The family's own settings by type of layer, with a base that stands alone in the file."""
        name = self.spelled("rope_theta")
        reads = [far_type] if self.family in known.BASE_OF_GLOBAL or name != "rope_theta" else []
        reads = [*silent] if self.family in known.BASE_OF_ALL else reads
        bases = {key: own["rope_theta"] for key, own in silent.items() if own is not None}
        self.own = not reads
        if not reads and stated != bases.get(far_type, stated):
            own = ", ".join(f"{base:,.10g} in {key}" for key, base in bases.items())
            self.warnings.append(f"{name}={stated!r} is passed over, as the code of {self.family} does: its own bases are {own}")
        return {
            key: None if own is None else own | ({"rope_theta": stated} if key in reads else {}) for key, own in silent.items()
        }

    def base(self) -> float:
        """The family's base: in transformers 10,000 where its class names no other, and elsewhere that is the common guess."""
        if self.family not in known.BASE:
            said = f", for model_type {self.family!r}" if self.family else ""
            by_code = self.is_known and self.family not in known.PUBLISHERS
            self.warnings.append(
                f"rope_theta is not given{said}: 10000 is " + ("its code's own default" if by_code else "assumed")
            )
        return known.BASE.get(self.family, 10_000.0)

    def null_base(self, block: str | None) -> str | None:
        """Where the base of a block is null, if that is read: the code of most families fails on it, OLMo Hybrid's is refused."""
        where, settings = self.spelled("rope_parameters"), self.settings
        inside = (f"{where}.rope_theta", f"{where}.{block}.rope_theta")
        given = settings.of_type.get(block or "", settings.rope) or {}
        by_name = known.BY_THAT_ALONE.get(self.family, "")
        idle = self.own and self.family not in known.BASE_OF_GLOBAL | known.BASE_BESIDE  # its own settings hold a base
        for null in settings.nulls:
            beside = not null.startswith(f"{where}.") and null.endswith(by_name) and given.get("rope_theta") is None
            if (null in inside or (beside and not idle)) and self.family not in known.FIXED:
                return null
        return None

    def kind(self, rope: Mapping[str, Any]) -> str:
        said = rope.get("rope_type", "default")
        near = ALIASES.get(said.lower(), said.lower()) if isinstance(said, str) else said
        if near != said and near in METHODS:
            raise ValueError(f"rope_type must be one of {', '.join(map(repr, METHODS))}, got {said!r}; {near!r} is nearest")
        kind: str = choice(said, "rope_type", tuple(METHODS))
        given = [f"{key}={rope[key]!r}" for key in _NEEDS_TYPE if kind == "default" and rope.get(key) not in (None, 1)]
        if given:
            types = ", ".join(map(repr, METHODS))
            raise ValueError(f"rope_type must be that of a scaling with {', '.join(given)}, one of {types}, got {kind!r}")
        return kind

    def check_keys(self, rope: Mapping[str, Any], kind: str) -> None:
        """Warn of settings that only another type of scaling reads."""
        method, unread = METHODS[kind], dict[str, list[str]]()
        if (self.family, kind) in known.UNLIKE:
            raise ValueError(f"rope_type {kind!r} of {self.family!r} is {known.UNLIKE[self.family, kind]}: not supported")
        for key in rope:
            if key in _BY_ANY or key in method.must_have or key in method.may_have or (key == "factor" and kind == "default"):
                continue
            if "alpha" in rope and rope[key] in _IDLE_BESIDE_ALPHA.get(key, ()):
                continue
            if key == _ORIGINAL and "llama_4_scaling_beta" in rope:
                continue
            readers = [name for name, other in METHODS.items() if key in other.must_have or key in other.may_have]
            unread.setdefault(", ".join(readers), []).append(f"{key}={rope[key]!r}")
        for readers_, keys in unread.items():
            are = "is" if len(keys) == 1 else "are"
            self.warnings.append(f"{', '.join(keys)} {are} not read by rope_type {kind!r}, only by {readers_}")

    # --- factors and frequencies

    def softmax_factor(self, rope: Mapping[str, Any], kind: str) -> float:
        """DeepSeek's place for YaRN's temperature."""
        if (
            kind != "yarn"
            or "qk_rope_head_dim" not in self.beside
            or "mscale_all_dim" not in rope
            or self.family == "deepseek_v4"
        ):
            return 1.0
        return scaling.temperature(rope.get("factor", self.ratio(rope)), rope["mscale_all_dim"]) ** 2

    def query_factor(self, rope: Mapping[str, Any], *, still: bool) -> Callable[[Any], Array] | None:
        beside, found = self.beside, list[Callable[[Any], Array]]()
        if "llama_4_scaling_beta" in rope:
            length = self.said(_ORIGINAL, rope)
            if length is None:
                raise ValueError(
                    f"{self.spelled('rope_parameters')} must have {_ORIGINAL!r} for llama_4_scaling_beta, got {sorted(rope)}"
                )
            beta = number(rope["llama_4_scaling_beta"], "llama_4_scaling_beta", least=0)
            found.append(partial(scaling.stepped_query_factor, length=number(length, _ORIGINAL, above=0), beta=beta))
        if still and self.family == "llama4" and beside.get("attn_temperature_tuning", True):
            scale = number(beside.get("attn_scale", 0.1), "attn_scale", least=0)
            floor = number(beside.get("floor_scale", 8192), "floor_scale", above=0)
            found.append(partial(scaling.stepped_query_factor, length=floor, beta=scale, first=1))
        if flag(beside.get("use_logn_attn", False), "use_logn_attn"):
            length = beside.get("seq_length", beside.get("max_position_embeddings"))
            if length is None:
                raise ValueError("config must have 'seq_length' for use_logn_attn, got None")
            found.append(partial(scaling.logn_query_factor, length=number(length, "seq_length", above=1)))
        late = number(beside.get("attn_temperature_len", -1), "attn_temperature_len")
        if late > 0:
            found.append(partial(_late_query_factor, length=late))
        if len(found) > 1:
            raise ValueError("config must name one factor on queries, got more than one")
        return found[0] if found else None

    def original(self, rope: Mapping[str, Any], kind: str) -> Any:
        """The trained length, where it is given, or known of the family."""
        usual = known.ORIGINAL.get(self.family) if kind in _TRAINED else None
        given = self.said(_ORIGINAL, rope)
        return usual if given is None else given

    def ratio(self, rope: Mapping[str, Any]) -> float | None:
        """The extended length over the trained one, where both are given."""
        longest, original = self.beside.get("max_position_embeddings"), self.original(rope, self.kind(rope))
        if longest is None or original is None:
            return None
        return number(longest, "max_position_embeddings", above=0) / number(original, _ORIGINAL, above=0)

    def frequencies(self, rope: Mapping[str, Any], kind: str, rotary: int) -> tuple["_Frequencies", bool]:
        """A function of the sequence's length (or None) to (inv_freq, attention_factor), and whether it depends on it."""
        ratio = number(self.beside.get("rope_ratio", 1), "rope_ratio", above=0)
        base = number(rope["rope_theta"], "rope_theta", above=0) * ratio
        stepwise = flag(self.beside.get("use_dynamic_ntk", False), "use_dynamic_ntk")
        original, longest = self.original(rope, kind), self.beside.get("max_position_embeddings")
        values = {**rope, "partial_rotary_factor": self.said("partial_rotary_factor", rope), _ORIGINAL: original}
        fixed: dict[str, Any] = {"factor": 1.0} if kind == "default" else {}
        if kind == "default" and stepwise:  # Qwen's first models
            kind, fixed, longest = "dynamic", {"stepwise": True}, self.beside.get("seq_length", longest)
            values["factor"] = 1.0
        elif kind == "dynamic" and "alpha" in rope:  # Hunyuan: a fixed alpha is the static method
            kind, values["factor"] = "ntk", rope["alpha"]
        elif kind in ("yarn", "longrope"):
            values.setdefault("factor", self.ratio(rope))
        elif kind == "llama3":
            fixed = {"step": self.family in known.LLAMA3_STEP}
        values["max_position_embeddings"] = longest if original is None else original

        method = METHODS[kind]
        for key in method.must_have:
            if values.get(key) is None:
                silent = key == _ORIGINAL and longest
                but = f"; transformers takes max_position_embeddings, {longest}, in its place" if silent else ""
                where = self.spelled("rope_parameters")
                raise ValueError(f"{where} must have {key!r} for rope_type {kind!r}, got {sorted(rope)}{but}")
        if kind == "longrope" and values.get("factor") is None and values.get("attention_factor") is None:
            if "short_mscale" not in rope or "long_mscale" not in rope:
                raise ValueError(
                    "factor must be given when attention_factor is not, or max_position_embeddings beside the rope settings, "
                    f"from which it follows, for rope_type 'longrope', got {sorted(rope)}"
                )
        sides = {side: number(rope[side], side, least=0) for side in ("short_mscale", "long_mscale") if side in rope}
        reads = [key for key in method.must_have + method.may_have if key not in ("short_mscale", "long_mscale", "alpha")]
        if kind == "dynamic":
            reads.remove(_ORIGINAL)
        settings = fixed | {key: values[key] for key in reads if values.get(key) is not None}
        length = self.ratio(rope)
        used = kind == "yarn" or (kind == "longrope" and "attention_factor" not in settings)
        if used and length not in (None, 1, settings.get("factor")):
            but = f"though max_position_embeddings / {_ORIGINAL} is {length:g}"
            self.warnings.append(f"factor={settings['factor']!r} is used, {but}")
        sides = sides if kind == "longrope" else {}
        return _Frequencies(kind, rotary, base, settings, sides), kind in ("dynamic", "longrope")


@dataclass(frozen=True)
class _Frequencies:
    """What a method gives for a length, or within the trained length for None."""

    kind: str
    rotary_dim: int
    base: float
    settings: dict[str, Any]
    sides: dict[str, float]  # Phi-3.5-MoE's attention factor on each side of the trained length

    def __call__(self, length: float | None) -> tuple[Floats, float]:
        own: dict[str, Any] = {}
        if self.kind == "dynamic":
            own["seq_len"] = self.settings["max_position_embeddings"] if length is None else length
        if self.kind == "longrope":
            own["seq_len"] = length
            side = "long_mscale" if length is not None and length > self.settings[_ORIGINAL] else "short_mscale"
            if side in self.sides:
                own["attention_factor"] = self.sides[side]
        return METHODS[self.kind].made(self.rotary_dim, self.base, **(own | self.settings))


def _late_query_factor(positions: Any, *, length: float) -> Array:
    """Grok's, which counts positions from 0: log(position) / log(length) beyond that length, and 1 before."""
    return scaling.logn_query_factor(np.maximum(scaling.forward(positions) - 1, 0), length=length)
