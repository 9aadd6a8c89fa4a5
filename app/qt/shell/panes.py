"""Panes of the window in the order in which the focus goes through them.

Focus and typed text are remembered and put back when the window is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget


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


Path = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FocusMemory:
    """`path` leads from the root to the control, by class and place among the siblings of that class: it does not depend on the language.

    `typed` is the unfinished text of a field, `cursor` where in it the next letter goes.
    """

    path: Path
    typed: str | None = None
    cursor: int = 0

    def restore(self, root: QWidget) -> bool:
        """Go to the same control below another root; False where there is none, or where it cannot take the focus now."""
        widget: QWidget | None = root
        for name, place in self.path:
            widget = _child(widget, name, place) if widget is not None else None
        if widget is None or widget is root or not widget.isVisibleTo(root) or not widget.isEnabled():
            return False
        go_to(widget, Qt.FocusReason.OtherFocusReason)
        if isinstance(widget, QLineEdit) and self.typed is not None and widget.text() != self.typed:
            widget.setText(self.typed)
            widget.setCursorPosition(self.cursor)
            widget.textEdited.emit(self.typed)
        return True


def remember_focus(root: QWidget) -> FocusMemory | None:
    """Which control below `root` has the focus, None where none has."""
    focused = QApplication.focusWidget()
    if focused is None or not root.isAncestorOf(focused):
        return None
    if isinstance(focused, QLineEdit):
        return FocusMemory(_path(root, focused), focused.text(), focused.cursorPosition())
    return FocusMemory(_path(root, focused))


def _path(root: QWidget, widget: QWidget) -> Path:
    steps: list[tuple[str, int]] = []
    while widget is not root and (parent := widget.parentWidget()) is not None:
        alike = [each for each in _children(parent) if type(each).__name__ == type(widget).__name__]
        steps.append((type(widget).__name__, alike.index(widget)))
        widget = parent
    return tuple(reversed(steps))


def _child(widget: QWidget, name: str, place: int) -> QWidget | None:
    alike = [each for each in _children(widget) if type(each).__name__ == name]
    return alike[place] if place < len(alike) else None


def _children(widget: QWidget) -> list[QWidget]:
    return [child for child in widget.children() if isinstance(child, QWidget)]
