"""One chart: pyqtgraph draws axes and curves, the overlay all that is written beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.results.curves import Series, SeriesKey
from app.qt.base.look import Look
from app.qt.base.theme import FONT_ROLES
from app.qt.charts.content import ChartContent
from app.qt.charts.labels import LARGE, distance_to
from app.qt.charts.lines import DIMMED, QUIET, CurveItems, Drawn, reference_item
from app.qt.charts.overlay import LABEL_GAP, Overlay
from app.qt.charts.scales import size_ticks, value_ticks
from app.qt.charts.style import LineStyle, line_style

_AROUND = 2.3
"""Room above and below the axes for what they show, in heights of its type."""
_LEFT, _RIGHT = 70, 14
"""About what the vertical axis takes; what is free at the right."""
_MOST_FOR_NAMES, _MOST_OF_A_COMPACT_ONE = 0.3, 0.45
"""Of the width of a chart."""
_TICK_HEIGHT = 34.0
_OFFSET = 6
"""From an axis to what is written beside it."""
_HIGHEST_TICK = 0.98
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
        self._reference_lines: list[Any] = []
        self._laid_out: object = None
        self._paths: list[tuple[SeriesKey, list[tuple[float, float]], bool]] | None = None
        """Where lines and the signs of their points are; whether the corners are joined."""
        self._pointed: SeriesKey | None = None
        self._asked: Callable[[SeriesKey], bool] | None = None
        self._plot = pg.GraphicsLayoutWidget(self)
        self._frame = self._plot.ci
        self._box = self._frame.addViewBox(row=0, col=1, enableMenu=False, enableMouse=False)
        self._axes = {side: pg.AxisItem(side, linkView=self._box) for side in ("left", "bottom")}
        self._prepare_plot()
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
            self._show_reference_lines(content)
        if self._pointed not in self._curves:
            self._pointed = None
        if self.crosshair not in content.measured_xs:
            self._set_crosshair(None)
        self._lay_out()
        self._emphasise()
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
        """Dim what is not pointed at. Nothing is made anew for it."""
        found: Iterable[SeriesKey] = ()
        if self._pointed is not None:
            found = (self._pointed,)
        elif self._asked is not None:
            found = filter(self._asked, self._curves)
        emphasis, few = frozenset(found), len(self._curves) <= _MOST_BANDS
        for key, items in self._curves.items():
            quiet = QUIET if self._content.quiet(key) and not self._look.theme.high_contrast else 1.0
            strength = quiet if not emphasis else 1.0 if key in emphasis else DIMMED
            items.set_strength(strength, in_front=key in emphasis, band=key in emphasis or few)
        if emphasis != self._overlay.emphasis:
            self._overlay.emphasis = emphasis
            self._tell()

    def _show_curves(self, content: ChartContent) -> int:
        """Draw those that are new or have changed; returns how many. Those that are not there any more leave."""
        shown = {series.key: series for series in content.series if series.drawn}
        for key in [key for key in self._curves if key not in shown]:
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
                self._curves[key] = CurveItems(self._box, drawn)
                changed += 1
            self._curves[key].cover(view)
        return changed

    def _show_reference_lines(self, content: ChartContent) -> None:
        for item in self._reference_lines:
            self._box.removeItem(item)
        self._reference_lines = [
            reference_item(line, self._look.theme.t3, content.x_scale, content.y_scale) for line in content.reference_lines
        ]
        for item in self._reference_lines:
            self._box.addItem(item, ignoreBounds=True)

    def _prepare_plot(self) -> None:
        """Axes around the curves and nothing else: pyqtgraph's own plot would bring untranslated menus and buttons."""
        theme = self._look.theme
        self._plot.setBackground(theme.bg1)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        for view in (self._plot, self._plot.viewport()):
            view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._frame.layout.setSpacing(0)
        self._frame.addItem(self._axes["left"], row=0, col=0)
        self._frame.addItem(self._axes["bottom"], row=1, col=1)
        for side, axis in self._axes.items():
            axis.setStyle(tickLength=0, tickTextOffset=_OFFSET, autoExpandTextSpace=False, hideOverlappingLabels=False)
            axis.setTextPen(theme.t2)
            axis.setPen(theme.line2 if side == "bottom" else theme.bg1)
        self._grid = pg.PlotCurveItem(pen=theme.line, connect="pairs")
        self._grid.setZValue(-1)
        self._box.addItem(self._grid, ignoreBounds=True)

    def _lay_out(self) -> None:
        """Fit the axes to the content and the size, with room at the right for names; nothing where that has not changed."""
        content, room = self._content, self._room_for_names()
        now = (self.size(), room, content.x_scale, content.y_scale, content.xs, content.unit, content.parameter)
        self._overlay.update()
        self._paths = None
        if now == self._laid_out:
            return
        self._laid_out = now
        px, kind = self._look.px, self._overlay.kind
        around = _AROUND * FONT_ROLES[kind.plain][0]
        self._frame.layout.setContentsMargins(px(8), px(around), px(_RIGHT) + room, px(around))
        self._box.setRange(xRange=content.x_scale.span, yRange=content.y_scale.span, padding=0, disableAutoRange=True)
        wide = 1.3 if kind is LARGE else 1.0
        self._show_values(max(2, int((self.height() - 2 * px(around)) / px(_TICK_HEIGHT * wide))))
        self._show_sizes(max(1.0, self.width() - px(_LEFT + _RIGHT) - room), self._widest_name() if content.names else px(44 * wide))
        self._frame.layout.activate()

    def _widest_name(self) -> float:
        """What the widest name of a value on the horizontal axis takes, with a gap."""
        metrics = QFontMetricsF(self._look.theme.font(self._overlay.kind.plain))
        names = (self._content.x_name(x) for x in self._content.xs)
        return _OFFSET + max((metrics.horizontalAdvance(self._look.text(name)) for name in names if name is not None), default=0.0)

    def _show_values(self, most: int) -> None:
        """Show at most `most` ticks of the vertical axis, with lines across."""
        scale, number = self._content.y_scale, self._look.translator.number
        ticks = [tick for tick in value_ticks(scale, most) if scale.share(tick) < _HIGHEST_TICK]
        texts = [_tick_text(tick, number) for tick in ticks]
        font = self._look.theme.font(self._overlay.kind.plain)
        self._axes["left"].setStyle(tickFont=font)
        self._axes["left"].setWidth(max(map(QFontMetricsF(font).horizontalAdvance, texts), default=0.0) + _OFFSET + 2)
        self._axes["left"].setTicks([list(zip(map(scale.position, ticks), texts, strict=True))])
        heights = [scale.position(tick) for tick in ticks for _ in range(2)]
        self._grid.setData(list(self._content.x_scale.span) * len(ticks), heights)

    def _show_sizes(self, length: float, room: float) -> None:
        """The ticks of the horizontal axis, which is so long; each needs that room."""
        content, scale, number = self._content, self._content.x_scale, self._look.translator.number
        names = {size: content.x_name(size) for size in size_ticks(scale, content.xs, length, room)}
        sizes = [(scale.position(size), number(size) if name is None else self._look.text(name)) for size, name in names.items()]
        font = self._look.theme.font(self._overlay.kind.plain)
        self._axes["bottom"].setStyle(tickFont=font)
        self._axes["bottom"].setHeight(QFontMetricsF(font).height() + _OFFSET)
        self._axes["bottom"].setTicks([sizes])

    def _room_for_names(self) -> float:
        """What is free at the right of the axes."""
        room = self._look.theme.scale * (self._overlay.room_for_names() + LABEL_GAP)
        return min(room, self.width() * (_MOST_OF_A_COMPACT_ONE if self._compact else _MOST_FOR_NAMES))

    def _locate(self, x: float, value: float) -> QPointF:
        spot = QPointF(self._content.x_scale.position(x), self._content.y_scale.position(value))
        return QPointF(self._plot.mapFromScene(self._box.mapViewToScene(spot)))

    def _seen_at(self, x: float, value: float) -> QPointF:
        """Return a point's place in pixels of zoom 100 %, in which names and markers are painted."""
        return self._locate(x, value) / self._look.theme.scale

    def _area_seen(self) -> QRectF:
        area, zoom = self._area(), self._look.theme.scale
        return QRectF(area.topLeft() / zoom, QSizeF(area.size()) / zoom)

    def _area(self) -> QRectF:
        """The rectangle of the plot in pixels of the chart."""
        rect = self._box.sceneBoundingRect()
        return QRectF(self._plot.mapFromScene(rect).boundingRect())


def _tick_text(tick: float, number: Callable[[int | float], str]) -> str:
    """Whole ticks in the program's way of writing numbers, others with no more figures than they have: 0.5, not 0.500."""
    return number(round(tick)) if abs(tick - round(tick)) < 1e-9 * abs(tick) + 1e-12 else f"{tick:g}"
