"""Threads that take turns: a multi-threaded kernel executed one thread at a time, in an order that is the same each time.

A thread goes on until it asks for its next chunk or waits at a barrier. Then the one goes on that has done the fewest steps, as if
every step took the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class _Stopped(BaseException):
    """Ends a thread because another one has failed."""


class TurnTaking:
    """Runs `size` threads in turns. `steps_done` tells how many steps have been done in all."""

    def __init__(self, size: int, steps_done: Callable[[], int]) -> None:
        self.current = 0
        """The thread whose turn it is."""
        self._steps_done = steps_done
        self._begun_at = 0
        self._steps = [0] * size
        """Of each thread; one that only waits is taken to be as far as the others."""
        self._running = set(range(size))
        self._error: BaseException | None = None
        self._turn = threading.Condition()

    def run(self, work: Callable[[int], None]) -> None:
        """Let every thread do `work(thread)`; returns when all are done. Raises what one of them raises."""
        threads = [threading.Thread(target=self._take_part, args=(number, work), daemon=True) for number in range(1, len(self._steps))]
        for thread in threads:
            thread.start()
        self._take_part(0, work)
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error

    def give_way(self) -> None:
        """Return when it is the calling thread's turn again."""
        with self._turn:
            number = self.current
            self._pass_on(number)
            self._await(number)

    def _take_part(self, number: int, work: Callable[[int], None]) -> None:
        try:
            with self._turn:
                self._await(number)
            work(number)
        except _Stopped:
            return
        except BaseException as error:
            self._error = error
        finally:
            with self._turn:
                self._running.discard(number)
                self._pass_on(number)

    def _pass_on(self, number: int) -> None:
        """Choose who goes on."""
        if number == self.current and self._running:
            done = self._steps_done() - self._begun_at
            self._begun_at += done
            self._steps[number] += done
            if not done:
                self._steps[number] = max(self._steps[other] for other in self._running | {number}) + 1
            self.current = min(self._running, key=lambda other: (self._steps[other], other))
        self._turn.notify_all()

    def _await(self, number: int) -> None:
        while self.current != number and self._error is None:
            self._turn.wait()
        if self._error is not None:
            raise _Stopped
