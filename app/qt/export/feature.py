"""Export commands of the window: the export panel with its button, and the lab report on what is ticked, measured here or else recorded.

An answer of a file dialog becomes a path with the ending of the chosen kind.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.export.choice import KINDS, Of, What
from app.core.export.kinds import REPORTS, path_with
from app.core.session.session import Workspace
from app.qt.base.commands import Command, Place, titled
from app.qt.base.feature import Feature, Host
from app.qt.base.lazy import Lazy
from kernels.base.messages import Message, message

if TYPE_CHECKING:
    from app.qt.export.controller import ExportController
    from app.qt.export.panel import ExportPanel


class Exporting(Feature):
    """Export as a feature: one panel for all that is exported."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._controller = Lazy(partial(_made_controller, host))
        self._panel: Lazy[ExportPanel] | None = None

    def commands(self) -> tuple[Command, ...]:
        return (
            Command(message("Export…"), ("Ctrl+Shift+E",), self.toggle),
            Command(message("Export a page of examples…"), (), self._ask_for_examples, also="course site html"),
        )

    def places(self) -> tuple[Place, ...]:
        return tuple(
            titled(message("Export"), message("Export: {kind}", kind=kind), partial(self.open, what)) for what, kind in KINDS.items()
        )

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("download", Command(message("Export"), ("Ctrl+Shift+E",), self.toggle)),)

    def build(self, over: QWidget) -> None:
        self._panel = Lazy(partial(self._made_panel, over))

    def close(self) -> None:
        if self._controller.made is not None:
            self._controller.made.cancel()

    @property
    def controller(self) -> ExportController:
        """What the panel works with."""
        return self._controller()

    @property
    def panel(self) -> ExportPanel:
        """Panel of the window as it looks now."""
        assert self._panel is not None, "panels are there from the first look on"
        return self._panel()

    def toggle(self) -> None:
        """Open the panel, or close it. A figure is of what is in front: of times the page of them that is shown."""
        bench, choice = self._host.workbench, self.controller.choice
        if self.panel.isHidden():
            timed = bench.session.workspace.value is Workspace.TIMING
            of = Of(bench.timing.page.value.value) if timed else Of.STAGE
            choice.value = replace(choice.value, of=of)
        self.panel.toggle()

    def open(self, what: What) -> None:
        """Open the panel at one of the kinds."""
        self.controller.choice.value = replace(self.controller.choice.value, what=what)
        if self.panel.isHidden():
            self.panel.toggle()

    def _made_panel(self, over: QWidget) -> ExportPanel:
        from app.qt.export.panel import ExportPanel

        panel = ExportPanel(self._host.look(), over, self.controller, self._host.workbench.stage)
        panel.examples.clicked.connect(self._ask_for_examples)
        return panel

    def _ask_for_examples(self) -> None:
        """The panel shows how far it is, and has what cancels it."""
        self.controller.ask_for_examples()
        if self.controller.examples.writing:
            self.open(What.PLAYER)


def _made_controller(host: Host) -> ExportController:
    from app.qt.export.controller import ExportController

    return ExportController(host)


_FILES = "HTML (*.html);;Markdown (*.md);;PDF (*.pdf)"


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
        from app.qt.export.report_of_selection import write_lab_report

        chosen = path_with(path, REPORTS)
        reason = chosen if isinstance(chosen, Message) else write_lab_report(chosen, self._host)
        self._host.workbench.tell(reason or message("Written: {path}", path=str(chosen)))
        return reason

    def _ask_and_write(self) -> None:
        title, proposed = self._host.look().text(message("Lab report")), self._host.workbench.session.draft_editor.beside("report.html")
        name, _ = QFileDialog.getSaveFileName(self._host.window, title, proposed, _FILES)
        if name:
            self._host.workbench.session.draft_editor.visit(Path(name))
            self.write(Path(name))
