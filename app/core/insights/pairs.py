"""Two results and what the expectation says of them: whether the measurement agrees, disagrees, or cannot tell."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from app.core.evidence import Evidence, milliseconds
from app.core.insights.figures import BOUNDS, CLEARLY, LEVEL, SHARP, Facts, figure
from kernels.measure.results import Result
from kernels.messages import Message, message


class Verdict(Enum):
    """How the rung's time stands to that of what it is compared with."""

    FASTER = auto()
    SLOWER = auto()
    LEVEL = auto()
    UNCLEAR = auto()
    """Too near to each other, or too uneven, to be called anything."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A rung and what it is compared with, measured on the same problem."""

    rung: Result
    base: Result
    rung_name: Message
    base_name: Message

    @property
    def n(self) -> int:
        return self.rung.point.problem.n

    @property
    def ratio(self) -> float:
        """How many times as fast as the base the rung is."""
        return milliseconds(self.base) / milliseconds(self.rung)

    @property
    def verdict(self) -> Verdict:
        """Faster or slower only where the times are apart by more than they scatter; level only where both are sharp."""
        clearly, level = BOUNDS.get(self.rung.point.variant.device, (CLEARLY, LEVEL))
        if self.ratio >= clearly and _apart(self.rung, self.base):
            return Verdict.FASTER
        if self.ratio <= 1 / clearly and _apart(self.base, self.rung):
            return Verdict.SLOWER
        if 1 / level <= self.ratio <= level and _is_sharp(self.rung) and _is_sharp(self.base):
            return Verdict.LEVEL
        return Verdict.UNCLEAR


Find = Callable[[Evidence], Pair | None]
"""The pair that an expectation is about, where it was measured."""
Reason = Callable[[Pair], Message | None]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a textbook says of a pair, and why it comes out as it does: a reason for each verdict that has one."""

    find: Find
    expected: Verdict
    reasons: Mapping[Verdict, Reason] = field(default_factory=dict)

    def __call__(self, evidence: Evidence) -> Message | None:
        """The sentence, or None where nothing was measured or nothing can be told. Without a reason nothing is said of level times."""
        pair = self.find(evidence)
        if pair is None or pair.verdict is Verdict.UNCLEAR:
            return None
        verdict = pair.verdict
        why = self.reasons[verdict](pair) if verdict in self.reasons else None
        if verdict is Verdict.LEVEL:
            return None if why is None else _joined(_level(pair), why)
        told = _different(pair)
        if {verdict, self.expected} == {Verdict.FASTER, Verdict.SLOWER}:
            told = _joined(told, message("The textbook has it the other way round."))
        return told if why is None else _joined(told, why)


def says(why: Message) -> Reason:
    """A reason without numbers."""
    return lambda _pair: why


def _different(pair: Pair) -> Message:
    common: Facts = {"n": pair.n, "rung": pair.rung_name, "base": pair.base_name}
    common |= {"ms": milliseconds(pair.rung), "base_ms": milliseconds(pair.base)}
    if pair.ratio > 1:
        return message(
            "At n = {n}, {rung} takes {ms} ms and {base} {base_ms} ms: {times} times as fast.", **common, times=figure(pair.ratio)
        )
    return message(
        "At n = {n}, {rung} takes {ms} ms and {base} {base_ms} ms: {times} times as long.", **common, times=figure(1 / pair.ratio)
    )


def _level(pair: Pair) -> Message:
    return message(
        "At n = {n}, {rung} and {base} take the same time, {ms} and {base_ms} ms.",
        n=pair.n, rung=pair.rung_name, base=pair.base_name, ms=milliseconds(pair.rung), base_ms=milliseconds(pair.base),
    )  # fmt: skip


def _joined(first: Message, other: Message) -> Message:
    return message("{first} {other}", first=first, other=other)


def _apart(fast: Result, slow: Result) -> bool:
    """Whether the middle halves of the samples do not overlap."""
    return _quartiles(fast)[1] < _quartiles(slow)[0]


def _quartiles(result: Result) -> tuple[float, float]:
    if len(result.times_ms) == 1:
        return result.times_ms[0], result.times_ms[0]
    lower, _, upper = statistics.quantiles(result.times_ms, n=4, method="inclusive")
    return lower, upper


def _is_sharp(result: Result) -> bool:
    return (result.spread_ms or 0.0) <= SHARP * milliseconds(result)
