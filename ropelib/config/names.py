"""Names that are nearly those of a family, or that name it in another way."""

from difflib import get_close_matches
from functools import lru_cache

from . import families as known


def bare(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_BARE = {
    bare(name): known.SAME.get(name, name)
    for name in sorted({*known.ROTATING, *known.WITHOUT, *known.UNSUPPORTED, *known.ONLY_IF, *known.SAME})
}


def family(model_type: str) -> str:
    """The family of a model_type: without what says that it is the text's, and by one name of several."""
    text = model_type.removesuffix("_model") if model_type.endswith("_text_model") else model_type
    name = text.removesuffix("_text")
    return known.SAME.get(name, name)


def layout(family: str) -> str | None:
    """The layout of a family that is known to rotate."""
    if family in known.INTERLEAVED:
        return "interleaved"
    return "half" if family in known.HALF else None


@lru_cache(256)
def of_class(name: str) -> str | None:
    """The family that a class of models is named after: cohere for "CohereForCausalLM"."""
    stem = next((name.partition(end)[0] for end in ("For", "LMHead", "Model") if end in name), "")
    return _BARE.get(bare(stem))


@lru_cache(256)
def nearest(family: str) -> str | None:
    """The one known family that rotates, and whose name is nearly this one."""
    near = get_close_matches(bare(family), [bare(name) for name in known.ROTATING], 1, 0.85)
    return _BARE[near[0]] if near else None


@lru_cache(256)
def kind_of_layer(name: str) -> str | None:
    """The kind of layer that a name is a slip of, if it is of none."""
    return None if name in known.KINDS else next(iter(get_close_matches(name, known.KINDS, 1, 0.9)), None)
