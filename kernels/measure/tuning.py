"""Tuning of a variant: settings are tried in an order, with a short look at each; the best few are measured again in full."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import product
from typing import Protocol as Interface

from kernels.base.arrays import CancelCheck
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.estimate import seconds_for, seconds_left
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sweep import Bench, ResultSink, SweepObserver, measure_point

MOST_COMBINATIONS = 20_000
PICTURED = 2
"""So many of the parameters, the first ones, are the axes of the picture."""

Key = tuple[str, tuple[tuple[str, int], ...]]
"""A variant with its parameters."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A combination that cannot work."""

    point: Case
    reason: Message


@dataclass(frozen=True, slots=True)
class Twin:
    """Settings that are not tried, because they are launched as `tried` is."""

    point: Case
    tried: Case


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Plan of a tuning: every combination of the stops of the parameters `over` of one variant on one problem.

    `points` can work, in the order in which they are tried; `twins` are launched as one of these is, and not tried; the others are
    `refused`. `library` is what they are compared with.
    """

    variant: Variant
    problem: Problem
    over: tuple[str, ...]
    points: tuple[Case, ...]
    refused: tuple[Refusal, ...] = ()
    library: Case | None = None
    twins: tuple[Twin, ...] = ()

    @property
    def all_points(self) -> tuple[Case, ...]:
        """What is tried, the library first: each share of it is known as soon as its time is."""
        return self.points if self.library is None else (self.library, *self.points)

    @property
    def combinations(self) -> int:
        """How many there are."""
        return len(self.points) + len(self.twins) + len(self.refused)

    def tried(self) -> dict[Key, Case]:
        """Point that is tried in place of each one that can work, by their keys: mostly itself."""
        return {key_of(point): point for point in self.all_points} | {key_of(twin.point): twin.tried for twin in self.twins}

    def own(self, results: Iterable[Result]) -> Iterator[Result]:
        """The results of what is tried, also where they were taken with a twin's settings."""
        tried = self.tried()
        for result in results:
            point = tried.get(key_of(result.point))
            if point is not None and result.point.problem == self.problem:
                yield replace(result, point=point)


def refuse_tuning(variant: Variant, over: Sequence[str]) -> Message | None:
    """Why the variant cannot be tuned over these parameters, or None."""
    if variant.operation is Operation.HELLO:
        return message("{variant} computes nothing, so no setting is faster than another.", variant=variant.id)
    if not variant.parameters:
        return message("{variant} has no parameters.", variant=variant.id)
    if not over:
        return message("Every parameter of {variant} has its value: nothing is left to be varied.", variant=variant.id)
    for name in over:
        if variant.parameter(name) is None:
            return message("{variant} has no parameter {name}.", variant=variant.id, name=name)
    count = combinations(variant, over)
    if count > MOST_COMBINATIONS:
        return message(
            "{count} combinations are more than can be tried; the most is {most}. Vary fewer parameters.",
            count=count,
            most=MOST_COMBINATIONS,
        )
    return None


def combinations(variant: Variant, over: Iterable[str]) -> int:
    """How many combinations the offered values of these parameters have."""
    return math.prod(len(parameter.stops) for parameter in variant.parameters if parameter.name in set(over))


def plan_tuning(variant: Variant, problem: Problem, over: Sequence[str], start: Parameters, limits: Limits) -> TuningPlan:
    """The plan that begins around `start`, whose values the parameters keep that are not tuned.

    The first two parameters make a first picture while the others stay at their start; within it, and after it, coarse steps away
    from the start come before fine ones.
    """
    reason = refuse_tuning(variant, over)
    if reason is not None:
        raise ValueError(str(reason))
    names = tuple(dict.fromkeys(over))
    stops = [next(parameter.stops for parameter in variant.parameters if parameter.name == name) for name in names]
    homes = [_nearest(values, start[name]) for name, values in zip(names, stops, strict=True)]
    points, refused, twins, first = list[Case](), list[Refusal](), list[Twin](), dict[str, Case]()
    places = product(*(range(len(values)) for values in stops))
    for place in sorted(places, key=lambda place: _turn(place, homes)):
        chosen = {name: values[index] for name, values, index in zip(names, stops, place, strict=True)}
        point = Case(variant.id, problem, {**start, **chosen})
        reason = refuse(variant, problem, point.parameters, limits)
        if reason is not None:
            refused.append(Refusal(point, reason))
        elif (same := first.setdefault(_run_of(point), point)) is point:
            points.append(point)
        else:
            twins.append(Twin(point, same))
    return TuningPlan(variant, problem, names, tuple(points), tuple(refused), library_point(variant, problem), tuple(twins))


