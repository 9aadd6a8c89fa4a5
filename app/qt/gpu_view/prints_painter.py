"""Draws what a launch prints: its lines as cards in the order of printing, the present one last, and what is known of that order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from app.core.gpu_view.blocks import place
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.prints import PrintsBeside, lines_until
from app.core.stage.model import GpuPicture
from app.qt.base.look import Look
from app.qt.gpu_view.drawing import Writer, fitting, last_words, paragraph_height
from kernels.base.messages import message
from kernels.simt.trace.trace import WARP

CARD = 38.0
CARD_GAP = 4.0
BUTTON = 32.0
HEAD = 22.0
STRIPE = 4.0
MOST_CARDS = 128
TWO_COLUMNS = 380.0
"""Width from which on there is room for a second column."""
COLUMN_GAP, EDGE = 8.0, 6.0
DIFFERS, SIGN = "≠", 16.0
"""The sign at a line that differs, and the room for it."""


class Card(NamedTuple):
    """A printed line as it is shown: its text, and who printed it as the how-manieth. `differs`: from the line at its left."""

    step: int
    text: str
    block: str
    thread: int
    differs: bool = False


def order_height(sentences: Sequence[str], width: float, look: Look) -> float:
    """What the words on the order need, with the room for the button."""
    return sum(paragraph_height(look.theme.font("small"), each, width) + 3 for each in sentences) + BUTTON + 8


def below_height(sentences: Sequence[str], area: QSizeF, look: Look) -> float:
    """What stands below the cards: the words on the order where there is room for them and a card, and the button."""
    words = order_height(sentences, area.width(), look)
    return words if area.height() >= words + HEAD + CARD + CARD_GAP else BUTTON + 8


def paint_order(painter: QPainter, sentences: Sequence[str], area: QRectF, look: Look) -> None:
    """The words on the order, at the lower end of the area above the room for the button; nothing where there is no room for them."""
    height = order_height(sentences, area.width(), look)
    if below_height(sentences, area.size(), look) < height:
        return
    writer = Writer(painter, QPointF(area.left(), area.bottom() - height + 4), area.width())
    for sentence in sentences:
        writer.paragraph(look.theme.font("small"), look.theme.t2, sentence, 60)
        writer.skip(3)


class PrintsPainter:
    """Draws the newest lines in the order of printing. A card that was drawn is kept for the next frames."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._index: LaunchIndex | None = None
        self._cards: dict[object, QPixmap] = {}

    def paint(self, painter: QPainter, picture: GpuPicture, area: QRectF, beside: PrintsBeside | None) -> None:
        """Paint as many lines as there is room for, the present one last; in a second column what a GPU printed in these places."""
        theme, frame, index = self._look.theme, picture.frame, picture.index
        if self._index is not index or len(self._cards) >= MOST_CARDS:
            self._index = index
            self._cards.clear()
        beside = beside if area.width() >= TWO_COLUMNS else None
        width = area.width() if beside is None else (area.width() - COLUMN_GAP) / 2
        right = area.left() + width + COLUMN_GAP
        top = area.top() - 3
        said = message("Printed so far: {done} of {total}", done=frame.step + 1, total=frame.steps)
        if beside is not None:
            said = message("Interpreter: {done} of {total} lines", done=frame.step + 1, total=frame.steps)
        self._head(painter, QRectF(area.left(), top, width, HEAD), self._look.text(said))
        if beside is not None:
            self._head(painter, QRectF(right, top, width, HEAD), self._look.text(beside.source))
        top += HEAD
        count = max(1, int((area.bottom() - top) // (CARD + CARD_GAP)))
        for line in lines_until(index, frame, count):
            card = Card(line.step, line.text.rstrip("\n"), place(index.trace.blocks[line.block], index.trace.grid), line.thread)
            self._draw(painter, card, QRectF(area.left(), top, width, CARD))
            if line.step == frame.step:
                painter.setPen(QPen(theme.now, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(area.left() + 1, top + 1, width - 2, CARD - 2))
            if beside is not None:
                other = beside.line(line.step)
                where = place((other.block, 0, 0), index.trace.grid)
                self._draw(painter, Card(line.step, other.text, where, other.thread, other.differs), QRectF(right, top, width, CARD))
            top += CARD + CARD_GAP

    def _head(self, painter: QPainter, area: QRectF, text: str) -> None:
        Writer(painter, area.topLeft(), area.width()).line(self._look.theme.font("label"), self._look.theme.t1, text, height=HEAD)

    def _draw(self, painter: QPainter, card: Card, area: QRectF) -> None:
        ratio = painter.device().devicePixelRatioF()
        key = card, area.width(), ratio
        if key not in self._cards:
            image = QPixmap(round(area.width() * ratio), round(CARD * ratio))
            image.setDevicePixelRatio(ratio)
            image.fill(self._look.theme.bg1)
            inner = QPainter(image)
            self._draw_card(inner, card, area.width())
            inner.end()
            self._cards[key] = image
        painter.drawPixmap(area.topLeft(), self._cards[key])

    def _draw_card(self, painter: QPainter, card: Card, width: float) -> None:
        theme, warp = self._look.theme, card.thread // WARP
        painter.fillRect(QRectF(0, 0, STRIPE, CARD), theme.warps[warp % 8][1])
        inner = QRectF(STRIPE + EDGE, 3, width - STRIPE - 2 * EDGE, CARD - 6)
        upper, lower = inner.adjusted(0, 0, 0, -inner.height() / 2), inner.adjusted(0, inner.height() / 2, 0, 0)
        code = theme.font("code")
        fits = QFontMetricsF(code).horizontalAdvance(card.text) <= inner.width()
        font = code if fits else theme.font("small")
        _write(painter, font, theme.t1, upper, last_words(card.text, QFontMetricsF(font), upper.width()))
        number, lane = card.step + 1, card.thread % WARP
        who = message("{number}: block {block}, warp {warp}, lane {lane}", number=number, block=card.block, warp=warp, lane=lane)
        short = message("{number}: warp {warp}, lane {lane}", number=number, warp=warp, lane=lane)
        caption, room = theme.font("caption"), lower.adjusted(0, 0, -SIGN if card.differs else 0.0, 0)
        said = fitting(QFontMetricsF(caption), (self._look.text(who), self._look.text(short)), room.width())
        _write(painter, caption, theme.t3, room, said)
        if card.differs:
            painter.setFont(theme.font("sentence"))
            painter.setPen(theme.t1)
            painter.drawText(lower, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, DIFFERS)


def _write(painter: QPainter, font: QFont, colour: QColor, rect: QRectF, text: str) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
