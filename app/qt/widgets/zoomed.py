"""Widgets that are painted at zoom 100 % whatever the zoom is: their own pixels are as large as it says."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.qt.base.look import Look


class Zoomed(QWidget):
    """Widget that is painted, so that type, cells and gaps grow together with the zoom.

    Sizes, places of the mouse and the painter are in pixels of 100 %.

    What Qt asks for itself is not: a `sizeHint` is put through `grown`.
    """

    _zoom = _full_zoom = 1.0
    least = QSize(0, 0)
    """Where there is less room than this at the zoom that is asked for, the picture is enlarged less, and at 100 % at least."""

    def magnify(self, look: Look) -> Look:
        """Be as large as the look says; returns the look to paint with."""
        self._zoom = self._full_zoom = look.theme.scale
        return look.unzoomed

    def grown(self, size: QSize) -> QSize:
        """A size in pixels of 100 %, as Qt counts them."""
        return size * self._zoom

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fits = [have / want for have, want in ((super().width(), self.least.width()), (super().height(), self.least.height())) if want]
        self._zoom = max(min(self._full_zoom, 1.0), min([self._full_zoom, *fits]))

    def painter(self) -> QPainter:
        """A painter of this widget."""
        made = QPainter(self)
        made.scale(self._zoom, self._zoom)
        return made

    def width(self) -> int:
        return round(super().width() / self._zoom)

    def height(self) -> int:
        return round(super().height() / self._zoom)

    def size(self) -> QSize:
        return QSize(self.width(), self.height())

    def rect(self) -> QRect:
        return QRect(QPoint(0, 0), self.size())

    def setFixedHeight(self, h: int) -> None:
        super().setFixedHeight(round(h * self._zoom))

    def devicePixelRatio(self) -> float:
        return super().devicePixelRatio() * self._zoom

    def devicePixelRatioF(self) -> float:
        return super().devicePixelRatioF() * self._zoom

    def update(self, *area: Any) -> None:
        """Areas are in pixels of 100 % too; with any other zoom all is painted."""
        super().update(*(area if self._zoom == 1.0 else ()))

    def event(self, event: QEvent) -> bool:
        """Pass on what comes from the mouse, in pixels of 100 %."""
        nearer = self._nearer(event) if self._zoom != 1.0 else None
        if nearer is None:
            return super().event(event)
        taken = super().event(nearer)
        event.setAccepted(nearer.isAccepted())
        return taken

    def _nearer(self, event: QEvent) -> QEvent | None:
        if isinstance(event, QMouseEvent):
            where = event.position() / self._zoom
            return QMouseEvent(
                event.type(), where, event.scenePosition(), event.globalPosition(), event.button(), event.buttons(), event.modifiers()
            )
        if isinstance(event, QWheelEvent):
            return QWheelEvent(
                event.position() / self._zoom, event.globalPosition(), event.pixelDelta(), event.angleDelta(), event.buttons(),
                event.modifiers(), event.phase(), event.inverted(),
            )  # fmt: skip
        if isinstance(event, QHelpEvent):
            return QHelpEvent(event.type(), (QPointF(event.pos()) / self._zoom).toPoint(), event.globalPos())
        return None
