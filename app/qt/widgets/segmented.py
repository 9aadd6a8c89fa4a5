"""A row of buttons of which one is chosen, or none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QToolButton

from app.qt.base.look import Look
from kernels.base.messages import Message

T = TypeVar("T")
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


def stop_at_the_chosen(toggled: QAbstractButton, checked: bool) -> None:
    """Let Tab come to a button of a group only while it is the chosen one."""
    toggled.setFocusPolicy(Qt.FocusPolicy.TabFocus if checked else Qt.FocusPolicy.NoFocus)


class Segmented(QFrame, Generic[T]):
    """Offers `choices` (value, label, icon name or empty); `chosen` is called when the user picks another."""

    def __init__(self, look: Look, name: Message, choices: Sequence[tuple[T, Message, str]], chosen: Callable[[T], object]) -> None:
        super().__init__()
        self.setProperty("segmented", "true")
        self.setAccessibleName(look.text(name))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(2)
        self._group = group = QButtonGroup(self)
        group.buttonToggled.connect(self._keep_focus)
        self._buttons: dict[T, QToolButton] = {}
        for value, title, icon in choices:
            button = QToolButton()
            button.setText(look.text(title))
            button.setFont(look.theme.font("body"))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            if icon:
                button.setIcon(look.icon(icon))
                button.setIconSize(QSize(look.px(16), look.px(16)))
                button.setToolTip(look.text(title))
                button.setAccessibleName(look.text(title))
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(lambda _=False, picked=value: chosen(picked))
            group.addButton(button)
            row.addWidget(button)
            self._buttons[value] = button

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """An arrow beyond the first or the last button ends here: it does nothing elsewhere."""
        if event.key() not in _ARROWS or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """One for each choice."""
        return tuple(self._buttons.values())

    def offer(self, values: Collection[T]) -> None:
        """Show the buttons of these choices alone."""
        for each, button in self._buttons.items():
            button.setVisible(each in values)

    def show_choice(self, value: T | None) -> None:
        """Mark `value` as chosen without telling anyone; None: no button is marked, and the tab key stops at the first."""
        self._group.setExclusive(value is not None)
        for each, button in self._buttons.items():
            button.setChecked(each == value)
        if value is None:
            self.buttons[0].setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _keep_focus(self, toggled: QAbstractButton, checked: bool) -> None:
        """Make only the chosen button a stop of the tab key, and keep the focus with the choice."""
        stop_at_the_chosen(toggled, checked)
        if checked and any(button.hasFocus() for button in self._buttons.values()):
            toggled.setFocus()
