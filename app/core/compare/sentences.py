"""Sentences of a comparison: the names of both sides, what differs between them, and why.

Why the times do not follow the counters is said only as far as the numbers themselves say it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import prod

from app.core.compare.comparison import Comparison
from app.core.compare.differences import (
    SECTORS,
    WAVEFRONTS,
    Difference,
    contrary,
    coverage_text,
    differences,
    headline,
    main_difference,
    timed,
    times,
)
from app.core.compare.pairing import Pair
from app.core.frames.step_description import StepDescription
from app.core.gpu_view.counters import FLOPS, counters_of
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.plurals import blocks
from app.core.gpu_view.subject import Subject
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.results.labels import parameter_text
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import by_id, find
from kernels.measure.rows import Row, items_of

CLEARLY = 2.0
"""From this ratio on a counter is called another one's multiple."""
FOLLOWS = 0.7
"""The part of a counter's ratio from which on a time follows it."""


@dataclass(frozen=True, slots=True)
class Times:
    """Results of both launches' variants with their parameters, of one machine at one size."""

    left: Row
    right: Row
    provenance: Provenance
    machine: str

    @property
    def n(self) -> int:
        return self.left.problem.n

    @property
    def milliseconds(self) -> tuple[float, float]:
        return self.left.median_ms or 0.0, self.right.median_ms or 0.0

    @property
    def source(self) -> Message:
        """Sentence on where the times come from."""
        if self.provenance is Provenance.MEASURED:
            return message("Times measured on {machine}.", machine=self.machine)
        return message("Times recorded on {machine}.", machine=self.machine)


def times_of(results: Results, left: Subject, right: Subject) -> Times | None:
    """The times at the size of the launches, else at the largest that both were timed at; measured ones before recorded ones."""
    for provenance in (Provenance.MEASURED, Provenance.RECORDED):
        own, other = _of(results, provenance, left), _of(results, provenance, right)
        common = own.keys() & other.keys()
        if common:
            size = max(left.matrices[0].rows, right.matrices[0].rows) if left.matrices and right.matrices else 0
            machine, n = max(common, key=lambda place: (place[1] == size, place[1], place[0]))
            return Times(own[machine, n], other[machine, n], provenance, machine)
    return None


_BESIDE_TIME = {
    (True, True): message("On the left {more} times the {things}, {times} times the time"),
    (True, False): message("On the left {more} times the {things}, on the right {times} times the time"),
    (False, True): message("On the right {more} times the {things}, {times} times the time"),
    (False, False): message("On the right {more} times the {things}, on the left {times} times the time"),
}
"""By whether there is more on the left, and whether it takes longer there where there is more."""


def pace(found: Mapping[Message, Difference], timed: Times) -> Message | None:
    """What became of the time where a counter changed clearly; the first of those that do is told."""
    counter = _changed_clearly(found)
    if counter is None:
        return None
    if counter.title == WAVEFRONTS:
        return _of_wavefronts(counter, found.get(SECTORS), timed)
    return message("{told}.", told=_beside_time(counter, message("sectors"), timed))


def _changed_clearly(found: Mapping[Message, Difference]) -> Difference | None:
    """Wavefronts, else sectors, of which both sides have some, one of them a multiple."""
    counters = (found[title] for title in (WAVEFRONTS, SECTORS) if title in found)
    return next((each for each in counters if each.ratio >= CLEARLY and each.left and each.right), None)


def _of_wavefronts(wavefronts: Difference, sectors: Difference | None, timed: Times) -> Message:
    told, slower = _beside_time(wavefronts, message("wavefronts"), timed), _slower(wavefronts, timed)
    if slower >= FOLLOWS * wavefronts.ratio:
        return message("{told}: shared memory sets the pace.", told=told)
    if slower > 1 and sectors is not None and sectors.same:
        return message("{told}: both move {count} sectors, and that part of the time stays.", told=told, count=round(sectors.left))
    return message("{told}.", told=told)


def _slower(counter: Difference, timed: Times) -> float:
    """How many times the time of the side with less the side with more of something takes."""
    left, right = timed.milliseconds
    return left / right if counter.left > counter.right else right / left


def _beside_time(counter: Difference, things: Message, timed: Times) -> Message:
    """How much more there is of something on which side, and which side takes how much longer."""
    slower = _slower(counter, timed)
    told = _BESIDE_TIME[counter.left > counter.right, slower >= 1]
    return Message(told.template, (("more", times(counter.ratio)), ("things", things), ("times", times(max(slower, 1 / slower)))))


def _of(results: Results, provenance: Provenance, subject: Subject) -> dict[tuple[str, int], Row]:
    """The verified results of a subject's variant with its parameters, by machine and size; none of a text that was changed."""
    variant = find(subject.variant_id)
    if variant is None or subject.text != variant.source_text:
        return {}
    along = results.of(provenance, subject.variant_id).along(items_of(subject.parameters))
    return {(results.machine(provenance, row), row.problem.n): row for row in along if row.verified and row.square}


NOT_YET = message("Both sides are the same launch. Choose another launch or rung, or change a setting.")


@dataclass(frozen=True, slots=True)
class Report:
    """Report on a comparison. `conditions` say what the numbers are of, and where; `headline` is the change to be seen first, or that the
    work is not the same; `reasons` explain it. `main` is what that change is of, one of `rows`."""

    conditions: tuple[Message, ...]
    rows: tuple[Difference, ...]
    headline: Message
    reasons: tuple[Message, ...]
    main: Difference | None = None


