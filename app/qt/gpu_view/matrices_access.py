"""Painter of the access of a step, in violet: from where, to where, and between which memories."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen

from app.core.cpu_view.frame import LANDS_AT
from app.core.gpu_view.matrices import OUTPUT, ArrayFrame, MatricesFrame
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.matrices_layout import Lens
from app.qt.matrix.geometry import Layout
from app.qt.matrix.marks import NOW_LINE, paint_outline, paint_path, pulse, way

_EASING = QEasingCurve(QEasingCurve.Type.InOutCubic)
_CHIP = 20.0
_MOST_OUTLINES = 64


class AccessPainter:
    """Draws the access of one frame."""

    def __init__(self, layout: Layout, lenses: dict[str, Lens], look: Look, size: QSizeF) -> None:
        self._layout, self._lenses, self._look, self._size = layout, lenses, look, size
        self._theme: Theme = look.theme

    def paint(self, painter: QPainter, shown: MatricesFrame, fraction: float) -> None:
        """Outline what the step touches and lead a path to where its values land."""
        sources = [matrix for matrix in shown.matrices if matrix.boxes and not (matrix.name == OUTPUT and not shown.pending)]
        held = [matrix for matrix in shown.matrices if matrix.held and matrix.name != OUTPUT]
        target = self._target(shown)
        paths = [(matrix, self._way(matrix, target, shown)) for matrix in (*sources, *held)]
        for matrix, path in paths:
            if path is not None:
                paint_path(painter, path, self._theme, held=not matrix.boxes)
        for matrix in shown.matrices:
            self._outlines(painter, matrix, pulse(fraction) if matrix.name == OUTPUT else 0.0)
        if target is not None and not any(matrix.name == OUTPUT and matrix.boxes for matrix in shown.matrices):
            paint_outline(painter, target, self._theme, dashed=shown.pending, extra=pulse(fraction))
        for matrix, path in paths:
            if path is not None and matrix.boxes and 0 < fraction < LANDS_AT:
                self._ghost(painter, matrix, path, fraction)
        if shown.route is not None and (sources or held or not shown.pending):
            self._chip(painter, self._look.text(shown.route))

    def _target(self, shown: MatricesFrame) -> QRectF | None:
        if shown.target is None:
            return None
        lens = self._lenses.get(OUTPUT)
        return lens.rect(shown.target) if lens is not None else self._layout.matrices[OUTPUT].rect(shown.target)

    def _source(self, matrix: ArrayFrame) -> QRectF:
        """The rectangle around what is taken."""
        place, lens = self._layout.matrices[matrix.name], self._lenses.get(matrix.name)
        around = QRectF()
        for box in matrix.boxes or matrix.held:
            around = around.united(lens.rect(box) if lens is not None else place.rect(box))
        return around

    def _way(self, matrix: ArrayFrame, target: QRectF | None, shown: MatricesFrame) -> QPainterPath | None:
        source = self._source(matrix)
        if source.isEmpty():
            return None
        if target is not None and not target.isEmpty():
            return way(source, target, self._turn)
        return self._leaving(matrix.name, source) if shown.to_shared else None

    @property
    def _turn(self) -> float:
        places = self._layout.matrices
        return self._layout.turn if "A" in places and "C" in places else self._size.width() / 2

    def _leaving(self, name: str, source: QRectF) -> QPainterPath:
        """Out of the view, downwards, to where shared memory is drawn: past B at its right, past A between it and C."""
        area = self._layout.matrices[name].area
        x = self._turn if name == "A" and "C" in self._layout.matrices else min(area.right() + 8, self._size.width() - 6)
        path = QPainterPath(QPointF(source.right(), source.center().y()))
        path.lineTo(x, source.center().y())
        path.lineTo(x, self._size.height() - 2)
        return path

    def _outlines(self, painter: QPainter, matrix: ArrayFrame, extra: float) -> None:
        place, lens = self._layout.matrices[matrix.name], self._lenses.get(matrix.name)
        for boxes, dashed in ((matrix.boxes, False), (matrix.held, True)):
            for box in boxes[:_MOST_OUTLINES]:
                rect = lens.rect(box) if lens is not None else place.rect(box)
                if not rect.isEmpty():
                    small = min(rect.width(), rect.height()) < 6 and len(boxes) > 1
                    paint_outline(painter, rect, self._theme, dashed=dashed, extra=extra - (1.5 if small else 0.0))

    def _ghost(self, painter: QPainter, matrix: ArrayFrame, path: QPainterPath, fraction: float) -> None:
        """A copy of the elements on their way; near the end it fades."""
        done = _EASING.valueForProgress(fraction / LANDS_AT)
        source = self._source(matrix)
        size = QSizeF(min(max(source.width(), 8.0), 160.0), min(max(source.height(), 8.0), 160.0))
        start, centre = path.pointAtPercent(0), path.pointAtPercent(done)
        centre += (source.center() - start) * (1 - done)
        painter.save()
        painter.setOpacity(painter.opacity() * min(1.0, 4 * (1 - done) + 0.25) * 0.85)
        painter.setPen(QPen(self._theme.now, NOW_LINE))
        painter.setBrush(self._theme.matrix(matrix.name)[0])
        painter.drawRect(QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size))
        painter.restore()

    def _chip(self, painter: QPainter, text: str) -> None:
        """Between which memories the values go, at the lower edge, right of the way out of A."""
        theme, font = self._theme, self._look.theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(text) + 18
        low = max(place.area.bottom() for place in self._layout.matrices.values())
        top = min(low + 10, self._size.height() - _CHIP - 4)
        right = max(place.area.right() for place in self._layout.matrices.values())
        rect = QRectF(right - width, top, width, _CHIP)
        painter.setPen(QPen(theme.now, 1))
        painter.setBrush(theme.now_bg)
        painter.drawRoundedRect(rect, _CHIP / 2, _CHIP / 2)
        painter.setFont(font)
        painter.setPen(theme.now_text)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
