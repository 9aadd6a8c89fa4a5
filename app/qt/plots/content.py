"""What a chart shows, as one frozen value that is replaced as a whole, and how it is made from the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.core.curves import CurvePoint, Quantity, Series, series_of
from app.core.session import Axis, TimingChoice
from app.core.timing import TimingModel, select, series_slots, tile_chart_n
from app.qt.plots.scales import Scale, size_scale, value_scale
from kernels.catalog import find
from kernels.measure.results import Point
from kernels.messages import Message, message
from kernels.spec import Operation

_GFLOPS = message("GFLOP/s")
_GBYTES = message("GB/s")
_SIZES = message("Matrix size n, square, float32")


@dataclass(frozen=True, slots=True)
class RunningPoint:
    """The point that is being measured."""

    x: int
    label: Message
    """Its name and how far it is: "Blocked, 7 of 11 runs"."""


@dataclass(frozen=True, slots=True)
class ChartContent:
    """The lines, the axes and what is being measured. `asked` are values of the axis that are shown before anything is measured there."""

    axis: Axis = Axis.SIZE
    quantity: Quantity = Quantity.RATE
    unit: Message = _GFLOPS
    caption: Message = _SIZES
    log_x: bool = True
    log_y: bool = True
    series: tuple[Series, ...] = ()
    slots: Mapping[str, int | None] = field(default_factory=dict)
    asked: tuple[int, ...] = ()
    running: tuple[RunningPoint, ...] = ()

    @property
    def xs(self) -> tuple[int, ...]:
        """Every value on the horizontal axis, ascending."""
        known = {point.x for series in self.series for point in series.points}
        running = {point.x for point in self.running}
        return tuple(sorted(known | set(self.asked) | running))

    @property
    def measured_xs(self) -> tuple[int, ...]:
        """Where the crosshair can stand."""
        return tuple(sorted({point.x for series in self.series for point in series.points}))

    @property
    def x_scale(self) -> Scale:
        return size_scale(self.xs, self.log_x)

    @property
    def y_scale(self) -> Scale:
        values = [value for series in self.series for point in series.drawn for value in (point.low, point.high) if value is not None]
        return value_scale(values, self.log_y)

    def at(self, x: int) -> list[tuple[Series, CurvePoint]]:
        """Every series' point at `x`, in the fixed order of the series."""
        return [(series, point) for series in self.series for point in series.points if point.x == x]

    @property
    def refused(self) -> dict[int, list[CurvePoint]]:
        """Points without a time, by x."""
        by_x: dict[int, list[CurvePoint]] = {}
        for series in self.series:
            for point in series.refused:
                by_x.setdefault(point.x, []).append(point)
        return by_x


def content_of(model: TimingModel, choice: TimingChoice, axis: Axis, quantity: Quantity) -> ChartContent:
    """The chart of the choice along one axis, with what is known and what is running now."""
    results = select(model.results.value, choice, axis, model.shown.value)
    series = series_of(results, axis, quantity, model.results.value)
    variants = {find(variant_id) for variant_id in choice.ticked} | {line.key.variant for line in series}
    return ChartContent(
        axis=axis,
        quantity=quantity,
        unit=_unit(choice.operation, quantity),
        caption=_caption(tile_chart_n(model.results.value, choice), axis),
        log_x=model.scales.value.log_x,
        log_y=model.scales.value.log_y,
        series=series,
        slots=series_slots(variant for variant in variants if variant is not None),
        asked=choice.tiles if axis is Axis.TILE else choice.sizes,
        running=_running(model, choice, axis),
    )


def _unit(operation: Operation, quantity: Quantity) -> Message:
    match quantity:
        case Quantity.RATE:
            return _GFLOPS if operation is Operation.MATMUL else _GBYTES
        case Quantity.TIME:
            return message("ms")
        case Quantity.PERCENT:
            return message("% of the best library of the same device")


def _caption(n: int, axis: Axis) -> Message:
    if axis is Axis.TILE:
        return message("Tile size, at n = {n}", n=n)
    return _SIZES


def _running(model: TimingModel, choice: TimingChoice, axis: Axis) -> tuple[RunningPoint, ...]:
    points = []
    for lane in model.progress.value.lanes if model.progress.value else ():
        if lane.point is None or (x := _place(model, lane.point, choice, axis)) is None:
            continue
        label = lane.point.variant.title
        if lane.samples:
            label = message("{variant}, {done} of {most} runs", variant=label, done=lane.samples, most=lane.samples_at_most)
        points.append(RunningPoint(x, label))
    return tuple(points)


def _place(model: TimingModel, point: Point, choice: TimingChoice, axis: Axis) -> int | None:
    """Where on the axis a point of the chart lies, None if it belongs to another chart."""
    if point.problem.operation is not choice.operation or point.variant_id not in choice.ticked:
        return None
    if axis is Axis.TILE:
        return point.parameters.get("tile") if point.problem.n == tile_chart_n(model.results.value, choice) else None
    return point.problem.n if dict(point.parameters) == dict(choice.parameters[point.variant_id]) else None
