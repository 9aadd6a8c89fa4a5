"""Painter of the elements of one matrix: colours by role, values where a cell has room for digits.

The elements are kept as an image, of which only what has changed is drawn anew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from app.core.base.i18n import MINUS
from app.core.cpu_view.cell_roles import Role, Roles, aggregate
from app.core.cpu_view.frame import MatrixFrame
from app.qt.base.theme import Theme
from app.qt.base.vector import is_vector
from app.qt.matrix.geometry import MatrixBox

DIGITS_FROM = 22.0
GAPS_FROM = 10.0
WIDE_GAPS_FROM = 25.0
TILE_GAPS_FROM = 3.0
SMALLEST_DIGITS = 9
NEARLY_NOTHING = "≈0"
_TEXTURE = len(Role)
"""Added to the role of an idle element for the second tone of its texture."""


def paint_small_cells(painter: QPainter, matrix: MatrixFrame, place: MatrixBox, theme: Theme) -> None:
    """Draw all elements of a matrix whose cells have no room for gaps: one image, and lines between tiles."""
    roles = aggregate(matrix.roles, place.factor) if place.factor > 1 else matrix.roles
    painter.drawImage(place.area, role_image(roles, matrix.name, theme))
    if place.cell >= TILE_GAPS_FROM:
        rows, columns = (tick.values if tick else () for tick in matrix.ticks)
        paint_tile_gaps(painter, rows, columns, place, theme)


class CellPainter:
    """Draws single cells of one matrix, of one size and in one theme, at places given as row and column."""

    def __init__(self, name: str, cell: float, pixel: float, theme: Theme) -> None:
        """`pixel` is the size of a device pixel."""
        self._cell = cell
        self._filled = cell - (2 * pixel if cell >= WIDE_GAPS_FROM else pixel)
        self._fills = [role_colour(role, name, theme) for role in Role] + [theme.cell2]
        self._inks = [readable_on(fill, theme) for fill in self._fills]
        for quiet in (Role.IDLE, Role.BAND, _TEXTURE):
            self._inks[quiet] = theme.t2
        self._dot = theme.line2
        self._font = digits_font(theme, cell) if cell >= DIGITS_FROM else None
        self._texts: dict[float, tuple[str, QPointF]] = {}

    def paint(self, painter: QPainter, row: int, column: int, tone: int, value: float) -> None:
        """Fill the cell in its tone (see `tones`), and write its value or mark it as not written."""
        corner = QPointF(column * self._cell, row * self._cell)
        painter.fillRect(QRectF(corner.x(), corner.y(), self._filled, self._filled), self._fills[tone])
        if tone == Role.EMPTY:
            middle = round((self._filled - 2) / 2)
            painter.fillRect(QRectF(corner.x() + middle, corner.y() + middle, 2, 2), self._dot)
        elif self._font is not None and value == value:
            text, offset = self._text(value)
            painter.setFont(self._font)
            painter.setPen(self._inks[tone])
            painter.drawText(corner + offset, text)

    def _text(self, value: float) -> tuple[str, QPointF]:
        if value not in self._texts and self._font is not None:
            metrics = QFontMetricsF(self._font)
            text = fitting_text(value, metrics, self._filled)
            baseline = (self._filled + metrics.ascent() - metrics.descent()) / 2
            self._texts[value] = text, QPointF((self._filled - metrics.horizontalAdvance(text)) / 2, baseline)
        return self._texts[value]


def tones(roles: Roles) -> Roles:
    """The role of each element, or one more than all roles where an idle one has the second tone of the texture."""
    return np.where(_texture(roles.shape) & (roles == Role.IDLE), np.uint8(_TEXTURE), roles)


@lru_cache(maxsize=16)
def _texture(shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Where the second tone is."""
    rows, columns = np.indices(shape)
    return np.asarray((rows * 7 + columns * 13 + rows * columns) % 3 == 0)


def role_image(roles: Roles, name: str, theme: Theme) -> QImage:
    """One pixel for each element; its indices are tones, so that a theme only changes the table of colours."""
    indices = np.ascontiguousarray(tones(roles))
    image = QImage(indices.tobytes(), roles.shape[1], roles.shape[0], roles.shape[1], QImage.Format.Format_Indexed8)
    image.setColorTable(tone_colours(name, theme))
    return image.copy()  # the bytes belong to Python and go with this call


def tone_colours(name: str, theme: Theme) -> list[int]:
    """The colour of each tone."""
    return [role_colour(role, name, theme).rgb() for role in Role] + [theme.cell2.rgb()]


