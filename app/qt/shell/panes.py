"""Panes of the window in the order in which the focus goes through them.

Focus and typed text are remembered and put back when the window is built anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.qt.widgets.stops import go_to, places_of, stops_of
from kernels.base.values import dataclass


class Panes:
    """Panes of the window, for the keys that go from one to the next. `find` gives them, first to last; those that are hidden or hold
    nothing to focus are passed over."""

    def __init__(self, find: Callable[[], Sequence[QWidget]]) -> None:
        self._find = find

    def cycle(self, direction: int) -> None:
        """Give the focus to the next pane (1), or to the one before (-1): to what had it there last, else to its first stop."""
        filled = [(pane, stops) for pane, stops in self._stops() if stops]
        if filled:
            here = self._place([pane for pane, _ in filled])
            pane, stops = filled[(here + direction) % len(filled) if here >= 0 else 0]
            last = pane.focusWidget()
            go_to(last if last in stops else stops[0], Qt.FocusReason.TabFocusReason)

    def neighbour(self, *, forward: bool, inside: bool = False) -> QWidget | None:
        """Where Tab leads from what has the focus, `inside` its pane alone from the last to the first; None where that is in no pane."""
        panes, focused = [found for _, found in self._stops()], QApplication.focusWidget()
        if inside:
            panes = [found for found in panes if focused in found]
        stops = [stop for found in panes for stop in found]
        if focused not in stops:
            return None
        return stops[(stops.index(focused) + (1 if forward else -1)) % len(stops)]

    def _stops(self) -> list[tuple[QWidget, list[QWidget]]]:
        """The stops of each pane, without those of a pane that lies within it."""
        panes = self._find()
        inner = {pane: [other for other in panes if other is not pane and pane.isAncestorOf(other)] for pane in panes}
        places = places_of(panes[0]) if panes else {}
        found = [(pane, stops_of(pane, places)) for pane in panes]
        return [(pane, [stop for stop in stops if not any(_holds(other, stop) for other in inner[pane])]) for pane, stops in found]

    def _place(self, panes: Sequence[QWidget]) -> int:
        """The innermost pane that has the focus."""
        focused = QApplication.focusWidget()
        found = [number for number, pane in enumerate(panes) if focused is not None and _holds(pane, focused)]
        return max(found, key=lambda number: sum(other.isAncestorOf(panes[number]) for other in panes), default=-1)


def _holds(pane: QWidget, widget: QWidget) -> bool:
    return pane is widget or pane.isAncestorOf(widget)


Path = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FocusMemory:
    """Memory of where the focus was. `path` leads from the root to the control, by class and place among the siblings of that class: it
    does not depend on the language.

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
