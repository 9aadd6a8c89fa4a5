"""Draws what a launch prints: its lines as cards in the order of printing, the present one last, and what is known of that order."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.launch.block_grid import place
from app.core.launch.prints import ORDER, Line, lines_until
from app.core.stage_model import LaunchPicture
from app.qt.launch.fitting import Writer, paragraph_height
from app.qt.look import Look
from kernels.messages import message

CARD = 38.0
CARD_GAP = 4.0
BUTTON = 32.0
STRIPE = 4.0


def order_height(width: float, look: Look) -> float:
    """What the words on the order need, with the room for the button."""
    return sum(paragraph_height(look.theme.font("small"), look.text(words), width) + 3 for words in ORDER) + BUTTON + 8


def paint_prints(painter: QPainter, picture: LaunchPicture, area: QRectF, look: Look) -> None:
    """The newest lines above, as many as there is room for; below them the words on the order."""
    theme, words = look.theme, order_height(area.width(), look)
    writer = Writer(painter, area.topLeft() - QPointF(0, 3), area.width())
    frame = picture.frame
    writer.line(
        theme.font("label"), theme.t1,
        look.text(message("Printed so far: {done} of {total}", done=frame.step + 1, total=frame.steps)), height=22,
    )  # fmt: skip
    room = area.bottom() - writer.bottom - words
    lines = lines_until(picture.index, frame, max(1, int(room // (CARD + CARD_GAP))))
    for line in lines:
        _paint_card(painter, picture, line, QRectF(area.left(), writer.bottom, area.width(), CARD), look)
        writer.skip(CARD + CARD_GAP)
    below = Writer(painter, QPointF(area.left(), area.bottom() - words + 4), area.width())
    for sentence in ORDER:
        below.paragraph(theme.font("small"), theme.t2, look.text(sentence), 60)
        below.skip(3)


def _paint_card(painter: QPainter, picture: LaunchPicture, line: Line, card: QRectF, look: Look) -> None:
    theme, now = look.theme, line.step == picture.frame.step
    painter.fillRect(card, theme.bg1)
    painter.fillRect(QRectF(card.left(), card.top(), STRIPE, card.height()), theme.warps[line.warp % 8][1])
    if now:
        painter.setPen(QPen(theme.now, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(card.adjusted(1, 1, -1, -1))
    inner = card.adjusted(STRIPE + 8, 3, -8, -3)
    text, code = line.text.rstrip("\n"), theme.font("code")
    fits = QFontMetricsF(code).horizontalAdvance(text) <= inner.width()
    _write(painter, code if fits else theme.font("small"), theme.t1, inner.adjusted(0, 0, 0, -inner.height() / 2), text)
    block = place(picture.index.trace.blocks[line.block], picture.index.trace.grid)
    said = message(
        "{number}: block {block}, warp {warp}, lane {lane}", number=line.step + 1, block=block, warp=line.warp, lane=line.thread % 32
    )
    _write(painter, theme.font("caption"), theme.t3, inner.adjusted(0, inner.height() / 2, 0, 0), look.text(said))


def _write(painter: QPainter, font: QFont, colour: QColor, rect: QRectF, text: str) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
