"""Painting of fragments: the lanes, and each operand with the lane and the numbers of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.shared.fragments import FragmentsPicture, Operand, Piece, given_row
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import fitting
from app.qt.gpu_view.fragments_geometry import AXIS, GIVERS, INDEX, MARGIN, TITLE, FragmentsGeometry, OperandPlace
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
_OWN_NAME, _LETTER, _OWN_HIGH = 6.0, 9.0, 16.0
"""The least width of the name of an element that is pointed at, less its letters; of each of these; the least height."""
_LETTER_TOGETHER, _BEYOND = 5.5, 1.25
"""The width of a letter of a name for several elements; how far names of their own may stand out, as a part of the place."""
_READABLE, _READABLE_HIGH, _OWN_FONT = 6.5, 12.0, 12.0
"""Width of a place, for each letter of a name, and height in which it can be read without standing out; the font's size there."""


def switch_width(look: Look) -> float:
    """How wide the words are by what elements are coloured."""
    metrics = QFontMetricsF(look.theme.font("small"))
    return metrics.horizontalAdvance(f"{look.text(COLOUR)} {look.text(LANE)}  {look.text(REGISTER)}") + 24


def paint_operands(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """All operands; where a lane is selected, so that its elements can stand out."""
    for each in place.operands:
        _paint_axes(painter, each, look, numbered=not picture.givers)
        if by_register:
            _paint_registers(painter, each, look, own=picture.lane is not None)
        for piece in each.operand.of_registers if by_register else each.operand.of_lanes:
            _paint_piece(painter, each, piece, look.theme, by_register=by_register, apart=picture.lane is not None)


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
        pieces = each.operand.of_registers if by_register else each.operand.of_lanes
        own = [piece for piece in pieces if piece.lane == picture.lane]
        columns = sorted({piece.column for piece in own})
        apart = min((after - before for before, after in pairwise(columns)), default=each.operand.shape[1])
        named = [(piece, *_own_box(each, piece, apart * each.cell - 3)) for piece in own]
        others = [piece for piece in pieces if piece.lane != picture.lane]
        _leave_out(painter, each, others, [box for _, _, box in named], look.theme, by_register=by_register)
        for piece, names, box in named:
            _paint_own(painter, piece, names, box, look.theme, by_register=by_register)
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
    for number in range(WARP):
        box, lane = place.lane(number).adjusted(0, 0, -1, 0), picture.first_lane + number
        chosen = lane == picture.lane
        painter.fillRect(box, theme.now if chosen else theme.bg3 if by_register else _of_lane(theme, lane))
        painter.setFont(_font(theme, min(box.height() * 0.68, box.width() * 0.62), bold=chosen))
        painter.setPen(theme.ink_text if chosen else theme.t1)
        if box.width() >= 12 or (not number % QUAD and abs(lane - (picture.lane or 0)) > 1):
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
    painter.setFont(_font(theme, 14, bold=True))
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
    """The names of the step's instructions, that which is shown underlined; returns their places."""
    theme, found = look.theme, list[QRectF]()
    left = place.names.left() if place.names is not None else 0.0
    for name in picture.instructions if place.names is not None else ():
        chosen = name == picture.instruction
        painter.setFont(theme.font("label" if chosen else "small"))
        box = QRectF(left, place.names.top() if place.names is not None else 0, QFontMetricsF(painter.font()).horizontalAdvance(name), 20)
        painter.setPen(theme.t1 if chosen else theme.t3)
        painter.drawText(box, LEFT, name)
        if chosen:
            painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), theme.ink)
        found.append(box)
        left += box.width() + 18
    return found


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


def _paint_piece(painter: QPainter, place: OperandPlace, piece: Piece, theme: Theme, *, by_register: bool, apart: bool) -> None:
    box = place.piece(piece).adjusted(0, 0, -1, -1)
    colour = _of_register(theme, piece.register, own=False) if by_register else _of_lane(theme, piece.lane)
    painter.fillRect(box, theme.cell if apart else colour)
    painter.setPen(theme.t3 if apart else theme.t1)
    for at, text, share in _written(box, piece, place.operand, by_register=by_register):
        _number(painter, at, text, theme, bold=False, share=share)


def _leave_out(
    painter: QPainter, place: OperandPlace, others: Sequence[Piece], boxes: Sequence[QRectF], theme: Theme, *, by_register: bool
) -> None:  # fmt: skip
    """Clear those of the other lanes' places of whose numbers a box would cover a part: 17 would be read as 7."""
    for piece in others:
        whole = place.piece(piece).adjusted(0, 0, -1, -1)
        near = [box.adjusted(-2, -2, 2, 2) for box in boxes if box.adjusted(-2, -2, 2, 2).intersects(whole)]
        texts = _written(whole, piece, place.operand, by_register=by_register) if near else []
        if any(box.intersects(_inked(*text, theme)) for box in near for text in texts):
            painter.fillRect(whole, theme.cell)


