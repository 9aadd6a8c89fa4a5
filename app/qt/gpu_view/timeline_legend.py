"""Legend of a launch's timeline: what the heights and colours of the overview stand for, and the bar of a barrier."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import StepPhase
from app.core.gpu_view.step_texts import PHASES
from app.core.gpu_view.timeline_overview import FILLS, ROWS, Code, barrier_starts, codes_executed
from app.core.stage.model import Shown, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.gpu_view.timeline_overview import colours_of
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import message

_PIXELS = 2
"""Of a row of a swatch: as high as in the overview."""
_SWATCH, _BAR, _TO_WORDS, _APART, _HEIGHT = 14.0, 2.0, 5.0, 12.0, 18
_WORDS = {
    Code.LOAD_A: message("load {matrix}", matrix="A"), Code.LOAD_B: message("load {matrix}", matrix="B"),
    Code.LOAD: PHASES[StepPhase.LOAD], Code.COMPUTE: PHASES[StepPhase.COMPUTE], Code.STORE: PHASES[StepPhase.STORE],
}  # fmt: skip
_SHORT = {Code.LOAD_A: "A", Code.LOAD_B: "B"}


class TimelineLegend(Zoomed):
    """Names what the shown launch does, and nothing else; empty without a launch. The bar of a barrier is named where `barriers` are
    always drawn."""

    def __init__(self, look: Look, model: StageModel, *, barriers: bool) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._barriers = barriers
        self._codes: tuple[Code, ...] = ()
        self._short = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        bind(self, model.shown, self._show_trace)

    def sizeHint(self) -> QSize:
        entries = tuple(self._entries())
        return self.grown(QSize(round(entries[-1][2].right()) + 1 if entries else 0, _HEIGHT))

    @property
    def words(self) -> tuple[str, ...]:
        """What it says."""
        return tuple(text for _, text, _ in self._entries())

    def shorten(self, on: bool) -> None:
        """Name loads by their matrix alone."""
        self._short = on
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = self.painter(), self._look.theme
        painter.setFont(theme.font("caption"))
        for code, text, area in self._entries():
            self._paint_swatch(painter, code, area.topLeft())
            painter.setPen(theme.t2)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_swatch(self, painter: QPainter, code: Code, corner: QPointF) -> None:
        theme, top = self._look.theme, corner.y() + (_HEIGHT - ROWS * _PIXELS) / 2
        if code is Code.NOTHING:
            painter.fillRect(QRectF(corner.x(), top, _BAR, ROWS * _PIXELS), theme.ink)
            return
        painter.fillRect(QRectF(corner.x(), top, _SWATCH, ROWS * _PIXELS), theme.bg2)
        for row in np.flatnonzero(FILLS[:, code]).tolist():
            painter.fillRect(QRectF(corner.x(), top + row * _PIXELS, _SWATCH, _PIXELS), colours_of(theme)[code])

    def _entries(self) -> Iterator[tuple[Code, str, QRectF]]:
        """Each swatch with its words, and the place of both; a barrier's is that between what is done."""
        metrics, x = QFontMetricsF(self._look.theme.font("caption")), 0.0
        for code in self._codes:
            said = message("barrier") if code is Code.NOTHING else _WORDS[code]
            text = _SHORT[code] if self._short and code in _SHORT else self._look.text(said)
            width = (_BAR if code is Code.NOTHING else _SWATCH) + _TO_WORDS + metrics.horizontalAdvance(text)
            yield code, text, QRectF(x, 0, width, _HEIGHT)
            x += width + _APART

    def _show_trace(self, shown: Shown | None) -> None:
        self._codes = _codes_of(shown, barriers=self._barriers) if isinstance(shown, LaunchIndex) else ()
        self.setAccessibleName(", ".join(self.words))
        self.updateGeometry()
        self.update()


def _codes_of(index: LaunchIndex, *, barriers: bool) -> tuple[Code, ...]:
    """What is done in a launch, in the order of the codes; NOTHING, last, where there are barriers between."""
    return (*codes_executed(index), *((Code.NOTHING,) if barriers and barrier_starts(index) else ()))
