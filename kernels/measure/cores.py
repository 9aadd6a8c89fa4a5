"""Keeps timings undisturbed: the host's cores belong to one piece of measuring at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from kernels.measure.runner import CancelCheck

_POLL_S = 0.05


class HostCores:
    """Handed to one holder after the other, in the order they asked.

    A CPU point holds the cores while it is measured. A GPU point needs them only for its float64 reference, which would
    otherwise slow down the CPU point that is being timed in the other lane.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()

    @contextmanager
    def hold(self, check: CancelCheck) -> Iterator[None]:
        """Wait for the turn, calling `check` meanwhile; the cores are free again when the context is left. Not to be nested."""
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
        try:
            self._wait(ticket, check)
            yield
        finally:
            with self._changed:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _wait(self, ticket: object, check: CancelCheck) -> None:
        with self._changed:
            while self._queue[0] is not ticket:
                check()
                self._changed.wait(_POLL_S)
