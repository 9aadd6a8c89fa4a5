"""One chart: pyqtgraph draws axes and curves, the overlay all that is written beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.curves import Provenance
from app.qt.look import Look
from app.qt.plots.content import ChartContent
from app.qt.plots.lines import guide_item, line_items
from app.qt.plots.overlay import LABEL_GAP, Overlay
from app.qt.plots.scales import size_ticks, value_ticks
from app.qt.plots.style import line_style

_TOP, _BOTTOM, _RIGHT = 28, 26, 14
_LEFT = 70
"""About what the vertical axis takes."""
_MOST_FOR_NAMES, _MOST_OF_A_COMPACT_ONE = 0.35, 0.42
"""Of the width of a chart."""
_TICK_HEIGHT = 34.0
_HIGHEST_TICK = 0.98
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class Chart(QWidget):
    """Curves over n or a parameter, with a crosshair that snaps to measured values: arrow keys, Home and End move it, Escape hides it."""

    crosshair_moved = Signal(object)
    """The value of the axis under the crosshair, or None."""

    def __init__(self, look: Look, name: str, *, compact: bool = False) -> None:
        """`name` is for readers of the screen; a compact chart names its lines in one column, without their parameters."""
        super().__init__()
        self._look = look
        self._content = ChartContent()
        self._compact = compact
        self._items: list[Any] = []
        self._plot = pg.GraphicsLayoutWidget(self)
        self._frame = self._plot.ci
        self._box = self._frame.addViewBox(row=0, col=1, enableMenu=False, enableMouse=False)
        self._axes = {side: pg.AxisItem(side, linkView=self._box) for side in ("left", "bottom")}
        self._prepare_plot()
        self._overlay = Overlay(look, self._seen_at, self._area_seen, self, compact=compact)
        self._overlay.pointed.connect(self._point_at)
        self._overlay.left.connect(self.hide_crosshair)
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

    def sizeHint(self) -> QSize:
        return QSize(600, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 140)

    def show_content(self, content: ChartContent) -> None:
        """Draw other content. The crosshair stays where there is still a result under it."""
        self._content = content
        self._overlay.content = content
        for item in self._items:
            self._box.removeItem(item)
        self._items = []
        for series in content.series:
            style = line_style(self._look.theme, series, content.slots)
            items = line_items(series, style, content.x_scale, content.y_scale, joined=not content.names)
            for item in items if series.key.provenance is Provenance.MEASURED else items[1:]:
                self._add(item)
        for guide in content.guides:
            self._add(guide_item(guide, self._look.theme.t3, content.x_scale, content.y_scale))
        if self.crosshair not in content.measured_xs:
            self._set_crosshair(None)
        self._lay_out()

    def _add(self, item: Any) -> None:
        self._box.addItem(item, ignoreBounds=True)
        self._items.append(item)

    def show_crosshair(self, x: float) -> None:
        """Put the crosshair on the measured value nearest to `x` along the axis."""
        scale = self._content.x_scale
        known = self._content.measured_xs
        self._set_crosshair(min(known, key=lambda value: abs(scale.position(value) - scale.position(x))) if known else None)

    def hide_crosshair(self) -> None:
        """Take the crosshair away."""
        self._set_crosshair(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plot.setGeometry(self.rect())
        self._overlay.setGeometry(self.rect())
        self._lay_out()

    def event(self, event: QEvent) -> bool:
        """Keep the arrow keys from the window's shortcuts while the chart has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._moved(event.key()) is not None:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        target = self._moved(event.key())
        if target is not None:
            self._set_crosshair(target)
        elif event.key() == Qt.Key.Key_Escape and self.crosshair is not None:
            self.hide_crosshair()
        else:
            super().keyPressEvent(event)

    def _moved(self, key: int) -> int | None:
        """Where a key would put the crosshair, None for other keys and without results."""
        known = self._content.measured_xs
        pressed = Qt.Key(key)
        if not known or pressed not in _STEPS | _ENDS:
            return None
        if pressed in _ENDS:
            return known[_ENDS[pressed]]
        if self.crosshair is None:
            return known[0 if _STEPS[pressed] > 0 else -1]
        return known[max(0, min(len(known) - 1, known.index(self.crosshair) + _STEPS[pressed]))]

    def _set_crosshair(self, x: int | None) -> None:
        if x == self._overlay.crosshair:
            return
        self._overlay.crosshair = x
        readout = self._overlay.readout()
        self.setAccessibleDescription("" if readout is None else readout[0].sentence())
        self._overlay.update()
        self.crosshair_moved.emit(x)

    def _point_at(self, pixel: float) -> None:
        known = self._content.measured_xs
        if known:
            self._set_crosshair(min(known, key=lambda x: abs(self._seen_at(x, self._content.y_scale.high).x() - pixel)))

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
            axis.setStyle(
                tickFont=theme.font("caption"), tickLength=0, tickTextOffset=6, autoExpandTextSpace=True, hideOverlappingLabels=False
            )
            axis.setTextPen(theme.t2)
            axis.setPen(theme.line2 if side == "bottom" else theme.bg1)
        self._grid = pg.PlotCurveItem(pen=theme.line, connect="pairs")
        self._grid.setZValue(-1)
        self._box.addItem(self._grid, ignoreBounds=True)

    def _lay_out(self) -> None:
        """Fit the axes to the content and the size: room at the right for the names of lines that end there."""
        content = self._content
        x_scale, y_scale = content.x_scale, content.y_scale
        room = self._room_for_names()
        px = self._look.px
        self._frame.layout.setContentsMargins(px(8), px(_TOP), px(_RIGHT) + room, px(_BOTTOM))
        self._box.setRange(xRange=x_scale.span, yRange=y_scale.span, padding=0, disableAutoRange=True)
        number = self._look.translator.number
        most = max(2, int((self.height() - px(_TOP + _BOTTOM)) / px(_TICK_HEIGHT)))
        ticks = [tick for tick in value_ticks(y_scale, most) if y_scale.share(tick) < _HIGHEST_TICK]
        self._axes["left"].setTicks([[(y_scale.position(tick), _tick_text(tick, number)) for tick in ticks]])
        heights = [y_scale.position(tick) for tick in ticks for _ in range(2)]
        self._grid.setData(list(x_scale.span) * len(ticks), heights)
        length = max(1.0, self.width() - px(_LEFT + _RIGHT) - room)
        ticks_at = size_ticks(x_scale, content.xs, length, px(76 if content.names else 44))
        names = {size: content.x_name(size) for size in ticks_at}
        sizes = [(x_scale.position(size), number(size) if name is None else self._look.text(name)) for size, name in names.items()]
        self._axes["bottom"].setTicks([sizes])
        self._frame.layout.activate()
        self._overlay.update()

    def _room_for_names(self) -> float:
        """What must be free at the right of the axes, so that no name beside the end of its line leaves the chart."""
        overlay, axis = self._overlay, max(1.0, self.width() - self._look.px(_LEFT + _RIGHT))
        room = 0.0
        for label in overlay.end_labels():
            share = 1.0 if self._compact else self._content.x_scale.share(label.x)
            room = max(room, (self._look.theme.scale * (overlay.label_width(label) + LABEL_GAP) - (1 - share) * axis) / max(share, 0.1))
        return min(room, self.width() * (_MOST_OF_A_COMPACT_ONE if self._compact else _MOST_FOR_NAMES))

    def _locate(self, x: float, value: float) -> QPointF:
        spot = QPointF(self._content.x_scale.position(x), self._content.y_scale.position(value))
        return QPointF(self._plot.mapFromScene(self._box.mapViewToScene(spot)))

    def _seen_at(self, x: float, value: float) -> QPointF:
        """The same in pixels of zoom 100 %, in which names and markers are painted."""
        return self._locate(x, value) / self._look.theme.scale

    def _area_seen(self) -> QRectF:
        area, zoom = self._area(), self._look.theme.scale
        return QRectF(area.topLeft() / zoom, area.size() / zoom)

    def _area(self) -> QRectF:
        """The rectangle of the plot in pixels of the chart."""
        rect = self._box.sceneBoundingRect()
        return QRectF(self._plot.mapFromScene(rect).boundingRect())


def _tick_text(tick: float, number: Callable[[int | float], str]) -> str:
    """Whole ticks in the program's way of writing numbers, others with no more figures than they have: 0.5, not 0.500."""
    return number(round(tick)) if abs(tick - round(tick)) < 1e-9 * abs(tick) + 1e-12 else f"{tick:g}"
