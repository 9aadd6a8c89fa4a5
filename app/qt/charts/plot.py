"""The axes of a chart and what is drawn between them, as a picture that is kept: what lies over it is painted again without the curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPaintEngine, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.qt.base.look import Look
from app.qt.base.theme import FONT_ROLES
from app.qt.charts.content import ChartContent
from app.qt.charts.labels import LARGE, Type
from app.qt.charts.lines import reference_item
from app.qt.charts.scales import size_ticks, value_ticks

_AROUND = 2.3
"""Room above and below the axes for what they show, in heights of its type."""
_LEFT, _RIGHT = 70, 14
"""About what the vertical axis takes; what is free at the right."""
_TICK_HEIGHT = 34.0
_OFFSET = 6
"""From an axis to what is written beside it."""
_HIGHEST_TICK = 0.98


class Plot(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph tells no types
    """Axes around a `box` of curves and nothing else: pyqtgraph's own plot would bring untranslated menus and buttons."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._picture: QPixmap | None = None
        self.box = self.ci.addViewBox(row=0, col=1, enableMenu=False, enableMouse=False)
        self.axes = {side: pg.AxisItem(side, linkView=self.box) for side in ("left", "bottom")}
        self._reference_lines: list[Any] = []
        theme = look.theme
        self.setBackground(theme.bg1)
        self.setFrameShape(self.Shape.NoFrame)
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)  # the chart says when: see `renew`
        for view in (self, self.viewport()):
            view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.ci.layout.setSpacing(0)
        self.ci.addItem(self.axes["left"], row=0, col=0)
        self.ci.addItem(self.axes["bottom"], row=1, col=1)
        for side, axis in self.axes.items():
            axis.setStyle(tickLength=0, tickTextOffset=_OFFSET, autoExpandTextSpace=False, hideOverlappingLabels=False)
            axis.setTextPen(theme.t2)
            axis.setPen(theme.line2 if side == "bottom" else theme.bg1)
        self._grid = pg.PlotCurveItem(pen=theme.line, connect="pairs")
        self._grid.setZValue(-1)
        self.box.addItem(self._grid, ignoreBounds=True)

    def renew(self) -> None:
        """Forget the picture: something in it has changed."""
        self._picture = None

    def draw(self) -> QPixmap:
        """The picture, drawn now where it is not there. Done ahead of the painting, it lets the event loop come round in between."""
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:  # the window may have come to another screen
            self._picture = QPixmap(self.viewport().size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            with QPainter(self._picture) as painter:
                painter.setRenderHints(self.renderHints())
                self.render(painter, QRectF(self.viewport().rect()), self.viewport().rect())
        return self._picture

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the picture; what is not a screen of its pixels, as that of a figure, gets the curves themselves."""
        with QPainter(self.viewport()) as painter:
            across = painter.deviceTransform()
            kept = painter.paintEngine().type() is QPaintEngine.Type.Raster and across.m11() == across.m22() == self.devicePixelRatioF()
            if kept:
                painter.drawPixmap(0, 0, self.draw())
        if not kept:
            super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.renew()

    def show_reference_lines(self, content: ChartContent) -> None:
        """Show these instead of those that there were."""
        for item in self._reference_lines:
            self.box.removeItem(item)
        self._reference_lines = [
            reference_item(line, self._look.theme.t3, content.x_scale, content.y_scale) for line in content.reference_lines
        ]
        for item in self._reference_lines:
            self.box.addItem(item, ignoreBounds=True)
        self.renew()

    def fit(self, content: ChartContent, kind: Type, room: float) -> None:
        """Fit the axes to the content and the size, with so much room at the right."""
        px, wide = self._look.px, 1.3 if kind is LARGE else 1.0
        around = _AROUND * FONT_ROLES[kind.plain][0]
        self.ci.layout.setContentsMargins(px(8), px(around), px(_RIGHT) + room, px(around))
        self.box.setRange(xRange=content.x_scale.span, yRange=content.y_scale.span, padding=0, disableAutoRange=True)
        self._show_values(content, kind, max(2, int((self.height() - 2 * px(around)) / px(_TICK_HEIGHT * wide))))
        needed = self._widest_name(content, kind) if content.names else px(44 * wide)
        self._show_sizes(content, kind, max(1.0, self.width() - px(_LEFT + _RIGHT) - room), needed)
        self.ci.layout.activate()
        self.renew()

    def locate(self, spot: QPointF) -> QPointF:
        """Where a position of the axes is, in pixels."""
        return QPointF(self.mapFromScene(self.box.mapViewToScene(spot)))

    def area(self) -> QRectF:
        """The rectangle between the axes, in pixels."""
        return QRectF(self.mapFromScene(self.box.sceneBoundingRect()).boundingRect())

    def _widest_name(self, content: ChartContent, kind: Type) -> float:
        """What the widest name of a value on the horizontal axis takes, with a gap."""
        metrics = QFontMetricsF(self._look.theme.font(kind.plain))
        names = (content.x_name(x) for x in content.xs)
        return _OFFSET + max((metrics.horizontalAdvance(self._look.text(name)) for name in names if name is not None), default=0.0)

    def _show_values(self, content: ChartContent, kind: Type, most: int) -> None:
        """Show at most `most` ticks of the vertical axis, with lines across."""
        scale, number = content.y_scale, self._look.translator.number
        ticks = [tick for tick in value_ticks(scale, most) if scale.share(tick) < _HIGHEST_TICK]
        texts = [_tick_text(tick, number) for tick in ticks]
        font = self._look.theme.font(kind.plain)
        self.axes["left"].setStyle(tickFont=font)
        self.axes["left"].setWidth(max(map(QFontMetricsF(font).horizontalAdvance, texts), default=0.0) + _OFFSET + 2)
        self.axes["left"].setTicks([list(zip(map(scale.position, ticks), texts, strict=True))])
        heights = [scale.position(tick) for tick in ticks for _ in range(2)]
        self._grid.setData(list(content.x_scale.span) * len(ticks), heights)

    def _show_sizes(self, content: ChartContent, kind: Type, length: float, room: float) -> None:
        """The ticks of the horizontal axis, which is so long; each needs that room."""
        scale, number = content.x_scale, self._look.translator.number
        names = {size: content.x_name(size) for size in size_ticks(scale, content.xs, length, room)}
        sizes = [(scale.position(size), number(size) if name is None else self._look.text(name)) for size, name in names.items()]
        font = self._look.theme.font(kind.plain)
        self.axes["bottom"].setStyle(tickFont=font)
        self.axes["bottom"].setHeight(QFontMetricsF(font).height() + _OFFSET)
        self.axes["bottom"].setTicks([sizes])


def _tick_text(tick: float, number: Callable[[int | float], str]) -> str:
    """Whole ticks in the program's way of writing numbers, others with no more figures than they have: 0.5, not 0.500."""
    return number(round(tick)) if abs(tick - round(tick)) < 1e-9 * abs(tick) + 1e-12 else f"{tick:g}"
