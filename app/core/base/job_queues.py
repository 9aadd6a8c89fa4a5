"""Background work: jobs with states and cancelling, queues that run them one after another, clients that ask a queue for one at a time."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar

from kernels.base.arrays import CancelCheck, Cancelled
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.measure.sampler import failure

Work = Callable[[CancelCheck], None]
"""What a job does. It calls its argument now and then, and lets the `Cancelled` that this may raise pass through."""


class JobState(StrEnum):
    """State of a job in its life."""

    QUEUED = "queued"
    RUNNING = "running"
    CANCELLING = "cancelling"
    """Asked to stop, still running until it next looks."""
    CANCELLED = "cancelled"
    DONE = "done"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        return self in (JobState.CANCELLED, JobState.DONE, JobState.FAILED)


class Job:
    """Job: one piece of background work. `error` is what it raised, where it failed."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._state = JobState.QUEUED
        self._lock = threading.Lock()
        self.error: Exception | None = None

    @property
    def state(self) -> JobState:
        return self._state

    def cancel(self) -> None:
        """Ask the job to stop. A queued one never starts; one that has ended stays as it is."""
        with self._lock:
            if self._state is JobState.QUEUED:
                self._state = JobState.CANCELLED
            elif self._state is JobState.RUNNING:
                self._state = JobState.CANCELLING

    def check(self) -> None:
        """Raise `Cancelled` if the job was asked to stop."""
        if self._state is JobState.CANCELLING:
            raise Cancelled

    def run(self) -> None:
        """Do the work in the calling thread, unless cancelled before. Never raises: an error becomes the state FAILED."""
        with self._lock:
            if self._state is not JobState.QUEUED:
                return
            self._state = JobState.RUNNING
        end = JobState.DONE
        try:
            self._work(self.check)
        except Cancelled:
            end = JobState.CANCELLED
        except Exception as error:
            self.error = error
            end = JobState.FAILED
        with self._lock:
            self._state = end


class JobQueue:
    """One daemon thread that runs jobs one after another, in the order submitted."""

    def __init__(self, name: str) -> None:
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._unfinished: list[Job] = []
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"queue-{name}", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> Job:
        """Queue a piece of work. Raises RuntimeError once the queue is closed."""
        job = Job(work)
        with self._lock:
            if self._closed:
                raise RuntimeError("the queue is closed")
            self._unfinished.append(job)
            self._queue.put(job)
        return job

    @property
    def busy(self) -> bool:
        """Whether a job has not ended yet."""
        with self._lock:
            return any(not job.state.ended for job in self._unfinished)

    def close(self) -> None:
        """Cancel everything and let the thread end. Returns at once."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for job in self._unfinished:
                job.cancel()
            self._queue.put(None)

    def join(self, timeout: float) -> bool:
        """Wait for the thread of a closed queue, at most `timeout` seconds. False if the running job could not be interrupted."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            job.run()
            with self._lock:
                self._unfinished.remove(job)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestProgress:
    """Progress of a request to a queue. `failure`: why it failed as a whole."""

    state: JobState = JobState.QUEUED
    failure: Message | None = None

    def over(self) -> Self:
        """The same without what holds only while it runs."""
        return self


P = TypeVar("P", bound=RequestProgress)
R = TypeVar("R")


class Request(Generic[P, R]):
    """A request to a queue. Only the queue's thread replaces the progress, always by a whole new value; others read it without a lock."""

    def __init__(self, progress: P, results: deque[R]) -> None:
        self._progress, self._results = progress, results
        self.job: Job | None = None

    def tell(self, **changes: Any) -> None:
        """Replace fields of the progress."""
        self._progress = replace(self._progress, **changes)

    def found(self, result: R) -> None:
        """Hand a result over."""
        self._results.append(result)

    @property
    def progress(self) -> P:
        """Where it is now."""
        if self.job is None:
            return self._progress
        state = self.job.state  # before the progress is read: what has ended has told all
        if not state.ended:
            return replace(self._progress, state=state)
        return replace(self._progress.over(), state=state, failure=None if self.job.error is None else failure(self.job.error))


class JobClient(Generic[P, R]):
    """Client of a queue: asked and polled from one thread, which never waits. A new request takes the place of the one before."""

    def __init__(self) -> None:
        self._found: deque[R] = deque()
        self._newest: Request[P, R] | None = None

    def submit(self, request: Request[P, R], job: Callable[[Request[P, R]], Job]) -> None:
        """Begin what `job` puts into a queue; an earlier request is cancelled."""
        self.cancel()
        request.job = job(request)
        self._newest = request

    def cancel(self) -> None:
        """Ask the newest request to stop. What it has found is kept."""
        if self._newest is not None and self._newest.job is not None:
            self._newest.job.cancel()

    def progress(self) -> P | None:
        """Where the newest request is; None before the first."""
        return None if self._newest is None else self._newest.progress

    def drain(self) -> tuple[R, ...]:
        """The results since the last call, in the order found."""
        return tuple(self._found.popleft() for _ in range(len(self._found)))


Wanted = TypeVar("Wanted", contravariant=True)
Told = TypeVar("Told", covariant=True)
Found = TypeVar("Found", covariant=True)


class Client(Protocol[Wanted, Told, Found]):
    """Interface of a queue's client as a page sees it."""

    def start(self, wanted: Wanted, /) -> None: ...
    def cancel(self) -> None: ...
    def progress(self) -> Told | None: ...
    def drain(self) -> tuple[Found, ...]: ...
