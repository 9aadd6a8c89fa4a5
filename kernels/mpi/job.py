"""A multiplication as one rank sees it. Importing this starts MPI: only ranks do."""

from __future__ import annotations

import importlib
import inspect
import os
import time
from typing import Any

import mpi4py
from mpi4py import MPI

from kernels.catalog import find
from kernels.cpu.matrix import Matrix, aligned_matrix
from kernels.mpi.clocks import ahead_of
from kernels.mpi.recording import Recorder, RecordingComm
from kernels.mpi.records import Record
from kernels.spec import Problem


def about() -> dict[str, Any]:
    """Which rank this is, of how many, where, on which cores, and by whose MPI."""
    world = MPI.COMM_WORLD
    allowed = getattr(os, "sched_getaffinity", None)  # Linux; elsewhere all cores are taken to be allowed
    library = MPI.Get_library_version().strip("\0\n ").splitlines()[0]
    return {
        "rank": world.rank,
        "size": world.size,
        "host": MPI.Get_processor_name(),
        "cores": sorted(allowed(0) if allowed else range(os.cpu_count() or 1)),
        "library": " ".join(library.split()),
        "mpi4py": mpi4py.__version__,
    }


class Job:
    """One kernel with its operands: the matrices on rank 0, nothing of them on the others."""

    def __init__(self, variant_id: str, problem: Problem) -> None:
        from threadpoolctl import threadpool_limits

        variant = find(variant_id)
        assert variant is not None, variant_id
        module = importlib.import_module("kernels." + variant.source.removesuffix(".py").replace("/", "."))
        self._multiply = getattr(module, variant.entry)
        self._problem = problem
        self._limits = threadpool_limits(limits=1, user_api="blas")  # ranks are what works side by side here
        shapes = problem.shapes.items()
        present = MPI.COMM_WORLD.rank == 0
        self.operands: dict[str, Matrix] = {name: aligned_matrix(shape if present else (0, shape[1])) for name, shape in shapes}

    def sample(self) -> int:
        """Multiply once, together with all other ranks; nanoseconds from when all were ready until all had finished."""
        world = MPI.COMM_WORLD
        world.Barrier()
        start = time.perf_counter_ns()
        self._run(world)
        world.Barrier()
        return time.perf_counter_ns() - start

    def record(self) -> dict[str, Any]:
        """Multiply once, and write down every call of MPI: a `Record` as JSON has it."""
        world = MPI.COMM_WORLD
        host = MPI.Get_processor_name()
        ahead, error = ahead_of(world, host)
        recorder = Recorder(str(inspect.getsourcefile(self._multiply)))
        world.Barrier()
        start = recorder.clock()
        self._run(RecordingComm(world, recorder))
        record = Record(host, ahead, error, start, recorder.clock(), recorder.calls, recorder.halves)
        world.Barrier()
        return record._asdict()

    def _run(self, comm: MPI.Intracomm) -> None:
        problem = self._problem
        self._multiply(comm, *self.operands.values(), problem.m, problem.n, problem.k)
