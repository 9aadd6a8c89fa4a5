"""Running under the user's own mpiexec: rank 0 leads, and the others do what it says. Importing this starts MPI."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mpi4py import MPI

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.real_run import MpiTimeline
from kernels.measure.runner import RunRefused
from kernels.mpi.conditions import conditions
from kernels.mpi.core_job import job_of
from kernels.mpi.job import Job, about
from kernels.mpi.merge import Record, timeline_of

_WORLD = MPI.COMM_WORLD


def rank() -> int:
    """Which rank this process is."""
    return _WORLD.rank


def ranks() -> int:
    """How many there are."""
    return _WORLD.size


def follow() -> None:
    """Be a rank other than 0: do what it says until it says that this is all."""
    post = _Post()
    while (request := _WORLD.bcast(None)) is not None:
        _WORLD.gather(_done(post, request))


def _done(post: _Post, request: tuple[Any, ...]) -> Any:
    """The rank's answer, or that it refuses. A rank that fails ends all: the others would wait for it for ever."""
    try:
        return post.do(request)
    except RunRefused as refused:
        return refused
    except Exception as error:
        sys.stderr.write(f"tilescope: rank {rank()}: {error or type(error).__name__}\n")
        sys.stderr.flush()
        _WORLD.Abort(1)
        raise


class _Post:
    """Post of one rank, which holds the job in hand and does what it is told."""

    job: Job

    def do(self, request: tuple[Any, ...]) -> Any:
        match request:
            case ("begin", point):
                self.job = job_of(point)
                return self.job.about()
            case ("place",):
                return self.job.place()
            case ("poison",):
                return self.job.poison()
            case ("collect",):
                return self.job.collect()
            case ("sample",):
                return self.job.sample()
            case ("record",):
                return self.job.record()
            case _:
                return about()


class Leader:
    """Rank 0 as a runner: like `MpiRunner`, on the ranks that there are."""

    def __init__(self) -> None:
        self._post = _Post()
        self._about = self._ask("about")

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[LedRun]:
        """Tell the others what is multiplied. The inputs are here already, and are copied to where rows can start at a cache line."""
        check()
        more = self._ask("begin", point)
        operands = self._post.job.operands
        for name, matrix in inputs.items():
            operands[name][:] = matrix
        self._ask("place")
        yield LedRun(self._ask, operands, conditions([{**each, **own} for each, own in zip(self._about, more, strict=True)]))

    def dismiss(self) -> None:
        """Let the others go."""
        _WORLD.bcast(None)

    def _ask(self, *request: Any) -> list[Any]:
        _WORLD.bcast(request)
        answers = _WORLD.gather(_done(self._post, request)) or []
        refused = next((each for each in answers if isinstance(each, RunRefused)), None)
        if refused is not None:
            raise refused
        return answers


@dataclass(frozen=True, slots=True)
class LedRun:
    """A kernel on the ranks that there are; rank 0, this one, has the matrices."""

    ask: Callable[..., list[Any]]
    operands: Mapping[str, Matrix]
    particular: Mapping[str, str | int | float]

    def poison(self) -> None:
        """Fill the output with NaN."""
        self.ask("poison")

    def sample(self, check: CancelCheck) -> float:
        """Multiply once; the milliseconds from when all ranks were ready until the last had finished."""
        check()
        slowest: int = max(self.ask("sample"))
        return slowest / 1e6

    def look(self, check: CancelCheck) -> MpiTimeline:
        """Multiply once more, with every call of MPI written down."""
        check()
        return timeline_of([Record.of(words) for words in self.ask("record")])

    def output(self) -> Matrix:
        """The output, brought to this rank."""
        self.ask("collect")
        return self.operands["C"]

    def conditions(self) -> Mapping[str, str | int | float]:
        """How many ranks, whether each has a core of its own, on which GPUs, and by whose MPI."""
        return self.particular
