"""Times of the shown variant over the stops of a parameter, as far as it was measured or recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.curves import Provenance, Results
from app.core.session import StageChoice
from kernels.measure.results import Result
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


def of_variant(results: Results, variant_id: str) -> Results:
    """The results of one variant, by where they come from: what `stop_times` needs, found once for many choices."""
    return {provenance: tuple(r for r in known if r.point.variant_id == variant_id) for provenance, known in results.items()}


def stop_times(results: Results, choice: StageChoice, name: str) -> StopTimes | None:
    """The times over the stops of `name`, all other parameters as shown: at the shown size if there are any, else at that with most stops,
    of these the largest. What was measured here comes before what was recorded elsewhere."""
    shown = choice.problem.n
    for provenance in (Provenance.MEASURED, Provenance.RECORDED, Provenance.PUBLISHED):
        groups: dict[tuple[int, str], dict[int, float]] = {}
        for result in results.get(provenance, ()):
            if not result.verified or not _fits(result, choice, name):
                continue
            time = result.median_ms
            if time is not None:
                machine = str(result.conditions.get("gpu") or result.conditions.get("processor") or "")
                groups.setdefault((result.point.problem.n, machine), {})[result.point.parameters[name]] = time
        if groups:
            (n, machine), times = max(groups.items(), key=lambda item: (item[0][0] == shown and len(item[1]) > 1, len(item[1]), item[0][0]))
            return StopTimes(provenance, machine.removeprefix("NVIDIA "), n, dict(sorted(times.items())))
    return None


def _fits(result: Result, choice: StageChoice, name: str) -> bool:
    point, others = result.point, {key: value for key, value in choice.parameters.items() if key != name}
    problem = point.problem
    square = problem.m == problem.n and problem.k in (0, problem.n)
    return (
        point.variant_id == choice.variant.id
        and square
        and name in point.parameters
        and {key: value for key, value in point.parameters.items() if key != name} == others
    )
