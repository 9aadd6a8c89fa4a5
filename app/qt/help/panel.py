"""The help: the map of the keyboard first, then the pages and the glossary, with a field that finds words in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget

from app.core.help.pages import Page, asked, pages, says, tables_with
from app.qt.commands import Command, Hint, shown_keys
from app.qt.help.markup import glossary_markup, page_markup
from app.qt.help.text import HelpText
from app.qt.look import Look
from app.qt.panels.keyboard_map import KeyboardMap
from app.qt.presenter.keys import presenter_hints
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay
from kernels.messages import Message, message

_SIZE = (1280, 680)
_LIST_WIDTH = 216
_MARGIN = 12
TITLE = message("Help")
KEYBOARD = message("Keyboard map")
GLOSSARY = message("Glossary")
PRESENTING = message("While presenting")

Groups = Mapping[Message, Sequence[Command | Hint]]


class HelpPanel(Overlay):
    """Opens with the map of the keyboard. Arrow keys go through the pages; Escape closes it."""

    def __init__(self, look: Look, over: QWidget, groups: Groups) -> None:
        super().__init__(look, over, self._middle)
        groups = {**groups, PRESENTING: presenter_hints()}
        self.pages: tuple[Page, ...] = ()
        """Read when it is opened first: the window does not wait for them."""
        self._keys = tuple(
            f"{' '.join(map(shown_keys, each.keys))} {look.text(each.title)}" for commands in groups.values() for each in commands
        )
        self.keyboard = KeyboardMap(look, groups)
        self.text = HelpText(look)
        self.field = self._made_field()
        self.list = QListWidget()
        self.list.setFont(look.theme.font("body"))
        self.list.setAccessibleName(look.text(message("Pages of the help")))
        self.list.setWordWrap(True)
        self._none = label(look, message("No page says that."), rank=2)
        self._none.setWordWrap(True)
        self._shown = QStackedWidget()
        for part in (self.keyboard, self.text):
            self._shown.addWidget(part)
        self._arrange()
        self.list.currentItemChanged.connect(lambda item, _before: self._show(item))
        self.field.textChanged.connect(self._fill)

    def toggle(self) -> None:
        """Show it with the map of the keyboard, or close it."""
        if self.isHidden():
            self.field.clear()
            self._fill("")
            self.open(TITLE, self.list)
        else:
            self.leave()

    def show_page(self, page_id: str) -> None:
        """Open a page by its id."""
        if self.isHidden():
            self.toggle()
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == page_id:
                self.list.setCurrentRow(row)

    # ------------------------------------------------------------ making

    def _made_field(self) -> QLineEdit:
        made = QLineEdit()
        made.setFont(self.look.theme.font("body"))
        made.setClearButtonEnabled(True)
        said = self.look.text(message("Find in the help"))
        made.setPlaceholderText(said)
        made.setAccessibleName(said)
        return made

    def _arrange(self) -> None:
        side = QWidget()
        side.setFixedWidth(self.look.px(_LIST_WIDTH))
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        for part in (self.field, self._none):
            column.addWidget(part)
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.addWidget(side)
        row.addWidget(self._shown, 1)
        self.column.addLayout(row, 1)

    def _middle(self, area: QRect) -> QRect:
        wanted = map(self.look.px, _SIZE)
        width, height = (min(side, room - 2 * _MARGIN) for side, room in zip(wanted, (area.width(), area.height()), strict=True))
        return QRect(area.left() + (area.width() - width) // 2, area.top() + (area.height() - height) // 2, width, height)

    # ------------------------------------------------------------ showing

    def _fill(self, typed: str) -> None:
        """List the pages that say all words that were typed, and show the first of them."""
        words, self.pages = asked(typed), pages(self.look.translator.language)
        self.list.clear()
        titles = [("keyboard", self.look.text(KEYBOARD))] if says(self._keys, words) else []
        titles += [(page.id, page.title) for page in self.pages if says(page.texts, words)]
        titles += [("glossary", self.look.text(GLOSSARY))] if tables_with(words) else []
        for page_id, title in titles:
            item = QListWidgetItem(title)
            item.setData(Qt.ItemDataRole.UserRole, page_id)
            self.list.addItem(item)
        self._none.setVisible(not titles)
        self._shown.setVisible(bool(titles))
        self.list.setCurrentRow(0)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        chosen, words = item.data(Qt.ItemDataRole.UserRole), asked(self.field.text())
        self._shown.setCurrentWidget(self.keyboard if chosen == "keyboard" else self.text)
        if chosen == "keyboard":
            self.keyboard.mark(words)
        elif chosen == "glossary":
            self.text.show_page(glossary_markup(self.look, item.text(), tables_with(words)), words)
        else:
            page = next(each for each in self.pages if each.id == chosen)
            self.text.show_page(page_markup(self.look, page), words)
