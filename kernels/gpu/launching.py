"""Launcher of kernels on a stream. One that waits by itself for the kernel before it is launched while that one still runs.

That is programmatic dependent launch, which the CUDA driver offers from compute capability 9.0 on and CuPy does not: the first blocks
of a kernel are placed and set up while the last ones of the kernel before end, instead of after them.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

DRIVER_LIBRARY = {"linux": "libcuda.so.1", "win32": "nvcuda.dll"}
"""The driver's library, by `sys.platform`."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WAIT = "griddepcontrol.wait"
_SERIALIZATION = 6
"""CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION"""


class _Attribute(ctypes.Structure):
    """CUlaunchAttribute: its value is a union of 64 bytes."""

    _fields_ = (("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", ctypes.c_int * 16))


class _Configuration(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = (
        *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(_Attribute)), ("count", ctypes.c_uint),
    )  # fmt: skip


def waits(text: str, entry: str) -> bool:
    """Whether the kernel `entry` of a text waits for the kernel before, `griddepcontrol.wait`; comments do not count."""
    own = re.search(rf"\b{re.escape(entry.partition('<')[0])}\s*\((.*?)(?=\b__global__\b|\Z)", _COMMENT.sub("", text), re.DOTALL)
    return own is not None and _WAIT in own[1]


def enqueue(function: int, grid: Sequence[int], block: Sequence[int], shared: int, stream: int, arguments: int, *, early: bool) -> None:
    """Launch a CUfunction; `shared`: bytes of dynamic shared memory; `arguments`: the address of its parameters' addresses.

    `early`: it waits by itself for what is in the stream before it. Raises what CuPy raises where the driver refuses.
    """
    from cupy.cuda import driver

    sizes = (*grid, *(1,) * (3 - len(grid)), *block, *(1,) * (3 - len(block)), shared)
    if not early:
        driver.launchKernel(function, *sizes, stream, arguments, 0)
        return
    attribute = _Attribute(_SERIALIZATION, b"", (1,))
    configuration = _Configuration(*sizes, stream, ctypes.pointer(attribute), 1)
    status = _driver().cuLaunchKernelEx(ctypes.byref(configuration), ctypes.c_void_p(function), ctypes.c_void_p(arguments), None)
    if status != 0:
        raise driver.CUDADriverError(status)


@cache
def _driver() -> Any:
    return ctypes.CDLL(DRIVER_LIBRARY[sys.platform])
