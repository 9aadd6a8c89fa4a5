"""Painting of swizzles, over the rows of a layout: the lanes of a phase and how often each bank is asked; and the bits of one address,
without a swizzle and with it.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.plurals import wavefronts
from app.core.gpu_view.shared.shared_tiles import LINE
from app.core.gpu_view.shared.swizzle import Side, SwizzlePicture, bits_words, lacking
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures, fitting
from app.qt.gpu_view.swizzle_geometry import BIT_ROW, GUTTER, STRIP, TITLE, LayoutGrid, SwizzleGeometry
from app.qt.gpu_view.swizzle_rows import BOTH_FROM, CENTRE, LEFT, LEGIBLE, RIGHT, fitted, tints, unit_text
from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.base.messages import Message, message

PAST = 0.55
_DIGIT_FROM = 6.5
"""Width of a bank with room for how often it is asked."""
_OVER = 3.0
"""Pixels by which a lane's number may stand out of its place."""


def paint_access(painter: QPainter, grid: LayoutGrid, look: Look, kept: Pictures, ratio: float, *, past: bool) -> None:
    """The lanes of the phase in their places, how often each bank is asked, and what that makes; lanes and banks faded where it is past.
    Many phases ask the same banks: those are kept as a picture."""
    whole = painter.opacity()
    _paint_lanes(painter, grid, look.theme, past=past)
    painter.setOpacity(whole * (PAST if past else 1.0))
    width = grid.area.width()
    turns = partial(_paint_turns, turns=grid.side.turns, bank=width / BANKS, theme=look.theme)
    at = QPointF(grid.area.left(), grid.area.bottom() + 4)
    kept.draw(painter, at, ("turns", grid.side.turns, width), QSizeF(width, STRIP - 4), ratio, turns)
    painter.setOpacity(whole)
    _paint_title(painter, grid, look)


def _paint_lanes(painter: QPainter, grid: LayoutGrid, theme: Theme, *, past: bool) -> None:
    whole = painter.opacity()
    if grid.side.engine:  # row and piece are written, longer words than a lane's number
        held = [_held_text(grid, *place) for place in grid.side.lanes if grid.cell(*place) is not None]
        font = fitted(max(0.6 * grid.row, min(0.8 * grid.row, LEGIBLE)), held, grid.unit - 7, QFont.Weight.Bold)
    else:
        firsts = [str(lanes[0]) for lanes in grid.side.lanes.values()]
        font = fitted(0.85 * min(grid.row, 1.1 * grid.unit), firsts, grid.unit - 1 + _OVER, QFont.Weight.Bold)
    painter.setFont(font)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    metrics, frame, letters = QFontMetricsF(font), QPen(theme.now, 2), QPen(theme.t1)
    for (row, unit), lanes in grid.side.lanes.items():
        place = grid.cell(row, unit)
        if place is not None:
            chunk = int(grid.side.chunk[row, unit])
            inner = place.adjusted(0, 0, -1, -1)
            painter.fillRect(inner, tints(theme, chunk)[0] if chunk >= 0 else theme.bg3)  # over what is written there
            painter.setOpacity(whole * (PAST if past else 1.0))
            painter.fillRect(inner, tints(theme, chunk)[1] if chunk >= 0 else theme.bg3)
            painter.setPen(frame)
            painter.drawRect(inner.adjusted(1, 1, -1, -1))
            painter.setPen(letters)
            said = _held_text(grid, row, unit) if grid.side.engine else _lanes_text(lanes, metrics, inner.width() + _OVER)
            painter.drawText(place.adjusted(-_OVER, 0, _OVER, 0), CENTRE, said)
            painter.setOpacity(whole)


def paint_place(painter: QPainter, grid: LayoutGrid, row: int, unit: int, theme: Theme) -> None:
    """Frame one place."""
    place = grid.cell(row, unit)
    if place is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.bg1, 5))
        painter.drawRect(place)
        painter.setPen(QPen(theme.ink, 2.5))
        painter.drawRect(place)


def _held_text(grid: LayoutGrid, row: int, unit: int) -> str:
    line, chunk = int(grid.side.line[row, unit]), int(grid.side.chunk[row, unit])
    return unit_text(line, chunk, grid.unit) if line >= 0 else ""


def _lanes_text(lanes: tuple[int, ...], metrics: QFontMetricsF, room: float) -> str:
    """The first and the last lane, the first one, or nothing: what there is room for."""
    texts = [str(lanes[0])] if len(lanes) == 1 else [f"{lanes[0]}–{lanes[-1]}", str(lanes[0])]
    return next((each for each in texts if metrics.horizontalAdvance(each) <= room), "")


