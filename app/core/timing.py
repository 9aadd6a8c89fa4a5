"""What the timing workspace shows: the model that its panels draw, and which results a choice asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum

from app.core.curves import Provenance, Quantity, Results, is_square, items_of, newest
from app.core.measuring import Progress
from app.core.observable import Field
from app.core.session import Axis, TimingChoice
from kernels.catalog import VARIANTS, of
from kernels.measure.estimate import Estimator, seconds_left
from kernels.measure.protocol import Protocol
from kernels.measure.results import EDITED, Point, Result
from kernels.measure.sweep import plan
from kernels.spec import Parameters, Problem, Variant

SERIES_SLOTS = 6
"""Markers and colours that can be told apart; slot 0 is a library's."""


class Scales(StrEnum):
    """How the two axes of a chart are divided."""

    LOG_LOG = "log-log"
    LOG_LINEAR = "log-linear"
    LINEAR = "linear"

    @property
    def log_x(self) -> bool:
        return self is not Scales.LINEAR

    @property
    def log_y(self) -> bool:
        return self is Scales.LOG_LOG


class TimingModel:
    """All known results and how they are shown. The user's choice of what to measure is the session's."""

    def __init__(self) -> None:
        self.results: Field[Results] = Field({})
        self.progress: Field[Progress | None] = Field(None)
        self.quantity = Field(Quantity.RATE)
        self.scales = Field(Scales.LOG_LOG)
        self.shown: Field[frozenset[Provenance]] = Field(frozenset(Provenance))

    def add(self, provenance: Provenance, results: Iterable[Result]) -> None:
        """Take further results in; of each point the newest stays."""
        added = tuple(results)
        if added:
            known = self.results.value
            self.results.value = {**known, provenance: newest(known.get(provenance, ()) + added)}


def points_of(choice: TimingChoice) -> tuple[Point, ...]:
    """What measuring the choice means: its ticked variants over its sizes, or over its tiles at the largest size."""
    ticked = [(variant.id, choice.parameters[variant.id]) for variant in of(choice.operation) if variant.id in choice.ticked]
    over_tiles = choice.axis is Axis.TILE
    sizes = choice.sizes[-1:] if over_tiles else choice.sizes
    return plan(ticked, [Problem.square(choice.operation, n) for n in sizes], choice.tiles if over_tiles else ())


def about_seconds(choice: TimingChoice, known: Iterable[Result]) -> float:
    """How long measuring the choice takes at most, judged by earlier results."""
    return seconds_left(points_of(choice), Estimator(known), Protocol())


def select(results: Results, choice: TimingChoice, axis: Axis, shown: frozenset[Provenance]) -> dict[Provenance, tuple[Result, ...]]:
    """The results that the choice asks for along one axis: its ticked variants with their parameters.

    Over sizes a variant is shown with the chosen parameters; where nothing was recorded with them, with the parameters that were
    recorded at most sizes. Over tiles it is shown at `tile_chart_n`. Where none of the ticked variants was recorded,
    all recorded ones are shown, so that a chart is not empty before the first measurement.
    """
    selected: dict[Provenance, tuple[Result, ...]] = {}
    n = tile_chart_n(results, choice)
    for provenance in Provenance:
        if provenance not in shown:
            continue
        known = [r for r in results.get(provenance, ()) if _comparable(r, choice)]
        ticked = [r for r in known if r.point.variant_id in choice.ticked]
        if not ticked and provenance is not Provenance.MEASURED:
            ticked = known
        along = _along_tiles(ticked, choice, n) if axis is Axis.TILE else _along_sizes(ticked, choice, provenance)
        selected[provenance] = tuple(along)
    return selected


def tile_chart_n(results: Results, choice: TimingChoice) -> int:
    """The n of the chart over tiles: the largest chosen size where tiles are what is measured, else where most tiles are known."""
    tiles: defaultdict[int, set[int]] = defaultdict(set)
    for group in results.values():
        for result in group:
            if result.point.variant_id in choice.ticked and "tile" in result.point.parameters and is_square(result.point.problem):
                tiles[result.point.problem.n].add(result.point.parameters["tile"])
    if choice.axis is Axis.TILE or not tiles:
        return choice.sizes[-1]
    return max(tiles, key=lambda n: (len(tiles[n]), n))


def series_slots(variants: Iterable[Variant]) -> dict[str, int | None]:
    """A marker and colour slot for each variant: 0 for a library, else one of 1 to 5, or None when all are taken.

    A variant keeps the slot of its place on the ladder unless another one that is shown holds it.
    """
    slots: dict[str, int | None] = {}
    for variant in sorted(variants, key=VARIANTS.index):
        if variant.library:
            slots[variant.id] = 0
            continue
        rungs = [rung for rung in of(variant.operation) if not rung.library]
        place = rungs.index(variant)
        free = [slot for i in range(SERIES_SLOTS - 1) if (slot := (place + i) % (SERIES_SLOTS - 1) + 1) not in slots.values()]
        slots[variant.id] = free[0] if free else None
    return slots


def _comparable(result: Result, choice: TimingChoice) -> bool:
    return result.point.problem.operation is choice.operation and is_square(result.point.problem)


def _without_tile(parameters: Parameters) -> dict[str, int]:
    return {name: value for name, value in parameters.items() if name != "tile"}


def _original(parameters: Parameters) -> dict[str, int]:
    """Those of the variant, also for an edited copy of it."""
    return {name: value for name, value in parameters.items() if name != EDITED}


def _along_tiles(results: Sequence[Result], choice: TimingChoice, n: int) -> list[Result]:
    return [
        result
        for result in results
        if result.point.problem.n == n
        and "tile" in result.point.parameters
        and _without_tile(_original(result.point.parameters)) == _without_tile(choice.parameters[result.point.variant_id])
    ]


def _along_sizes(results: Sequence[Result], choice: TimingChoice, provenance: Provenance) -> list[Result]:
    by_variant: defaultdict[str, dict[tuple[tuple[str, int], ...], list[Result]]] = defaultdict(dict)
    for result in results:
        by_variant[result.point.variant_id].setdefault(items_of(result.point.parameters), []).append(result)
    kept: list[Result] = []
    for variant_id, groups in by_variant.items():
        chosen = groups.get(items_of(choice.parameters[variant_id]))
        if chosen is None and provenance is not Provenance.MEASURED:
            chosen = max(groups.values(), key=len)
        kept.extend(chosen or ())
        edited = items_of({**choice.parameters[variant_id], EDITED: 1})
        kept.extend(groups.get(edited, ()))
    return kept
