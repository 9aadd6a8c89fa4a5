"""Traces what the stage shows: a sketch at once where it takes long, all of it when the hand rests, costs when nothing else is to do."""

from __future__ import annotations

import time
from collections.abc import Callable

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


class StageTracer:
    """Two processes: one for what the stage shows in the end, one for sketches and questions. Asked and polled from one thread."""

    def __init__(self, tracing: TracingService, sketching: TracingService, clock: Callable[[], float] = time.monotonic) -> None:
        self._tracing = tracing
        self._sketching = sketching
        self._clock = clock
        self._whole: tuple[int, Work] | None = None
        self._sketch: tuple[int, Subject, bool] | None = None
        """What the second process traces for the stage, and whether that is all of it."""
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
            self._use_second(work, final=True)  # what was asked before is long, and not worth ending the process for
        elif sketch is None:
            self._whole = self._tracing.request(work), work
        else:
            assert isinstance(work, Subject)
            self._use_second(sketch, final=False)
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
        if self._later is not None and self._clock() >= self._later[0]:
            work, self._later = self._later[1], None
            self._whole = self._tracing.request(work), work
        return self._poll_whole() or self._poll_sketch()

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

    def _use_second(self, work: Subject, *, final: bool) -> None:
        self._question = None  # it gives way, and is asked again
        self._sketch = self._sketching.request(work), work, final

    def _poll_whole(self) -> StageReply | None:
        reply = self._tracing.poll()
        if reply is None or self._whole is None or reply.id != self._whole[0]:
            return None
        work, self._whole, self._sketch = self._whole[1], None, None
        return StageReply(work, reply.outcome, final=True)

    def _poll_sketch(self) -> StageReply | None:
        reply = self._sketching.poll()
        if reply is None:
            return None
        if self._question is not None and reply.id == self._question[0]:
            answered, self._question = self._question[1], None
            answered(reply.outcome)
        elif self._sketch is not None and reply.id == self._sketch[0]:
            (_, work, final), self._sketch = self._sketch, None
            return StageReply(work, reply.outcome, final)
        return None
