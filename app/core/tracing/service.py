"""Tracing service: kernels are traced in a process of their own, so that the window notices neither a long execution nor a crash.

A thread looks after the process: it sends requests, waits for outcomes, and replaces a process that hangs or dies. The caller asks and
polls from one thread, and never waits.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from enum import StrEnum

from app.core.base.question import Question
from app.core.tracing.work import Answering, Outcome, Work
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.base.worker_process import WATCH_S, NoAnswer, Why, WorkerProcess, processor_seconds
from kernels.simt.trace.launch_spec import DIED, NotTraced, not_begun, too_large, too_slow

_LOG = logging.getLogger("tilescope.tracing")
DEADLINE_S = 20.0
"""Of an execution, in time that the process was given to run."""
COMPILED_DEADLINE_S = 120.0
"""The same for a question that may need the cache model: the first one about a kernel compiles that, on a busy machine for long."""
BUSY = 3.0
"""So many times that long it may take by the clock, where other programs keep the processor busy, or where it hangs."""
STARTING_S = 120.0
"""How long the process may take to start, which is no part of a trace."""
SUPERSEDED_S = 1.5
"""How long an execution may go on when nobody wants its trace any more: about what starting a new process costs, with all it imports."""
MOST_BYTES = 3 << 30
"""Memory that the process may really have: arrays that a launch never touches take none."""


class TracingState(StrEnum):
    """State of the newest request for a trace."""

    IDLE = "idle"
    """There is none, or its reply has been polled."""
    QUEUED = "queued"
    RUNNING = "running"


@dataclass(frozen=True, slots=True, eq=False)
class TraceRequest:
    """A trace that is asked for. Later requests have larger ids."""

    id: int
    work: Work | Question


@dataclass(frozen=True, slots=True, eq=False)
class TraceReply:
    """The answer to the request `id`: its trace, or the reason why there is none."""

    id: int
    outcome: Outcome


class TracingService:
    """Answers the newest request; the ones before it that are not answered yet never will be. Nothing but `shutdown` waits."""

    def __init__(self, answer: Answering, deadline_s: float = DEADLINE_S) -> None:
        """`answer` is what the process does with each request."""
        self._answer, self._deadline_s = answer, deadline_s
        self._newest = 0
        self._answered = 0
        self._lock = threading.Lock()
        self._waiting: TraceRequest | None = None
        self._taken = self._withdrawn = 0
        self._replies: queue.SimpleQueue[TraceReply] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._asked = threading.Event()
        self._worker: WorkerProcess | None = None
        self._thread = threading.Thread(target=self._look_after, name="tracing", daemon=True)

    @property
    def state(self) -> TracingState:
        if self._answered == self._newest:
            return TracingState.IDLE
        return TracingState.RUNNING if self._taken == self._newest else TracingState.QUEUED

    @property
    def ready(self) -> bool:
        """Whether what is asked now is begun at once: the process has started, and does nothing."""
        worker = self._worker
        return worker is not None and worker.ready and self.state is TracingState.IDLE

    def start(self) -> None:
        """Start the process now, so that the first request finds it ready. The first request does so otherwise."""
        if self._thread.ident is None:
            self._thread.start()

    def request(self, work: Work | Question) -> int:
        """Ask for a trace; returns the request's id. What was asked for before is given up."""
        self._newest += 1
        request = TraceRequest(self._newest, work)
        with self._lock:
            self._waiting = request
        self._asked.set()
        self.start()
        return request.id

    def poll(self) -> TraceReply | None:
        """The reply to the newest request, once, when it is there; else None."""
        while not self._replies.empty():
            reply = self._replies.get()
            if reply.id == self._newest:
                self._answered = reply.id
                return reply
        return None

    def withdraw(self) -> None:
        """The newest request is not wanted any more: it has no reply, and its execution is ended."""
        self._answered = self._withdrawn = self._newest

    def stop(self) -> None:
        """Have the process and the thread end, without waiting for it. Nothing may be asked afterwards."""
        self._stopping.set()
        self._asked.set()

    def shutdown(self, timeout: float) -> bool:
        """Stop, and wait for it; False if that takes longer than `timeout` seconds."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    # The rest runs in the thread, which alone touches the worker.

    def _look_after(self) -> None:
        import numpy.ma  # noqa: F401  # `np.unique` loads it when it is first called, else by who first shows a trace: the interface

        with contextlib.suppress(OSError, RuntimeError):  # then the first request tries again, and tells
            self._worker = self._new_worker()
        while not self._stopping.is_set():
            self._wait_for_request()
            self._asked.clear()
            while not self._stopping.is_set() and (request := self._take()) is not None:
                outcome = self._outcome_of(request)
                if outcome is not None:
                    self._replies.put(TraceReply(request.id, outcome))
        if self._worker is not None:
            self._worker.end()

    def _wait_for_request(self) -> None:
        """Wait until something is asked; while the process starts, look whether it has."""
        while not self._asked.wait(WATCH_S if self._worker is not None and not self._worker.ready else None):
            assert self._worker is not None
            try:
                self._worker.started(0)
            except NoAnswer:
                self._worker = None

    def _take(self) -> TraceRequest | None:
        with self._lock:
            request, self._waiting = self._waiting, None
        if request is not None:
            self._taken = request.id
        return request

    def _outcome_of(self, request: TraceRequest) -> Outcome | None:
        """The outcome of a request, or None if it is given up."""
        try:
            return self._execute(request)
        except Exception as error:  # without this thread nothing would ever be answered again
            _LOG.exception("a request could not be dealt with")
            if self._worker is not None:
                with contextlib.suppress(Exception):
                    self._worker.end()
                self._worker = None
            return NotTraced(message("Tracing did not work: {error}", error=f"{type(error).__name__}: {error}"))

    def _new_worker(self) -> WorkerProcess:
        return WorkerProcess(self._answer, "tracing")

    def _execute(self, request: TraceRequest) -> Outcome | None:
        try:
            if self._worker is None or not self._worker.alive:
                self._worker = self._new_worker()
        except (OSError, RuntimeError) as error:
            return not_begun(error)
        deadline_s = COMPILED_DEADLINE_S if isinstance(request.work, Question) and request.work.compiles else self._deadline_s
        try:
            return self._asked_of(self._worker, request, deadline_s)
        except NoAnswer as none:
            self._worker = None  # it is ended
            if none.why is Why.LATE:
                return too_slow(deadline_s)
            return None if none.why is Why.CANCELLED else DIED if none.why is Why.DIED else too_large(MOST_BYTES)

    def _asked_of(self, worker: WorkerProcess, request: TraceRequest, deadline_s: float) -> Outcome | None:
        """What the process answers once it is ready. Raises `NoAnswer`."""
        while not worker.ready:
            if self._unwanted or self._waiting is not None:  # the process goes on starting, for the next request
                return None
            left = worker.began + STARTING_S - time.monotonic()
            if left <= 0:
                worker.end()
                return _not_started()
            worker.started(min(left, WATCH_S))
        begin, spent = time.monotonic(), processor_seconds(worker.pid)

        def left_s() -> float:
            left = begin + deadline_s - time.monotonic()
            if left > 0:
                return left  # else on a busy machine it may not have had that time yet
            return min(deadline_s - (processor_seconds(worker.pid) - spent), begin + BUSY * deadline_s - time.monotonic())

        def given_up() -> bool:
            return self._unwanted or (self._waiting is not None and time.monotonic() >= begin + SUPERSEDED_S)

        outcome: Outcome = worker.ask(request.work, left_s, given_up, most_bytes=MOST_BYTES)
        return outcome

    @property
    def _unwanted(self) -> bool:
        """Whether what was taken last is to be given up at once."""
        return self._stopping.is_set() or self._taken <= self._withdrawn


def was_stopped(reason: Message) -> bool:
    """Whether it says that tracing took too long: on a machine that has less to do there may be a trace."""
    return reason.template in (too_slow(0.0).reason.template, _not_started().reason.template)


def _not_started() -> NotTraced:
    return NotTraced(message("The tracing process did not start within {seconds} s.", seconds=STARTING_S))
