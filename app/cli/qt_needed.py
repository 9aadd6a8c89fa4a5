"""What commands that draw need before they import anything that draws: Qt, and for a window what Qt needs of the system."""

from __future__ import annotations

from collections.abc import Mapping

from app.cli.refusal import require
from app.core.diagnostics.desktop import qt_obstacle, window_obstacle


def require_qt() -> None:
    """Load Qt. Refused with what to install where it does not load."""
    obstacle = qt_obstacle()
    require(None if obstacle is None else obstacle.refusal)


def require_window(environment: Mapping[str, str]) -> None:
    """Refused with what to install where Qt would end the program instead of opening a window."""
    obstacle = window_obstacle(environment)
    require(None if obstacle is None else obstacle.refusal)
