"""The access of the step in violet: what is read, where it lands, the way between, and the data under way."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.core.frames import LANDS_AT, Frame, Touch
from app.qt.stage.cells import DIGITS_FROM, digits_font, fitting_text, readable_on
from app.qt.stage.geometry import Layout
from app.qt.theme import Theme
from kernels.cpusim.trace import READ

NOW_LINE = 2.5
_HALO_LINE = 6.0
_ARROW = 8.0
_DASH = 6.0
_EASING = QEasingCurve(QEasingCurve.Type.InOutCubic)


def paint_access(painter: QPainter, frame: Frame, layout: Layout, theme: Theme) -> None:
    """Outline what the step touches, lead a path from each input read to its target, and draw the data at this fraction of the way."""
    target = None if frame.target is None else layout.matrices["C"].rect(frame.target)
    sources = [touch for touch in frame.touches if touch.kind == READ and touch.matrix != "C"]
    if target is not None:
        for touch in sources:
            paint_path(painter, way(layout.matrices[touch.matrix].rect(touch.box), target, layout.turn), theme, held=touch.held)
    for touch in frame.touches:
        paint_outline(painter, layout.matrices[touch.matrix].rect(touch.box), theme, dashed=touch.held)
    if target is not None:
        paint_outline(painter, target, theme, dashed=frame.pending, extra=pulse(frame.fraction))
        for touch in sources:
            if _travels(touch) and 0 < frame.fraction < LANDS_AT:
                _paint_ghost(painter, frame, touch, layout, target, theme)


def way(source: QRectF, target: QRectF, turn: float) -> QPainterPath:
    """From what is read to where it lands: straight where they share a row or a column, else turning at x = `turn`."""
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


def _travels(touch: Touch) -> bool:
    """Elements and pieces of rows or columns do; what is held is there already, and whole blocks go in no order that could be seen."""
    return not touch.held and 1 in touch.box[2:]


def _overlap(first: float, last: float, other_first: float, other_last: float) -> bool:
    return first < other_last and other_first < last


def pulse(fraction: float) -> float:
    """How much wider the target's outline is while its value changes."""
    landed = (fraction - LANDS_AT) / (1 - LANDS_AT)
    return 2.5 * math.sin(math.pi * landed) if landed > 0 else 0.0


def paint_path(painter: QPainter, path: QPainterPath, theme: Theme, *, held: bool) -> None:
    """Draw a path whose parts are level or upright: as bars, which take a tenth of the time that strokes do."""
    halo = QColor(theme.bg2)
    halo.setAlphaF(0.75)
    for bar in _bars(path, _HALO_LINE):
        painter.fillRect(bar, halo)
    for bar in _bars(path, NOW_LINE):
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


def paint_outline(painter: QPainter, rect: QRectF, theme: Theme, *, dashed: bool, extra: float = 0.0) -> None:
    pen = QPen(theme.now, NOW_LINE + extra, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(-1, -1, 0, 0))


def _paint_ghost(painter: QPainter, frame: Frame, touch: Touch, layout: Layout, target: QRectF, theme: Theme) -> None:
    """A copy of the elements on their way; near the target it fades into it."""
    place = layout.matrices[touch.matrix]
    source = place.rect(touch.box)
    done = _EASING.valueForProgress(frame.fraction / LANDS_AT)
    centre = source.center() + (target.center() - source.center()) * done
    path = way(source, target, layout.turn)
    if path.elementCount() > 2:
        centre = path.pointAtPercent(done)
    size = QSizeF(max(source.width(), 8.0), max(source.height(), 8.0))
    ghost = QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size)
    fill = theme.matrix(touch.matrix)[0]
    painter.save()
    painter.setOpacity(painter.opacity() * min(1.0, 4 * (1 - done) + 0.25))
    painter.setPen(QPen(theme.now, NOW_LINE))
    painter.setBrush(fill)
    painter.drawRect(ghost)
    if place.cell >= DIGITS_FROM and touch.box.rows * touch.box.columns == 1:
        font = digits_font(theme, place.cell)
        value = float(frame.matrix(touch.matrix).values[touch.box.row, touch.box.column])
        painter.setFont(font)
        painter.setPen(readable_on(fill, theme))
        painter.drawText(ghost, Qt.AlignmentFlag.AlignCenter, fitting_text(value, QFontMetricsF(font), place.cell - 1))
    painter.restore()
