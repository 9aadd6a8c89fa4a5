"""The tuning page: what is tried, how far it is, the heat map, and the best settings beside it."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.tuning.heat_map import Cell
from app.core.tuning.model import TuningModel
from app.core.tuning.page_words import SHOWN, SIGNS, best_table, plan_words, refusal_words, title_words
from app.core.tuning.words import verdict
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.timing_refresh import Refresh
from app.qt.tuning.controls import TuningControls
from app.qt.tuning.heat_map_view import HeatMapView
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.text_table import ROW, TextTable
from kernels.messages import message

_NARROWEST, _WIDEST = 380, 560
_MAIN_SHARE, _SIDE_SHARE = 5, 2
_FEWEST, _BELOW_TABLE = 4, 18
"""Rows of the table that are always in sight, and room for what scrolls it where many parameters vary."""


class TuningPanel(QWidget):
    """Drawn anew at most ten times a second."""

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
        self.table.setMinimumHeight(look.px(_FEWEST * ROW))
        self.table.setMaximumHeight(look.px((SHOWN + 1) * ROW + _BELOW_TABLE))
        self.signs = label(look, SIGNS, "small", rank=3)
        self.count = label(look, "", "body", rank=2)
        self.refused = label(look, "", "body", rank=2)
        for each in (self.title, self.verdict, self.count, self.refused):
            each.setWordWrap(True)
        self.hint = label(look, message("A click on a cell shows its settings on the stage."), "small", rank=3)
        self._arrange()
        self._refresh = Refresh(self.redraw, self)
        bind(self, model.choice, self._refresh.soon)
        bind(self, model.revision, self._refresh.soon)
        bind(self, model.statuses, self._refresh.soon)
        bind(self, model.session.timing, self._refresh.soon)
        self.redraw()

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
        self.title.setText(text(title_words(picture)))
        self.view.show_map(picture.map, picture.library_ms)
        self.verdict.setText(text(verdict(picture.plan, picture.map, picture.library_ms)))
        self.table.show_table(best_table(picture))
        for part in (self.table, self.signs):
            part.setVisible(bool(picture.map.standings))
        self.count.setText(text(plan_words(picture)))
        self.refused.setText("\n".join(f"✕ {text(each)}" for each in refusal_words(picture)))

    def _arrange(self) -> None:
        main = QVBoxLayout()
        main.setSpacing(4)
        for part in (self.title, self.reason):
            main.addWidget(part)
        main.addWidget(self.view, 1)
        main.addWidget(self.hint)
        self._side = QWidget()
        self._side.setMinimumWidth(self._look.px(_NARROWEST))
        self._side.setMaximumWidth(self._look.px(_WIDEST))
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(8)
        side.addWidget(self.verdict)
        side.addWidget(self.table, 100)  # as high as it may be, before anything is left free
        side.addWidget(self.signs)
        side.addWidget(self.count)
        side.addWidget(self.refused)
        side.addStretch(1)
        body = QHBoxLayout()
        body.setSpacing(16)
        body.addLayout(main, _MAIN_SHARE)
        body.addWidget(self._side, _SIDE_SHARE)
        rule = QFrame()
        rule.setProperty("rule", "top")
        rule.setFixedHeight(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 10)
        column.setSpacing(8)
        column.addWidget(self.controls)
        column.addWidget(rule)
        column.addLayout(body, 1)

    def _take_over(self, cell: Cell) -> None:
        show_reason(self.reason, self._look, self._model.take_over(cell.point))
