"""A mistake of the program's own: told in one sentence; the rest is in a file."""

from __future__ import annotations

from pathlib import Path

from app.cli.console import Console
from app.core.base.files.log import logging_to
from app.core.crash_reports.report import Reports
from app.core.crash_reports.uncaught import Watch
from kernels.base.messages import message

UNEXPECTED = 70
"""The exit status: what BSD's sysexits calls an internal software error."""


def tell_unexpected(error: Exception, console: Console) -> int:
    """Write a report on an error that nobody caught and say where it is; returns the exit status."""
    logs = console.places.logs
    with logging_to(logs):
        report = Watch(Reports(logs, logs, console.text, Path.home())).take(error)
    if report is None:
        said = message("Something in Tilescope failed, and no report on it could be written: {error}", error=type(error).__name__)
    else:
        said = message("Something in Tilescope failed. What is known of it is in {path}; it was sent nowhere.", path=str(report.path))
    console.tell(f"tilescope: {console.text(said)}")
    return UNEXPECTED
