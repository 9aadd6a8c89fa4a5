"""The options of an export, those that matter for what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.export.choice import ENDINGS, SCALES, SIZES, ExportChoice, Of, What
from app.core.export.kinds import COLOURS
from app.core.export.sizes import PictureSize
from app.qt.binding import bind
from app.qt.export.desk import ExportDesk
from app.qt.look import Look
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.labels import label
from app.qt.widgets.number_field import NumberField
from app.qt.widgets.segmented import Segmented
from app.qt.widgets.text_field import TextField
from kernels.messages import Message, message

T = TypeVar("T")
_KINDS = {
    What.FIGURE: message("Figure"), What.CLIP: message("Clip"), What.CURVES: message("Curves"),
    What.MEASUREMENTS: message("Points"), What.REPORT: message("Report"),
}  # fmt: skip
_SUBJECTS = {
    Of.STAGE: message("Stage"), Of.CURVES: message("Curves"), Of.LADDER: message("Ladder"), Of.USES: message("One use of the GPU"),
    Of.TUNING: message("Tuning"),
}  # fmt: skip
_COLOURS = dict(zip(COLOURS, (message("Light"), message("Dark"), message("Print")), strict=True))
_TIMES = {"first": message("From step"), "last": message("To step"), "rate": message("Pictures a second"),
          "speed": message("Steps a second")}  # fmt: skip


class ExportOptions(QWidget):
    """Shows the desk's choice, and changes it."""

    def __init__(self, look: Look, desk: ExportDesk) -> None:
        super().__init__()
        self._look, self._desk = look, desk
        self.what = Segmented(look, message("What is exported"), [(what, title, "") for what, title in _KINDS.items()], self._choose_what)
        self.of = ChoiceBox[Of](look, message("What is drawn"), lambda of: self._set(replace(self._choice, of=of)))
        self.view = ChoiceBox[int](look, message("Views"), lambda view: self._set(replace(self._choice, view=view)))
        self.format = ChoiceBox[str](look, message("Format"), lambda ending: self._set(self._choice.ending_with(ending)))
        self.extent = ChoiceBox[tuple[int, int]](look, message("Size"), self._choose_size)
        self.scale = ChoiceBox[int](look, message("Scale"), self._choose_scale)
        self.colours = ChoiceBox[str](look, message("Colours"), lambda name: self._set(replace(self._choice, colours=name)))
        self.times = {name: NumberField(look, title, partial(self._choose_time, name)) for name, title in _TIMES.items()}
        self.name = TextField(look, look.text(message("Who signs")), "", desk.sign)
        boxes: tuple[QWidget, ...] = (self.of, self.view, self.format, self.extent, self.scale, self.colours)
        titles = (message("What is drawn"), message("Views"), message("Format"), message("Size"), message("Scale"), message("Colours"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.what)
        column.addSpacing(6)
        self._rows = {box: self._row(title, box) for title, box in zip(titles, boxes, strict=True)}
        for part in (*self._rows.values(), *self.times.values(), self.name):
            column.addWidget(part)
        column.addStretch(1)
        bind(self, desk.choice, self.show_choice)
        bind(self, desk.name, self.name.show_value)

    @property
    def _choice(self) -> ExportChoice:
        return self._desk.choice.value

    def show_choice(self, choice: ExportChoice) -> None:
        """Show what is chosen."""
        clip, figure = choice.what is What.CLIP, choice.what is What.FIGURE
        drawn, staged = clip or figure, clip or (figure and choice.of is Of.STAGE)
        for box, shown in (
            (self.of, figure),
            (self.view, staged and bool(self._desk.views)),
            (self.extent, drawn),
            (self.scale, choice.scaled),
            (self.colours, drawn),
        ):
            self._rows[box].setVisible(shown)
        for field in self.times.values():
            field.setVisible(clip)
        self.name.setVisible(choice.what is What.REPORT)
        self.what.show_choice(choice.what)
        self.of.show_choices(_listed(tuple(Of), [_SUBJECTS[of] for of in Of]), choice.of)
        views = self._desk.views
        self.view.show_choices(_listed(range(len(views)), views), choice.view)
        self.format.show_choices(
            [(ending, message("{ending}", ending=ending[1:].upper())) for ending in ENDINGS[choice.what]], choice.ending
        )
        self.extent.show_choices(
            [(each, message("{m} × {n}", m=each[0], n=each[1])) for each in SIZES], (choice.size.width, choice.size.height)
        )
        self.scale.show_choices([(each, _scaled(choice.size, each)) for each in SCALES], choice.size.scale)
        self.colours.show_choices(list(_COLOURS.items()), choice.colours)
        for name, field in self.times.items():
            field.show_value(getattr(choice, name))

    def _row(self, title: Message, box: QWidget) -> QWidget:
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label(self._look, title, rank=2), 1)
        row.addWidget(box)
        return made

    def _set(self, choice: ExportChoice) -> None:
        self._desk.choice.value = choice

    def _choose_what(self, what: What) -> None:
        """A clip is as large as a projector needs it; a figure as sharp as paper does."""
        size = PictureSize(960, 540, 2) if what is What.CLIP and self._choice.what is not What.CLIP else self._choice.size
        self._set(replace(self._choice, what=what, size=size))

    def _choose_size(self, size: tuple[int, int]) -> None:
        self._set(replace(self._choice, size=replace(self._choice.size, width=size[0], height=size[1])))

    def _choose_scale(self, scale: int) -> None:
        self._set(replace(self._choice, size=replace(self._choice.size, scale=scale)))

    def _choose_time(self, name: str, value: int) -> Message | None:
        changed = replace(self._choice, **{name: value})  # type: ignore[arg-type]  # each of the four is a whole number
        reason = changed.refusal(self._desk.steps)
        if reason is None:
            self._set(changed)
        return reason


def _listed(values: Sequence[T], titles: Sequence[Message]) -> list[tuple[T, Message]]:
    return list(zip(values, titles, strict=True))


def _scaled(size: PictureSize, scale: int) -> Message:
    width, height = replace(size, scale=scale).pixels
    return message("{scale}×: {width} × {height} pixels", scale=scale, width=width, height=height)
