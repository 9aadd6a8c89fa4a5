"""The arguments of a text that is run on the GPU: their types, their values, their place in memory."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.messages import Message, message

if TYPE_CHECKING:
    from kernels.gpu.text_run import TextRun
    from kernels.simt.types import Pointer, Scalar, Type

LARGEST_BYTES = 4 << 30
"""Of one array."""


def types_of(job: TextRun) -> dict[str, Type]:
    """The types of the parameters, in order."""
    from kernels.simt.frontend.parse import parse
    from kernels.simt.lower.types import Types

    cursor = parse(job.text, job.path, job.defines).function_cursor(job.entry)
    found: dict[str, Type] = {}
    for parameter in cursor.get_arguments():
        kind = Types().of(parameter.type)
        if kind is not None:
            found[parameter.spelling] = kind
    return found


def _leaves(types: Mapping[str, Type]) -> dict[str, Scalar | Pointer]:
    from kernels.simt.layout import leaves

    return {path: kind for name, c_type in types.items() for path, kind, _ in leaves(c_type, name)}


def values_of(job: TextRun, types: Mapping[str, Type]) -> dict[str, Any] | Message:
    """What each parameter, or member of one, is given."""
    from kernels.simt.arguments import parse_argument

    values: dict[str, Any] = {}
    for path, kind in _leaves(types).items():
        if path not in job.texts:
            return message("The kernel needs a value for {name}.", name=path)
        value = parse_argument(path, job.texts[path], kind, LARGEST_BYTES)
        if isinstance(value, Message):
            return value
        values[path] = value
    return values


def place(values: Mapping[str, Any], types: Mapping[str, Type], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays of bytes on the GPU; what nothing is given for holds bytes of ones, as float32 NaN."""
    import cupy

    from kernels.simt.arguments import initial_of
    from kernels.simt.launch import Filled
    from kernels.simt.layout import size_of
    from kernels.simt.types import Pointer

    arrays = {}
    for path, kind in _leaves(types).items():
        if not isinstance(kind, Pointer):
            continue
        value = values[path]
        if path in inputs:
            host = np.ascontiguousarray(inputs[path]).reshape(-1).view(np.uint8)
        elif isinstance(value, Filled) and value.fill is None:
            host = np.full(value.count * size_of(kind.target), 0xFF, np.uint8)
        elif isinstance(value, Filled) and value.fill == "zeros":
            host = np.zeros(value.count * size_of(kind.target), np.uint8)
        else:
            host = np.asarray(initial_of(value, kind.target, 0).bytes)
        arrays[path] = cupy.asarray(host)
    return arrays


class Arguments:
    """The parameters as the driver takes them: addresses of their bytes."""

    def __init__(self, types: Mapping[str, Type], values: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        from kernels.simt.layout import leaves, scalar_dtype, size_of

        self._bytes = []
        for name, c_type in types.items():
            whole = np.zeros(max(size_of(c_type), 1), np.uint8)
            for path, kind, offset in leaves(c_type, name):
                value = arrays[path].data.ptr if path in arrays else values[path]
                scalar = np.array([value]).astype(scalar_dtype(kind))
                whole[offset : offset + scalar.nbytes] = scalar.view(np.uint8)
            self._bytes.append(whole)
        self._pointers = (ctypes.c_void_p * max(len(self._bytes), 1))(*(each.ctypes.data for each in self._bytes))
        self.address = ctypes.addressof(self._pointers)
