"""Timing launches with CUDA events."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Event as Gate

SHORTEST_SAMPLE_MS = 1.0
"""Shorter launches are timed several at once, because an event is exact to about 0.5 µs."""
MOST_LAUNCHES = 200
"""Fewer than fit into the GPU's queue."""
LONGEST_FIRST_MS = 200.0
"""A first launch may take this long because of its start; a second one then tells the time."""
LONGEST_HOLD_S = 1.0
"""The gate opens by itself after this long, should launching ever wait for the GPU."""


class Timer:
    """Times `launch`, which enqueues work on CuPy's current stream.

    The first sample is one launch, exactly: what a kernel that works in place leaves depends on their number. Before the second
    follows from another launch how many the later samples time together. Those wait at a gate until all of them are enqueued,
    so that the GPU's time is measured and not the time Python takes to launch.
    """

    def __init__(self, launch: Callable[[], None]) -> None:
        from cupy.cuda import Stream

        self._stream = Stream(non_blocking=True)
        self._launch = launch
        self._first_ms: float | None = None
        self._chosen = False
        self.launches = 1
        """Launches that a sample times."""

    def sample(self) -> float:
        """Milliseconds of one launch."""
        if self._first_ms is None:
            # The first launch may load code and waits for no gate.
            gate = Gate()
            gate.set()
            self._first_ms = self._time(1, gate)
            return self._first_ms
        if not self._chosen:
            self._chosen = True
            if self._first_ms < LONGEST_FIRST_MS:
                self.launches = launches_per_sample(self._time(1, Gate()))
        return self._time(self.launches, Gate()) / self.launches

    def _time(self, launches: int, gate: Gate) -> float:
        """Milliseconds of so many launches, on the GPU."""
        from cupy.cuda import Event, get_elapsed_time

        start, stop = Event(), Event()
        with self._stream as stream:
            stream.launch_host_func(lambda _: gate.wait(LONGEST_HOLD_S), None)
            try:
                start.record(stream)
                for _ in range(launches):
                    self._launch()
                stop.record(stream)
            finally:
                gate.set()
        stop.synchronize()
        return float(get_elapsed_time(start, stop))


def launches_per_sample(one_ms: float) -> int:
    """How many launches of this time make a sample long enough."""
    if one_ms <= SHORTEST_SAMPLE_MS / MOST_LAUNCHES:
        return MOST_LAUNCHES
    return max(1, math.ceil(SHORTEST_SAMPLE_MS / one_ms))
