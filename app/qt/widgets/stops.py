"""Stops of the tab key within a part of the window."""

from __future__ import annotations

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
    found = [pane] if _takes_focus(pane) else []
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        if pane.isAncestorOf(widget) and _takes_focus(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def _takes_focus(widget: QWidget) -> bool:
    tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return tabbed and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None
