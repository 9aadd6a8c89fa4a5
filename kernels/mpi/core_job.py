"""Job of a rank on its core, and which job a point asks for. Importing this starts MPI: only ranks do."""

from __future__ import annotations

import inspect

from mpi4py import MPI

from kernels.catalogue.case import Case
from kernels.mpi.job import Job
from kernels.mpi.merge import Record
from kernels.mpi.recorder import Recorder, TracedComm


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
