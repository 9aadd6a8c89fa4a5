"""Inputs of measuring: the axis, its values, and the parameters of the ticked variants. A refused value says why and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.core.base.parsing import ALL, number_list, parameter_list
from app.core.base.value_labels import titled
from app.core.results.labels import axis_text
from app.core.session.session import Session, TimingChoice
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.timing.actions import LimitsOf, TimingActions
from app.qt.widgets.choice_box import ChoiceField
from app.qt.widgets.fields import FOCUS_COMES_BACK, NumberField
from app.qt.widgets.labels import label, mark_refused, reason_label, show_reason
from app.qt.widgets.stops import order_stops
from kernels.base.limits import refuse_size
from kernels.base.messages import Message, message
from kernels.base.spec import Parameter, Problem, Variant
from kernels.measure.estimate import duration

Propose = Callable[[str], Message | None]


class ListField(QWidget):
    """Field of a list of numbers. `propose` takes the typed text and returns why it is refused, or None. Leaving the field or Escape brings
    back the last good list; why another one was refused can be read until the field is entered again, as beside one number."""

    def __init__(self, look: Look, title: Message, hint: Message, propose: Propose) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._values: tuple[int, ...] = ()
        self._settled: tuple[int, ...] = ()
        self._written: Callable[[int], str] = str
        self.edit = QLineEdit()
        self.edit.setFont(look.theme.font("body"))
        self.edit.textEdited.connect(self._edited)
        self.edit.installEventFilter(self)
        self.reason = reason_label(look, self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        self._title = label(look, title, rank=2)
        row.addWidget(self._title)
        row.addWidget(self.edit, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.reason)
        self.show_title(title, hint)

    def show_values(self, values: tuple[int, ...], written: Callable[[int], str] = str) -> None:
        """Show the accepted list, each value as `written`, but leave a text alone that is being typed."""
        changed, self._values, self._written = values != self._values, values, written
        if not self.edit.hasFocus():
            self._settle()
            if changed:
                self.forget_reason()

    def show_title(self, title: Message, hint: Message) -> None:
        """Show what the list is of, and what may be typed."""
        self._title.setText(self._look.text(title))
        self.edit.setAccessibleName(self._look.text(title))
        self.edit.setToolTip(self._look.text(hint))

    def restore(self) -> None:
        """Show the last good list."""
        self._settle()
        self.forget_reason()

    def forget_reason(self) -> None:
        """Let what was refused be over."""
        self._show_reason(None)

    def _settle(self) -> None:
        self._settled = self._values
        self.edit.setText(self._listed(self._values))
        mark_refused(self.edit, self._look, None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape
        if escape:
            self.restore()
        elif isinstance(event, QFocusEvent) and event.reason() not in FOCUS_COMES_BACK:
            if event.gotFocus():
                self.forget_reason()
            else:
                self._settle()
        return escape or super().eventFilter(watched, event)

    def _edited(self, text: str) -> None:
        """What is typed takes effect at once. If it turns out refused, so does what its beginning had done."""
        reason = self._propose(text)
        if reason is not None and self._values != self._settled:
            self._propose(self._listed(self._settled))
        self._show_reason(reason)

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self.reason, self._look, reason)
        mark_refused(self.edit, self._look, reason)

    def _listed(self, values: tuple[int, ...]) -> str:
        return ", ".join(map(self._written, values))


_LARGEST_SIZE = 65536
_FEW = 6
"""Fields that are always in sight."""
_SIZES = message("Sizes n")
_VALUES = message("Values")


class InputsSection(QWidget):
    """Writes the session's timing choice, and starts measuring it."""

    def __init__(self, look: Look, session: Session, actions: TimingActions, limits: LimitsOf) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._limits = limits
        self._fields: dict[tuple[str, str], NumberField | ChoiceField] = {}
        self.sizes = ListField(look, _SIZES, message("Such as 256, 512 or 256:2048:x2"), self._propose_sizes)
        self.one_size = label(look, "", "small", rank=2)
        self.one_size.setWordWrap(True)
        self.values = ListField(look, _VALUES, message("Such as 8, 16, 32 or 8:256:x2"), self._propose_values)
        self.measure = QPushButton(look.icon("play", look.theme.ink_text), "")
        self.show_duration(0.0)
        self.measure.setProperty("primary", "true")
        self.measure.setFont(look.theme.font("body"))
        self.measure.clicked.connect(actions.measure)
        self.settings = QToolButton()
        self.settings.setCheckable(True)
        self.settings.setFont(look.theme.font("body"))
        self.settings.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.settings.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.settings.toggled.connect(self._fold)
        self._group = QWidget()
        self._parameters = QVBoxLayout(self._group)
        self._arrange()
        bind(self, session.timing, self._show_choice)

    def field(self, variant: Variant, name: str) -> NumberField | ChoiceField:
        """The field of a parameter of a ticked variant."""
        return self._fields[variant.id, name]

    def forget_reasons(self) -> None:
        """Let what was refused be over: measuring begins with what holds."""
        self.sizes.forget_reason()
        self.values.forget_reason()
        for field in self._fields.values():
            if isinstance(field, NumberField):
                field.forget_reason()

    def show_duration(self, seconds: float) -> None:
        """Say on the button how long measuring takes; 0: that is not said."""
        text = message("Measure the ticked rungs")
        if seconds:
            text = message("Measure the ticked rungs, about {duration}", duration=duration(seconds))
        self.measure.setText(self._look.text(text))

    def _arrange(self) -> None:
        self._parameters.setContentsMargins(0, 0, 0, 0)
        self._parameters.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(8)
        column.addWidget(label(self._look, message("What to measure"), "section"))
        column.addWidget(self.sizes)
        column.addWidget(self.one_size)
        column.addWidget(self.values)
        column.addWidget(self.settings)
        column.addWidget(self._group)
        column.addWidget(self.measure)

    def _show_choice(self, choice: TimingChoice) -> None:
        parameter = choice.parameter(choice.axis)
        self.sizes.show_values(choice.sizes)
        self.one_size.setText(self._look.text(message("Along a parameter only the largest n is measured: {n}.", n=choice.sizes[-1])))
        self.one_size.setVisible(parameter is not None and len(choice.sizes) > 1)
        self.values.setVisible(parameter is not None)
        if parameter is not None:
            self.values.show_title(parameter.title, _hint(parameter))
            self.values.show_values(choice.values(choice.axis), parameter.written)
        self.measure.setEnabled(bool(choice.ticked))
        wanted = [(variant, parameter) for variant in choice.variants for parameter in variant.parameters if parameter.name != choice.axis]
        if [(variant.id, parameter.name) for variant, parameter in wanted] != list(self._fields):
            self._make_fields(wanted)
        for (variant_id, name), field in self._fields.items():
            field.show_value(choice.parameters[variant_id][name])

    def _make_fields(self, wanted: list[tuple[Variant, Parameter]]) -> None:
        for field in self._fields.values():
            self._parameters.removeWidget(field)
            field.hide()
            field.deleteLater()
        self._fields = {}
        for variant, parameter in wanted:
            once = self._look.text(variant.title) == self._look.text(parameter.title)
            title = titled(parameter) if once else message("{first}, {rest}", first=variant.title, rest=titled(parameter))
            propose = partial(self._propose_parameter, variant, parameter)
            field = ChoiceField(self._look, parameter, title, propose) if parameter.names else self._number_field(parameter, title, propose)
            self._parameters.addWidget(field)
            self._fields[variant.id, parameter.name] = field
        order_stops((self.sizes, self.values, self.settings, *self._fields.values(), self.measure))
        self.settings.setText(self._look.text(message("Settings of the ticked rungs: {count}", count=len(wanted))))
        self.settings.setVisible(len(wanted) > _FEW)
        self._fold()

    def _number_field(self, parameter: Parameter, title: Message, propose: Callable[[int], Message | None]) -> NumberField:
        axis = axis_text(self._session.timing.value, parameter.name)
        several = message("One value here. For several, choose “{axis}” above the chart.", axis=axis)
        return NumberField(self._look, title, propose, several=several)

    def _fold(self) -> None:
        """Many fields are out of sight until they are asked for: what follows them is looked at more often."""
        opened = self.settings.isChecked()
        self.settings.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._group.setVisible(opened or 0 < len(self._fields) <= _FEW)

    def _propose_sizes(self, text: str) -> Message | None:
        sizes = number_list(_SIZES, text, 1, _LARGEST_SIZE)
        if isinstance(sizes, Message):
            return sizes
        choice = self._session.timing.value
        problem = Problem.square(choice.operation, sizes[-1])
        devices = {variant.device for variant in choice.variants}
        reasons = (refuse_size(problem, self._limits(device)) for device in sorted(devices))
        reason = next((reason for reason in reasons if reason is not None), None)
        if reason is None:
            self._session.timing.value = replace(choice, sizes=sizes)
        return reason

    def _propose_values(self, text: str) -> Message | None:
        choice = self._session.timing.value
        parameter = choice.parameter(choice.axis)
        assert parameter is not None  # only then is the field there
        values = parameter_list(parameter.title, text, parameter)
        if isinstance(values, Message):
            return values
        self._session.timing.value = replace(choice, swept={**choice.swept, choice.axis: values})
        return None

    def _propose_parameter(self, variant: Variant, parameter: Parameter, value: int) -> Message | None:
        return self._session.set_run_parameter(variant, parameter.name, value, self._limits(variant.device))


def _hint(parameter: Parameter) -> Message:
    """What may be typed for its values."""
    if parameter.names:
        return message("{choices}, or {all}", choices=", ".join(parameter.names), all=ALL)
    return message("From {least} to {most}, such as 8, 16, 32 or 8:256:x2", least=parameter.minimum, most=parameter.maximum)
