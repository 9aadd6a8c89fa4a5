"""Painting of fragments: the lanes, and each operand with the lane and the numbers of its elements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.shared.fragments import FragmentsPicture, Operand, Piece, given_row
from app.qt.base.look import Look
from app.qt.base.theme import Theme, sized
from app.qt.gpu_view.drawing import fitting
from app.qt.gpu_view.fragments_geometry import AXIS, GAP, GIVERS, INDEX, MARGIN, TITLE, FragmentsGeometry, OperandPlace
from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.base.messages import message
from kernels.simt.base.fragments import QUAD
from kernels.simt.trace.trace import WARP

LEFT, CENTRE, RIGHT = (side | Qt.AlignmentFlag.AlignVCenter for side in (
    Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight))  # fmt: skip
LANE = message("lane")
COLOUR, REGISTER = message("colour:"), message("register")
_BESIDE_FROM, _BELOW_FROM, _NAMES_FROM = 44.0, 30.0, 26.0
"""Width, or height and width, of a piece with room for a lane's number and the names of the elements."""
_PIXELS_BESIDE = 11.0
"""Width of a piece, for each letter of the longest name, with room for names that can be read from afar."""
_GIVERS_FROM = 11.0
"""Side of an element with room for the words before its row."""
_GIVEN = {GIVERS[1]: message("lane ▸ byte"), GIVERS[2]: LANE}
"""What stands above the lanes and addresses where they do not say it themselves."""
_LOW = 18.0
"""Height of a piece that its number fills."""
_OWN_FONT, _FRAMED_FROM = 12.0, 16.0
"""The font's size in a place of the selected lane that has room for more; the side of one whose frame is two pixels wide."""
_APART, _SMALLEST = 2.0, 7
"""Room between numbers; the size of the smallest."""


def switch_width(look: Look) -> float:
    """How wide the words are by what elements are coloured."""
    metrics = QFontMetricsF(look.theme.font("small"))
    return metrics.horizontalAdvance(f"{look.text(COLOUR)} {look.text(LANE)}  {look.text(REGISTER)}") + 24


