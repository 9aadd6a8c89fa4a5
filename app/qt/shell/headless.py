"""Studio without a window: what the program shows, for pictures that the command line asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QCoreApplication

from app.core.base.files.locations import Locations
from app.core.base.i18n import Translator
from app.core.export.choice import Range, refuse_range
from app.core.export.staged import Staged, go_to, refuse_staged, staged, steps_of
from app.core.session.session import Session
from app.core.workbench.assembly import assemble
from app.qt.base.look import Look
from app.qt.export.export_view import export_theme
from app.qt.shell.application import qt_application
from kernels.base.messages import Message, message
from kernels.base.spec import Parameters, Variant

_DEADLINE_S = 60.0
_SHUTDOWN_S = 2.5
_PAUSE_S = 0.005


class Studio:
    """The session's workers, at work until the block ends that it is used in."""

    def __init__(self, session: Session, places: Locations | None) -> None:
        self._qt = qt_application()
        self.session = session
        self._assembly = assemble(session, places)
        self.workbench = self._assembly.workbench
        self._reading = False

    def __enter__(self) -> Studio:
        self.workbench.start()
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
        if not self._reading:
            self._reading = True
            self._assembly.read()
        return self.until(lambda: self.workbench.settled)

    def refuse_stage(self, step: int) -> Message | None:
        """Wait for the trace, or a program and its times, and go to a step or an event, by its index; why there is none, or None."""
        bench, reason = self.workbench, self._stage_refusal()
        if reason is not None:
            return reason
        self.until(lambda: bench.program_page.times.settled if staged(bench) is Staged.PROGRAM else bench.studies.caches.settled)
        return go_to(bench, step)

    def _stage_refusal(self) -> Message | None:
        """Wait for the trace; why there is none, or None."""
        stage = self.workbench.stage
        if not self.until(lambda: self.workbench.stage_ready):
            return message("The stage was not ready after {seconds} s.", seconds=_DEADLINE_S)
        if stage.shown.value is None or stage.notice.value is not None:
            return stage.notice.value or message("There is nothing to animate.")
        return None

    def refuse_moments(self, chosen: Range) -> Message | None:
        """Why what is shown has no such range, or None."""
        return refuse_range(chosen, steps_of(self.workbench))

    @property
    def comparing(self) -> bool:
        """Whether two launches are shown beside each other."""
        return self.workbench.comparison.pair.value is not None

    def compare(self, variant: Variant, parameters: Parameters) -> Message | None:
        """Put another launch at the right of the one that the stage shows; why that cannot be, or None.

        Parameters that are not named are as those of the left one, where the right one can have them.
        """
        self.until_known()  # the times of both, where there are any
        comparison = self.workbench.comparison
        reason = self._stage_refusal() or comparison.toggle()
        if reason is None:
            self.session.choose_variant(variant)
        for name, value in parameters.items():
            reason = reason or self.session.set_stage_parameter(name, value)
        return reason or self._stage_refusal() or comparison.refusal

    def play_race(self) -> Message | None:
        """Play the first race of what the stage shows; why there is none to play, or None."""
        races = self.workbench.races
        reason = races.play_first()
        if reason is not None:
            return reason
        self.until(lambda: races.settled)
        return None if races.playing or races.told.value is None else races.told.value.sentence

    def run(self, n: int) -> Message | None:
        """Have what the stage shows run with n x n matrices; why there is no run, or None."""
        runs = self.workbench.real_runs
        self.until(lambda: self.workbench.stage_ready)  # nothing else is to work during the run
        runs.chosen.value = True
        reason = runs.choose_size(n)
        if reason is not None:
            return reason
        if not self.until(lambda: runs.settled):
            return message("The run was not ready after {seconds} s.", seconds=_DEADLINE_S)
        return refuse_staged(self.workbench, moving=False)


def look_of(colours: str, language: str) -> Look:
    """How a picture looks and reads."""
    return Look(export_theme(colours), Translator(language))
