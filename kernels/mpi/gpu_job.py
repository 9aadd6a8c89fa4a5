"""Multiplication as one rank does it on its GPU: its blocks of the matrices there, and when what happened in a run."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from mpi4py import MPI

from kernels.base.limits import GIB
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES
from kernels.catalogue.case import Case
from kernels.measure.runner import RunRefused
from kernels.mpi.gpu_streams import Array, Gpu, Log, Members, Passed
from kernels.mpi.job import Job
from kernels.mpi.merge import Half, Record, TimedCall
from kernels.mpi.parts import collect, grid, hand_out, parts, sizes
from kernels.nvrtc.tools import CUBLAS, load

NCCL = ("libnccl.so.2",)
LOOKS = 20
"""How often the GPU's clock is compared with the processor's; the quickest comparison counts."""


class GpuJob(Job):
    """Job of a rank that multiplies on its GPU. Handing out and collecting is not part of the run: SUMMA's blocks lie where they are."""

    def __init__(self, point: Case) -> None:
        world = MPI.COMM_WORLD
        near = world.Split_type(MPI.COMM_TYPE_SHARED)
        number, ranks_here = near.rank, near.size
        near.Free()
        _agree(world, _obstacle(number, ranks_here, world.size))
        super().__init__(point)
        from cupy.cuda import Device

        self._panel = point.parameters["panel"]
        self._device = Device(number)
        self._device.use()
        self._p, self._q = grid(world.size)
        i, j = divmod(world.rank, self._q)
        self._gpu = Gpu(world.rank, world.size, Members.of(world, "row", i, j), Members.of(world, "column", j, i))
        self._blocks: dict[str, Array] = {}

    def about(self) -> dict[str, Any]:
        """The GPU, and the libraries that move and multiply."""
        from cupy.cuda import cublas, runtime
        from cupy.cuda.device import get_cublas_handle

        name = runtime.getDeviceProperties(self._device.id)["name"].decode()
        found = {"gpu": name, "cublas": cublas.getVersion(get_cublas_handle())}
        if self._gpu.ranks > 1:
            from cupy.cuda import nccl

            found["nccl"] = nccl.get_version()
        return found

    def place(self) -> None:
        """Bring the inputs from rank 0 into the GPUs' memory. Raises `RunRefused` on all ranks where one GPU has no room for its blocks."""
        import cupy

        world, problem = MPI.COMM_WORLD, self._problem
        rows, columns = parts(problem.m, self._p), parts(problem.n, self._q)
        k_of_a, k_of_b = parts(problem.k, self._q), parts(problem.k, self._p)
        self._blocks.clear()
        cupy.get_default_memory_pool().free_all_blocks()  # what an earlier job has left
        i, j = divmod(world.rank, self._q)
        height, width = sizes(rows)[i], sizes(columns)[j]
        wide = min(self._panel, max(sizes(k_of_a) + sizes(k_of_b)))
        floats = height * (sizes(k_of_a)[j] + width) + sizes(k_of_b)[i] * width + 2 * wide * (height + width)
        _agree(world, _no_room(FLOAT32_BYTES * floats, self._device.mem_info[0]))
        for name, down, along in (("A", rows, k_of_a), ("B", k_of_b, columns)):
            self._blocks[name] = cupy.asarray(np.ascontiguousarray(hand_out(world, self.operands[name], down, along)))
        self._blocks["C"] = cupy.empty((height, width), np.float32)
        self._device.synchronize()

    def poison(self) -> None:
        """Fill the output with NaN, on the GPUs too."""
        super().poison()
        self._blocks["C"].fill(np.nan)
        self._device.synchronize()  # the kernel's streams wait for no other

    def collect(self) -> None:
        """Bring the blocks of the output to rank 0."""
        rows, columns = parts(self._problem.m, self._p), parts(self._problem.n, self._q)
        collect(MPI.COMM_WORLD, self.operands["C"], self._blocks["C"].get(), rows, columns)

    def _run(self) -> None:
        self._called(self._gpu)

    def _recorded(self, record: Record) -> Record:
        log = Log(str(inspect.getsourcefile(self._multiply)))
        error, zero, moment = min((_look() for _ in range(LOOKS)), key=lambda look: look[0])
        MPI.COMM_WORLD.Barrier()
        start = time.perf_counter_ns()
        self._called(self._gpu.watched(log))
        end = time.perf_counter_ns()
        record = record._replace(start=start, end=end, clock_error=record.clock_error + error)
        clock = Clock(zero, moment)
        return read(record, self._gpu.rank, log.passed, lambda event: min(max(clock.at(event), start), end))

    def _called(self, gpu: Gpu) -> None:
        self._multiply(gpu, *self._blocks.values(), self._problem.k, *self._arguments)


