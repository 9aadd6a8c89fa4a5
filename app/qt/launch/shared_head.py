"""The lanes as tokens, the curves that lead to their banks, and the banks' numbers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.core.launch.banks import BanksPicture, Group, Serving
from app.qt.launch.shared_geometry import Geometry
from app.qt.look import Look
from app.qt.theme import Theme
from kernels.analysis.banks import BANKS
from kernels.messages import message
from kernels.simt.trace import WARP

_ORDER = (Serving.SERVED, Serving.WAITING, Serving.BLOCKED, Serving.NOW)


def paint_head(painter: QPainter, picture: BanksPicture, place: Geometry, drawn: float, look: Look) -> None:
    """Tokens, curves and numbers; of the curves of the lanes being served only the part `drawn` (0 to 1)."""
    groups = sorted(picture.groups, key=lambda group: _ORDER.index(group.serving))
    for group in groups:
        _paint_curves(painter, group, place, drawn if group.serving is Serving.NOW else 1.0, look.theme)
    busy = {lane for group in groups for lane in group.lanes}
    for lane in range(WARP):
        if lane not in busy:
            _paint_idle(painter, lane, place, look.theme)
    loads = picture.access is not None and picture.access.operation == "load"
    for group in groups:
        _paint_tokens(painter, group, place, look, loads=loads)
    _paint_banks(painter, picture, place, look.theme)


def token_area(place: Geometry, first: int, last: int) -> QRectF:
    """The place of the token of some neighbouring lanes."""
    half = place.token / 2
    return QRectF(QPointF(place.middle(first) - half, place.token_line - half), QPointF(place.middle(last) + half, place.token_line + half))


def token_colours(serving: Serving, theme: Theme) -> tuple[QColor, QColor, QColor]:
    """Fill, outline and text of a token or a word."""
    return {
        Serving.SERVED: (theme.bg3, theme.bg3, theme.t2),
        Serving.WAITING: (theme.bg1, theme.line2, theme.t2),
        Serving.BLOCKED: (theme.bad_bg, theme.bad, theme.bad),
        Serving.NOW: (theme.now, theme.now, theme.ink_text),
    }[serving]


def digits(theme: Theme, size: float) -> QFont:
    """The font of a number in something of a certain height."""
    font = theme.font("label")
    font.setPixelSize(max(9, min(12, round(size * 0.62))))
    return font


def _paint_curves(painter: QPainter, group: Group, place: Geometry, drawn: float, theme: Theme) -> None:
    top, bottom = place.curves
    banks = [word % BANKS for word in group.words]
    end = QPointF(place.middle((min(banks) + max(banks)) / 2), bottom)
    for first, last in group.runs:
        start = QPointF(place.middle((first + last) / 2), top)
        path = QPainterPath(start)
        middle = (start.y() + end.y()) / 2
        path.cubicTo(QPointF(start.x(), middle), QPointF(end.x(), middle), end)
        pen = _curve_pen(group.serving, theme)
        if drawn < 1:
            long = path.length() / pen.widthF()
            pen.setDashPattern([max(drawn * long, 0.01), 2 * long])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    if len(banks) > 1 and group.serving is Serving.NOW:
        painter.drawLine(
            QPointF(place.middle(min(banks)) - place.column * 0.35, bottom), QPointF(place.middle(max(banks)) + place.column * 0.35, bottom)
        )


def _curve_pen(serving: Serving, theme: Theme) -> QPen:
    colour = {Serving.SERVED: theme.line, Serving.WAITING: theme.line2, Serving.BLOCKED: theme.bad, Serving.NOW: theme.now}[serving]
    colour = QColor(colour)
    if serving is Serving.BLOCKED:
        colour.setAlphaF(0.55)
    pen = QPen(colour, 1.6 if serving is Serving.NOW else 1.0)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _paint_idle(painter: QPainter, lane: int, place: Geometry, theme: Theme) -> None:
    """A lane that takes no part."""
    painter.setPen(QPen(theme.line2, 1, Qt.PenStyle.DotLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(token_area(place, lane, lane).adjusted(1.5, 1.5, -1.5, -1.5))


def _paint_tokens(painter: QPainter, group: Group, place: Geometry, look: Look, *, loads: bool) -> None:
    fill, outline, ink = token_colours(group.serving, look.theme)
    font = digits(look.theme, place.token)
    metrics = QFontMetricsF(font)
    for first, last in group.runs:
        area = token_area(place, first, last)
        painter.setPen(QPen(outline, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), place.token / 2, place.token / 2)
        said = next(
            (text for text in _texts(group, first, last, look, loads=loads) if metrics.horizontalAdvance(text) <= area.width() - 1), ""
        )
        if said and place.token >= 11:
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, said)


def _texts(group: Group, first: int, last: int, look: Look, *, loads: bool) -> tuple[str, ...]:
    """What a token may say, the longest first."""
    if first == last:
        return (str(first),)
    count, range_ = len(group.lanes), f"{first}–{last}"
    shared = message("×{count} broadcast", count=count) if loads else message("×{count} at one word", count=count)
    said = look.text(shared)
    return (f"{range_}  {said}", said, range_, f"×{count}")


def _paint_banks(painter: QPainter, picture: BanksPicture, place: Geometry, theme: Theme) -> None:
    touched = {word.word % BANKS for word in picture.words}
    serving = any(group.serving in (Serving.NOW, Serving.BLOCKED) for group in picture.groups)
    painter.setFont(theme.font("caption") if place.column >= 17 else digits(theme, 15))
    for bank in range(BANKS):
        area = QRectF(place.left + bank * place.column, place.bank_line, place.column, 14)
        contested = bank in picture.contested and serving
        if contested:
            painter.setPen(QPen(theme.bad, 1))
            painter.setBrush(theme.bad_bg)
            painter.drawRoundedRect(area.adjusted(0.5, 0.5, -1.5, -0.5), 3, 3)
        if place.numbered or not bank % 4:
            painter.setPen(theme.bad if contested else theme.t1 if bank in touched else theme.t3)
            painter.drawText(area if place.numbered else area.adjusted(-6, 0, 6, 0), Qt.AlignmentFlag.AlignCenter, str(bank))
