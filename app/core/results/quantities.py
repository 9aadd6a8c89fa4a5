"""Quantities in which a time is told: itself, a rate, or compared with another time."""

from __future__ import annotations

from enum import StrEnum

from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Parameters
from kernels.base.values import dataclass
from kernels.measure.rows import AnyResult, row_of

WORKERS = ("ranks", "threads")
"""Parameters that say how many compute at once."""


class Quantity(StrEnum):
    """Quantity that a chart shows over n or over a parameter."""

    RATE = "rate"
    """GFLOP/s of a multiplication, GB/s of a transposition."""
    TIME = "time"
    """Milliseconds."""
    PERCENT = "percent"
    """Share of the best library's speed, on the same device of the same machine at the same n."""
    SPEED_UP = "speed-up"
    """How many times as fast as the baseline."""
    EFFICIENCY = "efficiency"
    """Percent of the speed that as many workers would have, each as fast as one alone."""
    GROWTH = "growth"
    """How many times as long as at the smallest n."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """The baseline that is each line's own result at its smallest value of `axis`."""

    axis: str


@dataclass(frozen=True, slots=True)
class Rung:
    """The baseline that is a variant at the same n: its fastest result with these parameters, others being anything."""

    variant_id: str
    parameters: tuple[tuple[str, int], ...] = ()


Baseline = Smallest | Rung


def speed_up(ms: float, baseline_ms: float) -> float:
    """How many times as fast as the baseline something is that takes `ms`."""
    return baseline_ms / ms


def percent_of_library(ms: float, library_ms: float) -> float:
    """Return a speed as a percentage of the library's."""
    return 100 * library_ms / ms


@dataclass(frozen=True, slots=True)
class Share:
    """Speed as a percentage of another; `about` where a time that it is from was disturbed or scatters."""

    percent: float
    about: bool = False

    @property
    def text(self) -> str:
        """The share as it is told: with ≈ where it is about so much."""
        return f"≈ {percent_text(self.percent)}" if self.about else percent_text(self.percent)


WHY_ABOUT = message("from a time that was disturbed or scatters")
ABOUT = message("≈: {why}", why=WHY_ABOUT)
"""What the sign before a share says."""


def percent_text(percent: float) -> str:
    """A percentage as it is told: whole from 10 on, with two figures below, a nought among them: 3.0 % beside 9.7 %."""
    return f"{percent:#.2g} %" if 0 < percent < 9.95 else f"{percent:.0f} %"


def share_of_library(result: AnyResult, library: AnyResult) -> Share:
    """The share of a library's speed that a result reaches; both have a time."""
    own, other = row_of(result), row_of(library)
    return Share(
        percent_of_library(own.median_ms or 0.0, other.median_ms or 0.0), own.point != other.point and (own.uneven or other.uneven)
    )


def efficiency_percent(ms: float, alone_ms: float, workers: int) -> float:
    """100 where `workers` take one part in `workers` of the time that one of them takes alone."""
    return 100 * alone_ms / (ms * workers)


def growth(ms: float, smallest_ms: float) -> float:
    """How many times as long as at the smallest n something takes."""
    return ms / smallest_ms


def expected_growth(operation: Operation, n: int, smallest: int) -> float:
    """How the work grows on n × n matrices: with the third power for a multiplication, with the second for a transposition."""
    power: int = 3 if operation is Operation.MATMUL else 2
    return float((n / smallest) ** power)


def workers_of(parameters: Parameters) -> tuple[str, int] | Message:
    """The parameter that says how many compute at once, and the number; or the reason why there is none."""
    given = [(name, parameters[name]) for name in WORKERS if name in parameters]
    return given[0] if given else message("It has neither threads nor ranks.")
