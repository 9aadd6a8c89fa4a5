"""Draws what a launch prints: its lines as cards in the order of printing, the present one last, and what is known of that order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from app.core.launch.block_grid import place
from app.core.launch.index import LaunchIndex
from app.core.launch.prints import Line, lines_until
from app.core.stage_model import LaunchPicture
from app.qt.launch.fitting import Writer, paragraph_height
from app.qt.look import Look
from kernels.messages import message
from kernels.simt.trace import WARP

CARD = 38.0
CARD_GAP = 4.0
BUTTON = 32.0
HEAD = 22.0
STRIPE = 4.0
MOST_CARDS = 128


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
        self._longest = ""
        self._cards: dict[object, QPixmap] = {}

    def paint(self, painter: QPainter, picture: LaunchPicture, area: QRectF) -> None:
        """As many lines as there is room for, the present one last."""
        theme, frame = self._look.theme, picture.frame
        if self._index is not picture.index or len(self._cards) >= MOST_CARDS:
            self._index = picture.index
            self._longest = max((each.text.rstrip("\n") for each in picture.index.trace.printed), key=len)
            self._cards.clear()
        writer = Writer(painter, area.topLeft() - QPointF(0, 3), area.width())
        said = message("Printed so far: {done} of {total}", done=frame.step + 1, total=frame.steps)
        writer.line(theme.font("label"), theme.t1, self._look.text(said), height=HEAD)
        count = max(1, int((area.bottom() - writer.bottom) // (CARD + CARD_GAP)))
        ratio = painter.device().devicePixelRatioF()
        for line in lines_until(picture.index, frame, count):
            painter.drawPixmap(QPointF(area.left(), writer.bottom), self._card(picture.index, line, area.width(), ratio))
            if line.step == frame.step:
                painter.setPen(QPen(theme.now, 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(area.left() + 1, writer.bottom + 1, area.width() - 2, CARD - 2))
            writer.skip(CARD + CARD_GAP)

    def _card(self, index: LaunchIndex, line: Line, width: float, ratio: float) -> QPixmap:
        key = line.step, width, ratio
        if key not in self._cards:
            image = QPixmap(round(width * ratio), round(CARD * ratio))
            image.setDevicePixelRatio(ratio)
            image.fill(self._look.theme.bg1)
            painter = QPainter(image)
            self._draw_card(painter, index, line, width)
            painter.end()
            self._cards[key] = image
        return self._cards[key]

    def _draw_card(self, painter: QPainter, index: LaunchIndex, line: Line, width: float) -> None:
        theme = self._look.theme
        painter.fillRect(QRectF(0, 0, STRIPE, CARD), theme.warps[line.warp % 8][1])
        inner = QRectF(STRIPE + 8, 3, width - STRIPE - 16, CARD - 6)
        text, code = line.text.rstrip("\n"), theme.font("code")
        fits = QFontMetricsF(code).horizontalAdvance(self._longest) <= inner.width()
        _write(painter, code if fits else theme.font("small"), theme.t1, inner.adjusted(0, 0, 0, -inner.height() / 2), text)
        block = place(index.trace.blocks[line.block], index.trace.grid)
        said = message(
            "{number}: block {block}, warp {warp}, lane {lane}", number=line.step + 1, block=block, warp=line.warp, lane=line.thread % WARP
        )
        _write(painter, theme.font("caption"), theme.t3, inner.adjusted(0, inner.height() / 2, 0, 0), self._look.text(said))


def _write(painter: QPainter, font: QFont, colour: QColor, rect: QRectF, text: str) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
