"""What the program shows, without its window: for pictures that the command line asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QCoreApplication

from app.core.assembly import assemble
from app.core.export.moments import Range, refuse_range
from app.core.export.words import subject_of_stage
from app.core.i18n import Translator
from app.core.places import Places
from app.core.session import Session
from app.qt.application import qt_application
from app.qt.export.colours import export_theme
from app.qt.export.scenes import StageScene
from app.qt.look import Look
from kernels.messages import Message, message

_DEADLINE_S = 60.0
_SHUTDOWN_S = 2.5
_PAUSE_S = 0.005


class Studio:
    """The session's workers, at work until the block ends that it is used in."""

    def __init__(self, session: Session, places: Places | None) -> None:
        self._qt = qt_application()
        self.session = session
        self._assembly = assemble(session, places)
        self.workbench = self._assembly.workbench

    def __enter__(self) -> Studio:
        self._assembly.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.workbench.shutdown(_SHUTDOWN_S)

    def until(self, done: Callable[[], bool]) -> bool:
        """Let the workers work until `done`; False when that takes too long."""
        end = time.monotonic() + _DEADLINE_S
        while not done():
            if time.monotonic() > end:
                return False
            self.workbench.tick()
            QCoreApplication.processEvents()
            time.sleep(_PAUSE_S)
        return True

    def until_known(self) -> bool:
        """Wait until earlier results have been read, and the devices have answered."""
        return self.until(lambda: self.workbench.settled)

    def refuse_stage(self, step: int) -> Message | None:
        """Wait for the trace and go to a step; why there is nothing to draw, or None."""
        stage = self.workbench.stage
        if not self.until(lambda: self.workbench.stage_ready):
            return message("The stage was not ready after {seconds} s.", seconds=_DEADLINE_S)
        if stage.shown.value is None or stage.notice.value is not None:
            return stage.notice.value or message("There is nothing to animate.")
        steps = stage.timeline.extent.value.steps
        if step > steps:
            return message("{name} must be at most {maximum}, not {value}.", name="--step", maximum=steps, value=step)
        self.until(lambda: self.workbench.exploration.caches.settled)
        stage.timeline.scrub(step)
        return None

    def refuse_moments(self, chosen: Range) -> Message | None:
        """Why the trace has no such range, or None."""
        return refuse_range(chosen, self.workbench.stage.timeline.extent.value.steps)

    def stage_scene(self, look: Look, view: int, width: int) -> StageScene:
        """What the stage shows."""
        return StageScene(look, self.workbench.stage, subject_of_stage(self.session), view, width)


def look_of(colours: str, language: str) -> Look:
    """How a picture looks and reads."""
    return Look(export_theme(colours), Translator(language))
