"""What all views of a launch share: they show a picture, tell what is under the pointer, and select by mouse and keyboard."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.core.launch.selection import NO_HIGHLIGHT, NOTHING, Selection
from app.core.launch.verdict import Verdict
from app.core.stage_model import LaunchPicture, StageModel
from app.core.table import Table
from app.qt.look import Look
from kernels.messages import Message

DIMMED = 0.4
MOVES = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


def of_one_moment(before: LaunchPicture, after: LaunchPicture) -> bool:
    """Whether two pictures are of one step, in which nothing has been written meanwhile, with nothing selected."""
    selected = before.highlight is not NO_HIGHLIGHT or after.highlight is not NO_HIGHLIGHT
    place, other = (before.frame.step, before.frame.moment), (after.frame.step, after.frame.moment)
    return before.index is after.index and place == other and not selected


class LaunchView(QWidget):
    """A canvas for one aspect of a launch. Subclasses draw and answer; what they draw is a function of the picture and their size."""

    title: ClassVar[Message]

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__()
        self.look = look
        self.model = model
        self.picture: LaunchPicture | None = None
        self.beside: LaunchView | None = None
        """The same view of another launch, that stands beside this one and is drawn to the same scale."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(look.text(self.title))

    # ------------------------------------------------------------ for subclasses

    def paint(self, painter: QPainter, picture: LaunchPicture) -> None:
        """Draw the picture over the background."""
        raise NotImplementedError

    def fact(self, picture: LaunchPicture) -> Message | None:
        """One fact for the header."""
        raise NotImplementedError

    def verdict(self, picture: LaunchPicture) -> Verdict | None:
        """The badge in the header; None where the step says nothing here."""
        raise NotImplementedError

    def selection_at(self, point: QPointF, picture: LaunchPicture) -> Selection:
        """What is under a point, NOTHING where nothing is."""
        raise NotImplementedError

    def tip(self, selection: Selection, picture: LaunchPicture) -> Message | None:
        """What the tooltip says of something that `selection_at` gave."""
        raise NotImplementedError

    def moved(self, selection: Selection, across: int, down: int, picture: LaunchPicture) -> Selection:
        """The neighbour that an arrow key goes to; from NOTHING the first thing there is."""
        raise NotImplementedError

    def table(self, picture: LaunchPicture) -> Table:
        """The picture as text, one row for each thing drawn."""
        raise NotImplementedError

    def detail(self, _picture: LaunchPicture) -> Message | None:
        """What a reader of the screen is told besides the verdict."""
        return None

    def alike(self, _before: LaunchPicture, _after: LaunchPicture) -> bool:
        """Whether two pictures are drawn alike, so that the second need not be."""
        return False

    # ------------------------------------------------------------ shared

    def describe(self, picture: LaunchPicture | None) -> None:
        """Tell readers of the screen what is drawn: the name says the verdict on the step, the description is its sentence."""
        verdict = self.verdict(picture) if picture is not None else None
        detail = self.detail(picture) if picture is not None else None
        said = (self.title, verdict.text if verdict is not None else None, detail)
        self.setAccessibleName(", ".join(self.look.text(part) for part in said if part is not None))
        self.setAccessibleDescription(self.look.text(picture.story.sentence) if picture is not None else "")

    def show_picture(self, picture: LaunchPicture | None) -> None:
        """Draw another picture."""
        before, self.picture = self.picture, picture
        if before is None or picture is None or self.beside is not None or not self.alike(before, picture):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self.look.theme.bg2)
        if self.picture is None:
            return
        painter.save()
        painter.setOpacity(DIMMED if self.model.notice.value is not None else 1.0)
        self.paint(painter, self.picture)
        painter.restore()
        if self.hasFocus():
            painter.setPen(QPen(self.look.theme.ink, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            said = self.tip(self.selection_at(QPointF(event.pos()), self.picture), self.picture)
            QToolTip.showText(event.globalPos(), self.look.text(said) if said else "", self)
            return True
        return super().event(event)