def library_point(variant: Variant, problem: Problem) -> Case | None:
    """The library of the same device, operation and precision, with its defaults; None where there is none, or it is the variant."""
    kind = (variant.device, variant.precision)
    others = (other for other in catalogue.of(variant.operation) if other.library and other.id != variant.id)
    library = next((other for other in others if (other.device, other.precision) == kind), None)
    return None if library is None else Case(library.id, problem, library.defaults)


@dataclass(frozen=True, slots=True)
class Standing:
    """A verified result among others of the same problem. `confirmed`: sampled as every measurement is, and not only looked at."""

    result: Result
    confirmed: bool


def ranking(results: Iterable[Result], protocol: Protocol) -> tuple[Standing, ...]:
    """The verified results, the fastest first; but one that was confirmed goes before those that a look found little faster: it may have
    been lucky."""
    timed = [Standing(result, is_confirmed(result, protocol)) for result in results if result.verified and result.median_ms]
    timed.sort(key=lambda each: each.result.median_ms or 0.0)
    first = next((each for each in timed if each.confirmed), None)
    if first is None or (first.result.median_ms or 0.0) > _LUCK * (timed[0].result.median_ms or 0.0):
        return tuple(timed)
    return (first, *(each for each in timed if each is not first))


_LUCK = 1.1
"""How much faster a look may find a point by luck."""


def is_confirmed(result: Result, protocol: Protocol) -> bool:
    """Whether at least as many samples were to be taken as the protocol asks for."""
    samples = result.conditions.get("min_samples", protocol.min_samples)
    return isinstance(samples, int | float) and samples >= protocol.min_samples


def key_of(point: Case) -> Key:
    """Return what tells the points of one problem apart."""
    return point.variant_id, tuple(sorted(point.parameters.items()))


def _run_of(point: Case) -> str:
    """What is done with the settings: points of which it is the same take the same time. Of a CUDA kernel, its launch."""
    launch = point.variant.launch
    return repr(key_of(point) if launch is None else launch(point.problem, point.parameters))


def _turn(place: tuple[int, ...], homes: Sequence[int]) -> tuple[object, ...]:
    """What the order of trying is by: parameters beside the picture that leave their start, then how fine the finest step is."""
    strides = [_stride(index - home, 64) for index, home in zip(place, homes, strict=True)]
    away = sum(index != home for index, home in list(zip(place, homes, strict=True))[PICTURED:])
    return away, -min(strides), -sum(strides), place


def _stride(distance: int, far: int) -> int:
    """The largest power of two that a distance is a multiple of; `far` where there is no distance."""
    return distance & -distance if distance else far


def _nearest(values: Sequence[int], wanted: int) -> int:
    return min(range(len(values)), key=lambda index: abs(values[index] - wanted))


FINALISTS = 5
"""So many of the best are measured again."""
MOST_CONFIRMATIONS = 4
"""Where one of the best turns out slower, another comes among them, and is measured again too: at most so many times."""
LOOK = Protocol(warm_ups=0, min_samples=3, max_samples=5, target_spread=0.05, max_sampling_s=0.3)
"""A short look: the verified run warms up, three samples follow."""
LARGEST_PART = 4
"""One run may take at most this part of the budget."""
MOST_RESERVED = 0.5
"""The part of the budget that is kept for the best few, at most."""


class Round(StrEnum):
    """The two passes."""

    LOOK = "look"
    CONFIRM = "confirm"


class TuningObserver(SweepObserver, Interface):
    """Is told how a tuning gets on, in the measuring thread."""

    def began(self, part: Round, total: int) -> None:
        """A round begins, of so many points at most."""


