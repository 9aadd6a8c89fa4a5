"""Painter of the access of a step, in violet: what is touched, where it lands, the way between, and the data under way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.core.frames.matrix import LANDS_AT, OUTPUT, MatrixFrame, MatrixPicture
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.matrix.cells import DIGITS_FROM, digits_font, fitting_text, readable_on
from app.qt.matrix.geometry import Layout, Lens
from kernels.base.messages import Message

_NOW_LINE = 2.5
_HALO_LINE = 6.0
_ARROW = 8.0
_DASH = 6.0
_CHIP, _BESIDE, _BELOW = 20.0, 8.0, 24.0
"""Of the words that say between which memories values go: their height, how far a way to them passes beside them, and how far they stand
below the matrices where there is room: numbers of columns come between."""
_MOST_OUTLINES = 64
_GHOST = (8.0, 160.0)
"""The least side of a ghost, and the greatest one where it is more than one element thick."""
_EASING = QEasingCurve(QEasingCurve.Type.InOutCubic)


class AccessPainter:
    """Draws the access of one frame."""

    def __init__(self, layout: Layout, lenses: Mapping[str, Lens], look: Look) -> None:
        self._layout, self._lenses, self._look = layout, lenses, look
        self._theme: Theme = look.theme

    def paint(self, painter: QPainter, shown: MatrixPicture) -> None:
        """Outline what the step touches and lead a path to where its values land."""
        target = self._target(shown)
        paths = [(matrix, path) for matrix in shown.matrices if (path := self._way(matrix, target, shown)) is not None]
        for matrix, path in paths:
            _paint_path(painter, path, self._theme, held=not matrix.boxes)
        for matrix in shown.matrices:
            self._outlines(painter, matrix, _pulse(shown.fraction) if matrix.name == OUTPUT and not shown.pending else 0.0)
        touched = next((matrix.boxes for matrix in shown.matrices if matrix.name == OUTPUT), ())
        if target is not None and shown.target not in touched and (shown.pending or not touched):
            _paint_outline(painter, target, self._theme, dashed=shown.pending, extra=_pulse(shown.fraction))
        for matrix, path in paths:
            if matrix.boxes and matrix.moves and 0 < shown.fraction < LANDS_AT:
                self._ghost(painter, matrix, path, target, shown.fraction)
        if shown.route is not None and (not shown.pending or any(matrix.boxes or matrix.held for matrix in shown.matrices)):
            self._chip(painter, shown, shown.route)

    def _target(self, shown: MatrixPicture) -> QRectF | None:
        if shown.target is None:
            return None
        lens = self._lenses.get(OUTPUT)
        rect = lens.rect(shown.target) if lens is not None else self._layout.matrices[OUTPUT].rect(shown.target)
        return None if rect.isEmpty() else rect

    def _source(self, matrix: MatrixFrame) -> QRectF:
        """The rectangle around what is taken."""
        place, lens = self._layout.matrices[matrix.name], self._lenses.get(matrix.name)
        around = QRectF()
        for box in matrix.boxes or matrix.held:
            around = around.united(lens.rect(box) if lens is not None else place.rect(box))
        return around

    def _way(self, matrix: MatrixFrame, target: QRectF | None, shown: MatrixPicture) -> QPainterPath | None:
        """The path of what is taken, or stays in use from a step before; what is written has none."""
        if matrix.name == OUTPUT and not (matrix.boxes and shown.pending and target is None):
            return None
        source = self._source(matrix)
        if source.isEmpty():
            return None
        if target is not None:
            return _path_between(source, target, self._turn)
        return self._leaving(matrix.name, source, self._chip_place(shown)) if shown.to_shared else None

    @property
    def _turn(self) -> float:
        places = self._layout.matrices
        return self._layout.turn if "A" in places and "C" in places else self._layout.size.width() / 2

    def _leaving(self, name: str, source: QRectF, chip: QRectF) -> QPainterPath:
        """To the words that say whereto, as shared memory is another picture: past B at its right, past A between it and C."""
        places, level = self._layout.matrices, chip.center().y()
        beside = min(places[name].area.right() + _BESIDE, self._layout.size.width() - 2)
        x = self._turn if name == "A" and "C" in places else beside
        path = QPainterPath(QPointF(source.right(), source.center().y()))
        path.lineTo(x, source.center().y())
        if chip.left() <= x <= chip.right():
            path.lineTo(x, chip.top())
        else:
            path.lineTo(x, level)
            path.lineTo(chip.left() if x < chip.left() else chip.right(), level)
        return path

    def _outlines(self, painter: QPainter, matrix: MatrixFrame, extra: float) -> None:
        place, lens = self._layout.matrices[matrix.name], self._lenses.get(matrix.name)
        for boxes, dashed in ((matrix.boxes, False), (matrix.held, True)):
            for box in boxes[:_MOST_OUTLINES]:
                rect = lens.rect(box) if lens is not None else place.rect(box)
                if not rect.isEmpty():
                    small = min(rect.width(), rect.height()) < 6 and len(boxes) > 1
                    _paint_outline(painter, rect, self._theme, dashed=dashed, extra=extra - (1.5 if small else 0.0))

    def _ghost(self, painter: QPainter, matrix: MatrixFrame, path: QPainterPath, target: QRectF | None, fraction: float) -> None:
        """A copy of the elements on their way, from the middle of the source to that of the target; near the end it fades into it."""
        done = _EASING.valueForProgress(fraction / LANDS_AT)
        source = self._source(matrix)
        centre = path.pointAtPercent(done) + (source.center() - path.pointAtPercent(0)) * (1 - done)
        if target is not None:
            centre += (target.center() - path.pointAtPercent(1)) * done
        least, most = _GHOST
        thin = len(matrix.boxes) == 1 and 1 in matrix.boxes[0][2:]
        width, height = (max(side if thin else min(side, most), least) for side in (source.width(), source.height()))
        ghost = QRectF(centre - QPointF(width / 2, height / 2), QSizeF(width, height))
        alone = thin and matrix.boxes[0][2:] == (1, 1)
        fill = self._theme.matrix(matrix.name)[0]
        painter.save()
        painter.setOpacity(painter.opacity() * min(1.0, 4 * (1 - done) + 0.25) * (1.0 if alone else 0.85))
        painter.setPen(QPen(self._theme.now, _NOW_LINE))
        painter.setBrush(fill)
        painter.drawRect(ghost)
        if alone:
            self._value(painter, matrix, ghost, fill)
        painter.restore()

    def _value(self, painter: QPainter, matrix: MatrixFrame, ghost: QRectF, fill: QColor) -> None:
        """Write the value of the only element, where there is one and its cell has room for digits."""
        cell = self._layout.matrices[matrix.name].cell
        value = float(matrix.cells.values(matrix.boxes[0])[0, 0]) if cell >= DIGITS_FROM else math.nan
        if value == value:
            font = digits_font(self._theme, cell)
            painter.setFont(font)
            painter.setPen(readable_on(fill, self._theme))
            painter.drawText(ghost, Qt.AlignmentFlag.AlignCenter, fitting_text(value, QFontMetricsF(font), cell - 1))

    def _chip_place(self, shown: MatrixPicture) -> QRectF:
        """Where it is said between which memories the values go: at the lower edge, right of the way out of A."""
        words = "" if shown.route is None else self._look.text(shown.route)
        width = QFontMetricsF(self._look.theme.font("label")).horizontalAdvance(words) + 18
        low = max(place.area.bottom() for place in self._layout.matrices.values())
        top = min(low + _BELOW, self._layout.size.height() - _CHIP - 1)
        right = max(place.area.right() for place in self._layout.matrices.values())
        return QRectF(max(right - width, 4.0), top, width, _CHIP)

    def _chip(self, painter: QPainter, shown: MatrixPicture, route: Message) -> None:
        theme, rect = self._theme, self._chip_place(shown)
        painter.setPen(QPen(theme.now, 1))
        painter.setBrush(theme.now_bg)
        painter.drawRoundedRect(rect, _CHIP / 2, _CHIP / 2)
        painter.setFont(self._look.theme.font("label"))
        painter.setPen(theme.now_text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._look.text(route))


def _path_between(source: QRectF, target: QRectF, turn: float) -> QPainterPath:
    """Return the path from what is read to where it lands: straight where they share a row or a column, else turning at x = `turn`."""
    path = QPainterPath()
    if _overlap(source.left(), source.right(), target.left(), target.right()):
        path.moveTo(source.center().x(), source.bottom())
        path.lineTo(source.center().x(), target.top())
    elif _overlap(source.top(), source.bottom(), target.top(), target.bottom()):
        path.moveTo(source.right(), source.center().y())
        path.lineTo(target.left(), source.center().y())
    else:
        path.moveTo(source.right(), source.center().y())
        path.lineTo(turn, source.center().y())
        path.lineTo(turn, target.center().y())
        path.lineTo(target.left(), target.center().y())
    return path


def _overlap(first: float, last: float, other_first: float, other_last: float) -> bool:
    return first < other_last and other_first < last


def _pulse(fraction: float) -> float:
    """How much wider the target's outline is while its value changes."""
    landed = (fraction - LANDS_AT) / (1 - LANDS_AT)
    return 2.5 * math.sin(math.pi * landed) if landed > 0 else 0.0


