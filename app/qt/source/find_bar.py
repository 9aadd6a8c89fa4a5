"""Find bar below the source: what is typed is marked where it stands, and Return goes from one place to the next."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from app.qt.base.look import Look
from app.qt.source.view import SourceView
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message


class FindBar(QWidget):
    """Bar that finds text, hidden until it is asked for. Escape closes it, with the cursor at the place that was found."""

    def __init__(self, look: Look, view: SourceView) -> None:
        super().__init__()
        self._look, self._view = look, view
        self.field = QLineEdit()
        self.field.setFont(look.theme.font("code"))
        said = look.text(message("Find in the source"))
        self.field.setPlaceholderText(said)
        self.field.setAccessibleName(said)
        self.field.textChanged.connect(lambda _text: self._find(again=False))
        self.said = label(look, "", "small", rank=2)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 4)
        row.setSpacing(6)
        row.addWidget(self.field, 1)
        row.addWidget(self.said)
        buttons: tuple[tuple[str, Message, bool], ...] = (
            ("↑", message("The place before (Shift+Return)"), True), ("↓", message("The next place (Return)"), False),
        )  # fmt: skip
        for sign, hint, backward in buttons:
            button = self._button(sign, hint)
            button.clicked.connect(lambda _=False, backward=backward: self._find(again=True, backward=backward))
            row.addWidget(button)
        close = self._button("✕", message("Close (Esc)"))
        close.clicked.connect(self.close_bar)
        row.addWidget(close)
        self.hide()

    def ask(self) -> None:
        """Show the bar with what is selected in the text."""
        selected = self._view.textCursor().selectedText()
        self.show()
        if selected and "\u2029" not in selected:
            self.field.setText(selected)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._find(again=False)

    def close_bar(self) -> None:
        """Close it, and let the text have the focus."""
        self.hide()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._find(again=True, backward=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _find(self, *, again: bool, backward: bool = False) -> None:
        """Select the next place, from the end to the beginning again; or the same one, as more of it is typed."""
        typed, cursor = self.field.text(), self._view.textCursor()
        places = self._view.text.casefold().count(typed.casefold()) if typed else 0
        self.said.setText(self._look.text(message("{count} found", count=places)) if typed else "")
        if not typed:
            return
        if not places:
            cursor.setPosition(cursor.selectionStart())  # what was found before is not what is typed now
            self._view.setTextCursor(cursor)
            return
        flags = QTextDocument.FindFlag.FindBackward if backward else QTextDocument.FindFlag(0)
        if not again:
            cursor.setPosition(cursor.selectionStart())
        found = self._view.document().find(typed, cursor, flags)
        if found.isNull():
            around = QTextCursor(self._view.document())
            if backward:
                around.movePosition(QTextCursor.MoveOperation.End)
            found = self._view.document().find(typed, around, flags)
        if not found.isNull():
            self._view.setTextCursor(found)
            self._view.ensureCursorVisible()

    def _button(self, sign: str, hint: Message) -> QToolButton:
        button = QToolButton()
        button.setText(sign)
        button.setFont(self._look.theme.font("small"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(self._look.text(hint))
        button.setAccessibleName(self._look.text(hint))
        return button
