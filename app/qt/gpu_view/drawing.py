"""Drawing helpers of the views: the longest text that fits its room, or as much of it as fits, and small pictures drawn once and kept."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from app.qt.base.theme import Theme
from app.qt.base.vector import is_vector


def fitting(metrics: QFontMetricsF, texts: Sequence[str], width: float) -> str:
    """The first of the texts that is no wider than `width`; where none is, the last one, cut."""
    for text in texts:
        if metrics.horizontalAdvance(text) <= width:
            return text
    return metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, width)


def write_line(painter: QPainter, area: QRectF, font: QFont, colour: QColor, *texts: str) -> None:
    """Write the first of the texts that fits in one line at the left of an area, else the last one, cut."""
    painter.setFont(font)
    painter.setPen(colour)
    text = fitting(QFontMetricsF(font), texts, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


LINE, _TWO_LINES_TO, _THREE_LINES_TO = 18.0, 900.0, 300.0
"""Height of a line of a sentence; the widths of a view up to which there are two of them, or three."""


def sentence_height(width: float) -> float:
    """The room of the sentence below a picture of this width."""
    return LINE * (1 + (width <= _TWO_LINES_TO) + (width <= _THREE_LINES_TO)) + 4


def write_sentence(painter: QPainter, area: QRectF, theme: Theme, *texts: str) -> None:
    """Write the first of the texts for which there is room, in as many lines as there are; else the last one smaller, at worst as many of
    its words as fit."""
    words = texts[-1].split(" ")
    begins = (" ".join([*words[:count], "…"]) for count in range(len(words) - 1, 0, -1))
    for text, role in (*((each, "body") for each in texts), (texts[-1], "small"), *((each, "small") for each in begins)):
        font = theme.font(role)
        if paragraph_height(font, text, area.width()) <= area.height() + 1:
            painter.setFont(font)
            painter.setPen(theme.t1)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(area, flags, text)
            return
    write_line(painter, area, theme.font("small"), theme.t1, texts[-1])


def paint_wait(painter: QPainter, box: QRectF, theme: Theme, colour: QColor) -> None:
    """Hatch a time of waiting, the other way than what is on its way, in a frame."""
    painter.fillRect(box, theme.bg3)
    painter.fillRect(box, QBrush(colour, Qt.BrushStyle.FDiagPattern))
    painter.setPen(QPen(colour, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def write_instead(painter: QPainter, area: QRectF, theme: Theme, text: str) -> None:
    """Write in the middle of a view why nothing is drawn in it."""
    painter.setFont(theme.font("body"))
    painter.setPen(theme.t2)
    painter.drawText(area.adjusted(24, 0, -24, 0), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def last_words(text: str, metrics: QFontMetricsF, width: float) -> str:
    """The text, or as many of its last words as fit, after an ellipsis: lines of one kind mostly begin alike."""
    words = text.split(" ")
    shorter = (" ".join(["…", *words[begin:]]) for begin in range(1, len(words)))
    return next((each for each in (text, *shorter) if metrics.horizontalAdvance(each) <= width), f"… {words[-1]}")


class Writer:
    """Writes lines below each other in a column of `width`; `bottom` is where the next one begins."""

    def __init__(self, painter: QPainter, corner: QPointF, width: float) -> None:
        self._painter = painter
        self._left = corner.x()
        self._width = width
        self.bottom = corner.y()

    def line(self, font: QFont, colour: QColor, *texts: str, height: float = 17.0, indent: float = 0.0) -> None:
        """The longest of the texts that fits, `height` for the line."""
        self._painter.setFont(font)
        self._painter.setPen(colour)
        width = self._width - indent
        text = fitting(QFontMetricsF(font), texts, width)
        rect = QRectF(self._left + indent, self.bottom, width, height)
        self._painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        self.bottom += height

    def paragraph(self, font: QFont, colour: QColor, text: str, room: float) -> None:
        """Write as many lines as the text needs, or as there is room for."""
        self._painter.setFont(font)
        self._painter.setPen(colour)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        rect = QRectF(self._left, self.bottom, self._width, room)
        self._painter.drawText(rect, flags, text)
        self.bottom += paragraph_height(font, text, self._width)

    def skip(self, height: float) -> None:
        self.bottom += height


def paragraph_height(font: QFont, text: str, width: float) -> float:
    """The height of a text in lines of at most `width`."""
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e4), int(Qt.TextFlag.TextWordWrap), text).height()


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
