"""Tries the settings of a plan: a short look at each, then the best few again as every measurement is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol as Interface

from kernels.measure.estimate import seconds_for, seconds_left
from kernels.measure.protocol import Protocol
from kernels.measure.results import Point, Result, Status
from kernels.measure.runner import CancelCheck
from kernels.measure.sweep import Bench, ResultSink, SweepObserver, measure_point
from kernels.measure.tuning import Key, TuningPlan, is_confirmed, key_of

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

    def _go_through(self, part: Round, points: tuple[Point, ...], protocol: Protocol, check: CancelCheck, observer: TuningObserver) -> None:
        bench = replace(self.bench, protocol=protocol)
        observer.began(part, len(points))
        for index, point in enumerate(points):
            if self._take_over(point, protocol, observer):
                continue
            kept = self._reserved() if part is Round.LOOK else 0.0
            if self._left() > kept + seconds_left((point,), bench.estimator, protocol):
                at_most = seconds_left(points[index:], bench.estimator, protocol)
                self._measure(point, bench, check, observer, min(self._left(), kept + at_most))

    def _take_over(self, point: Point, protocol: Protocol, observer: TuningObserver) -> bool:
        """Use an earlier result of the point, where there is one with as many samples."""
        earlier = self.known.get(key_of(point))
        if earlier is None or not is_confirmed(earlier, protocol):
            return False
        self._found[key_of(point)] = earlier
        observer.finished(earlier)
        return True

    def _measure(self, point: Point, bench: Bench, check: CancelCheck, observer: TuningObserver, at_most: float) -> None:
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

    def _is_timed(self, point: Point) -> bool:
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

    def _unconfirmed(self) -> tuple[Point, ...]:
        """Those of the finalists that were only looked at."""
        return tuple(point for point in self._finalists() if not is_confirmed(self._found[key_of(point)], self.bench.protocol))

    def _finalists(self) -> tuple[Point, ...]:
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
    """Those of earlier results that need not be measured again: they ended, on a machine with these conditions, on the plan's points.

    What was refused for the time that it would have taken is tried again: the budget may be another; and so is what was disturbed.
    """
    return {
        key_of(result.point): result
        for result in plan.own(results)
        if result.status is not Status.SKIPPED
        and not result.disturbed
        and all(result.conditions.get(name) == value for name, value in conditions.items())
    }


def untried(plan: TuningPlan, results: Iterable[Result]) -> Iterator[Point]:
    """The points of the plan that have no result."""
    tried = {key_of(result.point) for result in plan.own(results)}
    return (point for point in plan.points if key_of(point) not in tried)
