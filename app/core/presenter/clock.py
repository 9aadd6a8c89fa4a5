"""The time of day, and how long the presentation has been going on. Time is given, never read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime


class Clock:
    """`seconds` never goes back; `today` is the time of day."""

    def __init__(self, seconds: Callable[[], float], today: Callable[[], datetime]) -> None:
        self._seconds, self._today = seconds, today
        self._began = seconds()

    def begin(self) -> None:
        """Count from now on."""
        self._began = self._seconds()

    @property
    def day(self) -> str:
        """The time of day, such as 09:05."""
        return self._today().strftime("%H:%M")

    @property
    def elapsed(self) -> str:
        """Minutes and seconds since the beginning; with hours from the first on."""
        minutes, seconds = divmod(max(0, int(self._seconds() - self._began)), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
