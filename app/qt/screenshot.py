"""The program's picture of itself: the real window with its real workers, taken when the picture is complete."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.core.places import find_places
from app.core.session import Workspace
from app.core.window_arguments import ScreenshotArguments, WindowArguments
from app.qt.application import Desktop
from app.qt.settings import Settings
from kernels.catalog import find
from kernels.messages import Message, message
from kernels.spec import Problem

_DEADLINE_S = 30.0
_SETTLE_S = 0.3


def take(arguments: ScreenshotArguments) -> Message | None:
    """Write the picture; returns why it could not be taken. Measurements shown are the user's own; none is made."""
    before = qInstallMessageHandler(_pass_on)
    window = WindowArguments(arguments.language, arguments.theme, arguments.variant_id, arguments.size)
    desktop = Desktop(window, find_places(os.environ, sys.platform, Path.home()), Settings(None))
    try:
        return _compose(desktop, arguments) or _save(desktop, arguments)
    finally:
        desktop.window.close()
        desktop.shutdown()
        qInstallMessageHandler(before)


def _pass_on(_kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """What Qt says, less the one sentence that the platform without a display says of every window with a smallest size."""
    if "propagateSizeHints" not in text:
        print(text, file=sys.stderr)  # noqa: T201


def _compose(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    session, workbench = desktop.session, desktop.workbench
    if arguments.source is not None:
        reason = session.desk.open_file(arguments.source)
        if reason:
            return reason
    if arguments.n is not None:
        reason = session.set_stage_problem(Problem.square(session.operation, arguments.n))
        if reason:
            return reason
    for name, value in arguments.parameters.items():
        reason = session.set_stage_parameter(name, value)
        if reason:
            return reason
    desktop.window.show_view(0 if arguments.beside else arguments.alone)
    session.workspace.value = Workspace(arguments.view)
    desktop.start()
    if not _until(desktop, lambda: workbench.stage_ready):
        return message("The stage was not ready after {seconds} s.", seconds=_DEADLINE_S)
    _until(desktop, lambda: workbench.settled)
    timeline = workbench.stage.timeline
    timeline.scrub(timeline.extent.value.steps * 0.4 if arguments.step is None else arguments.step)
    if arguments.beside is not None:
        reason = _compare(desktop, arguments.beside, arguments.alone)
        if reason:
            return reason
    end = time.monotonic() + _SETTLE_S
    _until(desktop, lambda: time.monotonic() > end)
    return None


def _compare(desktop: Desktop, beside: str, view: int) -> Message | None:
    """Pin what is shown on the left, and show another variant on the right."""
    workbench, variant = desktop.workbench, find(beside)
    reason = workbench.comparison.toggle()
    if reason is not None or variant is None:
        return reason
    desktop.session.choose_variant(variant)
    workbench.comparison.choose(view)
    if not _until(desktop, lambda: workbench.stage_ready):
        return message("The stage was not ready after {seconds} s.", seconds=_DEADLINE_S)
    return workbench.comparison.refusal


def _save(desktop: Desktop, arguments: ScreenshotArguments) -> Message | None:
    path = arguments.path
    if not desktop.window.grab().save(str(path)):
        return message("{path} could not be written.", path=str(path))
    return None


def _until(desktop: Desktop, done: Callable[[], bool]) -> bool:
    """Let the window live until `done`; False when the deadline passed first."""
    end = time.monotonic() + _DEADLINE_S
    while not done():
        if time.monotonic() > end:
            return False
        desktop.process_events()
        time.sleep(0.005)
    return True
