"""The panes of the window in the order in which the focus goes through them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget


class Panes:
    """`find` gives the panes, first to last; those that are hidden or hold nothing to focus are passed over."""

    def __init__(self, find: Callable[[], Sequence[QWidget]]) -> None:
        self._find = find

    def cycle(self, direction: int) -> None:
        """Give the focus to the next pane (1), or to the one before (-1)."""
        stops = [stops[0] for pane in self._find() if (stops := stops_of(pane))]
        if stops:
            here = self._place()
            go_to(stops[(here + direction) % len(stops) if here >= 0 else 0], Qt.FocusReason.TabFocusReason)

    def neighbour(self, *, forward: bool) -> QWidget | None:
        """Where Tab leads from what has the focus; None where that is in no pane."""
        stops = [stop for pane in self._find() for stop in stops_of(pane)]
        focused = QApplication.focusWidget()
        if focused not in stops:
            return None
        return stops[(stops.index(focused) + (1 if forward else -1)) % len(stops)]

    def _place(self) -> int:
        focused = QApplication.focusWidget()
        filled = [pane for pane in self._find() if stops_of(pane)]
        return next((number for number, pane in enumerate(filled) if focused is not None and _holds(pane, focused)), -1)


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


def _holds(pane: QWidget, widget: QWidget) -> bool:
    return pane is widget or pane.isAncestorOf(widget)
