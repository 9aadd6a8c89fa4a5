"""Rows that must fit: what matters less gives way, bit by bit, until the rest has room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QToolButton, QWidget

Concession = Callable[[bool], object]
"""Called with True it gives up some room, with False it takes it back."""
_TAKE_BACK = False


def give_way(row: QLayout, room: int, concessions: Sequence[Concession]) -> None:
    """Make as many concessions as it takes to fit into so many pixels, the first ones first; others are taken back."""
    for concede in concessions:
        concede(_TAKE_BACK)
    row.invalidate()  # what is shown again before its window is does not tell the row
    for concede in concessions:
        if row.sizeHint().width() <= room:
            break
        concede(not _TAKE_BACK)
        row.invalidate()
    row.activate()  # what is shown again has no place yet, and may be painted before the row is laid out


def hidden(*parts: QWidget) -> Concession:
    """Return the concession to hide some widgets."""
    return partial(_hide, parts)


def replaced(stand_in: QWidget, *parts: QWidget) -> Concession:
    """Return the concession to show one widget in place of some."""
    stand_in.hide()

    def swap(on: bool) -> None:
        _hide(parts, on)
        stand_in.setVisible(on)

    return swap


def icon_alone(*buttons: QToolButton) -> Concession:
    """Return the concession to leave only the icons of buttons; what they do is in their tooltips and names."""
    return partial(_style, buttons)


def _hide(parts: Sequence[QWidget], on: bool) -> None:
    for part in parts:
        part.setHidden(on)


def _style(buttons: Sequence[QToolButton], on: bool) -> None:
    style = Qt.ToolButtonStyle
    for button in buttons:
        button.setToolButtonStyle(style.ToolButtonIconOnly if on else style.ToolButtonTextBesideIcon)
