"""The inspector: what the stage is executed with, each value with its reason when refused, and the counts of accesses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.counters import Counter
from app.core.session import STAGE_SIZES, StageChoice
from app.core.workbench import Workbench
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.number_field import NumberField
from app.qt.widgets.stop_slider import StopSlider
from kernels.limits import refuse
from kernels.messages import Message, message
from kernels.spec import Operation, Parameter, Problem

_SIZE_TITLES = {
    "m": message("Rows of C, M"),
    "n": message("Columns of C, N"),
    "k": message("Inner size, K"),
}
_TRANSPOSE_TITLES = {"m": message("Rows of A, M"), "n": message("Columns of A, N")}


class InspectorPanel(QWidget):
    """Rebuilds its fields when another variant is shown."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._session = workbench.session
        self._workbench = workbench
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._fields = QWidget()
        self._shown = ""
        self._counters = CounterTable(look)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(10)
        self._column.addWidget(self._fields)
        self._column.addWidget(self._counters)
        self._column.addStretch(1)
        content = QWidget()
        content.setLayout(self._column)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self.parameters: dict[str, ParameterControl] = {}
        bind(self, self._session.stage, self._show_stage)
        bind(self, workbench.counters, self._counters.show_rows)

    def step_tile(self, direction: int) -> None:
        """Pick the next larger (1) or smaller (-1) tile, where the variant has one."""
        if "tile" in self.parameters:
            self.parameters["tile"].slider.step(direction)

    def _show_stage(self, stage: StageChoice) -> None:
        if stage.variant.id != self._shown:
            self._shown = stage.variant.id
            self._rebuild(stage)
        for name, field in self._sizes.items():
            field.show_value(getattr(stage.problem, name))
        self._size_slider.show_value(stage.problem.n)
        for name, control in self.parameters.items():
            control.show_value(stage.parameters[name])

    def _rebuild(self, stage: StageChoice) -> None:
        fresh = QWidget()
        column = QVBoxLayout(fresh)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(label(self._look, message("Matrices on the stage"), "section"))
        self._size_slider = StopSlider(
            self._look, self._look.text(message("Matrix size")), STAGE_SIZES, self._choose_square, lambda n: self._possible(self._square(n))
        )
        column.addWidget(self._size_slider)
        titles = _SIZE_TITLES if stage.variant.operation is Operation.MATMUL else _TRANSPOSE_TITLES
        self._sizes = {name: NumberField(self._look, title, self._size_setter(name)) for name, title in titles.items()}
        for field in self._sizes.values():
            column.addWidget(field)
        self.parameters = {}
        for parameter in stage.variant.parameters:
            control = ParameterControl(
                self._look, parameter, self._parameter_setter(parameter.name), partial(self._possible_value, parameter.name)
            )
            self.parameters[parameter.name] = control
            column.addSpacing(6)
            column.addWidget(control)
        self._column.replaceWidget(self._fields, fresh)
        self._fields.hide()  # it is deleted later, and would lie over the new ones until then
        self._fields.deleteLater()
        self._fields = fresh

    def _square(self, n: int) -> Problem:
        return Problem.square(self._session.operation, n)

    def _choose_square(self, n: int) -> None:
        self._session.set_stage_problem(self._square(n))

    def _possible(self, problem: Problem) -> bool:
        stage = self._session.stage.value
        return refuse(stage.variant, problem, stage.parameters, self._workbench.limits(stage.variant.device)) is None

    def _possible_value(self, name: str, value: int) -> bool:
        stage = self._session.stage.value
        proposed = dict(stage.parameters) | {name: value}
        return refuse(stage.variant, stage.problem, proposed, self._workbench.limits(stage.variant.device)) is None

    def _size_setter(self, name: str) -> Callable[[int], Message | None]:
        def propose(value: int) -> Message | None:
            problem = self._session.stage.value.problem
            sizes = {"m": problem.m, "n": problem.n, "k": problem.k}
            return self._session.set_stage_problem(Problem(problem.operation, **(sizes | {name: value})))

        return propose

    def _parameter_setter(self, name: str) -> Callable[[int], Message | None]:
        return lambda value: self._session.set_stage_parameter(name, value)


class ParameterControl(QWidget):
    """A field and a slider for one parameter, with one place below for the reason."""

    def __init__(self, look: Look, parameter: Parameter, propose: Callable[[int], Message | None], possible: Callable[[int], bool]) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self.field = NumberField(look, parameter.title, propose)
        self.slider = StopSlider(look, look.text(parameter.title), parameter.stops, self._pick, possible)
        self._reason = reason_label(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.field, self.slider, self._reason):
            column.addWidget(widget)

    def show_value(self, value: int) -> None:
        """Show the accepted value."""
        self.field.show_value(value)
        self.slider.show_value(value)
        show_reason(self._reason, self._look, None)

    def _pick(self, value: int) -> None:
        show_reason(self._reason, self._look, self._propose(value))


class CounterTable(QWidget):
    """Matrix accesses at this step, so far, and in the whole run."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._cells: list[tuple[QLabel, QLabel, QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 12, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(label(look, message("Elements touched"), "section"), 0, 0, 1, 4)
        for column, title in enumerate((message("this step"), message("so far"), message("in all")), start=1):
            self._grid.addWidget(label(look, title, "caption", rank=3), 1, column, Qt.AlignmentFlag.AlignRight)

    def show_rows(self, rows: tuple[Counter, ...]) -> None:
        """Show the counts; the table grows when needed and hides what it does not need."""
        while len(self._cells) < len(rows):
            self._add_row()
        for number, cells in enumerate(self._cells):
            for cell in cells:
                cell.setVisible(number < len(rows))
        for (title, *numbers), row in zip(self._cells, rows, strict=False):
            title.setText(self._look.text(row.title))
            for where, value in zip(numbers, (row.this_step, row.so_far, row.whole_run), strict=True):
                where.setText(self._look.translator.number(value))
        self.setVisible(bool(rows))

    def _add_row(self) -> None:
        place = len(self._cells) + 2
        cells = tuple(label(self._look, "", "body", rank=2 if column == 0 else 1) for column in range(4))
        for column, cell in enumerate(cells):
            self._grid.addWidget(cell, place, column, Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight)
        self._cells.append((cells[0], cells[1], cells[2], cells[3]))
