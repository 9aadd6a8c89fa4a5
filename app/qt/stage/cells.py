"""The elements of one matrix: an image of their roles, the gaps between cells, and their values where a cell has room for digits."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from app.core.frames import MatrixFrame
from app.core.frames_roles import Role, aggregate
from app.core.i18n import MINUS
from app.qt.stage.geometry import MatrixPlace
from app.qt.theme import Theme

DIGITS_FROM = 22.0
GAPS_FROM = 10.0
WIDE_GAPS_FROM = 25.0
TILE_GAPS_FROM = 3.0
SMALLEST_DIGITS = 9
_TEXTURE = len(Role)
"""Added to the role of an idle element for the second tone of its texture."""


def paint_cells(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    """Draw all elements of a matrix."""
    roles = aggregate(matrix.roles, place.factor) if place.factor > 1 else matrix.roles
    painter.drawImage(place.area, role_image(roles, matrix.name, theme))
    _paint_gaps(painter, matrix, place, theme)
    if place.cell >= DIGITS_FROM:
        _paint_values(painter, matrix, place, theme)
    elif place.cell >= GAPS_FROM:
        _paint_empty(painter, matrix, place, theme)


def role_colour(role: int, name: str, theme: Theme) -> QColor:
    """The colour that fills an element of a matrix in this role."""
    strong, middle, tint = theme.matrix(name)
    fills = {
        Role.IDLE: theme.cell, Role.EMPTY: theme.cell, Role.BAND: tint, Role.PARTIAL: tint, Role.DONE: middle, Role.TILE: middle,
        Role.TOUCHED: strong, Role.READ: strong, Role.WRITE: strong,
    }  # fmt: skip
    return fills[Role(role)]


def role_image(roles: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], name: str, theme: Theme) -> QImage:
    """One pixel for each element; its indices are roles, so that a theme only changes the table of colours."""
    rows, columns = np.indices(roles.shape)
    texture = (rows * 7 + columns * 13 + rows * columns) % 3 == 0
    indices = np.ascontiguousarray(roles + _TEXTURE * (texture & (roles == Role.IDLE)).astype(np.uint8))
    image = QImage(indices.tobytes(), roles.shape[1], roles.shape[0], roles.shape[1], QImage.Format.Format_Indexed8)
    image.setColorTable([role_colour(role, name, theme).rgb() for role in Role] + [theme.cell2.rgb()])
    return image.copy()  # the bytes belong to Python and go with this call


def value_texts(value: float) -> tuple[str, ...]:
    """The ways to write a value in a cell, the most exact one first."""
    if not math.isfinite(value):
        return ()
    digits = (f"{abs(value):.3g}", f"{abs(value):.2g}")
    return tuple(MINUS + text if value < 0 and float(text) else text for text in digits if "e" not in text)


def fitting_text(value: float, metrics: QFontMetricsF, width: float) -> str:
    """The most exact way to write a value that is no wider than `width`; empty if there is none."""
    return next((text for text in value_texts(value) if metrics.horizontalAdvance(text) <= width), "")


def digits_font(theme: Theme, cell: float) -> QFont:
    """The font for values in cells of this size."""
    font = theme.font("small")
    font.setPixelSize(max(round(cell * 0.42), SMALLEST_DIGITS))
    font.setWeight(QFont.Weight.Medium)
    return font


def readable_on(fill: QColor, theme: Theme) -> QColor:
    """The text colour of the theme that stands out more from a fill."""
    return max((theme.t1, theme.ink_text), key=lambda colour: _contrast(colour, fill))


def _contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(channel: float) -> float:
        return float(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def _paint_gaps(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    """Lines of the background between cells; between tiles only where cells are small."""
    area, size = place.area, place.cell
    pixel = 1 / painter.device().devicePixelRatio()
    if size >= GAPS_FROM:
        rows, columns = (tuple(range(1, count)) for count in matrix.shape)
        width = max(pixel, 2.0 if size >= WIDE_GAPS_FROM else 1.0)
    elif size >= TILE_GAPS_FROM:
        rows, columns = (tick.values if tick else () for tick in matrix.ticks)
        width = max(pixel, 1.0)
    else:
        return
    pen = QPen(theme.bg2, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    half = width / 2 if size >= WIDE_GAPS_FROM else width - pixel / 2
    lines = [
        QLineF(area.left(), area.top() + row * size - half % size, area.right(), area.top() + row * size - half % size) for row in rows
    ]
    lines += [QLineF(area.left() + c * size - half, area.top(), area.left() + c * size - half, area.bottom()) for c in columns]
    painter.drawLines(lines)


def _paint_values(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    font = digits_font(theme, place.cell)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    colours = {role: readable_on(role_colour(role, matrix.name, theme), theme) for role in Role}
    colours[Role.IDLE] = colours[Role.BAND] = theme.t2
    colours[Role.EMPTY] = theme.t3
    size = place.cell
    baseline = size / 2 + (metrics.ascent() - metrics.descent()) / 2
    for row, (values, roles) in enumerate(zip(matrix.values.tolist(), matrix.roles.tolist(), strict=True)):
        for column, (value, role) in enumerate(zip(values, roles, strict=True)):
            text = "·" if role == Role.EMPTY else fitting_text(value, metrics, size - 1)
            if text:
                left = column * size + (size - 1 - metrics.horizontalAdvance(text)) / 2
                painter.setPen(colours[role])
                painter.drawText(place.origin + QPointF(left, row * size + baseline), text)


def _paint_empty(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    """A dot in each output element that has not been written."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.t3)
    painter.setOpacity(painter.opacity() * 0.6)
    for row, column in np.argwhere(matrix.roles == Role.EMPTY).tolist():
        centre = place.origin + QPointF((column + 0.5) * place.cell, (row + 0.5) * place.cell)
        painter.drawRect(QRectF(centre.x() - 1, centre.y() - 1, 2, 2))
    painter.setOpacity(painter.opacity() / 0.6)
