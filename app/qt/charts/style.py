"""Style of lines: the hue names the device, lightness and marker the rung, and the stroke tells where the times come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import cos, pi, sin

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.core.results.curves import Provenance
from app.qt.base.theme import Theme
from kernels.base.spec import Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import of

BAND_OPACITY = 0.16
MARKERS = ("circle", "square", "triangle", "diamond", "star", "hourglass", "pointer", "bar", "plus", "cross", "bow")
"""Of the rungs of a ladder, in turn: eleven rungs on, the colour is another one."""
LIBRARY_MARKERS = ("down", "back", "hexagon")
"""Of the libraries of a device, in the order of the catalogue; no rung has one of them."""
_DASHES: Mapping[Provenance, list[float]] = {Provenance.RECORDED: [7, 5], Provenance.PUBLISHED: [2, 4]}
_WIDTHS = {Provenance.MEASURED: 2.6, Provenance.RECORDED: 1.8, Provenance.PUBLISHED: 1.2}
_SIZES = {Provenance.MEASURED: 11.0, Provenance.RECORDED: 10.0, Provenance.PUBLISHED: 7.0}
_LENGTHENED = 1.3


def _around(outer: float, inner: float, count: int) -> Sequence[tuple[float, float]]:
    """Corners on two circles in turn, the first at the top."""
    turns = [(outer if i % 2 == 0 else inner, 2 * pi * i / count) for i in range(count)]
    return [(radius * sin(angle), -radius * cos(angle)) for radius, angle in turns]


_CORNERS: Mapping[str, Sequence[tuple[float, float]]] = {
    "square": ((-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)),
    "triangle": ((0, -0.54), (0.54, 0.42), (-0.54, 0.42)),
    "diamond": ((0, -0.58), (0.5, 0), (0, 0.58), (-0.5, 0)),
    "hourglass": ((-0.48, -0.52), (0.48, -0.52), (-0.48, 0.52), (0.48, 0.52)),
    "bow": ((-0.52, -0.48), (0.52, 0.48), (0.52, -0.48), (-0.52, 0.48)),
    "pointer": ((-0.42, -0.54), (0.54, 0), (-0.42, 0.54)),
    "bar": ((-0.24, -0.58), (0.24, -0.58), (0.24, 0.58), (-0.24, 0.58)),
    "plus": (
        (-0.2, -0.58),
        (0.2, -0.58),
        (0.2, -0.2),
        (0.58, -0.2),
        (0.58, 0.2),
        (0.2, 0.2),
        (0.2, 0.58),
        (-0.2, 0.58),
        (-0.2, 0.2),
        (-0.58, 0.2),
        (-0.58, -0.2),
        (-0.2, -0.2),
    ),
    "cross": (
        (-0.55, -0.27),
        (-0.27, -0.55),
        (0, -0.28),
        (0.27, -0.55),
        (0.55, -0.27),
        (0.28, 0),
        (0.55, 0.27),
        (0.27, 0.55),
        (0, 0.28),
        (-0.27, 0.55),
        (-0.55, 0.27),
        (-0.28, 0),
    ),
    "down": ((-0.6, -0.46), (0.6, -0.46), (0, 0.58)),
    "back": ((0.46, -0.6), (0.46, 0.6), (-0.58, 0)),
    "star": _around(0.62, 0.27, 10),
    "hexagon": _around(0.58, 0.58, 6),
}


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Marker, colour and stroke of one series."""

    marker: str
    colour: QColor
    provenance: Provenance
    ground: QColor
    """What hollow markers are filled with."""

    @property
    def pen(self) -> QPen:
        """Solid for measured, dashed for recorded, dotted and thin for published."""
        width = _WIDTHS[self.provenance]
        pen = QPen(self.colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin)
        dashes = _DASHES.get(self.provenance)
        if dashes:
            pen.setDashPattern([dash / width for dash in dashes])
        pen.setCosmetic(True)
        return pen

    @property
    def marker_pen(self) -> QPen:
        pen = QPen(self.colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)
        pen.setCosmetic(True)
        return pen

    @property
    def marker_brush(self) -> QBrush:
        """Filled for measured, hollow for others."""
        return QBrush(self.colour if self.provenance is Provenance.MEASURED else self.ground)

    @property
    def marker_size(self) -> float:
        return _SIZES[self.provenance]

    @property
    def band_brush(self) -> QBrush:
        colour = QColor(self.colour)
        colour.setAlphaF(BAND_OPACITY)
        return QBrush(colour)


def line_style(theme: Theme, variant: Variant, provenance: Provenance) -> LineStyle:
    """The style of a variant's line: the same in every chart, table and picture, whatever else is shown."""
    return LineStyle(marker_of(variant), colour_of(theme, variant), provenance, theme.bg1)


def key_style(theme: Theme, provenance: Provenance) -> LineStyle:
    """What the lines of a provenance have in common, for a legend."""
    return LineStyle(MARKERS[0], theme.t2, provenance, theme.bg1)


def marker_of(variant: Variant) -> str:
    """The name of a variant's marker; neighbours on a ladder have different ones."""
    own = _ladder(variant)
    markers = LIBRARY_MARKERS if variant.library else MARKERS
    return markers[own.index(variant) % len(markers)]


def colour_of(theme: Theme, variant: Variant) -> QColor:
    """The hue of the variant's device, farther from the ground the higher the rung; libraries are the farthest."""
    *rungs, library = theme.ramps[variant.device]
    if variant.library:
        return library
    own = _ladder(variant)
    place = own.index(variant) / max(1, len(own) - 1) * (len(rungs) - 1)
    below = min(int(place), len(rungs) - 2)
    return _between(rungs[below], rungs[below + 1], place - below)


def paint_marker(painter: QPainter, style: LineStyle, centre: QPointF, size: float | None = None) -> None:
    """Draw the marker alone, for legends and tables."""
    extent = size or style.marker_size
    painter.save()
    painter.setPen(style.marker_pen)
    painter.setBrush(style.marker_brush)
    painter.translate(centre)
    painter.scale(extent, extent)
    painter.drawPath(marker_path(style.marker))
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


def paint_disturbed(painter: QPainter, theme: Theme, centre: QPointF, size: float) -> None:
    """Draw the sign of disturbed samples: two waves, on a ground of their own, so that no line of the grid is a third one."""
    path = QPainterPath()
    for above in (-size / 5, size / 5):
        left, right, height = centre - QPointF(size / 2, -above), centre + QPointF(size / 2, above), QPointF(0, size / 2)
        path.moveTo(left)
        path.cubicTo(centre + QPointF(-size / 6, above) - height, centre + QPointF(size / 6, above) + height, right)
    for colour, width in ((theme.bg1, size / 2), (theme.t1, 1.6)):
        painter.strokePath(path, QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))


@cache
def marker_path(name: str) -> QPainterPath:
    """The outline of a marker, about 1 high, around the origin."""
    path = QPainterPath()
    if name == "circle":
        path.addEllipse(QPointF(0, 0), 0.5, 0.5)
        return path
    corners = _CORNERS[name]
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    return path


def _ladder(variant: Variant) -> list[Variant]:
    """The rungs of the variant's device, or its libraries if it is one."""
    return [each for each in of(variant.operation) if each.device is variant.device and each.library is variant.library]


def _between(first: QColor, last: QColor, part: float) -> QColor:
    parts = ((first.red(), last.red()), (first.green(), last.green()), (first.blue(), last.blue()))
    return QColor(*(round(a + (b - a) * part) for a, b in parts))
