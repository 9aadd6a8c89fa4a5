"""The threads that run a multi-threaded kernel: made once for a point, pinned where the system allows, released together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Work = Callable[[int], None]
"""What every thread of a crew does, called with its own number."""
_TOPOLOGY = Path("/sys/devices/system/cpu")


class Crew:
    """`size` threads, the calling one as number 0; thread t stays on `cores[t]`, taken around. Made by `crew`, which also ends them."""

    def __init__(self, size: int, cores: list[int]) -> None:
        self.size = size
        self.pinned = False
        """Whether the threads stay on their cores."""
        self._cores = cores
        self._work: Work | None = None
        self._error: BaseException | None = None
        self._start = [threading.Semaphore(0) for _ in range(1, size)]
        self._done = threading.Semaphore(0)
        self._threads = [threading.Thread(target=self._serve, args=(number,), daemon=True) for number in range(1, size)]

    def run(self, work: Work) -> None:
        """Let every thread do `work`, and return when all are done. Raises what one of them raised."""
        self._work, self._error = work, None
        for start in self._start:
            start.release()
        try:
            work(0)
        finally:
            for _ in self._threads:
                self._done.acquire()
        if self._error is not None:
            raise self._error

    def start(self) -> None:
        """Begin waiting for work."""
        self.pinned = self._pin(0)
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """End the threads."""
        self._work = None
        for start, thread in zip(self._start, self._threads, strict=True):
            start.release()
            thread.join()

    def _serve(self, number: int) -> None:
        self._pin(number)
        while True:
            self._start[number - 1].acquire()
            if self._work is None:
                return
            try:
                self._work(number)
            except BaseException as error:
                self._error = error
            self._done.release()

    def _pin(self, number: int) -> bool:
        """Keep the calling thread on its core. False where the system has no way to, as macOS and Windows."""
        if not self._cores:
            return False
        try:
            os.sched_setaffinity(0, {self._cores[number % len(self._cores)]})
        except OSError:
            return False
        return True


@contextmanager
def crew(size: int) -> Iterator[Crew]:
    """A crew of `size` threads; afterwards they are gone and the calling thread may run where it could before."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    members = Crew(size, cores_in_order(usable))
    members.start()
    try:
        yield members
    finally:
        members.end()
        if usable:
            os.sched_setaffinity(0, usable)


def cores_in_order(usable: set[int], topology: Path = _TOPOLOGY) -> list[int]:
    """Logical cores, one of each physical core first, then their siblings."""
    seen: dict[str, int] = {}
    rounds = []
    for core in sorted(usable):
        try:
            siblings = (topology / f"cpu{core}" / "topology" / "thread_siblings_list").read_text().strip()
        except OSError:
            siblings = str(core)
        seen[siblings] = seen.get(siblings, 0) + 1
        rounds.append((seen[siblings], core))
    return [core for _, core in sorted(rounds)]
