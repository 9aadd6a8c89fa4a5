"""GPU of one rank as a kernel uses it: streams that copy, broadcast and multiply, by CuPy, NCCL and cuBLAS.

A stream writes down what passes through it where a log is given: two events around each broadcast and each product, whose moments are read
when the run is over. A kernel that uses it knows nothing of that.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np
from mpi4py import MPI

from kernels.base.values import dataclass
from kernels.mpi.recorder import line_of

Array = Any
"""Of float32, in the GPU's memory: a `cupy.ndarray`, contiguous or a part of one."""
Event = Any
"""A `cupy.cuda.Event`."""
URGENT = -1
"""Priority: where multiprocessors become free, blocks of this stream are first, and not those of a product that has begun."""


@dataclass(frozen=True, slots=True)
class Members:
    """Ranks that broadcast among each other: a row or a column of the grid. `ranks` are those of the world, in order."""

    ranks: tuple[int, ...]
    name: str
    nccl: Any
    """A `cupy.cuda.nccl.NcclCommunicator`; None where there is but one rank."""

    @staticmethod
    def of(world: MPI.Intracomm, name: str, color: int, key: int) -> Members:
        """The members of one colour, in the order of their keys. All ranks must call it."""
        from cupy.cuda import nccl

        part = world.Split(color, key)
        ranks = tuple(part.allgather(world.rank))
        made = None
        if part.size > 1:
            made = nccl.NcclCommunicator(part.size, part.bcast(nccl.get_unique_id() if part.rank == 0 else None), part.rank)
        part.Free()
        return Members(ranks, f"{name} {color}", made)


@dataclass(frozen=True, slots=True)
class Passed:
    """Work that passed through a stream: from event to event, by the call of this line. `members` and `root` are a broadcast's."""

    start: Any
    end: Any
    line: int
    members: Members | None = None
    root: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Log:
    """Log of what passed through the streams of a run. `source` is the kernel's file, of which the lines are noted."""

    source: str
    passed: list[Passed] = field(default_factory=list)


class GpuStream:
    """A CUDA stream: what is given to it is done in that order, while the processor goes on."""

    def __init__(self, priority: int | None, log: Log | None) -> None:
        from cupy.cuda import Stream

        self._stream = Stream(non_blocking=True, priority=priority)
        self._log = log

    def clear(self, block: Array) -> None:
        """Fill with zeros."""
        block.data.memset_async(0, block.nbytes, self._stream)

    def copy(self, panel: Array, part: Array) -> None:
        """Copy a part of a block into a panel of its shape."""
        with self._stream:
            panel[...] = part

    def broadcast(self, panel: Array, members: Members, root: int) -> None:
        """Send the panel of the member `root` to all others. All of them must call it, in the same order."""
        if members.nccl is None or not panel.size:
            return
        from cupy.cuda import nccl

        begun = self._begin()
        members.nccl.bcast(panel.data.ptr, panel.size, nccl.NCCL_FLOAT32, root, self._stream.ptr)
        self._end(begun, members, root, panel.nbytes)

    def add_product(self, c: Array, a: Array, b: Array) -> None:
        """c += a b, in float32, without TF32."""
        if not c.size or not a.size:
            return
        begun = self._begin()
        with self._stream:
            _sgemm(c, a, b)
        self._end(begun)

    def event(self) -> Event:
        """The moment at which all is done that has been given to the stream until now."""
        from cupy.cuda import Event

        event = Event(disable_timing=True)
        event.record(self._stream)
        return event

    def wait(self, event: Event) -> None:
        """Do what follows only after an event of another stream."""
        self._stream.wait_event(event)

    def finish(self) -> None:
        """Wait, on the processor, until all is done."""
        self._stream.synchronize()

    def _begin(self) -> tuple[Any, int] | None:
        return None if self._log is None else (self._moment(), line_of(self._log.source))

    def _end(self, begun: tuple[Any, int] | None, members: Members | None = None, root: int = 0, size: int = 0) -> None:
        if begun is not None and self._log is not None:
            self._log.passed.append(Passed(begun[0], self._moment(), begun[1], members, root, size))

    def _moment(self) -> Any:
        from cupy.cuda import Event

        event = Event()
        event.record(self._stream)
        return event


def _sgemm(c: Array, a: Array, b: Array) -> None:
    """c += a b on the current stream. cuBLAS thinks in columns: what it sees is C^T += B^T A^T."""
    from cupy.cuda import cublas
    from cupy.cuda.device import get_cublas_handle

    (m, k), n = a.shape, b.shape[1]
    handle, one = get_cublas_handle(), np.array(1, np.float32)
    cublas.setMathMode(handle, cublas.CUBLAS_DEFAULT_MATH)  # float32 on the CUDA cores
    cublas.sgemm(
        handle, cublas.CUBLAS_OP_N, cublas.CUBLAS_OP_N, n, m, k,
        one.ctypes.data, b.data.ptr, n, a.data.ptr, k, one.ctypes.data, c.data.ptr, n,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gpu:
    """GPU of a rank, with the ranks of its row and of its column of the grid."""

    rank: int
    ranks: int
    row: Members
    column: Members
    log: Log | None = None

    def watched(self, log: Log) -> Gpu:
        """The same, with a log of what passes through the streams."""
        return replace(self, log=log)

    def stream(self, *, urgent: bool = False) -> GpuStream:
        """A stream of its own; `urgent`: its blocks go before those of the others."""
        return GpuStream(URGENT if urgent else None, self.log)

    def room(self, count: int) -> Array:
        """Memory for so many floats, which hold anything."""
        import cupy

        return cupy.empty(count, "f4")
