"""Help panel: the map of the keyboard first, then pages and glossary, with a field that finds words in all of them.

Rich text is made of escaped words alone, so that no markup, link or picture can come from a file. The map is made of the very commands that
the keys call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTextBrowser,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.core.help.glossary import Entry, GlossarySection
from app.core.help.pages import (
    GLOSSARY,
    GLOSSARY_TITLE,
    KEYBOARD,
    KEYBOARD_TITLE,
    Page,
    asked,
    pages,
    says,
    settings_page,
    table_title,
    tables_with,
)
from app.core.lessons.prose import Paragraph, Span, spans
from app.qt.base.commands import Command, Hint, shown_keys
from app.qt.base.look import Look
from app.qt.base.theme import CODE_FAMILIES
from app.qt.widgets.labels import label, repolish
from app.qt.widgets.overlay import Overlay, typed_by
from kernels.base.messages import Message, message


class HelpText(QTextBrowser):
    """Text to read, select and copy. It leads nowhere, and loads nothing."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFont(look.theme.font("reading"))
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(look.px(12))
        self.setAccessibleName(look.text(message("Page of the help")))

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        """Load nothing: a page is made of words."""
        return None

    def show_page(self, markup: str, words: Sequence[str]) -> None:
        """Show a page from its beginning, or from the first place where one of the words stands; they are marked."""
        self.setHtml(markup)
        marks = [selection for word in words for selection in self._places_of(word)]
        self.setExtraSelections(marks)
        if marks:
            first = min((mark.cursor for mark in marks), key=QTextCursor.selectionStart)
            beginning = QTextCursor(self.document())
            beginning.setPosition(first.selectionStart())
            self.setTextCursor(beginning)
            self.ensureCursorVisible()

    def _places_of(self, word: str) -> list[QTextEdit.ExtraSelection]:
        found, cursor = [], self.document().find(word, 0, QTextDocument.FindFlag(0))
        while not cursor.isNull():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format.setBackground(self._look.theme.now_bg)
            mark.format.setFontUnderline(True)
            found.append(mark)
            cursor = self.document().find(word, cursor, QTextDocument.FindFlag(0))
        return found


_LINE_HEIGHT = 135
"""Percent; Han characters fill their lines more than Latin letters."""


def page_markup(look: Look, page: Page) -> str:
    """Return a page with its headings as rich text."""
    parts = ((_heading(look, part.heading) if part.heading else "") + _paragraphs(look, part.paragraphs) for part in page.parts)
    return _title(look, page.title) + "".join(parts)


def glossary_markup(look: Look, title: str, tables: Iterable[GlossarySection]) -> str:
    """The terms of each table, with the word for them in the other language and what they mean."""
    return _title(look, title) + "".join(
        _heading(look, look.text(table_title(table))) + "".join(_entry(look, each) for each in table.entries) for table in tables
    )


def _entry(look: Look, entry: Entry) -> str:
    term, other = entry.named(look.translator.language)
    said = escape(entry.explained(look.translator.language)).replace("`", "")
    rank = look.theme.t2.name()
    return f'<p style="{_style(look, 8)}"><b>{escape(term)}</b> <span style="color: {rank}">{escape(other)}</span><br>{said}</p>'


def _paragraphs(look: Look, paragraphs: Iterable[Paragraph]) -> str:
    return "".join(_paragraph(look, each) for each in paragraphs)


def _paragraph(look: Look, paragraph: Paragraph) -> str:
    indent = look.px(14) if paragraph.item else 0
    style = f"{_style(look, 6)}; margin-left: {indent}px; text-indent: -{indent}px"
    return f'<p style="{style}">{"• " if paragraph.item else ""}{"".join(_span(look, span) for span in spans(paragraph.text))}</p>'


def _span(look: Look, span: Span) -> str:
    text = escape(span.text)
    if span.code:
        return f"<span style=\"font-family: '{CODE_FAMILIES[0]}'; background: {look.theme.bg3.name()}\">{text}</span>"
    return f"<b>{text}</b>" if span.strong else text


def _title(look: Look, text: str) -> str:
    return f'<p style="font-size: {_pixels(look, "view_caption")}px; font-weight: 600; margin-top: 0">{escape(text)}</p>'


def _heading(look: Look, text: str) -> str:
    return f'<p style="font-size: {_pixels(look, "fact")}px; font-weight: 600; margin-top: {look.px(16)}px">{escape(text)}</p>'


def _style(look: Look, above: int) -> str:
    return f"margin-top: {look.px(above)}px; margin-bottom: 0; line-height: {_LINE_HEIGHT}%; white-space: pre-wrap"


def _pixels(look: Look, role: str) -> int:
    return look.theme.font(role).pixelSize()


MOST_COLUMNS = 3