def _paint_path(painter: QPainter, path: QPainterPath, theme: Theme, *, held: bool) -> None:
    """Draw a path whose parts are level or upright: as bars, which take a tenth of the time that strokes do."""
    halo = QColor(theme.bg2)
    halo.setAlphaF(0.75)
    for bar in _bars(path, _HALO_LINE):
        painter.fillRect(bar, halo)
    for bar in _bars(path, _NOW_LINE):
        for dash in _dashes(bar) if held else (bar,):
            painter.fillRect(dash, theme.now)
    _paint_arrow(painter, path, theme)


def _bars(path: QPainterPath, width: float) -> list[QRectF]:
    """A rectangle along each part of a path; at a corner both cover it."""
    points = [QPointF(path.elementAt(number).x, path.elementAt(number).y) for number in range(path.elementCount())]
    bars, half = [], width / 2
    for number, (one, other) in enumerate(pairwise(points)):
        bar = QRectF(one, other).normalized()
        before, after = (half if inner else 0.0 for inner in (number > 0, number < len(points) - 2))
        level = bar.width() >= bar.height()
        forward = other.x() >= one.x() if level else other.y() >= one.y()
        first, last = (before, after) if forward else (after, before)
        bars.append(bar.adjusted(-first, -half, last, half) if level else bar.adjusted(-half, -first, half, last))
    return bars


