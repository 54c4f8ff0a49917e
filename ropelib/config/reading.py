"""One config with its family: what its keys are called, and which of them the family's code reads."""

from collections.abc import Mapping
from typing import Any

from .._arguments import WrongType, flag
from . import families as known
from . import names
from .spellings import Settings, agreed

LATENT = ("qk_nope_head_dim", "qk_rope_head_dim", "qk_head_dim")  # sizes of multi-head latent attention


class Reading:
    """One config, its family, and what had to be said about it."""

    def __init__(self, settings: Settings) -> None:
        self.beside, self.settings, self.warnings = settings.beside, settings, list(settings.unread)
        self.as_read = settings  # for another reading of the same config, which says again what this one says
        self.own = False  # whether its rope settings are its family's, not the file's
        self.name_by_architecture()
        self.family = names.family(str(self.beside.get("model_type", "")))
        if self.family == "xlm-roberta" and self.beside.get("position_embedding_type") == "rotary":
            self.family = "jina_embeddings_v3"  # as its publisher's own code names itself
        if (self.family, settings.rope.get("rope_type")) == ("hunyuan_vl", "xdrope"):  # its publisher's word
            self.settings = settings._replace(rope=settings.rope | {"rope_type": "dynamic"})
        if self.family in known.SU_BY_YARN and settings.rope.get("rope_type") == "yarn" and "short_factor" in settings.rope:
            self.settings = settings._replace(rope=settings.rope | {"rope_type": "longrope"})
        self.plain = not flag(self.beside.get("use_mla", True), "use_mla")  # DeepSeek-OCR: latent attention left out, its sizes 0
        if self.plain:
            self.drop(*LATENT)
        self.filled = {} if self.plain else {k: v for k, v in known.LATENT.get(self.family, {}).items() if k not in self.beside}
        self.beside = self.beside | self.filled
        self.native = settings.spelled.get("hidden_size") == "dim"  # a params file, of Meta's, Mistral's or DeepSeek's code
        self.is_known = self.family in known.ROTATING
        self.pass_over()
        off = [key for key in known.ON.get(self.family, ()) if key not in self.beside]
        if off and {"seq_length", "max_position_embeddings"} & {*self.beside}:
            self.beside = self.beside | dict.fromkeys(off, True)
            are = "is" if len(off) == 1 else "are"
            self.warnings.append(f"{' and '.join(off)} {are} not given: on, as {self.family}'s own class has it")
        elif off:
            self.warnings.append(f"{' and '.join(off)}, on in {self.family}'s own class, are left out: seq_length is not given")

    def name_by_architecture(self) -> None:
        """The family of a config without model_type is that of the class it names, as vLLM finds its code."""
        named = self.beside.get("architectures")
        first = str(named[0]) if isinstance(named, list) and named else ""
        family, stated = names.of_class(first), self.beside.get("model_type")
        if stated is not None and not isinstance(stated, str):
            raise WrongType(f"model_type must be a string, got {stated!r}")
        if family is not None and stated is None:
            self.beside = self.beside | {"model_type": family}
            self.warnings.append(f"model_type is not given: {family!r} is taken, after {first!r} in architectures")
        elif stated is not None and family in known.BY_CLASS.get(names.family(stated), ()):
            self.beside = self.beside | {"model_type": family}
        elif stated in known.WITHOUT and family in known.ROTATING:  # Grok-2 is published as "git"
            self.beside = self.beside | {"model_type": family}
            but = f"the model of that name {known.WITHOUT[stated]}"
            self.warnings.append(f"model_type {stated!r} is passed over, for {but}: {family!r} is taken, after {first!r}")
        elif stated is not None and family is not None:
            own, theirs = names.layout(names.family(str(stated))), names.layout(family)
            if own and theirs and own != theirs:
                but = f"though {first!r} in architectures speaks of {family!r}, which is {theirs}"
                self.warnings.append(f"model_type {stated!r}, which is {own}, is taken, {but}")

    def pass_over(self) -> None:
        """Leave out what only other families' code reads: configs are copied from one to another."""
        for key, readers in known.READ_BY.items():
            if not self.is_known or self.family in readers or key not in self.beside:
                continue
            name = self.spelled(key)
            if self.beside[key] and not self.says_nothing(key):
                which = ", ".join(sorted(readers)) if len(readers) < 8 else f"{len(readers)} others, such as {min(readers)}"
                self.warnings.append(f"{name} is passed over: the code of {self.family} does not read it, only that of {which}")
            self.drop(key)
        part = self.beside.get("partial_rotary_factor")
        if part not in (None, known.PART_HELD.get(self.family, part)):
            self.leave("partial_rotary_factor", f"writes {known.PART_HELD[self.family]} over it")
        elif part is not None and not self.spelled("partial_rotary_factor").endswith(known.PART_KEY.get(self.family, "")):
            self.leave("partial_rotary_factor", f"does not read it, but {known.PART_KEY[self.family]}")
        if part is not None and self.family in known.PARTLESS and "partial_rotary_factor" in self.beside:
            if part != known.PART.get(self.family, 1):
                self.leave("partial_rotary_factor", "does not read it")
        if self.is_known:
            self.pass_over_names()

    def pass_over_names(self) -> None:
        """Leave out a base or a width of heads by a name that the family's code does not read, and blocks where it reads none."""
        beside, family = self.beside, self.family
        self.tell_sizes()
        local = known.LOCAL_BASE.get(family, "")
        given = [spelling for spelling, _ in self.settings.given.get("rope_local_base_freq", ())]
        if "rope_local_base_freq" in beside and not any(each.endswith(local) for each in given):
            self.leave("rope_local_base_freq", f"does not read it, but {local}")
        if not self.read_by_name("head_dim", family not in known.WIDTH_UNREAD):
            told = self.spelled("head_dim") != "head_dim" or "hidden_size" in beside or "num_attention_heads" in beside
            sizes = known.SIZES.get(family, (None, None)) if told else (None, None)
            width, heads = beside.get("hidden_size", sizes[0]), beside.get("num_attention_heads", sizes[1])
            own = self.own_head_dim()
            if family in known.BY_CHANNELS or (own and family not in known.DIVIDED):
                but, usual = f"reads {'kv_channels' if family in known.BY_CHANNELS else 'head_dim'} alone", own
            elif isinstance(width, int) and isinstance(heads, int):
                usual = known.TIMES_HIDDEN.get(family, 1) * width // max(heads, 1)
                but = f"divides hidden_size by num_attention_heads, {width} / {heads}"
                but += ", though its rotary embedding in transformers reads it" if family in known.DIVIDED_BUT_EMBEDDED else ""
            else:  # nothing else tells
                usual = beside["head_dim"]
            if beside["head_dim"] != usual:
                self.leave("head_dim", but)
        if not self.read_by_name("partial_rotary_factor", True):
            usual = known.PART.get(family, 1)
            if beside["partial_rotary_factor"] != usual:
                self.leave("partial_rotary_factor", f"does not read it, and takes {usual:g} without")
        if not self.read_by_name("rope_theta", family not in known.BASE_UNREAD):
            usual = known.BASE.get(family)
            if beside["rope_theta"] != usual:
                name = known.BY_THAT_ALONE.get(family, "rope_theta")
                but = "reads no base" if family in known.FIXED else f"reads {name} alone"
                self.leave("rope_theta", f"{but}, and takes {usual:,.10g} without" if usual else but)
        where, rope = self.spelled("rope_parameters"), self.settings.rope
        self.tell_otherwise()
        if family in known.BLOCKLESS and where != "rotary" and (rope or self.settings.of_type):
            plain = {"rope_type": "default", "rope_theta": known.BASE[family]}
            same = all(key in plain and value == plain[key] for key, value in rope.items())
            if self.settings.of_type or not same:
                self.warnings.append(f"{where} is passed over: the code of {family} reads no rope settings")
            self.settings = self.settings._replace(rope={}, of_type={})

    def tell_sizes(self) -> None:
        """Say which sizes have a name that the family's code in transformers does not read."""
        for name in ("hidden_size", "num_attention_heads", "max_position_embeddings"):
            keys = [spelling.rpartition(".")[2] for spelling, _ in self.settings.given.get(name, ())]
            read = [key == name or self.family in known.SIZE_READ_BY.get(key, (self.family,)) for key in keys]
            if keys and not any(read) and self.family not in known.PUBLISHERS:
                but = f"though the code of {self.family} in transformers does not read it, but {name}"
                self.warnings.append(f"{keys[0]}={self.beside[name]!r} is applied, {but}")

    def tell_otherwise(self) -> None:
        """Say what is read as in its publisher's code, and not read by that of transformers, which has a value of its own."""
        family, own = self.family, known.BY_TYPE.get(self.family, {})
        full, sliding = own.get("full_attention") or {}, own.get("sliding_attention") or {}
        usual = {"rope_theta": known.BASE.get(family, 1e4)} if family in known.BASE_OF_PUBLISHER else {}
        if family in known.FLAT_UNREAD:
            usual = full | {"rope_local_base_freq": sliding["rope_theta"]}
            if "rope_local_base_freq" not in self.beside and not self.settings.rope:
                del usual["rope_theta"]  # which is then passed over, and told
        if self.settings.of_type:  # which have all that they need
            usual = {}
        if family in known.FLAT_UNREAD and "swa_head_dim" in self.beside:
            usual["swa_head_dim"] = self.beside.get("head_dim") or known.HEAD_DIM[family]
        for key, value in usual.items():
            name = next((each for each, _ in self.settings.given.get(key, ())), key)
            flat = name.endswith(known.BASE_OF_PUBLISHER.get(family, ""))
            if self.beside.get(key) not in (None, value) and flat:
                but = f"as in its publisher's code: that of {family} in transformers does not read it, and takes {value:,.10g}"
                self.warnings.append(f"{name}={self.beside[key]!r} is taken {but}")

    def says_nothing(self, key: str) -> bool:
        """Whether a key that only another family's code reads says what this one does anyway."""
        value, twin = self.beside[key], known.IDLE_IF_SAME.get(key, "")
        if key in known.IDLE_IF_ALL:
            return all(layer in value for layer in range(self.beside.get("num_hidden_layers") or len(value) + 1))
        if twin and value == self.beside.get(twin, self.settings.rope.get(twin)):
            return True
        return all(each in known.IDLE.get(key, ()) for each in (value if isinstance(value, list) else [value]))

    def read_by_name(self, name: str, own: bool) -> bool:
        """Whether the family's code reads a setting by one of the names that the file gives it; `own` is whether by that one."""
        if name not in self.beside:
            return True
        given = [spelling for spelling, value in self.settings.given.get(name, ()) if value is not None]
        keys = [next((key for key in known.NAME_READ_BY if f".{each}".endswith(f".{key}")), "") for each in given]
        read = [self.family in known.NAME_READ_BY[key] if key else own for key in keys]
        return any(read) or not read

    def leave(self, name: str, but: str) -> None:
        """Leave out a setting that the family's code does not read, and say so."""
        self.warnings.append(f"{self.spelled(name)}={self.beside[name]!r} is passed over: the code of {self.family} {but}")
        self.drop(name)

    def drop(self, *names: str) -> None:
        self.beside = {key: value for key, value in self.beside.items() if key not in names}

    def said(self, name: str, rope: Mapping[str, Any]) -> Any:
        """What the rope settings and those beside them agree on."""
        return agreed(
            name, [(f"{self.spelled('rope_parameters')}.{name}", rope.get(name)), (self.spelled(name), self.beside.get(name))]
        )

    def spelled(self, name: str) -> str:
        """A setting as the config names it."""
        return self.settings.spelled.get(name, name)

    def own_head_dim(self) -> int | None:
        """The width that the family's heads have where the file gives none; None if it follows from the hidden size."""
        null = "head_dim" in self.beside and self.beside["head_dim"] is None
        return None if null and self.family in known.DIVIDED_IF_NULL else known.HEAD_DIM.get(self.family)
