"""Counts of matrix accesses, read from a trace: at a step, up to it, and over the whole run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.cpusim.trace import READ, WRITE, Trace
from kernels.messages import Message, message


@dataclass(frozen=True, slots=True)
class Counter:
    """One row of the counters table, in elements of a matrix."""

    title: Message
    this_step: int
    so_far: int
    whole_run: int


class Counters:
    """The counts of one trace; built once, then asked for any step."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._rows: list[tuple[Message, npt.NDArray[np.int64]]] = []
        elements = trace.rows.astype(np.int64) * trace.columns
        for kind, title in ((READ, message("Reads of {matrix}")), (WRITE, message("Writes of {matrix}"))):
            for number, name in enumerate(trace.arrays):
                chosen = (trace.matrix == number) & (trace.kind == kind)
                if chosen.any():
                    running = np.concatenate(([0], np.cumsum(np.where(chosen, elements, 0))))
                    named = Message(title.template, (("matrix", name),))
                    self._rows.append((named, running[trace.access_start]))

    def at(self, step: int) -> tuple[Counter, ...]:
        """The counts at `step` (from 0); `so_far` includes the step itself."""
        return tuple(
            Counter(title, int(running[step + 1] - running[step]), int(running[step + 1]), int(running[-1]))
            for title, running in self._rows
        )
