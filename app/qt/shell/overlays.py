"""What lies over the window: help, the table of a view, the command palette."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.qt.base.binding import bind
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.shell.palette_places import PalettePlaces, of_link
from app.qt.stage.panel import StagePanel

if TYPE_CHECKING:
    from app.qt.help.panel import Groups, HelpPanel
    from app.qt.shell.palette import Palette
    from app.qt.stage.table_panel import TablePanel


class Overlays:
    """Overlays of the window for one look. Each is made when it is opened first."""

    def __init__(self, look: Look, window: QWidget, stage: StagePanel, keys: Groups, places: PalettePlaces) -> None:
        self._look = look
        self._window = window
        self._stage = stage
        self._keys = keys
        self._places = places
        self.help = Lazy(self._made_help)
        self.table = Lazy(self._made_table)
        self.palette = Lazy(self._made_palette)

    def find(self) -> None:
        """Open the palette, or close it. The help goes: it would hide what is found."""
        opened = self.help.made
        if opened is not None and opened.isVisible():
            opened.leave()
        self.palette().toggle()

    def _made_help(self) -> HelpPanel:
        from app.qt.help.panel import HelpPanel
        from app.qt.presenter.window import PRESENTING, presenter_hints

        return HelpPanel(self._look, self._window, {**self._keys, PRESENTING: presenter_hints()})

    def _made_table(self) -> TablePanel:
        from app.qt.stage.table_panel import TablePanel

        return TablePanel(self._look, self._places.workbench.stage, self._stage)

    def _made_palette(self) -> Palette:
        from app.qt.shell.palette import Palette

        workbench = self._places.workbench
        made = Palette(self._look, self._window, lambda: self._places.found(self.help), partial(of_link, workbench))
        bind(made, workbench.lesson_controller.user_lessons.lessons, lambda _read: made.ask_again())
        return made
