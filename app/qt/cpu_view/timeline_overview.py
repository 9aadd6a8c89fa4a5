"""Timeline overview of a CPU trace: bars of misses, one lane for each matrix, the playhead across them.

Pressing or dragging moves the playhead. The height of a bar is the misses of a tile step, in the colours of the matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from app.core.base.timeline import Position
from app.core.cpu_view.cache_counters import misses_by_tile
from app.core.cpu_view.caches import StageCaches
from app.core.cpu_view.index import MatrixLane, Overview, TraceIndex, overview
from app.core.stage.model import Shown, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.cpu_view.cache_painter import line_colour
from app.qt.widgets.answer_first import TOLD_BY_COUNTS
from app.qt.widgets.pointing import paint_ring
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message

_LEGIBLE = 10
"""Pixels of the smallest letters."""
_FULL = 97
"""The percentile of the tile steps that has the whole height: the first steps, in empty caches, would dwarf all others."""


class MissBars:
    """Bars of the misses of each tile step in the timeline overview, made once for each execution."""

    def __init__(self, look: Look, caches: StageCaches) -> None:
        self._look = look
        self.caches = caches
        self._counts = misses_by_tile(caches)

    def paint(
        self, painter: QPainter, row: QRectF, names: float, x_of: Callable[[float], float], shade: Callable[[QColor], QColor]
    ) -> None:
        """Draw into `row`; the level's name stands in the `names` pixels left of it."""
        theme = self._look.theme
        font = theme.font("caption")
        font.setPixelSize(min(font.pixelSize(), max(round(row.height()) + 1, _LEGIBLE)))
        painter.setFont(font)
        painter.setPen(theme.t2)
        label = QRectF(row.left() - names, row.top() - 4, names - 4, row.height() + 4)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self.caches.levels[0].name)
        totals = self._counts.sum(axis=1)
        most = max(float(np.percentile(totals, _FULL)), 1.0) if len(totals) else 1.0
        starts = self.caches.index.groups.start.tolist()
        for group, counts in enumerate(self._counts.tolist()):
            left, right = x_of(starts[group]), x_of(starts[group + 1])
            gap, bottom = (1.0 if right - left >= 3 else 0.0), row.bottom()
            for name, count in zip(self.caches.history.arrays, counts, strict=True):
                height = min(row.height() * count / most, bottom - row.top())
                painter.fillRect(QRectF(left, bottom - height, right - left - gap, height), shade(line_colour(name, 1, theme)))
                bottom -= height


NAMES = 34.0
FUTURE = 0.45
_TIP = 5.0
_NARROW = 3.0
"""Below this mean width in pixels the pieces of a lane are drawn as one."""
_BARS = 0.42
"""The part of the height that the misses take where they are known."""


