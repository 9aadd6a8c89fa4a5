"""Multiplication as one rank does it, on its core or on its GPU. Importing this starts MPI: only ranks do."""

from __future__ import annotations

import inspect
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import mpi4py
import numpy as np
from mpi4py import MPI

from kernels.catalogue.case import Case
from kernels.catalogue.source import arguments, kernel_function
from kernels.cpu.matrix import Matrix, aligned_matrix
from kernels.mpi.merge import Record
from kernels.mpi.recorder import Recorder, TracedComm, ahead_of


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


class Job(ABC):
    """One kernel with its operands: the matrices on rank 0, nothing of them on the others."""

    def __init__(self, point: Case) -> None:
        self._multiply: Callable[..., None] = kernel_function(point.variant)
        self._problem = problem = point.problem
        self._arguments = arguments(point.variant, point.parameters)
        shapes = problem.shapes.items()
        present = MPI.COMM_WORLD.rank == 0
        self.operands: dict[str, Matrix] = {name: aligned_matrix(shape if present else (0, shape[1])) for name, shape in shapes}

    def about(self) -> dict[str, Any]:
        """What there is to say of this rank besides `about`."""
        return {}

    @abstractmethod
    def place(self) -> None:
        """Bring the inputs from rank 0 to where a run expects them."""

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.operands["C"].fill(np.nan)

    def sample(self) -> int:
        """Multiply once, together with all other ranks; nanoseconds from when all were ready until all had finished."""
        world = MPI.COMM_WORLD
        world.Barrier()
        start = time.perf_counter_ns()
        self._run()
        world.Barrier()
        return time.perf_counter_ns() - start

    def record(self) -> dict[str, Any]:
        """Multiply once, and write down all that is moved: a `Record` as JSON has it."""
        world = MPI.COMM_WORLD
        host = MPI.Get_processor_name()
        ahead, error = ahead_of(world, host)
        world.Barrier()
        record = self._recorded(Record(host, ahead, error, 0, 0, (), ()))
        world.Barrier()
        return record._asdict()

    @abstractmethod
    def collect(self) -> None:
        """Bring the output to rank 0."""

    @abstractmethod
    def _run(self) -> None:
        """Multiply once."""

    @abstractmethod
    def _recorded(self, record: Record) -> Record:
        """Multiply once; the record with what was seen."""


class CoreJob(Job):
    """Job of a rank that multiplies on its core. Handing out and collecting is part of the run."""

    def __init__(self, point: Case) -> None:
        from threadpoolctl import threadpool_limits

        super().__init__(point)
        self._limits = threadpool_limits(limits=1, user_api="blas")  # ranks are what works side by side here

    def place(self) -> None:
        """Leave the inputs on rank 0."""

    def collect(self) -> None:
        """Leave the output on rank 0."""

    def _run(self) -> None:
        self._called(MPI.COMM_WORLD)

    def _recorded(self, record: Record) -> Record:
        recorder = Recorder(str(inspect.getsourcefile(self._multiply)))
        start = recorder.clock()
        self._called(TracedComm(MPI.COMM_WORLD, recorder))
        return record._replace(start=start, end=recorder.clock(), calls=recorder.calls, halves=recorder.halves)

    def _called(self, comm: MPI.Intracomm) -> None:
        problem = self._problem
        self._multiply(comm, *self.operands.values(), problem.m, problem.n, problem.k, *self._arguments)


def job_of(point: Case) -> Job:
    """The job of this rank. All ranks must call it. Raises `RunRefused` on all of them where one of them cannot take part."""
    if not point.variant.needs.each_rank:
        return CoreJob(point)
    from kernels.mpi.gpu_job import GpuJob

    return GpuJob(point)
