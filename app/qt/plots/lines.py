"""The pyqtgraph items of one series: min-max band, line and markers, at positions of the chart's scales."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg

from app.core.curves import Series
from app.qt.plots.scales import Scale
from app.qt.plots.style import LineStyle


def line_items(series: Series, style: LineStyle, x_scale: Scale, y_scale: Scale) -> list[Any]:
    """Items in drawing order; none when the series has no point with a time."""
    drawn = series.drawn
    if not drawn:
        return []
    xs = [x_scale.position(point.x) for point in drawn]
    medians, lows, highs = (
        [y_scale.position(value) for value in column]
        for column in zip(*((point.value or 0, point.low or 0, point.high or 0) for point in drawn), strict=True)
    )
    curve = pg.PlotCurveItem(xs, medians, pen=style.pen, antialias=True)
    markers = pg.ScatterPlotItem(
        xs, medians, symbol=style.symbol, size=style.marker_size, pen=style.marker_pen, brush=style.marker_brush, antialias=True
    )
    low, high = pg.PlotCurveItem(xs, lows, pen=None), pg.PlotCurveItem(xs, highs, pen=None)
    band = pg.FillBetweenItem(low, high, brush=style.band_brush)
    return [band, curve, markers]
