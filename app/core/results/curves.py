"""Curves of a chart as values: series, points and their provenance."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

from app.core.results.quantities import Share
from kernels.base.messages import Message
from kernels.base.spec import Operation, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import by_id
from kernels.measure.rows import Row, Setting


class Provenance(StrEnum):
    """Provenance of a time. Times of different provenance are never joined into one line."""

    MEASURED = "measured"
    RECORDED = "recorded"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """Key of a line: what its points have in common. `parameters` leaves out what runs along the axis."""

    variant_id: str
    provenance: Provenance
    machine: str
    parameters: Setting

    @property
    def variant(self) -> Variant:
        return by_id(self.variant_id)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Point of a curve: a result's median with smallest and largest sample in the chart's quantity.

    The values are None where there is no verified time, and also where there is nothing to compare it with: `reason` says what is missing.
    """

    x: int
    result: Row
    share: Share | None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: Message | None = None


@dataclass(frozen=True)
class Series:
    """Line of a chart, its points in ascending x. Points without a time are kept, with their reason in the result."""

    key: SeriesKey
    points: tuple[CurvePoint, ...]

    @cached_property
    def drawn(self) -> tuple[CurvePoint, ...]:
        """The points that have a place on the line."""
        return tuple(point for point in self.points if point.value is not None)

    @cached_property
    def disturbed(self) -> tuple[CurvePoint, ...]:
        """Those of them whose samples were disturbed."""
        return tuple(point for point in self.drawn if point.result.disturbed)

    @cached_property
    def xs(self) -> frozenset[int]:
        """Where the line has a point, with a time or without."""
        return frozenset(point.x for point in self.points)

    @cached_property
    def extent(self) -> tuple[float, ...]:
        """The least and the largest value, samples included; nothing without a time."""
        values = [value for point in self.drawn for value in (point.low, point.high) if value is not None]
        return (min(values), max(values)) if values else ()

    @cached_property
    def spread(self) -> bool:
        """Whether samples of a point differ."""
        return any(point.low != point.high for point in self.drawn)

    @cached_property
    def refused(self) -> tuple[CurvePoint, ...]:
        """The points that ended without a verified time."""
        return tuple(point for point in self.points if not point.result.verified)


def unit(operation: Operation) -> str:
    """The unit of `Result.rate`."""
    return "GFLOP/s" if operation is Operation.MATMUL else "GB/s"
