"""A hairline between panels."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame


def rule(vertical: bool) -> QFrame:
    """A line of one pixel."""
    line = QFrame()
    line.setProperty("rule", "left" if vertical else "top")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