def _agree(world: MPI.Intracomm, obstacle: Message | None) -> None:
    """Raise `RunRefused` on all ranks where one of them has an obstacle."""
    first = next((each for each in world.allgather(obstacle) if each is not None), None)
    if first is not None:
        raise RunRefused(first)


def _obstacle(number: int, near: int, ranks: int) -> Message | None:
    """Why this rank, the one of this number of those `near` on its host, cannot use a GPU of its own; None where it can."""
    host = MPI.Get_processor_name()
    if find_spec("cupy") is None:
        return message(
            "{host} does not have CuPy, by which ranks use their GPUs. Install it: {command}",
            host=host,
            command='pip install "tilescope[gpu]"',
        )
    try:
        load(CUBLAS)
        from cupy.cuda import cublas, runtime  # noqa: F401

        gpus = runtime.getDeviceCount()
    except Exception as error:  # a package or driver in disorder can raise anything
        return message("{host} has CuPy, but no GPU can be used by it: {text}", host=host, text=str(error) or type(error).__name__)
    if number >= gpus:
        return message("On {host}, {ranks} ranks need a GPU each; there are {gpus}.", host=host, ranks=near, gpus=gpus)
    return _unlinked(host) if ranks > 1 else None


def _unlinked(host: str) -> Message | None:
    try:
        load(NCCL)
        from cupy.cuda import nccl

        nccl.get_version()
    except Exception as error:
        return message(
            "{host} does not have NCCL, by which GPUs send to each other: {text}. Install it: {command}",
            host=host, text=str(error) or type(error).__name__, command="pip install nvidia-nccl-cu13",
        )  # fmt: skip
    return None


def _no_room(needed: int, free: int) -> Message | None:
    if needed <= free:
        return None
    return message(
        "Each GPU needs {needed} GiB for its blocks of the matrices and for panels; {free} GiB are free.",
        needed=round(needed / GIB, 1), free=round(free / GIB, 1),
    )  # fmt: skip


class Clock(NamedTuple):
    """Clock of a GPU: the event `zero` was at `moment`, in nanoseconds of the rank's clock."""

    zero: Any
    moment: int

    def at(self, event: Any) -> int:
        """The moment of an event that has happened, to half a microsecond."""
        from cupy.cuda import get_elapsed_time

        return self.moment + int(1e6 * get_elapsed_time(self.zero, event))


def _look() -> tuple[int, Any, int]:
    """By how much the comparison may be wrong, the event, and when it was: between before it was asked for and after it was seen."""
    from cupy.cuda import Event

    event = Event()
    before = time.perf_counter_ns()
    event.record()
    event.synchronize()
    after = time.perf_counter_ns()
    return -(-(after - before) // 2), event, (before + after) // 2


def read(record: Record, rank: int, passed: Sequence[Passed], at: Callable[[Any], int]) -> Record:
    """The record of this rank with what passed through its GPU's streams; `at` tells when an event was, by the rank's clock."""
    calls, halves, products = list[TimedCall](), list[Half](), list[TimedCall]()
    count = Counter[str]()
    for each in passed:
        call = TimedCall(at(each.start), at(each.end), each.line)
        if each.members is None:
            products.append(call)
            continue
        name, ranks, root = each.members.name, each.members.ranks, each.members.ranks[each.root]
        count[name] += 1
        channel = f"{name}#{count[name]}"  # all members broadcast in the same order
        others = [other for other in ranks if other != rank] if rank == root else [rank]
        halves += [Half(len(calls), root, other, each.bytes, channel, call.start) for other in others]
        calls.append(call)
    return record._replace(calls=calls, halves=halves, products=products)
