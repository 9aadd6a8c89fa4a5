"""Bars of a slider's stops: one number for each stop that is known, or the time of the shown variant where it was measured or recorded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from app.core.execution.questions import LaunchCost
from app.core.results.curves import Provenance
from app.core.results.known_results import OfVariant, Results
from app.core.results.relative_times import without
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.base.values import dataclass
from kernels.cachesim.count import Counts
from kernels.cachesim.geometry import fits_up_to
from kernels.catalogue.case import Case
from kernels.measure.rows import Row, items_of

_KIB = 1024


@dataclass(frozen=True, slots=True)
class StopBars:
    """Bars at the stops of a slider. `marks` are values of the slider, between its stops or on them, that have a name."""

    title: Message
    values: Mapping[int, float]
    marks: Mapping[str, float] = field(default_factory=dict)


def launch_bars(costs: Mapping[int, LaunchCost | None]) -> StopBars:
    """KiB that the sectors of a launch move."""
    known = {stop: cost.bytes_moved / _KIB for stop, cost in costs.items() if cost is not None}
    return StopBars(message("Global memory, as written, KiB"), {stop: round(kib) if kib >= 10 else kib for stop, kib in known.items()})


def miss_bars(counts: Mapping[int, Counts], level: int, operation: Operation) -> StopBars:
    """Misses of a level, as the cache model predicts them; the marks say up to where all matrices, or a tile of each, fit into a level."""
    if not counts:
        return StopBars(message("Misses, predicted"), {})
    levels = next(iter(counts.values())).hierarchy.levels
    place = min(level, len(levels) - 1)
    values: dict[int, float] = {stop: counted.levels[place].total.misses for stop, counted in counts.items()}
    return StopBars(
        message("{level} misses, predicted", level=levels[place].name), values, {each.name: fits_up_to(operation, each) for each in levels}
    )


def between(stops: Sequence[int], value: float) -> float | None:
    """Where a value stands among stops, counted from 0, by powers; None beyond them."""
    for place, (low, high) in enumerate(pairwise(stops)):
        if low <= value <= high:
            return place + math.log(value / low) / math.log(high / low)
    return None


_TITLES = {
    Provenance.MEASURED: message("Kernel time in ms, n = {n}, measured"),
    Provenance.RECORDED: message("Kernel time in ms, n = {n}, recorded on {machine}"),
    Provenance.PUBLISHED: message("Kernel time in ms, n = {n}, published"),
}


@dataclass(frozen=True, slots=True)
class StopTimes:
    """Median milliseconds by stop, all of one size, provenance and machine."""

    provenance: Provenance
    machine: str
    n: int
    milliseconds: Mapping[int, float]

    @property
    def title(self) -> Message:
        return Message(_TITLES[self.provenance].template, (("n", self.n), ("machine", self.machine)))

    @property
    def brief(self) -> Message:
        """Return the title without the machine: rather that is left out than the size and the unit."""
        return message("Kernel time, recorded, n = {n}, ms", n=self.n) if self.provenance is Provenance.RECORDED else self.title


def stop_times(results: Results, choice: Case, name: str) -> StopTimes | None:
    """The times over the stops of `name`, all other parameters as shown: at the shown size if there are any, else at that with most stops,
    of these the largest. What was measured here comes before what was recorded elsewhere."""
    shown = choice.problem.n
    for provenance in (Provenance.MEASURED, Provenance.RECORDED, Provenance.PUBLISHED):
        groups: dict[tuple[int, str], dict[int, float]] = {}
        for row in _fitting(results.of(provenance, choice.variant.id), choice, name):
            if row.verified and row.square and row.median_ms is not None:
                groups.setdefault((row.problem.n, row.machine or row.host), {})[dict(row.setting)[name]] = row.median_ms
        if groups:
            (n, machine), times = max(groups.items(), key=lambda item: (item[0][0] == shown and len(item[1]) > 1, len(item[1]), item[0][0]))
            return StopTimes(provenance, machine.removeprefix("NVIDIA "), n, dict(sorted(times.items())))
    return None


def _fitting(known: OfVariant, choice: Case, name: str) -> Iterator[Row]:
    """Yield the rows whose parameters are the shown ones, but for that of the axis."""
    others = items_of({key: value for key, value in choice.parameters.items() if key != name})
    for setting in known.settings:
        if without(setting, name) == others and len(setting) > len(others):
            yield from known.along(setting)
