"""The program's picture of itself: the real window with its real workers, taken when the picture is complete."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QWidget

from app.core.base.files.locations import find_places
from app.core.base.files.text_files import read_source
from app.core.challenges.challenge import Attempt
from app.core.export.staged import go_to
from app.core.session.session import Workspace
from app.core.stage.model import refuse_alone
from app.core.stage.pointing import Pointed
from app.core.timing.model import TimingPage
from app.core.tracing.service import was_stopped
from app.core.workbench.pending_work import missing
from app.core.workbench.window_arguments import (
    EXPORT,
    HELP,
    LADDER,
    NOTES,
    PRESENTER,
    TIMING,
    TUNING,
    LessonPosition,
    ScreenshotArguments,
    Tried,
    WindowArguments,
)
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.first_hint import DONE
from kernels.base.messages import Message, message
from kernels.base.spec import Problem
from kernels.catalogue.catalogue import find

_DEADLINE_S = 240.0
"""For everything that is waited for at once: the first look at a kernel compiles the cache model for it, on a busy machine for long."""
_SETTLE_S = 0.3
_USUAL_PLACE = 0.4
"""Of all steps, where no step is named."""


def take(arguments: ScreenshotArguments) -> Message | None:
    """Write the picture; returns why it could not be taken. Measurements shown are the user's own; none is made."""
    before = qInstallMessageHandler(_pass_on)
    window = WindowArguments(arguments.language, arguments.theme, arguments.variant_id, arguments.size, arguments.zoom)
    settings = Settings(None)
    settings.save_text(DONE, "yes")
    gc.disable()  # found by another thread, garbage of Qt would be taken apart while this one makes some: each waits for the other
    desktop = Desktop(window, find_places(os.environ, sys.platform, Path.home()), settings)
    try:
        return _composed(desktop, arguments) or _complete(desktop) or _save(desktop, arguments)
    finally:
        desktop.window.close()
        desktop.shutdown()
        desktop.window.deleteLater()  # else every window of this process would be styled anew for the next picture
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        qInstallMessageHandler(before)
        gc.enable()


