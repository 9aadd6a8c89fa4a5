"""The ladder as bars: a row for each rung in teaching order, 100 % is the library."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy

from app.core.ladder.picture import Ladder, Rung
from app.core.ladder.words import base_text, facts_of, gain_text
from app.core.shares import percent_text
from app.qt.ladder.rung_painter import Columns, fonts_of, paint_rung
from app.qt.look import Look
from app.qt.widgets.zoomed import Zoomed
from kernels.messages import message

_EDGE, _HEAD, _GAP, _MOST_ROW = 6.0, 24.0, 10.0, 68.0
_MOST_NAME = 0.38
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LadderBars(Zoomed):
    """A click on a row, or the arrows, say `chosen` with the id of its variant."""

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._ladder: Ladder | None = None
        self._chosen = ""
        self.setAccessibleName(look.text(message("The ladder, rung by rung")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(760, 560))

    def minimumSizeHint(self) -> QSize:
        return self.grown(QSize(420, 200))

    def show_ladder(self, ladder: Ladder | None, chosen: str) -> None:
        """Draw another ladder, or choose another rung."""
        if (ladder, chosen) == (self._ladder, self._chosen):
            return
        self._ladder, self._chosen = ladder, chosen
        rung = None if ladder is None else ladder.rung(chosen)
        self.setAccessibleDescription("" if ladder is None or rung is None else self._words(ladder, rung))
        self.update()

    def rows(self) -> tuple[tuple[Rung, QRectF], ...]:
        """The rungs with their rows."""
        rungs = () if self._ladder is None else self._ladder.rungs
        height = min(_MOST_ROW, (self.height() - _HEAD) / max(1, len(rungs)))
        return tuple((rung, QRectF(0, _HEAD + place * height, self.width(), height)) for place, rung in enumerate(rungs))

    def columns(self) -> Columns:
        """Where the columns begin: as wide as their words need."""
        rows = self.rows()
        rungs = [rung for rung, _ in rows]
        titles = [self._look.text(rung.variant.title) for rung in rungs]
        fonts = fonts_of(self._look.theme, rows[0][1].height() if rows else _MOST_ROW, titles, self.width() * _MOST_NAME)
        large, small = map(QFontMetricsF, fonts)
        name = _EDGE + _widest(small, [str(rung.variant.rung) for rung in rungs]) + 2 * _GAP
        names = _widest(large, titles)
        bases = [base for rung in rungs if (base := base_text(rung)) is not None]
        over = self.width() - _EDGE - _widest(small, [self._look.text(base) for base in bases])
        gain = over - _GAP - _widest(large, [gain_text(rung) for rung in rungs])
        bar = name + min(names, self.width() * _MOST_NAME) + _GAP
        most = max(100.0, *(rung.percent or 0.0 for rung in rungs), 100.0)
        room = max(1.0, gain - _GAP - bar)
        text = _widest(large, [percent_text(most)]) * 1.15 + 10
        full = most * room / max(1.0, room - text)
        return Columns(_EDGE, name, bar, gain, over, self.width() - _EDGE, full, fonts)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._ladder is None:
            return
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows, columns = self.rows(), self.columns()
        self._paint_head(painter, columns)
        self._paint_line(painter, columns, rows[-1][1].bottom())
        before = rows[0][0].variant.precision
        for rung, row in rows:
            paint_rung(painter, self._look, rung, row, columns, self._ladder.provenance, chosen=rung.variant.id == self._chosen)
            if rung.variant.precision != before:
                before = rung.variant.precision
                painter.setPen(QPen(self._look.theme.line2, 1))
                painter.drawLine(row.topLeft(), row.topRight())
        if self.hasFocus():
            painter.setPen(QPen(self._look.theme.now, 2, Qt.PenStyle.DashLine))
            painter.drawRect(next(row for rung, row in rows if rung.variant.id == self._chosen).adjusted(1, 1, -1, -1))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = next((rung for rung, row in self.rows() if row.contains(event.position())), None)
        if found is not None:
            self.chosen.emit(found.variant.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step, ids = _STEPS.get(Qt.Key(event.key())), [rung.variant.id for rung, _ in self.rows()]
        if step is None or self._chosen not in ids:
            super().keyPressEvent(event)
            return
        self.chosen.emit(ids[min(max(ids.index(self._chosen) + step, 0), len(ids) - 1)])

    def _paint_head(self, painter: QPainter, columns: Columns) -> None:
        painter.setFont(self._look.theme.font("reading"))
        painter.setPen(self._look.theme.t2)
        at = columns.bar_of(QRectF(0, 0, self.width(), _HEAD), 100.0).right()
        painter.drawText(QRectF(at - 60, 0, 120, _HEAD), Qt.AlignmentFlag.AlignCenter, percent_text(100.0))
        gain = QRectF(columns.gain, 0, columns.end - columns.gain, _HEAD)
        painter.drawText(gain, Qt.AlignmentFlag.AlignVCenter, self._look.text(message("Gain")))

    def _paint_line(self, painter: QPainter, columns: Columns, bottom: float) -> None:
        at = columns.bar_of(QRectF(0, 0, self.width(), _HEAD), 100.0).right()
        painter.setPen(QPen(self._look.theme.ink, 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at, _HEAD), QPointF(at, bottom))

    def _words(self, ladder: Ladder, rung: Rung) -> str:
        facts = [f"{self._look.text(name)}: {self._look.text(value)}" for name, value in facts_of(ladder, rung)]
        return "\n".join([f"{rung.variant.rung} {self._look.text(rung.variant.title)}", *facts])


def _widest(metrics: QFontMetricsF, texts: list[str]) -> float:
    return max(map(metrics.horizontalAdvance, texts), default=0.0)
