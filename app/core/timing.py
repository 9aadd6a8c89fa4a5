"""What the timing workspace shows: the model that its panels draw, and which results a choice asks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from app.core.curves import Provenance, Results, is_square, items_of, newest
from app.core.gpu_use import Counted
from app.core.gpu_use_picture import Uses
from app.core.measuring import Progress
from app.core.observable import Field
from app.core.quantities import Baseline, Quantity, Rung, Smallest
from app.core.session import SIZE_AXIS, TimingChoice
from app.core.stand_ins import stand_ins
from kernels.catalog import find
from kernels.measure.estimate import Estimator, seconds_left
from kernels.measure.protocol import Protocol
from kernels.measure.results import EDITED, Point, Result
from kernels.measure.sweep import plan
from kernels.spec import Parameters, Problem

STAND_INS = 5
"""Recorded rungs of a device, besides its library, that a chart shows where nobody ticked any."""


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


class Drawing(StrEnum):
    """What the main chart is."""

    CURVES = "curves"
    USES = "uses"
    """Where the time of one use of the GPU goes."""
    TUNING = "tuning"
    """Which settings are the fastest."""
    LADDER = "ladder"
    """All rungs at one n."""

    @property
    def alone(self) -> bool:
        """Whether it has choices and a side of its own."""
        return self in (Drawing.TUNING, Drawing.LADDER)


class TimingModel:
    """All known results and how they are shown. The user's choice of what to measure is the session's.

    `staged` is the id of the variant on the stage, "" where there is no stage.
    """

    def __init__(self, staged: str = "") -> None:
        self.staged = Field(staged)
        self.results: Field[Results] = Field({})
        self.progress: Field[Progress | None] = Field(None)
        self.quantity = Field(Quantity.RATE)
        self.baseline = Field("")
        """The id of the variant that speed-ups are over; "" for what `baseline_of` takes then."""
        self.scales = Field(Scales.LOG_LOG)
        self.drawing = Field(Drawing.CURVES)
        self.uses = Field(Uses())
        self.counted = Field(Counted.EACH_TIME)
        """What of a use is drawn."""
        self.pointed: Field[str] = Field("")
        """The id of the variant that the mouse or the keyboard points at, anywhere; "" for none."""
        self.shown: Field[frozenset[Provenance]] = Field(frozenset((Provenance.MEASURED, Provenance.RECORDED)))

    def add(self, provenance: Provenance, results: Iterable[Result]) -> None:
        """Take further results in; of each point the newest stays."""
        self.add_all({provenance: results})

    def add_all(self, results: Mapping[Provenance, Iterable[Result]]) -> None:
        """The same for several at once: those who follow the results go through all of them each time that they change."""
        known = self.results.value
        added = {provenance: some for provenance, each in results.items() if (some := tuple(each))}
        if added:
            self.results.value = {**known, **{origin: newest(known.get(origin, ()) + some) for origin, some in added.items()}}


def points_of(choice: TimingChoice) -> tuple[Point, ...]:
    """What measuring the choice means: its ticked variants over its sizes, or over a parameter's values at the largest size."""
    ticked = [(variant.id, choice.parameters[variant.id]) for variant in choice.variants]
    sizes = choice.sizes if choice.axis == SIZE_AXIS else choice.sizes[-1:]
    return plan(ticked, [Problem.square(choice.operation, n) for n in sizes], choice.axis, choice.values(choice.axis))


def other_axis(choice: TimingChoice) -> str | None:
    """What the small chart shows beside the axis that is chosen: n, or a parameter; None where no ticked variant has one."""
    if choice.axis != SIZE_AXIS:
        return SIZE_AXIS
    return "tile" if "tile" in choice.axes else next(iter(choice.axes[1:]), None)


def baseline_of(choice: TimingChoice, axis: str, chosen: str) -> Baseline:
    """What speed-ups are over: the variant that was chosen; else along n the first ticked one, along a parameter its smallest value."""
    known = find(chosen)
    variant = known if known is not None and known.operation is choice.operation else None
    if variant is None and axis == SIZE_AXIS and choice.variants:
        variant = choice.variants[0]
    return Smallest(axis) if variant is None else Rung(variant.id, items_of(choice.parameters[variant.id]))


