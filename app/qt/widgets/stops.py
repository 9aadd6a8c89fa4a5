"""Stops of the tab key within a part of the window."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def go_to(stop: QWidget, reason: Qt.FocusReason) -> None:
    """Give it the focus, and scroll to it: an area follows the focus by itself only where it was inside before."""
    stop.setFocus(reason)
    around = stop.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(stop)
        around = around.parentWidget()


def stops_of(pane: QWidget) -> list[QWidget]:
    """What Tab stops at in a pane, in the order in which it was built. Of a group of buttons that exclude each other each is a stop."""
    return [widget for widget in _chain(pane) if widget.isVisible() and widget.isEnabled()]


def order_stops(parts: Iterable[QWidget]) -> None:
    """Let Tab go through these parts one after the other: what is made later, or moved, would come last."""
    for before, after in pairwise(widget for part in parts for widget in _chain(part)):
        QWidget.setTabOrder(before, after)


def _chain(pane: QWidget) -> list[QWidget]:
    """All that can be a stop, in sight or not."""
    found, widget = [pane], pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        if pane.isAncestorOf(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    tabbed = Qt.FocusPolicy.TabFocus
    return [each for each in found if each.focusPolicy() & tabbed == tabbed and each.focusProxy() is None]
