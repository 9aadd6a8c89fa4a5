"""Content of a chart, as one frozen value that is replaced as a whole, and how it is made from the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

from app.core.base.value_labels import value_text
from app.core.results.curves import CurvePoint, Provenance, Series, SeriesKey
from app.core.results.labels import GFLOPS, unit_of
from app.core.results.quantities import Quantity
from app.core.results.query import chart_n, select_parts
from app.core.results.reference_lines import ReferenceLine, reference_lines_of
from app.core.session.session import SIZE_AXIS, TimingChoice
from app.core.timing.model import TimingModel, baseline_of, other_axis, quantities_of
from app.qt.charts.scales import Scale, size_scale, value_scale
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Parameter
from kernels.base.values import dataclass
from kernels.catalogue.case import Case

_SIZES = message("Matrix size n, square, float32")
_SIZES_OF_SEVERAL = message("Matrix size n, square; float32 where a name has no other type")


@dataclass(frozen=True, slots=True)
class RunningPoint:
    """The point that is being measured."""

    x: int
    label: Message
    """Its name. How far it is stands beside the chart: a chart that told it would be painted for every few samples."""


@dataclass(frozen=True)
class ChartContent:
    """Content of a chart: the lines, the axes and what is being measured; what follows from them is found once.

    `asked` are values of the axis that are shown before anything is measured there. `parameter` is what runs along the axis, None for n.
    """

    axis: str = SIZE_AXIS
    parameter: Parameter | None = None
    n: int | None = None
    """That of a chart over a parameter."""
    quantity: Quantity = Quantity.RATE
    unit: Message = GFLOPS
    caption: Message = _SIZES
    banded: bool = False
    """Whether lines have bands around them."""
    log_x: bool = True
    log_y: bool = True
    series: tuple[Series, ...] = ()
    reference_lines: tuple[ReferenceLine, ...] = ()
    asked: tuple[int, ...] = ()
    running: tuple[RunningPoint, ...] = ()
    staged: str = ""
    """The id of the variant on the stage."""
    ticked: frozenset[str] = frozenset()
    """The ids of the variants that are asked for; others may stand in for them."""
    missing: frozenset[Device] = frozenset()
    """Devices that are not here: that their points have no time is said once, not at every point."""
    unticked: int = 0
    """How many curves there are of rungs that nobody ticked, drawn or not."""

    @cached_property
    def xs(self) -> tuple[int, ...]:
        """Values on the horizontal axis, all of them, ascending."""
        return tuple(sorted({*self.asked, *(point.x for point in self.running)}.union(*(series.xs for series in self.series))))

    @cached_property
    def measured_xs(self) -> tuple[int, ...]:
        """Where the crosshair can stand."""
        return tuple(sorted({point.x for series in self.series for point in self._told(series)}))

    def xs_of(self, only: frozenset[SeriesKey]) -> tuple[int, ...]:
        """Where it can stand while these lines are pointed at; none: all."""
        if not only:
            return self.measured_xs
        return tuple(sorted({point.x for series in self.series if series.key in only for point in self._told(series)}))

    @cached_property
    def x_scale(self) -> Scale:
        return size_scale(self.xs, self.log_x and not self.names and min(self.xs, default=1) > 0)

    @property
    def names(self) -> tuple[str, ...]:
        """What the values of the axis are called where they are choices, in no order that a line could follow."""
        return () if self.parameter is None else self.parameter.names

    def x_name(self, x: int) -> Message | None:
        """What a value of the axis is called; None for a number."""
        return value_text(self.parameter, x) if self.parameter is not None and (self.names or not x) else None

    @cached_property
    def y_scale(self) -> Scale:
        """The vertical axis, with room below the smallest value where crosses stand at its foot."""
        values = [value for series in self.series for value in series.extent]
        values += [value for line in self.reference_lines for _, value in line.points]
        return value_scale(values, self.log_y, foot=bool(self.refused))

    def at(self, x: int) -> list[tuple[Series, CurvePoint]]:
        """Return every series' point at `x`, in the fixed order of the series."""
        return [(series, point) for series in self.series for point in self._told(series) if point.x == x]

    def quiet(self, key: SeriesKey) -> bool:
        """Whether a line stays in the background until it is asked for: a published one, where there are others."""
        return key.provenance is Provenance.PUBLISHED and any(
            series.key.provenance is not Provenance.PUBLISHED and series.drawn for series in self.series
        )

    def _told(self, series: Series) -> Sequence[CurvePoint]:
        return series.drawn if self._told_once(series) else series.points

    def _told_once(self, series: Series) -> bool:
        """Whether what a line has no time of is left out, the device being missing."""
        return series.key.provenance is Provenance.MEASURED and series.key.variant.device in self.missing

    @cached_property
    def refused(self) -> dict[int, list[CurvePoint]]:
        """Points without a time, by x."""
        by_x: dict[int, list[CurvePoint]] = {}
        for series in self.series:
            if not self._told_once(series):
                for point in series.refused:
                    by_x.setdefault(point.x, []).append(point)
        return by_x


