"""The launch of a draft: which kernel, how many blocks and threads, what each parameter is given."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.core.playground.desk import DraftDesk
from app.core.playground.draft import Draft
from app.core.playground.form import fields_of, setter_of
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.text_field import TextField
from kernels.messages import message

TALLEST = 216
TWO_COLUMNS_FROM = 460


class LaunchForm(QScrollArea):
    """Derived from the signature of the kernel; built anew when another kernel, or another signature, is launched."""

    def __init__(self, look: Look, desk: DraftDesk) -> None:
        super().__init__()
        self._look = look
        self._desk = desk
        self.fields: dict[str, TextField] = {}
        self._kinds: tuple[tuple[str, str], ...] = ()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.kernels = QComboBox()
        self.kernels.setFont(look.theme.font("code"))
        self.kernels.setAccessibleName(look.text(message("Kernel")))
        self.kernels.textActivated.connect(desk.choose_kernel)
        self._choice = QWidget()
        row = QHBoxLayout(self._choice)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(look, message("Kernel"), rank=2))
        row.addWidget(self.kernels, 1)
        self._body = QWidget()
        column = QVBoxLayout(self._body)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(label(look, message("Launch"), "section"))
        head.addWidget(self._choice, 1)
        column.addLayout(head)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(5)
        column.addLayout(self._grid)
        column.addStretch(1)
        self.setWidget(self._body)
        bind(self, desk.draft, self._show)
        bind(self, desk.on_stage, lambda _shown: self._show(desk.draft.value))

    def _show(self, draft: Draft | None) -> None:
        shown = draft is not None and self._desk.on_stage.value
        self.setVisible(shown)
        if draft is None or not shown:
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
        self._choice.setVisible(len(names) > 1)
        self._fit()

    def _build(self, draft: Draft) -> None:
        for field in self.fields.values():
            self._grid.removeWidget(field)
            field.hide()
            field.deleteLater()
        self.fields = {}
        for row in fields_of(draft):
            name, detail = self._look.text(row.name), self._look.text(row.detail)
            self.fields[row.key] = TextField(self._look, name, detail, setter_of(self._desk, row.key))
        self._arrange()

    def _arrange(self) -> None:
        """Two fields side by side where there is room."""
        columns = 2 if self.width() >= TWO_COLUMNS_FROM else 1
        for number, field in enumerate(self.fields.values()):
            self._grid.addWidget(field, number // columns, number % columns, Qt.AlignmentFlag.AlignTop)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _fit(self) -> None:
        """As high as the fields, up to a limit."""
        self.setFixedHeight(min(self._body.sizeHint().height() + 4, TALLEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()
            self._fit()
