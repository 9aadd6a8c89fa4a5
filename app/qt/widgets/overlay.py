"""A panel that lies over a part of another widget until it is closed; nothing waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from app.qt.base.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.stops import go_to, stops_of
from kernels.base.messages import Message, message

_PLACES = frozenset({
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home,
    Qt.Key.Key_End, Qt.Key.Key_F6, *map(Qt.Key, range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)),
})  # fmt: skip
"""Lead somewhere, whatever is held with them: in the window behind to another page, pane, rung or step."""
TABLE = "F8"
_BEHIND = frozenset((
    TABLE, "Ctrl+B", "Ctrl+Shift+B", "Ctrl+E", "Ctrl+F", "Ctrl+I", "Ctrl+L", "Ctrl+M", "Ctrl+O", "Ctrl+T", "Ctrl+Shift+F", "Ctrl+Shift+T",
))  # fmt: skip
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def typed_by(event: QKeyEvent) -> str:
    """What a key press writes, "" where it calls something instead."""
    return event.text() if event.text().isprintable() and not event.modifiers() & _COMMANDS else ""


def middle(look: Look, size: tuple[int, int], area: QRect) -> QRect:
    """Return a place of a size in the middle of an area, smaller where that does not fit."""
    wide, high = map(look.px, size)
    width, height = min(wide, area.width() - 24), min(high, area.height() - 24)
    return QRect(area.center().x() - width // 2, area.center().y() - height // 2, width, height)


class Overlay(QFrame):
    """Keeps to the place that `fit` gives it for the area of `over`. Tab stays in it; Escape closes it, and the focus returns
    to where it was.
    """

    behind: ClassVar[frozenset[str]] = _BEHIND
    """Keys of what is done behind, most of it with the focus there: the panel goes first, else one would type below it, unseen."""

    def __init__(self, look: Look, over: QWidget, fit: Callable[[QRect], QRect]) -> None:
        super().__init__(over)
        self.look = look
        self._over = over
        self._fit = fit
        self._before: QWidget | None = None
        self.finds: QLineEdit | None = None
        """The field of the panel in which words are looked for, where it has one: Ctrl+F leads there."""
        self.setObjectName("overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = label(look, "", "section")
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setFixedSize(QSize(look.px(28), look.px(28)))
        self._close.setStyleSheet("QToolButton { padding: 0; }")
        self._close.setAccessibleName(look.text(message("Close (Esc)")))
        self._close.setToolTip(look.text(message("Close (Esc)")))
        self._close.clicked.connect(self.leave)
        header = QHBoxLayout()
        header.addWidget(self._title, 1)
        header.addWidget(self._close)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(14, 8, 8, 12)
        self.column.setSpacing(6)
        self.column.addLayout(header)
        over.installEventFilter(self)
        self.hide()

    def open(self, title: Message, first: QWidget) -> None:
        """Lie over the other widget under this title, with the focus on `first`."""
        self._title.setText(self.look.text(title))
        self.setAccessibleName(self._title.text())
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self._place()
        self.show()
        self.raise_()
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """Close, and give the focus back."""
        self.hide()
        if self._before is not None and shiboken6.isValid(self._before):
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    def event(self, event: QEvent) -> bool:
        """Keep letters and what leads somewhere from the commands of the window behind, which has shortcuts of a single letter; make room
        for those whose work is seen there."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if typed_by(event) or event.key() in _PLACES or self._looks_for(event):
                event.accept()
                return True
            if QKeySequence(event.keyCombination()).toString() in self.behind:
                self.leave()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """No key reaches what lies behind."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif self.finds is not None and self._looks_for(event):
            self.finds.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.finds.selectAll()
        event.accept()

    def _looks_for(self, event: QKeyEvent) -> bool:
        return self.finds is not None and event.matches(QKeySequence.StandardKey.Find)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """What lies below is out of reach as long as it is covered."""
        stops, focused = stops_of(self), QApplication.focusWidget()
        if focused not in stops:
            return super().focusNextPrevChild(forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        go_to(stops[(stops.index(focused) + (1 if forward else -1)) % len(stops)], reason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        self.setGeometry(self._fit(self._over.rect()))
