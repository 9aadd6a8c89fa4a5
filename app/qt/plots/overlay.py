"""What stands above the curves: names at the line ends, refused points, the running point, the crosshair and its box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.qt.look import Look
from app.qt.plots.content import ChartContent
from app.qt.plots.crosses import CROSS, PITCH, Crosses, crosses_of, paint_crosses
from app.qt.plots.labels import EndLabel, Piece, broken, labels_of, one_line_width, paint_line
from app.qt.plots.placement import Box, emptiest_corner, spread
from app.qt.plots.readout import Readout
from app.qt.plots.style import paint_marker
from app.qt.widgets.zoomed import Zoomed

LABEL_GAP = 12.0
WIDEST_LABEL = 240.0
_ASTRAY = 7.0
"""A name that is farther above or below the end of its line is led there by a thin line."""
_NEAR = 60.0
"""The ends of lines that are farther away are not led to: the marker before the name says which line it is."""
_BESIDE_MARKER = 7.0
_KEY, _MARKER = 16.0, 8.0
_HALO = 215


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
        return labels_of(self.content, self._look, compact=self._compact)

    def label_width(self, label: EndLabel) -> float:
        """Width in pixels that the label needs in one line, cut at `WIDEST_LABEL`."""
        return min(one_line_width(self._look, label) + (_KEY if self._compact else 0) + 2, WIDEST_LABEL)

    def label_boxes(self) -> list[Box]:
        """Where each of `end_labels` is drawn: beside its line's end, moved up or down where another one stands; all in one column at
        the right where there is little room."""
        return [box for _, box, _ in self._placed_labels()]

    def _placed_labels(self) -> list[tuple[EndLabel, Box, list[list[Piece]]]]:
        """Each label with its box and its lines: one where all would not be in the chart otherwise."""
        height = QFontMetricsF(self._look.theme.font("label")).height()
        area, found = self._area(), []
        bottom = area.bottom() - 2 - (0.0 if self._compact else self._foot_of_marks())
        for label in self.end_labels():
            x = (area.right() if self._compact else self._locate(label.x, label.value).x()) + LABEL_GAP
            width = min(self.label_width(label), self.width() - x - 2)
            found.append((label, x, width, broken(self._look, label, width - (_KEY if self._compact else 0) + 1)))
        if sum(len(lines) for *_, lines in found) * height > bottom - area.top():
            found = [(label, x, width, [[(label.name, False), (label.detail, True)]]) for label, x, width, _ in found]
        wanted = [
            Box(x, self._locate(label.x, label.value).y() - height * len(lines) / 2, width, height * len(lines))
            for label, x, width, lines in found
        ]
        tops = spread(wanted, area.top(), bottom)
        return [
            (label, Box(box.x, top, box.width, box.height), lines)
            for (label, _, _, lines), box, top in zip(found, wanted, tops, strict=True)
        ]

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
        labelled = self._placed_labels()
        painter.setPen(QPen(theme.line2, 1))
        for label, box, _ in labelled:
            end = self._locate(label.x, label.value)
            if abs(box.y + box.height / 2 - end.y()) > _ASTRAY and box.x - end.x() <= _NEAR:
                painter.drawLine(end + QPointF(_BESIDE_MARKER, 0), QPointF(box.x - 3, box.y + box.height / 2))
        for label, box, lines in labelled:
            painter.fillRect(QRectF(box.x - 2, box.y, box.width + 4, box.height), halo)
            self._paint_label(painter, label, box, lines)

    def _paint_label(self, painter: QPainter, label: EndLabel, box: Box, lines: list[list[Piece]]) -> None:
        """The marker where there is little room, and the lines of the name, each on one base line."""
        metrics, left = QFontMetricsF(self._look.theme.font("label")), box.x
        if self._compact:
            if label.style is not None:
                paint_marker(painter, label.style, QPointF(left + _KEY / 2 - 3, box.y + metrics.height() / 2), _MARKER)
            left += _KEY
        for number, pieces in enumerate(lines):
            start = QPointF(left, box.y + number * metrics.height() + metrics.ascent())
            paint_line(painter, self._look, label, pieces, start, box.x + box.width + 1)

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
