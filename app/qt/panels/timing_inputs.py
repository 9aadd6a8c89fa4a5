"""What to measure: the axis, its values, and the parameters of the ticked variants. A refused value says why and changes nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.curves import has_tile
from app.core.inputs import number_list
from app.core.session import Axis, Session, TimingChoice
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.timing_actions import LimitsOf, TimingActions
from app.qt.panels.timing_list_field import ListField
from app.qt.widgets.labels import label
from app.qt.widgets.number_field import NumberField
from app.qt.widgets.segmented import Segmented
from kernels.catalog import of
from kernels.limits import refuse_size
from kernels.messages import Message, message
from kernels.spec import Parameter, Problem, Variant

_LARGEST_SIZE = 65536
_SIZES = message("Sizes n")
_TILES = message("Tiles")


class InputsSection(QWidget):
    """Writes the session's timing choice, and starts measuring it."""

    def __init__(self, look: Look, session: Session, actions: TimingActions, limits: LimitsOf) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._limits = limits
        self._fields: dict[tuple[str, str], NumberField] = {}
        self.axis = Segmented(
            look,
            message("What varies"),
            ((Axis.SIZE, message("over n"), ""), (Axis.TILE, message("over tiles"), "")),
            self._choose_axis,
        )
        self.sizes = ListField(look, _SIZES, message("Such as 256, 512 or 256:2048:x2"), self._propose_sizes)
        self.tiles = ListField(look, _TILES, message("Such as 8, 16, 32"), self._propose_tiles)
        self.measure = QPushButton(look.icon("play", look.theme.ink_text), look.text(message("Measure the ticked rungs")))
        self.measure.setProperty("primary", "true")
        self.measure.setFont(look.theme.font("body"))
        self.measure.clicked.connect(actions.measure)
        self._parameters = QVBoxLayout()
        self._arrange()
        bind(self, session.timing, self._show_choice)

    def field(self, variant: Variant, name: str) -> NumberField:
        """The field of a parameter of a ticked variant."""
        return self._fields[variant.id, name]

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(label(self._look, message("What to measure"), "section"), 1)
        top.addWidget(self.axis)
        self._parameters.setSpacing(6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.sizes)
        column.addWidget(self.tiles)
        column.addLayout(self._parameters)
        column.addWidget(self.measure)

    def _show_choice(self, choice: TimingChoice) -> None:
        self.axis.show_choice(choice.axis)
        self.sizes.show_values(choice.sizes)
        self.tiles.show_values(choice.tiles)
        self.tiles.setVisible(choice.axis is Axis.TILE)
        self.measure.setEnabled(bool(choice.ticked))
        wanted = [
            (variant, parameter)
            for variant in of(choice.operation)
            if variant.id in choice.ticked
            for parameter in variant.parameters
            if choice.axis is Axis.SIZE or parameter.name != "tile"
        ]
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
            title = message("{first}, {rest}", first=variant.title, rest=parameter.title)
            field = NumberField(self._look, title, partial(self._propose_parameter, variant, parameter))
            self._parameters.addWidget(field)
            self._fields[variant.id, parameter.name] = field

    def _choose_axis(self, axis: Axis) -> None:
        self._session.timing.value = replace(self._session.timing.value, axis=axis)

    def _propose_sizes(self, text: str) -> Message | None:
        sizes = number_list(_SIZES, text, 1, _LARGEST_SIZE)
        if isinstance(sizes, Message):
            return sizes
        choice = self._session.timing.value
        problem = Problem.square(choice.operation, sizes[-1])
        devices = {variant.device for variant in of(choice.operation) if variant.id in choice.ticked}
        reasons = (refuse_size(problem, self._limits(device)) for device in sorted(devices))
        reason = next((reason for reason in reasons if reason is not None), None)
        if reason is None:
            self._session.timing.value = replace(choice, sizes=sizes)
        return reason

    def _propose_tiles(self, text: str) -> Message | None:
        choice = self._session.timing.value
        tiled = [variant for variant in of(choice.operation) if variant.id in choice.ticked and has_tile(variant)]
        most = max((parameter.maximum for variant in tiled for parameter in variant.parameters if parameter.name == "tile"), default=1)
        if not tiled:
            return message("None of the ticked rungs has a tile size.")
        tiles = number_list(_TILES, text, 1, most)
        if isinstance(tiles, Message):
            return tiles
        self._session.timing.value = replace(choice, tiles=tiles)
        return None

    def _propose_parameter(self, variant: Variant, parameter: Parameter, value: int) -> Message | None:
        return self._session.set_run_parameter(variant, parameter.name, value, self._limits(variant.device))
