"""Results compared with each other: what stands beside a time in tables and exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from app.core.curves import Provenance, is_square, machines_of
from app.core.medians import Medians, Timed, timed_of
from app.core.quantities import Baseline, efficiency_percent, expected_growth, growth, percent_of_library, speed_up, workers_of
from app.core.session import SIZE_AXIS
from kernels.measure.results import Point, Result
from kernels.messages import Message

Compared = float | Message | None
"""A number, the reason why there is none, or None where the question does not arise."""
Peak = Callable[[Point], float | None]
"""The most GFLOP/s that the machine has for a point, None where it is not known."""


@dataclass(frozen=True, slots=True)
class Derived:
    """One result's comparisons. Ratios and percentages; `expected_growth` is what `growth` would be if time grew as the work does."""

    percent_of_library: Compared = None
    percent_of_peak: Compared = None
    speed_up: Compared = None
    efficiency_percent: Compared = None
    growth: Compared = None
    expected_growth: Compared = None

    @property
    def numbers(self) -> dict[str, float | None]:
        """All comparisons by name; None where there is no number."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value if isinstance(value, float) else None for name, value in values.items()}

    @property
    def reasons(self) -> dict[str, Message]:
        """Why a comparison that was asked for has no number."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Message)}


def derive(results: Sequence[Result], baseline: Baseline | None = None, peak: Peak = lambda _point: None) -> tuple[Derived, ...]:
    """The comparisons of each result with the others, which were all measured on this machine. Without a baseline no speed-ups.

    An efficiency is asked for where the number of workers varies, a growth where n does, a share where there is a library.
    """
    medians, machines = Medians({Provenance.MEASURED: tuple(results)}), machines_of(results)
    question = _Question(
        medians, baseline, peak,
        library=any(result.point.variant.library for result in results),
        workers=_varies([workers_of(result.point.parameters) for result in results]),
        sizes=_varies([result.point.problem.n for result in results]),
    )  # fmt: skip
    found = []
    for result in results:
        timed = timed_of(result, Provenance.MEASURED, machines)
        found.append(Derived() if timed is None else _compare(timed, result, question))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of every result."""

    medians: Medians
    baseline: Baseline | None
    peak: Peak
    library: bool
    workers: bool
    sizes: bool


def _compare(timed: Timed, result: Result, asked: _Question) -> Derived:
    ms, peak = timed.ms, asked.peak(timed.point)
    grown = _growth(timed, asked.medians) if asked.sizes else None
    return Derived(
        _with(asked.medians.library(timed) if asked.library else None, lambda library: percent_of_library(ms, library)),
        None if peak is None or result.rate is None or not timed.point.problem.flops else 100 * result.rate / peak,
        _with(None if asked.baseline is None else asked.medians.baseline(timed, asked.baseline), lambda base: speed_up(ms, base)),
        _efficiency(timed, asked.medians) if asked.workers else None,
        None if grown is None else grown[0],
        None if grown is None else grown[1],
    )


def _efficiency(timed: Timed, medians: Medians) -> Compared:
    if isinstance(workers_of(timed.point.parameters), Message):
        return None
    alone = medians.alone(timed)
    return alone if isinstance(alone, Message) else efficiency_percent(timed.ms, alone[1], alone[0])


def _growth(timed: Timed, medians: Medians) -> tuple[float, float] | None:
    if not is_square(timed.point.problem):
        return None
    smallest, ms = medians.smallest(timed, SIZE_AXIS)
    return growth(timed.ms, ms), expected_growth(timed.point.problem.operation, timed.point.problem.n, smallest)


def _with(base: float | Message | None, compare: Callable[[float], float]) -> Compared:
    return compare(base) if isinstance(base, float) else base


def _varies(values: Sequence[object]) -> bool:
    return len({value for value in values if not isinstance(value, Message)}) > 1
