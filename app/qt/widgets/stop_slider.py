"""A slider over a few offered values; those that cannot be stay in sight, crossed, and can be asked why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.qt.base.look import Look
from app.qt.widgets.zoomed import Zoomed

_MARGIN = 16
_TRACK_Y = 12
_LABEL_GAP = 2
_SHORT = 3
_DIRECTIONS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_Left: -1}
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class StopSlider(Zoomed):
    """Shows `stops` on one line. Picking one calls `picked`; `possible` tells which are crossed."""

    def __init__(
        self,
        look: Look,
        name: str,
        stops: Sequence[int],
        picked: Callable[[int], None],
        possible: Callable[[int], bool],
        written: Callable[[int], str] = str,
    ) -> None:
        """`written` is how a stop is shown."""
        super().__init__()
        self._written = written
        self._look = self.magnify(look)
        self._stops = self._offered = tuple(stops)
        self._picked = picked
        self._possible = possible
        self._value = self._stops[0]
        self._asked: int | None = None
        """A stop that was tried and refused."""
        self._stepped = 0
        """The way to it, where keys asked for it: the same way they go on from there, so that what lies beyond can be reached."""
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, 40))

    def show_value(self, value: int) -> None:
        """Put the handle on `value`: between stops where it lies between them; beyond the ends it is a stop too, while it holds."""
        self._value = value
        inside = self._offered[0] <= value <= self._offered[-1]
        self._stops = self._offered if inside else tuple(sorted((*self._offered, value)))
        self._asked = None
        self.setAccessibleDescription(self._written(value))
        self.update()

    def step(self, direction: int) -> None:
        """Pick the next stop upwards (1) or downwards (-1)."""
        begin = self._value if self._asked is None or self._stepped != direction else self._asked
        candidates = [stop for stop in self._stops if (stop - begin) * direction > 0]
        if candidates:
            self._pick(min(candidates, key=lambda stop: abs(stop - begin)))
            self._stepped = direction

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the four arrows; with Ctrl, Shift or Alt they are the window's."""
        direction = _DIRECTIONS.get(Qt.Key(event.key()))
        if direction is None or event.modifiers() & _HELD:
            super().keyPressEvent(event)
        else:
            self.step(direction)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pick_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pick_at(event.position().x())

    def _pick_at(self, x: float) -> None:
        nearest = min(self._stops, key=lambda stop: abs(self.x_of_stop(stop) - x))
        if nearest != (self._value if self._asked is None else self._asked):
            self._pick(nearest)

    def _pick(self, stop: int) -> None:
        """Ask for a stop. If it is refused, the value that holds stays shown."""
        self._asked, self._stepped = None, 0
        self._picked(stop)
        if stop != self._value:
            self._asked = stop
        self.update()

    def x_of_stop(self, stop: int) -> float:
        """Where one of the stops stands."""
        return self.x_of(self._stops.index(stop))

    def x_of(self, place: float) -> float:
        return _MARGIN + place * (self.width() - 2 * _MARGIN) / max(1, len(self._stops) - 1)

    def _place(self) -> float:
        """Where the value lies among the stops, counted in stops."""
        if self._value in self._stops:
            return self._stops.index(self._value)
        return sum(stop < self._value for stop in self._stops) - 0.5

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        handle = self.x_of(self._place())
        painter.setPen(QPen(theme.line2, 2))
        painter.drawLine(QPointF(self.x_of(0), _TRACK_Y), QPointF(self.x_of(len(self._stops) - 1), _TRACK_Y))
        painter.setPen(QPen(theme.ink, 3))
        painter.drawLine(QPointF(self.x_of(0), _TRACK_Y), QPointF(handle, _TRACK_Y))
        labelled = self._labelled()
        for place, stop in enumerate(self._stops):
            self._paint_stop(painter, self.x_of(place), stop, labelled=stop in labelled)
        painter.setPen(QPen(theme.ink, 2))
        painter.setBrush(theme.bg1)
        painter.drawEllipse(QPointF(handle, _TRACK_Y), 7, 7)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(handle, _TRACK_Y), 11, 11)

    def _labelled(self) -> set[int]:
        """The stops whose numbers have room: the chosen one, the ends, then from the left."""
        chosen: dict[int, tuple[float, float]] = {}
        wanted = [stop for stop in (self._value, self._asked, self._stops[0], self._stops[-1]) if stop in self._stops]
        for stop in dict.fromkeys([*wanted, *self._stops]):
            left, right = self._label_span(stop)
            if all(right <= other_left or left >= other_right for other_left, other_right in chosen.values()):
                chosen[stop] = left, right
        return set(chosen)

    def _label_span(self, stop: int) -> tuple[float, float]:
        """Where a stop's text begins and ends; a wide one at an end moves in rather than being cut."""
        text = self._written(stop)
        half = QFontMetricsF(self._look.theme.font("label")).horizontalAdvance(text) / 2 + _LABEL_GAP
        middle = self.x_of_stop(stop)
        if len(text) > _SHORT:
            middle = min(max(middle, half), self.width() - half)
        return middle - half, middle + half

    def _paint_stop(self, painter: QPainter, x: float, stop: int, *, labelled: bool) -> None:
        theme = self._look.theme
        possible = self._possible(stop)
        if possible:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.line2)
            painter.drawEllipse(QPointF(x, _TRACK_Y), 3, 3)
        else:
            painter.setPen(QPen(theme.bad, 2))
            for slope in (-1, 1):
                painter.drawLine(QPointF(x - 4, _TRACK_Y - 4 * slope), QPointF(x + 4, _TRACK_Y + 4 * slope))
        if stop == self._asked:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(x, _TRACK_Y), 9, 9)
        if not labelled:
            return
        painter.setFont(theme.font("label" if stop == self._value else "caption"))
        painter.setPen(theme.t1 if possible else theme.bad)
        left, right = self._label_span(stop)
        painter.drawText(QRectF(left, _TRACK_Y + 10, right - left, 16), Qt.AlignmentFlag.AlignCenter, self._written(stop))
