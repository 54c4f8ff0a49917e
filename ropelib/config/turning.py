"""Which layers rotate, and what a config says of the layers at hand."""

from collections.abc import Iterable, Mapping
from typing import Any

from .._arguments import choice, flag, whole
from . import families as known
from . import layers as kinds
from .reading import Reading
from .spellings import agreed, mapping

LAYERS = ("full_attention", "sliding_attention", "chunked_attention")
_OF_LAYER = ("layout", "partial_rotary_factor", "rope_interleaved", "rope_theta", "rotary_dim")  # what no scaling brings
_BY_LAYER = ("head_dim", "qk_nope_head_dim", "qk_rope_head_dim", "partial_rotary_factor")


class Turning(Reading):
    """Layers of a config."""

    def untold(self) -> list[str]:
        """A word, if not all layers rotate, and nothing says which do."""
        listed, mixers = self.types(1), self.settings.mixers
        strange = ", ".join(dict.fromkeys(repr(name) for name in listed or () if name not in known.KINDS))
        if strange:
            return [f"layer_types holds {strange}, which is not known: layers of this kind are taken to rotate"]
        where = f"model_type {self.family!r} is not known" if self.family else "model_type is not given"
        if not self.is_known and "linear_attention" in (listed or ()):
            return [f"{where}: its layers of linear attention are taken to rotate nothing"]
        if self.unlike():
            which, speaks = ", ".join(mixers[:3]), "speaks" if len(mixers) == 1 else "speak"
            return [f"{which} {speaks} of layers that differ, and {where}: all are taken to rotate alike"]
        if self.family not in known.UNTOLD or "cross_attention_layers" in self.beside or listed is not None:
            return []
        return [f"layer_types is not given: which layers of {self.family} rotate is not known, all are taken to"]

    def unlike(self) -> bool:
        """Whether keys speak of layers that differ, in a family that is not known, and nothing lists them."""
        return not self.is_known and bool(self.settings.mixers) and self.types(1) is None

    def types(self, count: int) -> list[str] | None:
        return kinds.types(self.beside, self.family, count)

    def layers(self, layer_type: str | None, layer: int | None) -> tuple[str | None, list[int] | None]:
        """The type asked for, and the layers that it names; None for all, whose number is not known."""
        if layer is not None:
            layer = whole(layer, "layer", 0)
            count = self.beside.get("num_hidden_layers")
            if count is not None and layer >= whole(count, "num_hidden_layers"):
                raise ValueError(f"layer must be less than num_hidden_layers, {count}, got {layer}")
        types = self.types(0 if layer is None else layer + 1)
        if layer is None:
            if types is None or layer_type is None:
                return layer_type, None
            return layer_type, [i for i, name in enumerate(types) if name == layer_type] or None
        if types is not None and layer >= len(types):
            raise ValueError(f"layer must be less than the number of layer_types, {len(types)}, got {layer}")
        own = None if types is None else types[layer]
        return agreed("layer_type", [("layer_type", layer_type), (f"layer_types[{layer}]", own)]), [layer]

    def of(self, name: str, values: Any, layers: list[int] | None) -> Any:
        """What a list by layer says of the layers at hand, which must agree."""
        if not isinstance(values, list):
            return values
        if layers is not None and max(layers, default=0) >= len(values):
            raise ValueError(f"layer must be less than the length of {name}, {len(values)}, got {max(layers)}")
        chosen = values if layers is None else [values[i] for i in layers]
        if any(value != chosen[0] for value in chosen):
            raise ValueError(f"layer must be given, for {name} differs from layer to layer, got None and {name}={values!r}")
        return chosen[0] if chosen else None

    def rotates(self, layer_type: str | None, layers: list[int] | None) -> bool:
        """Whether the layers at hand rotate."""
        beside, family = self.beside, self.family
        if layer_type == "linear_attention" and family in known.OF_ITS_NAME:
            self.tell_apart(*known.OF_ITS_NAME[family])
        if layer_type == "linear_attention" and family in known.LINEAR_TURNS:
            return flag(beside.get("linear_rope", True), "linear_rope")
        if layer_type in known.WITHOUT_ATTENTION:
            return False
        rotating = kinds.flags(beside, family, max(layers or [0]) + 1)
        if rotating is not None:
            if all(rotating) or (any(rotating) and layers is not None):
                return bool(self.of("no_rope_layers", [bool(each) for each in rotating], layers))
            if not any(rotating):
                raise ValueError("config must be that of a model with RoPE, got no_rope_layers without a 1: no layer rotates")
            self.ask("layer", [i for i, each in enumerate(rotating) if not each])
        if "attn_layer_indices" in beside:  # Bamba: the others are Mamba layers
            return layers is None or bool(set(layers) & set(beside["attn_layer_indices"]))
        if "cross_attention_layers" in beside:
            crossing = list(beside["cross_attention_layers"])
            if layers is not None:
                return not set(layers) <= set(crossing)
            if crossing:
                self.ask("layer", crossing)
        if "layer_rope_theta" in beside:
            return bool(self.of("layer_rope_theta", beside["layer_rope_theta"], layers))
        only = family in known.ONLY_SLIDING
        if only and not (family in known.UNLESS_NO_WINDOW and beside.get("sliding_window", 0) is None):
            types = {*(self.types(1) or ())} - known.WITHOUT_ATTENTION if "layer_types" in beside else set()
            if layer_type is None and len(types) == 1:
                layer_type = types.pop()
            if layer_type is None:
                raise ValueError(
                    f"layer_type must be one of 'full_attention', 'sliding_attention', or layer given, for {family} rotates "
                    "in its sliding layers alone, got None"
                )
            return choice(layer_type, "layer_type", LAYERS) == "sliding_attention"
        return True

    def tell_apart(self, classes: tuple[str, ...], key: str) -> None:
        """Stop at a layer that two codes of one model_type treat differently, if nothing says whose file this is."""
        named = self.beside.get("architectures") or [""]
        if not str(named[0]).startswith(classes) and key not in self.settings.mixers:
            either = " or ".join(f"'{each}ForCausalLM'" for each in (*classes[:1], "BailingMoeV2_5"))
            raise ValueError(
                f"architectures must be {either} for model_type {self.family!r}, got {self.beside.get('architectures')!r} and no "
                f"{key}: linear layers of the first do not rotate, and those of the second do"
            )

    def ask(self, name: str, still: list[int]) -> None:
        raise ValueError(
            f"{name} must be given, for layers {', '.join(map(str, still))} do not rotate and the others do, got None"
        )

    def of_layers(self, layers: list[int] | None) -> dict[str, Any]:
        """The settings beside, with what the layers at hand give themselves."""
        if "partial_rotary_factor" in self.beside:
            part = self.of("partial_rotary_factor", self.beside["partial_rotary_factor"], layers)
            self.beside = self.beside | {"partial_rotary_factor": part}
        each = mapping("per_layer_config", self.beside.get("per_layer_config", {}))
        if not each:
            return self.beside
        own = {str(key).lstrip("0") or "0": mapping(f"per_layer_config[{key!r}]", value) for key, value in each.items()}
        if layers is None:
            of_type: Iterable[Mapping[Any, Any]] = [*own.values(), self.beside]
        else:
            of_type = [own.get(str(i), {}) for i in layers]
        said = {
            key: agreed(f"{key} of layers of one type", [(key, of.get(key, self.beside.get(key))) for of in of_type])
            for key in _BY_LAYER
        }
        return self.beside | {key: value for key, value in said.items() if value is not None}

    def of_scaled_layers(self, rope: dict[str, Any], layers: list[int] | None) -> dict[str, Any]:
        """The rope settings of the layers at hand, where a list says which of them are scaled."""
        scaled, count = {*self.beside["rope_scaling_layers"]}, self.beside.get("num_hidden_layers")
        if layers is None and not (count is not None and scaled >= {*range(whole(count, "num_hidden_layers"))}):
            raise ValueError(f"layer must be given, for only layers {', '.join(map(str, sorted(scaled)))} are scaled, got None")
        if layers is None or scaled >= {*layers}:
            return rope
        return unscaled(rope)


def unscaled(rope: Mapping[str, Any]) -> dict[str, Any]:
    """The rope settings of a layer that the scaling is not for."""
    return {key: value for key, value in rope.items() if key in _OF_LAYER}
