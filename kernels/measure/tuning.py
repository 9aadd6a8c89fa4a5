"""Which settings of a variant are tried, and in which order; which came out best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from kernels import catalog
from kernels.limits import Limits, refuse
from kernels.measure.protocol import Protocol
from kernels.measure.results import Point, Result
from kernels.messages import Message, message
from kernels.spec import Operation, Parameters, Problem, Variant

MOST_COMBINATIONS = 20_000
PICTURED = 2
"""So many of the parameters, the first ones, are the axes of the picture."""

Key = tuple[str, tuple[tuple[str, int], ...]]
"""A variant with its parameters."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A combination that cannot work."""

    point: Point
    reason: Message


@dataclass(frozen=True, slots=True)
class Twin:
    """Settings that are not tried, because they are launched as `tried` is."""

    point: Point
    tried: Point


@dataclass(frozen=True, slots=True)
class TuningPlan:
    """Every combination of the stops of the parameters `over` of one variant on one problem: `points` can work, in the order in which
    they are tried; `twins` are launched as one of these is, and not tried; the others are `refused`. `library` is what they are
    compared with."""

    variant: Variant
    problem: Problem
    over: tuple[str, ...]
    points: tuple[Point, ...]
    refused: tuple[Refusal, ...] = ()
    library: Point | None = None
    twins: tuple[Twin, ...] = ()

    @property
    def all_points(self) -> tuple[Point, ...]:
        """What is tried, the library first: each share of it is known as soon as its time is."""
        return self.points if self.library is None else (self.library, *self.points)

    @property
    def combinations(self) -> int:
        """How many there are."""
        return len(self.points) + len(self.twins) + len(self.refused)

    def tried(self) -> dict[Key, Point]:
        """By all that can work, what is tried in its place: mostly itself."""
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
    points, refused, twins, first = list[Point](), list[Refusal](), list[Twin](), dict[str, Point]()
    places = product(*(range(len(values)) for values in stops))
    for place in sorted(places, key=lambda place: _turn(place, homes)):
        chosen = {name: values[index] for name, values, index in zip(names, stops, place, strict=True)}
        point = Point(variant.id, problem, {**start, **chosen})
        reason = refuse(variant, problem, point.parameters, limits)
        if reason is not None:
            refused.append(Refusal(point, reason))
        elif (same := first.setdefault(_run_of(point), point)) is point:
            points.append(point)
        else:
            twins.append(Twin(point, same))
    return TuningPlan(variant, problem, names, tuple(points), tuple(refused), library_point(variant, problem), tuple(twins))


def library_point(variant: Variant, problem: Problem) -> Point | None:
    """The library of the same device, operation and precision, with its defaults; None where there is none, or it is the variant."""
    kind = (variant.device, variant.precision)
    others = (other for other in catalog.of(variant.operation) if other.library and other.id != variant.id)
    library = next((other for other in others if (other.device, other.precision) == kind), None)
    return None if library is None else Point(library.id, problem, library.defaults)


@dataclass(frozen=True, slots=True)
class Standing:
    """A verified result among others of the same problem. `confirmed`: sampled as every measurement is, and not only looked at."""

    result: Result
    confirmed: bool


def ranking(results: Iterable[Result], protocol: Protocol) -> tuple[Standing, ...]:
    """The verified results, the fastest first; but the first place is for one that was confirmed, if any was: a look may be lucky."""
    timed = [Standing(result, is_confirmed(result, protocol)) for result in results if result.verified and result.median_ms]
    timed.sort(key=lambda each: each.result.median_ms or 0.0)
    first = next((each for each in timed if each.confirmed), None)
    return tuple(timed) if first is None else (first, *(each for each in timed if each is not first))


def is_confirmed(result: Result, protocol: Protocol) -> bool:
    """Whether at least as many samples were to be taken as the protocol asks for."""
    samples = result.conditions.get("min_samples", protocol.min_samples)
    return isinstance(samples, int | float) and samples >= protocol.min_samples


def key_of(point: Point) -> Key:
    """What tells the points of one problem apart."""
    return point.variant_id, tuple(sorted(point.parameters.items()))


def _run_of(point: Point) -> str:
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
