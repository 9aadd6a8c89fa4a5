"""Paints one rung of a ladder: its name, its bar, and its gain. Where times are from is told by the bar's pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.curves import Provenance
from app.core.ladder.picture import Rung
from app.core.ladder.words import SLOWER, base_text, gain_sign, gain_text
from app.core.shares import percent_text
from app.qt.look import Look
from app.qt.plots.style import colour_of
from app.qt.theme import Theme
from kernels.spec import Variant

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROLES = ((46.0, "view_caption", "sentence"), (31.0, "sentence", "step"), (20.0, "step", "body"), (17.0, "body", "small"))
"""The least height of a row, and the fonts that its names and its smaller words have then."""
_BAR, _GAP, _MARK = 0.66, 10.0, 4.0


Fonts = tuple[QFont, QFont]
"""Of names, and of smaller words."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of a row begin, in pixels, and their fonts; `full` is the percentage that the widest bar has room for."""

    number: float
    name: float
    bar: float
    gain: float
    over: float
    end: float
    full: float
    fonts: Fonts

    def bar_of(self, row: QRectF, percent: float) -> QRectF:
        """The place of a bar in a row."""
        height = row.height() * _BAR
        width = (self.gain - _GAP - self.bar) * percent / self.full
        return QRectF(self.bar, row.center().y() - height / 2, max(width, 1.0), height)


def fonts_of(theme: Theme, height: float, names: Sequence[str] = (), room: float = 0.0) -> Fonts:
    """The fonts of names and of smaller words in rows of a height; smaller ones where a name would not fit into `room` pixels."""
    pairs = [(theme.font(large), theme.font(small)) for least, large, small in _ROLES if height >= least]
    pairs = pairs or [(theme.font("small"), theme.font("caption"))]
    return next((pair for pair in pairs if all(QFontMetricsF(pair[0]).horizontalAdvance(name) <= room for name in names)), pairs[-1])


def paint_rung(painter: QPainter, look: Look, rung: Rung, row: QRectF, columns: Columns, provenance: Provenance, *, chosen: bool) -> None:
    """A row of the picture."""
    theme = look.theme
    if chosen:
        painter.fillRect(row, theme.bg3)
        painter.fillRect(QRectF(row.left(), row.top(), _MARK, row.height()), theme.ink)
    large, small = columns.fonts
    painter.setFont(small)
    painter.setPen(theme.t3)
    painter.drawText(_part(row, columns.number, columns.name - _GAP), _RIGHT, str(rung.variant.rung))
    painter.setFont(large)
    painter.setPen(theme.t1)
    name = QFontMetricsF(large).elidedText(look.text(rung.variant.title), Qt.TextElideMode.ElideRight, columns.bar - columns.name - _GAP)
    painter.drawText(_part(row, columns.name, columns.bar), _LEFT, name)
    if rung.ms is None or rung.percent is None:
        painter.setFont(small)
        painter.setPen(theme.t3)
        said = QFontMetricsF(small).elidedText(_missing(look, rung), Qt.TextElideMode.ElideRight, columns.end - columns.bar)
        painter.drawText(_part(row, columns.bar, columns.end), _LEFT, said)
    else:
        place = columns.bar_of(row, rung.percent)
        paint_bar(painter, theme, place, provenance, rung.variant)
        _paint_percent(painter, look, rung.percent, place, columns.fonts[0], theme.bg3 if chosen else theme.bg1)
    _paint_gain(painter, look, rung, row, columns)


def paint_bar(painter: QPainter, theme: Theme, place: QRectF, provenance: Provenance, variant: Variant) -> None:
    """In the colour of the rung's curve; full where it was measured here, hatched in a dashed frame where it was recorded; a library has an
    inner frame, or other hatching."""
    colour, library = colour_of(theme, variant), variant.library
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if provenance is Provenance.MEASURED:
        painter.fillRect(place, colour)
        if library:
            painter.setPen(QPen(theme.bg1, 1.6))
            painter.drawRect(place.adjusted(3, 3, -3, -3))
        return
    painter.fillRect(place, theme.cell)
    painter.fillRect(place, QBrush(colour, Qt.BrushStyle.FDiagPattern if library else Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.DashLine))
    painter.drawRect(place)


def _paint_percent(painter: QPainter, look: Look, percent: float, bar: QRectF, font: QFont, ground: QColor) -> None:
    """Behind the bar, on a ground of its own, so that the line at 100 % does not strike it through."""
    large = QFont(font)
    large.setWeight(QFont.Weight.DemiBold)
    painter.setFont(large)
    text = percent_text(percent)
    place = QRectF(bar.right() + 6, bar.top(), QFontMetricsF(large).horizontalAdvance(text) + 4, bar.height())
    painter.fillRect(place.adjusted(0, -2, 0, 2), ground)
    painter.setPen(look.theme.t1)
    painter.drawText(place.adjusted(0, -4, 0, 4), _LEFT, text)


def _paint_gain(painter: QPainter, look: Look, rung: Rung, row: QRectF, columns: Columns) -> None:
    over = base_text(rung)
    if rung.gain is None or over is None:
        return
    large, small = columns.fonts
    painter.setFont(large)
    painter.setPen(look.theme.bad if gain_sign(rung) == SLOWER else look.theme.t1)
    painter.drawText(_part(row, columns.gain, columns.over), _LEFT, gain_text(rung))
    painter.setFont(small)
    painter.setPen(look.theme.t2)
    painter.drawText(_part(row, columns.over, columns.end), _LEFT, look.text(over))


def _missing(look: Look, rung: Rung) -> str:
    return f"✕ {look.text(rung.reason)}" if rung.reason is not None else "–"


def _part(row: QRectF, left: float, right: float) -> QRectF:
    return QRectF(left, row.top(), max(0.0, right - left), row.height())