def _paint_turns(painter: QPainter, turns: tuple[int, ...], bank: float, theme: Theme) -> None:
    """How often each bank is asked, below its column."""
    apart = not any(one and other for one, other in pairwise(turns))
    font = fitted(12, [str(asked) for asked in turns if asked], 2 * bank if apart else bank - 3, theme.font("label").weight())
    painter.setFont(font)
    boxes = [QRectF(number * bank, 0, bank - 1, STRIP - 4) for number in range(len(turns))]
    for box, asked in zip(boxes, turns, strict=True):
        fill: QColor = theme.cell if not asked else theme.now_bg if asked == 1 else theme.bad_bg
        painter.fillRect(box, fill)
    for box, asked in zip(boxes, turns, strict=True) if bank >= _DIGIT_FROM else ():
        painter.setPen(theme.now_text if asked == 1 else theme.bad)
        painter.drawText(box, CENTRE | Qt.TextFlag.TextDontClip, str(asked) if asked else "")


def _paint_title(painter: QPainter, grid: LayoutGrid, look: Look) -> None:
    """Which layout it is, and at the right what the access takes there; below the banks which phase that is, and what stands in a place."""
    theme, side = look.theme, grid.side
    area = QRectF(grid.area.left() - GUTTER + 2, grid.axis - TITLE, grid.area.width() + GUTTER - 2, TITLE)
    bad = side.access.degree > 1 and not side.copied
    painter.setFont(theme.font("label"))
    metrics = QFontMetricsF(painter.font())
    said = "" if side.copied else f"{'▲' if bad else '✓'} {look.text(wavefronts(side.access.wavefronts))}"
    painter.setPen(theme.bad if bad else theme.t1)
    painter.drawText(area, RIGHT, said)
    painter.setPen(theme.t1)
    room = area.width() - metrics.horizontalAdvance(said) - 8
    painter.drawText(area, LEFT, fitting(metrics, (look.text(side.title),), room))
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t2)
    below = QRectF(area.left(), grid.area.bottom() + STRIP, area.width(), 18)
    metrics = QFontMetricsF(painter.font())
    phase = fitting(metrics, (_phase_text(side, look),), below.width())
    painter.drawText(below, LEFT, phase)
    if grid.unit >= BOTH_FROM:
        size = round(grid.unit / grid.area.width() * LINE)
        texts = [look.text(each) for each in (message("row:piece, {bytes} bytes each", bytes=size), message("row:piece"))]
        room = below.width() - metrics.horizontalAdvance(phase) - 12
        painter.drawText(below, RIGHT, next((each for each in texts if metrics.horizontalAdvance(each) <= room), ""))


def _phase_text(side: Side, look: Look) -> str:
    phase = side.access.phases[side.phase]
    if side.copied:
        return look.text(message("a piece of {bytes} bytes, no wavefront", bytes=side.access.bytes))
    if side.engine:
        return look.text(message("phase {number} of {total}: {wavefronts}", number=side.phase + 1, total=len(side.access.phases),
                                 wavefronts=wavefronts(phase.wavefronts)))  # fmt: skip
    lanes = f"{phase.lanes[0]}–{phase.lanes[-1]}" if len(phase.lanes) > 1 else str(phase.lanes[0])
    return look.text(message("phase {number} of {total}, lanes {lanes}: {wavefronts}", number=side.phase + 1,
                             total=len(side.access.phases), lanes=lanes, wavefronts=wavefronts(phase.wavefronts)))  # fmt: skip


LABEL = 110.0
_BANK = range(WORD_BYTES.bit_length() - 1, LINE.bit_length() - 1)
"""The bits of a byte's address that are its bank."""


class _Column(NamedTuple):
    """What is said of a bit: `exchanged` are the numbers and values of those that it is exchanged with, empty where it is not, None where
    none is; `read` where another one is exchanged with it."""

    bit: int
    dense: int
    exchanged: tuple[tuple[int, int], ...] | None
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
        exchanged = tuple((source, bits.dense >> source & 1) for source in layout.sources.get(bit, ()))
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
        metrics = QFontMetricsF(theme.font("small"))
        texts = [
            " ".join(f"{source}{equal}{value}" for source, value in column.exchanged) for equal in (" = ", "=")
        ]  # 8:1 would be a range
        text = next((each for each in texts if metrics.horizontalAdvance(each) <= width - 4), texts[-1])
        _paint_bit(painter, box.translated(0, 2 * BIT_ROW), text, theme, number=True, marked=bool(column.exchanged))
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
