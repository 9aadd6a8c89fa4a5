"""Comparison stage: two launches in the same view, each with its name, its differing lines and its verdict, above their differences."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.compare.comparison import Comparison
from app.core.compare.pairing import Pair
from app.core.compare.sentences import brief_name_of_side, name_of_side, report_of
from app.core.inspector.finding_rows import finding_rows
from app.core.lesson_metrics.metric import Source
from app.core.stage.model import AnyPicture, GpuPicture
from app.core.timing.model import TimingModel
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.base.refresh import IdleNotifier, Refresh
from app.qt.compare.column import CompareColumn
from app.qt.compare.strip import DifferenceStrip
from app.qt.widgets.answer_first import TOLD_BY_COUNTS, TOLD_BY_TIMES, answer_first
from app.qt.widgets.labels import rule

_TWO_ROWS_FROM = 640
"""Height from which on the differences have two rows of numbers."""
_FOOT_FROM, _SETTINGS_FROM, _LINES_FROM = 130, 200, 300
"""Heights at zoom 100 % from which on the pictures have room beside the differences, the settings and the lines that differ."""
_LEAST = QSize(300, 90)
"""At zoom 100 %."""


class CompareStage(QWidget):
    """Shows the pair of a comparison; does nothing while there is none."""

    def __init__(self, look: Look, comparison: Comparison, timing: TimingModel) -> None:
        super().__init__()
        self._look = look
        self._comparison = comparison
        self._timing = timing
        self.left, self.right = CompareColumn(look, comparison.left), CompareColumn(look, comparison.live)
        self.strip = DifferenceStrip(look)
        self._pictures: tuple[GpuPicture | None, GpuPicture | None] = None, None
        self._arrange()
        bind(self, comparison.view, lambda _view: self._show_view())
        bind(self, comparison.pair, self._show_pair)
        for picture in (comparison.left.picture, comparison.live.picture, comparison.live.finished):
            bind(self, picture, lambda _picture: self._follow())
        IdleNotifier(self, comparison.live, lambda _picture: self._describe())
        bind(self, comparison.live.asking, lambda _asked: self._show_findings())
        bind(self, comparison.live.notice, lambda _notice: self.right.redraw())
        bind(self, comparison.live.late, lambda _late: self.right.redraw())
        bind(self, comparison.live.profile, lambda _profile: self._report())
        bind(self, comparison.live.registers, lambda _registers: self._report())
        self._refresh = Refresh(self._report, self)
        bind(self, timing.revision, self._refresh.soon)

    def _arrange(self) -> None:
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addWidget(self.left, 1)
        sides.addWidget(rule(vertical=True))
        sides.addWidget(self.right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(sides, 1)
        self._settings, self._foot = QWidget(), QWidget()
        self._rows = QVBoxLayout(self._settings)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        column.addWidget(self._settings)
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        told = TOLD_BY_COUNTS | TOLD_BY_TIMES | {Source.SETTING}
        foot.addWidget(self.strip)
        foot.addWidget(answer_first(self._look, self._comparison.live.asking, {self.strip: told}))
        column.addWidget(self._foot)

    def add_settings(self, row: QWidget) -> None:
        """Put the setting of the right side below both: the source with its own has left its room to them."""
        self._rows.insertWidget(0, row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        height = event.size().height()
        self.strip.set_rows(2 if height >= _TWO_ROWS_FROM else 1)
        for part, least in ((self._foot, _FOOT_FROM), (self._settings, _SETTINGS_FROM)):
            set_shown(part, height >= self._look.px(least))
        for side in (self.left, self.right):
            side.show_lines(shown=height >= self._look.px(_LINES_FROM))
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        """What the pictures need: the rest gives way."""
        return QSize(self._look.px(_LEAST.width()), self._look.px(_LEAST.height()))

    def _show_view(self) -> None:
        if self._comparison.pair.value is not None:
            self._place_views()
            self._show_pictures()
            if self.left.view.picture is not None and self.right.view.picture is not None:
                self._describe()  # else once they rest

    def _place_views(self) -> None:
        view = self._comparison.view.value
        left, right = self.left.show_view(view), self.right.show_view(view)
        left.beside, right.beside = right, left

    def _show_pair(self, pair: Pair | None) -> None:
        if pair is not None:
            self._place_views()
            for column, own, other in ((self.left, pair.left, pair.right), (self.right, pair.right, pair.left)):
                column.show_name(name_of_side(own, other), brief_name_of_side(own, other))
        self._report()
        self._show_findings()

    def _show_findings(self) -> None:
        """Tell what is wrong on each side, unless that may be an answer that is asked for, or schedules are compared that show it."""
        pair, asked = self._comparison.pair.value, self._comparison.live.asking.value & TOLD_BY_COUNTS
        for column, index in () if pair is None else ((self.left, pair.left), (self.right, pair.right)):
            untold = asked or index.subject.schedule is not None
            column.show_findings(() if untold else tuple(row for row in finding_rows(index) if row.severe))
        self._show_pictures()

    def _follow(self) -> None:
        """Show the pictures where one of them is another: both follow one step, and each tells of it. Where the words for a step come in
        the next frame, the right side alone is drawn, and all else in the one after."""
        pictures = self._their_pictures()
        if self._comparison.pair.value is None or self._pictures == pictures:
            return
        if self._comparison.live.untold and pictures[1] is not None:
            self.right.view.show_picture(pictures[1])
        else:
            self._show_pictures()

    def _their_pictures(self) -> tuple[GpuPicture | None, GpuPicture | None]:
        return _of(self._comparison.left.picture.value), _of(self._comparison.live.picture.value)

    def _show_pictures(self) -> None:
        pair = self._comparison.pair.value
        self._pictures = left, right = self._their_pictures()
        if pair is not None and left is not None and right is not None and (left.index, right.index) == (pair.left, pair.right):
            noted = bool(self.left.found or self.right.found or any(each.index.trace.unordered is not None for each in (left, right)))
            for column, own, other in ((self.left, left, right), (self.right, right, left)):
                column.note.setVisible(noted)
                column.show_picture(own, other)
        elif pair is not None and self._comparison.live.unbegun.value:
            self.left.show_picture(None, None)
            self.right.show_picture(None, None)

    def _describe(self) -> None:
        """Tell readers of the screen what both sides show."""
        if self._comparison.pair.value is not None:
            for column in (self.left, self.right):
                column.view.describe(column.view.picture)

    def _report(self) -> None:
        told = report_of(self._comparison, self._timing.results)
        if told is not None:
            self.strip.show_report(told)


def _of(picture: AnyPicture | None) -> GpuPicture | None:
    return picture if isinstance(picture, GpuPicture) else None
