"""A view of the stage: a canvas for one aspect of what is shown, with its words for the header, for readers and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.core.base.picture_parts import Table, Verdict
from app.core.stage.model import FIRST_STEP_ASKED, GpuPicture, Picture, StageModel
from app.qt.base.look import Look
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message

P = TypeVar("P", bound=Picture | GpuPicture)

DIMMED = 0.4


class StageView(Zoomed, Generic[P]):
    """Subclasses draw and answer; what they draw is a function of the picture and their size."""

    title: ClassVar[Message]
    least = QSize(340, 300)

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__()
        self.look = look
        self.model = model
        self.picture: P | None = None
        self.drawn_at: float | None = None
        """How many pixels make one of the view where it is drawn on something else than its screen."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(look.text(self.title))

    # ------------------------------------------------------------ for subclasses

    def paint(self, painter: QPainter, picture: P) -> None:
        """Draw the picture over the background."""
        raise NotImplementedError

    def heading(self, _picture: P) -> Message:
        """What the header calls the picture."""
        return self.title

    def fact(self, picture: P) -> Message | None:
        """One fact for the header."""
        raise NotImplementedError

    def brief(self, _picture: P) -> Message | None:
        """What the header says where there is no room for the fact; None: as much of it as fits."""
        return None

    def verdict(self, picture: P) -> Verdict | None:
        """The badge in the header; None where the step says nothing here."""
        raise NotImplementedError

    def tip_at(self, point: QPointF, picture: P) -> Message | None:
        """What the tooltip says at a point."""
        raise NotImplementedError

    def spots(self, _picture: P) -> Iterable[QRectF]:
        """Where a tooltip tells something of the step itself: what is drawn into a file keeps no others."""
        return ()

    def table(self, picture: P) -> Table:
        """The picture as text, one row for each thing drawn."""
        raise NotImplementedError

    def detail(self, _picture: P) -> Message | None:
        """What a reader of the screen is told besides the verdict."""
        return None

    def rests(self, _before: P, _after: P) -> bool:
        """Whether two pictures are drawn alike, so that the second need not be."""
        return False

    # ------------------------------------------------------------ shared

    def devicePixelRatioF(self) -> float:
        """Return the ratio of what the view is drawn on: what is kept as an image must be as fine."""
        return super().devicePixelRatioF() if self.drawn_at is None else self.drawn_at

    def describe(self, picture: P | None) -> None:
        """Tell readers of the screen what is drawn: the name says the verdict on the step, the description is its sentence."""
        verdict = self.verdict(picture) if picture is not None else None
        detail = self.detail(picture) if picture is not None else None
        said = (self.heading(picture) if picture is not None else self.title, verdict.text if verdict is not None else None, detail)
        self.setAccessibleName(", ".join(self.look.text(part) for part in said if part is not None))
        told = picture.description.sentence if picture is not None else self.model.said
        self.setAccessibleDescription(self.look.text(told) if told is not None else "")

    def show_picture(self, picture: P | None) -> None:
        """Draw another picture."""
        before, self.picture = self.picture, picture
        if before is None or picture is None or not self.rests(before, picture):
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.fillRect(self.rect(), self.look.theme.bg2)
        if self.picture is not None:
            painter.save()
            painter.setOpacity(DIMMED if self.model.notice.value is not None or self.model.late.value else 1.0)
            self.paint(painter, self.picture)
            painter.restore()
        elif self.model.unbegun.value:
            self._paint_said(painter)
        if self.hasFocus():
            painter.setPen(QPen(self.look.theme.ink, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def _paint_said(self, painter: QPainter) -> None:
        """Write why there is no picture."""
        painter.setPen(self.look.theme.t1)
        painter.setFont(self.look.theme.font("body"))
        words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect().adjusted(14, 14, -14, -14), words, self.look.text(FIRST_STEP_ASKED))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            said = self.tip_at(QPointF(event.pos()), self.picture)
            QToolTip.showText(event.globalPos(), self.look.text(said) if said else "", self)
            return True
        return super().event(event)
