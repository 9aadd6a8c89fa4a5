"""Keeps timings undisturbed: one point is measured at a time, in this program and in all others of this machine."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from kernels.base.arrays import CancelCheck

_POLL_S = 0.05


class Lock(Protocol):
    """A lock that one program of the machine holds at a time."""

    def take(self) -> bool:
        """Take the lock if nobody has it; whether it is held now. Raises OSError where there can be none."""

    def release(self) -> None:
        """Give it back."""


class HostCores:
    """The machine's processors, handed to one holder after the other, in the order they asked.

    What is measured on the GPU holds them too: its inputs, its reference and its verification would be under another point's clock.
    """

    def __init__(self, lock: Lock | None = None) -> None:
        """`lock` is shared with the other programs that measure."""
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()
        self._lock = lock

    @contextmanager
    def hold(self, check: CancelCheck, told: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Wait for the turn, calling `check` meanwhile, and `told` once if another program has it. Not to be nested."""
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
        try:
            self._wait(ticket, check)
            self._wait_for_programs(check, told)
            yield
        finally:
            if self._lock is not None and self._queue[0] is ticket:
                self._lock.release()
            with self._changed:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _wait(self, ticket: object, check: CancelCheck) -> None:
        with self._changed:
            while self._queue[0] is not ticket:
                check()
                self._changed.wait(_POLL_S)

    def _wait_for_programs(self, check: CancelCheck, told: Callable[[], None]) -> None:
        if self._lock is None:
            return
        with suppress(OSError):  # without a lock there is nobody to wait for
            if self._lock.take():
                return
            told()
            while not self._lock.take():
                check()
                with self._changed:
                    self._changed.wait(_POLL_S)
