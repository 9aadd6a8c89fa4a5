"""The lanes as tokens, the curves that lead to their banks, and the banks' numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.core.gpu_view.shared.banks import BanksPicture, Group, Serving
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Pictures
from app.qt.gpu_view.shared_geometry import LANE_LINE, Geometry
from kernels.analysis.banks import BANKS
from kernels.base.messages import message
from kernels.simt.trace.trace import WARP

_WORDS_FROM = 11.0
"""Height of a token with room for words."""
_EVERY = 4
"""Of the lanes and the banks that have no room for all numbers so many have one together."""
_ONE_DIGIT = 9
_CAPTIONS_FROM, _BANK_HEIGHT, _OVERHANG, _BAR = 17.0, 14.0, 6.0, 2.5
_ORDER = (Serving.SERVED, Serving.WAITING, Serving.BLOCKED, Serving.NOW)


def paint_lanes(painter: QPainter, picture: BanksPicture, place: Geometry, drawn: float, pictures: Pictures, look: Look) -> None:
    """Tokens, curves and numbers; of the curves of the lanes being served only the part `drawn` (0 to 1)."""
    for serving in _ORDER:
        groups = [group for group in picture.groups if group.serving is serving]
        if groups:
            _paint_curves(painter, groups, place, drawn if serving is Serving.NOW else 1.0, look.theme)
    busy = {lane for group in picture.groups for lane in group.lanes}
    for lane in range(WARP):
        if lane not in busy:
            _paint_idle(painter, lane, place, look.theme)
    _paint_tokens(painter, picture, place, pictures, look)
    _paint_banks(painter, picture, place, pictures, look.theme)
    _paint_lane_numbers(painter, place, look.theme)


def _paint_tokens(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, look: Look) -> None:
    """The lanes that take part; those as wide as each other together."""
    loads = picture.access is not None and picture.access.operation == "load"
    wide: dict[int, list[tuple[Group, int, int]]] = {}
    for group in picture.groups:
        for first, last in group.runs:
            wide.setdefault(last - first, []).append((group, first, last))
    for tokens in wide.values():
        areas = [token_area(place, first, last) for _, first, last in tokens]
        places = [(area.topLeft(), ("token", group.serving, len(group.lanes), first, last, loads))
                  for area, (group, first, last) in zip(areas, tokens, strict=True)]  # fmt: skip
        draw = partial(_paint_numbered, tokens=tokens, place=place, look=look, loads=loads)
        pictures.draw_each(painter, places, areas[0].size(), place.ratio, draw)


def _paint_numbered(
    painter: QPainter, number: int, tokens: Sequence[tuple[Group, int, int]], place: Geometry, look: Look, *, loads: bool
) -> None:  # fmt: skip
    """One of some tokens; a single lane has its number above it where there is a line for these, or one beside it has."""
    group, first, last = tokens[number]
    texts = () if first == last and place.lane_line is not None else _texts(len(group.lanes), first, last, look, loads=loads)
    _paint_token(painter, size=token_area(place, first, last).size(), serving=group.serving, texts=texts, theme=look.theme)


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


def _paint_curves(painter: QPainter, groups: list[Group], place: Geometry, drawn: float, theme: Theme) -> None:
    """The curves of groups that are served alike. One path of them all would take several times as long: curves that cross are slow."""
    top, bottom = place.curves
    painter.setPen(_curve_pen(groups[0].serving, theme))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for group in groups:
        banks = [word % BANKS for word in group.words]
        left, right = place.middle(min(banks)), place.middle(max(banks))
        for first, last in group.runs:
            painter.drawPath(_curve(QPointF(place.middle((first + last) / 2), top), QPointF((left + right) / 2, bottom), drawn))
        if len(banks) > 1 and group.serving is Serving.NOW:
            reach = place.column * 0.35
            painter.drawLine(QPointF(left - reach, bottom), QPointF(right + reach, bottom))


def _curve(start: QPointF, end: QPointF, drawn: float) -> QPainterPath:
    """A curve that leaves and arrives upright, or its first part: with control points as de Casteljau divides them."""
    middle = (start.y() + end.y()) / 2
    points = [QPointF(start.x(), middle), QPointF(end.x(), middle), end]
    if drawn < 1:
        rest, points = [start, *points], []
        while len(rest) > 1:
            rest = [one + (other - one) * drawn for one, other in pairwise(rest)]
            points.append(rest[0])
    path = QPainterPath(start)
    path.cubicTo(*points)
    return path


def _curve_pen(serving: Serving, theme: Theme) -> QPen:
    colour = {Serving.SERVED: theme.line, Serving.WAITING: theme.line2, Serving.BLOCKED: theme.bad, Serving.NOW: theme.now}[serving]
    colour = QColor(colour)
    if serving is Serving.BLOCKED:
        colour.setAlphaF(0.55)
    pen = QPen(colour, 1.6 if serving is Serving.NOW else 1.0)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _paint_idle(painter: QPainter, lane: int, place: Geometry, theme: Theme) -> None:
    """Paint a lane that takes no part."""
    painter.setPen(QPen(theme.line2, 1, Qt.PenStyle.DotLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(token_area(place, lane, lane).adjusted(1.5, 1.5, -1.5, -1.5))


def _paint_lane_numbers(painter: QPainter, place: Geometry, theme: Theme) -> None:
    """Some of the numbers above tokens that have no room for any."""
    if place.lane_line is None:
        return
    painter.setFont(digits(theme, _BANK_HEIGHT))
    painter.setPen(theme.t2)
    for lane in range(0, WARP, _EVERY):
        number = QRectF(place.middle(lane) - LANE_LINE, place.lane_line, 2 * LANE_LINE, LANE_LINE)
        painter.drawText(number, Qt.AlignmentFlag.AlignCenter, str(lane))


def _paint_token(painter: QPainter, size: QSizeF, serving: Serving, texts: tuple[str, ...], theme: Theme) -> None:
    fill, outline, ink = token_colours(serving, theme)
    area, font = QRectF(QPointF(0, 0), size), digits(theme, size.height())
    painter.setPen(QPen(outline, 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), size.height() / 2, size.height() / 2)
    metrics = QFontMetricsF(font)
    said = next((text for text in texts if metrics.horizontalAdvance(text) <= area.width() - 1), "")
    if said and size.height() >= _WORDS_FROM:
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, said)


def _texts(count: int, first: int, last: int, look: Look, *, loads: bool) -> tuple[str, ...]:
    """What a token may say, the longest first."""
    if first == last:
        return (str(first),)
    range_ = f"{first}–{last}"
    shared = message("×{count} broadcast", count=count) if loads else message("×{count} at one word", count=count)
    said = look.text(shared)
    return (f"{range_}  {said}", said, range_, f"×{count}")


def _paint_banks(painter: QPainter, picture: BanksPicture, place: Geometry, pictures: Pictures, theme: Theme) -> None:
    """The numbers of the banks in one piece: most steps touch, and contest, the same ones."""
    touched = frozenset(word.word % BANKS for word in picture.words)
    serving = any(group.serving in (Serving.NOW, Serving.BLOCKED) for group in picture.groups)
    contested = picture.contested if serving else frozenset()
    numbered = frozenset(range(BANKS)) if place.numbered else numbered_banks(contested)
    over = 0.0 if place.numbered else _OVERHANG
    size, whole = (QSizeF(banks * place.column + 2 * over, _BANK_HEIGHT) for banks in (1, BANKS))

    def paint(one: QPainter, bank: int) -> None:
        ink = theme.bad if bank in contested else theme.t1 if bank in touched else theme.t3
        said = str(bank) if bank in numbered else ""
        _paint_bank(one, size=size, said=said, width=place.column, contested=bank in contested, ink=ink, theme=theme)

    def draw(row: QPainter) -> None:
        places = [
            (QPointF(bank * place.column, 0), ("bank", bank, bank in contested, bank in touched, bank in numbered)) for bank in range(BANKS)
        ]
        pictures.draw_each(row, places, size, place.ratio, paint)

    pictures.draw(painter, QPointF(place.left - over, place.bank_line), ("banks", touched, contested), whole, place.ratio, draw)


def numbered_banks(contested: frozenset[int]) -> frozenset[int]:
    """The banks that have a number where two beside each other have no room: the contested ones first, then some of the others."""
    found = set[int]()
    for bank in (*sorted(contested), *range(0, BANKS, _EVERY)):
        if not any(other in found and max(bank, other) > _ONE_DIGIT for other in (bank - 1, bank + 1)):
            found.add(bank)
    return frozenset(found)


def _paint_bank(painter: QPainter, size: QSizeF, said: str, width: float, ink: QColor, theme: Theme, *, contested: bool) -> None:
    """A contested bank has a frame around its number; where a number is wider than its bank, and a frame would cut it, a bar below."""
    area = QRectF(QPointF(0, 0), size)
    inset = (size.width() - width) / 2
    if contested and inset:
        painter.fillRect(QRectF(inset, size.height() - _BAR, max(width - 1, 1), _BAR), theme.bad)
    elif contested:
        painter.setPen(QPen(theme.bad, 1))
        painter.setBrush(theme.bad_bg)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -1.5, -0.5), 3, 3)
    painter.setFont(theme.font("caption") if width >= _CAPTIONS_FROM else digits(theme, _BANK_HEIGHT))
    painter.setPen(ink)
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, said)
