"""What the machine does beside a measurement: who else uses its cores, and how long the measuring threads wait for one."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Protocol

from kernels.base.machine_conditions import usable_cores
from kernels.base.values import dataclass
from kernels.measure.disturbance_sentences import Cause

_TASKS = Path("/proc/self/task")
WAITED = 0.02
"""The part of a sample that its threads may wait for a core."""
LEAST_S = 50e-6
"""A shorter wait is not seen in any sample."""
STOLEN = 0.02
"""The part of its processors' time that the host of a virtual machine may take."""
OTHERS = 0.25
"""The part of one core that other programs may use for each core that the measurement leaves free, at least one."""
UNEVEN = 1.1
"""Where a core takes so many times as long as the fastest was seen to take, another machine is probably on it (measured: see
`kernels/jit/pace.py`). Less than that can be the frequency. Who merely waits for a core is not seen so: the best of some looks is
within 1.02."""
COARSE_S = 0.03
"""The system counts the time of processors in steps of 10 ms: less than three of them say nothing."""


class Pace(Protocol):
    """Seconds of a fixed piece of work on the slowest of so many threads' cores, and the shortest that this took."""

    def __call__(self, threads: int) -> float:
        """Do the work once on all of them at once."""

    def fastest(self, threads: int) -> float:
        """The shortest that was seen."""


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
    cores: int = field(default_factory=usable_cores)
    asking: int = field(default_factory=os.getppid)
    """The process that asked for the measurement; 0 where it is this one."""
    pace: Pace | None = None

    def look(self) -> Reading:
        """How the machine stands now."""
        return reading(self.children)

    def slowest(self, threads: int) -> float:
        """The pace of the slowest core of so many threads, seconds; 0 where nobody looks."""
        return 0.0 if self.pace is None else self.pace(threads)

    def is_shared(self, pace: float, threads: int) -> bool:
        """Whether another machine was probably on a core of this pace, or two of ours were one, by the fastest that was seen until now."""
        return self.pace is not None and pace > UNEVEN * self.pace.fastest(threads)

    def waits(self) -> dict[str, float]:
        """Seconds that each thread of this process has waited for a core so far; empty where the system does not tell."""
        found = {}
        with suppress(OSError):
            for task in _TASKS.iterdir():
                with suppress(OSError, ValueError, IndexError):  # it may have ended meanwhile
                    found[task.name] = float((task / "schedstat").read_text().split()[1]) / 1e9
        return found

    def delays(self, wall_s: float, before: Mapping[str, float], after: Mapping[str, float], threads: int) -> bool:
        """Whether a thread waited so long for a core that it is seen in the time. More threads than cores always wait."""
        longest = max((seconds - before[task] for task, seconds in after.items() if task in before), default=0.0)
        return threads <= self.cores and longest > max(LEAST_S, WAITED * wall_s)

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

        found, own = {}, {os.getpid(), *_children() * self.children}
        for process in psutil.process_iter(["name", "cpu_times", "ppid"]):
            times = process.info["cpu_times"]
            if times is not None and process.pid not in own:
                ours = bool(self.asking) and self.asking in (process.pid, process.info["ppid"])
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


def _children() -> list[int]:
    """The processes that this one, and those that it has started, have started."""
    import psutil

    return [child.pid for child in psutil.Process().children(recursive=True)]


def _of_children() -> float:
    import psutil

    seconds = 0.0
    for pid in _children():
        with suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            seconds += times.user + times.system
    return seconds