def _paint_own(painter: QPainter, piece: Piece, names: Sequence[str], box: QRectF, theme: Theme, *, by_register: bool) -> None:
    """A piece of the selected lane: filled, in a frame, with what the PTX manual calls each of its elements, or all of them."""
    across, down = (len(names), 1) if piece.rows == 1 else (1, len(names))
    size = QSizeF(box.width() / across, box.height() / down)
    letters = theme.t1 if by_register else theme.ink_text
    painter.fillRect(box, _of_register(theme, piece.register, own=True) if by_register else theme.now)
    painter.setPen(QPen(theme.ink, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(-1, -1, 1, 1))
    painter.setPen(letters)
    for number, name in enumerate(names):
        if number and across > 1:
            painter.fillRect(QRectF(box.left() + number * size.width() - 0.5, box.top() + 2, 1, size.height() - 4), letters)
        step = QPointF(number * size.width() if across > 1 else 0, number * size.height() if down > 1 else 0)
        share = max(0.76, min(0.95, _OWN_FONT / size.height()))
        _number(painter, QRectF(box.topLeft() + step, size).adjusted(-1, 0, 1, 0), name, theme, bold=True, share=share)


def _own_box(place: OperandPlace, piece: Piece, room: float) -> tuple[tuple[str, ...], QRectF]:
    """The names in a piece of the selected lane, and their box: where the place is too small for them, it stands out of it, no wider than
    there is `room`; else its frame, too, lies within."""
    names, least = _own_names(place, piece, room)
    across, down = (len(names), 1) if piece.rows == 1 else (1, len(names))
    whole, high = place.piece(piece), place.cell * piece.rows / down
    width, height = across * least, 0.0 if high >= _READABLE_HIGH else down * _OWN_HIGH
    box = QRectF(0, 0, max(whole.width(), width), max(whole.height(), height))
    box.moveCenter(whole.center())
    box.moveLeft(max(min(box.left(), place.area.right() - box.width()), place.area.left()))
    box.moveTop(max(min(box.top(), place.area.bottom() - box.height()), place.area.top()))
    beyond = box.width() > whole.width(), box.height() > whole.height()
    return names, QRectF(box.toRect()).adjusted(*((0 if out else 1) for out in beyond), *((0 if out else -2) for out in beyond))


def _own_names(place: OperandPlace, piece: Piece, room: float) -> tuple[tuple[str, ...], float]:
    """What stands in a piece, and the least width of each of these: one name for all elements where their own would reach so far into the
    places beside that nobody could tell which ones are meant."""
    names, beside, whole = place.operand.names_of(piece), piece.rows == 1, place.cell * piece.columns
    longest = max(map(len, names))
    least = min(_OWN_NAME + _LETTER * longest, room / len(names) if beside else room)
    if whole >= _READABLE * longest and not (beside and len(names) > 1):
        least = 0.0
    needed = len(names) * (least if beside else _OWN_HIGH)
    if len(names) == 1 or needed <= _BEYOND * place.cell * (piece.columns if beside else piece.rows):
        return names, least
    name = piece.names(place.operand.registers)
    return (name,), 0.0 if whole >= _READABLE * len(name) else min(_OWN_NAME + _LETTER_TOGETHER * len(name), room)


def _written(box: QRectF, piece: Piece, operand: Operand, *, by_register: bool) -> list[tuple[QRectF, str, float]]:
    """The lane's number, large, and beside or below it what its elements are called; by register the other way round. With the place of
    each and how much of its height it takes."""
    lane, names = str(piece.lane % WARP), piece.names(operand.registers) if operand.registers else ""
    large, small = (names, lane) if by_register and names else (lane, names)
    if by_register and piece.rows > 1 and names and box.width() < _NAMES_FROM:
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


def _number(painter: QPainter, box: QRectF, text: str, theme: Theme, *, bold: bool, share: float) -> None:
    painter.setFont(_fitted(box, text, share, theme, bold=bold))
    painter.drawText(box.adjusted(-2, 0, 2, 0), CENTRE, text)


def _inked(box: QRectF, text: str, share: float, theme: Theme) -> QRectF:
    """Where the figures of a number are that is drawn into a box."""
    found = QFontMetricsF(_fitted(box, text, share, theme, bold=False)).tightBoundingRect(text)
    found.moveCenter(box.center())
    return found


def _fitted(box: QRectF, text: str, share: float, theme: Theme, *, bold: bool) -> QFont:
    return _font(theme, min(box.height() * share, 1.4 * box.width() / max(len(text), 2)), bold=bold)


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


def _font(theme: Theme, size: float, *, bold: bool) -> QFont:
    font = theme.font("label")
    font.setPixelSize(max(7, min(30, round(size))))
    font.setWeight(QFont.Weight.Bold if bold else QFont.Weight.DemiBold)
    return font
