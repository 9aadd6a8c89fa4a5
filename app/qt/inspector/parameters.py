"""Section of the parameters: the matrices' sizes and the variant's parameters, each with its reason where it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.base.value_labels import titled, value_text
from app.core.session.session import LAUNCH_SIZES, STAGE_SIZES, Session, refuse_stage
from app.qt.base.look import Look
from app.qt.inspector.section import Section
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import reason_label, show_reason
from app.qt.widgets.stop_slider import StopSlider
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Parameter, Problem
from kernels.catalogue.case import Case

_SIZE_TITLES = {
    Operation.MATMUL: {"m": message("Rows of C, M"), "n": message("Columns of C, N"), "k": message("Inner size, K")},
    Operation.TRANSPOSE: {"m": message("Rows of A, M"), "n": message("Columns of A, N")},
}


class ParametersSection(Section):
    """Section of the fields of one variant. Another variant needs another section."""

    def __init__(self, look: Look, session: Session) -> None:
        stage = session.stage.value
        sized = bool(stage.problem.shapes) and stage.variant.device is not Device.MPI  # what runs on ranks is not animated
        super().__init__(look, message("Matrices on the stage") if sized else message("Settings"), ruled=False)
        self._session = session
        self._sizes: dict[str, NumberField] = {}
        self.size_slider: StopSlider | None = None
        self.below_size = QVBoxLayout()
        """Takes what shares the axis of the slider of sizes."""
        if sized:
            self._build_sizes(stage)
        else:
            self.column.addLayout(self.below_size)  # not left without an owner
        self.parameters: dict[str, ParameterControl] = {}
        for parameter in stage.variant.parameters:
            name = parameter.name
            control = ParameterControl(look, parameter, partial(session.set_stage_parameter, name), self._possible(name))
            self.parameters[name] = control
            self.column.addSpacing(4)
            self.column.addWidget(control)

    def show_stage(self, stage: Case) -> None:
        """Show the values that hold."""
        for name, field in self._sizes.items():
            field.show_value(getattr(stage.problem, name))
        if self.size_slider is not None:
            self.size_slider.show_value(stage.problem.n)
        for name, control in self.parameters.items():
            control.show_value(stage.parameters[name])

    def _build_sizes(self, stage: Case) -> None:
        stops = STAGE_SIZES if stage.variant.launch is None else LAUNCH_SIZES
        reason = reason_label(self.look)
        self.size_slider = StopSlider(
            self.look, self.look.text(message("Matrix size")), stops,
            lambda n: show_reason(reason, self.look, self._session.set_stage_problem(self._square(n))),
            lambda n: self._possible_problem(self._square(n)),
        )  # fmt: skip
        self.column.addWidget(self.size_slider)
        self.column.addLayout(self.below_size)
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, title in _SIZE_TITLES[stage.variant.operation].items():
            field = NumberField(self.look, title, self._size_setter(name), short=name.upper(), reason=reason)
            self._sizes[name] = field
            row.addWidget(field)
        row.addStretch(1)
        self.column.addLayout(row)
        self.column.addWidget(reason)

    def _square(self, n: int) -> Problem:
        return Problem.square(self._session.operation, n)

    def _possible_problem(self, problem: Problem) -> bool:
        stage = self._session.stage.value
        return (refuse_stage(stage.variant, problem) or refuse(stage.variant, problem, stage.parameters, Limits())) is None

    def _possible(self, name: str) -> Callable[[int], bool]:
        def possible(value: int) -> bool:
            stage = self._session.stage.value
            return refuse(stage.variant, stage.problem, dict(stage.parameters) | {name: value}, Limits()) is None

        return possible

    def _size_setter(self, name: str) -> Callable[[int], Message | None]:
        def propose(value: int) -> Message | None:
            problem = self._session.stage.value.problem
            sizes = {"m": problem.m, "n": problem.n, "k": problem.k}
            return self._session.set_stage_problem(Problem(problem.operation, **(sizes | {name: value})))

        return propose


class ParameterControl(QWidget):
    """A field and a slider for one parameter, with one place below for the reason; `below` takes what shares the slider's axis."""

    def __init__(self, look: Look, parameter: Parameter, propose: Callable[[int], Message | None], possible: Callable[[int], bool]) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self.refused: Message | None = None
        """Why what was picked last cannot be."""
        self._reason = reason_label(look)
        named = parameter if parameter.names else None
        self.field = NumberField(look, titled(parameter), propose, reason=self._reason, named=named)
        self.slider = StopSlider(
            look, look.text(parameter.title), parameter.stops, self._pick, possible, lambda value: look.text(value_text(parameter, value))
        )
        self.below = QVBoxLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.field)
        column.addWidget(self.slider)
        column.addWidget(self._reason)
        column.addLayout(self.below)

    def show_value(self, value: int) -> None:
        """Show the accepted value."""
        self.field.show_value(value)
        self.slider.show_value(value)
        self.refused = None
        show_reason(self._reason, self._look, None)

    def _pick(self, value: int) -> None:
        self.refused = self._propose(value)
        show_reason(self._reason, self._look, self.refused)
