"""Export in the window: the command, its button, and the panel that they open."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.qt.commands import Command
from app.qt.export.desk import ExportDesk
from app.qt.export.panel import ExportPanel
from app.qt.feature import Feature, Host
from kernels.messages import message


class Exporting(Feature):
    """One panel for all that is exported."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.desk = ExportDesk(host)
        self.panel: ExportPanel | None = None

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("Export…"), ("Ctrl+Shift+E",), self.toggle),)

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("download", Command(message("Export"), ("Ctrl+Shift+E",), self.toggle)),)

    def build(self, over: QWidget) -> None:
        self.panel = ExportPanel(self._host.look(), over, self.desk, self._host.workbench.stage)

    def close(self) -> None:
        self.desk.cancel()

    def toggle(self) -> None:
        """Open the panel, or close it."""
        if self.panel is not None:
            self.panel.toggle()