@dataclass(slots=True)
class Tuning:
    """One tuning under way. `known` are earlier results, which are taken over and not measured again (`remembered`).

    No point is begun once `budget_s` seconds have passed; one that has begun is finished.
    """

    plan: TuningPlan
    bench: Bench
    sink: ResultSink
    budget_s: float
    known: Mapping[Key, Result] = field(default_factory=dict)
    _found: dict[Key, Result] = field(default_factory=dict)
    _begun: float = 0.0
    _measured: int = 0

    def run(self, check: CancelCheck, observer: TuningObserver) -> tuple[Result, ...]:
        """Try, confirm, and return the last result of each point. Raises `Cancelled`; what is done stays in the sink."""
        self._begun = self.bench.clock()
        longest = min(self.bench.protocol.budget_s, self.budget_s / LARGEST_PART)
        self._go_through(Round.LOOK, self.plan.all_points, replace(LOOK, budget_s=longest), check, observer)
        for _ in range(MOST_CONFIRMATIONS):
            waiting = self._unconfirmed()
            if waiting and self._left() > 0:
                self._go_through(Round.CONFIRM, waiting, self.bench.protocol, check, observer)
        return tuple(self._found.values())

    def _go_through(self, part: Round, points: tuple[Case, ...], protocol: Protocol, check: CancelCheck, observer: TuningObserver) -> None:
        bench = replace(self.bench, protocol=protocol)
        observer.began(part, len(points))
        for index, point in enumerate(points):
            if self._take_over(point, protocol, observer):
                continue
            kept = self._reserved() if part is Round.LOOK else 0.0
            if self._left() > kept + seconds_left((point,), bench.estimator, protocol):
                at_most = seconds_left(points[index:], bench.estimator, protocol)
                self._measure(point, bench, check, observer, min(self._left(), kept + at_most))

    def _take_over(self, point: Case, protocol: Protocol, observer: TuningObserver) -> bool:
        """Use an earlier result of the point, where there is one with as many samples."""
        earlier = self.known.get(key_of(point))
        if earlier is None or not is_confirmed(earlier, protocol):
            return False
        self._found[key_of(point)] = earlier
        observer.finished(earlier)
        return True

    def _measure(self, point: Case, bench: Bench, check: CancelCheck, observer: TuningObserver, at_most: float) -> None:
        check()
        observer.started(point, at_most)
        result = measure_point(point, bench, check, observer)
        if result.verified:
            bench.estimator.add(point, self._promise(result))
        self.sink.append(result)
        self._measured += 1
        if result.status is not Status.SKIPPED or not self._is_timed(point):
            self._found[key_of(point)] = result
        observer.finished(result)

    def _is_timed(self, point: Case) -> bool:
        earlier = self._found.get(key_of(point))
        return earlier is not None and earlier.verified

    def _left(self) -> float:
        return self.budget_s - (self.bench.clock() - self._begun)

    def _reserved(self) -> float:
        """Seconds that measuring the best few again will take, judged by how long points have taken."""
        if not self._measured:
            return 0.0
        each, protocol = (self.bench.clock() - self._begun) / self._measured, self.bench.protocol
        times = (self._promise(self._found[key_of(point)]) for point in self._unconfirmed())
        return min(self.budget_s * MOST_RESERVED, sum(each + seconds_for(ms, protocol) for ms in times))

    def _unconfirmed(self) -> tuple[Case, ...]:
        """Return the finalists that were only looked at."""
        return tuple(point for point in self._finalists() if not is_confirmed(self._found[key_of(point)], self.bench.protocol))

    def _finalists(self) -> tuple[Case, ...]:
        """The library, then the most promising, the first of them first. What was only looked at stands beside what was confirmed."""
        library = self.plan.library
        timed = [result for result in self._found.values() if result.verified and result.median_ms]
        own = sorted((each for each in timed if each.point != library), key=self._promise)
        chosen = [result.point for result in own[:FINALISTS]]
        return tuple(chosen) if library is None or not self._is_timed(library) else (library, *chosen)

    def _promise(self, result: Result) -> float:
        """Milliseconds that settings may reach. A look is short, and what disturbs it makes it longer: its fastest sample counts."""
        return (result.median_ms or 0.0) if is_confirmed(result, self.bench.protocol) else min(result.times_ms)


def remembered(results: Iterable[Result], plan: TuningPlan, conditions: Mapping[str, str | int | float]) -> dict[Key, Result]:
    """Return the earlier results that need not be measured again: they ended, on a machine with these conditions, on the plan's points.

    What was refused for the time that it would have taken is tried again: the budget may be another; and so is what was disturbed.
    """
    return {
        key_of(result.point): result
        for result in plan.own(results)
        if result.status is not Status.SKIPPED
        and not result.disturbed
        and all(result.conditions.get(name) == value for name, value in conditions.items())
    }


def untried(plan: TuningPlan, results: Iterable[Result]) -> Iterator[Case]:
    """The points of the plan that have no result."""
    tried = {key_of(result.point) for result in plan.own(results)}
    return (point for point in plan.points if key_of(point) not in tried)
