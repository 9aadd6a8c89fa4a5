"""What the user was about when the window is built anew: which control had the focus, and what was typed into it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.qt.panes import go_to

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
