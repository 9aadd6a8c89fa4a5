"""The items of a chart's lines, at positions of its scales. They are kept and shown anew, not replaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from app.core.results.curves import Provenance, Series
from app.core.results.reference_lines import ReferenceLine
from app.qt.charts.scales import Scale
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


_COLUMN, _APART = 2.0, 0.5
"""Pixels in which corners of a line are not seen apart: along it, and across."""


def seen_corners(points: Sequence[QPointF]) -> list[QPointF]:
    """The corners that are seen of a line in pixels: of those in one column the lowest and the highest, or one where these are level.

    Ends are kept. Each corner of a wide line costs as much as a short line, and a long history puts several into a pixel.
    """
    found, lowest, highest, column = [points[0]], points[0], points[0], points[0].x() // _COLUMN
    for point in points[1:]:
        here = point.x() // _COLUMN
        if here != column:
            found += _apart(lowest, highest)
            lowest, highest, column = point, point, here
        elif point.y() > lowest.y():
            lowest = point
        elif point.y() < highest.y():
            highest = point
    return [*found, *_apart(lowest, highest), points[-1]]


def _apart(lowest: QPointF, highest: QPointF) -> list[QPointF]:
    if lowest.y() - highest.y() < _APART:
        return [lowest]
    return sorted((lowest, highest), key=QPointF.x)


class _PixelItem(QGraphicsItem):
    """What is drawn in pixels at places of the scales. Its shapes are kept until its places, the axes or the size change.

    pyqtgraph's own items find theirs anew in each picture, which took two thirds of its time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._view, self._fitted_to = QRectF(), QTransform()
        self._due = True

    def cover(self, view: QRectF) -> None:
        """Let it be anywhere in what the axes show."""
        if view != self._view:
            self.prepareGeometryChange()
            self._view = view

    def boundingRect(self) -> QRectF:
        return self._view

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        transform = painter.transform()
        if self._due or transform != self._fitted_to:
            self._due, self._fitted_to = False, transform
            self.fit(transform)
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)

    def renew(self) -> None:
        """Draw it again, with other places."""
        self._due = True
        self.update()

    def fit(self, to_pixels: QTransform) -> None:
        """Find the shapes in pixels."""
        raise NotImplementedError

    def draw(self, painter: QPainter) -> None:
        """Draw the shapes."""
        raise NotImplementedError


class _Band(_PixelItem):
    """Range of a series."""

    def __init__(self) -> None:
        super().__init__()
        self.outline, self.brush = QPolygonF(), QBrush()
        self._seen = QPolygonF()

    def fit(self, to_pixels: QTransform) -> None:
        self._seen = to_pixels.map(self.outline)

    def draw(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.brush)
        painter.drawPolygon(self._seen)


class _Line(_PixelItem):
    """Line and markers of a series; `pairs` are lines that stand alone. Of markers that lie one on the other, the last is in front."""

    def __init__(self) -> None:
        super().__init__()
        self.points, self.pairs = QPolygonF(), QPolygonF()
        self.spots: Sequence[QPointF] = ()
        self.marker = QPainterPath()
        self.pen, self.marker_pen, self.brush = QPen(), QPen(), QBrush()
        self._line, self._pairs, self._markers = QPolygonF(), QPolygonF(), list[QPainterPath]()

    def fit(self, to_pixels: QTransform) -> None:
        self._line, self._pairs = to_pixels.map(self.points), to_pixels.map(self.pairs)
        if self._line.count() > MOST_MARKERS:
            self._line = QPolygonF(seen_corners(self._line.toList()))
        self._markers = [self.marker.translated(to_pixels.map(spot)) for spot in self.spots]

    def draw(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self.pen)
        painter.drawPolyline(self._line)
        painter.setPen(self.marker_pen)
        painter.drawLines(self._pairs.toList())
        painter.setBrush(self.brush)
        for path in self._markers:
            painter.drawPath(path)


