"""Background work: jobs with states and cancelling, and lanes that run them one after another."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from enum import StrEnum

from kernels.base.arrays import CancelCheck, Cancelled

Work = Callable[[CancelCheck], None]
"""What a job does. It calls its argument now and then, and lets the `Cancelled` that this may raise pass through."""


class State(StrEnum):
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
        return self in (State.CANCELLED, State.DONE, State.FAILED)


class Job:
    """Job: one piece of background work. `error` is what it raised, where it failed."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._state = State.QUEUED
        self._lock = threading.Lock()
        self.error: Exception | None = None

    @property
    def state(self) -> State:
        return self._state

    def cancel(self) -> None:
        """Ask the job to stop. A queued one never starts; one that has ended stays as it is."""
        with self._lock:
            if self._state is State.QUEUED:
                self._state = State.CANCELLED
            elif self._state is State.RUNNING:
                self._state = State.CANCELLING

    def check(self) -> None:
        """Raise `Cancelled` if the job was asked to stop."""
        if self._state is State.CANCELLING:
            raise Cancelled

    def run(self) -> None:
        """Do the work in the calling thread, unless cancelled before. Never raises: an error becomes the state FAILED."""
        with self._lock:
            if self._state is not State.QUEUED:
                return
            self._state = State.RUNNING
        end = State.DONE
        try:
            self._work(self.check)
        except Cancelled:
            end = State.CANCELLED
        except Exception as error:
            self.error = error
            end = State.FAILED
        with self._lock:
            self._state = end


class Lane:
    """One daemon thread that runs jobs one after another, in the order submitted."""

    def __init__(self, name: str) -> None:
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._unfinished: list[Job] = []
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"lane-{name}", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> Job:
        """Queue a piece of work. Raises RuntimeError once the lane is closed."""
        job = Job(work)
        with self._lock:
            if self._closed:
                raise RuntimeError("the lane is closed")
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
        """Wait for the thread of a closed lane, at most `timeout` seconds. False if the running job could not be interrupted."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            job.run()
            with self._lock:
                self._unfinished.remove(job)
