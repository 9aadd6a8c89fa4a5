"""Routes of keys: Return presses the button that has the focus; arrows step the stage, with Alt they change the tile, from every control
without a use for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QLineEdit, QMainWindow, QWidget

from app.qt.widgets.overlay import Overlay
from app.qt.widgets.stop_slider import StopSlider

_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_UPRIGHT = (Qt.Key.Key_Up, Qt.Key.Key_Down)
_HELD = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier)
_WITH_ALT = Qt.KeyboardModifier.AltModifier
"""No control has a use for these."""
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeyRoutes(QObject):
    """Shortcuts of `window` that hold as long as the focus is on a control that would do something else with these keys, or nothing.

    A button would move the focus by an arrow, a slider its handle, which goes by the other two arrows as well.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.by_arrow = False
        """Whether the key that is pressed is an arrow, upwards or downwards, on a button."""
        self._steps = [self._shortcut(key, held, partial(self._step, key, held)) for key in _ARROWS for held in _HELD]
        self._tiles = [self._shortcut(key, _WITH_ALT, partial(self._step, key, _WITH_ALT)) for key in _ARROWS]
        self._presses = [self._shortcut(key, _HELD[0], self._press) for key in _RETURN]
        self._follow(None, QApplication.focusWidget())
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def _shortcut(self, key: Qt.Key, held: Qt.KeyboardModifier, called: Callable[[], object]) -> QShortcut:
        made = QShortcut(QKeySequence(key.value | held.value), self._window)
        made.activated.connect(called)
        return made

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            self.by_arrow = event.type() is QEvent.Type.KeyPress and event.key() in _UPRIGHT
        return False

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and shiboken6.isValid(before):
            before.removeEventFilter(self)
        if isinstance(now, QAbstractButton):
            now.installEventFilter(self)
        else:
            self.by_arrow = False
        presses = isinstance(now, QAbstractButton)
        for shortcut in self._presses:
            shortcut.setEnabled(presses)
        free = isinstance(now, QAbstractButton | QAbstractSlider) and not _lies_over(now)
        steps = free and now is not None and not _one_of_several(now)
        for shortcut in self._steps:
            shortcut.setEnabled(steps)
        for shortcut in self._tiles:
            shortcut.setEnabled(free or (isinstance(now, StopSlider | QLineEdit) and not _lies_over(now)))

    def _step(self, key: Qt.Key, held: Qt.KeyboardModifier) -> None:
        self._window.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, held))

    def _press(self) -> None:
        focused = QApplication.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()


def _one_of_several(control: QWidget) -> bool:
    """Among buttons that exclude each other the arrows choose."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    return group is not None and group.exclusive()


def _lies_over(control: QWidget) -> bool:
    around: QWidget | None = control
    while around is not None and not isinstance(around, Overlay):
        around = around.parentWidget()
    return around is not None
