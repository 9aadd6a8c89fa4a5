"""Moments in the reader's own time."""

from __future__ import annotations

from datetime import datetime


def moment_text(seconds: float) -> str:
    """When something was, in seconds of the system's clock: of this day the time alone; nothing where that is not known."""
    if not seconds:
        return ""
    then, now = datetime.fromtimestamp(seconds).astimezone(), datetime.now().astimezone()
    return then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")
