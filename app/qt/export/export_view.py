"""Export views, which can be drawn into a file: widgets of their own, which show the program's models and are never shown.

They have the colours of the theme for exports.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.export.picture_text import ExportSubject, PictureText, text_of_stage
from app.core.gpu_view.index import LaunchIndex
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.style import palette, style_sheet
from app.qt.base.theme import Theme, theme
from app.qt.cpu_view.cpu_stage import CpuStage
from app.qt.gpu_view.gpu_stage import GpuStage

COMPACT_BELOW = 1000
"""Export views narrower than this show two views of the stage where wider ones show four."""


class ExportView(Protocol):
    """Export view: a widget and what is said of it."""

    @property
    def widget(self) -> QWidget: ...

    @property
    def words(self) -> PictureText: ...

    def close(self) -> None:
        """Release the widget: it is not needed any more."""
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


class MovingExportView(ExportView, Protocol):
    """Export view that has moments."""

    def show(self, time: float) -> None:
        """Show a moment, in steps."""
        ...


class TracedExportView(MovingExportView, Protocol):
    """Export view of a trace. Of two launches `model` is the one that the steps are counted in."""

    @property
    def model(self) -> StageModel: ...


class ExportedStage:
    """Export view of the views of the stage, or of one of them. It has a model of its own: what the program shows does not move it."""

    def __init__(self, look: Look, live: StageModel, subject: ExportSubject, view: int, width: int) -> None:
        """`view` is the number of the one that is alone, 0: all that are wanted."""
        self._subject = subject
        self.model = copy_of(live, view)
        compact = width < COMPACT_BELOW
        stage = GpuStage if isinstance(live.shown.value, LaunchIndex) else CpuStage
        self._stage = stage(look, self.model, compact=compact)
        for frame in self._stage.frames:
            frame.leads_back = False
            frame.show_picture(self._stage.own(self.model.picture.value))  # which it was made with
        self._widget = backdrop(look, self._stage)

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def words(self) -> PictureText:
        picture = self.model.picture.value
        assert picture is not None
        return text_of_stage(self._subject, picture)

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
    made.alone.value, made.asking.value = view, live.asking.value
    made.choices.take(live.choices)
    made.shown.value = live.shown.value
    made.caches.value = live.caches.value
    made.pinned.value, made.ahead.value = live.pinned.value, live.ahead.value
    made.timeline.scrub(live.timeline.position.value.time)
    return made


PRINT = "print"
_PAPER = {
    "bg0": "FFFFFF", "bg1": "FFFFFF", "bg2": "FFFFFF", "bg3": "E3E6EB", "line": "C3CAD4", "line2": "566273",
    "t1": "000000", "t2": "1F2937", "t3": "374151", "ink": "000000", "ink_text": "FFFFFF", "cell": "F4F5F7", "cell2": "ECEEF1",
    "a": "06376A", "a_bg": "BFD6EF", "b": "7A3E08", "b_mid": "C98A4B", "b_bg": "F3CFA3", "c": "05625B", "c_mid": "55A79D", "c_bg": "A9DBD3",
    "now": "4B1FB8", "now_text": "4B1FB8", "bad": "7D0530",
}  # fmt: skip
"""What differs from the light theme: white ground, lines and text as dark as paper wants them.

What a cell does is told by its lightness, in steps that are far enough apart for a printer without colours: idle, in the band, done, now.
"""


def export_theme(colours: str) -> Theme:
    """The theme of one of `app.core.export.kinds.COLOURS`."""
    if colours != PRINT:
        return theme(colours)
    tokens: dict[str, Any] = {token: QColor(f"#{value}") for token, value in _PAPER.items()}
    return replace(theme("light"), name=PRINT, **tokens)
