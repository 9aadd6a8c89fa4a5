"""Actions that the timing workspace calls in the program around it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from kernels.base.limits import Limits
from kernels.base.messages import Message
from kernels.base.spec import Device

LimitsOf = Callable[[Device], Limits]
"""What a device of this machine allows."""
ChoosePath = Callable[[str], Path | Message | None]
"""Asks the user for a file to write, given its suffix without the dot; None when they changed their mind, or why it cannot be that one."""


class TimingActions(Protocol):
    """Carried out by the composition root."""

    def measure(self) -> None:
        """Measure the session's timing choice."""

    def cancel(self) -> None:
        """Stop measuring; finished points are kept."""

    def export(self, path: Path) -> Message | None:
        """Write the measured results; the suffix chooses CSV or JSON. Returns why it could not be."""
