"""Runs MPI variants for the sampler: ranks are started once a point, and wait for the next sample in between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.devices import DeviceStatus
from kernels.base.limits import GIB
from kernels.base.machine_conditions import free_memory_bytes
from kernels.base.messages import message
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.cpu.matrix import aligned_matrix
from kernels.measure.device_process import DeviceProcess, DeviceService
from kernels.measure.disturbance_watch import Watch
from kernels.measure.real_run import MpiTimeline
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Sampler
from kernels.mpi.communication_volume import volume
from kernels.mpi.conditions import conditions
from kernels.mpi.merge import Record, timeline_of
from kernels.mpi.ranks import Ranks


def mpi_process(status: DeviceStatus, budget_s: float | None = None) -> DeviceProcess:
    """The process in which the MPI variants are measured on this machine, whose `status` is a ready one: it starts the ranks."""
    return DeviceProcess("MPI", DeviceService(partial(_sampler, status)), budget_s)


def _sampler(status: DeviceStatus) -> Sampler:
    return Sampler(MpiRunner(status), Watch(children=True))


class MpiRunner:
    """Runs the MPI variants on this machine, whose `status` is a ready one."""

    def __init__(self, status: DeviceStatus) -> None:
        self._status = status

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[MpiRun]:
        """Start the ranks and bring the inputs to rank 0. Leaving the context ends them. Raises `RunFailed`."""
        check()
        _require_memory(point)
        ranks = Ranks(str(self._status.details["mpiexec"]), point.parameters["ranks"], check)
        try:
            problem = point.problem
            sizes = problem.m, problem.n, problem.k
            more = ranks.ask(check, do="begin", variant=point.variant_id, sizes=sizes, parameters=dict(point.parameters))
            ranks.send([np.ascontiguousarray(inputs[name]) for name in ("A", "B")], check)
            ranks.ask(check, do="place")
            yield MpiRun(ranks, point, conditions([{**each, **own} for each, own in zip(ranks.about, more, strict=True)]), check)
        except BaseException:
            ranks.kill()
            raise
        ranks.end()


def _require_memory(point: Case) -> None:
    """All ranks are on this machine: what each receives is there once more, as are blocks on their way to and from GPUs."""
    ranks = point.parameters["ranks"]
    more = point.problem.bytes if point.variant.needs.each_rank else sum(volume(point.variant_id, point.problem, ranks).received)
    needed = point.problem.bytes + more
    free = free_memory_bytes()
    if free is not None and needed > free:
        reason = message(
            "{ranks} ranks need {needed} GiB for their parts of the matrices; {free} GiB are free.",
            ranks=ranks, needed=round(needed / GIB, 1), free=round(free / GIB, 1),
        )  # fmt: skip
        raise RunFailed(reason)


@dataclass(slots=True)
class MpiRun:
    """A kernel on its ranks. Rank 0 holds the matrices; what is not interrupted by a check of its own uses that of the preparation."""

    ranks: Ranks
    point: Case
    particular: Mapping[str, str | int | float]
    check: CancelCheck

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.ranks.ask(self.check, do="poison")

    def sample(self, check: CancelCheck) -> float:
        """Multiply once; the milliseconds from when all ranks were ready until the last had finished."""
        slowest: int = max(answer["ns"] for answer in self.ranks.ask(check, do="sample"))
        return slowest / 1e6

    def look(self, check: CancelCheck) -> MpiTimeline:
        """Multiply once more, with every call of MPI written down."""
        return timeline_of([Record.of(answer) for answer in self.ranks.ask(check, do="record")])

    def output(self) -> Matrix:
        """The output, brought here from rank 0."""
        self.ranks.ask(self.check, do="collect")
        output = aligned_matrix(self.point.problem.shapes["C"])
        self.ranks.fetch(output, self.check)
        return output

    def conditions(self) -> Mapping[str, str | int | float]:
        """How many ranks, whether each has a core of its own, on which GPUs, and by whose MPI."""
        return self.particular
