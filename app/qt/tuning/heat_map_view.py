"""Heat map: a cell for each pair of values, with its number; what cannot work is hatched, the fastest framed.

Each share of the range has a shade, and each shade an ink that can be read on it; the scale is below the cells.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QLinearGradient, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.core.base.value_labels import value_text
from app.core.results.curves import unit
from app.core.results.quantities import share_of_library
from app.core.tuning.heat_map import Cell, CellKind, HeatMap, Place
from app.core.tuning.sentences import cell_text, rate_text
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message
from kernels.base.spec import Parameter
from kernels.measure.results import Result

_INK, _PAPER = QColor("#000000"), QColor("#FFFFFF")


def heat_colour(theme: Theme, share: float) -> QColor:
    """Between the colours of the theme; `share` goes from 0, the least, to 1."""
    place = min(max(share, 0.0), 1.0) * (len(theme.heat) - 1)
    low = min(int(place), len(theme.heat) - 2)
    first, second, part = theme.heat[low], theme.heat[low + 1], place - low
    mixed = (one + (other - one) * part for one, other in zip(first.getRgb()[:3], second.getRgb()[:3], strict=True))  # type: ignore[index]
    return QColor(*map(round, mixed))


def ink_on(ground: QColor) -> QColor:
    """Dark or light, whichever stands out more."""
    return _INK if contrast(_INK, ground) >= contrast(_PAPER, ground) else _PAPER


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


BEST, REFUSED, UNTRIED = "★", "✕", "–"
_CENTRE = Qt.AlignmentFlag.AlignCenter
_FRAME = 4.0
_BAR = 12.0
_ROOM_FOR_SHARE = 52.0
_FILLED = 0.85
"""How much of a cell its number may take."""


def paint_cell(
    painter: QPainter, look: Look, cell: Cell, place: QRectF, rates: tuple[float, float] | None, share: str, *, best: bool
) -> None:
    """A cell by what is known of it: a shade with the rate and its share of the library, "" for none; a hatch, or an empty field."""
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
    _paint_numbers(painter, look, cell, place, share, best=best)


def _paint_numbers(painter: QPainter, look: Look, cell: Cell, place: QRectF, share: str, *, best: bool) -> None:
    """The rate, as large in the fastest cell as in others; there a star stands above it, or before it where that leaves no room."""
    assert cell.result is not None
    number = look.text(rate_text(cell.result))
    room = min(place.width() * _FILLED, place.width() - 4 * _FRAME)
    fits = QFontMetricsF(look.theme.font("step")).horizontalAdvance(share) <= room
    shared = bool(share) and fits and place.height() >= _ROOM_FOR_SHARE
    upper = place.adjusted(0, 0, 0, -place.height() * 0.38) if shared else place
    for role in ("hero", "view_caption", "sentence", "section", "caption"):
        painter.setFont(look.theme.font(role))
        metrics = QFontMetricsF(painter.font())
        if metrics.horizontalAdvance(number) <= room and metrics.height() <= upper.height() * _FILLED:
            break
    top = upper.bottom() - metrics.height() if shared else upper.center().y() - metrics.height() / 2
    if best and not _paint_star(painter, place, top):
        starred = f"{BEST} {number}"
        number = starred if metrics.horizontalAdvance(starred) <= room else number  # its frame says that it is the fastest
    painter.drawText(upper, _CENTRE | (Qt.AlignmentFlag.AlignBottom if shared else _CENTRE), number)
    if shared:
        painter.setFont(look.theme.font("step"))
        lower = place.adjusted(0, place.height() * 0.56, 0, -2 * _FRAME if best else 0)
        painter.drawText(lower, _CENTRE, share)


def _paint_star(painter: QPainter, place: QRectF, bottom: float) -> bool:
    """Paint the star of the fastest cell within its frame, above `bottom`; False where there is no room."""
    above = QRectF(place.left(), place.top() + 2 * _FRAME, place.width(), bottom - place.top() - 2 * _FRAME)
    if above.height() < QFontMetricsF(painter.font()).tightBoundingRect(BEST).height():
        return False
    painter.drawText(above, _CENTRE, BEST)
    return True


def _paint_sign(painter: QPainter, look: Look, sign: str, place: QRectF) -> None:
    """Paint a sign on a ground of its own, so that the hatch does not strike it through."""
    theme = look.theme
    painter.setFont(theme.font("sentence"))
    side = min(QFontMetricsF(painter.font()).height(), place.height())
    ground = QRectF(place.center().x() - side / 2, place.center().y() - side / 2, side, side)
    painter.fillRect(ground, theme.bg2)
    painter.setPen(theme.t1 if sign == REFUSED else theme.t3)
    painter.drawText(ground, _CENTRE, sign)


def paint_scale(painter: QPainter, look: Look, picture: HeatMap, place: QRectF) -> None:
    """The bar of colours with its ends, or the only rate with its colour, and what the signs say."""
    assert picture.range is not None
    theme, (least, most) = look.theme, picture.range
    number = look.translator.number
    painter.setFont(theme.font("body"))
    metrics = QFontMetricsF(painter.font())
    name = unit(picture.problem.operation)
    several = most > least
    ends = (number(least) if several else "", f"{number(most)} {name}")
    top = place.center().y() - _BAR / 2
    widths = [metrics.horizontalAdvance(text) + 10 for text in ends]
    bar = QRectF(place.left() + widths[0], top, min(220.0, place.width() - sum(widths)), _BAR)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    colours = theme.heat if several else (heat_colour(theme, 1.0),) * 2
    for index, colour in enumerate(colours):
        gradient.setColorAt(index / (len(colours) - 1), colour)
    painter.fillRect(bar, gradient)
    painter.setPen(theme.t1)
    painter.drawText(QRectF(place.left(), place.top(), widths[0], place.height()), Qt.AlignmentFlag.AlignVCenter, ends[0])
    painter.drawText(QRectF(bar.right() + 10, place.top(), widths[1], place.height()), Qt.AlignmentFlag.AlignVCenter, ends[1])
    key = look.text(message("{best} fastest   {refused} cannot work   {untried} not tried", best=BEST, refused=REFUSED, untried=UNTRIED))
    left = bar.right() + 10 + widths[1] + 14
    if left + metrics.horizontalAdvance(key) <= painter.viewport().width():
        painter.setPen(theme.t2)
        painter.drawText(QRectF(left, place.top(), 600, place.height()), Qt.AlignmentFlag.AlignVCenter, key)


_TITLE, _VALUES, _SCALE, _GAP, _EDGE = 26.0, 26.0, 44.0, 3.0, 4.0
_WIDEST_CELL, _HIGHEST_CELL = 240.0, 130.0
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class HeatMapView(Zoomed):
    """Values of y grow upwards. A click on a cell, or Enter, says `chosen` with its `Cell`; the arrows walk from cell to cell."""

    chosen = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._map: HeatMap | None = None
        self._shares: dict[Place, str] = {}
        self._cursor: Place | None = None
        self.setAccessibleName(look.text(message("Heat map of the settings")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    @property
    def picture(self) -> HeatMap | None:
        """What is shown."""
        return self._map

    def sizeHint(self) -> QSize:
        return self.grown(QSize(640, 420))

    def minimumSizeHint(self) -> QSize:
        return self.grown(QSize(300, 160))

    def show_map(self, picture: HeatMap | None, library: Result | None) -> None:
        """Draw another map."""
        self._map = picture
        self._shares = {
            place: share_of_library(cell.result, library).text
            for place, cell in ({} if picture is None else picture.cells).items()
            if library is not None and cell.result is not None and cell.result.median_ms
        }
        if picture is None or self._cursor not in picture.cells:
            self._cursor = None if picture is None else picture.best or next(iter(picture.cells), None)
        self._describe()
        self.update()

    def place_of(self, place: Place) -> QRectF:
        """Where a cell is drawn."""
        assert self._map is not None
        area, columns, rows = self._area(), self._map.columns, self._map.rows
        width, height = self._cell_size()
        column, row = columns.index(place[0]), len(rows) - 1 - rows.index(place[1])
        return QRectF(area.left() + column * width, area.top() + row * height, width - _GAP, height - _GAP)

    def cell_at(self, spot: QPointF) -> Place | None:
        """The cell under a point."""
        places = self._map.cells if self._map is not None else ()
        return next((place for place in places if self.place_of(place).contains(spot)), None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._map is None:
            return
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rates = self._map.range
        for place, cell in self._map.cells.items():
            share, best = self._shares.get(place, ""), place == self._map.marked
            paint_cell(painter, self._look, cell, self.place_of(place), rates, share, best=best)
        if self.hasFocus() and self._cursor is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.theme.now, 2, Qt.PenStyle.DashLine))
            painter.drawRect(self.place_of(self._cursor).adjusted(6, 6, -6, -6))
        self._paint_axes(painter, self._map)
        if self._map.range is not None:
            paint_scale(painter, self._look, self._map, self._scale_place())
        painter.end()

    def _paint_axes(self, painter: QPainter, picture: HeatMap) -> None:
        theme, area = self._look.theme, self._area()
        painter.setPen(theme.t1)
        painter.setFont(theme.font("sentence"))
        for value in picture.columns:
            cell = self.place_of((value, picture.rows[0]))
            below = QRectF(cell.left(), area.bottom(), cell.width(), _VALUES)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._written(picture.x, value))
        for value in picture.rows if picture.y is not None else ():
            cell = self.place_of((picture.columns[0], value))
            beside = QRectF(0, cell.top(), area.left() - 8, cell.height())
            assert picture.y is not None
            painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._written(picture.y, value))
        painter.setPen(theme.t2)
        painter.setFont(theme.font("step"))
        foot = QRectF(area.left(), area.bottom() + _VALUES, area.width(), _TITLE)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, f"{self._look.text(picture.x.title)} ({picture.x.name}) →")
        if picture.y is not None:
            head = QRectF(_EDGE, 0, self.width(), _TITLE)
            painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, f"↑ {self._look.text(picture.y.title)} ({picture.y.name})")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._cursor = place
            self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._cursor is not None and self._map is not None:
            column = self._map.columns.index(self._cursor[0]) + step[0]
            row = self._map.rows.index(self._cursor[1]) + step[1]
            if 0 <= column < len(self._map.columns) and 0 <= row < len(self._map.rows):
                self._cursor = (self._map.columns[column], self._map.rows[row])
                self._describe()
                self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self.cell_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if place is None else self.words_of(place), self)
            return True
        return super().event(event)

    def words_of(self, place: Place) -> str:
        """What is said of a cell."""
        assert self._map is not None
        cell: Cell = self._map.cells[place]
        return self._look.text(cell_text(cell, best=place == self._map.marked))

    def _choose(self) -> None:
        if self._map is not None and self._cursor is not None and self._map.cells[self._cursor].kind is not CellKind.REFUSED:
            self.chosen.emit(self._map.cells[self._cursor])

    def _describe(self) -> None:
        self.setAccessibleDescription("" if self._map is None or self._cursor is None else self.words_of(self._cursor))

    def _written(self, parameter: Parameter, value: int) -> str:
        return self._look.text(value_text(parameter, value))

    def _left(self) -> float:
        if self._map is None or self._map.y is None:
            return _EDGE
        metrics = QFontMetricsF(self._look.theme.font("sentence"))
        return _EDGE + 16 + max(metrics.horizontalAdvance(self._written(self._map.y, value)) for value in self._map.rows)

    def _area(self) -> QRectF:
        """The cells; not larger than they need be."""
        assert self._map is not None
        width, height = self._cell_size()
        head = _TITLE if self._map.y is not None else 0.0
        return QRectF(self._left(), head, width * len(self._map.columns), height * len(self._map.rows))

    def _cell_size(self) -> tuple[float, float]:
        assert self._map is not None
        head = _TITLE if self._map.y is not None else 0.0
        width = (self.width() - self._left() - _EDGE) / len(self._map.columns)
        height = (self.height() - head - _VALUES - _TITLE - _SCALE) / len(self._map.rows)
        return min(width, _WIDEST_CELL), min(height, _HIGHEST_CELL)

    def _scale_place(self) -> QRectF:
        area = self._area()
        return QRectF(_EDGE, area.bottom() + _VALUES + _TITLE, max(area.right() - _EDGE, 260.0), _SCALE)
