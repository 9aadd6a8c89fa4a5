"""Tuning page: what is tried, over which parameters and for how long, how far it is, the heat map, and the best settings beside it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.timing.tuner import TuningProgress
from app.core.tuning.heat_map import Cell
from app.core.tuning.model import TuningChoice, TuningModel
from app.core.tuning.sentences import SHOWN, best_table, plan_text, progress_text, refusal_text, signs_text, title_text, verdict
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.timing.progress import ProgressBar
from app.qt.tuning.heat_map_view import HeatMapView
from app.qt.widgets.choice_box import ChoiceBox
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import label, reason_label, show_reason, unbroken
from app.qt.widgets.text_table import ROW, TextTable
from kernels.base.messages import Message, message
from kernels.base.spec import Variant
from kernels.measure.estimate import duration

BUDGETS_S = (15.0, 30.0, 60.0, 300.0, 900.0)


class TuningControls(QWidget):
    """Controls of a tuning, which write the choice of the model."""

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
        for part in (self.variant, self.side_length, self._across, self.axes[0], self._up, self.axes[1]):
            top.addWidget(part)
        top.addStretch(1)
        top.addWidget(self.start)
        top.addWidget(self.cancel)
        self._others = QHBoxLayout()
        self._others.setSpacing(12)
        self._others.addWidget(self._also_title)
        self._others.addStretch(1)
        self._others.addWidget(self.state)
        self._others.addWidget(self.budget)  # below the button: beside both axes it has no room at 1280 pixels
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
        self.state.setText("" if progress is None else self._look.text(progress_text(progress)))
        if progress is not None:
            self.bar.show_share(progress.done / progress.total if progress.total else 0.0, running)


_AXES = (message("Along x"), message("Along y"))


def _named(title: Message, name: str) -> Message:
    return message("{title} ({name})", title=title, name=name)


_NARROWEST, _WIDEST = 380, 560
_MAIN_SHARE, _SIDE_SHARE = 5, 2
_BESIDE_FROM = 700
"""Pixels of width, at zoom 100 %, from which on the words stand beside the heat map; else below it, so that nothing is cut."""
_BOUNDLESS = (1 << 24) - 1
"""What Qt takes for no greatest width."""
_BELOW = 260
"""The height of a heat map that words stand below, at zoom 100 %."""
_FEWEST, _BELOW_TABLE = 4, 18
"""Rows of the table that are always in sight, and room for what scrolls it where many parameters vary."""


class _Body(QScrollArea):
    """The heat map with the words beside it, or below it where the page is narrow; it scrolls where both are too high."""

    def __init__(self, look: Look, view: QWidget, main: QWidget, side: QWidget, table: TextTable) -> None:
        super().__init__()
        self._look, self._view, self._side, self._table = look, view, side, table
        inner = QWidget()
        inner.setProperty("surface", "panel")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, inner)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(16)
        self._row.addWidget(main, _MAIN_SHARE)
        self._row.addWidget(side, _SIDE_SHARE)
        side.setMinimumWidth(look.px(_NARROWEST))
        side.setMaximumWidth(look.px(_WIDEST))
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def resizeEvent(self, event: QResizeEvent) -> None:
        beside = self.width() >= self._look.px(_BESIDE_FROM)
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._side.setMinimumWidth(self._look.px(_NARROWEST) if beside else 0)
        self._side.setMaximumWidth(self._look.px(_WIDEST) if beside else _BOUNDLESS)
        self._view.setMinimumHeight(0 if beside else self._look.px(_BELOW))
        self.fit_table()
        super().resizeEvent(event)

    def fit_table(self) -> None:
        """Give the table below the heat map the height of its rows: its scroll bar would stand beside that of all."""
        beside = self._row.direction() is QBoxLayout.Direction.LeftToRight
        fewest, whole = self._look.px(_FEWEST * ROW), self._table.whole + self._look.px(_BELOW_TABLE)
        self._table.setMinimumHeight(fewest if beside else max(fewest, whole))


class TuningPanel(QWidget):
    """Page of a tuning, drawn anew at most ten times a second."""

    def __init__(self, look: Look, model: TuningModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self.controls = TuningControls(look, model)
        self.title = label(look, "", "section")
        self.view = HeatMapView(look)
        self.view.chosen.connect(self._take_over)
        self.reason = reason_label(look)
        self.verdict = label(look, "", "sentence")
        self.table = TextTable(look)
        self.table.setFont(look.theme.font("body"))
        self.table.setMaximumHeight(look.px((SHOWN + 1) * ROW + _BELOW_TABLE))
        self.signs = label(look, "", "small", rank=3)
        self.count = label(look, "", "body", rank=2)
        self.refused = label(look, "", "body", rank=2)
        hint = message("A click on a cell, or Enter after the arrow keys, shows its settings on the stage.")
        self.hint = label(look, hint, "small", rank=3)
        for each in (self.title, self.verdict, self.signs, self.count, self.refused, self.hint):
            each.setWordWrap(True)
        self._arrange()
        self._refresh = Refresh(self.redraw, self)
        bind(self, model.choice, self._refresh.soon)
        bind(self, model.revision, self._refresh.soon)
        bind(self, model.statuses, self._refresh.soon)
        bind(self, model.session.timing, self._refresh.soon)

    def redraw(self) -> None:
        """Draw everything from the model."""
        picture, text = self._model.picture(), self._look.text
        self.controls.redraw()
        for part in (self.title, self.view, self.hint, self._side):
            part.setVisible(picture is not None)
        show_reason(self.reason, self._look, self._model.refusal())
        if picture is None:
            self.view.show_map(None, None)
            return
        self.title.setText(text(title_text(picture)))
        self.view.show_map(picture.map, picture.library)
        self.verdict.setText(unbroken(text(verdict(picture.plan, picture.map, picture.library))))
        self.table.show_table(best_table(picture))
        self._body.fit_table()
        self.signs.setText(text(signs_text(picture.plan)))
        for part in (self.table, self.signs):
            part.setVisible(bool(picture.map.standings))
        self.count.setText(text(plan_text(picture)))
        self.refused.setText("\n".join(f"✕ {text(each)}" for each in refusal_text(picture)))

    def _arrange(self) -> None:
        left = QWidget()
        main = QVBoxLayout(left)
        main.setContentsMargins(0, 0, 0, 0)
        main.setSpacing(4)
        for part in (self.title, self.reason):
            main.addWidget(part)
        main.addWidget(self.view, 1)
        main.addWidget(self.hint)
        self._side = QWidget()
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(8)
        side.addWidget(self.verdict)
        side.addWidget(self.table, 100)  # as high as it may be, before anything is left free
        side.addWidget(self.signs)
        side.addWidget(self.count)
        side.addWidget(self.refused)
        side.addStretch(1)
        rule = QFrame()
        rule.setProperty("rule", "top")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 10)
        column.setSpacing(8)
        column.addWidget(self.controls)
        column.addWidget(rule)
        self._body = _Body(self._look, self.view, left, self._side, self.table)
        column.addWidget(self._body, 1)

    def _take_over(self, cell: Cell) -> None:
        show_reason(self.reason, self._look, self._model.take_over(cell.point))