class TimelineOverview(Zoomed):
    """Timeline overview of a CPU kernel.

    A lane changes its shade where another tile of its matrix comes into use: long pieces are tiles that stay.

    With the focus it leaves the timeline's keys to the window.
    """

    def __init__(self, look: Look, model: StageModel, lane_height: int) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._model = model
        self._overview: Overview | None = None
        self._bars: MissBars | None = None
        self._lanes: tuple[tuple[object, ...], tuple[QPixmap, QPixmap]] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(3 * (lane_height + 1) + _TIP + 1))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(look.text(message("Overview of the trace")))
        self.setToolTip(
            look.text(
                message(
                    "Where the shade changes, another tile of the matrix comes into use. The height of a bar is the misses of a tile step. "
                    "Drag to move through the trace."
                )
            )
        )
        bind(self, model.shown, self._show_trace)
        bind(self, model.counted, lambda _caches: self._show_caches())
        bind(self, model.asking, lambda _asked: self._show_caches())
        bind(self, model.timeline.position, self._show_position)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(600, self.height()))

    def x_of(self, time: float) -> float:
        """Return where a point of the trace, in steps, stands in the overview."""
        steps = self._overview.steps if self._overview else 1
        return NAMES + (self.width() - NAMES - _TIP) * time / steps

    def time_at(self, x: float) -> float:
        """Return the point of the trace, in steps, at a place in the overview."""
        steps = self._overview.steps if self._overview else 0
        return (x - NAMES) / (self.width() - NAMES - _TIP) * steps

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._model.timeline.scrub(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._model.timeline.scrub(self.time_at(event.position().x()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        if self._overview is None:
            return
        now = self.x_of(self._model.timeline.position.value.time)
        past, future = self._drawn_lanes(self._overview)
        painter.drawPixmap(0, 0, future)
        painter.setClipRect(QRectF(0, 0, now, self.height()))
        painter.drawPixmap(0, 0, past)
        painter.setClipping(False)
        self._paint_turns(painter)
        self._paint_playhead(painter, now)
        paint_ring(painter, self, self._look.theme)

    def _show_trace(self, shown: Shown | None) -> None:
        self._overview = overview(shown) if isinstance(shown, TraceIndex) else None
        self.update()

    def _show_caches(self) -> None:
        """Which steps miss, unless a question asks for what they would tell."""
        caches = self._model.counted.value
        told = caches is not None and not self._model.asking.value & TOLD_BY_COUNTS
        self._bars = MissBars(self._look, caches) if caches is not None and told else None
        self.update()

    def _show_position(self, _position: Position) -> None:
        self.update()

    def _drawn_lanes(self, shown: Overview) -> tuple[QPixmap, QPixmap]:
        """All lanes as past and as future; drawn once for each trace and size, because a frame only moves the border."""
        size = (shown, self._bars, self.size(), self.devicePixelRatioF())
        if self._lanes is None or self._lanes[0] != size:
            self._lanes = size, (self._draw_lanes(shown, 1.0), self._draw_lanes(shown, FUTURE))
        return self._lanes[1]

    def _draw_lanes(self, shown: Overview, share: float) -> QPixmap:
        pixmap = QPixmap(self.size() * self.devicePixelRatioF())
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        pixmap.fill(self._look.theme.bg1)
        painter = QPainter(pixmap)
        room = self.height() - _TIP - 1
        bars = room * _BARS if self._bars is not None else 0.0
        if self._bars is not None:
            row = QRectF(NAMES, _TIP, self.width() - NAMES - _TIP, bars - 2)
            self._bars.paint(painter, row, NAMES, self.x_of, lambda colour: _mixed(colour, self._look.theme.bg1, share))
        each = (room - bars) / 3
        for number, lane in enumerate(shown.lanes):
            row = QRectF(NAMES, _TIP + bars + number * each, self.width() - NAMES - _TIP, each - 1)
            self._paint_lane(painter, lane, row, number, share)
        painter.end()
        return pixmap

    def _paint_lane(self, painter: QPainter, lane: MatrixLane, row: QRectF, number: int, share: float) -> None:
        theme = self._look.theme
        strong, middle, _tint = theme.matrix(lane.matrix)
        font = theme.font("caption")
        font.setPixelSize(min(font.pixelSize(), max(round(row.height()) + 1, _LEGIBLE)))
        painter.setFont(font)
        painter.setPen(strong)
        painter.drawText(name_place(row, number, font.pixelSize(), self.height()), Qt.AlignmentFlag.AlignCenter, lane.matrix)
        bounds = [self.x_of(step) for step in (*lane.starts, self._overview.steps if self._overview else 0)]
        if row.width() / max(len(lane.starts), 1) < _NARROW:
            bounds = [bounds[0], bounds[-1]]
        for number, (left, right) in enumerate(pairwise(bounds)):
            shade = middle if number % 2 == 0 else _mixed(middle, theme.bg1, 0.5)
            painter.fillRect(QRectF(left, row.top(), right - left, row.height()), _mixed(shade, theme.bg1, share))

    def _paint_turns(self, painter: QPainter) -> None:
        """A mark in ink where the outermost loop moves on."""
        turns = self._overview.turns if self._overview else ()
        if turns and (self.width() - NAMES) / len(turns) >= 2 * _NARROW:
            for step in turns:
                painter.fillRect(QRectF(self.x_of(step) - 1, _TIP, 2, self.height() - _TIP), self._look.theme.ink)

    def _paint_playhead(self, painter: QPainter, now: float) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.theme.now)
        painter.drawRect(QRectF(now - 1, 0, 2, self.height()))
        painter.drawPolygon(QPolygonF([QPointF(now - _TIP, 0), QPointF(now + _TIP, 0), QPointF(now, _TIP + 2)]))


def name_place(row: QRectF, number: int, letters: float, height: float) -> QRectF:
    """Where a lane's name stands, left of it and within the overview; letters higher than their lanes stand beside each other."""
    wide = NAMES - 4
    place = QRectF(0, row.center().y() - letters / 2, wide, letters)
    if row.height() < letters:
        place = QRectF(wide / 3 * number, place.top(), wide / 3, letters)
    place.moveBottom(min(place.bottom(), height))
    return place


def _mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    """`share` of a colour over a ground."""

    def channel(over: float, under: float) -> float:
        return share * over + (1 - share) * under

    return QColor.fromRgbF(
        channel(colour.redF(), ground.redF()), channel(colour.greenF(), ground.greenF()), channel(colour.blueF(), ground.blueF())
    )
