"""Base of all views of a launch: they tell what is under the pointer, and select by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from app.core.gpu_view.selection import NO_HIGHLIGHT, NOTHING, Selection
from app.core.stage.model import GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.views.view import StageView
from kernels.base.messages import Message

MOVES = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


def of_one_moment(before: GpuPicture, after: GpuPicture) -> bool:
    """Whether two pictures are of one step, in which nothing has been written meanwhile, with nothing selected."""
    selected = before.highlight is not NO_HIGHLIGHT or after.highlight is not NO_HIGHLIGHT
    place, other = (before.frame.step, before.frame.moment), (after.frame.step, after.frame.moment)
    return before.index is after.index and place == other and not selected


class GpuView(StageView[GpuPicture]):
    """View of one aspect of a launch, as a canvas."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__(look, model)
        self.beside: GpuView | None = None
        """The same view of another launch, that stands beside this one and is drawn to the same scale."""
        self.setMouseTracking(True)

    # ------------------------------------------------------------ for subclasses

    def selection_at(self, point: QPointF, picture: GpuPicture) -> Selection:
        """What is under a point, NOTHING where nothing is."""
        raise NotImplementedError

    def tip(self, selection: Selection, picture: GpuPicture) -> Message | None:
        """What the tooltip says of something that `selection_at` gave."""
        raise NotImplementedError

    def moved(self, selection: Selection, across: int, down: int, picture: GpuPicture) -> Selection:
        """The neighbour that an arrow key goes to; from NOTHING the first thing there is."""
        raise NotImplementedError

    def alike(self, _before: GpuPicture, _after: GpuPicture) -> bool:
        """Whether two pictures are drawn alike where nothing stands beside them."""
        return False

    # ------------------------------------------------------------ shared

    def rests(self, before: GpuPicture, after: GpuPicture) -> bool:
        return self.beside is None and self.alike(before, after)

    def tip_at(self, point: QPointF, picture: GpuPicture) -> Message | None:
        return self.tip(self.selection_at(point, picture), picture)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.picture is not None:
            self.model.hovered.value = self.selection_at(event.position(), self.picture)

    def leaveEvent(self, event: QEvent) -> None:
        self.model.hovered.value = NOTHING
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.picture is not None and event.button() is Qt.MouseButton.LeftButton:
            chosen = self.selection_at(event.position(), self.picture)
            self.model.pinned.value = NOTHING if chosen == self.model.pinned.value else chosen
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrow keys are the timeline's unless something is pinned: Enter pins the first thing, arrows move it, Escape lets go."""
        pinned, key = self.model.pinned.value, Qt.Key(event.key())
        if self.picture is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and pinned == NOTHING:
            self.model.pinned.value = self.moved(NOTHING, 0, 0, self.picture)
        elif key == Qt.Key.Key_Escape and pinned != NOTHING:
            self.model.pinned.value = NOTHING
        elif key in MOVES and pinned != NOTHING:
            self.model.pinned.value = self.moved(pinned, *MOVES[key], self.picture)
        else:
            super().keyPressEvent(event)