def paint_operands(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """All operands; where a lane is selected, so that its elements can stand out."""
    theme, apart = look.theme, picture.lane is not None
    fills = [tint for tint, _ in theme.warps] if by_register else [_of_lane(theme, lane) for lane in range(WARP)]
    for each in place.operands:
        _paint_axes(painter, each, look, numbered=not picture.givers)
        if by_register:
            _paint_registers(painter, each, look, own=apart)
        pieces = each.operand.of_registers if by_register else each.operand.of_lanes
        for piece in pieces:
            fill = theme.cell if apart else fills[(piece.register if by_register else piece.lane) % len(fills)]
            painter.fillRect(each.piece(piece).adjusted(0, 0, -1, -1), fill)
        painter.setPen(theme.t3 if apart else theme.t1)
        for at, text, share in numbers_of(each, pieces, by_register=by_register, apart=apart):
            _number(painter, at, text, bold=False, share=share)


def paint_givers(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look) -> None:
    """Before each row the lane that gives its address: other addresses in most steps, before elements that stay."""
    painter.setFont(look.theme.font("caption"))
    painter.setPen(look.theme.t3)
    for each, givers in zip(place.operands, picture.givers, strict=False):
        if givers and each.cell >= _GIVERS_FROM and place.before in _GIVEN:
            above = QRectF(each.area.left() - place.before, each.area.top() - AXIS - 4, place.before - 6, AXIS + 4)
            painter.drawText(above, RIGHT, look.text(_GIVEN[place.before]))
        for row, giver in enumerate(givers if each.cell >= _GIVERS_FROM else ()):
            _paint_giver(painter, each.before_row(row, place.before), *giver, look, place.before)


def paint_own(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """The elements of the selected lane; by register in the colours that stand behind the operand's name."""
    for each in place.operands:
        for piece in each.operand.of_registers if by_register else each.operand.of_lanes:
            if piece.lane == picture.lane:
                _paint_own(painter, each, piece, look.theme, by_register=by_register)
    given = None if picture.lane is None else given_row(picture, picture.lane)
    if given is not None and place.operands[given[0]].cell >= _GIVERS_FROM:
        number, row = given
        _paint_own_giver(painter, place.operands[number].before_row(row, place.before), *picture.givers[number][row], look, place.before)


def paint_lanes(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """The 32 lanes to point at, and by what the elements are coloured."""
    theme = look.theme
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t2)
    painter.drawText(QRectF(MARGIN, place.lanes.top(), place.lanes.left() - MARGIN, place.lanes.height()), LEFT, look.text(LANE))
    boxes = [place.lane(number).adjusted(0, 0, -1, 0) for number in range(WARP)]
    for lane, box in enumerate(boxes, picture.first_lane):
        painter.fillRect(box, theme.now if lane == picture.lane else theme.bg3 if by_register else _of_lane(theme, lane))
    for number, box in enumerate(boxes):
        lane = picture.first_lane + number
        chosen = lane == picture.lane
        painter.setFont(_font(min(box.height() * 0.68, box.width() * 0.62), bold=chosen))
        painter.setPen(theme.ink_text if chosen else theme.t1)
        if box.width() >= 12 or (not number % QUAD and (picture.lane is None or abs(lane - picture.lane) > 1)):
            painter.drawText(box.adjusted(-3, 0, 3, 0), CENTRE, str(number))
    if picture.lane is not None and place.lane(0).width() < 12:
        _paint_chosen(painter, place.lane(picture.lane - picture.first_lane), picture.lane % WARP, theme)
    if not place.switch.isEmpty():
        _paint_switch(painter, place.switch, look, by_register=by_register)


def _paint_chosen(painter: QPainter, box: QRectF, number: int, theme: Theme) -> None:
    """The number of the selected lane, wider than its place."""
    wide = QRectF(0, 0, 22, box.height() + 2)
    wide.moveCenter(box.center())
    painter.fillRect(wide, theme.now)
    painter.setFont(_font(14, bold=True))
    painter.setPen(theme.ink_text)
    painter.drawText(wide, CENTRE, str(number))


def _paint_switch(painter: QPainter, area: QRectF, look: Look, *, by_register: bool) -> None:
    """What a colour stands for; the other choice beside it."""
    theme, left = look.theme, area.left()
    for said, chosen in ((COLOUR, None), (LANE, not by_register), (REGISTER, by_register)):
        painter.setFont(theme.font("label" if chosen else "small"))
        text = look.text(said)
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        painter.setPen(theme.t1 if chosen else theme.t2 if chosen is None else theme.t3)
        painter.drawText(QRectF(left, area.top(), width, area.height()), LEFT, text)
        if chosen:
            painter.fillRect(QRectF(left, area.bottom() - 2, width, 2), theme.ink)
        left += width + (4 if chosen is None else 12)


def _paint_registers(painter: QPainter, place: OperandPlace, look: Look, *, own: bool) -> None:
    """The colours of the registers behind an operand's name, as far as there is room."""
    theme, area = look.theme, place.area
    painter.setFont(theme.font("small"))
    metrics = QFontMetricsF(painter.font())
    left = area.left() + QFontMetricsF(theme.font("section")).horizontalAdvance(_title(place.operand)) + 12
    texts = {register: f"R{register}" for register in place.operand.several_registers}
    widths = [14 + metrics.horizontalAdvance(text) for text in texts.values()]
    if left + sum(widths) + 8 * (len(texts) - 1) > max(area.right(), area.left() + 130):
        return  # some of them alone would say that there are no others
    top = area.top() - AXIS - TITLE
    for (register, text), wide in zip(texts.items(), widths, strict=True):
        painter.fillRect(QRectF(left, top + 5, 10, 10), _of_register(theme, register, own=own))
        painter.setPen(theme.t2)
        painter.drawText(QRectF(left + 13, top, wide, TITLE), LEFT, text)
        left += wide + 8


def paint_names(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look) -> list[QRectF]:
    """The names of the step's instructions, that which is shown underlined, cut where they need more room; returns their places."""
    if place.names is None:
        return []
    theme, left, found = look.theme, place.names.left(), list[QRectF]()
    fonts = [theme.font("label" if name == picture.instruction else "small") for name in picture.instructions]
    needed = [QFontMetricsF(font).horizontalAdvance(name) for font, name in zip(fonts, picture.instructions, strict=True)]
    most = _most(needed, place.names.width() - GAP * (len(needed) - 1))
    for name, font, width in zip(picture.instructions, fonts, needed, strict=True):
        chosen, box = name == picture.instruction, QRectF(left, place.names.top(), min(width, most), 20)
        painter.setFont(font)
        painter.setPen(theme.t1 if chosen else theme.t3)
        painter.drawText(box, LEFT, fitting(QFontMetricsF(font), (name,), box.width()))
        if chosen:
            painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), theme.ink)
        found.append(box)
        left += box.width() + GAP
    return found