def role_colour(role: int, name: str, theme: Theme) -> QColor:
    """The colour that fills an element of a matrix in this role."""
    strong, middle, tint = theme.matrix(name)
    fills = {
        Role.IDLE: theme.cell, Role.EMPTY: theme.cell, Role.BAND: tint, Role.PARTIAL: tint, Role.DONE: middle, Role.TILE: middle,
        Role.TOUCHED: strong, Role.READ: strong, Role.WRITE: strong,
    }  # fmt: skip
    return fills[Role(role)]


def value_texts(value: float) -> tuple[str, ...]:
    """The ways to write a value in a cell, the most exact one first."""
    if not math.isfinite(value):
        return ()
    exact, short = f"{abs(value):.3g}", f"{abs(value):.2g}"
    digits = [exact, short, *(text.removeprefix("0") for text in (short, f"{abs(value):.1f}") if text.startswith("0."))]
    return tuple(MINUS + text if value < 0 and float(text) else text for text in digits if "e" not in text and text != ".0")


def fitting_text(value: float, metrics: QFontMetricsF, width: float) -> str:
    """The most exact way to write a value that is no wider than `width`; empty if there is none."""
    texts = (*value_texts(value), *((NEARLY_NOTHING,) if abs(value) < 0.05 else ()))
    return next((text for text in texts if metrics.horizontalAdvance(text) <= width), "")


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


def paint_tile_gaps(painter: QPainter, rows: Sequence[int], columns: Sequence[int], place: MatrixBox, theme: Theme) -> None:
    """Lines of the background above these rows and left of these columns."""
    area, half = place.area, 0.5 / painter.device().devicePixelRatio()
    pen = QPen(theme.bg2, 2 * half)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    down, along = ([value // place.factor * place.cell - half for value in values] for values in (rows, columns))
    painter.drawLines([QLineF(area.left(), area.top() + y, area.right(), area.top() + y) for y in down])
    painter.drawLines([QLineF(area.left() + x, area.top(), area.left() + x, area.bottom()) for x in along])


_NOT_DRAWN = 255


class CellLayers:
    """Draws the cells of matrices. The picture depends on what is asked for alone, the time it takes on what was drawn before."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._layers: dict[str, _Layer] = {}

    def paint(self, painter: QPainter, matrix: MatrixFrame, place: MatrixBox) -> None:
        """Draw all elements of a matrix at its place."""
        if place.cell < GAPS_FROM:
            paint_small_cells(painter, matrix, place, self._theme)
            return
        self.paint_tones(painter, matrix.name, tones(matrix.roles), matrix.values, place)

    def paint_tones(self, painter: QPainter, name: str, shown: Roles, values: npt.NDArray[np.float32], place: MatrixBox) -> None:
        """Paint the elements of a matrix by tones and values, for cells with room for gaps."""
        if is_vector(painter):
            self._paint_each(painter, name, shown, values, place)
            return
        size = (shown.shape, place.cell, painter.device().devicePixelRatio())
        layer = self._layers.get(name)
        if layer is None or layer.size != size:
            layer = self._layers[name] = _Layer(name, *size, self._theme)
        layer.update(shown, values)
        painter.drawImage(place.origin, layer.image)

    def _paint_each(self, painter: QPainter, name: str, shown: Roles, values: npt.NDArray[np.float32], place: MatrixBox) -> None:
        """Paint cell by cell where lines stay lines."""
        cells = CellPainter(name, place.cell, 1 / painter.device().devicePixelRatio(), self._theme)
        painter.save()
        painter.translate(place.origin)
        for row, column in np.ndindex(*shown.shape):
            cells.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
        painter.restore()


class _Layer:
    """Layer of one matrix: its image, and what that shows."""

    def __init__(self, name: str, shape: tuple[int, int], cell: float, ratio: float, theme: Theme) -> None:
        self.size = (shape, cell, ratio)
        self.image = QImage(math.ceil(shape[1] * cell * ratio), math.ceil(shape[0] * cell * ratio), QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self.image.fill(theme.bg2)
        self._tones = np.full(shape, _NOT_DRAWN, np.uint8)
        self._values = np.zeros(shape, np.float32)
        self._painter = CellPainter(name, cell, 1 / ratio, theme)

    def update(self, shown: Roles, values: npt.NDArray[np.float32]) -> None:
        same = (self._values == values) | (np.isnan(self._values) & np.isnan(values))
        changed = np.argwhere((shown != self._tones) | ~same)
        if not len(changed):
            return
        painter = QPainter(self.image)
        for row, column in changed.tolist():
            self._painter.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
        painter.end()
        self._tones, self._values = shown.copy(), values.copy()
