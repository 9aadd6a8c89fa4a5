"""What stands above the curves: names at the line ends, refused points, the running point, the crosshair and its box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.core.curves import Provenance
from app.core.series_names import detail_of, settings_of
from app.qt.look import Look
from app.qt.plots.content import ChartContent
from app.qt.plots.crosses import CROSS, PITCH, Crosses, crosses_of, paint_crosses
from app.qt.plots.placement import Box, emptiest_corner, spread
from app.qt.plots.readout import Readout
from app.qt.plots.style import LineStyle, line_style, paint_marker
from app.qt.widgets.zoomed import Zoomed

LABEL_GAP = 12.0
WIDEST_LABEL = 240.0
_DETAIL_GAP = 6.0
_ASTRAY = 7.0
"""A name that is farther above or below the end of its line is led there by a thin line."""
_NEAR = 60.0
"""The ends of lines that are farther away are not led to: the marker before the name says which line it is."""
_BESIDE_MARKER = 7.0
_KEY, _MARKER = 16.0, 8.0
_HALO = 215


@dataclass(frozen=True, slots=True)
class EndLabel:
    """A name beside the last point of a line, with a second line of detail."""

    name: str
    detail: str
    strong: bool
    x: int
    value: float
    style: LineStyle | None = None
    """None for a guide."""


class Overlay(Zoomed):
    """Paints over the plot and takes its mouse. Positions come from `locate`, which maps a point of the axes to pixels."""

    pointed = Signal(float)
    """The mouse moved over the plot, at this x in pixels."""
    left = Signal()
    """The mouse left."""

    def __init__(
        self, look: Look, locate: Callable[[float, float], QPointF], area: Callable[[], QRectF], parent: QWidget, *, compact: bool
    ) -> None:
        super().__init__(parent)
        self._look = self.magnify(look)
        self._locate = locate
        self._area = area
        self._compact = compact
        self.content = ChartContent()
        self.crosshair: int | None = None
        self.setMouseTracking(True)

    def end_labels(self) -> list[EndLabel]:
        """The names of the lines that have at least one point, guides included."""
        machines: dict[Provenance, set[str]] = {}
        for series in self.content.series:
            machines.setdefault(series.key.provenance, set()).add(series.key.machine)
        labels = []
        for series in self.content.series:
            if series.drawn:
                last, key = series.drawn[-1], series.key
                detail = detail_of(key) if len(machines[key.provenance]) > 1 else settings_of(key)  # one machine stands above the chart
                name, said = self._look.text(key.variant.title), "" if detail is None or self._compact else self._look.text(detail)
                style = line_style(self._look.theme, series, self.content.slots)
                labels.append(EndLabel(name, said, key.provenance is Provenance.MEASURED, last.x, last.value or 0.0, style))
        for guide in self.content.guides:
            x, value = guide.points[-1]
            labels.append(EndLabel(self._look.text(guide.label), "", strong=False, x=x, value=value))
        return labels

    def label_width(self, label: EndLabel) -> float:
        """Width in pixels that the label needs, cut at `WIDEST_LABEL`."""
        name = QFontMetricsF(self._name_font(label)).horizontalAdvance(label.name)
        detail = QFontMetricsF(self._look.theme.font("caption")).horizontalAdvance(label.detail)
        return min(name + (detail + _DETAIL_GAP if label.detail else 0) + (_KEY if self._compact else 0) + 2, WIDEST_LABEL)

    def label_boxes(self) -> list[Box]:
        """Where each of `end_labels` is drawn: beside its line's end, moved up or down where another one stands; all in one column at
        the right where there is little room."""
        height = QFontMetricsF(self._look.theme.font("label")).height()
        area, wanted = self._area(), []
        for label in self.end_labels():
            end = self._locate(label.x, label.value)
            x = (area.right() if self._compact else end.x()) + LABEL_GAP
            wanted.append(Box(x, end.y() - height / 2, min(self.label_width(label), self.width() - x - 2), height))
        tops = spread(wanted, area.top(), area.bottom() - 2 - (0.0 if self._compact else self._foot_of_marks()))
        return [Box(box.x, top, box.width, box.height) for box, top in zip(wanted, tops, strict=True)]

    def readout(self) -> tuple[Readout, QRectF] | None:
        """The crosshair's box and its place, or None without a crosshair."""
        if self.crosshair is None:
            return None
        box = Readout(self._look, self.content, self.crosshair, self.width())
        area = self._area()
        lines = [
            [(spot.x(), spot.y()) for point in series.drawn for spot in [self._locate(point.x, point.value or 0.0)]]
            for series in self.content.series
        ]
        foot = [(self._at_edge(x).x(), self._at_edge(x).y()) for x in (*self.content.refused, *(point.x for point in self.content.running))]
        at = self._at_edge(self.crosshair).x()
        crosshair = [(at, area.top()), (at, area.bottom())]
        labels = [[(label.x, label.y), (label.x + label.width, label.y + label.height)] for label in self.label_boxes()]
        room = Box(area.x(), area.y(), self.width() - area.x(), area.height() - self._foot())
        corner = emptiest_corner(room, box.width, box.height, [*lines, *labels, crosshair, *([spot] for spot in foot)], 8)
        return box, QRectF(corner.x, corner.y, corner.width, corner.height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_captions(painter)
        self._paint_labels(painter)
        paint_crosses(painter, self.crosses(), self._at_edge, self._area().right() - LABEL_GAP, self._look.theme)
        self._paint_running(painter)
        self._paint_crosshair(painter)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(event.position().x())

    def leaveEvent(self, _event: QEvent) -> None:
        self.left.emit()

    def _name_font(self, label: EndLabel) -> QFont:
        return self._look.theme.font("label" if label.strong else "small")

    def _paint_captions(self, painter: QPainter) -> None:
        area = self._area()
        painter.setFont(self._look.theme.font("caption"))
        painter.setPen(self._look.theme.t3)
        painter.drawText(QPointF(10, 18), self._look.text(self.content.unit))
        painter.drawText(QPointF(area.left(), self.height() - 8), self._look.text(self.content.caption))

    def _paint_labels(self, painter: QPainter) -> None:
        theme = self._look.theme
        halo = QColor(theme.bg1)
        halo.setAlpha(_HALO)
        labelled = list(zip(self.end_labels(), self.label_boxes(), strict=True))
        painter.setPen(QPen(theme.line2, 1))
        for label, box in labelled:
            end = self._locate(label.x, label.value)
            if abs(box.y + box.height / 2 - end.y()) > _ASTRAY and box.x - end.x() <= _NEAR:
                painter.drawLine(end + QPointF(_BESIDE_MARKER, 0), QPointF(box.x - 3, box.y + box.height / 2))
        for label, box in labelled:
            painter.fillRect(QRectF(box.x - 2, box.y, box.width + 4, box.height), halo)
            self._paint_label(painter, label, box)

    def _paint_label(self, painter: QPainter, label: EndLabel, box: Box) -> None:
        """The name, and smaller behind it the detail, on one base line."""
        theme, left = self._look.theme, box.x
        if self._compact:
            if label.style is not None:
                paint_marker(painter, label.style, QPointF(left + _KEY / 2 - 3, box.y + box.height / 2), _MARKER)
            left += _KEY
        baseline = box.y + QFontMetricsF(theme.font("label")).ascent()
        for text, font, colour in (
            (label.name, self._name_font(label), theme.t1 if label.strong else theme.t2),
            (label.detail, theme.font("caption"), theme.t3),
        ):
            metrics = QFontMetricsF(font)
            said = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(box.x + box.width + 1 - left, 0.0))
            painter.setFont(font)
            painter.setPen(colour)
            painter.drawText(QPointF(left, baseline), said)
            left += metrics.horizontalAdvance(said) + _DETAIL_GAP

    def crosses(self) -> Crosses:
        """By x, how many points have no time: those with a wrong result (True) and the others."""
        return crosses_of(self.content.refused)

    def _paint_running(self, painter: QPainter) -> None:
        """What is being measured has no value yet, so its ring stands at the lower edge too."""
        below = {x: len(crosses) for x, crosses in self.crosses().items()}
        for running in self.content.running:
            height = below.get(running.x, 0)
            below[running.x] = height + 1
            centre = self._at_edge(running.x) - QPointF(0, PITCH * height)
            painter.setPen(QPen(self._look.theme.now, 2.2))
            painter.setBrush(self._look.theme.now_bg)
            painter.drawEllipse(centre, 6, 6)
            self._paint_running_name(painter, centre, self._look.text(running.label))

    def _paint_running_name(self, painter: QPainter, centre: QPointF, text: str) -> None:
        font = self._look.theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(text)
        fits = centre.x() + LABEL_GAP + width < self.width()
        painter.setFont(font)
        painter.setPen(self._look.theme.now_text)
        painter.drawText(centre + QPointF(LABEL_GAP if fits else -LABEL_GAP - width, 4), text)

    def _paint_crosshair(self, painter: QPainter) -> None:
        readout = self.readout()
        if readout is None or self.crosshair is None:
            return
        area = self._area()
        x = self._at_edge(self.crosshair).x()
        painter.setPen(QPen(self._look.theme.t1, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        box, place = readout
        box.paint(painter, place)

    def _foot_of_marks(self) -> float:
        """What labels must leave free at the lower edge: nothing where there are no marks."""
        return self._foot() if self.content.refused or self.content.running else 0.0

    def _foot(self) -> float:
        """Height above the lower edge that marks of points without a value take."""
        marks = Counter({x: len(crosses) for x, crosses in self.crosses().items()})
        marks.update(running.x for running in self.content.running)
        return CROSS + PITCH * max(marks.values(), default=0)

    def _at_edge(self, x: int) -> QPointF:
        """The spot just above the lower edge of the plot at `x`."""
        return QPointF(self._locate(x, self.content.y_scale.high).x(), self._area().bottom() - CROSS)
