"""One chart: pyqtgraph draws axes and curves, the overlay all that is written beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.results.curves import Series, SeriesKey
from app.qt.base.look import Look
from app.qt.charts.content import ChartContent
from app.qt.charts.labels import distance_to
from app.qt.charts.lines import DIMMED, QUIET, CurveItems, Drawn, Strength
from app.qt.charts.overlay import LABEL_GAP, Overlay
from app.qt.charts.plot import Plot
from app.qt.charts.style import LineStyle, line_style

_MOST_FOR_NAMES, _MOST_OF_A_COMPACT_ONE = 0.3, 0.45
"""Of the width of a chart."""
_MOST_BANDS = 8
"""With more curves than this, ranges lie over each other: only that of the curve that is pointed at is drawn."""
_NEAR = 14.0
"""Pixels from the mouse to a curve that it points at."""
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
_CURVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_COMES_BACK = Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason
"""Why the focus may go for a while only."""


class Chart(QWidget):
    """Curves over n or a parameter, with a crosshair that snaps to measured values: arrow keys, Home and End move it, Escape hides it.

    The mouse points at the curve that it is near to, the up and down keys at one after the other; the others are dimmed meanwhile.
    """

    crosshair_moved = Signal(object)
    """The value of the axis under the crosshair, or None."""
    pointed = Signal(str)
    """The id of the variant whose curve is pointed at, "" for none."""

    def __init__(self, look: Look, name: str, *, compact: bool = False) -> None:
        """`name` is for readers of the screen; a compact chart names its lines without their parameters."""
        super().__init__()
        self._look = look
        self._content = ChartContent()
        self._compact = compact
        self._curves: dict[SeriesKey, CurveItems] = {}
        self._styles: dict[SeriesKey, LineStyle] = {}
        self._laid_out: object = None
        self._paths: list[tuple[SeriesKey, list[tuple[float, float]], bool]] | None = None
        """Where lines and the signs of their points are; whether the corners are joined."""
        self._pointed: SeriesKey | None = None
        self._asked: Callable[[SeriesKey], bool] | None = None
        self._plot = Plot(look, self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._draw)
        self._overlay = Overlay(look, self._seen_at, self._area_seen, self, compact=compact)
        self._overlay.pointed.connect(self._mouse_at)
        self._overlay.left.connect(self._mouse_left)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def content(self) -> ChartContent:
        """What is shown."""
        return self._content

    @property
    def overlay(self) -> Overlay:
        """Names, marks, crosshair and its box."""
        return self._overlay

    @property
    def crosshair(self) -> int | None:
        """Where the crosshair stands, None while it is hidden."""
        return self._overlay.crosshair

    @property
    def emphasis(self) -> frozenset[SeriesKey]:
        """The lines that are pointed at."""
        return self._overlay.emphasis

    def sizeHint(self) -> QSize:
        return QSize(600, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 140)

    def show_content(self, content: ChartContent) -> int:
        """Draw other content; returns how many curves had to be drawn. The crosshair stays where there is still a result under it."""
        before, self._content = self._content, content
        self._overlay.content = content
        drawn = self._show_curves(content)
        if (content.reference_lines, content.x_scale, content.y_scale) != (before.reference_lines, before.x_scale, before.y_scale):
            self._plot.show_reference_lines(content)
        if self._pointed not in self._curves:
            self._pointed = None
        if self.crosshair not in content.measured_xs:
            self._set_crosshair(None)
        self._lay_out()
        self._emphasise()
        self._soon.start()
        return drawn

    def point_at(self, asked: Callable[[SeriesKey], bool] | None) -> None:
        """Dim all lines but those that are asked for, None: none. What the mouse points at in the chart itself comes first."""
        self._asked = asked
        self._emphasise()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plot.setGeometry(self.rect())
        self._overlay.setGeometry(self.rect())
        self._lay_out()
        self._overlay.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus(focused=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus(focused=False)
        if event.reason() not in _COMES_BACK:
            self._mouse_left()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was pointed at before another page was shown is not asked for any more when this one is shown again."""
        super().hideEvent(event)
        self._mouse_left()

    def _show_focus(self, *, focused: bool) -> None:
        self._overlay.focused = focused
        self._overlay.update()

    def event(self, event: QEvent) -> bool:
        """Keep the arrow keys from the window's shortcuts while the chart has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(Qt.Key(event.key())):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and (self._pointed is not None or self.crosshair is not None):
            if self._pointed is None:
                self._set_crosshair(None)
            self._point(None)
        elif not self._takes(key):
            super().keyPressEvent(event)
        elif key in _CURVES:
            self._step_curves(_CURVES[key])
        else:
            self._set_crosshair(self._moved(key))

    def _takes(self, key: Qt.Key) -> bool:
        return bool(self._content.measured_xs) and (key in _STEPS | _ENDS or (key in _CURVES and bool(self._curves)))

    def _moved(self, key: Qt.Key) -> int:
        """Where a key would put the crosshair."""
        known, now = self._content.xs_of(self.emphasis), self.crosshair
        if key in _ENDS:
            return known[_ENDS[key]]
        forward = _STEPS[key] > 0
        if now is None:
            return known[0 if forward else -1]
        return next((x for x in known if x > now), known[-1]) if forward else next((x for x in reversed(known) if x < now), known[0])

    def _step_curves(self, step: int) -> None:
        """Point at the curve that ends next below or above, and put the crosshair on it."""
        lines = sorted((each for each in self._content.series if each.drawn), key=lambda each: -(each.drawn[-1].value or 0.0))
        keys = [each.key for each in lines]
        last = len(keys) - 1
        place = (0 if step > 0 else last) if self._pointed is None else max(0, min(last, keys.index(self._pointed) + step))
        self._point(keys[place])
        if self.crosshair not in (xs := [point.x for point in lines[place].drawn]):
            self._set_crosshair(xs[-1])

    def _set_crosshair(self, x: int | None) -> None:
        if x == self._overlay.crosshair:
            return
        self._overlay.crosshair = x
        self._tell()
        self.crosshair_moved.emit(x)

    def _tell(self) -> None:
        """Say what the box says, and paint it."""
        readout = self._overlay.readout()
        self.setAccessibleDescription("" if readout is None else readout[0].sentence())
        self._overlay.update()

    def _mouse_at(self, spot: QPointF) -> None:
        if self._content.measured_xs:
            self._point(self._curve_at(spot))
            known = self._content.xs_of(self.emphasis)
            self._set_crosshair(min(known, key=lambda x: abs(self._seen_at(x, self._content.y_scale.high).x() - spot.x())))

    def _mouse_left(self) -> None:
        self._point(None)
        self._set_crosshair(None)

    def _curve_at(self, spot: QPointF) -> SeriesKey | None:
        """The line nearest to a place, where one is near: it, or the sign of one of its points."""
        if self._paths is None:
            lines = [(each.key, self._path(each), not self._content.names) for each in self._content.series if each.drawn]
            self._paths = [*lines, *((key, [(sign.x(), sign.y())], False) for key, sign in self._overlay.disturbed())]
        far = [(distance_to((spot.x(), spot.y()), path, joined=joined), key) for key, path, joined in self._paths]
        distance, nearest = min(far, key=lambda each: each[0], default=(_NEAR, None))
        return nearest if distance <= _NEAR else None

    def _path(self, series: Series) -> list[tuple[float, float]]:
        return [(spot.x(), spot.y()) for point in series.drawn for spot in [self._seen_at(point.x, point.value or 0.0)]]

    def _point(self, key: SeriesKey | None) -> None:
        if key != self._pointed:
            self._pointed = key
            self._emphasise()
            self.pointed.emit("" if key is None else key.variant_id)

    def _emphasise(self) -> None:
        """Dim what is not pointed at. No item is made anew for it."""
        found: Iterable[SeriesKey] = ()
        if self._pointed is not None:
            found = (self._pointed,)
        elif self._asked is not None:
            found = filter(self._asked, self._curves)
        emphasis, few, changed = frozenset(found), len(self._curves) <= _MOST_BANDS, False
        for key, items in self._curves.items():
            quiet = QUIET if self._content.quiet(key) and not self._look.theme.high_contrast else 1.0
            strength = quiet if not emphasis else 1.0 if key in emphasis else DIMMED
            changed |= items.show_strength(Strength(strength, in_front=key in emphasis, band=key in emphasis or few))
        if changed:
            self._plot.renew()
            self._soon.start()
        if emphasis != self._overlay.emphasis:
            self._overlay.emphasis = emphasis
            self._tell()

    def _show_curves(self, content: ChartContent) -> int:
        """Draw those that are new or have changed; returns how many. Those that are not there any more leave."""
        shown = {series.key: series for series in content.series if series.drawn}
        gone = [key for key in self._curves if key not in shown]
        for key in gone:
            self._curves.pop(key).remove()
        changed, log_x, log_y = 0, content.x_scale.log, content.y_scale.log
        (left, right), (bottom, top) = content.x_scale.span, content.y_scale.span
        width, height = right - left, top - bottom
        view = QRectF(left - width / 20, bottom - height / 20, 1.1 * width, 1.1 * height)  # markers on the axes are whole
        for key, series in shown.items():
            if key not in self._styles:
                self._styles[key] = line_style(self._look.theme, key.variant, key.provenance)
            drawn = Drawn(series, self._styles[key], log_x, log_y, joined=not content.names, zoom=self._look.theme.scale)
            if key in self._curves:
                changed += self._curves[key].show(drawn)
            else:
                self._curves[key] = CurveItems(self._plot.box, drawn)
                changed += 1
            self._curves[key].cover(view)
        if changed or gone:
            self._plot.renew()
        return changed

    def _lay_out(self) -> None:
        """Fit the axes to the content and the size, with room at the right for names; nothing where that has not changed."""
        content, room = self._content, self._room_for_names()
        now = (self.size(), room, content.x_scale, content.y_scale, content.xs, content.unit, content.parameter)
        self._paths = None
        if now != self._laid_out:
            self._laid_out = now
            self._plot.fit(content, self._overlay.kind, room)

    def _draw(self) -> None:
        """Have a picture of the plot, and then all painted: one after the other, so that the event loop comes round in between."""
        if self.isVisible():
            self._plot.draw()
            self._overlay.update()

    def _room_for_names(self) -> float:
        """What is free at the right of the axes."""
        room = self._look.theme.scale * (self._overlay.room_for_names() + LABEL_GAP)
        return min(room, self.width() * (_MOST_OF_A_COMPACT_ONE if self._compact else _MOST_FOR_NAMES))

    def _locate(self, x: float, value: float) -> QPointF:
        spot = QPointF(self._content.x_scale.position(x), self._content.y_scale.position(value))
        return self._plot.locate(spot)

    def _seen_at(self, x: float, value: float) -> QPointF:
        """Return a point's place in pixels of zoom 100 %, in which names and markers are painted."""
        return self._locate(x, value) / self._look.theme.scale

    def _area_seen(self) -> QRectF:
        area, zoom = self._plot.area(), self._look.theme.scale
        return QRectF(area.topLeft() / zoom, QSizeF(area.size()) / zoom)
