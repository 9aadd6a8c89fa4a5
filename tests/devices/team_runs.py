"""Runs of several threads without any: chunks as a test writes them down, and a runner that answers with them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from kernels.base.arrays import CancelCheck, Matrix
from kernels.catalogue.case import Case
from kernels.jit.team_run import TeamRun
from kernels.measure.real_run import Chunks

Row = tuple[int, int, int, int, float, float]
"""Thread, loop, first, last, start and end."""


def chunks_of(threads: int, rows: Sequence[Row], elapsed_ms: float, left_out: int = 0) -> Chunks:
    """The chunks of these rows."""
    table = np.array(rows, np.float64).reshape(-1, 6).T
    thread, loop, first, last = table[:4].astype(np.int64)
    return Chunks(threads, thread, loop, first, last, table[4], table[5], elapsed_ms, left_out)


def two_loops(threads: int, elapsed_ms: float = 10.0) -> Chunks:
    """Two loops with a barrier between; every thread takes two chunks of each, thread t being busy for t + 1 parts of the time."""
    part = elapsed_ms / (4.4 * threads)
    rows: list[Row] = []
    for loop in range(2):
        for thread in range(threads):
            start = loop * elapsed_ms / 2
            for number in range(2):
                first = 2 * (2 * thread + number)
                rows.append((thread, loop, first, first + 2, start, start + part * (thread + 1)))
                start = rows[-1][5] + 0.001
    return chunks_of(threads, rows, elapsed_ms)


class FakeTeamRunner:
    """Runs nothing: the output is right, and the runs take `times_ms`, one after the other, over and over. Held up while `gate` is shut."""

    def __init__(self, times_ms: Sequence[float] = (10.0,), *, right: bool = True, open_gate: bool = True) -> None:
        self.times_ms, self.right = times_ms, right
        self.prepared: list[Case] = []
        self.gate, self.reached = threading.Event(), threading.Event()
        if open_gate:
            self.gate.set()

    @contextmanager
    def prepare(self, point: Case, inputs: Mapping[str, Matrix], check: CancelCheck) -> Iterator[TeamRun]:
        self.prepared.append(point)
        self.reached.set()
        while not self.gate.wait(0.005):
            check()
        yield _FakeTeamRun(point, inputs, self)


class _FakeTeamRun(TeamRun):
    def __init__(self, point: Case, inputs: Mapping[str, Matrix], runner: FakeTeamRunner) -> None:
        self._point, self._inputs, self._runner = point, inputs, runner
        self._runs = 0

    def poison(self) -> None:
        pass

    def sample(self, check: CancelCheck) -> float:
        check()
        self._runs += 1
        return self._run_ms

    def output(self) -> Matrix:
        product = self._inputs["A"] @ self._inputs["B"]
        return product if self._runner.right else product + 1

    def conditions(self) -> Mapping[str, str | int | float]:
        return {"threads": self._point.parameters["threads"]}

    def look(self, check: CancelCheck) -> Chunks:
        self.sample(check)
        return two_loops(self._point.parameters["threads"], self._run_ms)

    @property
    def _run_ms(self) -> float:
        return self._runner.times_ms[(self._runs - 1) % len(self._runner.times_ms)]
