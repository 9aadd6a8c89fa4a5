"""Small drawings that are made once and kept, so that a frame only puts them in their places."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.qt.vector import is_vector


class Pictures:
    """Transparent pixmaps by what they show; those not drawn for longest are forgotten."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def draw(self, painter: QPainter, at: QPointF, key: Hashable, size: QSizeF, ratio: float, draw: Callable[[QPainter], None]) -> None:
        """Put the picture of a key in its place; where lines stay lines, draw them there."""
        if not is_vector(painter):
            painter.drawPixmap(at, self.get(key, size, ratio, draw))
            return
        painter.save()
        painter.translate(at)
        painter.setPen(Qt.GlobalColor.black)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
        painter.restore()

    def get(self, key: Hashable, size: QSizeF, ratio: float, draw: Callable[[QPainter], None]) -> QPixmap:
        """The picture of a key, drawn by `draw` in logical coordinates if it is not there. The key says all that the drawing depends on."""
        full = (key, size.width(), size.height(), ratio)
        found = self._kept.get(full)
        if found is None:
            found = QPixmap(max(1, math.ceil(size.width() * ratio)), max(1, math.ceil(size.height() * ratio)))
            found.setDevicePixelRatio(ratio)
            found.fill(Qt.GlobalColor.transparent)
            painter = QPainter(found)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw(painter)
            painter.end()
            self._kept[full] = found
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(full)
        return found
