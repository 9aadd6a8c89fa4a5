"""Has runs recorded in the background: one is asked for at a time, and what was asked for before is given up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import field

from app.core.base.job_queues import Job, JobClient, JobState, Request, RequestProgress
from app.core.results.measuring import Lent, Loan
from kernels.base.arrays import CancelCheck
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.real_run import RUNS, RunProgress, RunState, RunTimeline

Lend = Callable[[Device, Loan], Job]


@dataclass(frozen=True, slots=True)
class RecordingProgress(RequestProgress):
    """Progress of a recording."""

    point: Case
    run: RunProgress = field(default_factory=RunProgress)


class Recorder(JobClient[RecordingProgress, RunTimeline]):
    """Client of the device's queue, which `lend` gives."""

    def __init__(self, lend: Lend) -> None:
        super().__init__()
        self._lend = lend

    def ask(self, point: Case) -> None:
        """Have a run of `point` recorded. What an earlier request finds is never delivered."""
        self._found = deque()
        self.submit(
            Request(RecordingProgress(point), self._found),
            lambda request: self._lend(point.variant.device, lambda lent, check: _record(request, point, lent, check)),
        )

    def poll(self) -> RunTimeline | None:
        """The recording of the newest request, once, when it is done. Never waits."""
        progress = self.progress()
        found = self.drain() if progress is not None and progress.state is JobState.DONE else ()
        return found[0] if found else None


def _record(request: Request[RecordingProgress, RunTimeline], point: Case, lent: Lent, check: CancelCheck) -> None:
    """Record a run, in the queue's thread."""
    request.tell(run=RunProgress(RunState.WAITING))
    with lent.cores.hold(check):
        request.found(lent.measurer.record(point, RUNS, check, lambda progress: request.tell(run=progress)))
