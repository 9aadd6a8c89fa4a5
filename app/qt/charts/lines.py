"""The pyqtgraph items of a chart's lines, at positions of its scales. They are kept and shown anew, not replaced."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from app.core.results.curves import Provenance, Series
from app.core.results.reference_lines import ReferenceLine
from app.qt.charts.scales import Scale, position
from app.qt.charts.style import LineStyle, marker_path
from kernels.base.values import dataclass

QUIET, DIMMED = 0.45, 0.16
"""How much is seen of a line in the background, and of one while another is pointed at."""
_HEIGHTS = {Provenance.MEASURED: 3.0, Provenance.RECORDED: 2.0, Provenance.PUBLISHED: 1.0}
_IN_FRONT = 10.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """Description of a drawn line: all that its items follow from. Points that are not `joined` stand alone, their ranges being bars.

    The ends of the axes are not in it: an axis that grows leaves the items as they are.
    """

    series: Series
    style: LineStyle
    log_x: bool
    log_y: bool
    joined: bool
    zoom: float = 1.0


class _Ink:
    """Pens and brushes of a style at a zoom, each one object for good: pyqtgraph renders a marker anew for each object that it meets."""

    def __init__(self, style: LineStyle, zoom: float) -> None:
        self.of = style, zoom
        self.line, self.marker = _grown(style.pen, zoom), _grown(style.marker_pen, zoom)
        self.full, self.hollow, self.band = style.marker_brush, style.hollow, style.band_brush


MOST_MARKERS = 32
"""About as many as can be told apart along a line as wide as a chart."""


def marked(xs: Sequence[float], disturbed: Sequence[bool]) -> list[int]:
    """The places of a line's points that get a marker: all of few; of many some that lie apart, the last, and all that are disturbed."""
    if len(xs) <= MOST_MARKERS:
        return list(range(len(xs)))
    apart, before, found = (xs[-1] - xs[0]) / MOST_MARKERS, -math.inf, []
    for place, x in enumerate(xs):
        if x - before >= apart or place == len(xs) - 1:
            before = x
            found.append(place)
        elif disturbed[place]:
            found.append(place)
    return found


class CurveItems:
    """Range, line and markers of one series in a box of pyqtgraph's."""

    def __init__(self, box: Any, drawn: Drawn) -> None:
        self._box = box
        self._drawn: Drawn | None = None
        self._ink = _Ink(drawn.style, drawn.zoom)
        self._band = pg.PlotCurveItem(pen=None, fillLevel="enclosed")
        self._line = pg.PlotCurveItem(antialias=True)
        self._markers = pg.ScatterPlotItem(antialias=True)
        for item in self._items:
            box.addItem(item, ignoreBounds=True)
        self.show(drawn)

    @property
    def _items(self) -> tuple[Any, ...]:
        return self._band, self._line, self._markers

    def show(self, drawn: Drawn) -> bool:
        """Take over another moment of the series; returns whether anything had to be done."""
        if drawn == self._drawn:
            return False
        self._drawn = drawn
        style, points = drawn.style, drawn.series.drawn
        if self._ink.of != (style, drawn.zoom):
            self._ink = _Ink(style, drawn.zoom)
        ink = self._ink
        xs = [position(point.x, drawn.log_x) for point in points]
        medians, lows, highs = (
            [position(value, drawn.log_y) for value in column]
            for column in zip(*((point.value or 0, point.low or 0, point.high or 0) for point in points), strict=True)
        )
        line = drawn.joined and len(xs) > 1  # of one point there is only the marker
        band = line and style.provenance is Provenance.MEASURED
        outline = ([*xs, *reversed(xs)], [*highs, *reversed(lows)]) if band else ([], [])
        self._band.setData(*outline, brush=ink.band)
        if drawn.joined:
            self._line.setData(*((xs, medians) if line else ([], [])), pen=ink.line, connect="all")
        else:
            self._line.setData(_interleaved(xs, xs), _interleaved(lows, highs), pen=ink.marker, connect="pairs")
        disturbed = [point.result.disturbed for point in points]
        at = marked(xs, disturbed) if drawn.joined else range(len(xs))
        brush = [ink.hollow if disturbed[place] else ink.full for place in at] if any(disturbed) else ink.full
        self._markers.setData(
            [xs[place] for place in at], [medians[place] for place in at], symbol=marker_path(style.marker),
            size=style.marker_size * drawn.zoom, pen=ink.marker, brush=brush,
        )  # fmt: skip
        return True

    def set_strength(self, opacity: float, *, in_front: bool, band: bool) -> None:
        """Let more or less be seen of it, with its range or without."""
        assert self._drawn is not None
        height = _HEIGHTS[self._drawn.style.provenance] + (_IN_FRONT if in_front else 0.0)
        self._band.setVisible(band)
        for item in self._items:
            item.setOpacity(opacity)
            item.setZValue(height - 0.5 if item is self._band else height)

    def remove(self) -> None:
        """Take it out of the box."""
        for item in self._items:
            self._box.removeItem(item)


def guide_item(guide: ReferenceLine, colour: QColor, x_scale: Scale, y_scale: Scale) -> Any:
    """Return a thin dotted line below the others."""
    pen = QPen(colour, 1.2, Qt.PenStyle.DotLine)
    pen.setCosmetic(True)
    xs, ys = zip(*((x_scale.position(x), y_scale.position(value)) for x, value in guide.points), strict=True)
    item = pg.PlotCurveItem(list(xs), list(ys), pen=pen, antialias=True)
    item.setZValue(-0.5)
    return item


def _grown(pen: QPen, zoom: float) -> QPen:
    """Widen a pen, which is returned, to this zoom."""
    pen.setWidthF(pen.widthF() * zoom)
    return pen


def _interleaved(first: Iterable[float], second: Iterable[float]) -> list[float]:
    return [value for pair in zip(first, second, strict=True) for value in pair]
