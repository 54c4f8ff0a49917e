"""How wide heads are, which of their channels rotate, in which layout and by which axes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import scaling
from .._arguments import LAYOUTS, Array, Layout, choice, even, flag, whole
from ..axes import mrope_axes
from . import families as known
from . import names
from .reading import LATENT, Reading
from .spellings import agreed

_HEAD_OF = {"full_attention": "global_head_dim", "sliding_attention": "swa_head_dim"}
_LAYOUT_OF = {"rope_gpt_neox": "half", "rope_gptj": "interleaved"}  # position_embedding_type that names one


class Sizes(Reading):
    """Sizes of heads and their slices, layout, axes."""

    def sizes(self, rope: Mapping[str, Any], kind: str, layer_type: str | None) -> tuple[int, int, int]:
        """Channels of a head, those of them that rotate, and the first of these."""
        beside = self.beside
        part, rotary = self.said("partial_rotary_factor", rope), self.said("rotary_dim", rope)
        # of a part, scaled frequencies are those of what partial_rotary_factor says, by that name
        unread = kind == "default" or "alpha" in rope or part is None
        unread |= "partial_rotary_factor" not in rope and self.spelled("partial_rotary_factor") != "partial_rotary_factor"
        latent = beside.get("qk_rope_head_dim")
        if latent is not None:
            latent = even(latent, "qk_rope_head_dim")
            part = None if part == 1 else part
            if self.family in known.PART_OF_LINEAR:
                part = rotary = None
            given = beside.get("head_dim", self.own_head_dim())
            apart = beside.get("qk_nope_head_dim")
            summed = None if apart is None else latent + whole(apart, "qk_nope_head_dim", 0)
            head = agreed("qk_head_dim", [("sum", summed), ("qk_head_dim", beside.get("qk_head_dim"))])
            wide = given if given is not None else latent if head is None else head
            if head is None:  # transformers points head_dim at the rotating slice; DeepSeek V4's is the whole head
                head = latent if given is None else whole(given, "head_dim")
            wide = whole(wide, "head_dim")
        else:
            if self.family == "dots3_note":  # whose layers differ in it, so that no one value stands in
                raise ValueError(f"config must have qk_rope_head_dim for {self.family!r}, got {', '.join(beside)}")
            usual = beside.get("head_dim")
            if layer_type == "full_attention" and self.family in known.GLOBAL_HEAD_DIM and "per_layer_config" not in beside:
                usual = known.GLOBAL_HEAD_DIM[self.family]  # whatever the others have
            by_layer = [("per_layer_config", usual)] if "per_layer_config" in beside else []
            name = _HEAD_OF.get(layer_type or "", "")
            given = agreed("head_dim", [*by_layer, (name, beside.get(name))], usual)
            given = self.own_head_dim() if given is None else given
            if given is None:
                given = known.TIMES_HIDDEN.get(self.family, 1) * self.divided()
            head = wide = whole(given, "head_dim")
            if kind == "proportional":
                if rotary is not None:
                    self.warnings.append(f"rotary_dim={rotary!r} is not read by rope_type {kind!r}, only partial_rotary_factor")
                self.tell_nulls(head, head)
                return head, even(head, "head_dim"), 0
            if rotary is None and part is None:
                rotary = known.ROTARY_DIM.get(self.family)
            if part is None and (rotary is None or self.passes_over(rotary, wide)):
                part, rotary = known.PART.get(self.family, 1.0), None
        if part is not None:
            part = scaling.channels(wide, scaling.fraction(part, "partial_rotary_factor"))
        spelled = [("rotary_dim", rotary), ("qk_rope_head_dim", latent), ("head_dim * partial_rotary_factor", part)]
        for key, value in (("partial_rotary_factor", part), ("rotary_dim", rotary)):
            if value == 0:
                got = f"{self.spelled(key)}={self.said(key, rope)!r}"
                raise ValueError(f"config must be that of a model with RoPE, got {got}: no channel rotates")
        rotary = even(agreed("rotary_dim", spelled), "rotary_dim")
        other = beside.get("attn_rotary_emb")  # as Bamba is published, whose code does not read it
        if other not in (None, rotary):
            self.warnings.append(f"attn_rotary_emb is not read, got {other!r}: {rotary} channels rotate")
        self.tell_nulls(head, rotary)
        if unread and rotary < head and latent is None and self.family in known.WHOLE_HEADS:
            name = "rotary_dim" if self.said("rotary_dim", rope) is not None else "partial_rotary_factor"
            self.warnings.append(
                f"{name}={self.said(name, rope)!r} is applied, though the code of {self.family} in transformers turns whole heads"
            )
        if rotary > head:
            raise ValueError(f"rotary_dim must be at most head_dim, got {rotary} and {head}")
        return head, rotary, head - rotary if latent is not None or self.family in known.VALUES_TURNED_BACK else 0

    def tell_nulls(self, head: int, rotary: int) -> None:
        """A null is taken for absent, and the code of some families takes it for whole heads, or for heads of one width."""
        told = [("partial_rotary_factor", rotary != head)]
        told += [("per_layer_config", head != self.beside.get("head_dim") and self.family in known.GLOBAL_HEAD_DIM)]
        for name, differs in told:
            for null in (each for each in self.settings.nulls_beside.get(name, ()) if differs and self.is_known):
                self.warnings.append(f"{null} is null and is taken for absent: {rotary} of {head} channels rotate")

    def passes_over(self, rotary: Any, head: int) -> bool:
        """Whether the family's code knows a part of the head by its factor alone: a rotary_dim that says otherwise is told."""
        if not self.is_known or self.family in known.ROTARY_DIM_READ | known.WHOLE_HEADS:
            return False
        usual = scaling.channels(head, known.PART.get(self.family, 1.0))
        if rotary != usual:
            but = f"the code of {self.family} in transformers does not read it, but partial_rotary_factor, and turns {usual}"
            self.warnings.append(f"rotary_dim={rotary!r} is passed over: {but} channels without")
        return True

    def of_linear(self, layer_type: str | None) -> None:
        """Leave latent attention to the full layers, where linear ones have heads of their own."""
        if layer_type is None:
            raise ValueError(
                "layer_type must be 'full_attention' or 'linear_attention', which rotate differently, or layer given and "
                "layer_group_size, got None"
            )
        if layer_type == "linear_attention":
            self.plain = True
            self.drop(*LATENT, "rope_interleaved")  # which the full layers' code reads

    def divided(self) -> int:
        """The width of a head by the hidden size and the number of heads; a part of a file may leave them to its family."""
        hint, usual = self.slips(), zip(("hidden_size", "num_attention_heads"), known.SIZES.get(self.family, ()), strict=False)
        lack = {key: value for key, value in usual if key not in self.beside}
        if lack:
            missing, are = " and ".join(lack), "is" if len(lack) == 1 else "are"
            theirs = " and ".join(f"{value:,}" for value in lack.values())
            if self.settings.nested:
                self.warnings.append(f"{missing} {are} not given: {theirs} {are} {self.family}'s own")
                self.beside = self.beside | lack
            else:
                hint += f"; {self.family}'s own {missing} {are} {theirs}"
        return _head_dim(self.beside, self.settings.parts, hint)

    def slips(self) -> str:
        """Keys that are not read, and that may be meant for the size of a head."""
        meant = ("'head_dim'", "'hidden_size'", "'num_attention_heads'")
        return "".join(f"; {each}" for each in self.settings.unread if each.endswith(meant))

    def layout(self, rope: Mapping[str, Any]) -> Layout:
        said = self.said("rope_interleaved", rope)
        name = self.spelled("rope_interleaved")
        if said is not None:
            said = "interleaved" if flag(said, name) else "half"
        if said is not None and self.is_known and self.family not in known.LAYOUT_SAID:
            if said != self.family_layout():
                self.warnings.append(
                    f"{name}={said == 'interleaved'} is passed over: the code of {self.family} does not read it, and its layout "
                    f"is {self.family_layout()!r}; to ask for another, give layout"
                )
            said = None
        kind = self.beside.get("position_embedding_type")
        by_kind = (f"position_embedding_type={kind!r}", _LAYOUT_OF.get(str(kind)))
        layout = agreed("layout", [("layout", self.said("layout", rope)), ("rope_interleaved", said), by_kind])
        if layout is None:
            layout = self.family_layout()
        return choice(layout, "layout", LAYOUTS)

    def family_layout(self) -> str:
        if self.plain:  # the attention of Llama stands in
            return "half"
        own = names.layout(self.family)
        if own is not None:
            return own
        # GPT-J's own keys, and those of multi-head latent attention, tell where the family is not named
        as_gptj = not self.family and "hidden_size" in self.beside and "rotary_dim" in self.beside
        layout = "interleaved" if as_gptj or self.native or "qk_rope_head_dim" in self.beside else "half"
        if self.family:
            near = names.nearest(self.family)
            same = near and (names.layout(near) == layout or names.bare(near) == names.bare(self.family))
            hint = f"; the nearest that is known, {near!r}, is {names.layout(near)}" if near and same else ""
            assumed = f"that it rotates, with layout {layout!r}, is assumed"
            self.warnings.append(f"model_type {self.family!r} is not known: {assumed}{hint}")
        elif "architectures" in self.beside:
            but = f"though architectures is {self.beside['architectures']!r}"
            self.warnings.append(f"model_type is not given, {but}: layout {layout!r} is assumed")
        return layout

    def indexer(self, rotary: int, layout: Layout) -> tuple[int, int, Layout]:
        """Head, first rotating channel and layout of the indexer."""
        if "index_head_dim" not in self.beside:
            raise ValueError(f"part must be 'attention' for a config without index_head_dim, got 'indexer' for {self.family!r}")
        head = whole(self.beside["index_head_dim"], "index_head_dim")
        if rotary > head:
            raise ValueError(f"index_head_dim must hold the {rotary} channels that rotate, got {head}")
        silent, where = known.INDEXER.get(self.family or ("deepseek_v32" if self.native else ""), ("", "first"))
        said = self.beside.get("indexer_rope_interleave")
        if said is not None:
            layout = "interleaved" if flag(said, "indexer_rope_interleave") else "half"
        elif silent:
            layout = choice(silent, "layout", LAYOUTS)
        else:
            self.warnings.append(
                f"the indexer of model_type {self.family!r} is not known: layout {layout!r} of attention is assumed"
            )
        return head, head - rotary if where == "last" else 0, layout

    def axes(self, rope: Mapping[str, Any], pairs: int) -> Array | None:
        said = [("mrope_section", self.said("mrope_section", rope))]
        order, usual = known.AXES.get(self.family, (None, None))
        if self.family in known.AXES_OTHERWISE and said[0][1] is not None:
            but = f"as in its publisher's code: that of transformers {known.AXES_OTHERWISE[self.family]}"
            self.warnings.append(f"{self.spelled('mrope_section')}={said[0][1]!r} is taken {but}")
        time = self.beside.get("freq_allocation")
        if order == "hw" and time is not None:  # ERNIE's own key: pairs for time
            rest = pairs - whole(time, "freq_allocation", 0)
            said.append(("freq_allocation", [rest // 2, rest - rest // 2, time]))
        section = agreed("mrope_section", said, usual)
        if section is None:
            if self.settings.is_mrope:
                raise ValueError(
                    f"{self.spelled('rope_parameters')} must have 'mrope_section' for rope_type 'mrope', got {sorted(rope)}"
                )
            return None
        if self.is_known and order is None and self.family not in known.AXES_SAID:
            self.warnings.append(f"mrope_section={section!r} is applied, though the code of {self.family} turns by one position")
        interleaved = self.said("mrope_interleaved", rope)
        if interleaved is not None and order is not None and flag(interleaved, "mrope_interleaved") != (order == "interleaved"):
            raise ValueError(f"mrope_interleaved must be {order == 'interleaved'} for {self.family}, got {interleaved!r}")
        if order == "hw":
            axes = _height_and_width_alternate(section)
        else:
            axes = mrope_axes(section, interleaved=order == "interleaved" if interleaved is None else interleaved)
        if len(axes) != pairs:
            own = "" if any(value is not None for _, value in said) else f", {self.family}'s own, for none is given"
            raise ValueError(f"mrope_section must sum to the {pairs} pairs that rotate, got {section}{own}")
        return axes


def _head_dim(beside: Mapping[str, Any], parts: list[str], hint: str) -> int:
    width, heads = beside.get("hidden_size"), beside.get("num_attention_heads")
    if width is None or heads is None:
        got = ", ".join(beside) or "neither"
        held = f"; give one of its parts: {', '.join(map(repr, parts))}" if parts else ""
        raise ValueError(f"config must have head_dim, or hidden_size and num_attention_heads, got {got}{held}{hint}")
    width, heads = whole(width, "hidden_size"), whole(heads, "num_attention_heads")
    if width % heads:
        raise ValueError(f"hidden_size must be a multiple of num_attention_heads, got {width} and {heads}")
    return width // heads


def _height_and_width_alternate(section: Any) -> Array:
    """ERNIE 4.5 VL: sections in the order height, width, time; h and w alternate over the fast pairs, t has the slow."""
    mrope_axes(section)
    if len(section) != 3 or section[0] != section[1]:
        raise ValueError(f"mrope_section must hold as many pairs for height as for width, then those for time, got {section}")
    return np.concatenate([np.tile([1, 2], section[0]), np.zeros(section[2], np.int64)])
