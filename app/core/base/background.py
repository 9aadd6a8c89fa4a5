"""Small slow things done beside the interface: run in a thread, delivered by whoever polls."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class BackgroundTasks:
    """Runs work beside the interface: each task in a thread of its own, or in a queue.

    `tick` hands what has finished over in the thread that calls it.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._finished: deque[Callable[[], None]] = deque()
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._worker: threading.Thread | None = None

    def send(self, name: str, work: Callable[[], T], deliver: Callable[[T], None]) -> None:
        """Do `work` in a thread; a later `tick` calls `deliver` with what it returned. `work` reports failure in its value."""

        thread = threading.Thread(target=lambda: self._run(work, deliver), name=name, daemon=True)
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()

    def queue(self, work: Callable[[], T], deliver: Callable[[T], None]) -> None:
        """Do the same in one thread that is kept and takes one task after the other: starting a thread makes the interface wait for it."""
        if self._worker is None:
            self._worker = threading.Thread(target=self._work, name="background_tasks", daemon=True)
            self._worker.start()
        self._queue.put(lambda: self._run(work, deliver))

    def _run(self, work: Callable[[], T], deliver: Callable[[T], None]) -> None:
        outcome = work()
        self._finished.append(lambda: deliver(outcome))

    def _work(self) -> None:
        while (task := self._queue.get()) is not None:
            try:
                task()
            except Exception:  # the next one is not to wait for ever; this one's error is told as those of other threads are
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

    def tick(self) -> None:
        """Deliver what has finished."""
        while self._finished:
            self._finished.popleft()()

    def join(self, timeout: float) -> None:
        """Wait for all threads, at most `timeout` seconds; nothing more is delivered, and nothing more is to be queued."""
        end = time.monotonic() + timeout
        self._queue.put(None)
        for thread in (*self._threads, *([] if self._worker is None else [self._worker])):
            thread.join(max(0.0, end - time.monotonic()))
        self._finished.clear()


class Latest(Generic[T]):
    """A question that is asked again and again: one thread at a time works on it, and an answer to an earlier asking is dropped.

    Without background tasks it is answered at once.
    """

    def __init__(self, background_tasks: BackgroundTasks | None, deliver: Callable[[T], None]) -> None:
        self._background_tasks, self._deliver = background_tasks, deliver
        self._wanted: Callable[[], T] | None = None
        self._busy = False

    def ask(self, work: Callable[[], T]) -> None:
        """Have `work` answer; what was asked before and is not answered yet, is not wanted any more."""
        if self._background_tasks is None:
            self._deliver(work())
            return
        self._wanted = work
        if not self._busy:
            self._send(work)

    def _send(self, work: Callable[[], T]) -> None:
        assert self._background_tasks is not None
        self._busy = True
        self._background_tasks.queue(partial(self._answer, work), self._answered)

    def _answer(self, work: Callable[[], T]) -> tuple[Callable[[], T], T]:
        try:
            return work, work()
        except Exception:
            self._busy = False  # so that what is asked later is answered
            raise

    def _answered(self, answered: tuple[Callable[[], T], T]) -> None:
        self._busy = False
        work, answer = answered
        if self._wanted is work:
            self._deliver(answer)
        elif self._wanted is not None:
            self._send(self._wanted)
