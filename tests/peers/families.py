"""What a family of transformers does with its heads, seen from outside: every call of its own rotation, layer by layer.

A model is built on torch's meta device, which has shapes and no numbers, so that any size runs in a moment; its apply
functions are listened to. Each call is then replayed with numbers on the CPU.
"""

import importlib
import importlib.util
import inspect
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np

FOLDER = Path(importlib.util.find_spec("transformers").origin).parent / "models"
LENGTH = 7  # a number of tokens that no family has as a number of heads
POSITIONS = np.array([0, 1, 2, 5, 9, 30, 31])

_ROTARY = re.compile(r"^class (\w*(?:Rotary\w*Embedding|RopePositionEmbedding)\w*)\(", re.M)
_APPLY = re.compile(r"^apply_\w*(rotary|rope)")
_TENSORS = ("q", "k", "x", "tensor", "xq", "xk")
_PASSED_BY = re.compile(r"\.(mlp|moe|feed_forward|block_sparse_moe|experts|ffn|router)$")  # what follows attention in a layer


def rotary_families():
    """Each modeling file of transformers with a rotary embedding, without importing it: (folder, stem of the file)."""
    files = sorted(FOLDER.glob("*/modeling_*.py"))
    return [(path.parent.name, path.stem) for path in files if _ROTARY.search(path.read_text(encoding="utf-8"))]


def other_families():
    """Each configuration file of a folder without rotation: (folder, stem of the file)."""
    rotary = {folder for folder, _ in rotary_families()}
    files = sorted(FOLDER.glob("*/configuration_*.py"))
    return [(path.parent.name, path.stem) for path in files if path.parent.name not in {*rotary, "auto"}]


def module(folder, stem):
    return importlib.import_module(f"transformers.models.{folder}.{stem}")


def own_classes(of):
    return [each for each in vars(of).values() if inspect.isclass(each) and each.__module__ == of.__name__]


def rotary_classes(of):
    names = set(_ROTARY.findall(Path(of.__file__).read_text(encoding="utf-8")))
    return [each for each in own_classes(of) if each.__name__ in names]


def speeds(embedding):
    """The frequencies that an embedding holds, by the names of its buffers."""
    return {name: each for name, each in embedding.named_buffers() if name.endswith("inv_freq") and "original" not in name}


def text_models(of):
    """The models of a module that read tokens, each with its own config, not with one that holds others."""
    transformers = importlib.import_module("transformers")
    for each in own_classes(of):
        if issubclass(each, transformers.PreTrainedModel) and re.search("(Model|Encoder|Decoder)$", each.__name__):
            fields = getattr(each.config_class, "__dataclass_fields__", {})
            if "vocab_size" in fields and "text_config" not in fields and "Vision" not in each.__name__:
                yield each


def as_published(config):
    """What `config.json` would hold."""
    return json.loads(config.to_json_string(use_diff=False))


@dataclass
class Call:
    """One call of a rotation: who called, in which layer, with heads of which width, the first of them at which channel."""

    function: object
    owner: str
    layer: int | None
    width: int
    start: int
    arguments: dict
    seq_axis: int


@contextmanager
def _listening(of, calls):
    torch, masks = importlib.import_module("torch"), importlib.import_module("transformers.masking_utils")
    functions = {name: f for name, f in vars(of).items() if _APPLY.match(name) and inspect.isfunction(f)}
    packed = masks.find_packed_sequence_indices

    def heard(function):
        signature = inspect.signature(function)

        def call(*args, **kwargs):
            owner = inspect.currentframe().f_back.f_locals.get("self")
            arguments = dict(signature.bind(*args, **kwargs).arguments)
            x = next(value for value in arguments.values() if isinstance(value, torch.Tensor))
            axes = [i for i, size in enumerate(x.shape[:-1]) if size == LENGTH]
            if x.ndim == 4 and axes:
                layer = getattr(owner, "layer_idx", None)
                made = (function, type(owner).__name__, layer, x.shape[-1], x.storage_offset(), arguments, axes[0])
                calls.append(Call(*made))
            return function(*args, **kwargs)

        return call

    try:
        masks.find_packed_sequence_indices = lambda *_, **__: None  # it would look at the positions, which have no numbers
        for name, function in functions.items():
            setattr(of, name, heard(function))
        yield
    finally:
        masks.find_packed_sequence_indices = packed
        for name, function in functions.items():
            setattr(of, name, function)


def heard(of, model_class, config):
    """The model on the meta device, and each call of a rotation that one pass over seven tokens makes.

    `whole` says whether the pass came to its end; if it did not, not all layers were heard.
    """
    torch = importlib.import_module("torch")
    calls, whole, before = [], False, torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)  # which grouped experts ask for
    try:
        with _listening(of, calls), torch.device("meta"), torch.no_grad():
            model = model_class(config).eval()
            tokens = torch.zeros(1, LENGTH, dtype=torch.long)
            for attempt in ({"use_cache": False}, {}, None):
                if attempt is None:  # what follows attention asks for numbers: pass it by
                    attempt = {"use_cache": False}
                    for name, each in model.named_modules():
                        if _PASSED_BY.search(name):
                            each.forward = lambda x, *_, **__: x
                calls.clear()
                try:
                    model(input_ids=tokens, **attempt)
                    whole = True
                    break
                except Exception:  # of any kind: the caller says which families may fail, and why
                    continue
    finally:
        torch.set_default_dtype(before)
    return SimpleNamespace(model=model, calls=calls, whole=whole)


def kept(of, model_class, config):
    """Bytes at 2 a number that each layer of a model keeps of a token, None for one that keeps no keys; or [] without a cache."""
    torch = importlib.import_module("torch")
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with _listening(of, []), torch.device("meta"), torch.no_grad():
            model = model_class(config).eval()
            for name, each in model.named_modules():
                if _PASSED_BY.search(name):
                    each.forward = lambda x, *_, **__: x
            out = model(input_ids=torch.zeros(1, LENGTH, dtype=torch.long), use_cache=True)
    finally:
        torch.set_default_dtype(before)
    found, cache = [], getattr(out, "past_key_values", None)
    for layer in getattr(getattr(cache, "self_attention_cache", cache), "layers", ()):
        keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
        seen = keys is not None and keys.ndim == 4
        found.append(2 * (keys.shape[1] * keys.shape[3] + values.shape[1] * values.shape[3]) if seen else None)
    return found


def replayed(function, arguments, tables, q, k):
    """q and k through the same function with the same arguments, numbers in place of shapes."""
    torch = importlib.import_module("torch")
    names = [name for name in arguments if name in _TENSORS]
    values = dict(arguments)
    if not isinstance(tables, tuple):
        values["freqs_cis"] = tables
    elif list(arguments).index("sin") < list(arguments).index("cos"):  # GPT-J's order, in the function as in the table
        values |= {"sin": tables[0], "cos": tables[1]}
    else:
        values |= {"cos": tables[0], "sin": tables[1]}
    if len(names) == 1:
        return [function(**{**values, names[0]: torch.tensor(x)}) for x in (q, k)]
    return function(**{**values, names[0]: torch.tensor(q), names[1]: torch.tensor(k)})
