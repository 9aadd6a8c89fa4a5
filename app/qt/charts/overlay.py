"""Overlay of a chart above the curves: names beside them, refused and disturbed points, the running point, the crosshair and its box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.core.results.curves import CurvePoint, Series, SeriesKey
from app.qt.base.look import Look
from app.qt.base.theme import FONT_ROLES, Theme
from app.qt.charts.content import ChartContent
from app.qt.charts.labels import Box, EndLabel, Piece, Type, broken, emptiest_corner, labels_of, one_line_width, paint_line, spread, type_of
from app.qt.charts.lines import DIMMED
from app.qt.charts.readout import Readout
from app.qt.charts.style import paint_cross, paint_disturbed, paint_key
from app.qt.widgets.pointing import draw_ring
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message
from kernels.measure.results import Status

CROSS = 10.0
PITCH = CROSS + 6
"""From a cross to the one above it."""
_BESIDE, _HIGH = CROSS - 2, 12.0

Crosses = Mapping[int, Mapping[bool, int]]
"""By x, how many points have no time: those with a wrong result (True) and the others."""


def crosses_of(refused: Mapping[int, Sequence[CurvePoint]]) -> Crosses:
    """The crosses for points without a time."""
    counted = {x: Counter(point.result.status is Status.WRONG for point in points) for x, points in refused.items()}
    return {x: dict(sorted(each.items())) for x, each in counted.items()}


def centres(crosses: Crosses, foot: Callable[[int], QPointF]) -> list[tuple[QPointF, bool, int]]:
    """The middle of each cross, whether it is of wrong results, and of how many: the first at the foot of its x, wrong ones above it."""
    return [
        (foot(x) - QPointF(0, PITCH * place), wrong, count)
        for x, each in crosses.items()
        for place, (wrong, count) in enumerate(each.items())
    ]


def number_place(centre: QPointF, width: float, right: float) -> QRectF:
    """Where the number of a cross stands: at its right, or at its left where it would reach beyond `right`, to the names of the lines."""
    left = centre.x() + _BESIDE if centre.x() + _BESIDE + width <= right else centre.x() - _BESIDE - width
    return QRectF(left, centre.y() - _HIGH / 2, width, _HIGH)


def paint_crosses(painter: QPainter, crosses: Crosses, foot: Callable[[int], QPointF], right: float, theme: Theme) -> None:
    """Draw them; numbers stand left of `right`."""
    font = theme.font("caption")
    painter.setFont(font)
    for centre, wrong, count in centres(crosses, foot):
        paint_cross(painter, theme.bad, centre, CROSS, wrong)
        if count > 1:
            painter.setPen(theme.bad)
            place = number_place(centre, QFontMetricsF(font).horizontalAdvance(str(count)), right)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, str(count))


LABEL_GAP = 14.0
"""From the right edge of the axes to the names, and from a running point to its name."""
KEY, _KEY_GAP = 30.0, 6.0
"""The piece of the line before its name."""
_WIDEST_LABEL = 17.0
"""Of a name, in heights of its type."""
_SIGN, _ABOVE, _RING = 9.0, 13.0, 6.0
_DIM_NAMES = 0.35
_GROUND = 190
"""Of 255, behind the name of a running point."""
_MOST_OF_HEIGHT = 0.66
"""Of the axes, for the crosshair's box."""
_BOX_EDGE = 2.0
"""From it to the edges of the chart."""
_DISTURBED = message("disturbed while it was measured")
_CROSSES = {False: message("points without a time"), True: message("points with a wrong result")}


def name_place(centre: QPointF, size: QSizeF, left: float, right: float, taken: Sequence[QRectF]) -> QRectF:
    """Where the name of a running point stands: beside its ring, or over it, as much above as nothing lies there that is `taken`; from
    `left` to `right`."""
    beside, over = (LABEL_GAP, -LABEL_GAP - size.width()), min(max(-size.width() / 2, left - centre.x()), right - centre.x() - size.width())
    rows = range(2 + round(max((centre.y() - each.top() for each in taken), default=0.0) / PITCH))
    sides = ((side, row) for row in rows for side in (*beside, *((over,) if row else ())))
    places = [QRectF(centre + QPointF(side, -PITCH * row - size.height() / 2), size) for side, row in sides]
    inside = [place for place in places if place.left() >= left and place.right() <= right] or places
    return next((place for place in inside if not any(place.intersects(each) for each in taken)), inside[0])