def _most(needed: Sequence[float], room: float) -> float:
    """The width up to which each of some texts has what it needs, so that all of them have room."""
    for count, width in zip(range(len(needed), 0, -1), sorted(needed), strict=True):
        if width * count > room:
            return max(room / count, 0.0)
        room -= width
    return max(needed, default=0.0)


def _paint_axes(painter: QPainter, place: OperandPlace, look: Look, *, numbered: bool) -> None:
    """Name, shape and type above an operand; the numbers of its columns, and where something else does not stand there of its rows."""
    theme, operand, area = look.theme, place.operand, place.area
    rows, columns = operand.shape
    painter.setFont(theme.font("section"))
    painter.setPen(theme.matrix(operand.letter)[0] if operand.letter else theme.t1)
    title = QRectF(area.left(), area.top() - AXIS - TITLE, max(area.width(), 40), TITLE)
    room = min(title.width() + 60, painter.window().right() - title.left() - 2)
    texts = (_title(operand), _title(operand).removesuffix(f" {operand.element}"), operand.name)
    painter.drawText(title.adjusted(0, 0, 60, 0), LEFT, fitting(QFontMetricsF(painter.font()), texts, room))
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.t3)
    every = 1 if place.cell >= 18 else 2 if place.cell >= 11 else 4
    for column in range(0, columns, every):
        painter.drawText(place.rect(0, column).translated(0, -AXIS).adjusted(-4, 0, 4, AXIS - place.cell), CENTRE, str(column))
    for row in range(0, rows, every) if numbered else ():
        at = place.rect(row, 0)
        painter.drawText(QRectF(at.left() - INDEX, at.top() - 4, INDEX - 5, at.height() + 8), RIGHT, str(operand.row + row))


def _title(operand: Operand) -> str:
    """The operand's name with the shape of what is seen of it; where that is a part, with its rows and columns."""
    rows, columns = operand.shape
    if operand.left_out or operand.row:
        return f"{operand.name}[{operand.row}..{operand.row + rows - 1}][0..{columns - 1}] {operand.element}"
    return f"{operand.name}   {rows} × {columns} {operand.element}"


def _paint_giver(painter: QPainter, area: QRectF, lane: int, address: int, look: Look, before: float) -> None:
    """The lane that gives a row's address, and that, with its first bank, as far as there is room."""
    bank = address // WORD_BYTES % BANKS
    long = look.text(message("lane {lane} ▸ byte {address}, bank {bank}", lane=lane, address=address, bank=bank))
    short = look.text(message("lane {lane} ▸ {address}", lane=lane, address=address))
    texts = (long, short, f"{lane} ▸")[GIVERS.index(before) :]
    painter.drawText(area, RIGHT, fitting(QFontMetricsF(painter.font()), texts, area.width()))


