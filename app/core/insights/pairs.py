"""Pairs of results and what an expectation says of them: whether the measurement agrees, disagrees, or cannot tell.

Two times count as different only beyond their scatter; numbers are told in sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum, auto
from functools import reduce

from app.core.insights.evidence import Evidence, apart, milliseconds, supports_a_sentence
from app.core.results.labels import name_of
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device
from kernels.base.values import dataclass
from kernels.measure.rows import Row, unevenness

Facts = dict[str, str | int | float | Message]
"""Arguments that several sentences have in common."""

MIB = 1 << 20
KIB = 1 << 10
CLEARLY = 1.15
"""Two medians this far apart are called different, unless the middle halves of their samples overlap."""
LEVEL = 1.05
"""Two medians this near to each other are called the same, where both are sharp."""
BOUNDS: Mapping[Device, tuple[float, float]] = {Device.GPU: (1.03, 1.03)}
"""`CLEARLY` and `LEVEL` of devices that no other program disturbs: events on a GPU take the time of the kernel alone."""
SHARP = 0.1
"""The most that the interquartile range of a sharp measurement is of its median."""

OUTERMOST = "l3_bytes"
"""The condition that has the size of the outermost cache."""


def matrix_mib(n: int, matrices: int = 1) -> str:
    """What so many n x n matrices take, in MiB."""
    return bytes_mib(matrices * n * n * FLOAT32_BYTES)


def bytes_mib(count: int) -> str:
    """Bytes in MiB."""
    return f"{count / MIB:.3g}"


def is_cached(row: Row) -> bool:
    """Whether all matrices of a row fit into the processor's outermost cache; not where its size is unknown."""
    return row.point.problem.bytes <= int(row.conditions.get(OUTERMOST, 0))


def figure(ratio: float) -> str:
    """A ratio as it is told: whole from 10 on, with one decimal below, two where it is nearly 1."""
    if ratio >= 9.95:
        return f"{ratio:.0f}"
    return f"{ratio:.1f}" if ratio >= 1.25 else f"{ratio:.2f}"


MOST_NAMED = 3
"""Of results that scatter."""


class Relation(Enum):
    """Relation of the rung's time to that of what it is compared with."""

    FASTER = auto()
    SLOWER = auto()
    LEVEL = auto()
    UNCLEAR = auto()
    """Too near to each other, or too uneven, to be called anything."""
    SCATTERED = auto()
    """Clearly different medians of samples whose middle halves overlap."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A rung and what it is compared with, measured on the same problem."""

    rung: Row
    base: Row
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
    def relation(self) -> Relation:
        """Faster or slower only where the times are apart by more than they scatter; level only where both are sharp."""
        clearly, level = BOUNDS.get(self.rung.point.variant.device, (CLEARLY, LEVEL))
        if self.ratio >= clearly:
            return Relation.FASTER if apart(self.rung, self.base) else Relation.SCATTERED
        if self.ratio <= 1 / clearly:
            return Relation.SLOWER if apart(self.base, self.rung) else Relation.SCATTERED
        if 1 / level <= self.ratio <= level and _is_sharp(self.rung) and _is_sharp(self.base):
            return Relation.LEVEL
        return Relation.UNCLEAR


Find = Callable[[Evidence], Pair | None]
"""The pair that an expectation is about, where it was measured."""
Reason = Callable[[Pair], Message | None]


@dataclass(frozen=True, slots=True)
class Expectation:
    """Expectation of a textbook about a pair, and why it comes out as it does: a reason for each relation that has one."""

    find: Find
    expected: Relation
    reasons: Mapping[Relation, Reason] = field(default_factory=dict)

    def __call__(self, evidence: Evidence) -> Message | None:
        """The sentence, or None where nothing was measured or nothing can be told. Without a reason nothing is said of level times."""
        pair = self.find(evidence)
        if pair is None or pair.relation in (Relation.UNCLEAR, Relation.SCATTERED):
            return None
        relation = pair.relation
        why = self.reasons[relation](pair) if relation in self.reasons else None
        if relation is Relation.LEVEL:
            return None if why is None else _joined(_level(pair), why)
        told = _different(pair)
        if {relation, self.expected} == {Relation.FASTER, Relation.SLOWER}:
            told = _joined(told, message("The textbook has it the other way round."))
        return told if why is None else _joined(told, why)

    def unevenly(self, evidence: Evidence) -> Message | None:
        """Say that the results were disturbed or scatter, where that is why they are not compared; None where it is not."""
        pair = self.find(evidence)
        if pair is not None:
            return overlap(pair.n, pair.rung_name, pair.base_name) if pair.relation is Relation.SCATTERED else None
        pair = None if evidence.uneven is None else self.find(evidence.uneven)
        return None if pair is None else scatters(pair.n, [pair.rung, pair.base])


def overlap(n: int, one: Message, other: Message) -> Message:
    """What is said of medians that differ, of samples that do not."""
    return message(
        "At n = {n}, the times of {one} and {other} scatter: the middle halves of their samples overlap, so that neither is called faster.",
        n=n, one=one, other=other,
    )  # fmt: skip


def scatters(n: int, rows: Sequence[Row]) -> Message | None:
    """What is said of results at one n in the place of comparing them: which of them scatter, and by whom they were disturbed."""
    uneven = [row for row in rows if not supports_a_sentence(row)]
    if not uneven:
        return None
    names = reduce(lambda first, rest: message("{first}; {rest}", first=first, rest=rest), map(_with_cause, uneven[:MOST_NAMED]))
    if len(uneven) > MOST_NAMED:
        names = message("{first} and {count} more", first=names, count=len(uneven) - MOST_NAMED)
    return message(
        "At n = {n}, these times were disturbed or scatter; no sentence compares them, numbers made of them say ≈: {names}.",
        n=n, names=names,
    )  # fmt: skip


def _with_cause(row: Row) -> Message:
    """The variant with its parameters, and why its times scatter where that is known."""
    name, why = name_of(row.variant, dict(row.setting)), unevenness(row)
    return name if why is None else message("{rung} ({why})", rung=name, why=why)


def says(why: Message) -> Reason:
    """Return a reason without numbers."""
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


def _is_sharp(result: Row) -> bool:
    return (result.spread_ms or 0.0) <= SHARP * milliseconds(result)
