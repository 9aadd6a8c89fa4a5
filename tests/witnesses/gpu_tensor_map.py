"""Maps of tensors as the driver makes them, on a machine with a GPU: what the host's side of a program does."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

MAP_BYTES, ALIGNED = 128, 64
KINDS = {"u1": 0, "u2": 1, "u4": 2, "i4": 3, "u8": 4, "i8": 5, "f2": 6, "f4": 7, "f8": 8}
"""CUtensorMapDataType by NumPy's type."""
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
DECLARED = "struct alignas(64) CUtensorMap { unsigned long long words[16]; };\n"
"""NVRTC does not take the header that declares it."""


def encoded(address: int, tensor: npt.NDArray[Any], box: tuple[int, ...], span: int) -> npt.NDArray[np.void]:
    """The map of a tensor that lies at an address of the GPU, by value: an array of one. RuntimeError where the driver refuses it.

    `box` has the innermost dimension first.
    """
    rank = len(box)
    room = ctypes.create_string_buffer(MAP_BYTES + ALIGNED)
    at = -(-ctypes.addressof(room) // ALIGNED) * ALIGNED
    sizes = (ctypes.c_uint64 * rank)(*tensor.shape[::-1])
    strides = (ctypes.c_uint64 * max(rank - 1, 1))(*tensor.strides[::-1][1:])
    boxes, ones = (ctypes.c_uint32 * rank)(*box), (ctypes.c_uint32 * rank)(*[1] * rank)
    status = ctypes.CDLL("libcuda.so.1").cuTensorMapEncodeTiled(
        ctypes.c_void_p(at), ctypes.c_int(KINDS[tensor.dtype.str[1:]]), ctypes.c_uint32(rank), ctypes.c_void_p(address), sizes, strides,
        boxes, ones, ctypes.c_int(0), ctypes.c_int(SWIZZLES[span]), ctypes.c_int(0), ctypes.c_int(0),
    )  # fmt: skip
    if status:
        raise RuntimeError(f"cuTensorMapEncodeTiled: error {status} for a box {box} of {tensor.shape} {tensor.dtype}, swizzle {span}")
    return np.frombuffer(ctypes.string_at(at, MAP_BYTES), np.dtype((np.void, MAP_BYTES))).copy()
