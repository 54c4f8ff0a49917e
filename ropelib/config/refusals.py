"""Models without rotation, or with one that is not supported: refused by what their configs say."""

from collections.abc import Mapping

from .._arguments import WrongType, flag
from . import families as known
from .reading import Reading

_SCALES = ("rope_condense_ratio", "rope_scaling_factor", "rotary_emb_scale_base", "rotary_scaling_factor")
_SWITCHES = ("llama_4_scaling", "use_scaled_rope", "use_xpos", "yarn")
_ROTATES = ("rope", "rotary", "rope_gpt_neox", "rope_gptj", "rotary_embedding")


def refuse(model: Reading) -> None:
    """Stop where the config is not that of a model that a `Rope` can say; tell what it leaves out."""
    beside, family = model.beside, model.family
    if family in known.WITHOUT:
        raise ValueError(f"config must be that of a model with RoPE, got model_type {family!r}, which {known.WITHOUT[family]}")
    if family.endswith(known.VISION) and not model.is_known:
        raise ValueError(
            f"config must be that of a text model, got model_type {family!r}, which turns by coordinates or not at all"
        )
    if model.settings.sees:
        named = f"model_type {family!r} with " if family else ""
        raise ValueError(
            f"config must be that of a text model, got {named}{model.settings.sees} and no vocab_size: a part that sees turns "
            "by rows and columns, for which there is axial, or not at all"
        )
    if family in known.ONLY_IF:
        key, value = known.ONLY_IF[family]
        if beside.get(key) != value:
            name, but = known.OTHERWISE.get(family, (model.spelled(key), ""))
            raise ValueError(
                f"config must be that of a model with RoPE, which {family} has only with {name}={value!r}, got "
                f"{name}={beside.get(key)!r}{but}"
            )
    if family in known.STILL_IF_NULL:
        _refuse_null(model)
    if family in known.UNSUPPORTED or beside.get("rotary_value"):
        what = known.UNSUPPORTED.get(family, "with rotary_value rotates values and does not turn the output back")
        raise ValueError(f"config must be that of a model with a supported rotation, got model_type {family!r}, which {what}")
    if family not in {*known.ONLY_IF, *known.BERTS_TYPE} and beside.get("position_embedding_type") not in (None, *_ROTATES):
        kind = beside["position_embedding_type"]
        raise ValueError(f"config must be that of a model with RoPE, got position_embedding_type={kind!r}, which is another code")
    if family in known.ALIBI_AT and beside.get("num_attention_heads") == known.ALIBI_AT[family]:
        heads = beside["num_attention_heads"]
        raise ValueError(f"config must be that of a model with RoPE, got {family!r} with {heads} heads, which has ALiBi")
    for key, no in (("alibi", True), ("mla_use_nope", True), ("use_rope", False)):
        spelled = model.spelled(key)
        if spelled == "rotary" and isinstance(beside.get(key), Mapping):
            raise WrongType(f"rotary must be True or False, got {beside[key]!r}: a block of this name is model_type 'internlm's")
        if key in beside and flag(beside[key], spelled) is no:
            raise ValueError(f"config must be that of a model with RoPE, got {spelled}={no!r}: this model does not rotate")
    temperatures = [("attn_temperature_tuning", False, ("llama4",)), ("attn_temperature_len", -1, ("grok-1",))]
    for key, yes, of in (*temperatures, ("log_scaling_n_floor", None, ())):
        if beside.get(key) not in (None, yes) and family not in of:
            raise ValueError(
                f"config must not scale queries by {key}, which is not supported for {family!r}, got {beside[key]!r}"
            )
    if beside.get("rope_3d") and family != "ernie4_5_vl_moe":
        raise ValueError(f"config must not hold rope_3d, which is supported for ERNIE 4.5 VL alone, got model_type {family!r}")
    for key in _SCALES + _SWITCHES:
        if beside.get(key) not in ((None, False, 0) if key in _SWITCHES else (None, False, 1)):
            name = model.spelled(key)
            raise ValueError(
                f"config must scale by rope_parameters or rope_scaling, got {name}={beside[key]!r}: not supported"
                + known.IN_OTHER_WORDS.get(key, "")
            )
    if beside.get("dual_chunk_attention_config"):
        model.warnings.append(
            "dual_chunk_attention_config maps relative positions beyond a chunk, which no rotation says: it is left out"
        )
    if beside.get("position_encoding_2d"):
        raise ValueError("config must not hold position_encoding_2d=True, which turns halves of a head by two positions")
    ratio, glm4 = beside.get("rope_ratio"), beside.get("padded_vocab_size") == known.GLM4_WORDS
    if ratio not in (None, 1) and family == "chatglm" and not glm4:
        model.warnings.append(
            f"rope_ratio={ratio!r} is taken to multiply the base, as in ChatGLM3 and GLM-4; the code of ChatGLM2-32k divides "
            "positions by it, and the config does not tell which"
        )
    if beside.get("use_long_context"):
        but = "transformers speaks of a rescaled rope_theta, and rescales none"
        model.warnings.append(f"use_long_context is passed over: {but}")
    if family in known.LEARNED:
        model.warnings.append(f"{family} multiplies {known.LEARNED[family]}: they are left out")


def _refuse_null(model: Reading) -> None:
    """Stop at a base that is null, or that null rope settings leave open, in a family that turns nothing without a base."""
    settings, base = model.settings, model.beside.get("rope_theta")
    inside = [name for name in settings.nulls if name.startswith(f"{model.spelled('rope_parameters')}.")]
    null = inside or ([] if settings.rope.get("rope_theta") else settings.nulls)
    if null:
        raise ValueError(
            f"config must be that of a model with RoPE, got {null[0]}=None: without a base {model.family} does not rotate"
        )
    if base is None and settings.null_block.endswith("None"):
        raise ValueError(
            f"rope_theta must be given beside {settings.null_block}, a number or null, got none: transformers 5 turns by "
            f"10000 then, and {model.family}'s publisher writes it for a model that does not rotate"
        )