def _logs(drawn: Drawn) -> tuple[bool, bool, bool, bool]:
    """Which of x, median, lowest and highest go along a logarithmic axis."""
    return drawn.log_x, drawn.log_y, drawn.log_y, drawn.log_y


@dataclass(frozen=True, slots=True)
class Strength:
    """How much is seen of a line, 1 being all; whether it lies over the others, and whether its range is drawn."""

    opacity: float
    in_front: bool
    band: bool


class CurveItems:
    """Range, line and markers of one series in a box of pyqtgraph's."""

    def __init__(self, box: Any, drawn: Drawn) -> None:
        self._box = box
        self._drawn: Drawn | None = None
        self._strength: Strength | None = None
        self._band, self._line = _Band(), _Line()
        for item in (self._band, self._line):
            box.addItem(item, ignoreBounds=True)
        self.show(drawn)

    def cover(self, view: QRectF) -> None:
        """Let it be anywhere in what the axes show."""
        self._band.cover(view)
        self._line.cover(view)

    def show(self, drawn: Drawn) -> bool:
        """Take over another moment of the series; returns whether anything had to be done."""
        if drawn == self._drawn:
            return False
        self._drawn = drawn
        style, points, line = drawn.style, drawn.series.drawn, self._line
        known = np.array([(point.x, point.value, point.low, point.high) for point in points], float).T
        xs, medians, lows, highs = (np.log10(column) if log else column for column, log in zip(known, _logs(drawn), strict=True))
        joined = drawn.joined and len(xs) > 1  # of one point there is only the marker
        band = joined and style.provenance is Provenance.MEASURED
        around = np.concatenate([xs, xs[::-1]]), np.concatenate([highs, lows[::-1]])
        self._band.outline, self._band.brush = arrayToQPolygonF(*around) if band else QPolygonF(), style.band_brush
        line.points = arrayToQPolygonF(xs, medians) if joined else QPolygonF()
        line.pen, line.marker_pen = style.pen, style.marker_pen
        pairs = np.repeat(xs, 2), np.stack([lows, highs], axis=1).ravel()
        line.pairs = QPolygonF() if drawn.joined else arrayToQPolygonF(*pairs)
        if len(xs) > MOST_MARKERS:
            line.pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)  # a round one takes three times as long, and is not seen at such corners
        for pen in (line.pen, line.marker_pen):
            pen.setWidthF(pen.widthF() * drawn.zoom)
        size = style.marker_size * drawn.zoom
        at = marked(xs.tolist(), [point.result.disturbed for point in points]) if drawn.joined else range(len(xs))
        line.spots, line.brush = [QPointF(xs[place], medians[place]) for place in at], style.marker_brush
        line.marker = QTransform.fromScale(size, size).map(marker_path(style.marker))
        self._band.renew()
        line.renew()
        return True

    def show_strength(self, strength: Strength) -> bool:
        """Let more or less be seen of it; returns whether that is another strength than before."""
        assert self._drawn is not None
        if strength == self._strength:
            return False
        self._strength = strength
        height = _HEIGHTS[self._drawn.style.provenance] + (_IN_FRONT if strength.in_front else 0.0)
        self._band.setVisible(strength.band)
        for item, lower in ((self._band, 0.5), (self._line, 0.0)):
            item.setOpacity(strength.opacity)
            item.setZValue(height - lower)
        return True

    def remove(self) -> None:
        """Take it out of the box."""
        for item in (self._band, self._line):
            self._box.removeItem(item)


def reference_item(line: ReferenceLine, colour: QColor, x_scale: Scale, y_scale: Scale) -> Any:
    """Return a thin dotted line below the others."""
    pen = QPen(colour, 1.2, Qt.PenStyle.DotLine)
    pen.setCosmetic(True)
    xs, ys = zip(*((x_scale.position(x), y_scale.position(value)) for x, value in line.points), strict=True)
    item = pg.PlotCurveItem(list(xs), list(ys), pen=pen, antialias=True)
    item.setZValue(-0.5)
    return item
