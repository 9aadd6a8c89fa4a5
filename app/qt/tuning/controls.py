"""What is tuned, over which parameters and for how long; the button that begins it, how far it is, the one that ends it."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.tuning.model import TuningChoice, TuningModel
from app.core.tuning.page_words import progress_words
from app.core.tuning.service import TuningProgress
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.timing_progress import ProgressBar
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.labels import label
from app.qt.widgets.number_field import NumberField
from kernels.measure.estimate import duration
from kernels.messages import Message, message
from kernels.spec import Variant

BUDGETS_S = (15.0, 30.0, 60.0, 300.0, 900.0)


class TuningControls(QWidget):
    """Writes the choice of the model."""

    def __init__(self, look: Look, model: TuningModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self.variant = ChoiceBox[Variant](look, message("What is tuned"), model.session.choose_variant)
        self.side_length = NumberField(look, message("Matrix size n"), model.choose_size, short="n")
        self.axes = [ChoiceBox[str](look, name, partial(model.choose_axis, place)) for place, name in enumerate(_AXES)]
        self.budget = ChoiceBox[float](look, message("How long it may take"), lambda value: setattr(model.budget_s, "value", value))
        self.start = QPushButton(look.icon("play", look.theme.ink_text), look.text(message("Tune")))
        self.start.setProperty("primary", "true")
        self.start.setFont(look.theme.font("body"))
        self.start.clicked.connect(model.start)
        self.cancel = QPushButton(look.icon("square", look.theme.t1), look.text(message("Cancel")))
        self.cancel.setFont(look.theme.font("body"))
        self.cancel.setToolTip(look.text(message("Stops measuring; finished points are kept (Ctrl .)")))
        self.cancel.clicked.connect(model.cancel)
        self.bar = ProgressBar(look)
        kept = self.bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # what is below does not jump
        self.bar.setSizePolicy(kept)
        self.state = label(look, "", "body")
        self._also_title = label(look, message("Vary also"), rank=2)
        self.also: dict[str, QCheckBox] = {}
        self._arrange()
        bind(self, model.choice, self._show_choice)
        bind(self, model.budget_s, self._show_budget)
        bind(self, model.progress, self._show_progress)

    def redraw(self) -> None:
        """Show what follows from results and devices: the size that is tuned on, and whether it can be."""
        choice = self._model.choice.value
        self.variant.show_choices([(each, each.title) for each in self._model.offered], choice.variant)
        self.side_length.show_value(self._model.n())
        self.start.setEnabled(self._model.refusal() is None)

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        self._across, self._up = label(self._look, "→", rank=2), label(self._look, "↑", rank=2)
        for part in (self.variant, self.side_length, self._across, self.axes[0], self._up, self.axes[1], self.budget):
            top.addWidget(part)
        top.addStretch(1)
        top.addWidget(self.start)
        top.addWidget(self.cancel)
        self._others = QHBoxLayout()
        self._others.setSpacing(12)
        self._others.addWidget(self._also_title)
        self._others.addStretch(1)
        self._others.addWidget(self.state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(self._others)
        column.addWidget(self.bar)

    def _show_choice(self, choice: TuningChoice) -> None:
        offered = [(each.name, _named(each.title, each.name)) for each in choice.variant.parameters if len(each.stops) > 1]
        for place, box in enumerate(self.axes):
            shown = place < len(choice.axes)
            for part in (box, (self._across, self._up)[place]):
                part.setVisible(shown)
            if shown:
                box.show_choices(offered, choice.axes[place])
        others = [name for name, _ in offered if name not in choice.axes]
        if list(self.also) != others:
            self._make_boxes(others)
        for name, tick in self.also.items():
            tick.setChecked(name in choice.also)
        self._also_title.setVisible(bool(others))
        self.redraw()

    def _make_boxes(self, names: list[str]) -> None:
        for old in self.also.values():
            self._others.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.also = {}
        for place, name in enumerate(names, 1):
            box = QCheckBox(name)
            box.setFont(self._look.theme.font("body"))
            parameter = self._model.choice.value.variant.parameter(name)
            box.setToolTip("" if parameter is None else self._look.text(parameter.title))
            box.clicked.connect(lambda varies, name=name: self._model.vary(name, varies=varies))
            self._others.insertWidget(place, box)
            self.also[name] = box

    def _show_budget(self, seconds: float) -> None:
        self.budget.show_choices([(each, message("at most {duration}", duration=duration(each))) for each in BUDGETS_S], seconds)

    def _show_progress(self, progress: TuningProgress | None) -> None:
        running = progress is not None and not progress.state.ended
        self.cancel.setVisible(running)
        self.start.setVisible(not running)
        self.bar.setVisible(running)
        self.state.setText("" if progress is None else self._look.text(progress_words(progress)))
        if progress is not None:
            self.bar.show_share(progress.done / progress.total if progress.total else 0.0, running)


_AXES = (message("Along x"), message("Along y"))


def _named(title: Message, name: str) -> Message:
    return message("{title} ({name})", title=title, name=name)
