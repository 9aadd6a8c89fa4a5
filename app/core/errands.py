"""Small slow things done beside the interface: run in a thread, delivered by whoever polls."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Errands:
    """Each errand has a thread of its own; `tick` hands finished ones over in the thread that calls it."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._finished: deque[Callable[[], None]] = deque()

    def send(self, name: str, work: Callable[[], T], deliver: Callable[[T], None]) -> None:
        """Do `work` in a thread; a later `tick` calls `deliver` with what it returned. `work` reports failure in its value."""

        def run() -> None:
            outcome = work()
            self._finished.append(lambda: deliver(outcome))

        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()

    def tick(self) -> None:
        """Deliver what has finished."""
        while self._finished:
            self._finished.popleft()()

    def join(self, timeout: float) -> None:
        """Wait for all threads, at most `timeout` seconds; nothing more is delivered."""
        end = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        self._finished.clear()
