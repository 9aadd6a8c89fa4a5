"""A field for a parameter whose values have names, to choose one of them."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.value_names import value_text
from app.qt.look import Look
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.number_field import Propose
from app.qt.widgets.terms import explain
from kernels.messages import Message
from kernels.spec import Parameter


class ChoiceField(QWidget):
    """Label, the names of the values to choose from and, below, the reason why one cannot be."""

    def __init__(self, look: Look, parameter: Parameter, title: Message, propose: Propose) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._value = parameter.default
        self._choices = [(value, value_text(parameter, value)) for value in range(len(parameter.names))]
        self._reason = reason_label(look, self)
        self.box = ChoiceBox[int](look, title, self._pick)
        caption = label(look, title, rank=2)
        explain(caption, look, title)
        caption.setWordWrap(True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(caption, 1)
        row.addWidget(self.box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._reason)
        self.show_value(parameter.default)

    def show_value(self, value: int) -> None:
        """Show the accepted value."""
        self._value = value
        self.box.show_choices(self._choices, value)

    def _pick(self, value: int) -> None:
        show_reason(self._reason, self._look, self._propose(value))
        self.show_value(self._value)
