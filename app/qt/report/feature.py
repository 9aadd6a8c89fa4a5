"""The lab report in the window: of what is ticked, from what was measured here, or else recorded."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.core.export.kinds import REPORTS
from app.qt.commands import Command
from app.qt.export.saving import path_with
from app.qt.feature import Feature, Host
from kernels.messages import Message, message

KINDS = "HTML (*.html);;Markdown (*.md);;PDF (*.pdf)"


class LabReport(Feature):
    """Writes what the timing workspace knows of the ticked rungs."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("Lab report…"), ("Ctrl+Shift+L",), self._ask_and_write),)

    def timing(self) -> tuple[tuple[str, Command], ...]:
        return (("download", Command(message("Lab report"), ("Ctrl+Shift+L",), self._ask_and_write)),)

    def write(self, path: Path) -> Message | None:
        """Write the report, and say in the status bar how it went; returns why it could not be written."""
        from app.qt.report.window import write_lab_report

        chosen = path_with(path, REPORTS)
        reason = chosen if isinstance(chosen, Message) else write_lab_report(chosen, self._host)
        self._host.workbench.tell(reason or message("Written: {path}", path=str(chosen)))
        return reason

    def _ask_and_write(self) -> None:
        title = self._host.look().text(message("Lab report"))
        name, _ = QFileDialog.getSaveFileName(self._host.window, title, "report.html", KINDS)
        if name:
            self.write(Path(name))
