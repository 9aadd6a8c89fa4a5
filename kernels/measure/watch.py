"""What the machine does beside a measurement: who else uses its cores, and how long the measuring threads wait for one."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kernels.measure.disturbance import Cause

_TASKS = Path("/proc/self/task")
WAITED = 0.02
"""The part of a sample that its threads may wait for a core."""
LEAST_S = 50e-6
"""A shorter wait is not seen in any sample."""
STOLEN = 0.02
"""The part of its processors' time that the host of a virtual machine may take."""
OTHERS = 0.25
"""The part of one core that other programs may use for each core that the measurement leaves free, at least one."""
COARSE_S = 0.03
"""The system counts the time of processors in steps of 10 ms: less than three of them say nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds that passed, in which all processors together were busy, this process worked, and the host took."""

    wall: float
    busy: float
    own: float
    stolen: float


@dataclass(frozen=True, slots=True)
class Watch:
    """Looks at the machine before and after samples. `children` counts the processes that this one has started as its own."""

    children: bool = False
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    window: int = field(default_factory=os.getppid)
    """The process of the window that asked for the measurement."""

    def look(self) -> Reading:
        """How the machine stands now."""
        return reading(self.children)

    def waited(self) -> float:
        """Seconds that the threads of this process, which live, have waited for a core; 0 where the system does not tell."""
        try:
            return sum(float((task / "schedstat").read_text().split()[1]) for task in _TASKS.iterdir()) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0

    def delays(self, wall_s: float, waited_s: float) -> bool:
        """Whether threads waited so long for a core that it is seen in their time."""
        return waited_s > max(LEAST_S, WAITED * wall_s)

    def causes(self, before: Reading, after: Reading, threads: int) -> frozenset[Cause]:
        """Who disturbed what `threads` threads did between two looks; empty where nobody did."""
        wall = max(after.wall - before.wall, 1e-9)
        others = (after.busy - before.busy) - (after.own - before.own)
        found = set()
        if after.stolen - before.stolen > max(COARSE_S, STOLEN * wall * self.cores):
            found.add(Cause.STEAL)
        if others > max(COARSE_S, OTHERS * wall * max(1, self.cores - threads)):
            found.add(Cause.PROGRAMS)
        return frozenset(found)

    def processes(self) -> dict[int, tuple[str, float]]:
        """Name and processor time in seconds of all other processes, as far as they may be seen. Takes some ten milliseconds."""
        import psutil

        found = {}
        for process in psutil.process_iter(["name", "cpu_times", "ppid"]):
            times = process.info["cpu_times"]
            if times is not None and process.pid != os.getpid():
                ours = self.window in (process.pid, process.info["ppid"])
                name = Cause.WINDOW.value if ours else str(process.info["name"])
                found[process.pid] = (name, float(times.user + times.system))
        return found

    def busiest(self, before: Mapping[int, tuple[str, float]], after: Mapping[int, tuple[str, float]]) -> list[str]:
        """The names of those that worked most between two calls of `processes`: at most two, the second at least a tenth as long."""
        worked = sorted(((seconds - before.get(pid, (name, 0.0))[1], name) for pid, (name, seconds) in after.items()), reverse=True)
        return [name for seconds, name in worked[:2] if seconds > max(0.0, worked[0][0] / 10)]


def reading(children: bool) -> Reading:
    """How the machine stands now. Takes some 50 microseconds, with `children` some milliseconds."""
    busy, stolen = _processors()
    return Reading(time.perf_counter(), busy, time.process_time() + (_of_children() if children else 0.0), stolen)


def _processors() -> tuple[float, float]:
    """Seconds in which processors worked, and that the host took from them."""
    import psutil

    times = psutil.cpu_times()
    ours = sum(getattr(times, name, 0.0) for name in ("user", "nice", "system", "irq", "softirq"))
    return ours, float(getattr(times, "steal", 0.0))


def _of_children() -> float:
    import psutil

    seconds = 0.0
    for child in psutil.Process().children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:
            continue
        seconds += times.user + times.system
    return seconds
