"""Painter of the elements of one matrix: colours by role, values where a cell has room for digits.

The elements are kept as an image, of which only what has changed is drawn anew.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from app.core.base.i18n import MINUS
from app.core.frames.matrix import Box, Layers, MatrixFrame, Role, Roles, Values
from app.qt.base.theme import Theme
from app.qt.base.vector import is_vector
from app.qt.matrix.geometry import GAPS_FROM, TILE_GAPS_FROM, MatrixBox

DIGITS_FROM = 22.0
WIDE_GAPS_FROM = 25.0
SMALLEST_DIGITS = 9
_READABLE = 4.5
"""The contrast that a text needs."""
NEARLY_NOTHING = "≈0"
_TEXTURE = len(Role)
"""Added to the role of an idle element for the second tone of its texture."""


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


def tone_colours(name: str, theme: Theme) -> list[int]:
    """The colour of each tone."""
    return [role_colour(role, name, theme).rgb() for role in Role] + [theme.cell2.rgb()]


def role_colour(role: int, name: str, theme: Theme) -> QColor:
    """The colour that fills an element of a matrix in this role."""
    strong, middle, tint = theme.matrix(name)
    fills = {
        Role.ABSENT: theme.bg2, Role.IDLE: theme.cell, Role.EMPTY: theme.cell, Role.BAND: tint, Role.PARTIAL: tint,
        Role.DONE: middle, Role.TILE: middle, Role.TOUCHED: strong, Role.READ: strong, Role.WRITE: strong,
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
    """The text colour of the theme that stands out more from a fill; black or white where neither can be read there."""
    return QColor.fromRgb(_readable_on(fill.rgb(), theme.t1.rgb(), theme.ink_text.rgb()))


@lru_cache(maxsize=1024)
def _readable_on(fill: int, *inks: int) -> int:
    """Painters ask for each cell of each frame; there are few fills."""
    ground = QColor(fill)
    own = max(inks, key=lambda ink: _contrast(QColor(ink), ground))
    if _contrast(QColor(own), ground) >= _READABLE:
        return own
    return max((QColor(Qt.GlobalColor.black).rgb(), QColor(Qt.GlobalColor.white).rgb()), key=lambda ink: _contrast(QColor(ink), ground))


def _contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(channel: float) -> float:
        return float(channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def _paint_gaps(painter: QPainter, gaps: tuple[Sequence[int], Sequence[int]], place: MatrixBox, width: float, theme: Theme) -> None:
    """Lines of the background above these rows and left of these columns."""
    pen = QPen(theme.bg2, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLines(_gap_lines(*map(tuple, gaps), place.area.getRect(), place.cell, width / 2))


@lru_cache(maxsize=64)
def _gap_lines(rows: tuple[int, ...], columns: tuple[int, ...], place: tuple[float, ...], cell: float, half: float) -> list[QLineF]:
    """They stay for many frames."""
    area = QRectF(*place)
    down, along = ([value * cell - half for value in values] for values in (rows, columns))
    across = [QLineF(area.left(), area.top() + y, area.right(), area.top() + y) for y in down]
    return across + [QLineF(area.left() + x, area.top(), area.left() + x, area.bottom()) for x in along]


_NOT_DRAWN = 255


class MatrixCells:
    """Draws windows of matrices. The picture depends on what is asked for alone, the time it takes on what was drawn before."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._small: dict[tuple[str, bool], _Small] = {}
        self._large: dict[tuple[str, bool], _Large] = {}

    def paint(self, painter: QPainter, matrix: MatrixFrame, window: Box, place: MatrixBox, ratio: float) -> None:
        """Draw the elements in a window, whose upper left corner is that of the place; `ratio` device pixels are one of the view."""
        whole = window == (0, 0, *matrix.shape)
        key, layers = (matrix.name, whole), matrix.cells.layers(window, place.factor)
        small = self._small.get(key)
        if small is None:
            small = self._small[key] = _Small(tone_colours(matrix.name, self._theme))
        if place.cell < GAPS_FROM:
            drawn, (rows, columns) = small.image(layers, place.cell, ratio), layers.ground.shape
            if abs(drawn.width() - columns * place.cell * ratio) < 1:
                painter.drawImage(place.origin, drawn)
            else:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(QRectF(place.origin, QSizeF(columns * place.cell, rows * place.cell)), drawn)
            if place.cell >= TILE_GAPS_FROM and whole:
                _paint_gaps(painter, matrix.gaps, place, 1 / ratio, self._theme)
            return
        shown, values = small.tones(layers), _values(matrix, window, place.cell)
        if is_vector(painter):
            _paint_each(painter, CellPainter(matrix.name, place.cell, 1 / ratio, self._theme), shown, values, place.origin)
            return
        size, large = (shown.shape, place.cell, ratio), self._large.get(key)
        if large is None or large.size != size:
            large = self._large[key] = _Large(matrix.name, *size, self._theme)
        large.update(shown, values)
        painter.drawImage(place.origin, large.image)


