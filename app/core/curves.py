"""From results to the curves of a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kernels.catalog import find
from kernels.measure.results import Result
from kernels.messages import Message
from kernels.spec import Device, Operation, Parameters, Problem, Variant


class Provenance(StrEnum):
    """Where a time comes from. Times of different provenance are never joined into one line."""

    MEASURED = "measured"
    RECORDED = "recorded"
    PUBLISHED = "published"


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

    The values are None where there is no verified time, and also where there is nothing to compare it with: `reason` says what is missing.
    """

    x: int
    result: Result
    percent: float | None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: Message | None = None


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


MACHINE_CONDITION = {Device.CPU: "processor", Device.MPI: "processor", Device.GPU: "gpu"}
"""The condition that names the processor of a result, by the device of its variant."""


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


def named_machines(results: Iterable[Result]) -> tuple[str, ...]:
    """All processors that the results name, in the order of their first results; GPUs come first, their hosts are not named beside."""
    names = dict.fromkeys((result.point.variant.device is not Device.GPU, _named_machine(result)) for result in results)
    return tuple(dict.fromkeys(name for _, name in sorted(names, key=lambda each: each[0]) if name))


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


def unit(operation: Operation) -> str:
    """The unit of `Result.rate`."""
    return "GFLOP/s" if operation is Operation.MATMUL else "GB/s"


def items_of(parameters: Parameters) -> tuple[tuple[str, int], ...]:
    """Parameters as a value that can be a key."""
    return tuple(sorted(parameters.items()))


def _named_machine(result: Result) -> str:
    return str(result.conditions.get(MACHINE_CONDITION[result.point.variant.device], ""))
