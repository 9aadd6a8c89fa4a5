"""The stage of a launch: up to four numbered views, or one of them alone."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QGridLayout, QWidget

from app.core.launch.index import LaunchIndex
from app.core.launch.prints import prints
from app.core.launch.views import View
from app.core.stage_model import AnyPicture, LaunchPicture, StageModel
from app.qt.binding import bind
from app.qt.launch.view_frame import ViewFrame
from app.qt.launch.views import VIEWS
from app.qt.look import Look
from kernels.simt.ir import Space

ALL = 0


class LaunchStage(QWidget):
    """Shows the launch pictures of a stage model. In a compact window two views: the matrices, and the one that the step concerns."""

    def __init__(self, look: Look, model: StageModel, *, compact: bool) -> None:
        super().__init__()
        self._compact = compact
        self._alone = ALL
        self._resting = False
        self.setProperty("surface", "canvas")
        self.frames = tuple(ViewFrame(look, view, made(look, model), partial(self.toggle, view), self) for view, made in VIEWS.items())
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        self._shown: tuple[View, ...] = ()
        self._arrange(None)
        bind(self, model.picture, self._show)
        bind(self, model.notice, lambda _notice: self._repaint())
        bind(self, model.busy, lambda _busy: self._repaint())

    @property
    def alone(self) -> int:
        """The number of the view that is alone, or ALL."""
        return self._alone

    @property
    def resting(self) -> bool:
        """Whether the views are left as they are, because something else is shown in their place."""
        return self._resting

    @resting.setter
    def resting(self, resting: bool) -> None:
        self._resting = resting
        self._show(self.frames[0].view.model.picture.value)

    def toggle(self, number: int) -> None:
        """Show one view alone, or all again where it is alone already."""
        self.maximise(ALL if self._alone == number else number)

    def maximise(self, number: int) -> None:
        """Show view `number` (1 to 4) alone; ALL shows all."""
        self._alone = number
        self._show(self.frames[0].view.model.picture.value)

    def _show(self, picture: AnyPicture | None) -> None:
        if self._resting:
            return
        launch = picture if isinstance(picture, LaunchPicture) else None
        self._arrange(launch)
        for view in self._shown:
            self._frame(view).show_picture(launch)

    def _arrange(self, picture: LaunchPicture | None) -> None:
        """Put those views into the grid that are to be seen."""
        wanted = self._wanted(picture)
        for number, stretch in enumerate(_rows(len(wanted), picture)):
            self._grid.setRowStretch(number, stretch)
        if wanted == self._shown:
            return
        self._shown = wanted
        for frame in self.frames:
            self._grid.removeWidget(frame)
            frame.setVisible(False)
        for view, (row, column) in zip(wanted, _CELLS, strict=False):
            self._grid.addWidget(self._frame(view), row, column, 1, 2 if (row, len(wanted)) == (1, 3) else 1)
            self._frame(view).setVisible(True)
        for number, stretch in enumerate(_COLUMNS[len(wanted)]):
            self._grid.setColumnStretch(number, stretch)

    def _wanted(self, picture: LaunchPicture | None) -> tuple[View, ...]:
        if self._alone != ALL:
            return (View(self._alone),)
        if picture is not None and prints(picture.index):
            return (View.THREADS,)
        if not self._compact:
            without = View.SHARED_MEMORY if picture is not None and not picture.index.once(_uses_shared_memory) else None
            return tuple(view for view in View if view is not without)
        shared = picture is not None and picture.frame.site.space is Space.SHARED
        return View.MATRICES, View.SHARED_MEMORY if shared else View.GLOBAL_MEMORY

    def _frame(self, view: View) -> ViewFrame:
        return self.frames[view - 1]

    def _repaint(self) -> None:
        for frame in self.frames:
            frame.view.update()


def _uses_shared_memory(index: LaunchIndex) -> bool:
    return any(each.space is Space.SHARED for each in index.trace.allocations)


def _rows(views: int, picture: LaunchPicture | None) -> tuple[int, int]:
    """How the height is shared: matrices side by side need less of it than crossed ones, and leave more to the rows of the banks."""
    if views <= 2:
        return 1, 0
    crossed = picture is None or any(role.letter == "B" for role in picture.index.roles.values())
    return (64, 36) if crossed or views == 3 else (52, 48)


_CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))
_COLUMNS = {1: (1, 0), 2: (58, 42), 3: (62, 38), 4: (62, 38)}
