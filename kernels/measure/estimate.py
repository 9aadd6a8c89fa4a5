"""How long a point will take, from earlier results or from a probe at a small size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kernels.base.arrays import CancelCheck
from kernels.base.messages import Message, message
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Parameters, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.rows import AnyResult, Row, Setting, items_of
from kernels.measure.runner import Runner

SMALLEST_PROBE = 128
LONGEST_PROBE_MS = 500.0


class Estimator:
    """Predicts the time of one run by scaling the nearest earlier result of the same variant with the work."""

    def __init__(self, history: Iterable[AnyResult] = ()) -> None:
        # Milliseconds by variant, parameters and work; the latest result of each counts.
        self._known: dict[str, dict[Setting, dict[int, float]]] = {}
        self._nearest: dict[str, dict[Setting, Setting]] = {}
        """Of settings without a result, by variant, the one with a result that is nearest."""
        for result in history:
            self.learn(result)

    def learn(self, result: AnyResult) -> None:
        """Take a verified result into account; others tell nothing about time."""
        median = result.median_ms
        if not result.verified or median is None:
            return
        if isinstance(result, Row):
            self._add(result.variant_id, result.setting, result.problem, median)
        else:
            self.add(result.point, median)

    def add(self, point: Case, time_ms: float) -> None:
        """Take one run's time into account."""
        self._add(point.variant_id, items_of(point.parameters), point.problem, time_ms)

    def _add(self, variant_id: str, setting: Setting, problem: Problem, time_ms: float) -> None:
        known = self._known.setdefault(variant_id, {})
        if setting not in known:
            self._nearest.pop(variant_id, None)
        if amount := work(problem):
            known.setdefault(setting, {})[amount] = time_ms

    def predict_ms(self, point: Case) -> float | None:
        """Milliseconds of one run, or None without any earlier result. Nearest parameters come first, then the nearest amount of work."""
        known, wanted = self._known.get(point.variant_id), work(point.problem)
        if not known or wanted == 0:
            return None
        times = known.get(items_of(point.parameters)) or known[self._nearest_to(point, known)]
        nearest = wanted if wanted in times else min(times, key=lambda other: abs(math.log2(wanted / other)))
        return times[nearest] * wanted / nearest

    def _nearest_to(self, point: Case, known: Iterable[Setting]) -> Setting:
        nearest, wanted = self._nearest.setdefault(point.variant_id, {}), items_of(point.parameters)
        if wanted not in nearest:
            nearest[wanted] = min(known, key=lambda other: _distance(point.parameters, dict(other)))
        return nearest[wanted]


_LAST = 12
"""Points that tell what the next ones take beside their runs."""


@dataclass(slots=True)
class Overhead:
    """Seconds that points take beside their runs: they are compiled and verified, wait for their turn, and are taken again where they were
    disturbed."""

    last: tuple[tuple[int, float], ...] = ()
    """Of the last points, how much work a run was and what it took."""

    def learn(self, result: Result, elapsed_s: float, protocol: Protocol) -> None:
        """Take a measured point into account; one that was not even run tells nothing."""
        median = result.median_ms
        if median is not None:
            beside = max(0.0, elapsed_s - max(seconds_for(median, protocol), median / 1000))
            self.last = (*self.last, (work(result.point.problem), beside))[-_LAST:]

    def of(self, points: Sequence[Case]) -> float:
        """The seconds of these points: of each, what those took on average whose work is nearest."""
        return sum(self._of(work(point.problem)) for point in points) if self.last else 0.0

    def _of(self, amount: int) -> float:
        apart = [abs(math.log2((amount + 1) / (known + 1))) for known, _ in self.last]
        near = [beside for (_, beside), distance in zip(self.last, apart, strict=True) if distance == min(apart)]
        return sum(near) / len(near)


def work(problem: Problem) -> int:
    """What a run's time grows with: operations of a multiplication, bytes of a transposition."""
    return problem.flops if problem.operation is Operation.MATMUL else problem.bytes


def probe(point: Case, runner: Runner, estimator: Estimator, check: CancelCheck) -> None:
    """Teach `estimator` about a variant it does not know, by runs at growing small sizes below the point's own.

    Each probe is run twice and the second time counts. Doubling stops before a probe would take longer than 500 ms.
    """
    side = SMALLEST_PROBE
    while max(point.problem.m, point.problem.n, point.problem.k) > side:
        smaller = replace(point, problem=_shrunk(point.problem, side))
        expected = estimator.predict_ms(smaller)
        if expected is not None and expected > LONGEST_PROBE_MS:
            return
        with runner.prepare(smaller, random_inputs(smaller.problem, 0), check) as prepared:
            prepared.sample(check)
            estimator.add(smaller, prepared.sample(check))
        side *= 2


def seconds_for(run_ms: float, protocol: Protocol) -> float:
    """The most seconds that measuring a point takes when one run takes `run_ms`."""
    run_s = run_ms / 1000
    if run_s > protocol.budget_s:
        return 0.0
    if run_s * protocol.least_runs > protocol.budget_s:
        return run_s
    sampling = max(run_s * protocol.min_samples, min(run_s * protocol.max_samples, protocol.max_sampling_s))
    return run_s * (1 + protocol.warm_ups) + sampling


def seconds_left(points: Sequence[Case], estimator: Estimator, protocol: Protocol) -> float:
    """The most seconds that these points will take; one that nothing is known about counts as a full sampling."""
    predictions = (estimator.predict_ms(point) for point in points)
    return sum(protocol.max_sampling_s if ms is None else seconds_for(ms, protocol) for ms in predictions)


def duration(seconds: float) -> Message:
    """A rounded length of time in words: 5 s, 3 min, 2 h."""
    if seconds < 90:
        return message("{seconds} s", seconds=max(1, round(seconds)))
    if seconds < 90 * 60:
        return message("{minutes} min", minutes=round(seconds / 60))
    return message("{hours} h", hours=round(seconds / 3600))


def _shrunk(problem: Problem, side: int) -> Problem:
    return replace(problem, m=min(problem.m, side), n=min(problem.n, side), k=min(problem.k, side))


def _distance(one: Parameters, other: Parameters) -> float:
    """Doublings between two sets of parameters; a parameter that only one of them has counts as one."""
    shared = one.keys() & other.keys()
    doublings = sum(abs(math.log2(one[name] / other[name])) for name in shared if one[name] > 0 and other[name] > 0)
    return doublings + len(one.keys() ^ other.keys())
