"""Errors as sentences and exit statuses: refusals, and mistakes of the program's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kernels.base.messages import Message, ReasonedError, message

if TYPE_CHECKING:
    from app.cli.base.console import Console

T = TypeVar("T")

FAILED_VERIFICATION = 1
WRONG_INPUT = 2
FINDINGS = 3
"""A traced kernel does something wrong."""
UNEXPECTED = 70
"""An internal software error, as in BSD's sysexits."""
INTERRUPTED = 130


class Refused(ReasonedError):
    """A command cannot do what was asked. `main` writes the reason on one line of standard error and returns WRONG_INPUT."""


def accept(value: T | Message) -> T:
    """Return the value; refuse with the reason that is in its place."""
    if isinstance(value, Message):
        raise Refused(value)
    return value


def require(reason: Message | None) -> None:
    """Refuse if there is a reason to."""
    if reason is not None:
        raise Refused(reason)


def tell_unexpected(error: Exception, console: Console) -> int:
    """Write a report on an error that nobody caught and say in one sentence where it is; returns the exit status."""
    from app.core.base.files.log import logging_to
    from app.core.crash_reports.report import Reports
    from app.core.crash_reports.uncaught import Watch

    logs = console.places.logs
    with logging_to(logs):
        report = Watch(Reports(logs, logs, console.text, Path.home())).take(error)
    if report is None:
        said = message("Something in Tilescope failed, and no report on it could be written: {error}", error=type(error).__name__)
    else:
        said = message("Something in Tilescope failed. What is known of it is in {path}; it was sent nowhere.", path=str(report.path))
    console.tell(f"tilescope: {console.text(said)}")
    return UNEXPECTED
