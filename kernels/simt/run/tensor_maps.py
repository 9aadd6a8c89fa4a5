"""A tensor map as a launch gives it in one text: the tensor and the box of it that a copy moves."""

from __future__ import annotations

import re
from math import ceil, prod

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.simt.base.launch import MIB, Argument, Fill
from kernels.simt.base.rounding import bfloat16_bits

EXAMPLE = "64x64:arange:float:box=8x32:swizzle=128"
_KINDS = {
    "u8": (0, "u1"), "u16": (1, "u2"), "u32": (2, "u4"), "int": (3, "i4"), "u64": (4, "u8"), "long": (5, "i8"), "half": (6, "f2"),
    "float": (7, "f4"), "double": (8, "f8"), "bfloat16": (9, "u2"),
}  # fmt: skip
"""CUtensorMapDataType and NumPy's type by the name of an element."""
_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
_SHAPE = re.compile(r"[1-9][0-9]{0,6}(x[1-9][0-9]{0,6}){0,4}", re.ASCII)
_MOST_OF_BOX = 256
_ALIGNED = 16


def tensor_map(name: str, text: str, largest: int) -> dict[str, Argument] | Message:
    """The members of the map `name` that `SHAPE[:zeros|random|arange][:TYPE]:box=SHAPE[:swizzle=BYTES]` stands for, by path; or why there
    are none. Shapes have up to 5 numbers, the innermost dimension last; the tensor takes `largest` bytes at most."""
    shape, *options = text.strip().split(":")
    fill, element, box, span = Fill.RANDOM, "float", "", 0
    for option in options:
        key, _, value = option.partition("=")
        if option in set(Fill):
            fill = Fill(option)
        elif option in _KINDS:
            element = option
        elif key == "box" and _SHAPE.fullmatch(value):
            box = value
        elif key == "swizzle" and value.isdecimal() and int(value) in _SWIZZLES:
            span = int(value)
        else:
            shape = ""
    if not _SHAPE.fullmatch(shape) or not box or shape.count("x") != box.count("x"):
        return message("{name} is a tensor map: a tensor and a box, for example {example}; not “{text}”.",
                       name=name, example=EXAMPLE, text=text[:80])  # fmt: skip
    sizes, boxes = (tuple(map(int, each.split("x"))) for each in (shape, box))
    kind, dtype = _KINDS[element]
    refused = _refused(name, sizes, boxes, np.dtype(dtype).itemsize, span, largest)
    return refused or _members(name, filled(sizes, dtype, fill, brain=element == "bfloat16"), kind, boxes, span)


def _refused(name: str, sizes: tuple[int, ...], boxes: tuple[int, ...], size: int, span: int, largest: int) -> Message | None:
    """Why the driver would make no such map, or there is no room for the tensor."""
    if prod(sizes) * size > largest:
        needed = ceil(prod(sizes) * size / MIB)
        return message("{name} takes {needed} MiB; {limit} MiB are allowed.", name=name, needed=needed, limit=largest / MIB)
    if max(boxes) > _MOST_OF_BOX:
        return message("{name}: a box has at most {most} elements along each dimension.", name=name, most=_MOST_OF_BOX)
    if len(sizes) > 1 and sizes[-1] * size % _ALIGNED:
        return message("{name}: a row of the tensor must be a multiple of 16 bytes, not {bytes}.", name=name, bytes=sizes[-1] * size)
    row = boxes[-1] * size
    if row % _ALIGNED or (span and row > span):
        return message(
            "{name}: a row of the box has {bytes} bytes; it must be a multiple of 16, and not longer than its swizzle.",
            name=name, bytes=row,
        )  # fmt: skip
    return None


def filled(shape: tuple[int, ...], element: str, fill: Fill, *, brain: bool = False) -> npt.NDArray[np.generic]:
    """The elements of a tensor, NumPy's type of which is `element`, as bits where it has none."""
    dtype: np.dtype[np.generic] = np.dtype(element)
    if fill is Fill.ZEROS:
        return np.zeros(shape, dtype)
    if fill is Fill.ARANGE:
        values: npt.NDArray[np.generic] = np.arange(prod(shape)).reshape(shape)
    else:
        random = np.random.default_rng(0)
        values = random.uniform(-1, 1, shape) if dtype.kind == "f" or brain else random.integers(0, 128, shape)
    return bfloat16_bits(values.astype(np.float32)) if brain else values.astype(dtype)


def _members(name: str, tensor: npt.NDArray[np.generic], kind: int, box: tuple[int, ...], span: int) -> dict[str, Argument]:
    """As `cuTensorMapEncodeTiled` of the prelude writes them, the innermost dimension first."""
    rank = tensor.ndim
    found: dict[str, Argument] = {f"{name}.address": tensor.ravel(), f"{name}.kinds": rank | kind << 8 | _SWIZZLES[span] << 16}
    columns = {"size": tensor.shape[::-1], "stride": tensor.strides[::-1][1:], "box": box[::-1]}
    for member, values in columns.items():
        for at in range(4 if member == "stride" else 5):
            found[f"{name}.{member}[{at}]"] = values[at] if at < len(values) else 0
    return found
