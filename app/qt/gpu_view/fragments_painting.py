"""Painting of fragments: the lanes, and each operand with the lane and the numbers of its elements."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.gpu_view.fragments import FragmentsPicture, Operand, Piece
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.fragments_geometry import AXIS, GIVER, INDEX, MARGIN, TITLE, WIDE_GIVER, FragmentsGeometry, OperandPlace
from kernels.analysis.banks import BANKS, WORD_BYTES
from kernels.base.messages import message
from kernels.simt.base.fragments import QUAD
from kernels.simt.trace.trace import WARP

LEFT, CENTRE, RIGHT = (side | Qt.AlignmentFlag.AlignVCenter for side in (
    Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight))  # fmt: skip
LANE = message("lane")
BY_LANE, BY_REGISTER = message("by lane"), message("by register")
_BESIDE_FROM, _BELOW_FROM, _NAMES_FROM = 52.0, 30.0, 26.0
"""Width, or height and width, of a piece with room for a lane's number and the names of the elements."""


def switch_width(look: Look) -> float:
    """How wide the words are by what elements are coloured."""
    metrics = QFontMetricsF(look.theme.font("small"))
    return metrics.horizontalAdvance(f"{look.text(BY_LANE)}  {look.text(BY_REGISTER)}") + 24


def paint_operands(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """All operands; where a lane is selected, so that its elements can stand out."""
    for number, each in enumerate(place.operands):
        _paint_axes(painter, each, picture.givers[number] if picture.givers else (), place.before, look)
        for piece in each.operand.of_registers if by_register else each.operand.of_lanes:
            _paint_piece(painter, each, piece, look.theme, by_register=by_register, apart=picture.lane is not None)


def paint_own(painter: QPainter, picture: FragmentsPicture, place: FragmentsGeometry, look: Look, *, by_register: bool) -> None:
    """The elements of the selected lane."""
    for each in place.operands:
        for piece in each.operand.of_registers if by_register else each.operand.of_lanes:
            if piece.lane == picture.lane:
                _paint_own(painter, each, piece, look.theme, by_register=by_register)


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
        if box.width() >= 12 or not number % QUAD:
            painter.drawText(box.adjusted(-3, 0, 3, 0), CENTRE, str(number))
    _paint_switch(painter, place.switch, look, by_register=by_register)


def _paint_switch(painter: QPainter, area: QRectF, look: Look, *, by_register: bool) -> None:
    theme, left = look.theme, area.left()
    for said, chosen in ((BY_LANE, not by_register), (BY_REGISTER, by_register)):
        painter.setFont(theme.font("label" if chosen else "small"))
        text = look.text(said)
        width = QFontMetricsF(painter.font()).horizontalAdvance(text)
        painter.setPen(theme.t1 if chosen else theme.t3)
        painter.drawText(QRectF(left, area.top(), width, area.height()), LEFT, text)
        if chosen:
            painter.fillRect(QRectF(left, area.bottom() - 2, width, 2), theme.ink)
        left += width + 12


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


def _paint_axes(painter: QPainter, place: OperandPlace, givers: tuple[tuple[int, int], ...], before: float, look: Look) -> None:
    """Name, shape and type above an operand; the numbers of its rows and columns."""
    theme, operand, area = look.theme, place.operand, place.area
    rows, columns = operand.shape
    painter.setFont(theme.font("section"))
    painter.setPen(theme.matrix(operand.letter)[0] if operand.letter else theme.t1)
    title = QRectF(area.left(), area.top() - AXIS - TITLE, max(area.width(), 40), TITLE)
    painter.drawText(title.adjusted(0, 0, 60, 0), LEFT, f"{operand.name}   {rows} × {columns} {operand.element}")
    painter.setFont(theme.font("caption"))
    painter.setPen(theme.t3)
    every = 1 if place.cell >= 14 else 4
    for column in range(0, columns, every):
        painter.drawText(place.rect(0, column).translated(0, -AXIS).adjusted(-4, 0, 4, AXIS - place.cell), CENTRE, str(column))
    for row in range(rows):
        at = place.rect(row, 0)
        if givers:
            before_row = QRectF(at.left() - WIDE_GIVER, at.top(), WIDE_GIVER - 6, at.height())
            _paint_giver(painter, before_row, *givers[row], look, wide=before > GIVER)
        elif not row % every:
            painter.drawText(QRectF(at.left() - INDEX, at.top(), INDEX - 5, at.height()), RIGHT, str(row))


def _paint_giver(painter: QPainter, area: QRectF, lane: int, address: int, look: Look, *, wide: bool) -> None:
    """The lane that gives a row's address, and that, with its first bank."""
    bank = address // WORD_BYTES % BANKS
    long = look.text(message("lane {lane} ▸ byte {address}, bank {bank}", lane=lane, address=address, bank=bank))
    short = look.text(message("lane {lane} ▸ {address}", lane=lane, address=address))
    painter.drawText(area, RIGHT, long if wide else short)


def _paint_piece(painter: QPainter, place: OperandPlace, piece: Piece, theme: Theme, *, by_register: bool, apart: bool) -> None:
    box = place.piece(piece).adjusted(0, 0, -1, -1)
    colour = _of_register(theme, piece.register) if by_register else _of_lane(theme, piece.lane)
    painter.fillRect(box, theme.cell if apart else colour)
    _write(painter, box, piece, place.operand, theme.t3 if apart else theme.t1, theme, by_register=by_register, bold=False)


def _paint_own(painter: QPainter, place: OperandPlace, piece: Piece, theme: Theme, *, by_register: bool) -> None:
    """A piece of the selected lane: filled, in a frame that stands out of its place."""
    box = place.piece(piece).adjusted(0, 0, -1, -1)
    painter.fillRect(box, theme.now)
    painter.setPen(QPen(theme.ink, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(-1, -1, 1, 1))
    _write(painter, box, piece, place.operand, theme.ink_text, theme, by_register=by_register, bold=True)


def _write(
    painter: QPainter, box: QRectF, piece: Piece, operand: Operand, colour: QColor, theme: Theme, *, by_register: bool, bold: bool
) -> None:  # fmt: skip
    """The lane's number, large, and beside or below it what its elements are called; by register the other way round."""
    lane, names = str(piece.lane % WARP), piece.names(operand.registers) if operand.registers else ""
    large, small = (names, lane) if by_register and names else (lane, names)
    painter.setPen(colour)
    if small and box.width() >= _BESIDE_FROM and box.height() >= 15:
        half = box.width() * min(max(len(large) / (len(large) + len(small)), 0.5), 0.66)
        _number(painter, QRectF(box.left(), box.top(), half, box.height()), large, theme, bold=bold, share=0.8)
        _number(painter, QRectF(box.left() + half, box.top(), box.width() - half, box.height()), small, theme, bold=False, share=0.45)
    elif small and box.height() >= _BELOW_FROM and box.width() >= _NAMES_FROM:
        upper = box.height() * 0.62
        _number(painter, QRectF(box.left(), box.top(), box.width(), upper), large, theme, bold=bold, share=0.85)
        _number(painter, QRectF(box.left(), box.top() + upper - 2, box.width(), box.height() - upper), small, theme, bold=False, share=0.75)
    elif min(box.width(), box.height()) >= 8:
        _number(painter, box, large, theme, bold=bold, share=0.7)


def _number(painter: QPainter, box: QRectF, text: str, theme: Theme, *, bold: bool, share: float) -> None:
    painter.setFont(_font(theme, min(box.height() * share, 1.4 * box.width() / max(len(text), 2)), bold=bold))
    painter.drawText(box.adjusted(-2, 0, 2, 0), CENTRE, text)


def _of_lane(theme: Theme, lane: int) -> QColor:
    """A quad's colour; its lanes in turn a little stronger."""
    tint, strong = theme.warps[lane % WARP // QUAD]
    return _between(tint, strong, lane % QUAD / 6)


def _of_register(theme: Theme, register: int) -> QColor:
    return theme.warps[register % len(theme.warps)][0]


def _between(one: QColor, other: QColor, share: float) -> QColor:
    parts = zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return QColor(*(round(a + (b - a) * share) for a, b in parts))


def _font(theme: Theme, size: float, *, bold: bool) -> QFont:
    font = theme.font("label")
    font.setPixelSize(max(7, min(30, round(size))))
    font.setWeight(QFont.Weight.Bold if bold else QFont.Weight.DemiBold)
    return font
