"""Objects of the host, each given in one text: textures, surfaces and tensor maps (the tensor, and the box of it that is copied)."""

from __future__ import annotations

import re
from collections.abc import Callable
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
_EXTENTS = re.compile(r"[1-9][0-9]{0,6}(x[1-9][0-9]{0,6}){0,4}", re.ASCII)
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
        elif key == "box" and _EXTENTS.fullmatch(value):
            box = value
        elif key == "swizzle" and value.isdecimal() and int(value) in _SWIZZLES:
            span = int(value)
        else:
            shape = ""
    if not _EXTENTS.fullmatch(shape) or not box or shape.count("x") != box.count("x"):
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


TEXTURE, SURFACE = "cudaTextureObject_t", "cudaSurfaceObject_t"
TEXTURE_EXAMPLE, SURFACE_EXAMPLE = "8x64:random:float:linear:wrap", "8x64:zeros:float"
_TEXELS = {
    "char": ("i1", 1, -127), "uchar": ("u1", 1, 255), "short": ("i2", 1, -32767), "ushort": ("u2", 1, 65535), "int": ("i4", 1, 0),
    "uint": ("u4", 1, 0), "float": ("f4", 1, 0), "float2": ("f4", 2, 0), "float4": ("f4", 4, 0), "uchar4": ("u1", 4, 255),
}  # fmt: skip
"""NumPy's type, how many of them a texel has, and what it is divided by where it is read as a number from 0 or -1 to 1."""
_MODES = ("wrap", "clamp", "mirror", "border")
"""In the order of cudaTextureAddressMode."""
_FLAGS = ("linear", "normalized", "unit")
_SHAPE = re.compile(r"(?:([1-9][0-9]{0,6})x)?([1-9][0-9]{0,8})", re.ASCII)
Made = dict[str, Argument] | Message


def texture(name: str, text: str, largest: int) -> Made:
    """The members of the texture `name` that `[ROWSx]COLUMNS[:FILL][:TYPE][:linear][:normalized][:unit][:MODE]` stands for, by path; or why
    there are none. `normalized` are coordinates from 0 to 1, `unit` are texels that are read so."""
    return _object(name, text, largest, TEXTURE_EXAMPLE, (*_MODES, *_FLAGS))


def surface(name: str, text: str, largest: int) -> Made:
    """As `texture`, without what only a texture has."""
    return _object(name, text, largest, SURFACE_EXAMPLE, ())


def _object(name: str, text: str, largest: int, example: str, able: tuple[str, ...]) -> Made:
    shape, *options = text.strip().split(":")
    found = _SHAPE.fullmatch(shape)
    texel = next((each for each in options if each in _TEXELS), "float")
    dtype, lanes, scale = _TEXELS[texel]
    known = {*Fill, *_TEXELS, *able}
    if found is None or not known.issuperset(options) or ("unit" in options and not scale):
        return message(
            "{name} is texels, for example {example}, with any of these words behind how many they are: {words}; not “{text}”.",
            name=name, example=example, words=", ".join((*Fill, *_TEXELS, *able)), text=text[:80],
        )  # fmt: skip
    height, width = int(found[1] or 1), int(found[2])
    fill = next((Fill(each) for each in options if each in set(Fill)), Fill.RANDOM)
    size = int(dtype[1]) * lanes
    if height * width * size > largest:
        needed = ceil(height * width * size / MIB)
        return message("{name} takes {needed} MiB; {limit} MiB are allowed.", name=name, needed=needed, limit=largest / MIB)
    texels = filled((height, width * lanes), dtype, fill)
    members: dict[str, Argument] = {"data": texels.ravel(), "width": width, "height": height, "pitch": width * size, "bytes": size}
    if able:
        mode = next((_MODES.index(each) for each in options if each in _MODES), _MODES.index("clamp"))
        members |= {"scale": scale if "unit" in options else 0, "mode_x": mode, "mode_y": mode}
        members |= {each: int(each in options) for each in ("linear", "normalized")}
    return {f"{name}.{member}": value for member, value in members.items()}


_OBJECTS: dict[str, tuple[Callable[[str, str, int], Made], str]] = {
    "CUtensorMap": (tensor_map, EXAMPLE),
    "CUtensorMap_st": (tensor_map, EXAMPLE),
    TEXTURE: (texture, TEXTURE_EXAMPLE),
    SURFACE: (surface, SURFACE_EXAMPLE),
}
WRITTEN = frozenset(_OBJECTS)
"""How the types of such parameters are called."""


def example_of(kind: str) -> str:
    """What a parameter of this type is given where nobody says anything."""
    return _OBJECTS[kind][1]


def written_object(kind: str, name: str, text: str, largest: int) -> Made:
    """The members of a parameter of this type, by path, or why the text gives none."""
    return _OBJECTS[kind][0](name, text, largest)