def _composed(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    if arguments.tried is not None:
        return _try(desktop, arguments.tried)
    return _compose(desktop, arguments) if arguments.lesson is None else _play(desktop, arguments.lesson)


def _pass_on(_kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """What Qt says, less the one sentence that the platform without a display says of every window with a smallest size."""
    if "propagateSizeHints" not in text:
        print(text, file=sys.stderr)  # noqa: T201


def _compose(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    session, workbench = desktop.session, desktop.workbench
    reason = _choose(desktop, arguments)
    if reason is not None:
        return reason
    desktop.window.show_view(0 if arguments.beside else arguments.alone)
    if arguments.view in (TUNING, LADDER):
        workbench.timing.page.value = TimingPage(arguments.view)
    workbench.timing.shown.value = workbench.timing.shown.value if arguments.shown is None else arguments.shown
    session.workspace.value = Workspace.TIMING if arguments.view in (TIMING, TUNING, LADDER) else Workspace.STAGE
    desktop.start()
    reason = _staged(desktop) or _open(desktop, arguments)
    if reason is None and arguments.n is not None and arguments.view == LADDER:
        reason = _complete(desktop) or workbench.ladder.choose_size(arguments.n)
    if reason is not None:
        return reason
    absent = None if arguments.beside else refuse_alone(workbench.stage.shown.value, arguments.alone)
    reason = _go_to(desktop, arguments.step) if absent is None else message("--alone: {reason}", reason=absent)
    if reason is None and arguments.pointed is not None:
        reason = _point(desktop, arguments.pointed)
    if reason is not None or arguments.beside is None:
        return reason
    return _complete(desktop) or _compare(desktop, arguments.beside, arguments.alone)


def _go_to(desktop: Desktop, step: int | None) -> Message | None:
    """Show a step, counted from 0, or that at which something is seen; why there is none."""
    timeline = desktop.workbench.stage.timeline
    if step is not None:
        return go_to(desktop.workbench, step)
    timeline.scrub(timeline.extent.value.steps * _USUAL_PLACE)
    return None


def _point(desktop: Desktop, pointed: Pointed) -> Message | None:
    """Point at a lane and an instruction of the step; why it has none."""
    stage, page = desktop.workbench.stage, desktop.workbench.program_page
    step = stage.timeline.position.value.step
    reason = pointed.refuse(None if page.shown.value else stage.shown.value, range(step, step + 1))
    if reason is None:
        pointed.show(stage)
    return reason


def _play(desktop: Desktop, place: LessonPosition) -> Message | None:
    """Show a step of a lesson with its numbers, and its answer where that is asked for."""
    workbench, scene = desktop.workbench, place.lesson.steps[place.number].scene
    player = workbench.lesson_controller.player
    workbench.lesson_controller.progress.stop()
    workbench.stage.still.value = True
    desktop.start()
    player.open(place.lesson, place.number)
    reason = _staged(desktop)
    if reason is None and place.revealed:
        player.reveal()
        reason = _staged(desktop)
    if reason is None and scene is not None and scene.play and not scene.line:
        _go_to(desktop, None)  # it would be playing
    return reason


def _try(desktop: Desktop, tried: Tried) -> Message | None:
    """Show a challenge, checked."""
    workbench, challenge = desktop.workbench, tried.challenge
    workbench.practice.progress.stop()
    desktop.start()
    workbench.practice.open(challenge, tried.attempt or Attempt.of(challenge, challenge.given))
    reason = _staged(desktop)
    if reason is None:
        _go_to(desktop, None)
    return reason


def _choose(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    """Sizes and parameters; why they cannot be."""
    session, reason = desktop.session, None
    if arguments.n is not None and arguments.view == TUNING:
        reason = desktop.workbench.tuning.choose_size(arguments.n)
    elif arguments.n is not None and arguments.view != LADDER:
        reason = session.set_stage_problem(Problem.square(session.operation, arguments.n))
    for name, value in arguments.parameters.items():
        reason = reason or session.set_stage_parameter(name, value)
    if arguments.run is not None:
        runs = desktop.workbench.real_runs
        runs.chosen.value = True
        reason = reason or runs.choose_size(arguments.run)
    return reason


def _open(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    """Put the file on the stage; where a variant was named, as what its text was edited into."""
    draft_editor, source = desktop.session.draft_editor, arguments.source
    if source is None:
        return None
    if arguments.variant_id is None:
        reason = draft_editor.open_file(source)
    else:
        text = read_source(source)
        reason = text if isinstance(text, Message) else draft_editor.edit_copy()
        if isinstance(text, str):
            draft_editor.change_text(text)
    return reason or _staged(desktop)


def _compare(desktop: Desktop, beside: str, view: int) -> Message | None:
    """Pin what is shown on the left, and show another variant on the right."""
    workbench, variant = desktop.workbench, find(beside)
    reason = workbench.comparison.toggle()
    if reason is not None or variant is None:
        return reason
    desktop.session.choose_variant(variant)
    workbench.comparison.choose(view)
    return _staged(desktop) or workbench.comparison.refusal


def _save(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    path = arguments.path
    panels = {HELP: desktop.window.toggle_help, EXPORT: desktop.exporting.toggle}
    if arguments.view in panels:
        panels[arguments.view]()
    window = _window(desktop, arguments)
    reason = _complete(desktop)
    _settle(desktop)
    if reason is None and not window.grab().save(str(path)):
        return message("{path} could not be written.", path=str(path))
    return reason


def _window(desktop: Desktop, arguments: ScreenshotArguments) -> QWidget:
    """What the picture is of: the window, or one of those that present."""
    presenting = desktop.presenting
    window: QWidget | None = None
    if arguments.view == PRESENTER:
        presenting.choose_theme(arguments.theme)
        window = presenting.make_window()
    elif arguments.view == NOTES:
        window = presenting.make_notes()
    if window is None:
        return desktop.window
    window.resize(*arguments.size)
    window.show()
    return window


# ------------------------------------------------------------ waiting


def _staged(desktop: Desktop) -> Message | None:
    """Wait for what the stage shows; why there is none. That a kernel cannot be shown is something to show."""
    workbench = desktop.workbench
    if not _until(desktop, lambda: workbench.stage_ready and not workbench.states.arrival.pending):
        return message("The stage was not ready after {seconds} s.", seconds=_DEADLINE_S)
    notice = workbench.stage.notice.value
    return notice if notice is not None and was_stopped(notice) else None


def _complete(desktop: Desktop) -> Message | None:
    """Wait for everything that the window can tell of it; what it did not come to tell."""
    _until(desktop, lambda: missing(desktop.workbench) is None)
    lacking = missing(desktop.workbench)
    if lacking is None:
        return None
    return message("The picture was not complete after {seconds} s. Not known: {lacking}.", seconds=_DEADLINE_S, lacking=lacking)


def _settle(desktop: Desktop) -> None:
    end = time.monotonic() + _SETTLE_S
    _until(desktop, lambda: time.monotonic() > end)


def _until(desktop: Desktop, done: Callable[[], bool]) -> bool:
    """Let the window live until `done`; False when that took too long."""
    end = time.monotonic() + _DEADLINE_S
    while not done():
        if time.monotonic() > end:
            return False
        desktop.process_events()
        time.sleep(0.005)
    return True
