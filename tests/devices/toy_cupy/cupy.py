"""The part of CuPy that ranks on GPUs use, done by NumPy and MPI. A folder for PYTHONPATH: processes of a test import it as `cupy`.

TOY_GPUS says how many GPUs this machine has.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import time
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI


class Memory:
    def __init__(self, ptr: int) -> None:
        self.ptr = ptr

    def memset_async(self, value: int, count: int, _stream: Any) -> None:
        ctypes.memset(self.ptr, value, count)


class ndarray(np.ndarray):  # noqa: N801
    @property
    def data(self) -> Any:
        return Memory(self.ctypes.data)

    def get(self) -> Any:
        return np.array(self)


def empty(shape: Any, dtype: Any) -> ndarray:
    return np.full(shape, np.nan, dtype).view(ndarray)


def asarray(array: Any) -> ndarray:
    return np.array(array).view(ndarray)


class Pool:
    def free_all_blocks(self) -> None:
        pass


get_default_memory_pool = Pool


class Event:
    def __init__(self, **_options: Any) -> None:
        self.moment = 0.0

    def record(self, _stream: Any = None) -> None:
        self.moment = time.perf_counter()

    def synchronize(self) -> None:
        pass


class Stream:
    ptr = 0

    def __init__(self, **_options: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass

    def wait_event(self, event: Event) -> None:
        assert event.moment

    def synchronize(self) -> None:
        pass


class Device:
    mem_info = (1 << 30, 1 << 30)

    def __init__(self, number: int) -> None:
        self.id = number

    def use(self) -> None:
        pass

    def synchronize(self) -> None:
        pass


def _matrix(ptr: int, rows: int, columns: int) -> Any:
    return np.ctypeslib.as_array(ctypes.cast(ptr, ctypes.POINTER(ctypes.c_float)), (rows, columns))


def _sgemm(*arguments: int) -> None:
    _, _, _, n, m, k, _, b, ldb, a, lda, _, c, ldc = arguments
    assert (ldb, lda, ldc) == (n, k, n)
    _matrix(c, m, n)[...] += _matrix(a, m, k) @ _matrix(b, k, n)


class NcclCommunicator:
    """Needs all ranks to make theirs at once: a grid without rows or columns of one."""

    def __init__(self, _count: int, unique: tuple[int, int], rank: int) -> None:
        self._comm = MPI.COMM_WORLD.Split(unique[0], rank)

    def bcast(self, ptr: int, count: int, _kind: int, root: int, _stream: int) -> None:
        self._comm.Bcast(_matrix(ptr, 1, count), root)


def _module(name: str, **names: Any) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(names)
    return module


_numbers = itertools.count()
_module(
    "cupy.cuda", Event=Event, Stream=Stream, Device=Device,
    get_elapsed_time=lambda start, end: 1000 * (end.moment - start.moment),
    runtime=_module(
        "cupy.cuda.runtime", getDeviceCount=lambda: int(os.environ["TOY_GPUS"]), getDeviceProperties=lambda _: {"name": b"Toy GPU"}
    ),
    cublas=_module(
        "cupy.cuda.cublas", CUBLAS_DEFAULT_MATH=0, CUBLAS_OP_N=0, setMathMode=lambda *_: None, getVersion=lambda _: 1, sgemm=_sgemm
    ),
    nccl=_module(
        "cupy.cuda.nccl", NCCL_FLOAT32=7, NcclCommunicator=NcclCommunicator, get_version=lambda: 2,
        get_unique_id=lambda: (MPI.COMM_WORLD.rank, next(_numbers)),
    ),
    device=_module("cupy.cuda.device", get_cublas_handle=lambda: 1),
)  # fmt: skip
