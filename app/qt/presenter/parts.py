"""What a slide's drawing is made of: views of the stage, a real run, or a page of the timing workspace."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, QSizeF
from PySide6.QtGui import QPainter, QRegion
from PySide6.QtWidgets import QWidget

from app.core.launch.selection import NOTHING, Selection
from app.core.launch.verdict import Verdict
from app.core.real_runs.model import RealRuns
from app.core.real_runs.words import status_words
from app.core.stage_model import AnyPicture, LaunchPicture, StageModel
from app.qt.gantt.runs_view import RunsView
from app.qt.launch.view import LaunchView
from app.qt.presenter.large import as_magnified, fit
from app.qt.views.view import DIMMED, StageView
from app.qt.widgets.answer_first import ANSWER_FIRST
from kernels.messages import Message


class Part:
    """One of the pictures that stand beside each other. Its points are in pixels of what is drawn, before it is magnified."""

    def __init__(self, widget: QWidget, name: Message) -> None:
        """`widget` belongs to the part, and is never shown itself."""
        self.widget = widget
        self.name = name
        self.smallest = 12.0
        """The size of its type that must be read from the back of the hall, in its own pixels."""
        widget.hide()

    @property
    def verdict(self) -> Verdict | None:
        """On what is shown."""
        return None

    def fit(self, size: QSizeF, magnified: float) -> None:
        """Fill so many pixels of the screen."""
        self.widget.resize(max(1, int(size.width() / magnified)), max(1, int(size.height() / magnified)))

    def paint(self, painter: QPainter) -> None:
        """Draw it."""
        self.widget.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)

    def refresh(self) -> bool:
        """Take over what the model has; returns whether it looks different."""
        return True

    def point(self, _at: QPointF | None) -> None:
        """The pointer is there; None: it is elsewhere."""

    def press(self, _at: QPointF) -> None:
        """It was pressed there."""


class ViewPart(Part):
    """A view of a stage model."""

    def __init__(self, view: StageView[Any], model: StageModel, name: Message | None = None) -> None:
        super().__init__(view, view.title if name is None else name)
        self.view, self._model = view, model
        self.smallest = as_magnified(view).smallest
        view.show_picture(model.picture.value)

    @property
    def verdict(self) -> Verdict | None:
        picture = self.view.picture
        return None if picture is None or as_magnified(self.view).silent else self.view.verdict(picture)

    def fit(self, size: QSizeF, magnified: float) -> None:
        fit(self.view, size, magnified)

    def paint(self, painter: QPainter) -> None:
        picture = self.view.picture
        if picture is not None:
            painter.setOpacity(DIMMED if self._model.notice.value is not None else 1.0)
            self.view.paint(painter, picture)

    def refresh(self) -> bool:
        before, after = self.view.picture, self._model.picture.value
        self.view.show_picture(after)
        return before is None or after is None or not _rests(self.view, before, after)

    def hush(self, *, silent: bool) -> bool:
        """Leave out what is being asked for, or not; returns whether that changes anything."""
        view = as_magnified(self.view)
        before, view.silent = view.silent, silent
        return before != silent

    def point(self, at: QPointF | None) -> None:
        self._model.hovered.value = NOTHING if at is None else self._at(at)

    def press(self, at: QPointF) -> None:
        """Pins what is there, which answers a question for a lane."""
        chosen = self._at(at)
        self._model.hovered.value = chosen
        self._model.pinned.value = NOTHING if chosen == self._model.pinned.value else chosen

    def _at(self, at: QPointF) -> Selection:
        picture = self.view.picture
        if isinstance(self.view, LaunchView) and isinstance(picture, LaunchPicture):
            return self.view.selection_at(at, picture)
        return NOTHING


class RunsPart(Part):
    """The real run that the stage asks for, or why there is none. While it would tell what is asked for, it waits for the answer."""

    def __init__(self, view: RunsView[Any], runs: RealRuns, stage: StageModel) -> None:
        super().__init__(view, view.title)
        self._view, self._runs, self._stage = view, runs, stage
        self._shown: object = None
        self.smallest = as_magnified(view).smallest
        self.refresh()

    def fit(self, size: QSizeF, magnified: float) -> None:
        fit(self._view, size, magnified)

    def refresh(self) -> bool:
        wanted = None if self._stage.asking.value else self._runs.wanted
        made = tuple(each for each in self._runs.kept.value if each.point == wanted)
        said = ANSWER_FIRST if self._stage.asking.value else status_words(self._runs.status.value, self._runs.refusal.value)
        before, self._shown = self._shown, (made, said)
        if before == self._shown:
            return False
        self._view.show_runs(made)
        self._view.show_words(said)
        return True


def _rests(view: StageView[Any], before: AnyPicture, after: AnyPicture) -> bool:
    return before is after or (type(before) is type(after) and view.rests(before, after))
