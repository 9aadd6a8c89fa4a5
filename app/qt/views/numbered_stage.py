"""A stage of numbered views: some of them side by side, or one alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from app.core.stage.model import AnyPicture, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.views.frame import HEADER, ViewFrame
from app.qt.views.view import StageView

ALL = 0
_FOUR_FROM = 640
"""Pixels of width for more than two views: what is said of a lane or of its sectors would be cut in a narrower one."""
BESIDE_FROM = 540
"""Pixels of width for views side by side, at any zoom: pictures are enlarged no further than there is room. In a narrower stage there are
two, one below the other."""
_BELOW_FROM = 352
"""Pixels of height for two views one below the other, besides their headers. In a lower one there is one; the others are a key away."""


class NumberedStage(QWidget):
    """Shows the pictures of a stage model that are of its kind. Subclasses say which, and which views are wanted."""

    def __init__(self, look: Look, model: StageModel, views: Mapping[int, StageView[Any]], *, compact: bool) -> None:
        super().__init__()
        self._compact, self._narrow = compact, False
        self._model = model
        self._resting = False
        self._look = look
        self._most, self._stacked = min(len(views), len(_CELLS)), False
        self.setProperty("surface", "canvas")
        self.frames = tuple(ViewFrame(look, number, view, partial(self.toggle, number), self) for number, view in views.items())
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        self._shown: tuple[int, ...] = ()
        bind(self, model.picture, self._show)
        bind(self, model.finished, lambda _finished: self._show_waiting())
        bind(self, model.notice, lambda _notice: self._repaint())
        bind(self, model.late, lambda _late: self._repaint())
        bind(self, model.alone, lambda _alone: self._show(model.picture.value))
        bind(self, model.asking, lambda _asking: self._show(model.picture.value))

    # ------------------------------------------------------------ for subclasses

    def own(self, picture: AnyPicture | None) -> AnyPicture | None:
        """The picture where it is of the kind that is shown here, else None."""
        raise NotImplementedError

    def wanted(self, picture: Any) -> tuple[int, ...]:
        """The views to be seen of such a picture, up to four, while none is alone."""
        raise NotImplementedError

    def shares(self, views: int, picture: Any) -> tuple[tuple[int, int], tuple[int, int]]:
        """How the columns and the rows share the room."""
        raise NotImplementedError

    # ------------------------------------------------------------ shared

    @property
    def compact(self) -> bool:
        """Whether there is room for two views: in a compact window, and beside panels that leave little of a wide one."""
        return self._compact or self._narrow

    @property
    def alone(self) -> int:
        """The number of the view that is alone, or ALL."""
        return self._model.alone.value

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, px = event.size().width(), self._look.px
        stacked, narrow, low = width < BESIDE_FROM, width < px(_FOUR_FROM), event.size().height() < _BELOW_FROM + 2 * px(HEADER)
        most = min(len(self.frames), len(_CELLS)) if not stacked else 1 if low else 2
        if (most, stacked, narrow) != (self._most, self._stacked, self._narrow):
            self._most, self._stacked, self._narrow, self._shown = most, stacked, narrow, ()
            self._show(self._model.picture.value)

    @property
    def resting(self) -> bool:
        """Whether the views are left as they are, because something else is shown in their place."""
        return self._resting

    @resting.setter
    def resting(self, resting: bool) -> None:
        self._resting = resting
        self._show(self._model.picture.value)

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the views that are to be seen."""
        return self._shown

    def toggle(self, number: int) -> None:
        """Show one view alone, or all again where it is alone already."""
        self._model.alone.value = ALL if self.alone == number else number

    def describe(self, picture: AnyPicture | None) -> None:
        """Tell readers of the screen what the views show."""
        for number in self._shown:
            self._frame(number).view.describe(picture)

    def _show(self, picture: AnyPicture | None) -> None:
        if self._resting:
            return
        own = self.own(picture)
        self._arrange(own)
        at_once = self._shown[:_AT_ONCE] if self._model.untold else self._shown
        for number in at_once:
            self._frame(number).show_picture(own)
        if own is not None and at_once != self._shown:
            self._model.unfinished = True

    def _show_waiting(self) -> None:
        """Show the picture in those views too that have waited."""
        own = None if self._resting else self.own(self._model.picture.value)
        for number in self._shown[_AT_ONCE:]:
            if own is not None and self._frame(number).view.picture is not own:
                self._frame(number).show_picture(own)

    def _arrange(self, picture: AnyPicture | None) -> None:
        """Put those views into the grid that are to be seen."""
        wanted = (self.alone,) if 0 < self.alone <= len(self.frames) else self.wanted(picture)[: self._most]
        columns, rows = self.shares(len(wanted), picture)
        if self._stacked:
            columns, rows = (1, 0), columns
        for number, stretch in enumerate(rows):
            self._grid.setRowStretch(number, stretch)
        if wanted == self._shown:
            return
        self._shown = wanted
        focused = self._focused()
        for frame in self.frames:
            self._grid.removeWidget(frame)
            frame.setVisible(False)
        for view, (row, column) in zip(wanted, _STACKED if self._stacked else _CELLS, strict=False):
            self._grid.addWidget(self._frame(view), row, column, 1, 2 if (row, len(wanted)) == (1, 3) else 1)
            self._frame(view).setVisible(True)
        for number, stretch in enumerate(columns):
            self._grid.setColumnStretch(number, stretch)
        if picture is not None and not self._model.timeline.playing.value:
            self.describe(picture)  # what came into sight was not told of meanwhile
        if focused is not None and wanted:
            self._focus_again(*focused, self._frame(wanted[0]))

    def _focused(self) -> tuple[ViewFrame, QWidget] | None:
        """The frame within which the focus is, and what has it: that is taken off while all are hidden, else it would go on to a button
        beyond."""
        focused = QApplication.focusWidget()
        frame = next((each for each in self.frames if focused is not None and each.isAncestorOf(focused)), None)
        if focused is None or frame is None:
            return None
        focused.clearFocus()
        return frame, focused

    def _focus_again(self, frame: ViewFrame, focused: QWidget, first: ViewFrame) -> None:
        """Give the focus back, or to the same of the first view where its own has left."""
        if not frame.isVisibleTo(self):
            focused = first.view if focused is frame.view else first.number
        focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _frame(self, number: int) -> ViewFrame:
        return self.frames[number - 1]

    def _repaint(self) -> None:
        for frame in self.frames:
            frame.view.update()


_AT_ONCE = 2
"""Views that show a new step at once while playing; words tell it in the next frame and the others show it in the one after, so that none
is a long one."""
_CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))
_STACKED = ((0, 0), (1, 0))
