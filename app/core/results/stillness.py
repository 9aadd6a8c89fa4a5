"""Keeps the window still while samples are taken, and lets it move in between."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kernels.base.arrays import CancelCheck

LONGEST_WAIT_S = 1.0
"""An interface that has not come to rest by then is not waited for: what it does to the samples is seen in them."""
_POLL_S = 0.05


class Stillness:
    """Asked for in the threads that have something measured, granted by the interface's thread when nothing moves any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked = False
        self._granted = threading.Event()

    @property
    def asked(self) -> bool:
        """Whether somebody waits for stillness, or has it."""
        return self._asked

    @property
    def active(self) -> bool:
        """Whether samples are being taken: nothing may move but what a hand asks for."""
        return self._granted.is_set()

    def grant(self) -> None:
        """Say that nothing moves. For the interface's thread, when it was asked."""
        with self._lock:
            if self._asked:
                self._granted.set()

    @contextmanager
    def hold(self, check: CancelCheck) -> Iterator[None]:
        """Wait until nothing moves, calling `check` meanwhile; things may move again when the context is left. One at a time."""
        self._ask(wanted=True)
        try:
            for _ in range(round(LONGEST_WAIT_S / _POLL_S)):
                check()
                if self._granted.wait(_POLL_S):
                    break
            self.grant()
            yield
        finally:
            self._ask(wanted=False)

    def _ask(self, *, wanted: bool) -> None:
        with self._lock:
            self._asked = wanted
            self._granted.clear()
