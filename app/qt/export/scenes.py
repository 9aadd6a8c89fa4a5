"""What can be drawn into a file: widgets of their own, which show the program's models and are never shown themselves."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.export.words import Subject, Words, words_of_stage
from app.core.launch.index import LaunchIndex
from app.core.stage_model import StageModel
from app.qt.launch.launch_stage import LaunchStage
from app.qt.look import Look
from app.qt.nest.nest_stage import NestStage
from app.qt.style import palette, style_sheet

COMPACT_BELOW = 1000
"""Scenes narrower than this show two views of the stage where wider ones show four."""


class Scene(Protocol):
    """A widget and what is said of it."""

    @property
    def widget(self) -> QWidget: ...

    @property
    def words(self) -> Words: ...

    def close(self) -> None:
        """It is not needed any more."""
        ...


def backdrop(look: Look, inner: QWidget) -> QWidget:
    """A widget with nothing but `inner` in it, which looks as the whole program does in that look."""
    made = QWidget()
    made.setProperty("surface", "panel")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    made.setPalette(palette(look.theme))
    made.setStyleSheet(style_sheet(look.theme))
    made.setFont(look.theme.font("body"))
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(inner)
    return made


class MovingScene(Scene, Protocol):
    """One that has moments."""

    def show(self, time: float) -> None:
        """Show a moment, in steps."""
        ...


class StageScene:
    """The views of the stage, or one of them. It has a model of its own: what the program shows does not move it."""

    def __init__(self, look: Look, live: StageModel, subject: Subject, view: int, width: int) -> None:
        """`view` is the number of the one that is alone, 0: all that are wanted."""
        self._subject = subject
        self.model = copy_of(live, view)
        compact = width < COMPACT_BELOW
        stage = LaunchStage if isinstance(live.shown.value, LaunchIndex) else NestStage
        self._stage = stage(look, self.model, compact=compact)
        self._widget = backdrop(look, self._stage)

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def words(self) -> Words:
        picture = self.model.picture.value
        assert picture is not None
        return words_of_stage(self._subject, picture)

    def show(self, time: float) -> None:
        """Show a moment, in steps."""
        self.model.timeline.scrub(time)

    def close(self) -> None:
        self._widget.deleteLater()


def copy_of(live: StageModel, view: int = 0) -> StageModel:
    """A model that shows what another one does, at the same place."""
    made = StageModel()
    made.profile.value, made.registers.value = live.profile.value, live.registers.value
    made.caches_missing.value, made.cache_level.value = live.caches_missing.value, live.cache_level.value
    made.alone.value = view
    made.shown.value = live.shown.value
    made.caches.value = live.caches.value
    made.pinned.value = live.pinned.value
    made.timeline.scrub(live.timeline.position.value.time)
    return made
