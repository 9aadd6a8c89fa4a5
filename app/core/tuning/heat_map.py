"""The picture of a tuning: the rate over two parameters, the others at their best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from kernels.base.messages import Message
from kernels.base.spec import Parameter, Problem
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.tuning import Key, Standing, TuningPlan, is_confirmed, key_of, ranking

Place = tuple[int, int]
"""The values along x and y; y is 0 where there is one axis only."""


class CellKind(StrEnum):
    """Kind of a cell: what is known of its settings."""

    TIMED = "timed"
    REFUSED = "refused"
    """None of them can work, or none that was tried has a verified time."""
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination, and what is tried in its place."""

    point: Case
    tried: Key


@dataclass(frozen=True, slots=True)
class Cell:
    """Cell of the heat map: all settings with these values along the axes.

    `point` is the best of them, or where none is timed the first.
    """

    kind: CellKind
    point: Case
    result: Result | None = None
    reason: Message | None = None

    @property
    def rate(self) -> float | None:
        return None if self.result is None else self.result.rate


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Heat map of a tuning. `columns` are the values of `x`, `rows` those of `y`; every pair has a cell. `best` is the place of the fastest
    settings."""

    problem: Problem
    x: Parameter
    y: Parameter | None
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    cells: Mapping[Place, Cell]
    standings: tuple[Standing, ...]
    best: Place | None = None
    provenance: Provenance | None = None
    """Where the times come from; None where there are none."""

    @property
    def winner(self) -> Standing | None:
        """The fastest settings of all."""
        return self.standings[0] if self.standings else None

    @property
    def marked(self) -> Place | None:
        """The place that is called the fastest; None where there is nothing that it could be faster than."""
        return self.best if len(self.standings) > 1 else None

    @property
    def range(self) -> tuple[float, float] | None:
        """The least and the highest rate of the cells."""
        rates = [cell.rate for cell in self.cells.values() if cell.rate is not None]
        return (min(rates), max(rates)) if rates else None


def heat_map(plan: TuningPlan, results: Iterable[Result], provenance: Provenance | None = None) -> HeatMap:
    """The picture over the first two parameters of the plan. Of each point the last verified result counts."""
    x, y = plan.variant.parameter(plan.over[0]), plan.variant.parameter(plan.over[1]) if len(plan.over) > 1 else None
    assert x is not None
    own = _of_plan(plan, results)
    standings = ranking(own.values(), Protocol())
    ranked = {key_of(each.result.point): each for each in standings}
    reasons = {key_of(each.point): each.reason for each in plan.refused}
    groups: dict[Place, list[Combination]] = {}
    for setting in _settings(plan):
        groups.setdefault(_place(setting.point, x, y), []).append(setting)
    cells = {place: _cell(settings, ranked, own, reasons) for place, settings in groups.items()}
    best = _place(standings[0].result.point, x, y) if standings else None
    rows = y.stops if y is not None else (0,)
    return HeatMap(plan.problem, x, y, x.stops, rows, cells, standings, best, provenance if standings else None)


def known_results(plan: TuningPlan, results: Results) -> tuple[Provenance, tuple[Result, ...]]:
    """The results that fill the picture: those measured here where one of the plan's points was timed, else the recorded ones."""
    for provenance in (Provenance.MEASURED, Provenance.RECORDED):
        found = _at(plan, results, provenance)
        if any(result.verified and result.point.variant_id == plan.variant.id for result in plan.own(found)):
            return provenance, found
    return Provenance.MEASURED, _at(plan, results, Provenance.MEASURED)


def _at(plan: TuningPlan, results: Results, provenance: Provenance) -> tuple[Result, ...]:
    wanted = dict.fromkeys((plan.variant.id, *(() if plan.library is None else (plan.library.variant_id,))))
    return tuple(row.whole for variant_id in wanted for row in results.of(provenance, variant_id).at(plan.problem))


def library_result(plan: TuningPlan, results: Iterable[Result]) -> Result | None:
    """The library's result on the same problem, with other settings the fastest of these where that is all there is; None while it was
    only looked at: a short look may be far off."""
    library = plan.library
    if library is None:
        return None
    same = [r for r in results if (r.point.variant_id, r.point.problem) == (library.variant_id, library.problem)]
    timed = [r for r in same if r.verified and r.median_ms and is_confirmed(r, Protocol())]
    exact = [r for r in timed if r.point == library]
    return exact[-1] if exact else min(timed, key=lambda r: r.median_ms or 0.0, default=None)


def refusals(plan: TuningPlan) -> tuple[tuple[Message, int], ...]:
    """Return each reason once, with how many combinations it is said of; the most frequent first."""
    counts: dict[Message, int] = {}
    for refusal in plan.refused:
        counts[refusal.reason] = counts.get(refusal.reason, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: -item[1]))


def _of_plan(plan: TuningPlan, results: Iterable[Result]) -> dict[Key, Result]:
    own: dict[Key, Result] = {}
    for result in plan.own(results):
        key = key_of(result.point)
        earlier = own.get(key)
        if result.point.variant_id == plan.variant.id and (earlier is None or result.verified or not earlier.verified):
            own[key] = result
    return own


def _settings(plan: TuningPlan) -> Iterator[Combination]:
    """Yield all combinations of the plan, each with the key of what is tried in its place."""
    yield from (Combination(point, key_of(point)) for point in (*plan.points, *(each.point for each in plan.refused)))
    yield from (Combination(twin.point, key_of(twin.tried)) for twin in plan.twins)


def _cell(
    settings: Sequence[Combination], ranked: Mapping[Key, Standing], results: Mapping[Key, Result], reasons: Mapping[Key, Message]
) -> Cell:
    timed = [setting for setting in settings if setting.tried in ranked]
    if timed:
        best = min(timed, key=lambda each: ranked[each.tried].result.median_ms or 0.0)
        standing = ranked[best.tried]
        return Cell(CellKind.TIMED, best.point, standing.result)
    ended = {setting.tried: results[setting.tried].reason for setting in settings if setting.tried in results}
    told = {**reasons, **ended}
    for setting in settings:
        if setting.tried not in told:
            return Cell(CellKind.UNTRIED, setting.point)
    first = next((setting for setting in settings if setting.tried in ended), settings[0])
    return Cell(CellKind.REFUSED, first.point, None, told[first.tried])


def _place(point: Case, x: Parameter, y: Parameter | None) -> Place:
    return point.parameters[x.name], 0 if y is None else point.parameters[y.name]