class Overlay(Zoomed):
    """Paints over the plot and takes its mouse. Positions come from `locate`, which maps a point of the axes to pixels."""

    pointed = Signal(QPointF)
    """The mouse moved over the plot, to this place in pixels."""
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
        self._content = ChartContent()
        self._few: list[EndLabel] | None = None
        self.crosshair: int | None = None
        self.emphasis: frozenset[SeriesKey] = frozenset()
        """The lines that are pointed at; none: all are alike."""
        self.focused = False
        """Whether the chart has the keys."""
        self.setMouseTracking(True)

    @property
    def content(self) -> ChartContent:
        """What the chart shows."""
        return self._content

    @content.setter
    def content(self, content: ChartContent) -> None:
        self._content, self._few = content, None

    @property
    def kind(self) -> Type:
        """The fonts of the chart at its present size."""
        return type_of(QSizeF(self.size()))

    def end_labels(self) -> list[EndLabel]:
        """The names that stand beside the curves: those of a few lines, and of the one that is pointed at."""
        also = [series for series in self.content.series if series.key in self.emphasis and series.drawn]
        if len(also) != 1:
            return self._labels_of_few()
        return labels_of(self.content, self._look, compact=self._compact, also=also)

    def _labels_of_few(self) -> list[EndLabel]:
        if self._few is None:
            self._few = labels_of(self.content, self._look, compact=self._compact)
        return self._few

    def room_for_names(self) -> float:
        """Width in pixels that the names of a few lines need in one line each, cut at the widest that is given them."""
        labels = self._labels_of_few()
        most = _WIDEST_LABEL * FONT_ROLES[self.kind.plain][0]
        return max((KEY + _KEY_GAP + 4 + min(one_line_width(self._look, self.kind, label), most) for label in labels), default=0.0)

    def label_boxes(self) -> list[Box]:
        """Where each of `end_labels` is drawn: in a column beside the axes, at the height of its line's end or near it."""
        return [box for _, box, _ in self._placed_labels()]

    def _placed_labels(self) -> list[tuple[EndLabel, Box, list[list[Piece]]]]:
        """Return each label with its box and its lines: where all would not be in the chart otherwise, details without lines of their own,
        or one line for each label."""
        height = QFontMetricsF(self._look.theme.font(self.kind.strong)).height()
        area, labels = self._area(), self.end_labels()
        left = area.right() + LABEL_GAP
        width = max(0.0, self.width() - left - 2)
        room = width - KEY - _KEY_GAP + 1
        ways = ([broken(self._look, self.kind, label, room, beside=beside) for label in labels] for beside in (False, True))
        one_line: list[list[list[Piece]]] = [[[(label.name, False), (label.detail, True)]] for label in labels]
        lines = next((way for way in ways if sum(map(len, way)) * height <= area.height()), one_line)
        wanted = [
            Box(left, self._locate(label.x, label.value).y() - height * len(own) / 2, width, height * len(own))
            for label, own in zip(labels, lines, strict=True)
        ]
        tops = spread(wanted, area.top(), area.bottom())
        boxes = [Box(box.x, top, box.width, box.height) for box, top in zip(wanted, tops, strict=True)]
        return list(zip(labels, boxes, lines, strict=True))

    def readout(self) -> tuple[Readout, QRectF] | None:
        """The crosshair's box and its place, or None without a crosshair, and where the lines that are pointed at have no point."""
        if self.crosshair is None or self.crosshair not in self.content.xs_of(self.emphasis):
            return None
        area = self._area()
        room = QSizeF(self.width() - 2 * _BOX_EDGE, area.height() * _MOST_OF_HEIGHT)
        box = Readout(self._look, self.content, self.crosshair, self.kind, room, self.emphasis)
        shown = [series for series in self.content.series if not self.emphasis or series.key in self.emphasis]
        foot = [(self._at_edge(x).x(), self._at_edge(x).y()) for x in (*self.content.refused, *(point.x for point in self.content.running))]
        at = self._at_edge(self.crosshair).x()
        crosshair = [(at, area.top()), (at, area.bottom())]
        names = [[(label.x, label.y), (label.x + label.width, label.y + label.height)] for label in self.label_boxes()]
        inside = Box(area.x(), area.y(), self.width() - area.x(), area.height() - self._foot())
        taken = [*map(self._path, shown), *names, crosshair, *([spot] for spot in foot)]
        corner = emptiest_corner(inside, box.width, box.height, taken, 8)
        # a large one covers the axes rather than reach beyond the chart
        left = max(min(corner.x, self.width() - box.width - _BOX_EDGE), _BOX_EDGE)
        top = max(min(corner.y, self.height() - box.height - _BOX_EDGE), _BOX_EDGE)
        return box, QRectF(left, top, corner.width, corner.height)

    def _path(self, series: Series) -> Sequence[tuple[float, float]]:
        return [(spot.x(), spot.y()) for point in series.drawn for spot in [self._locate(point.x, point.value or 0.0)]]

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_captions(painter)
        self._paint_labels(painter)
        self._paint_disturbed(painter)
        paint_crosses(painter, self.crosses(), self._at_edge, self._area().right() - LABEL_GAP, self._look.theme)
        self._paint_running(painter)
        self._paint_crosshair(painter)
        if self.focused:
            draw_ring(painter, self.rect(), self._look.theme)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointed.emit(event.position())

    def leaveEvent(self, _event: QEvent) -> None:
        self.left.emit()

    def _paint_captions(self, painter: QPainter) -> None:
        """What the axes show; at the right, what signs mean that are there."""
        area, font = self._area(), self._look.theme.font(self.kind.plain)
        painter.setFont(font)
        painter.setPen(self._look.theme.t2)
        painter.drawText(QPointF(10, 6 + QFontMetricsF(font).ascent()), self._unit())
        painter.drawText(QPointF(area.left(), self.height() - 8), self.caption())
        painter.setFont(self._look.theme.font(self.kind.aside))
        for start, text, crossed in self.notes():
            painter.setPen(self._look.theme.t2)
            painter.drawText(start, text)
            sign = start - QPointF(_SIGN + 2, 4)
            if crossed is None:
                paint_disturbed(painter, self._look.theme, sign, _SIGN)
            else:
                paint_cross(painter, self._look.theme.bad, sign, _SIGN - 1, crossed)

    def caption(self) -> str:
        """What runs along the axis, and what the bands around lines are, where there is room for both."""
        axis = self.content.caption
        bands = message("{axis}. Bands: from the slowest to the fastest sample", axis=axis)
        whole = self._look.text(bands if self.content.banded else axis)
        room = self.width() - 8 - self._area().left()
        fits = QFontMetricsF(self._look.theme.font(self.kind.plain)).horizontalAdvance(whole) <= room
        return whole if fits else self._look.text(axis)

    def notes(self) -> list[tuple[QPointF, str, bool | None]]:
        """What the signs that are there mean: of disturbed points (None), of wrong results (True), of other points without a time.

        With where each text begins: below, at the right, or where the caption reaches as far as that, above; if there is room at all.
        """
        crossed = sorted({wrong for each in self.crosses().values() for wrong in each})
        told = [*([(_DISTURBED, None)] if self.disturbed() else []), *((_CROSSES[wrong], wrong) for wrong in crossed)]
        plain, small = (QFontMetricsF(self._look.theme.font(role)) for role in (self.kind.plain, self.kind.aside))
        below, above = self.height() - 8.0, 6 + plain.ascent()
        taken = {below: self._area().left() + plain.horizontalAdvance(self.caption()), above: 10 + plain.horizontalAdvance(self._unit())}
        free, found = dict.fromkeys(taken, self.width() - 8.0), list[tuple[QPointF, str, bool | None]]()
        for text, sign in ((self._look.text(each), sign) for each, sign in told):
            width = small.horizontalAdvance(text)
            line = next((each for each in taken if taken[each] + 3 * _SIGN < free[each] - width), None)
            if line is not None:
                found.append((QPointF(free[line] - width, line), text, sign))
                free[line] -= width + 3 * _SIGN
        return found

    def _unit(self) -> str:
        return self._look.text(self.content.unit)

    def _paint_labels(self, painter: QPainter) -> None:
        for label, box, lines in self._placed_labels():
            painter.setOpacity(1.0 if not self.emphasis or label.key in self.emphasis else _DIM_NAMES)
            self._paint_label(painter, label, box, lines)
        painter.setOpacity(1.0)

    def _paint_label(self, painter: QPainter, label: EndLabel, box: Box, lines: list[list[Piece]]) -> None:
        """A piece of the line, and the lines of the name, each on one base line."""
        metrics = QFontMetricsF(self._look.theme.font(self.kind.strong))
        if label.style is not None:
            paint_key(painter, label.style, QRectF(box.x, box.y, KEY, metrics.height()))
        for number, pieces in enumerate(lines):
            start = QPointF(box.x + KEY + _KEY_GAP, box.y + number * metrics.height() + metrics.ascent())
            paint_line(painter, self._look, self.kind, label, pieces, start, box.x + box.width + 1)

    def disturbed(self) -> list[tuple[SeriesKey, QPointF]]:
        """The places of the signs of points whose samples were disturbed: above them."""
        return [
            (series.key, self._locate(point.x, point.value or 0.0) - QPointF(0, _ABOVE))
            for series in self.content.series
            for point in series.disturbed
        ]

    def _paint_disturbed(self, painter: QPainter) -> None:
        for key, spot in self.disturbed():
            painter.setOpacity(1.0 if not self.emphasis or key in self.emphasis else DIMMED)
            paint_disturbed(painter, self._look.theme, spot, _SIGN)
        painter.setOpacity(1.0)

    def crosses(self) -> Crosses:
        """Numbers of points that have no time, by x: those with a wrong result (True) and the others."""
        return crosses_of(self.content.refused)

    def rings(self) -> list[tuple[QPointF, str]]:
        """The middle and the name of each running point: it has no value yet, so it stands at the lower edge, above the crosses."""
        below, found = Counter({x: len(crosses) for x, crosses in self.crosses().items()}), []
        for running in self.content.running:
            found.append((self._at_edge(running.x) - QPointF(0, PITCH * below[running.x]), self._look.text(running.label)))
            below[running.x] += 1
        return found

    def running_names(self) -> list[tuple[QRectF, str]]:
        """The name of each running point, and where it stands: over no cross, no sign of a disturbed point, no other ring and no name."""
        rings, metrics = self.rings(), QFontMetricsF(self._look.theme.font(self.kind.strong))
        taken = [*self._taken_by_crosses(), *(_around(centre, _RING) for centre, _ in rings)]
        taken += [_around(spot, _SIGN) for _, spot in self.disturbed()]
        taken += [QRectF(box.x, box.y, box.width, box.height) for box in self.label_boxes()]
        found: list[tuple[QRectF, str]] = []
        for centre, text in rings:
            size = QSizeF(metrics.horizontalAdvance(text), metrics.height())
            found.append((name_place(centre, size, self._area().left(), self.width(), [*taken, *(place for place, _ in found)]), text))
        return found

    def _taken_by_crosses(self) -> list[QRectF]:
        """Where crosses and their numbers stand."""
        metrics, right = QFontMetricsF(self._look.theme.font("caption")), self._area().right() - LABEL_GAP
        marks = centres(self.crosses(), self._at_edge)
        numbers = [number_place(centre, metrics.horizontalAdvance(str(count)), right) for centre, _, count in marks if count > 1]
        return [*(_around(centre, CROSS / 2 + 1) for centre, _, _ in marks), *numbers]

    def _paint_running(self, painter: QPainter) -> None:
        theme = self._look.theme
        painter.setPen(QPen(theme.now, 2.2))
        painter.setBrush(theme.now_bg)
        for centre, _ in self.rings():
            painter.drawEllipse(centre, _RING, _RING)
        painter.setFont(theme.font(self.kind.strong))
        painter.setPen(theme.now_text)
        ground = QColor(theme.bg1)
        ground.setAlpha(_GROUND)
        for place, text in self.running_names():
            painter.fillRect(place, ground)  # curves may pass there
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)

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

    def _foot(self) -> float:
        """Height above the lower edge that marks of points without a value take."""
        marks = Counter({x: len(crosses) for x, crosses in self.crosses().items()})
        marks.update(running.x for running in self.content.running)
        return CROSS + PITCH * max(marks.values(), default=0)

    def _at_edge(self, x: int) -> QPointF:
        """The spot just above the lower edge of the plot at `x`."""
        return QPointF(self._locate(x, self.content.y_scale.high).x(), self._area().bottom() - CROSS)


def _around(centre: QPointF, radius: float) -> QRectF:
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