def content_of(
    model: TimingModel, choice: TimingChoice, axis: str, quantity: Quantity, missing: frozenset[Device] = frozenset()
) -> ChartContent:
    """The chart of the choice along one axis, with what is known and what is running now; `missing` are devices that are not here."""
    n = None if axis == SIZE_AXIS else chart_n(model.results, choice, axis)
    parts = select_parts(model.results, choice, axis, model.shown.value, model.staged.value, n)
    baseline = baseline_of(choice, axis, model.baseline.value)
    series = model.lines.series(parts, axis, quantity, model.results, baseline)
    ticked = tuple(line for line in series if line.key.variant_id in choice.ticked)
    unticked = sum(bool(line.drawn) for line in series) - sum(bool(line.drawn) for line in ticked)
    series = series if model.standing_in.value else ticked
    parameter, asked = choice.parameter(axis), choice.sizes if axis == SIZE_AXIS else choice.values(axis)
    return ChartContent(
        axis=axis,
        parameter=parameter,
        n=n,
        quantity=quantity,
        unit=unit_of(choice, quantity, baseline),
        caption=_caption(parameter, n, series),
        banded=any(line.spread for line in series if line.key.provenance is Provenance.MEASURED),
        log_x=model.scales.value.log_x,
        log_y=model.scales.value.log_y,
        series=series,
        reference_lines=reference_lines_of(choice.operation, series, asked, axis, quantity, baseline),
        asked=asked,
        running=_running(model, choice, axis, n),
        staged=model.staged.value,
        ticked=frozenset(choice.ticked),
        missing=missing,
        unticked=unticked,
    )


def _caption(parameter: Parameter | None, n: int | None, series: Sequence[Series]) -> Message:
    if parameter is not None and n is not None:
        return message("{title}, at n = {n}", title=parameter.title, n=n)
    return _SIZES_OF_SEVERAL if any(line.key.variant.precision for line in series) else _SIZES


def content_beside(model: TimingModel, choice: TimingChoice, shown: Quantity, missing: frozenset[Device]) -> ChartContent | None:
    """What a small chart shows beside that of the choice: the other axis; where nothing is known along it, how many times as fast the
    rungs are, else what share of the library they reach. None where there is nothing to see."""
    other = other_axis(choice)
    wanted = [] if other is None else [(other, Quantity.TIME)]
    told = quantities_of(choice, SIZE_AXIS, model.baseline.value) if choice.axis == SIZE_AXIS else ()
    wanted += [(SIZE_AXIS, each) for each in (Quantity.SPEED_UP, Quantity.PERCENT) if each in told and each is not shown]
    contents = (content_of(model, choice, axis, quantity, missing) for axis, quantity in wanted)
    return next((each for each in contents if any(_tells(series, each.quantity) for series in each.series)), None)


def _tells(series: Series, quantity: Quantity) -> bool:
    """Whether there is something to see in a line: what it is compared with is as fast as itself everywhere."""
    itself = {Quantity.PERCENT: 100.0, Quantity.SPEED_UP: 1.0}.get(quantity)
    values = [point.value for point in series.drawn if point.value is not None]
    return len(values) > 1 and not (itself is not None and all(math.isclose(each, itself, rel_tol=1e-6) for each in values))


def _running(model: TimingModel, choice: TimingChoice, axis: str, n: int | None) -> tuple[RunningPoint, ...]:
    points = []
    for point in model.under_way.value:
        if point is None or (x := _place(point, choice, axis, n)) is None:
            continue
        points.append(RunningPoint(x, point.variant.title))
    return tuple(points)


def _place(point: Case, choice: TimingChoice, axis: str, n: int | None) -> int | None:
    """Where on the axis a point of the chart lies, None if it belongs to another chart."""
    if point.problem.operation is not choice.operation or point.variant_id not in choice.ticked:
        return None
    if axis != SIZE_AXIS:
        return point.parameters.get(axis) if point.problem.n == n else None
    return point.problem.n if dict(point.parameters) == dict(choice.parameters[point.variant_id]) else None
