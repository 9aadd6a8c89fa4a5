"""The tile size in reach: one line with its slider, for as long as the settings are out of sight."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.session.session import Session
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label, reason_label, rule, show_reason
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.terms import explain
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message
from kernels.base.spec import Parameter
from kernels.catalogue.case import Case

TILE = "tile"


class TileRow(QWidget):
    """Row with the tile size of the variant that the stage shows; hidden where that has none, and for a text of the user's own."""

    def __init__(self, look: Look, session: Session, caption: Message | None = None) -> None:
        """`caption` stands in place of the parameter's title."""
        super().__init__()
        self._caption = caption
        self._look = look
        self._session = session
        self._wanted = True
        self._parameter: Parameter | None = None
        self.slider: StopSlider | None = None
        self._reason = reason_label(look, self)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(14, 6, 14, 4)
        self._row.setSpacing(12)
        self._reason.setContentsMargins(14, 0, 14, 6)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule(vertical=False))
        column.addLayout(self._row)
        column.addWidget(self._reason)
        bind(self, session.stage, self._show)
        bind(self, session.draft_editor.on_stage, lambda _shown: self._place())

    def want(self, *, wanted: bool) -> None:
        """Whether there is no other slider for it in sight."""
        self._wanted = wanted
        self._place()

    def _show(self, stage: Case) -> None:
        parameter = stage.variant.parameter(TILE)
        if parameter is not self._parameter:
            self._parameter = parameter
            self._build(parameter)
        if self.slider is not None:
            self.slider.show_value(stage.parameters[TILE])
        show_reason(self._reason, self._look, None)
        self._place()

    def _build(self, parameter: Parameter | None) -> None:
        while (item := self._row.takeAt(0)) is not None:
            if (part := item.widget()) is not None:
                part.hide()
                part.deleteLater()
        self.slider = None
        if parameter is None:
            return
        caption = label(self._look, self._caption or parameter.title, rank=2)
        explain(caption, self._look, parameter.title)
        self.slider = StopSlider(self._look, self._look.text(parameter.title), parameter.stops, self._pick, self._possible)
        self._row.addWidget(caption)
        self._row.addWidget(self.slider, 1)

    def _pick(self, value: int) -> None:
        show_reason(self._reason, self._look, self._session.set_stage_parameter(TILE, value))

    def _possible(self, value: int) -> bool:
        shown = self._session.stage.value
        return refuse(shown.variant, shown.problem, {**shown.parameters, TILE: value}, Limits()) is None

    def _place(self) -> None:
        set_shown(self, self._wanted and self.slider is not None and self._session.draft_editor.shown is None)
