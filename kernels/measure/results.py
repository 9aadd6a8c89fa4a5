"""What a measurement is: points that were asked for, and results with their conditions."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.disturbance_sentences import is_disturbed

EDITED = "edited"
"""Beside the parameters of a point: what ran was an edited copy of the variant's text."""

VERIFIED_ROWS = "verified_rows"
"""Of the conditions of a result: how many rows of a large output were verified; absent where all were."""


class Status(StrEnum):
    """Status of a point: how it ended. MEASURED and SINGLE carry verified times; the others carry a reason and no time."""

    MEASURED = "measured"
    SINGLE = "single"
    """Run once only, because a full sampling was predicted to pass the time budget."""
    WRONG = "wrong"
    """The output is outside the error bound: no time is shown."""
    SKIPPED = "skipped"
    """Refused before running: it cannot work, or it was predicted to take too long."""
    FAILED = "failed"
    """Running it raised an error."""

    @property
    def verified(self) -> bool:
        """Whether it has times, of a result that was right."""
        return self in (Status.MEASURED, Status.SINGLE)


@dataclass(frozen=True, slots=True)
class Result:
    """One point's outcome. Times are in milliseconds, one for each sample, in the order taken."""

    point: Case
    status: Status
    created: str
    """UTC, ISO 8601."""
    times_ms: tuple[float, ...] = ()
    relative_error: float | None = None
    allowed_error: float | None = None
    reason: Message | None = None
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)
    """Machine, versions, threads, protocol: all that a time depends on, as flat named values."""

    @property
    def verified(self) -> bool:
        return self.status.verified

    @property
    def disturbed(self) -> bool:
        """Whether samples that were kept are known to be disturbed; `disturbance(conditions)` says by whom."""
        return is_disturbed(self.conditions)

    @property
    def median_ms(self) -> float | None:
        return statistics.median(self.times_ms) if self.times_ms else None

    @property
    def spread_ms(self) -> float | None:
        """Interquartile range of the samples; 0 for a single sample."""
        if not self.times_ms:
            return None
        if len(self.times_ms) == 1:
            return 0.0
        lower, _, upper = statistics.quantiles(self.times_ms, n=4, method="inclusive")
        return upper - lower

    @property
    def rate(self) -> float | None:
        """GFLOP/s of a multiplication, GB/s (read and written) of a transposition, at the median time."""
        return rate_of(self.point.problem, self.median_ms)


def rate_of(problem: Problem, ms: float | None) -> float | None:
    """GFLOP/s of a multiplication, GB/s of a transposition, that takes so many milliseconds; None without a time."""
    work = problem.flops if problem.operation is Operation.MATMUL else problem.bytes
    return work / ms / 1e6 if ms else None