class KeyboardMap(QScrollArea):
    """Groups of keys and what they do, side by side; each pair of labels is one row."""

    def __init__(self, look: Look, groups: Mapping[Message, Sequence[Command | Hint]]) -> None:
        super().__init__()
        self._look = look
        self._rows: list[tuple[QLabel, QLabel]] = []
        content = QWidget()
        row = QHBoxLayout(content)
        row.setSpacing(look.px(28))
        for titles in _columns(groups):
            column = QVBoxLayout()
            for title in titles:
                column.addLayout(self._group(title, groups[title]))
            column.addStretch(1)
            row.addLayout(column)
        self.setWidgetResizable(True)
        self.setWidget(content)
        self.setAccessibleName(look.text(message("Keyboard map")))

    def mark(self, words: Sequence[str]) -> None:
        """Leave only those rows in full strength that say all words."""
        for keys, what in self._rows:
            rank = "1" if says((f"{keys.text()} {what.text()}",), words) else "3"
            for part in (keys, what):
                part.setProperty("rank", rank)
                repolish(part)

    def _group(self, title: Message, commands: Sequence[Command | Hint]) -> QVBoxLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self._look.px(12))
        grid.setVerticalSpacing(self._look.px(5))
        for line, command in enumerate(each for each in commands if each.keys):
            keys = label(self._look, _in_lines([shown_keys(each) for each in command.keys]), "label")
            keys.setAlignment(Qt.AlignmentFlag.AlignRight)
            what = label(self._look, command.title)
            what.setWordWrap(True)
            self._rows.append((keys, what))
            grid.addWidget(keys, line, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(what, line, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout()
        head = label(self._look, title, "section", rank=2)
        head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column.addWidget(head)
        column.addLayout(grid)
        column.addSpacing(self._look.px(14))
        return column


def _in_lines(keys: Sequence[str]) -> str:
    """The keys of a command; of many two in a line, else all rows of the group had that much room before them."""
    pairs = [keys] if len(keys) <= _IN_ONE_LINE else [keys[at : at + 2] for at in range(0, len(keys), 2)]
    return "\n".join(" / ".join(pair) for pair in pairs)


def _columns(groups: Mapping[Message, Sequence[Command | Hint]]) -> list[list[Message]]:
    """Which groups stand below each other: side by side as long as there is room, then below the one that is shortest."""
    columns: list[list[Message]] = []
    for title in groups:
        if len(columns) < MOST_COLUMNS:
            columns.append([title])
        else:
            min(columns, key=lambda column: sum(len(groups[each]) for each in column)).append(title)
    return columns


_SIZE = (1280, 680)
_IN_ONE_LINE = 4
_LIST_WIDTH = 216
_MARGIN = 12
TITLE = message("Help")

Groups = Mapping[Message, Sequence[Command | Hint]]


_SCROLLS = {
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
}


_ROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class PageList(QListWidget):
    """Titles of the pages. What is typed goes to `search`, not to the title that begins with it."""

    def __init__(self, search: Callable[[str], object], scroll: Callable[[QKeyEvent], bool]) -> None:
        """`scroll` is given a key that moves the page that is read; it returns whether it is one."""
        super().__init__()
        self._search, self._scroll = search, scroll

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._scroll(event):
            super().keyPressEvent(event)

    def keyboardSearch(self, typed: str) -> None:
        self._search(typed)


class HelpPanel(Overlay):
    """Opens with the map of the keyboard. Arrow keys go through the pages, letters to the search; Escape closes it."""

    def __init__(self, look: Look, over: QWidget, groups: Groups) -> None:
        super().__init__(look, over, self._middle)
        self.pages: tuple[Page, ...] = ()
        """Read when it is opened first: the window does not wait for them."""
        self._keys = tuple(
            f"{' '.join(map(shown_keys, each.keys))} {look.text(each.title)}" for commands in groups.values() for each in commands
        )
        self.keyboard = KeyboardMap(look, groups)
        self.text = HelpText(look)
        self.field = self.finds = self._made_field()
        self.list: QListWidget = PageList(self._type, self._scroll)
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

    def find_word(self, word: str) -> None:
        """Open the glossary at a word."""
        if self.isHidden():
            self.toggle()
        self.field.setText(word)
        self.show_page(GLOSSARY)

    def _scroll(self, event: QKeyEvent) -> bool:
        """Move the page that is shown, to its ends or by what is in sight; False where the key asks for something else."""
        shown = self._shown.currentWidget()
        action = _SCROLLS.get(Qt.Key(event.key()))
        if action is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not isinstance(shown, QAbstractScrollArea):
            return False
        shown.verticalScrollBar().triggerAction(action)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed = typed_by(event)
        if typed:
            self._type(typed)
        elif event.key() == Qt.Key.Key_F1:
            self.leave()
        elif event.key() in _ROWS and self.field.hasFocus():
            row = self.list.currentRow() + _ROWS[Qt.Key(event.key())]
            self.list.setCurrentRow(max(0, min(row, self.list.count() - 1)))
        else:
            super().keyPressEvent(event)

    def _type(self, typed: str) -> None:
        """Go on in the field, wherever the focus is."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.insert(typed)

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
        words = asked(typed)
        self.pages = (*pages(self.look.translator.language), settings_page(self.look.translator))
        self.list.clear()
        titles = [(KEYBOARD, self.look.text(KEYBOARD_TITLE))] if says(self._keys, words) else []
        titles += [(page.id, page.title) for page in self.pages if says(page.texts, words)]
        titles += [(GLOSSARY, self.look.text(GLOSSARY_TITLE))] if tables_with(words) else []
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
        self._shown.setCurrentWidget(self.keyboard if chosen == KEYBOARD else self.text)
        if chosen == KEYBOARD:
            self.keyboard.mark(words)
        elif chosen == GLOSSARY:
            self.text.show_page(glossary_markup(self.look, item.text(), tables_with(words)), words)
        else:
            page = next(each for each in self.pages if each.id == chosen)
            self.text.show_page(page_markup(self.look, page), words)
