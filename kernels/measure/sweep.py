"""Many points in one go: their order, and measuring them one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from itertools import product
from typing import Protocol as Interface

from kernels.base.arrays import CancelCheck
from kernels.base.limits import Limits, refuse
from kernels.base.reference import refuse_verification
from kernels.base.spec import Parameters, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.measure.cores import HostCores
from kernels.measure.estimate import Estimator, Overhead, seconds_left, work
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.sampler import PREDICTED, Clock, Measurer, MeasureRequest, Observer, SamplingState, unmeasured


class SweepObserver(Observer, Interface):
    """Is told how a sweep gets on, in the measuring thread."""

    def started(self, point: Case, seconds_left: float) -> None:
        """`point` comes next; it and the remaining ones take about `seconds_left`."""

    def finished(self, result: Result) -> None:
        """A point has ended and its result is stored."""


class ResultSink(Interface):
    """Interface of what keeps results."""

    def append(self, result: Result) -> None:
        """Keep one result; it is safe when this returns."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Surroundings of measuring on one device: all that it needs beside the point."""

    measurer: Measurer
    limits: Limits
    protocol: Protocol
    estimator: Estimator
    conditions: Mapping[str, str | int | float] = field(default_factory=dict)
    """Of the machine."""
    host_bytes: int | None = None
    """Free main memory, None if unknown."""
    cores: HostCores = field(default_factory=HostCores)
    clock: Clock = time.perf_counter
    overhead: Overhead = field(default_factory=Overhead)
    """What earlier sweeps took beside their runs."""


def measure_point(point: Case, bench: Bench, check: CancelCheck, observer: Observer) -> Result:
    """Measure one point, when nothing else is measured on this machine. Whatever goes wrong with it is in the result; only
    `Cancelled` is raised."""
    request = MeasureRequest(point, bench.protocol, bench.conditions, bench.estimator.predict_ms(point))
    reason = refuse(point.variant, point.problem, point.parameters, bench.limits) or refuse_verification(
        point.problem, bench.host_bytes, point.error_growth or 1.0
    )
    if reason is not None:
        return replace(unmeasured(request, datetime.now(UTC)), reason=reason)
    observer.entered(point, SamplingState.WAITING)
    with bench.cores.hold(check, lambda: observer.entered(point, SamplingState.TURN)):
        result = bench.measurer.measure(request, check, observer)
    predicted = result.conditions.get(PREDICTED)
    if isinstance(predicted, float):
        bench.estimator.add(point, predicted)
    return result


def plan(
    choices: Iterable[tuple[str, Parameters]], problems: Iterable[Problem], swept: str = "", values: Sequence[int] = ()
) -> tuple[Case, ...]:
    """The points of a sweep: each chosen variant with its parameters on each problem, and where it has the parameter `swept`, with
    each of its `values`.

    Little work comes first and the variants take turns, so that all curves grow together and each problem's reference is
    computed once.
    """
    chosen = tuple(choices)
    points: list[Case] = []
    for problem, value in product(sorted(problems, key=work), values or (None,)):
        for variant_id, parameters in chosen:
            point = Case(variant_id, problem, _with_value(variant_id, parameters, swept, value))
            # A variant without the parameter comes up once for each value, but is measured once.
            if point not in points:
                points.append(point)
    return tuple(points)


def run_sweep(points: Sequence[Case], bench: Bench, sink: ResultSink, check: CancelCheck, observer: SweepObserver) -> None:
    """Measure the points in order; each result is stored before the next point starts. Raises `Cancelled`; what is done stays."""
    for index, point in enumerate(points):
        check()
        left, began = points[index:], bench.clock()
        observer.started(point, seconds_left(left, bench.estimator, bench.protocol) + bench.overhead.of(left))
        result = measure_point(point, bench, check, observer)
        bench.estimator.learn(result)
        bench.overhead.learn(result, bench.clock() - began, bench.protocol)
        sink.append(result)
        observer.finished(result)


def _with_value(variant_id: str, parameters: Parameters, name: str, value: int | None) -> Parameters:
    variant = find(variant_id)
    if value is None or variant is None or name not in variant.defaults:
        return parameters
    return {**parameters, name: value}
