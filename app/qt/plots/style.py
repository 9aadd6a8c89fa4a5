"""How a line looks: its marker and colour name the variant, its stroke tells where the times come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen

from app.core.curves import Provenance, Series
from app.qt.theme import Theme

BAND_OPACITY = 0.16
_DASHES: Mapping[Provenance, list[float]] = {Provenance.RECORDED: [7, 5], Provenance.PUBLISHED: [2, 4]}
_LENGTHENED = 1.3


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Marker, colour and stroke of one series."""

    symbol: str
    colour: QColor
    provenance: Provenance
    ground: QColor
    """What hollow markers are filled with."""

    @property
    def pen(self) -> QPen:
        """Solid for measured, dashed for recorded, dotted for published."""
        width = 2.4 if self.provenance is Provenance.MEASURED else 1.6
        pen = QPen(self.colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
        dashes = _DASHES.get(self.provenance)
        if dashes:
            pen.setDashPattern([dash / width for dash in dashes])
        pen.setCosmetic(True)
        return pen

    @property
    def marker_pen(self) -> QPen:
        pen = QPen(self.colour, 1.6)
        pen.setCosmetic(True)
        return pen

    @property
    def marker_brush(self) -> QBrush:
        """Filled for measured, hollow for others."""
        return QBrush(self.colour if self.provenance is Provenance.MEASURED else self.ground)

    @property
    def marker_size(self) -> float:
        return 11 if self.provenance is Provenance.MEASURED else 9

    @property
    def band_brush(self) -> QBrush:
        colour = QColor(self.colour)
        colour.setAlphaF(BAND_OPACITY)
        return QBrush(colour)


def line_style(theme: Theme, series: Series, slots: Mapping[str, int | None]) -> LineStyle:
    """The style of a series; grey where all markers are taken."""
    return slot_style(theme, slots.get(series.key.variant_id), series.key.provenance)


def slot_style(theme: Theme, slot: int | None, provenance: Provenance) -> LineStyle:
    """The style of a marker and colour slot (`app.core.curves.series_slots`)."""
    symbol, colour = ("o", theme.t3) if slot is None else theme.series[slot]
    return LineStyle("x" if provenance is Provenance.PUBLISHED else symbol, colour, provenance, theme.bg1)


def paint_marker(painter: QPainter, style: LineStyle, centre: QPointF, size: float | None = None) -> None:
    """Draw the marker alone, for legends and tables."""
    extent = size or style.marker_size
    painter.save()
    painter.setPen(style.marker_pen)
    painter.setBrush(style.marker_brush)
    painter.translate(centre)
    painter.scale(extent, extent)
    painter.drawPath(Symbols[style.symbol])
    painter.restore()


def paint_key(painter: QPainter, style: LineStyle, area: QRectF) -> None:
    """Draw a short piece of the line with its marker, as in a legend."""
    painter.setPen(style.pen)
    painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()))
    paint_marker(painter, style, area.center())


def paint_cross(painter: QPainter, colour: QColor, centre: QPointF, size: float, upright: bool) -> None:
    """Draw the mark of a point without a time: × for one that did not run, an upright cross for a wrong result."""
    pen = QPen(colour, 2.4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
    half = size / 2 * (_LENGTHENED if upright else 1)
    path = QPainterPath()
    for dx, dy in ((half, 0.0), (0.0, half)) if upright else ((half, half), (half, -half)):
        path.moveTo(centre + QPointF(-dx, -dy))
        path.lineTo(centre + QPointF(dx, dy))
    painter.strokePath(path, pen)
