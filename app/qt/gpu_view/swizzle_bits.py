"""Painting of the bits of one address: as without a swizzle, what is exchanged with which bit, and as in memory."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.gpu_view.shared.shared_tiles import LINE
from app.core.gpu_view.shared.swizzle import SwizzlePicture, bits_words, lacking
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures, fitting
from app.qt.gpu_view.swizzle_geometry import BIT_ROW, SwizzleGeometry
from app.qt.gpu_view.swizzle_grid import CENTRE, LEFT
from kernels.analysis.banks import WORD_BYTES
from kernels.base.messages import Message, message

LABEL = 110.0
_BANK = range(WORD_BYTES.bit_length() - 1, LINE.bit_length() - 1)
"""The bits of a byte's address that are its bank."""


class _Column(NamedTuple):
    """What is said of a bit: `exchanged` is empty where it is not exchanged, None where none is; `read` where another one is with it."""

    bit: int
    dense: int
    exchanged: str | None
    found: int
    read: bool


def paint_bits(painter: QPainter, picture: SwizzlePicture, place: SwizzleGeometry, look: Look, kept: Pictures, ratio: float) -> None:
    """Lines of bits, the highest at the left: without a swizzle or padding, what each is exchanged with, in memory. A frame is around the
    bank's. A bit and what belongs to it stand in a column; it is kept as a picture, as are the names."""
    area, bits, layout = place.bits, picture.bits, picture.tile.layout
    assert area is not None
    assert layout is not None
    _write(painter, QRectF(area.left(), area.top(), area.width(), 18), bits_words(picture), look)
    names = (message("bit"), lacking(picture.tile), *([message("XOR bit")] if layout.sources else []), message("in memory"))
    top, left, height = area.top() + 22, area.left() + LABEL, len(names) * BIT_ROW
    draw = partial(_paint_names, names=names, look=look)
    kept.draw(painter, QPointF(area.left(), top), ("names", names), QSizeF(LABEL, height), ratio, draw)
    read = {source for found in layout.sources.values() for source in found}
    for bit in range(picture.top):
        exchanged = " ".join(f"{source}:{bits.dense >> source & 1}" for source in layout.sources.get(bit, ()))
        column = _Column(bit, bits.dense >> bit & 1, exchanged if layout.sources else None, bits.found >> bit & 1, read=bit in read)
        at = QPointF(left + (picture.top - 1 - bit) * place.bit, top)
        draw = partial(_paint_column, column=column, width=place.bit, theme=look.theme)
        kept.draw(painter, at, column, QSizeF(place.bit, height), ratio, draw)
    _paint_bank(painter, QRectF(left, top, picture.top * place.bit, height), picture.top, place.bit, area.right(), look)


def _paint_names(painter: QPainter, names: tuple[Message, ...], look: Look) -> None:
    for number, name in enumerate(names):
        _write(painter, QRectF(0, number * BIT_ROW, LABEL - 6, BIT_ROW), name, look)


def _paint_column(painter: QPainter, column: _Column, width: float, theme: Theme) -> None:
    """The number of a bit, the bit without a swizzle, what it is exchanged with, and as in memory."""
    box = QRectF(0, 0, width, BIT_ROW)
    _paint_bit(painter, box, str(column.bit), theme, number=True)
    _paint_bit(painter, box.translated(0, BIT_ROW), str(column.dense), theme, marked=column.read)
    if column.exchanged is not None:
        _paint_bit(painter, box.translated(0, 2 * BIT_ROW), column.exchanged, theme, number=True, marked=bool(column.exchanged))
    last = 2 if column.exchanged is None else 3
    _paint_bit(painter, box.translated(0, last * BIT_ROW), str(column.found), theme, marked=column.dense != column.found)


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
