"""Below the grid of a cache: what its colours stand for, how full the other levels are, and that it is a model."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.nest.addresses import bytes_words
from app.core.nest.caches import Filling
from app.qt.look import Look
from app.qt.nest.cache_colours import AGES, line_colour, paint_mark
from app.qt.nest.cache_geometry import LEGEND, NOTE, CacheLayout
from app.qt.stage.cells import readable_on
from kernels.messages import Message, message

_SWATCH = 18.0
_NAME = 26.0
_LEFT_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_legend(painter: QPainter, arrays: tuple[str, ...], area: QRectF, look: Look, *, ages: bool) -> None:
    """A swatch for each array; where `ages`, what the shades say, beside them or in a second line."""
    theme, x = look.theme, area.left()
    line = QRectF(area.left(), area.top(), area.width(), LEGEND)
    painter.setFont(theme.font("small"))
    for name in arrays:
        box = QRectF(x, line.center().y() - 6, _SWATCH, 12)
        painter.fillRect(box, line_colour(name, 0, theme))
        paint_mark(painter, name, box, theme.bg2)
        painter.setPen(theme.t1)
        painter.drawText(QRectF(box.right() + 5, line.top(), 30, line.height()), _LEFT_MIDDLE, name)
        x = box.right() + 12 + QFontMetricsF(painter.font()).horizontalAdvance(name) + 8
    if area.height() > LEGEND:
        line, x = line.translated(0, LEGEND), area.left()
    if not ages:
        _paint_text(painter, look, message("height = share of the ways"), line.adjusted(x - line.left(), 0, 0, 0))
        return
    for step in range(AGES):
        painter.fillRect(QRectF(x + step * 13, line.center().y() - 6, 12, 12), line_colour("B", step, theme))
    _paint_text(painter, look, message("from new to old"), line.adjusted(x + AGES * 13 + 6 - line.left(), 0, 0, 0))


def paint_fillings(painter: QPainter, others: tuple[Filling, ...], layout: CacheLayout, look: Look) -> None:
    """A bar for each other level: how many of its bytes hold lines of each array."""
    theme = look.theme
    for filling, area in zip(others, layout.bars, strict=False):
        painter.setFont(theme.font("label"))
        painter.setPen(theme.t2)
        painter.drawText(QRectF(area.left(), area.top(), _NAME - 4, area.height()), _LEFT_MIDDLE, filling.level.name)
        bar = QRectF(area.left() + _NAME, area.top() + 3, area.width() - _NAME, area.height() - 6)
        painter.fillRect(bar, theme.bg3)
        x = bar.left()
        for name, lines in filling.lines:
            width = max(bar.width() * lines / filling.level.lines, 1.0)
            part = QRectF(x, bar.top(), width, bar.height())
            fill = line_colour(name, 1, theme)
            painter.fillRect(part, fill)
            painter.setPen(readable_on(fill, theme))
            if width >= 12:
                painter.drawText(part, Qt.AlignmentFlag.AlignCenter, name)
            x += width
        _paint_taken(painter, filling, QRectF(x + 8, bar.top(), bar.right() - x - 8, bar.height()), look)


def _paint_taken(painter: QPainter, filling: Filling, free: QRectF, look: Look) -> None:
    """How much of the level is taken: in the free part of the bar, where it has room."""
    said = message("{taken} of {size}", taken=bytes_words(filling.taken * filling.level.line), size=bytes_words(filling.level.size))
    text = look.text(said)
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t2)
    if QFontMetricsF(painter.font()).horizontalAdvance(text) <= free.width():
        painter.drawText(free, _LEFT_MIDDLE, text)


def paint_note(painter: QPainter, said: Message, area: QRectF, look: Look) -> None:
    """What one must know of the model before believing its numbers."""
    _paint_text(painter, look, said, area)


def _paint_text(painter: QPainter, look: Look, said: Message, area: QRectF) -> None:
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t3)
    if area.height() >= 2 * NOTE:
        painter.drawText(area, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, look.text(said))
        return
    text = QFontMetricsF(painter.font()).elidedText(look.text(said), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, _LEFT_MIDDLE, text)