def report(pair: Pair, profile: Profile | None, registers: tuple[int, int], results: Results) -> Report:
    """The whole comparison in words; `registers` are those of a thread on the left and on the right. Of two schedules of one launch it is
    what the race comes to: they cost the same."""
    left, right = pair.left, pair.right
    if right.subject.outcome:
        return Report((), (), right.subject.outcome[0], right.subject.outcome[1:])
    rows = differences(left, right, profile, registers)
    times, found = times_of(results, left.subject, right.subject), {each.title: each for each in rows}
    explained = pace(found, times) if times is not None else None
    time = timed(*times.milliseconds, times.n) if times is not None else None
    rows = rows if time is None else (*rows, time)
    main = main_difference(rows)
    change = NOT_YET if pair.same else headline(main, time) if main is not None else message("Both launches cost the same.")
    if time is not None and main is not None and contrary(main, time) and main is _changed_clearly(found):
        explained = None  # the headline has said both
    warned = unequal(left, right)
    first, other = (change, None) if warned is None else (warned, change)
    conditions = (_extent(pair), times.source if times is not None else None, coverage_text(left, right))
    return Report(tuple(filter(None, conditions)), rows, first, tuple(filter(None, (other, explained))), main)


def report_of(comparison: Comparison, results: Results) -> Report | None:
    """The present pair of a comparison in words; None where there is none."""
    pair, left, right = comparison.pair.value, comparison.left, comparison.live
    return None if pair is None else report(pair, right.profile.value, (left.registers.value, right.registers.value), results)


def step_of_both(left: StepDescription, right: StepDescription) -> tuple[Message, Message]:
    """The title and the sentence of a step of two launches: where they differ both titles, and whose the sentence is."""
    title, said = right.title, right.sentence
    if left.title != title:
        title = message("Left: {left} · Right: {right}", left=left.title, right=title)
    return title, said if left.sentence == said else message("Right: {sentence}", sentence=said)


SAME_WORK = 0.01
"""A part of the operations that edges and estimates may make."""


def unequal(left: LaunchIndex, right: LaunchIndex) -> Message | None:
    """Say that the sides do not do the same work, so that counts of the whole cannot be compared; None where they do."""
    sizes = _size(left), _size(right)
    if sizes[0] != sizes[1]:
        return message("⚠ Not the same work: the matrices are {left} on the left and {right} on the right.", left=sizes[0], right=sizes[1])
    one, other = (next((row.value for row in counters_of(index).whole if row.title == FLOPS), 0) for index in (left, right))
    if one and other and abs(one - other) > SAME_WORK * max(one, other):
        return message("⚠ Not the same work: {left} operations on the left, {right} on the right.", left=round(one), right=round(other))
    return None


def name_of_side(index: LaunchIndex, other: LaunchIndex) -> Message:
    """The variant with its rung, and its settings; the size where the launches differ in it."""
    subject, variant = index.subject, find(index.subject.variant_id)
    if subject.schedule is not None:
        return subject.schedule
    if variant is None:
        return (
            message("{text}", text=subject.name)
            if subject.entry is None
            else message("{kernel} in {file}", kernel=subject.entry, file=subject.name)
        )
    title = message("{rung} {title}", rung=variant.rung, title=variant.title)
    if subject.text != variant.source_text:
        title = message("{title}, edited", title=title)
    parts = [parameter_text(variant, name, value) for name, value in sorted(subject.parameters.items()) if _told(name, value, index, other)]
    sizes = [_size(each) for each in (index, other)]
    parts += [message("{size}", size=sizes[0])] if sizes[0] != sizes[1] else []
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts, title)


def brief_name_of_side(index: LaunchIndex, other: LaunchIndex) -> Message | None:
    """The rung's number and the settings in which the sides differ, where the whole name has no room; None where other things differ."""
    own, there, variant = index.subject, other.subject, find(index.subject.variant_id)
    if variant is None or own.schedule is not None or (own.variant_id, own.text) != (there.variant_id, there.text):
        return None
    differing = sorted(own.parameters.items() - there.parameters.items())
    parts = [parameter_text(variant, name, value) for name, value in differing]
    parts += [message("{size}", size=_size(index))] if _size(index) != _size(other) else []
    rung = message("{text}", text=str(variant.rung))
    return reduce(lambda first, rest: message("{first}, {rest}", first=first, rest=rest), parts, rung) if parts else None


def _told(name: str, value: int, index: LaunchIndex, other: LaunchIndex) -> bool:
    """Settings in which the sides differ, tiles always, others where they are not at their default."""
    variant = by_id(index.subject.variant_id)
    return name == "tile" or value != other.subject.parameters.get(name, value) or value != variant.defaults.get(name)


def _size(index: LaunchIndex) -> str:
    matrices = [role for role in index.roles.values() if role.letter]
    return f"{matrices[-1].rows} × {matrices[-1].columns}" if matrices else ""


def _extent(pair: Pair) -> Message:
    """Return how large the launches are, each in its matrices, which the times beside need not be of."""
    size, grid = (_of_both(one(pair.left), one(pair.right)) for one in (_size, _grid))
    if not size:
        return message("Whole launch, as written: {blocks}.", blocks=grid)
    return message("Whole launch at {size}, as written: {blocks}.", size=size, blocks=grid)


def _of_both(left: Message | str, right: Message | str) -> Message | str:
    return left if left == right else message("{left} → {right}", left=left, right=right)


def _grid(index: LaunchIndex) -> Message:
    x, y, z = index.trace.block
    threads = f"{x} × {y}" if z == 1 else f"{x} × {y} × {z}"
    return message("{blocks} of {threads}", blocks=blocks(prod(index.trace.grid)), threads=threads)
