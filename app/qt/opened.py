"""Showing what the file says that the window was opened with."""

from __future__ import annotations

from pathlib import Path

from app.core.state.snapshot import Snapshot
from app.core.window_arguments import LessonPlace, Tried
from app.core.workbench import Workbench


def show_opened(workbench: Workbench, opened: Snapshot | Tried | LessonPlace | Path | None) -> None:
    """Show a state, a lesson, an attempt at a challenge or a text; nothing is executed but by the interpreter."""
    match opened:
        case Snapshot():
            workbench.states.show(opened)
        case Tried():
            workbench.practice.open(opened.challenge, opened.attempt)
        case LessonPlace():
            workbench.classroom.player.open(opened.lesson, opened.number)
        case Path():
            reason = workbench.session.desk.open_file(opened)
            if reason is not None:
                workbench.tell(reason)
