"""Painting of the bits of one address: as without a swizzle, what is exchanged with which bit, and as in memory."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.gpu_view.shared.shared_tiles import LINE
from app.core.gpu_view.shared.swizzle import SwizzlePicture, bits_words, lacking
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import fitting
from app.qt.gpu_view.swizzle_geometry import BIT_ROW, SwizzleGeometry
from app.qt.gpu_view.swizzle_grid import CENTRE, LEFT
from kernels.analysis.banks import WORD_BYTES
from kernels.base.messages import Message, message

LABEL = 110.0
_BANK = range(WORD_BYTES.bit_length() - 1, LINE.bit_length() - 1)
"""The bits of a byte's address that are its bank."""


def paint_bits(painter: QPainter, picture: SwizzlePicture, place: SwizzleGeometry, look: Look) -> None:
    """Lines of bits, the highest at the left: without a swizzle or padding, what each is exchanged with, in memory. A frame is around the
    bank's."""
    area, theme, bits = place.bits, look.theme, picture.bits
    assert area is not None
    assert picture.tile.layout is not None
    _write(painter, QRectF(area.left(), area.top(), area.width(), 18), bits_words(picture), look)
    sources, top, left = picture.tile.layout.sources, area.top() + 22, area.left() + LABEL
    names = [message("bit"), lacking(picture.tile), message("XOR bit"), message("in memory")]
    if not sources:
        del names[2]
    last = len(names) - 1
    for number, name in enumerate(names):
        _write(painter, QRectF(area.left(), top + number * BIT_ROW, LABEL - 6, BIT_ROW), name, look)
    read = {source for found in sources.values() for source in found}
    for bit in range(picture.top):
        box = QRectF(left + (picture.top - 1 - bit) * place.bit, top, place.bit, BIT_ROW)
        dense, found = (str(offset >> bit & 1) for offset in (bits.dense, bits.found))
        exchanged = " ".join(f"{source}:{bits.dense >> source & 1}" for source in sources.get(bit, ()))
        _paint_bit(painter, box, str(bit), theme, number=True)
        _paint_bit(painter, box.translated(0, BIT_ROW), dense, theme, marked=bit in read)
        if sources:
            _paint_bit(painter, box.translated(0, 2 * BIT_ROW), exchanged, theme, number=True, marked=bool(exchanged))
        _paint_bit(painter, box.translated(0, last * BIT_ROW), found, theme, marked=dense != found)
    _paint_bank(painter, QRectF(left, top, picture.top * place.bit, len(names) * BIT_ROW), picture.top, place.bit, area.right(), look)


def _paint_bit(painter: QPainter, box: QRectF, text: str, theme: Theme, *, number: bool = False, marked: bool = False) -> None:
    """A bit, or the number of one; `marked` is what an exclusive or reads or has changed."""
    if marked:
        painter.fillRect(box.adjusted(1, 1, -1, -1), theme.now_bg)
    painter.setFont(theme.font("small" if number else "label"))
    painter.setPen(theme.now_text if marked else theme.t3 if number else theme.t1)
    painter.drawText(box, CENTRE, text)


def _write(painter: QPainter, area: QRectF, said: Message, look: Look, *shorter: Message) -> None:
    painter.setFont(look.theme.font("small"))
    painter.setPen(look.theme.t2)
    painter.drawText(area, LEFT, fitting(QFontMetricsF(painter.font()), [look.text(each) for each in (said, *shorter)], area.width()))


def _paint_bank(painter: QPainter, area: QRectF, top: int, width: float, end: float, look: Look) -> None:
    """Frame and name the bits of the bank; `end` is where the room for the name does."""
    left = area.left() + (top - _BANK.stop) * width
    painter.setPen(QPen(look.theme.line2, 1))
    painter.drawRect(QRectF(left, area.top(), len(_BANK) * width, area.height()))
    room = QRectF(area.right() + 10, area.top(), min(end - area.right() - 10, 300), BIT_ROW)
    _write(painter, room, message("bits 2 to 6 are the bank"), look, message("bank"))
