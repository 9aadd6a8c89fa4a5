"""The lab report in the window: of what is ticked, from what was measured here, or else recorded."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.core.curves import Provenance
from app.core.report.asked import Asked
from app.core.report.build import build
from app.qt.commands import Command
from app.qt.export.colours import export_theme
from app.qt.feature import Feature, Host
from app.qt.look import Look
from kernels.messages import Message, message

KINDS = "HTML (*.html);;Markdown (*.md);;PDF (*.pdf)"
NAME = "report/name"
"""The setting of who signs."""


class LabReport(Feature):
    """Writes what the timing workspace knows of the ticked rungs."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("Lab report…"), ("Ctrl+Shift+L",), self._ask_and_write),)

    def write(self, path: Path) -> Message | None:
        """Write the report, and say in the status bar how it went; returns why it could not be written."""
        from app.qt.report.writer import ENDINGS, write_report

        bench = self._host.workbench
        look = Look(export_theme("print"), self._host.look().translator)
        if path.suffix.lower() not in ENDINGS:
            path = path.with_name(f"{path.name}{ENDINGS[0]}")
        asked = self._asked()
        uses = bench.timing.uses.value
        told = uses.recorded if asked.provenance is Provenance.RECORDED else uses.measured
        report = build(asked, told, time.strftime("%Y-%m-%d"))
        reason = report if isinstance(report, Message) else write_report(path, report, asked, look)
        bench.tell(reason or message("Written: {path}", path=str(path)))
        return reason

    def _asked(self) -> Asked:
        bench = self._host.workbench
        choice, results = bench.session.timing.value, bench.timing.results.value
        measured = any(result.point.variant_id in choice.ticked for result in results.get(Provenance.MEASURED, ()))
        provenance = Provenance.MEASURED if measured else Provenance.RECORDED
        return Asked(choice, provenance, results, self._host.settings.text(NAME) or "")

    def _ask_and_write(self) -> None:
        title = self._host.look().text(message("Lab report"))
        name, _ = QFileDialog.getSaveFileName(self._host.window, title, "report.html", KINDS)
        if name:
            self.write(Path(name))
