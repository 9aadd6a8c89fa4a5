"""The launch of a draft: which kernel, how many blocks and threads, what each parameter is given; and what the palette finds of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.core.session.draft import Draft
from app.core.session.draft_editor import DraftEditor
from app.core.session.launch_fields import fields_of, guess_text, launch_text, setter_of
from app.qt.base.binding import bind, set_shown
from app.qt.base.commands import Place, titled
from app.qt.base.look import Look
from app.qt.source.edge_panel import edges_button, show_where_room
from app.qt.widgets.choice_box import PlainBox
from app.qt.widgets.fields import TextField
from app.qt.widgets.labels import ElidedLabel, label
from kernels.base.messages import Message, message

TALLEST, LEAST = 204, 72
"""Pixels of height for the fields; where there is less room for all they are scrolled."""
TWO_COLUMNS_FROM = 460


class LaunchForm(QWidget):
    """Derived from the signature of the kernel; built anew when another kernel, or another signature, is launched. Can be folded."""

    opened = Signal(bool)
    """Whether its fields take room now."""

    def __init__(self, look: Look, draft_editor: DraftEditor, check_edges: Callable[[], object], *, folded: bool = False) -> None:
        super().__init__()
        self._look = look
        self._draft_editor = draft_editor
        self.fields: dict[str, TextField] = {}
        self._kinds: tuple[tuple[str, str], ...] = ()
        self._replaced = False
        self._most = look.px(TALLEST)
        self.fold = QToolButton()
        self.fold.setText(look.text(message("Launch")))
        self.fold.setFont(look.theme.font("section"))
        self.fold.setCheckable(True)
        self.fold.setChecked(not folded)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.setAutoRaise(True)
        self.fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.fold.setStyleSheet("QToolButton { padding: 2px 6px; } QToolButton:!focus { border-color: transparent; }")
        self.fold.toggled.connect(lambda _open: self._fit())
        self.kernels = PlainBox(look)
        self.kernels.setFont(look.theme.font("code"))
        self.kernels.setAccessibleName(look.text(message("Kernel")))
        self.kernels.textActivated.connect(draft_editor.choose_kernel)
        self.change = self._change_button()
        self._guessed = ""
        """The first field that is a guess."""
        self.edges = edges_button(look, check_edges)
        self._words = ElidedLabel()
        self.guess = label(look, "", "small", rank=2)
        self.guess.setWordWrap(True)
        self._grid = QGridLayout()
        self._body = QWidget()
        self._area = _Fields()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self._body)
        self._area.resized.connect(self._keep_in_sight, Qt.ConnectionType.QueuedConnection)
        self._lay_out()
        bind(self, draft_editor.draft, self._show)
        bind(self, draft_editor.on_stage, lambda _shown: self._show(draft_editor.draft.value))

    def _lay_out(self) -> None:
        self._words.setFont(self._look.theme.font("code"))
        self._words.setProperty("rank", "2")
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(5)
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(14, 2, 14, 8)
        inner.addWidget(self.guess)
        inner.addLayout(self._grid)
        inner.addStretch(1)
        self._head = head = QHBoxLayout()
        head.setContentsMargins(8, 6, 14, 2)
        head.addWidget(self.fold)
        head.addWidget(self.change)
        head.addWidget(self._words, 1)
        head.addWidget(self.kernels, 2)
        head.addWidget(self.edges)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._area)

    @property
    def takes_room(self) -> bool:
        """Whether its fields are shown."""
        return self.fold.isChecked() and not self.isHidden()

    def leave_room(self, height: int) -> None:
        """Take at most this much of the height: the text is to be seen too."""
        if height != self._most:
            self._most = height
            self._fit()

    def stand_back(self, replaced: bool) -> None:
        """Hide the form while the program itself says what is launched."""
        if replaced != self._replaced:
            self._replaced = replaced
            self._show(self._draft_editor.draft.value)

    def _change_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("⚠ " + self._look.text(message("Guessed: change it")))
        button.setFont(self._look.theme.font("small"))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(self.change_guess)
        button.hide()
        return button

    def change_guess(self) -> None:
        """Open the form at the first field that is a guess, its value selected: what is typed takes its place."""
        self.go_to(self._guessed)

    def go_to(self, key: str) -> None:
        """Open the form at a field, its value selected."""
        self.fold.setChecked(True)
        field = self.fields.get(key)
        if field is not None:
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            field.edit.selectAll()
            self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        """Of the field that is filled in, or else of one that is refused, rather its value than why that is refused, and that rather than
        what could be entered."""
        filled_in = self.window().focusWidget()  # in a window that is not active no field has the focus
        fields = [field for field in self.fields.values() if field.edit is filled_in or field.reason.isVisible()]
        for field in sorted(fields, key=lambda field: field.edit is not filled_in)[:1]:
            for part in (field.may_be, field.reason, field.edit):
                if part.isVisible():
                    self._area.ensureWidgetVisible(part, 0, 0)

    def _show(self, draft: Draft | None) -> None:
        shown = draft is not None and self._draft_editor.on_stage.value and not self._replaced
        if not shown:
            self._let_go(self)
        set_shown(self, shown)
        if draft is None or not shown:
            self.opened.emit(shown)
            return
        rows = fields_of(draft)
        kinds = tuple((row.key, self._look.text(row.detail)) for row in rows)
        if kinds != self._kinds:
            self._kinds = kinds
            self._build(draft)
        for row in rows:
            self.fields[row.key].show_value(row.value)
        names = [kernel.name for kernel in draft.kernels]
        if names != [self.kernels.itemText(number) for number in range(self.kernels.count())]:
            self.kernels.clear()
            self.kernels.addItems(names)
        self.kernels.setCurrentText(draft.settings.entry or "")
        self.kernels.setVisible(len(names) > 1)
        self._words.setText(self._look.text(launch_text(draft)))
        guess = guess_text(draft)
        self._guessed = next((row.key for row in rows if row.key in draft.settings.guessed), "")
        self.change.setVisible(bool(self._guessed))
        self.guess.setVisible(guess is not None)
        self.guess.setText("" if guess is None else "⚠ " + self._look.text(guess))
        self._fit()

    def _let_go(self, going: QWidget) -> None:
        """Give the focus up before what has it goes: Qt would hand it to whatever is next, where a key then does something else."""
        focused = self.window().focusWidget()
        if focused is not None and going.isAncestorOf(focused):
            focused.clearFocus()

    def _build(self, draft: Draft) -> None:
        self._let_go(self._body)
        for field in self.fields.values():
            self._grid.removeWidget(field)
            field.hide()
            field.deleteLater()
        self.fields = {}
        for row in fields_of(draft):
            name, detail = self._look.text(row.name), self._look.text(row.detail)
            field = TextField(self._look, name, detail, setter_of(self._draft_editor, row.key), self._look.text(row.may_be))
            field.resized.connect(self._keep_in_sight, Qt.ConnectionType.QueuedConnection)  # not while the fields are laid out
            self.fields[row.key] = field
        self._arrange()

    def _arrange(self) -> None:
        """Two fields side by side where there is room."""
        columns = 2 if self.width() >= self._look.px(TWO_COLUMNS_FROM) else 1
        for number, field in enumerate(self.fields.values()):
            self._grid.addWidget(field, number // columns, number % columns, Qt.AlignmentFlag.AlignTop)
            field.show()  # now, so that it has a part in the height
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _fit(self) -> None:
        """Make the form as high as its fields, up to a limit; folded, it has no height. A button that the menu has too gives way."""
        show_where_room(self.edges, self._head, self.width())
        opened = self.fold.isChecked()
        self.fold.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._area.setVisible(opened)
        self._words.setVisible(not opened or self.kernels.isHidden())
        self._grid.activate()
        most = min(self._body.sizeHint().height() + 2, self._look.px(TALLEST), self._most)
        self._area.setMaximumHeight(most)
        self._area.setMinimumHeight(min(most, self._look.px(LEAST)))
        self.opened.emit(self.takes_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()
            self._fit()


class _Fields(QScrollArea):
    """Wants to be as high as it may: Qt keeps the height that it wanted first."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


