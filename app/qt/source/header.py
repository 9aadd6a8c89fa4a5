"""The head of the source: what is shown, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.qt.base.look import Look
from app.qt.widgets.labels import ElidedLabel, label, repolish
from app.qt.widgets.pointing import FindingButton
from app.qt.widgets.responsive_row import give_way, hidden
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

_NAME = 60
"""The pixels of the name, at zoom 100 %, that what stands beside it leaves it."""
_MARGIN, _BETWEEN = 14, 12
_EDITED = "●"
"""Before the name of a text with changes that are not saved: a sign that has room where the word for it has none."""


@dataclass(frozen=True, slots=True)
class SourceActions:
    """Functions that the buttons call."""

    edit: Callable[[], object]
    run: Callable[[], object]
    open: Callable[[], object]
    revert: Callable[[], object]
    save: Callable[[], object]
    difference: Callable[[bool], object]
    machine: Callable[[bool], object]
    close: Callable[[], object]
    finding: Callable[[], object]


class SourceHeader(QWidget):
    """The name with a word on it, and a row of buttons: other ones while a draft is edited. A compact one has icons alone.

    Where there is little room the word gives way, and buttons that the menu has too. Icons stand beside the name where both have room:
    that leaves a line more to the text.
    """

    def __init__(self, look: Look, actions: SourceActions, *, compact: bool) -> None:
        super().__init__()
        self._look = look
        self._compact = compact
        self._editing = self._headed = False
        self.name = ElidedLabel()
        self.name.setFont(look.theme.font("code"))
        self.findings = FindingButton(look, actions.finding)
        self._word = label(look, "", "small", rank=3)
        self.heads = label(look, message("sectors   banks"), "caption", rank=3)
        first = QHBoxLayout()
        first.setSpacing(_BETWEEN)
        first.addWidget(self.name, 1)
        first.addWidget(self.findings)
        first.addWidget(self._word)
        first.addStretch(0)
        first.addWidget(self.heads)
        second = QHBoxLayout()
        second.setSpacing(2)
        self.edit = self._button("pencil", message("Edit a copy"), "Ctrl+E", actions.edit)
        self.run = self._button("play", message("Run"), "F9", actions.run)
        self.open = self._button("folder-open", message("Open…"), "Ctrl+O", actions.open)
        self.revert = self._button("undo-2", message("Revert"), "", actions.revert)
        self.save = self._button("save", message("Save"), "Ctrl+S", actions.save)
        self.difference = self._toggle("columns-2", message("Difference"), actions.difference)
        self.machine = self._toggle("cpu", message("Machine code"), actions.machine)
        self.close_draft = self._button("x", message("Close"), "", actions.close)
        for button in (self.edit, self.run, self.revert, self.save, self.open, self.difference, self.machine, self.close_draft):
            second.addWidget(button)
        second.addStretch(1)
        self._buttons, self._first = second, first
        second.setContentsMargins(0, 0, 0, 0)
        self._row = QWidget()
        self._row.setLayout(second)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(_MARGIN, 8, _MARGIN, 4)
        self._column.setSpacing(4)
        self._column.addLayout(first)
        self._column.addWidget(self._row)

    def show_reading(self, name: str, refused: Message | None) -> None:
        """A text of the catalogue. `refused` is why no copy of it can be edited: the button stays, and says it."""
        self._show(name, message("this text is what runs"), editing=False)
        self.edit.setProperty("rank", "3" if refused else "1")
        hint = "" if refused is None else self._look.text(refused)
        self.edit.setToolTip(hint or self._look.text(message("Edit a copy")) + " (Ctrl+E)")
        self.edit.setAccessibleDescription(hint)
        repolish(self.edit)

    def show_findings(self, words: Message | None) -> None:
        """How many findings there are, as a way to the next one; None: there is none."""
        self.findings.show_count(words)
        self._fit()

    def show_heads(self, heads: Message | None) -> None:
        """What the columns of the margin are; None: there are none."""
        self._headed = heads is not None
        self.heads.setText("" if heads is None else self._look.text(heads))
        self._fit()

    def show_editing(self, name: str, *, changed: bool) -> None:
        """Show the header of a draft."""
        word = message("edited") if changed else message("unchanged")
        self._show(f"{_EDITED} {name}" if changed else name, word, editing=True)
        self.name.setAccessibleName(self._look.text(message("{name}, {state}", name=name, state=word)))
        self.revert.setEnabled(changed)
        self.difference.setEnabled(changed or self.difference.isChecked())

    def _show(self, name: str, word: Message, *, editing: bool) -> None:
        self.name.setText(name)
        self.name.setAccessibleName(name)
        self._word.setText(self._look.text(word))
        self.name.explain(self._look.text(word))
        self.edit.setVisible(not editing)
        for button in (self.run, self.revert, self.save, self.difference, self.close_draft):
            button.setVisible(editing)
        self._editing = editing
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show as much of the header as there is room for."""
        room = self.width() - 2 * _MARGIN
        counted = 0 if self.findings.isHidden() else self.findings.sizeHint().width() + _BETWEEN
        beside = self._look.px(_NAME) + counted + (self.heads.sizeHint().width() + _BETWEEN if self._headed else 0)
        give_way(self._buttons, room, [hidden(self.open), *([hidden(self.save)] if self._editing else [])])
        named = max(0, self._widest_name() - self._look.px(_NAME))
        one = beside + named + self._buttons.sizeHint().width() + _BETWEEN
        self._join(joined=self._compact and one <= room)
        beside = one if self._joined else beside
        self._word.setVisible(beside + self._word.sizeHint().width() + _BETWEEN <= room)
        self.heads.setVisible(self._headed and beside <= room)

    def _widest_name(self) -> int:
        """The width of the name with the sign of a change, also before there is one: the first keystroke must not move the text."""
        name = self.name.text()
        sign = f"{_EDITED} " if self._editing and not name.startswith(_EDITED) else ""
        return self.name.sizeHint().width() + self.name.fontMetrics().horizontalAdvance(sign)

    @property
    def _joined(self) -> bool:
        """Whether the buttons stand in the line of the name."""
        return self._first.indexOf(self._row) >= 0

    def _join(self, *, joined: bool) -> None:
        if joined and not self._joined:
            self._column.removeWidget(self._row)
            self._first.insertWidget(self._first.indexOf(self._word), self._row)
        elif self._joined and not joined:
            self._first.removeWidget(self._row)
            self._column.addWidget(self._row)

    def _button(self, icon: str, title: Message, keys: str, called: Callable[[], object]) -> QToolButton:
        button = self._made(icon, title, keys)
        button.clicked.connect(lambda: called())
        return button

    def _toggle(self, icon: str, title: Message, called: Callable[[bool], object]) -> QToolButton:
        button = self._made(icon, title, "")
        button.setCheckable(True)
        button.toggled.connect(lambda on: called(on))
        return button

    def _made(self, icon: str, title: Message, keys: str) -> QToolButton:
        button, text = QToolButton(), self._look.text(title)
        button.setText(text)
        button.setFont(self._look.theme.font("small"))
        button.setIcon(self._look.icon(icon, size=14))
        button.setIconSize(QSize(self._look.px(14), self._look.px(14)))
        style = Qt.ToolButtonStyle
        button.setToolButtonStyle(style.ToolButtonIconOnly if self._compact else style.ToolButtonTextOnly)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(f"{text} ({keys})" if keys else text)
        button.setAccessibleName(text)
        button.setMinimumHeight(self._look.px(24))
        button.setStyleSheet("QToolButton { padding: 2px 7px; }")
        return button


def offer_bar(look: Look, buttons: Mapping[Message, Callable[[], object]]) -> tuple[QWidget, QLabel]:
    """A line that says something and offers what can be done about it."""
    bar, said = QWidget(), label(look, "", "small")
    said.setWordWrap(True)
    bar.setStyleSheet(f"background: {look.theme.now_bg.name()}")
    row = QHBoxLayout(bar)
    row.setContentsMargins(14, 4, 8, 4)
    row.addWidget(said, 1)
    for title, called in buttons.items():
        button = QToolButton()
        button.setText(look.text(title))
        button.setFont(look.theme.font("small"))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(button.clearFocus)  # or it would go to the button that is next, once the line is hidden
        button.clicked.connect(lambda _=False, run=called: run())
        row.addWidget(button)
    bar.hide()
    return bar, said