def _paint_own_giver(painter: QPainter, area: QRectF, lane: int, address: int, look: Look, before: float) -> None:
    """The same of the selected lane, in a frame as its elements have one, but not filled: it gives this row and does not hold it."""
    theme = look.theme
    painter.fillRect(area, theme.now_bg)
    painter.setPen(QPen(theme.now, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(1, 1, -1, -1))
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.now_text)
    _paint_giver(painter, area.adjusted(0, 0, -4, 0), lane, address, look, before)


def _paint_own(painter: QPainter, place: OperandPlace, piece: Piece, theme: Theme, *, by_register: bool) -> None:
    """A piece of the selected lane: filled, in a frame round exactly its elements, with what the PTX manual calls them where that fits."""
    box = QRectF(place.piece(piece).toRect()).adjusted(0, 0, -1, -1)
    frame = 2.0 if min(box.width(), box.height()) >= _FRAMED_FROM else 1.0
    letters = theme.t1 if by_register else theme.ink_text
    painter.fillRect(box, theme.ink)
    inside = box.adjusted(frame, frame, -frame, -frame)
    painter.fillRect(inside, _of_register(theme, piece.register, own=True) if by_register else theme.now)
    painter.setPen(letters)
    share = max(0.76, min(0.95, _OWN_FONT / inside.height() * (1 if piece.rows == 1 else piece.rows)))
    for number, (at, name) in enumerate(_own_names(inside, place.operand, piece, share)):
        if number and piece.rows == 1:
            painter.fillRect(QRectF(at.left() - 0.5, at.top() + 2, 1, at.height() - 4), letters)
        _number(painter, at, name, bold=True, share=share)


def _own_names(inside: QRectF, operand: Operand, piece: Piece, share: float) -> list[tuple[QRectF, str]]:
    """The names of a piece's elements, each in its place, or one for all of them, or none: what there is room for."""
    names = operand.names_of(piece)
    width, height = (inside.width() / len(names), inside.height()) if piece.rows == 1 else (inside.width(), inside.height() / len(names))
    across, down = (width, 0.0) if piece.rows == 1 else (0.0, height)
    each = [QRectF(inside.left() + across * number, inside.top() + down * number, width, height) for number in range(len(names))]
    ways = (list(zip(each, names, strict=True)), [(inside, piece.names(operand.registers) or operand.name)])
    return next((way for way in ways if all(_fits(at, name, share) for at, name in way)), [])


def _fits(box: QRectF, text: str, share: float) -> bool:
    """As if all figures were as wide as 0: places of one size have their names, or none has."""
    widest = re.sub(r"\d", "0", text)
    ink = QFontMetricsF(_fitted(box.width(), box.height(), widest, share, bold=True)[0]).tightBoundingRect(widest)
    return ink.width() + _APART <= box.width() + 1 and ink.height() + 1 <= box.height()


