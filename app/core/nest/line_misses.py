"""How the lines of a CPU kernel fare in the nearest cache: what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.core.line_cost import Chip
from app.core.nest.caches import StageCaches
from kernels.messages import Message, message

_OFTEN, _MOSTLY = 0.125, 0.5
"""Shares of misses from which on a mark stands out, and is filled: a line of 16 floats read one after the other misses one in 16."""


@dataclass(frozen=True, slots=True)
class LineMisses:
    """One line: its accesses, those that missed, the step at which most of them do, and its share of all misses."""

    line: int
    level: str
    accesses: int
    misses: int
    worst: int
    heat: float

    @property
    def chips(self) -> tuple[Chip, ...]:
        missed = self.misses / self.accesses
        times = 8.0 if missed >= _MOSTLY else 2.0 if missed >= _OFTEN else 1.0
        return (Chip(f"{int(100 * (1 - missed))}\u2009%", times, self.worst),)

    @property
    def words(self) -> Message:
        return message(
            "Line {line}: {hits} of {accesses} accesses hit {level}; {share} % of all misses are here. A press goes to its worst step.",
            line=self.line, hits=self.accesses - self.misses, accesses=self.accesses, level=self.level, share=round(100 * self.heat),
        )  # fmt: skip


def line_misses(caches: StageCaches) -> Mapping[int, LineMisses]:
    """The lines that access memory, by number."""
    lines, misses, accesses = caches.index.trace.lines, caches.misses_of_steps(0), np.diff(caches.start)
    whole = int(misses.sum())
    found = {}
    for line in np.unique(lines).tolist():
        own = lines == line
        count, missed = int(accesses[own].sum()), int(misses[own].sum())
        if count:
            worst = int(np.where(own, misses, -1).argmax())
            found[line] = LineMisses(line, caches.levels[0].name, count, missed, worst, missed / whole if whole else 0.0)
    return found
