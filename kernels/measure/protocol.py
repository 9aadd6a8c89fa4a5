"""How a point is sampled, and the rule that says when there are enough samples."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from enum import StrEnum

from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Protocol:
    """Protocol by which one point is measured.

    A first run into a poisoned output is verified and not counted; then come `warm_ups` more runs that are not counted,
    then samples until `stopped_by` names a rule.
    """

    warm_ups: int = 1
    min_samples: int = 5
    max_samples: int = 50
    target_spread: float = 0.02
    """Interquartile range over median that is good enough."""
    max_sampling_s: float = 2.0
    """No further sample is begun after this long, once there are `min_samples`."""
    budget_s: float = 60.0
    """A point whose shortest sampling would take longer is run once; one whose single run would, is skipped."""
    seed: int = 0
    """Of the random inputs."""

    def __post_init__(self) -> None:
        if not (self.warm_ups >= 0 and 1 <= self.min_samples <= self.max_samples and self.budget_s > 0):
            raise ValueError(f"contradictory protocol: {self}")

    @property
    def least_runs(self) -> int:
        """Runs after the verified one that the shortest sampling takes."""
        return self.warm_ups + self.min_samples


class Rule(StrEnum):
    """Rule that ended the sampling."""

    SPREAD = "spread"
    COUNT = "count"
    TIME = "time"


def stopped_by(times_ms: Sequence[float], protocol: Protocol, elapsed_s: float) -> Rule | None:
    """The rule that ends the sampling after these samples, or None to go on. `elapsed_s` counts from the first sample on."""
    if len(times_ms) < protocol.min_samples:
        return None
    if interquartile_range(times_ms) <= protocol.target_spread * statistics.median(times_ms):
        return Rule.SPREAD
    if len(times_ms) >= protocol.max_samples:
        return Rule.COUNT
    return Rule.TIME if elapsed_s >= protocol.max_sampling_s else None


def most_samples(times_ms: Sequence[float], protocol: Protocol) -> int:
    """The most samples that will be taken if the next ones are like these."""
    if not times_ms or sum(times_ms) <= 0:
        return protocol.max_samples
    fitting = int(protocol.max_sampling_s * 1000 / statistics.fmean(times_ms)) + 1
    return min(protocol.max_samples, max(protocol.min_samples, len(times_ms), fitting))


def interquartile_range(times_ms: Sequence[float]) -> float:
    """Distance of the quartiles; 0 for fewer than two samples."""
    if len(times_ms) < 2:
        return 0.0
    lower, _, upper = statistics.quantiles(times_ms, n=4, method="inclusive")
    return upper - lower
