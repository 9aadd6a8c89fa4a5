"""Icons from resources/icons, drawn in one colour of the theme."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_SCALES = (1.0, 1.5, 2.0, 3.0)


def icon(name: str, colour: QColor, disabled: QColor, size: int = 16) -> QIcon:
    """The icon `name`, sharp at every usual screen scale; `disabled` is its colour on a button that cannot be pressed."""
    text = files("resources").joinpath("icons", f"{name}.svg").read_text(encoding="utf-8")
    result = QIcon()
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour.name()).encode()))
    for scale in _SCALES:
        drawn = _drawn(renderer, size, scale)
        result.addPixmap(drawn, QIcon.Mode.Normal)
        result.addPixmap(_tinted(drawn, disabled), QIcon.Mode.Disabled)
    return result


def _drawn(renderer: QSvgRenderer, size: int, scale: float) -> QPixmap:
    pixmap = QPixmap(round(size * scale), round(size * scale))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _tinted(drawn: QPixmap, ink: QColor) -> QPixmap:
    """The same in another colour: quicker than drawing it again."""
    tinted = QPixmap(drawn)
    painter = QPainter(tinted)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(tinted.rect(), ink)
    painter.end()
    return tinted
