"""Vector graphics: lines stay lines in SVG and PDF, where an image in their place would not be as good; SVG draws images whole."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPaintEngine, QPainter

_LINES = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether what is drawn can be enlarged without end."""
    return painter.paintEngine().type() in _LINES


def draw_part(painter: QPainter, place: QRectF, image: QImage, part: QRectF) -> None:
    """Draw a part of an image, in the image's own pixels. Qt's SVG would draw the whole image there: it gets the part as an image."""
    if painter.paintEngine().type() is QPaintEngine.Type.SVG:
        image, part = image.copy(part.toRect()), QRectF(0, 0, round(part.width()), round(part.height()))
    painter.drawImage(place, image, part)
