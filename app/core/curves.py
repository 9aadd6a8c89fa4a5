"""From results to the curves of a chart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.core.session import Axis
from kernels.catalog import VARIANTS, find
from kernels.measure.results import Result
from kernels.spec import Device, Operation, Parameters, Problem, Variant


class Provenance(StrEnum):
    """Where a time comes from. Times of different provenance are never joined into one line."""

    MEASURED = "measured"
    RECORDED = "recorded"
    PUBLISHED = "published"


class Quantity(StrEnum):
    """What a chart shows over n or over the tile."""

    RATE = "rate"
    """GFLOP/s of a multiplication, GB/s of a transposition."""
    TIME = "time"
    """Milliseconds."""
    PERCENT = "percent"
    """Share of the best library's speed, on the same device of the same machine at the same n."""


Results = Mapping[Provenance, tuple[Result, ...]]
"""The newest result of each point (`newest`), by where it comes from."""


@dataclass(frozen=True, slots=True)
class SeriesKey:
    """What the points of one line have in common. `parameters` leaves out what runs along the axis."""

    variant_id: str
    provenance: Provenance
    machine: str
    parameters: tuple[tuple[str, int], ...]

    @property
    def variant(self) -> Variant:
        variant = find(self.variant_id)
        assert variant is not None, self.variant_id
        return variant


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One result on a curve: median with smallest and largest sample in the chart's quantity.

    The values are None where there is no verified time, and for a percentage also where no library was timed at this n.
    """

    x: int
    result: Result
    percent: float | None
    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart, its points in ascending x. Points without a time are kept, with their reason in the result."""

    key: SeriesKey
    points: tuple[CurvePoint, ...]

    @property
    def drawn(self) -> tuple[CurvePoint, ...]:
        """The points that have a place on the line."""
        return tuple(point for point in self.points if point.value is not None)

    @property
    def refused(self) -> tuple[CurvePoint, ...]:
        """The points that ended without a verified time."""
        return tuple(point for point in self.points if not point.result.verified)


def machines_of(results: Iterable[Result]) -> dict[Device, str]:
    """The first processor of each device that the results name. A point that was refused before it ran names none."""
    machines: dict[Device, str] = {}
    for result in results:
        if name := _named_machine(result):
            machines.setdefault(result.point.variant.device, name)
    return machines


def machine_of(result: Result, machines: Mapping[Device, str]) -> str:
    """The processor that the result belongs to: the one it names, else that of its neighbours; empty where none is known."""
    return _named_machine(result) or machines.get(result.point.variant.device, "")


def is_square(problem: Problem) -> bool:
    """Whether all matrices are n x n, so that n alone says the size."""
    return problem == Problem.square(problem.operation, problem.n)


def newest(results: Iterable[Result]) -> tuple[Result, ...]:
    """The last result of each point on each machine, in the order in which the points first came."""
    given = tuple(results)
    machines = machines_of(given)
    last: dict[object, Result] = {}
    for result in given:
        point = result.point
        key = (point.variant_id, point.problem, items_of(point.parameters), machine_of(result, machines))
        if key not in last or result.created >= last[key].created:
            last[key] = result
    return tuple(last.values())


def series_of(results: Results, axis: Axis, quantity: Quantity, known: Results) -> tuple[Series, ...]:
    """Lines of `results` in catalogue order, measured before recorded. Only square problems have a place on these axes.

    Shares of the best library are taken from `known`, so that a library need not be drawn to be the 100 % line.
    """
    libraries = library_times(known)
    lines: defaultdict[SeriesKey, list[CurvePoint]] = defaultdict(list)
    for provenance, group in results.items():
        machines = machines_of(group)
        for result in group:
            if not is_square(result.point.problem):
                continue
            parameters = dict(result.point.parameters)
            x = parameters.pop("tile", None) if axis is Axis.TILE else result.point.problem.n
            if x is None:
                continue
            machine = machine_of(result, machines)
            key = SeriesKey(result.point.variant_id, provenance, machine, items_of(parameters))
            lines[key].append(_curve_point(x, result, quantity, libraries.get(library_key(provenance, machine, result))))
    ordered = sorted(lines, key=lambda key: (VARIANTS.index(key.variant), list(Provenance).index(key.provenance), key.machine))
    return tuple(Series(key, tuple(sorted(lines[key], key=lambda point: point.x))) for key in ordered)


def has_tile(variant: Variant) -> bool:
    """Whether the variant can be swept over tiles."""
    return any(parameter.name == "tile" for parameter in variant.parameters)


def unit(operation: Operation) -> str:
    """The unit of `Result.rate`."""
    return "GFLOP/s" if operation is Operation.MATMUL else "GB/s"


def items_of(parameters: Parameters) -> tuple[tuple[str, int], ...]:
    """Parameters as a value that can be a key."""
    return tuple(sorted(parameters.items()))


def _named_machine(result: Result) -> str:
    return str(result.conditions.get("gpu" if result.point.variant.device is Device.GPU else "processor", ""))


def library_key(provenance: Provenance, machine: str, result: Result) -> tuple[object, ...]:
    """What a library must share with `result` to be its 100 % line."""
    return provenance, machine, result.point.variant.device, result.point.problem


def library_times(results: Results) -> dict[tuple[object, ...], float]:
    """The shortest verified median of a library, in milliseconds, by `library_key`."""
    times: dict[tuple[object, ...], float] = {}
    for provenance, group in results.items():
        machines = machines_of(group)
        for result in group:
            if result.point.variant.library and result.verified and result.median_ms is not None:
                key = library_key(provenance, machine_of(result, machines), result)
                times[key] = min(result.median_ms, times.get(key, result.median_ms))
    return times


def _curve_point(x: int, result: Result, quantity: Quantity, library_ms: float | None) -> CurvePoint:
    if not result.verified or not result.median_ms or min(result.times_ms) <= 0:
        return CurvePoint(x, result, None)
    median, fastest, slowest = result.median_ms, min(result.times_ms), max(result.times_ms)
    percent = None if library_ms is None else 100 * library_ms / median
    if quantity is Quantity.TIME:
        return CurvePoint(x, result, percent, median, fastest, slowest)
    best = percent if quantity is Quantity.PERCENT else result.rate
    if best is None:
        return CurvePoint(x, result, percent)
    return CurvePoint(x, result, percent, best, best * median / slowest, best * median / fastest)
