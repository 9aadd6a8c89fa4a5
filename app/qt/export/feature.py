"""Export in the window: the command, its button, and the panel that they open."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.qt.commands import Command
from app.qt.feature import Feature, Host
from app.qt.late import Late
from kernels.messages import message

if TYPE_CHECKING:
    from app.qt.export.desk import ExportDesk
    from app.qt.export.panel import ExportPanel


class Exporting(Feature):
    """One panel for all that is exported."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._desk = Late(partial(_made_desk, host))
        self._panel: Late[ExportPanel] | None = None

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("Export…"), ("Ctrl+Shift+E",), self.toggle),)

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("download", Command(message("Export"), ("Ctrl+Shift+E",), self.toggle)),)

    def build(self, over: QWidget) -> None:
        self._panel = Late(partial(self._made_panel, over))

    def close(self) -> None:
        if self._desk.made is not None:
            self._desk.made.cancel()

    @property
    def desk(self) -> ExportDesk:
        """What the panel works with."""
        return self._desk()

    @property
    def panel(self) -> ExportPanel:
        """Of the window as it looks now."""
        assert self._panel is not None, "panels are there from the first look on"
        return self._panel()

    def toggle(self) -> None:
        """Open the panel, or close it."""
        self.panel.toggle()

    def _made_panel(self, over: QWidget) -> ExportPanel:
        from app.qt.export.panel import ExportPanel

        return ExportPanel(self._host.look(), over, self.desk, self._host.workbench.stage)


def _made_desk(host: Host) -> ExportDesk:
    from app.qt.export.desk import ExportDesk

    return ExportDesk(host)
