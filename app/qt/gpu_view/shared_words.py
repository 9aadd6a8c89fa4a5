"""Words of shared memory that the lanes of a step touch: which are served now, what lights up, what waits."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.selection import Highlight
from app.core.gpu_view.shared.banks import BanksPicture, Serving, Word
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.shared_geometry import Geometry
from app.qt.gpu_view.shared_lanes import digits, token_area, token_colours
from kernels.analysis.banks import BANKS

_NUMBERS_FROM = 11.0
_SMALLEST = 7
"""Pixels."""
_MOST_MARKED = 256
"""Elements of a selection that are outlined."""


def paint_words(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, theme: Theme) -> None:
    """A number in each word: of the lane that touches it, or of how many do."""
    size = QSizeF(place.column, place.row)
    for word in picture.words:
        area = place.word(word.word)
        if area is not None:
            draw = partial(_paint_word, word=word, size=size, theme=theme)
            pictures.draw(painter, area.topLeft(), ("word", word.serving, _text(word)), size, place.ratio, draw)


def paint_highlight(painter: QPainter, picture: BanksPicture, highlight: Highlight, place: Geometry, theme: Theme) -> None:
    """Outlines around the lanes, the banks and the elements of the selection."""
    if not highlight:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.ink, 2))
    for lane in highlight.lanes.nonzero()[0].tolist():
        painter.drawRoundedRect(token_area(place, lane, lane).adjusted(-1, -1, 1, 1), place.token / 2 + 1, place.token / 2 + 1)
    elements = [(allocation, element) for allocation, found in highlight.elements.items() for element in sorted(found)[:_MOST_MARKED]]
    shared = {array.allocation for array in picture.memory.arrays}
    words = {picture.memory.word_of(*each) for each in elements if each[0] in shared}
    for area in filter(None, map(place.word, sorted(words))):
        painter.drawRect(area.adjusted(0.5, 0.5, -1, -1))
    painter.setPen(QPen(theme.ink, 1.5))
    for bank in sorted(highlight.banks):
        grid = place.grid
        painter.drawRect(QRectF(place.left + bank * place.column, place.bank_line, place.column - 1, grid.bottom() - place.bank_line))


def paint_queue(painter: QPainter, picture: BanksPicture, place: Geometry, texts: tuple[str, str, str, str], theme: Theme) -> None:
    """Paint brackets beside the only contested bank around what was served, is served and waits. `texts` say so, the last one at length."""
    bank = next(iter(picture.contested))
    right = bank < BANKS // 2
    x = place.left + (bank + 1) * place.column + 3 if right else place.left + bank * place.column - 4
    kinds = ((Serving.SERVED, texts[0], theme.t2), (Serving.NOW, texts[1], theme.now_text), (Serving.BLOCKED, texts[2], theme.bad))
    for serving, text, colour in kinds:
        areas = [area for word in picture.words if word.serving is serving and (area := place.word(word.word)) is not None]
        if not areas:
            continue
        top, bottom = areas[0].top() + 1, areas[-1].bottom() - 2
        painter.setPen(QPen(colour, 1.5))
        turn = -3 if right else 3
        if serving is not Serving.NOW:
            painter.drawPolyline([QPointF(x + turn, top), QPointF(x, top), QPointF(x, bottom), QPointF(x + turn, bottom)])
        said = texts[3] if serving is Serving.BLOCKED and len(areas) > 3 else text
        _paint_note(painter, said, QPointF(x + (6 if right else -6), (top + bottom) / 2), theme, right=right)


def _paint_note(painter: QPainter, text: str, at: QPointF, theme: Theme, *, right: bool) -> None:
    """A text on a ground of its own: it stands on the words."""
    painter.setFont(theme.font("label"))
    bounds = painter.boundingRect(QRectF(0, 0, 260, 200), Qt.TextFlag.TextWordWrap, text)
    area = QRectF(
        at.x() if right else at.x() - bounds.width() - 10, at.y() - bounds.height() / 2 - 2, bounds.width() + 10, bounds.height() + 4
    )
    pen = painter.pen()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.bg2)
    painter.drawRoundedRect(area, 4, 4)
    painter.setPen(pen)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def _text(word: Word) -> str:
    return str(word.lanes[0]) if len(word.lanes) == 1 else f"×{len(word.lanes)}"


def _paint_word(painter: QPainter, word: Word, size: QSizeF, theme: Theme) -> None:
    fill, outline, ink = token_colours(word.serving, theme)
    area = QRectF(0, 0, size.width() - 1, size.height() - (1 if size.height() >= 4 else 0))
    painter.fillRect(area, outline)
    inner = area.adjusted(1, 1, -1, -1)
    if inner.height() > 0:
        painter.fillRect(inner, fill)
    if size.height() >= _NUMBERS_FROM and size.width() >= _NUMBERS_FROM + 2:
        painter.setFont(_fitting_font(_text(word), size, theme))
        painter.setPen(ink)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, _text(word))


def _fitting_font(text: str, size: QSizeF, theme: Theme) -> QFont:
    """Return a font as large as the cell allows: how many lanes share a word is wider than the number of one."""
    font = digits(theme, size.height())
    while font.pixelSize() > _SMALLEST and QFontMetricsF(font).horizontalAdvance(text) > size.width() - 2:
        font.setPixelSize(font.pixelSize() - 1)
    return font
