"""Times that others are compared with: found, or missing with the reason in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from app.core.curves import Provenance, Results, is_square, items_of, machine_of, machines_of
from app.core.quantities import Baseline, Smallest, workers_of
from app.core.session import SIZE_AXIS
from kernels.catalog import find
from kernels.measure.results import Point, Result
from kernels.messages import Message, message
from kernels.spec import Device, Precision, Problem

_Class = tuple[Provenance, Problem, str, Device, Precision | None]


@dataclass(frozen=True, slots=True)
class Timed:
    """One verified median, and whose it is. Results of one host are compared with each other, also across its devices."""

    provenance: Provenance
    host: str
    machine: str
    """The processor or GPU that it ran on."""
    point: Point
    ms: float


class Medians:
    """All verified times of a set of results. Each question is about one of them, and answered from those that compare with it."""

    def __init__(self, results: Results) -> None:
        self._by_problem: defaultdict[tuple[Provenance, Problem], list[Timed]] = defaultdict(list)
        self._by_variant: defaultdict[tuple[Provenance, str, str], list[Timed]] = defaultdict(list)
        self._libraries: dict[_Class, float] = {}
        for provenance, group in results.items():
            machines = machines_of(group)
            for result in group:
                timed = timed_of(result, provenance, machines)
                if timed is not None:
                    self._by_problem[provenance, timed.point.problem].append(timed)
                    self._by_variant[provenance, timed.machine, timed.point.variant_id].append(timed)
                    if timed.point.variant.library:
                        self._libraries[_class_of(timed)] = min(timed.ms, self._libraries.get(_class_of(timed), timed.ms))

    def library(self, timed: Timed) -> float | Message:
        """The fastest library of the same device of the same machine on the same problem, in the same precision."""
        return self._libraries.get(_class_of(timed)) or message("No library was timed at n = {n}.", n=timed.point.problem.n)

    def baseline(self, timed: Timed, baseline: Baseline) -> float | Message:
        """What a speed-up is over."""
        if isinstance(baseline, Smallest):
            return self.smallest(timed, baseline.axis)[1]
        wanted = set(baseline.parameters)
        times = (
            other.ms
            for other in self._by_problem[timed.provenance, timed.point.problem]
            if other.point.variant_id == baseline.variant_id and other.host == timed.host and wanted <= set(other.point.parameters.items())
        )
        variant = find(baseline.variant_id)
        name = baseline.variant_id if variant is None else variant.title
        return _least(times) or message("The baseline, {variant}, was not timed at n = {n}.", variant=name, n=timed.point.problem.n)

    def alone(self, timed: Timed) -> tuple[int, float] | Message:
        """How many compute at once, and the time that one of them takes alone."""
        workers = workers_of(timed.point.parameters)
        if isinstance(workers, Message):
            return workers
        name, count = workers
        one = replace(timed.point, parameters={**timed.point.parameters, name: 1})
        times = (other.ms for other in self._own(timed) if other.point == one)
        return _with(count, _least(times) or message("Not timed with {name} = 1 at n = {n}.", name=name, n=timed.point.problem.n))

    def smallest(self, timed: Timed, axis: str) -> tuple[int, float]:
        """The smallest value along `axis` with its time, all else being the same: at the least the one that is asked about."""
        rest = _rest(timed.point, axis)
        along = [
            (place, other.ms)
            for other in self._own(timed)
            if (place := place_of(other.point, axis)) is not None and _rest(other.point, axis) == rest
        ]
        return min(along, default=(place_of(timed.point, axis) or 0, timed.ms))

    def _own(self, timed: Timed) -> list[Timed]:
        return self._by_variant[timed.provenance, timed.machine, timed.point.variant_id]


def timed_of(result: Result, provenance: Provenance, machines: Mapping[Device, str]) -> Timed | None:
    """The result's median, None where it has no verified one above 0."""
    if not result.verified or not result.median_ms:
        return None
    machine = machine_of(result, machines)
    return Timed(provenance, str(result.conditions.get("processor", machine)), machine, result.point, result.median_ms)


def place_of(point: Point, axis: str) -> int | None:
    """Where a point lies along an axis: its n, or its value of a parameter; None where it has none."""
    if axis == SIZE_AXIS:
        return point.problem.n if is_square(point.problem) else None
    return point.parameters.get(axis)


def _rest(point: Point, axis: str) -> tuple[object, ...]:
    """What points along an axis have in common."""
    parameters = items_of({name: value for name, value in point.parameters.items() if name != axis})
    return parameters, None if axis == SIZE_AXIS else point.problem


def _class_of(timed: Timed) -> _Class:
    """What a library must have in common with a time for it to be the time's 100 %."""
    variant = timed.point.variant
    return timed.provenance, timed.point.problem, timed.machine, variant.device, variant.precision


def _least(times: Iterable[float]) -> float | None:
    return min(times, default=None)


def _with(count: int, ms: float | Message) -> tuple[int, float] | Message:
    return ms if isinstance(ms, Message) else (count, ms)
