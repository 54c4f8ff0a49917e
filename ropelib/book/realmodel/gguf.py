"""Read a GGUF file: what it says of the model, and its tensors, with four-bit numbers made into float32.

A file is a head, a list of settings, a list of tensors, and then the tensors' bytes one after another. The format:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import struct

import numpy as np

NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
F32, F16, Q4_1, Q8_0 = 0, 1, 3, 8  # how a tensor's numbers are kept
BLOCK = 32  # numbers that share a scale
BLOCKS = {
    Q4_1: np.dtype([("scale", "<f2"), ("least", "<f2"), ("packed", "u1", BLOCK // 2)]),
    Q8_0: np.dtype([("scale", "<f2"), ("whole", "i1", BLOCK)]),
}


def read(data):
    """Settings and tensors of a GGUF file.

    Parameters
    ----------
    data : bytes-like
        The whole file.

    Returns
    -------
    settings : dict of str to number, str, list or ndarray
    tensors : dict of str to ndarray of float32
        Matrices as (outputs, inputs).

    Raises
    ------
    ValueError
        If the bytes are no GGUF file, end too early, or hold a kind of number that is not known here.
    """
    try:
        return _read(data)
    except (struct.error, UnicodeDecodeError, KeyError, MemoryError, OverflowError) as error:
        raise ValueError(f"data is no whole GGUF file: {type(error).__name__}: {error}") from None


def _read(data):
    cursor = _Cursor(data)
    if bytes(data[:4]) != b"GGUF":
        raise ValueError(f"data is no GGUF file: it begins with {bytes(data[:4])!r}, not b'GGUF'")
    cursor.place = 4
    cursor.number("I")  # the format's version
    count, settings_count = cursor.number("Q"), cursor.number("Q")
    settings = {cursor.string(): cursor.value(cursor.number("I")) for _ in range(settings_count)}
    listed = [cursor.tensor() for _ in range(count)]
    align = settings.get("general.alignment", 32)
    start = -(-cursor.place // align) * align
    return settings, {name: numbers(data, kind, shape, start + offset, name) for name, shape, kind, offset in listed}


class _Cursor:
    """Reads one thing after another."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def number(self, code):
        (value,) = struct.unpack_from(f"<{code}", self.data, self.place)
        self.place += struct.calcsize(f"<{code}")
        return value

    def string(self):
        length = self.number("Q")
        self.place += length
        return bytes(self.data[self.place - length : self.place]).decode("utf-8")

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            kind, count = self.number("I"), self.number("Q")
            return [self.value(kind) for _ in range(count)]
        return self.number(NUMBERS[kind])

    def tensor(self):
        name, axes = self.string(), self.number("I")
        shape = [self.number("Q") for _ in range(axes)][::-1]
        return name, shape, self.number("I"), self.number("Q")


def numbers(data, kind, shape, start, name="the tensor"):
    """The numbers of one tensor, as float32."""
    count = int(np.prod(shape))
    if kind in (F32, F16):
        plain = taken(data, np.dtype("<f4" if kind == F32 else "<f2"), count, start, name)
        return plain.astype(np.float32).reshape(shape)
    if kind not in BLOCKS:
        raise ValueError(f"{name} is of kind {kind}, expected one of {F32} (F32), {F16} (F16), {Q4_1} (Q4_1), {Q8_0} (Q8_0)")
    blocks = taken(data, BLOCKS[kind], count // BLOCK, start, name)
    scale = blocks["scale"].astype(np.float32)[:, None]
    if kind == Q8_0:
        return (blocks["whole"] * scale).reshape(shape)
    out = np.empty((len(blocks), BLOCK), np.float32)  # two numbers a byte: the low halves come first
    np.multiply(blocks["packed"] & 15, scale, out=out[:, : BLOCK // 2])
    np.multiply(blocks["packed"] >> 4, scale, out=out[:, BLOCK // 2 :])
    out += blocks["least"].astype(np.float32)[:, None]
    return out.reshape(shape)


def taken(data, dtype, count, start, name):
    """So many things from the file's bytes, without a copy."""
    if start + count * dtype.itemsize > len(data):
        raise ValueError(f"data is no whole GGUF file: it ends within {name}")
    return np.frombuffer(data, dtype, count, start)