def about_seconds(choice: TimingChoice, known: Iterable[Result]) -> float:
    """How long measuring the choice takes at most, judged by earlier results."""
    return seconds_left(points_of(choice), Estimator(known), Protocol())


def select(
    results: Results, choice: TimingChoice, axis: str, shown: frozenset[Provenance], staged: str = ""
) -> dict[Provenance, tuple[Result, ...]]:
    """The results that the choice asks for along one axis: its ticked variants with their parameters.

    Over sizes a variant is shown with the chosen parameters; where nothing was recorded or published with them, with the parameters
    that this was done with at most sizes. Over a parameter it is shown at `chart_n`. A few others that were recorded stand in where
    there is nothing yet (`stand_ins`), and what is published of those; that of the stage, `staged`, is among them.
    """
    selected: dict[Provenance, tuple[Result, ...]] = {}
    n = chart_n(results, choice, axis)
    known = {where: [each for each in results.get(where, ()) if _comparable(each, choice)] for where in Provenance}
    few: frozenset[str] = frozenset()
    if Provenance.RECORDED in shown:
        few = stand_ins(known[Provenance.RECORDED], known[Provenance.MEASURED], choice, staged, STAND_INS)
    for provenance in [each for each in Provenance if each in shown]:
        wanted = choice.ticked if provenance is Provenance.MEASURED else choice.ticked | few
        found = [each for each in known[provenance] if each.point.variant_id in wanted]
        if axis == SIZE_AXIS:
            selected[provenance] = tuple(_along_sizes(found, choice, provenance))
        else:
            selected[provenance] = tuple(r for r in found if r.point.problem.n == n and _is_along(r, choice, axis, provenance))
    return selected


def chart_n(results: Results, choice: TimingChoice, axis: str) -> int:
    """The n of the chart over a parameter: the largest chosen size where it is what is measured, else where most values are known.

    Of sizes with as many values, one with more measured values comes first, then the largest.
    """
    known: defaultdict[int, set[int]] = defaultdict(set)
    here: defaultdict[int, set[int]] = defaultdict(set)
    for provenance, group in results.items():
        for result in group:
            value = result.point.parameters.get(axis)
            if value is None or result.point.variant_id not in choice.ticked or not is_square(result.point.problem):
                continue
            known[result.point.problem.n].add(value)
            if provenance is Provenance.MEASURED:
                here[result.point.problem.n].add(value)
    if choice.axis == axis or not known:
        return choice.sizes[-1]
    return max(known, key=lambda n: (len(known[n]), len(here[n]), n))


def _comparable(result: Result, choice: TimingChoice) -> bool:
    return result.point.problem.operation is choice.operation and is_square(result.point.problem)


def _without(name: str, parameters: Parameters) -> dict[str, int]:
    return {other: value for other, value in parameters.items() if other != name}


def _original(parameters: Parameters) -> dict[str, int]:
    """Those of the variant, also for an edited copy of it."""
    return {name: value for name, value in parameters.items() if name != EDITED}


def _is_along(result: Result, choice: TimingChoice, axis: str, provenance: Provenance) -> bool:
    """Whether only the parameter of the axis may differ from what is chosen. What is published says little of its parameters."""
    if axis not in result.point.parameters:
        return False
    own = _without(axis, _original(result.point.parameters))
    chosen = _without(axis, choice.parameters[result.point.variant_id])
    return own.items() <= chosen.items() if provenance is Provenance.PUBLISHED else own == chosen


def _along_sizes(results: Sequence[Result], choice: TimingChoice, provenance: Provenance) -> list[Result]:
    by_variant: defaultdict[tuple[str, object], dict[tuple[tuple[str, int], ...], list[Result]]] = defaultdict(dict)
    for result in results:
        report = result.conditions.get("source") if provenance is Provenance.PUBLISHED else None
        by_variant[result.point.variant_id, report].setdefault(items_of(result.point.parameters), []).append(result)
    kept: list[Result] = []
    for (variant_id, _), groups in by_variant.items():
        wanted = items_of(choice.parameters[variant_id])
        chosen = groups.get(wanted)
        if chosen is None and provenance is not Provenance.MEASURED:
            chosen = groups[max(groups, key=lambda items: (set(items) <= set(wanted), len(groups[items])))]
        kept.extend(chosen or ())
        edited = items_of({**choice.parameters[variant_id], EDITED: 1})
        kept.extend(groups.get(edited, ()))
    return kept