def numbers_of(place: OperandPlace, pieces: Sequence[Piece], *, by_register: bool, apart: bool) -> list[tuple[QRectF, str, float]]:
    """The numbers and names in an operand's places, as `_written` gives them: where they are wider than their places, those of every
    second, fourth or eighth column, so that none touches another. Where a lane is selected, which would cover parts of them, none."""
    found = [(piece, each) for piece in pieces for each in _written(
        place.piece(piece).adjusted(0, 0, -1, -1), piece, place.operand, by_register=by_register)]  # fmt: skip
    sizes = ((box.width(), box.height(), text, share) for _, (box, text, share) in found)
    needed = max((_fitted(*each, bold=False)[1] for each in sizes), default=1.0)
    every = next((step for step in (1, 2, 4) if step >= needed), 8)
    return [each for piece, each in found if piece.column // piece.columns % every == 0 and not (apart and every > 1)]


def _written(box: QRectF, piece: Piece, operand: Operand, *, by_register: bool) -> list[tuple[QRectF, str, float]]:
    """The lane's number, large, and beside or below it what its elements are called; by register the other way round. With the place of
    each and how much of its height it takes."""
    lane, names = str(piece.lane % WARP), piece.names(operand.registers) if operand.registers else ""
    large, small = (names, lane) if by_register and names else (lane, names)
    if by_register and piece.rows > 1 and names and box.width() < _NAMES_FROM and box.height() >= 8 * piece.rows:
        high = box.height() / piece.rows
        places = [QRectF(box.left(), box.top() + number * high, box.width(), high) for number in range(piece.rows)]
        return [(place, name, 0.8) for place, name in zip(places, operand.names_of(piece), strict=False)]
    if small and box.width() >= max(_BESIDE_FROM, _PIXELS_BESIDE * len(operand.longest_name)) and box.height() >= 15:
        half = box.width() * min(max(len(large) / (len(large) + len(small)), 0.5), 0.66)
        left, right = box.adjusted(0, 0, half - box.width(), 0), box.adjusted(half, 0, 0, 0)
        return [(left, large, 0.8), (right, small, 0.45)]
    if small and box.height() >= _BELOW_FROM and box.width() >= _NAMES_FROM:
        upper = box.height() * 0.62
        above, below = box.adjusted(0, 0, 0, upper - box.height()), box.adjusted(0, upper - 2, 0, -2)
        return [(above, large, 0.85), (below, small, 0.75)]
    if min(box.width(), box.height()) >= 8:
        return [(box, large, 0.9 if box.height() < _LOW else 0.7)]
    return []


def _number(painter: QPainter, box: QRectF, text: str, *, bold: bool, share: float) -> None:
    painter.setFont(_fitted(box.width(), box.height(), text, share, bold=bold)[0])
    painter.drawText(box.adjusted(-2, 0, 2, 0), CENTRE, text)


def inked(box: QRectF, text: str, share: float) -> QRectF:
    """Where the figures of a number are that is drawn into a box."""
    found = QFontMetricsF(_fitted(box.width(), box.height(), text, share, bold=False)[0]).tightBoundingRect(text)
    found.moveCenter(box.center())
    return found


@lru_cache(maxsize=2048)
def _fitted(width: float, height: float, text: str, share: float, *, bold: bool) -> tuple[QFont, float]:
    """The font of a number in a place of a size, and how many such places it takes: those of an operand are mostly as large as each other,
    and have few numbers."""
    font = _font(min(height * share, 1.4 * width / max(len(text), 2)), bold=bold)
    while (needed := _wide(font, text, width) / (width + 1)) > 1 and font.pixelSize() > _SMALLEST:
        font = _font(font.pixelSize() - 1, bold=bold)
    return font, needed


def _wide(font: QFont, text: str, width: float) -> float:
    """What a number takes with the room around it. Where there is plenty nobody looks how far its figures reach, which takes long: a pixel
    beyond their widths on either side at most."""
    metrics = QFontMetricsF(font)
    most = metrics.horizontalAdvance(text) + 2 + _APART
    return most if most <= width + 1 else metrics.tightBoundingRect(text).width() + _APART


def _of_lane(theme: Theme, lane: int) -> QColor:
    """A quad's colour; its lanes in turn a little stronger."""
    tint, strong = theme.warps[lane % WARP // QUAD]
    return _between(tint, strong, lane % QUAD / 6)


def _of_register(theme: Theme, register: int, *, own: bool) -> QColor:
    """A register's colour; stronger where it is that of a selected lane's elements alone."""
    return theme.warps[register % len(theme.warps)][own]


def _between(one: QColor, other: QColor, share: float) -> QColor:
    parts = zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return QColor(*(round(a + (b - a) * share) for a, b in parts))


def _font(size: float, *, bold: bool) -> QFont:
    return sized("label", max(_SMALLEST, min(30, round(size))), QFont.Weight.Bold if bold else QFont.Weight.DemiBold)
