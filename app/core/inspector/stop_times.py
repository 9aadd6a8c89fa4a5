"""Times of the shown variant over the stops of a parameter, as far as it was measured or recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.core.comparisons import without
from app.core.curves import Provenance
from app.core.results import OfVariant, Results
from app.core.session import StageChoice
from kernels.measure.rows import Row, items_of
from kernels.messages import Message, message

_TITLES = {
    Provenance.MEASURED: message("Kernel time, measured, n = {n}, ms"),
    Provenance.RECORDED: message("Kernel time, recorded on {machine}, n = {n}, ms"),
    Provenance.PUBLISHED: message("Kernel time, published, n = {n}, ms"),
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


def stop_times(results: Results, choice: StageChoice, name: str) -> StopTimes | None:
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


def _fitting(known: OfVariant, choice: StageChoice, name: str) -> Iterator[Row]:
    """Those whose parameters are the shown ones, but for that of the axis."""
    others = items_of({key: value for key, value in choice.parameters.items() if key != name})
    for setting in known.settings:
        if without(setting, name) == others and len(setting) > len(others):
            yield from known.along(setting)
