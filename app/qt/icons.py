"""Icons from resources/icons, drawn in one colour of the theme."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_SCALES = (1.0, 1.5, 2.0, 3.0)


def icon(name: str, colour: QColor, size: int = 16) -> QIcon:
    """The icon `name`, sharp at every usual screen scale."""
    text = files("resources").joinpath("icons", f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour.name()).encode()))
    result = QIcon()
    for scale in _SCALES:
        pixmap = QPixmap(round(size * scale), round(size * scale))
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        result.addPixmap(pixmap)
    return result