LAUNCH, DEFINED = message("launch of the text"), message("value in the text")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+(?P<value>[^\s/][^\n/\\]*?)[ \t]*(?:/[/*].*)?$", re.MULTILINE)
_CONSTANT = re.compile(
    r"^[ \t]*(?:static[ \t]+)?const(?:expr)?[ \t]+(?:\w+[ \t]+)+(?P<name>\w+)[ \t]*=[ \t]*(?P<value>-?[\d.][\w.]*)[ \t]*;", re.MULTILINE
)


def own_settings(draft: Draft, select: Callable[[int, int], object], go_to_field: Callable[[str], object] | None = None) -> Iterator[Place]:
    """Places for the palette, the launch's first. `select` gets where a value of the text begins and ends, `go_to_field` a field's key;
    None: there are no fields."""
    if go_to_field is not None:
        fields = fields_of(draft)
        yield titled(LAUNCH, message("Launch"), partial(go_to_field, fields[0].key))
        for field in fields:
            yield titled(LAUNCH, _valued(field.name, field.value), partial(go_to_field, field.key), also=field.key)
    for pattern in (_MACRO, _CONSTANT):
        for found in pattern.finditer(draft.text):
            title = _valued(message("{name}", name=found["name"]), found["value"])
            yield titled(DEFINED, title, partial(select, found.start("value"), found.end("value")), also=found["name"])


def _valued(name: Message, value: str) -> Message:
    return message("{setting}: {value}", setting=name, value=value)
