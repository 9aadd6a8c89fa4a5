"""A list of controls that is one stop of the tab key: the arrows go through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.qt.widgets.stops import go_to

_STEPS: Mapping[int, int] = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAGE_KEYS: Mapping[int, int] = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ENDS: Mapping[int, int] = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class RovingStop(QObject):
    """Up and Down lead to the neighbour that is in sight, Page Up and Page Down to the last within a page, so that the list does not scroll
    away from the focus, Home and End to the first and the last; Tab comes back to the one left last."""

    def __init__(self, owner: QObject) -> None:
        super().__init__(owner)
        self._parts: Sequence[QWidget] = ()
        self._around: QWidget | None = None

    def take(self, parts: Sequence[QWidget], around: QWidget) -> None:
        """Replace the list, which lies in `around`, from top to bottom."""
        self._parts, self._around = parts, around
        for part in parts:
            part.installEventFilter(self)
        self.stop_at(None)

    def stop_at(self, wanted: QWidget | None) -> None:
        """Let Tab come to this one; to the one that has the focus where one has, and to the first in sight where this one is not."""
        shown = self._shown()
        focused = [part for part in shown if part.hasFocus()]
        stop = next((part for part in (*focused, wanted, *shown) if part in shown), None)
        for part in self._parts:
            part.setFocusPolicy(Qt.FocusPolicy.StrongFocus if part is stop else Qt.FocusPolicy.ClickFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn:
            self.stop_at(None)
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            return self._go(watched, event)
        return super().eventFilter(watched, event)

    def _go(self, watched: QObject, event: QKeyEvent) -> bool:
        shown, key = self._shown(), event.key()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not plain or watched not in shown or key not in {*_STEPS, *_PAGE_KEYS, *_ENDS}:
            return False
        here = shown.index(watched)
        step = self._page(shown, here, _PAGE_KEYS[key]) if key in _PAGE_KEYS else _STEPS.get(key, 0)
        place = _ENDS[key] if key in _ENDS else min(max(here + step, 0), len(shown) - 1)
        go_to(shown[place], Qt.FocusReason.TabFocusReason)
        return True

    def _page(self, shown: Sequence[QWidget], here: int, direction: int) -> int:
        """How many there are to the last one that is in sight together with this one; one at least."""
        assert self._around is not None, "nothing is shown without"
        port = self._around.parentWidget()
        room = 0 if port is None else port.height() - shown[here].height()
        tops = [part.mapTo(self._around, QPoint(0, 0)).y() for part in shown]
        near = sum(0 < (top - tops[here]) * direction <= room for top in tops)
        return direction * max(near, 1)

    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if self._around is not None and part.isVisibleTo(self._around)]
