"""Two launches side by side in the same view, and the strip of their differences."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.compare.comparison import Comparison, Pair
from app.core.compare.words import name_of, report
from app.core.facts.fact import Source
from app.core.launch.views import View
from app.core.stage_model import AnyPicture, LaunchPicture
from app.core.timing import TimingModel
from app.qt.binding import bind
from app.qt.compare.column import CompareColumn
from app.qt.compare.strip import DifferenceStrip
from app.qt.look import Look
from app.qt.panels.timing_refresh import Refresh
from app.qt.rest import Rest
from app.qt.widgets.answer_first import TOLD_BY_COUNTS, TOLD_BY_TIMES, answer_first
from app.qt.widgets.rule import rule

_TWO_ROWS_FROM = 640
"""Height from which on the strip has two rows of numbers."""


class CompareStage(QWidget):
    """Shows the pair of a comparison; does nothing while there is none."""

    def __init__(self, look: Look, comparison: Comparison, timing: TimingModel) -> None:
        super().__init__()
        self._look = look
        self._comparison = comparison
        self._timing = timing
        self.left, self.right = CompareColumn(look, comparison.left), CompareColumn(look, comparison.live)
        self.strip = DifferenceStrip(look)
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self.left, 1)
        sides.addWidget(rule(vertical=True))
        sides.addWidget(self.right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(sides, 1)
        column.addWidget(self.strip)
        told = TOLD_BY_COUNTS | TOLD_BY_TIMES | {Source.SETTING}
        column.addWidget(answer_first(look, comparison.live.asking, {self.strip: told}))
        bind(self, comparison.view, self._show_view)
        bind(self, comparison.pair, self._show_pair)
        bind(self, comparison.left.picture, lambda _picture: self._show_pictures())
        bind(self, comparison.live.picture, lambda _picture: self._show_pictures())
        Rest(self, comparison.live, lambda _picture: self._describe())
        bind(self, comparison.live.notice, lambda _notice: self.right.view.update())
        bind(self, comparison.live.profile, lambda _profile: self._report(comparison.pair.value))
        bind(self, comparison.live.registers, lambda _registers: self._report(comparison.pair.value))
        self._refresh = Refresh(lambda: self._report(comparison.pair.value), self)
        bind(self, timing.revision, self._refresh.soon)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.strip.set_rows(2 if event.size().height() >= _TWO_ROWS_FROM else 1)
        super().resizeEvent(event)

    def _show_view(self, view: View) -> None:
        left, right = self.left.show_view(view), self.right.show_view(view)
        left.beside, right.beside = right, left
        self._show_pictures()

    def _show_pair(self, pair: Pair | None) -> None:
        if pair is not None:
            self.left.show_name(name_of(pair.left, pair.right))
            self.right.show_name(name_of(pair.right, pair.left))
        self._report(pair)
        self._show_pictures()

    def _show_pictures(self) -> None:
        pair = self._comparison.pair.value
        left, right = _of(self._comparison.left.picture.value), _of(self._comparison.live.picture.value)
        if pair is not None and left is not None and right is not None and (left.index, right.index) == (pair.left, pair.right):
            self.left.show_picture(left, right)
            self.right.show_picture(right, left)

    def _describe(self) -> None:
        """Tell readers of the screen what both sides show."""
        if self._comparison.pair.value is not None:
            for column in (self.left, self.right):
                column.view.describe(column.view.picture)

    def _report(self, pair: Pair | None) -> None:
        if pair is not None:
            left, right = self._comparison.left, self._comparison.live
            registers = left.registers.value, right.registers.value
            self.strip.show_report(report(pair, right.profile.value, registers, self._timing.results))


def _of(picture: AnyPicture | None) -> LaunchPicture | None:
    return picture if isinstance(picture, LaunchPicture) else None
