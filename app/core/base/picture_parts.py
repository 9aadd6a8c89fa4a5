"""Parts that the pictures of both kinds of kernel have in common, as values.

Verdict on a step, tick along an edge of a matrix, role of a matrix, costs beside a source line, counters of matrix accesses read from a
trace (at a step, up to it, over the whole run), and a view as a table of text, for screen readers and for copying.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.cpusim.trace import READ, WRITE, Trace

STEPS = (1, 2, 4, 8, 16, 32)
"""The ramp: a cost of n times the best has the shade of the greatest entry that is not above n."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of a view on its step. `times` is 1 where it could not be better. `brief` says less, where the name has no room beside it."""

    text: Message
    times: float
    brief: Message | None = None

    @property
    def good(self) -> bool:
        return self.times <= 1

    @property
    def severe(self) -> bool:
        """Shown filled, with a triangle."""
        return self.times >= 8


@dataclass(frozen=True, slots=True)
class Tick:
    """Stands for the rows, or the columns, from `first` to `stop` (exclusive). The present one stands out."""

    text: str
    first: int
    stop: int
    present: bool


@dataclass(frozen=True, slots=True)
class MatrixRole:
    """An argument that is a matrix. `letter` (A, B or C) is its colour, C is the output; "" where only the shape is known. Row-major."""

    name: str
    letter: str
    rows: int
    columns: int
    prepared: bool = False
    """Whether it is A as a launch before this one turned it."""

    @property
    def word(self) -> str:
        """What sentences call it."""
        return self.letter if self.prepared else self.name


@dataclass(frozen=True, slots=True)
class Chip:
    """Number beside a source line. `times` says how many times the best it costs, `step` where it is worst."""

    text: str
    times: float
    step: int


class LineCost(Protocol):
    """Costs of a source line. A line may have costs of several kinds: None stands in place of one that it has not."""

    @property
    def line(self) -> int: ...

    @property
    def heat(self) -> float:
        """The line's share of all that there is of such costs."""

    @property
    def chips(self) -> Sequence[Chip | None]: ...

    @property
    def words(self) -> Message:
        """All that is known of the line."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Row of the counters table, in elements of a matrix."""

    title: Message
    this_step: int
    so_far: int
    whole_run: int


def counters_at(rows: Iterable[tuple[Message, npt.NDArray[np.int64]]], step: int) -> tuple[Counter, ...]:
    """The rows at a step (from 0), each of how many there were before every step; `so_far` includes the step itself."""
    return tuple(Counter(title, int(before[step + 1] - before[step]), int(before[step + 1]), int(before[-1])) for title, before in rows)


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
        """The counts at `step`."""
        return counters_at(self._rows, step)


@dataclass(frozen=True, slots=True)
class Table:
    """View as a table of text, with one row for each thing drawn. Cells are messages or plain text (numbers, names)."""

    titles: tuple[Message, ...]
    rows: tuple[tuple[Message | str, ...], ...]
