"""Draws the threads of a block: every warp in its tint, the running one saturated with lane numbers, a mark for the state of each."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QPixmap, QPolygonF

from app.core.gpu_view.frame import Frame, WarpState
from app.core.gpu_view.print_rows import PRINT
from app.qt.base.theme import Theme
from app.qt.base.vector import draw_part
from app.qt.gpu_view.threads_geometry import LONG_LABEL, MARK, WarpLayout, label_width
from kernels.analysis.columns import Bools
from kernels.base.values import dataclass
from kernels.simt.trace.trace import WARP

SINGLE_CELLS_FROM = 4.0
"""Width of a cell from which on threads are told apart."""
SMALLEST_LABELLED = 11.0
EDGE = 6.0
"""Of the picture of the block around its cells, for names that are higher than these."""


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """Threads that stand out: those of a launch that prints that have printed (None: the launch does not print), and those selected."""

    printed: Bools | None
    selected: frozenset[int]


class WarpsPainter:
    """Keeps the picture of the block at rest, and that of warps as they run."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._rest: dict[bool, tuple[object, QPixmap]] = {}
        self._running: dict[object, QPixmap] = {}

    def paint(self, painter: QPainter, layout: WarpLayout, frame: Frame, lit: Lit) -> None:
        """Draw one frame of the block."""
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(_corner(layout), self._at_rest(layout, ratio, lit=lit.printed is None))
        if lit.printed is not None:
            self._paint_printed(painter, layout, lit.printed, ratio)
        self._paint_running(painter, layout, frame, ratio, lit)
        self._paint_marks(painter, layout, frame)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.ink, 2))
        for thread in lit.selected:
            if thread < layout.threads:
                painter.drawRect(layout.thread(thread).adjusted(0.5, 0.5, -1.5, -1.5))
                if layout.strip is not None and thread // WARP == frame.warp:
                    painter.drawRect(layout.strip_lane(thread % WARP).adjusted(0.5, 0.5, -1.5, -1.5))

    def _at_rest(self, layout: WarpLayout, ratio: float, *, lit: bool) -> QPixmap:
        """All warps, each in its tint, or grey where they are not `lit`."""
        key = layout, ratio
        if lit not in self._rest or self._rest[lit][0] != key:
            image = _pixmap(layout.area.width(), layout.bottom - layout.area.top() + 2 * EDGE, ratio)
            image.fill(self._theme.bg2)
            painter = QPainter(image)
            painter.translate(-_corner(layout))
            for warp in range(layout.warps):
                self._paint_warp(painter, layout, warp, self._theme.warps[warp % 8][0] if lit else self._theme.cell)
            self._paint_labels(painter, layout)
            painter.end()
            self._rest[lit] = key, image
        return self._rest[lit][1]

    def _paint_warp(self, painter: QPainter, layout: WarpLayout, warp: int, fill: QColor) -> None:
        if layout.cell.width() < SINGLE_CELLS_FROM:
            painter.fillRect(layout.warp(warp), fill)
            return
        for thread in range(warp * WARP, min((warp + 1) * WARP, layout.threads)):
            painter.fillRect(layout.thread(thread).adjusted(0, 0, -1, -1), fill)

    def _paint_labels(self, painter: QPainter, layout: WarpLayout) -> None:
        for warp in named_warps(layout):
            self._paint_label(painter, layout.warp(warp), warp, self._theme.font("caption"), self._theme.t3)

    def _paint_label(self, painter: QPainter, cells: QRectF, warp: int, font: QFont, colour: QColor) -> None:
        painter.setFont(font)
        painter.setPen(colour)
        rect = QRectF(cells.left() - LONG_LABEL, cells.top() - 4, LONG_LABEL - 5, cells.height() + 7)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"W{warp}")

    def _paint_printed(self, painter: QPainter, layout: WarpLayout, printed: Bools, ratio: float) -> None:
        """The threads that have printed: of warps that have done so altogether a piece of the picture in which all are lit."""
        whole = self._at_rest(layout, ratio, lit=True)
        for warp in range(layout.warps):
            own = printed[warp * WARP : min((warp + 1) * WARP, layout.threads)]
            if own.all():
                cells = layout.warp(warp)
                corner = (cells.topLeft() - _corner(layout)) * ratio
                draw_part(painter, cells, whole.toImage(), QRectF(corner, cells.size() * ratio))
                continue
            for lane in own.nonzero()[0].tolist():
                painter.fillRect(layout.thread(warp * WARP + lane).adjusted(0, 0, -1, -1), self._theme.warps[warp % 8][0])

    def _paint_running(self, painter: QPainter, layout: WarpLayout, frame: Frame, ratio: float, lit: Lit) -> None:
        cells, strip = layout.warp(frame.warp), layout.strip
        place = cells if strip is None else strip
        lanes = min(WARP, layout.threads - frame.first_thread)
        printed = _printed(frame, lit)
        key = frame.warp % 8, place.width(), place.height(), lanes, frame.lanes.active.tobytes(), printed.tobytes(), ratio, layout.columns
        image = self._running.get(key)
        if image is None:
            image = self._draw_running(layout, frame, lanes, printed, place, ratio)
            if len(self._running) >= 64:
                self._running.clear()
            self._running[key] = image
        painter.drawPixmap(place.topLeft(), image)
        if strip is not None:
            self._paint_warp(painter, layout, frame.warp, self._theme.warps[frame.warp % 8][1])
        label = label_width(layout.threads)
        painter.fillRect(QRectF(place.left() - label, place.top() - 2, label - 2, place.height() + 3), self._theme.bg2)
        self._paint_label(painter, place, frame.warp, self._theme.font("label"), self._theme.t1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = QPen(self._theme.now, 2)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        for rect in (cells,) if strip is None else (cells, strip):
            painter.drawRect(rect.adjusted(-1.5, -1.5, 0.5, 0.5))

    def _draw_running(self, layout: WarpLayout, frame: Frame, lanes: int, printed: Bools, place: QRectF, ratio: float) -> QPixmap:
        theme = self._theme
        tint, strong = theme.warps[frame.warp % 8]
        image = _pixmap(place.width(), place.height(), ratio)
        painter = QPainter(image)
        painter.translate(-place.topLeft())
        font = theme.font("caption")
        cell = layout.cell if layout.strip is None else layout.strip_lane(0).size()
        font.setPixelSize(9 if min(cell.width(), cell.height()) < 15 else 11)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 94 if cell.width() < 13 else 100)
        painter.setFont(font)
        for lane in range(lanes):
            rect = layout.thread(frame.first_thread + lane) if layout.strip is None else layout.strip_lane(lane)
            inner = rect.adjusted(0, 0, -1, -1)
            if frame.lanes.active[lane] or printed[lane]:
                painter.fillRect(inner, strong if frame.lanes.active[lane] else tint)
                painter.setPen(theme.t1)
                painter.drawText(rect.adjusted(-2, 0, 1, 0), Qt.AlignmentFlag.AlignCenter, str(lane))
            elif frame.site.operation == PRINT:
                painter.fillRect(inner, theme.cell)
            else:
                painter.fillRect(inner, tint)
                painter.fillRect(inner, hatch(theme))
        painter.end()
        return image

    def _paint_marks(self, painter: QPainter, layout: WarpLayout, frame: Frame) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for warp, state in enumerate(frame.warps):
            if state is WarpState.BEHIND:
                continue
            cells = layout.warp(warp)
            right = layout.warp(0).right() + (warp // layout.per_column) * layout.pitch.width()
            paint_mark(
                painter,
                QPointF(right + MARK / 2 + 1, cells.center().y()),
                state,
                self._theme,
                small=layout.pitch.height() < SMALLEST_LABELLED,
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def paint_mark(painter: QPainter, centre: QPointF, state: WarpState, theme: Theme, *, small: bool = False) -> None:
    """The mark of a state: a triangle runs, two bars wait, a hook is finished, a dash takes no part, nothing is behind."""
    x, y, half = centre.x(), centre.y(), 2 if small else 4
    painter.setPen(Qt.PenStyle.NoPen)
    if state is WarpState.RUNNING:
        painter.setBrush(theme.now)
        painter.drawPolygon(QPolygonF([QPointF(x - 4, y - 5), QPointF(x + 5, y), QPointF(x - 4, y + 5)]))
    elif state is WarpState.WAITING:
        painter.fillRect(QRectF(round(x - 3), round(y - half), 2, 2 * half), theme.t1)
        painter.fillRect(QRectF(round(x + 1), round(y - half), 2, 2 * half), theme.t1)
    elif state is WarpState.DONE:
        painter.setPen(QPen(theme.t3, 1.5))
        painter.drawPolyline(QPolygonF([QPointF(x - half, y), QPointF(x - 1, y + half - 1), QPointF(x + half, y - half + 1)]))
    elif state is WarpState.IDLE:
        painter.fillRect(QRectF(round(x - 3), round(y), 6, 1), theme.t3)


def _corner(layout: WarpLayout) -> QPointF:
    return layout.area.topLeft() - QPointF(0, EDGE)


def _printed(frame: Frame, lit: Lit) -> Bools:
    """The lanes of the running warp that have printed, or none."""
    own = slice(frame.first_thread, frame.first_thread + WARP)
    return np.zeros(WARP, np.bool_) if lit.printed is None else lit.printed[own]


def hatch(theme: Theme) -> QBrush:
    """The brush over lanes that take no part."""
    return QBrush(theme.t3, Qt.BrushStyle.BDiagPattern)


def _pixmap(width: float, height: float, ratio: float) -> QPixmap:
    """A transparent one of that many device-independent pixels."""
    image = QPixmap(max(1, round(width * ratio)), max(1, round(height * ratio)))
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    return image


def named_warps(layout: WarpLayout) -> range:
    """The warps whose names have room beside them: every one, every second, every fourth and so on."""
    every, height = 1, layout.pitch.height()
    while every < layout.warps and every * height < SMALLEST_LABELLED:
        every *= 2
    return range(0, layout.warps, every)
