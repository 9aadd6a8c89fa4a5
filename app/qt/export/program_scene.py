"""Scene of a whole program's page: its events are the steps of a clip, and what is told of each is the words."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.core.export.picture_text import PictureText, text_of_program
from app.core.stage.program_frame import ProgramFrame, frame_of
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.export.scenes import backdrop
from app.qt.gpu_view.program_painting import paint_alone
from kernels.base.messages import message


class ProgramScene:
    """Scene of the page as it is; what the window shows later does not move it."""

    def __init__(self, look: Look, bench: Workbench) -> None:
        frame, draft = bench.program_page.frame.value, bench.session.draft_editor.shown
        assert frame is not None
        self._title = message("Program") if draft is None else draft.title
        self._device, self._times = bench.session.profile.value.name, bench.program_page.times.times.value
        self._page = _Page(look, frame, self._device)
        self._widget = backdrop(look, self._page)

    @property
    def widget(self) -> QWidget:
        return self._widget

    @property
    def words(self) -> PictureText:
        return text_of_program(self._title, self._page.frame, self._device)

    def show(self, time: float) -> None:
        """Show the event of that number."""
        run = self._page.frame.run
        self._page.frame = frame_of(run, self._times, min(int(time), len(run.events) - 1))
        self._page.update()

    def close(self) -> None:
        self._widget.deleteLater()


class _Page(QWidget):
    """Picture of one event."""

    def __init__(self, look: Look, frame: ProgramFrame, device: str) -> None:
        super().__init__()
        self.frame = frame
        self._look, self._device = look, device

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_alone(painter, self._look.unzoomed, self.frame, QSize(self.width(), self.height()), self._device)
        painter.end()
