"""The source pane: the text that runs, with the line of the present step."""

from __future__ import annotations

from pathlib import PurePosixPath

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.launch.index import LaunchIndex
from app.core.launch.margins import margins
from app.core.launch.selection import NOTHING, Selection
from app.core.session import Session, StageChoice
from app.core.stage_model import AnyPicture, LaunchPicture, Shown, StageModel
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.source_view import SourceView
from app.qt.widgets.labels import label
from kernels.messages import message


class SourcePanel(QWidget):
    """Header with the file's name, and the read-only text."""

    def __init__(self, look: Look, session: Session, stage_model: StageModel) -> None:
        super().__init__()
        self._session = session
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._name = label(look, "", "code")
        header = QHBoxLayout()
        header.setContentsMargins(14, 8, 14, 8)
        header.setSpacing(12)
        header.addWidget(self._name)
        header.addWidget(label(look, message("this text is what runs"), "small", rank=3))
        header.addStretch(1)
        self._heads = label(look, message("sectors   banks"), "caption", rank=3)
        header.addWidget(self._heads)
        self._model = stage_model
        self._view = SourceView(look)
        self._view.line_pressed.connect(self._go_to_line)
        self._view.line_hovered.connect(self._hover)
        self._view.marks.worst_wanted.connect(lambda step: stage_model.timeline.scrub(step))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self._view, 1)
        bind(self, session.stage, self._show_stage)
        bind(self, stage_model.shown, self._show_costs)
        bind(self, stage_model.picture, self._show_picture)

    def _show_stage(self, stage: StageChoice) -> None:
        self._name.setText(PurePosixPath(stage.variant.source).name)
        self._view.show_source(stage.variant.source_text, stage.variant.source.endswith(".cu"))

    def _show_picture(self, picture: AnyPicture | None) -> None:
        """The line of the step, unless the picture is still that of another variant."""
        current = picture is not None and picture.variant_id == self._session.stage.value.variant.id
        self._view.show_line(picture.frame.line if picture is not None and current else None)
        self._view.show_chosen(picture.highlight.line if isinstance(picture, LaunchPicture) and current else None)

    def _show_costs(self, shown: Shown | None) -> None:
        self._heads.setVisible(isinstance(shown, LaunchIndex))
        self._view.show_margins(margins(shown) if isinstance(shown, LaunchIndex) else {})

    def _go_to_line(self, line: int) -> None:
        """To the next execution of a line, or from its last to its first."""
        shown, timeline = self._model.shown.value, self._model.timeline
        if isinstance(shown, LaunchIndex):
            steps = shown.steps_of_line(line)
            later = steps[steps > timeline.position.value.step]
            if len(steps):
                timeline.scrub(int((later if len(later) else steps)[0]))

    def _hover(self, line: int) -> None:
        if isinstance(self._model.shown.value, LaunchIndex):
            self._model.hovered.value = Selection(line=line) if line else NOTHING
