"""Who watches a sweep in a test."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from kernels.base.arrays import Cancelled
from kernels.catalogue.case import Case
from kernels.measure.results import Result
from kernels.measure.sampler import SamplingState


class SweepLog:
    """Remembers the results and the time left at each point, and can ask to stop after some results."""

    def __init__(self, stop_after: int = 1000) -> None:
        self.left: list[float] = []
        self.results: list[Result] = []
        self.stop_after = stop_after

    def check(self) -> None:
        if len(self.results) >= self.stop_after:
            raise Cancelled

    def started(self, _point: Case, seconds_left: float) -> None:
        self.left.append(seconds_left)

    def entered(self, _point: Case, _phase: SamplingState) -> None:
        """Not looked at here."""

    def sampled(self, _point: Case, _taken: int, _at_most: int) -> None:
        """Not looked at here."""

    def still(self) -> AbstractContextManager[None]:
        return nullcontext()

    def finished(self, result: Result) -> None:
        self.results.append(result)
