"""The costs beside the lines of a kernel: the worst sectors and bank conflicts of each, and its share of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QToolTip, QWidget

from app.core.launch.margins import Margin
from kernels.messages import message

if TYPE_CHECKING:
    from app.qt.panels.source_view import SourceView

CHIP = 44.0
HEAT = 5.0
NARROW = 480
_SEVERE = 8


class SourceMarks(QWidget):
    """Stands in the right margin of a view. A press on a mark asks for the step that costs most there."""

    worst_wanted = Signal(int)

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._view = view
        self._found: Mapping[int, Margin] = {}
        self._only_rows = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(view.look.text(message("Costs of the lines")))

    def show_margins(self, found: Mapping[int, Margin]) -> None:
        """The costs by line."""
        self._found = found
        self.setVisible(bool(found))
        self.update()

    @property
    def lines(self) -> Iterable[int]:
        """The lines that have costs."""
        return self._found.keys()

    def only_rows(self, *, only: bool) -> None:
        """Cover nothing but the lines that have costs, or the whole margin."""
        self._only_rows = only
        self.follow()

    def follow(self) -> None:
        """Cover what is to be covered after the text was scrolled."""
        if not self._only_rows:
            self.clearMask()
            return
        covered = QRegion(-1, -1, 1, 1)  # one without any part would stand for the whole
        for number, top, height in self._view.visible_lines():
            if number in self._found:
                covered += QRect(0, round(top), self.width(), round(height))
        if covered != self.mask():
            self.setMask(covered)

    def width_needed(self) -> int:
        return round(self._columns * CHIP + HEAT + 4) if self._found else 0

    @property
    def _columns(self) -> int:
        """Sectors and banks each have a column. In a narrow view they share one, if no line has both."""
        both = any(each.sectors is not None and each.degree is not None for each in self._found.values())
        return 2 if both or self._view.width() >= NARROW else 1

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._view.look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.bg1)
        painter.setFont(theme.font("small"))
        for number, top, height in self._view.visible_lines():
            row = QRectF(0, top, self.width(), height)
            if number == self._view.line:
                painter.fillRect(row, theme.now_bg)
            margin = self._found.get(number)
            if margin is not None:
                self._paint_margin(painter, margin, row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        margin = self._margin_at(event.position())
        if margin is not None:
            banks = margin.degree is not None and event.position().x() > (self.width() / 2 if self._columns > 1 else 0)
            self.worst_wanted.emit(margin.degree_step if banks or margin.sectors is None else margin.sectors_step)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            margin = self._margin_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if margin is None else self._words(margin), self)
            return True
        return super().event(event)

    def _margin_at(self, point: QPointF) -> Margin | None:
        lines = (number for number, top, height in self._view.visible_lines() if top <= point.y() < top + height)
        return self._found.get(next(lines, 0))

    def _words(self, margin: Margin) -> str:
        said = message(
            "Line {line}, whole launch: {requests} requests, {sectors} sectors, {wavefronts} wavefronts: {share} % of all. "
            "A press goes to its worst step.",
            line=margin.line, requests=margin.requests, sectors=margin.all_sectors, wavefronts=margin.all_wavefronts,
            share=round(100 * margin.heat),
        )  # fmt: skip
        return self._view.look.text(said)

    def _paint_margin(self, painter: QPainter, margin: Margin, row: QRectF) -> None:
        theme = self._view.look.theme
        heat = QColor(theme.ink)
        heat.setAlphaF(0.08 + 0.92 * margin.heat)
        painter.fillRect(QRectF(0, row.top() + 2, HEAT - 1, row.height() - 4), heat)
        if margin.sectors is not None:
            moved, needed = margin.sectors
            self._paint_chip(
                painter, f"{moved}/{needed}", moved / max(needed, 1), QRectF(HEAT + 2, row.top() + 1, CHIP - 4, row.height() - 2)
            )
        if margin.degree is not None:
            area = QRectF(HEAT + 2 + (self._columns - 1) * CHIP, row.top() + 1, CHIP - 4, row.height() - 2)
            self._paint_chip(painter, f"{margin.degree}×", margin.degree, area)

    def _paint_chip(self, painter: QPainter, text: str, times: float, area: QRectF) -> None:
        """Quiet where it could not be better, outlined where it costs more, filled and bold from eight times on."""
        theme = self._view.look.theme
        painter.setFont(theme.font("label" if times >= _SEVERE else "small"))
        painter.setPen(Qt.PenStyle.NoPen if times <= 1 else QPen(theme.bad, 1))
        painter.setBrush(theme.bad_bg if times >= _SEVERE else theme.bg3 if times <= 1 else theme.bg1)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(theme.bad if times > 1 else theme.t2)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
