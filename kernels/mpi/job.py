"""Multiplication as one rank does it, wherever that is. Importing this starts MPI: only ranks do."""

from __future__ import annotations

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
from kernels.mpi.recorder import ahead_of


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
