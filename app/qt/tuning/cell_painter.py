"""Paints one cell of a heat map, and the scale below the cells."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QLinearGradient, QPainter, QPen

from app.core.curves import unit
from app.core.shares import percent_text
from app.core.tuning.heat_map import Cell, CellKind, HeatMap
from app.qt.look import Look
from app.qt.tuning.colours import heat_colour, ink_on
from kernels.messages import message

BEST, REFUSED, UNTRIED = "★", "✕", "–"
_CENTRE = Qt.AlignmentFlag.AlignCenter
_FRAME = 4.0
_BAR = 12.0
_ROOM_FOR_SHARE = 52.0
_FILLED = 0.85
"""How much of a cell its number may take."""


def paint_cell(
    painter: QPainter, look: Look, cell: Cell, place: QRectF, rates: tuple[float, float] | None, library_ms: float | None, *, best: bool
) -> None:
    """A cell by what is known of it: a shade with the rate, a hatch, or an empty field."""
    theme = look.theme
    if cell.kind is not CellKind.TIMED or cell.rate is None or rates is None:
        painter.fillRect(place, theme.bg2)
        if cell.kind is CellKind.REFUSED:
            painter.fillRect(place, QBrush(theme.line2, Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(theme.line, 1))
        painter.drawRect(place)
        _paint_sign(painter, look, REFUSED if cell.kind is CellKind.REFUSED else UNTRIED, place)
        return
    least, most = rates
    ground = heat_colour(theme, (cell.rate - least) / (most - least) if most > least else 1.0)
    painter.fillRect(place, ground)
    if best:
        painter.setPen(QPen(theme.bg1, _FRAME + 4))
        painter.drawRect(place.adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME))
        painter.setPen(QPen(theme.ink, _FRAME))
        painter.drawRect(place.adjusted(_FRAME / 2, _FRAME / 2, -_FRAME / 2, -_FRAME / 2))
    painter.setPen(ink_on(ground))
    _paint_numbers(painter, look, cell, place, library_ms, best=best)


def _paint_numbers(painter: QPainter, look: Look, cell: Cell, place: QRectF, library_ms: float | None, *, best: bool) -> None:
    assert cell.rate is not None
    number = f"{f'{BEST} ' if best else ''}{look.translator.number(cell.rate)}"
    shared = library_ms is not None and cell.result is not None and bool(cell.result.median_ms) and place.height() >= _ROOM_FOR_SHARE
    upper = place.adjusted(0, 0, 0, -place.height() * 0.38) if shared else place
    for role in ("hero", "view_caption", "sentence", "section", "caption"):
        painter.setFont(look.theme.font(role))
        metrics = QFontMetricsF(painter.font())
        room = place.width() * _FILLED - (4 * _FRAME if best else 0.0)
        if metrics.horizontalAdvance(number) <= room and metrics.height() <= upper.height() * _FILLED:
            break
    painter.drawText(upper, _CENTRE | (Qt.AlignmentFlag.AlignBottom if shared else _CENTRE), number)
    if shared and cell.result is not None and cell.result.median_ms and library_ms is not None:
        painter.setFont(look.theme.font("step"))
        lower = place.adjusted(0, place.height() * 0.56, 0, -2 * _FRAME if best else 0)
        painter.drawText(lower, _CENTRE, percent_text(100 * library_ms / cell.result.median_ms))


def _paint_sign(painter: QPainter, look: Look, sign: str, place: QRectF) -> None:
    """On a ground of its own, so that the hatch does not strike it through."""
    theme = look.theme
    painter.setFont(theme.font("sentence"))
    side = min(QFontMetricsF(painter.font()).height(), place.height())
    ground = QRectF(place.center().x() - side / 2, place.center().y() - side / 2, side, side)
    painter.fillRect(ground, theme.bg2)
    painter.setPen(theme.t1 if sign == REFUSED else theme.t3)
    painter.drawText(ground, _CENTRE, sign)


def paint_scale(painter: QPainter, look: Look, picture: HeatMap, place: QRectF) -> None:
    """The bar of colours with its ends, and what the signs say."""
    assert picture.range is not None
    theme, (least, most) = look.theme, picture.range
    number = look.translator.number
    painter.setFont(theme.font("body"))
    metrics = QFontMetricsF(painter.font())
    name = unit(picture.problem.operation)
    ends = (number(least), f"{number(most)} {name}")
    top = place.center().y() - _BAR / 2
    widths = [metrics.horizontalAdvance(text) + 10 for text in ends]
    bar = QRectF(place.left() + widths[0], top, min(220.0, place.width() - sum(widths)), _BAR)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for index, colour in enumerate(theme.heat):
        gradient.setColorAt(index / (len(theme.heat) - 1), colour)
    painter.fillRect(bar, gradient)
    painter.setPen(theme.t1)
    painter.drawText(QRectF(place.left(), place.top(), widths[0], place.height()), Qt.AlignmentFlag.AlignVCenter, ends[0])
    painter.drawText(QRectF(bar.right() + 10, place.top(), widths[1], place.height()), Qt.AlignmentFlag.AlignVCenter, ends[1])
    key = look.text(message("{best} fastest   {refused} cannot work   {untried} not tried", best=BEST, refused=REFUSED, untried=UNTRIED))
    left = bar.right() + 10 + widths[1] + 14
    if left + metrics.horizontalAdvance(key) <= painter.viewport().width():
        painter.setPen(theme.t2)
        painter.drawText(QRectF(left, place.top(), 600, place.height()), Qt.AlignmentFlag.AlignVCenter, key)
