"""Why the time of two launches does not follow their counters: said only as far as the numbers themselves say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.compare.differences import SECTORS, WAVEFRONTS, Difference, times
from app.core.curves import Provenance
from app.core.launch.subject import Subject
from app.core.results import Results
from kernels.catalog import find
from kernels.measure.rows import Row, items_of
from kernels.messages import Message, message

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
        """Where they come from."""
        if self.provenance is Provenance.MEASURED:
            return message("Times measured on {machine}", machine=self.machine)
        return message("Times recorded on {machine}", machine=self.machine)


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


def pace(found: Mapping[Message, Difference], timed: Times) -> Message | None:
    """What became of the time where a counter changed clearly; the first of those that do is told."""
    slow, fast = timed.milliseconds
    wavefronts, sectors = found.get(WAVEFRONTS), found.get(SECTORS)
    if wavefronts is not None and wavefronts.ratio >= CLEARLY and wavefronts.right and wavefronts.left:
        slower = slow / fast if wavefronts.left > wavefronts.right else fast / slow
        return _of_wavefronts(wavefronts, sectors, slower)
    if sectors is not None and sectors.ratio >= CLEARLY and sectors.left and sectors.right:
        slower = slow / fast if sectors.left > sectors.right else fast / slow
        return message("{more} times the sectors, {times} times the time.", more=times(sectors.ratio), times=times(slower))
    return None


def _of_wavefronts(wavefronts: Difference, sectors: Difference | None, slower: float) -> Message:
    told = message("{more} times the wavefronts, {times} times the time", more=times(wavefronts.ratio), times=times(slower))
    if slower >= FOLLOWS * wavefronts.ratio:
        return message("{told}: shared memory sets the pace.", told=told)
    if sectors is not None and sectors.same:
        return message("{told}: both move as many sectors, and that part of the time stays.", told=told)
    return message("{told}.", told=told)


def _of(results: Results, provenance: Provenance, subject: Subject) -> dict[tuple[str, int], Row]:
    """The verified results of a subject's variant with its parameters, by machine and size; none of a text that was changed."""
    variant = find(subject.variant_id)
    if variant is None or subject.text != variant.source_text:
        return {}
    along = results.of(provenance, subject.variant_id).along(items_of(subject.parameters))
    return {(results.machine(provenance, row), row.problem.n): row for row in along if row.verified and row.square}
