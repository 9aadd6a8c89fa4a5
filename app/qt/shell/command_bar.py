"""The bar at the top: what is computed, which workspace is in front, language and theme."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.core.base.observable import Field
from app.core.session.session import Session, Workspace
from app.qt.base.binding import bind
from app.qt.base.commands import Command, shown_keys
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.responsive_row import give_way, hidden, icon_alone, replaced
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.catalogue import catalogue

OPERATIONS: dict[Operation, Message] = {
    Operation.MATMUL: message("Multiply"),
    Operation.TRANSPOSE: message("Transpose"),
    Operation.HELLO: message("Hello threads"),
}
WORKSPACES = {
    Workspace.STAGE: (message("Stage"), "layers"),
    Workspace.TIMING: (message("Timing"), "chart-line"),
}


BarButton = tuple[str, Command]
"""The name of an icon, and what it calls."""


class CommandBar(QWidget):
    """Bar of the commands, 48 pixels high; the menus are made by the main window. Where there is little room, words give way to icons, and
    these to one button whose menu has them."""

    def __init__(
        self, look: Look, session: Session, menu: QMenu, languages: QMenu, themes: QMenu, buttons: Sequence[BarButton] = ()
    ) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setProperty("rule", "bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(48))
        operations = [operation for operation in Operation if catalogue.of(operation)]
        switch = Segmented(
            look, message("Operation"), [(operation, OPERATIONS[operation], "") for operation in operations], session.choose_operation
        )
        workspaces = [(space, *WORKSPACES[space]) for space in Workspace]
        spaces = Segmented(look, message("Workspace"), workspaces, session.show_workspace)
        logo = _logo(look)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 12, 0)
        row.setSpacing(8)
        self.menu = _menu_button(look, "menu", message("Menu (F10)"), menu)
        row.addWidget(self.menu)
        row.addWidget(logo)
        name = label(look, "Tilescope", "step")
        row.addWidget(name)
        row.addSpacing(8)
        row.addWidget(switch)
        row.addSpacing(8)
        row.addWidget(spaces)
        row.addStretch(1)
        made = [_command_button(look, icon_name, command) for icon_name, command in buttons]
        self.more = _menu_button(look, "ellipsis", message("More"), _menu_of(look, self, buttons))
        for button in (*made, self.more):
            row.addWidget(button)
        row.addWidget(_menu_button(look, "languages", message("Language"), languages))
        row.addWidget(_menu_button(look, "sun-moon", message("Theme"), themes))
        self._concessions = (icon_alone(*made), hidden(logo, name), icon_alone(*spaces.buttons), replaced(self.more, *made))
        editor = session.draft_editor
        shown: tuple[Field[Any], ...] = (session.stage, editor.on_stage, editor.draft, session.workspace)
        for field in shown:
            bind(self, field, lambda _value: switch.show_choice(session.shown_operation))
        bind(self, session.workspace, spaces.show_choice)

    def open_menu(self) -> None:
        """Open the menu with its first row marked, as its button does."""
        menu = self.menu.menu()
        menu.popup(self.menu.mapToGlobal(self.menu.rect().bottomLeft()))
        menu.setActiveAction(menu.actions()[0])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None:
            give_way(layout, event.size().width(), self._concessions)


def _logo(look: Look) -> QLabel:
    made = QLabel()
    made.setPixmap(look.icon("tilescope", look.theme.t1, 18).pixmap(look.px(18), look.px(18)))
    return made


def _command_button(look: Look, icon_name: str, command: Command) -> QToolButton:
    """Icon and title; the key stands in the tooltip, beside the title, which may have given way."""
    button = QToolButton()
    button.setIcon(look.icon(icon_name, size=18))
    button.setIconSize(QSize(look.px(18), look.px(18)))
    button.setText(look.text(command.title))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setToolTip(f"{look.text(command.title)} ({' / '.join(shown_keys(keys) for keys in command.keys)})")
    button.setAccessibleName(look.text(command.title))
    button.clicked.connect(lambda: command.run())
    return button


def _menu_of(look: Look, owner: QWidget, buttons: Sequence[BarButton]) -> QMenu:
    menu = QMenu(owner)
    for icon_name, command in buttons:
        keys = " / ".join(shown_keys(keys) for keys in command.keys)
        menu.addAction(look.icon(icon_name), f"{look.text(command.title)}\t{keys}").triggered.connect(partial(_run, command))
    return menu


def _run(command: Command, *_checked: bool) -> None:
    command.run()


def _menu_button(look: Look, icon_name: str, title: Message, menu: QMenu) -> QToolButton:
    button = QToolButton()
    button.setIcon(look.icon(icon_name, size=18))
    button.setIconSize(QSize(look.px(18), look.px(18)))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolTip(look.text(title))
    button.setAccessibleName(look.text(title))
    return button