def _dashes(bar: QRectF) -> list[QRectF]:
    """Pieces of a bar."""
    level = bar.width() >= bar.height()
    size = bar.width() if level else bar.height()
    starts = [_DASH * number for number in range(0, math.ceil(size / _DASH), 2)]
    lengths = [min(_DASH, size - start) for start in starts]
    if level:
        return [QRectF(bar.left() + start, bar.top(), length, bar.height()) for start, length in zip(starts, lengths, strict=True)]
    return [QRectF(bar.left(), bar.top() + start, bar.width(), length) for start, length in zip(starts, lengths, strict=True)]


def _paint_arrow(painter: QPainter, path: QPainterPath, theme: Theme) -> None:
    if path.length() < 1.5 * _ARROW:
        return
    end, angle = path.pointAtPercent(1), math.radians(path.angleAtPercent(1))
    along, across = QPointF(math.cos(angle), -math.sin(angle)), QPointF(math.sin(angle), math.cos(angle))
    base = end - along * _ARROW
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.now)
    painter.drawPolygon(QPolygonF([end, base + across * _ARROW * 0.6, base - across * _ARROW * 0.6]))


def _paint_outline(painter: QPainter, rect: QRectF, theme: Theme, *, dashed: bool, extra: float) -> None:
    pen = QPen(theme.now, _NOW_LINE + extra, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(-1, -1, 0, 0))
