"""Objects of the host that a launch gives in one text: textures, surfaces and tensor maps, for which a program calls the runtime."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import ceil

from kernels.base.messages import Message, message
from kernels.simt.base.launch import MIB, Argument, Fill
from kernels.simt.run.tensor_maps import EXAMPLE, filled, tensor_map

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
