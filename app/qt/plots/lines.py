"""The pyqtgraph items of a chart's lines, at positions of its scales."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.core.curves import Series
from app.core.guides import Guide
from app.qt.plots.scales import Scale
from app.qt.plots.style import LineStyle


def line_items(series: Series, style: LineStyle, x_scale: Scale, y_scale: Scale, *, joined: bool) -> list[Any]:
    """Range, line and markers of one series, in drawing order; none when it has no point with a time.

    Points that are not `joined` stand alone, their ranges being bars: between them there is nothing.
    """
    drawn = series.drawn
    if not drawn:
        return []
    xs = [x_scale.position(point.x) for point in drawn]
    medians, lows, highs = (
        [y_scale.position(value) for value in column]
        for column in zip(*((point.value or 0, point.low or 0, point.high or 0) for point in drawn), strict=True)
    )
    markers = pg.ScatterPlotItem(
        xs, medians, symbol=style.symbol, size=style.marker_size, pen=style.marker_pen, brush=style.marker_brush, antialias=True
    )
    if not joined:
        ends = _interleaved(lows, highs)
        return [pg.PlotCurveItem(_interleaved(xs, xs), ends, pen=style.marker_pen, connect="pairs", antialias=True), markers]
    curve = pg.PlotCurveItem(xs, medians, pen=style.pen, antialias=True)
    low, high = pg.PlotCurveItem(xs, lows, pen=None), pg.PlotCurveItem(xs, highs, pen=None)
    band = pg.FillBetweenItem(low, high, brush=style.band_brush)
    return [band, curve, markers]


def guide_item(guide: Guide, colour: QColor, x_scale: Scale, y_scale: Scale) -> Any:
    """A thin dotted line below the others."""
    pen = QPen(colour, 1.2, Qt.PenStyle.DotLine)
    pen.setCosmetic(True)
    xs, ys = zip(*((x_scale.position(x), y_scale.position(value)) for x, value in guide.points), strict=True)
    item = pg.PlotCurveItem(list(xs), list(ys), pen=pen, antialias=True)
    item.setZValue(-0.5)
    return item


def _interleaved(first: Iterable[float], second: Iterable[float]) -> list[float]:
    return [value for pair in zip(first, second, strict=True) for value in pair]
