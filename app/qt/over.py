"""What lies over the whole window: the help, and the table of a view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.core.stage_model import StageModel
from app.qt.late import Late
from app.qt.look import Look
from app.qt.panels.stage_panel import StagePanel

if TYPE_CHECKING:
    from app.qt.help.panel import Groups, HelpPanel
    from app.qt.panels.table_panel import TablePanel


class Over:
    """For one look. Each is made when it is opened first."""

    def __init__(self, look: Look, window: QWidget, model: StageModel, stage: StagePanel, keys: Groups) -> None:
        self._look = look
        self._window = window
        self._model = model
        self._stage = stage
        self._keys = keys
        self.help = Late(self._made_help)
        self.table = Late(self._made_table)

    def _made_help(self) -> HelpPanel:
        from app.qt.help.panel import HelpPanel

        return HelpPanel(self._look, self._window, self._keys)

    def _made_table(self) -> TablePanel:
        from app.qt.panels.table_panel import TablePanel

        return TablePanel(self._look, self._model, self._stage)
