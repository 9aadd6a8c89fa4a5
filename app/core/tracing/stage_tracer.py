"""Traces what the stage shows: a sketch at once where it takes long, all of it when the hand rests, costs when nothing else is to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from app.core.base.question import Question
from app.core.gpu_view.subject import Subject, sketch_of
from app.core.tracing.service import TracingService, TracingState
from app.core.tracing.work import Outcome, Work
from kernels.base.values import dataclass

QUIET_S = 0.15
"""How long nothing must have been asked before the whole of a sketched launch is traced."""


@dataclass(frozen=True, slots=True, eq=False)
class StageReply:
    """Reply to the newest work. `final` is False for a sketch: `work` is then the one block that it is of."""

    work: Work
    outcome: Outcome
    final: bool


class _Sketch(NamedTuple):
    """What is traced beside the whole, by which of the two, and whether that is all of it."""

    by: TracingService
    id: int
    work: Subject
    final: bool


class StageTracer:
    """Tracer of the stage, with two processes: one for what the stage shows in the end, one for sketches and questions. Asked and polled
    from one thread."""

    def __init__(self, tracing: TracingService, sketching: TracingService, clock: Callable[[], float] = time.monotonic) -> None:
        self._tracing = tracing
        self._sketching = sketching
        self._clock = clock
        self._whole: tuple[int, Work] | None = None
        self._sketch: _Sketch | None = None
        self._later: tuple[float, Subject] | None = None
        """A launch that was sketched, and when the whole of it is due."""
        self._question: tuple[int, Callable[[Outcome], None]] | None = None

    def start(self) -> None:
        """Start the first process now; the other one starts when it is wanted."""
        self._tracing.start()

    @property
    def idle(self) -> bool:
        """Whether nothing of what was asked is still to come."""
        return self._whole is None and self._later is None and self._sketch is None

    @property
    def free(self) -> bool:
        """Whether a question would be answered now without keeping the stage waiting."""
        return self.idle and self._question is None and self._sketching.state is TracingState.IDLE

    def request(self, work: Work, progress: float) -> None:
        """Ask for a trace. What was asked before is given up. `progress` is the part of the grid at which the stage stands."""
        self._whole = self._sketch = self._later = None
        if isinstance(work, Subject):
            self._sketching.start()  # so that the first change finds it ready
        sketch = sketch_of(work, progress) if isinstance(work, Subject) else None
        if isinstance(work, Subject) and sketch is None and self._tracing.state is not TracingState.IDLE:
            self._trace_beside(work, final=True)  # what was asked before is long, and not worth ending the process for
        elif sketch is None:
            self._whole = self._tracing.request(work), work
        else:
            assert isinstance(work, Subject)
            self._trace_beside(sketch, final=False)
            self._later = self._clock() + QUIET_S, work

    def forget(self) -> None:
        """Drop what was asked: it is not wanted any more."""
        self._whole = self._sketch = self._later = None

    def ask(self, question: Question, answered: Callable[[Outcome], None]) -> None:
        """Ask a question when `free`. A sketch that is wanted meanwhile ends it: then `answered` is never called."""
        self._question = self._sketching.request(question), answered

    def withdraw(self, answered: Callable[[Outcome], None]) -> None:
        """The question that was asked with `answered` is not wanted any more; nothing is done where it is not being executed."""
        if self._question is not None and self._question[1] is answered:
            self._question = None
            self._sketching.withdraw()

    def poll(self) -> StageReply | None:
        """Return what has come, if anything has. Never waits."""
        if self._later is not None and self._clock() >= self._later[0] and not self._keeps_whole_waiting():
            work, self._later = self._later[1], None
            self._whole = self._tracing.request(work), work
        return self._poll(self._tracing) or self._poll(self._sketching)

    def stop(self) -> None:
        """Have both processes end, without waiting for it."""
        self._tracing.stop()
        self._sketching.stop()

    def shutdown(self, timeout: float) -> None:
        """Stop, and wait for it at most `timeout` seconds."""
        self.stop()
        end = time.monotonic() + timeout
        for each in (self._tracing, self._sketching):
            each.shutdown(max(0.0, end - time.monotonic()))

    def _trace_beside(self, work: Subject, *, final: bool) -> None:
        """Have the second process trace it, or the first where that has nothing to do and the second cannot begin at once: it starts, or
        works out the answer to a question, which may take a second."""
        by = self._tracing if not self._sketching.ready and self._tracing.state is TracingState.IDLE else self._sketching
        if by is self._sketching:
            self._question = None  # it gives way, and is asked again
        self._sketch = _Sketch(by, by.request(work), work, final)

    def _keeps_whole_waiting(self) -> bool:
        """Whether the process that is to trace the whole still traces the sketch of it."""
        return self._sketch is not None and self._sketch.by is self._tracing

    def _poll(self, service: TracingService) -> StageReply | None:
        reply, sketch = service.poll(), self._sketch
        if reply is None:
            return None
        if sketch is not None and sketch.by is service and reply.id == sketch.id:
            self._sketch = None
            return StageReply(sketch.work, reply.outcome, sketch.final)
        if service is self._tracing and self._whole is not None and reply.id == self._whole[0]:
            work, self._whole, self._sketch = self._whole[1], None, None
            return StageReply(work, reply.outcome, final=True)
        if service is self._sketching and self._question is not None and reply.id == self._question[0]:
            answered, self._question = self._question[1], None
            answered(reply.outcome)
        return None