def _paint_each(painter: QPainter, cells: CellPainter, shown: Roles, values: Values, origin: QPointF) -> None:
    """Paint all cells, where lines stay lines."""
    painter.save()
    painter.translate(origin)
    for row, column in np.ndindex(*shown.shape):
        cells.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
    painter.restore()


def _values(matrix: MatrixFrame, window: Box, cell: float) -> Values:
    """The values in a window where there is room for digits; else NaN."""
    return matrix.cells.values(window) if cell >= DIGITS_FROM else np.full((window.rows, window.columns), np.nan, np.float32)


class _Small:
    """Cells of one window without gaps: its ground as tones and as pixels, made anew when it changes."""

    def __init__(self, colours: list[int]) -> None:
        self._colours = np.array(colours, np.uint32)
        self._ground: tuple[Hashable, Roles] | None = None
        self._pixels: tuple[Hashable, npt.NDArray[np.uint32]] | None = None
        self._drawn = np.zeros((0, 0), np.uint32)

    def tones(self, layers: Layers) -> Roles:
        """The tone of every cell."""
        return Layers(layers.key, self._quiet(layers), layers.changes).roles()

    def image(self, layers: Layers, cell: float, ratio: float) -> QImage:
        """The cells as device pixels, whole ones for each cell. It sees memory that the next call changes."""
        side = math.ceil(cell * ratio - 0.01)
        key = layers.key, side
        if self._pixels is None or self._pixels[0] != key:
            self._pixels = key, np.repeat(np.repeat(self._colours[self._quiet(layers)], side, axis=0), side, axis=1)
        if self._drawn.shape != self._pixels[1].shape:
            self._drawn = np.empty_like(self._pixels[1])
        np.copyto(self._drawn, self._pixels[1])
        rows, columns = layers.ground.shape
        by_cell = self._drawn.reshape(rows, side, columns, side).swapaxes(1, 2)
        for cells, role in layers.changes:
            by_cell[cells // columns, cells % columns] = self._colours[role]
        image = QImage(self._drawn.data, columns * side, rows * side, 4 * columns * side, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return image

    def _quiet(self, layers: Layers) -> Roles:
        if self._ground is None or self._ground[0] != layers.key:
            self._ground = layers.key, tones(layers.ground)
        return self._ground[1]


class _Large:
    """Cells of one window with gaps, and digits where there is room: an image, and what that shows."""

    def __init__(self, name: str, shape: tuple[int, int], cell: float, ratio: float, theme: Theme) -> None:
        self.size = (shape, cell, ratio)
        self.image = QImage(math.ceil(shape[1] * cell * ratio), math.ceil(shape[0] * cell * ratio), QImage.Format.Format_RGB32)
        self.image.setDevicePixelRatio(ratio)
        self.image.fill(theme.bg2)
        self._tones = np.full(shape, _NOT_DRAWN, np.uint8)
        self._values = np.zeros(shape, np.float32)
        self._painter = CellPainter(name, cell, 1 / ratio, theme)

    def update(self, shown: Roles, values: Values) -> None:
        same = (self._values == values) | (np.isnan(self._values) & np.isnan(values))
        changed = np.argwhere((shown != self._tones) | ~same)
        if not len(changed):
            return
        painter = QPainter(self.image)
        for row, column in changed.tolist():
            self._painter.paint(painter, row, column, int(shown[row, column]), float(values[row, column]))
        painter.end()
        self._tones, self._values = shown.copy(), values.copy()
