"""The threads that run a multi-threaded kernel: made once for a point, pinned where the system allows."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Work = Callable[[int], None]
"""What every thread of a crew but the calling one does, called with its own number."""
_TOPOLOGY = Path("/sys/devices/system/cpu")


class Crew:
    """`size` threads, the calling one as number 0; thread t stays on `cores[t]`, taken around. Made by `crew`, which also ends them."""

    def __init__(self, size: int, cores: list[int], work: Work) -> None:
        self.size = size
        self.pinned = False
        """Whether the threads stay on their cores."""
        self.error: BaseException | None = None
        """What one of the other threads has raised."""
        self._cores = cores
        self._work = work
        self._threads = [threading.Thread(target=self._take_part, args=(number,), daemon=True) for number in range(1, size)]

    def start(self) -> None:
        """Let the other threads begin their work."""
        self.pinned = self._pin(0)
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until the other threads have done their work."""
        for thread in self._threads:
            if thread.ident is not None:  # the system may have started fewer
                thread.join()

    def _take_part(self, number: int) -> None:
        self._pin(number)
        try:
            self._work(number)
        except BaseException as error:
            self.error = error

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
def crew(size: int, work: Work, stop: Callable[[], None]) -> Iterator[Crew]:
    """Threads 1 to `size` - 1 at their `work`, which `stop` ends; afterwards they are gone, and the calling thread runs where it could."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    members = Crew(size, cores_in_order(usable), work)
    try:
        members.start()
        yield members
    finally:
        stop()
        members.join()
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
