"""Crash reports in the window: a line below the command bar after something failed, and the report, to read and to copy.

Nothing is sent; the report is read before it is given to anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget

from app.core.base.files.log import log_file
from app.core.crash_reports.report import Report
from app.core.crash_reports.uncaught import Watch
from app.qt.base.binding import set_shown
from app.qt.base.commands import Command
from app.qt.base.feature import Feature, Host
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.source.header import offer_bar
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay, middle
from kernels.base.messages import Message, message

TITLE = message("Report of an error")
_SIZE = (820, 560)


class ReportPanel(Overlay):
    """Panel with the whole text of a report, and where its file is."""

    def __init__(self, look: Look, over: QWidget) -> None:
        super().__init__(look, over, partial(middle, look, _SIZE))
        self.place = label(look, "", "small", rank=2)
        self.place.setWordWrap(True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(look.theme.font("code"))
        self.text.setAccessibleName(look.text(TITLE))
        self.column.addWidget(self.place)
        self.column.addWidget(self.text, 1)

    def show_report(self, report: Report) -> None:
        """Open it."""
        self.place.setText(str(report.path))
        self.text.setPlainText(report.text)
        self.open(TITLE, self.text)


SHOW = message("Show the report")
COPY = message("Copy it")
DISMISS = message("Close")


class CrashReports(Feature):
    """Shows one report after the other. They may come from any thread; they are shown in this one."""

    def __init__(self, host: Host, watch: Watch, logs: Path) -> None:
        self._host, self._watch, self._logs = host, watch, logs
        self._bar: QWidget | None = None
        self._said: QLabel | None = None
        self._panel: Lazy[ReportPanel] | None = None
        self._news = _News(self.show_next)
        watch.listen(self._news.came.emit)

    def commands(self) -> tuple[Command, ...]:
        return (Command(message("Where is the log?"), (), self._tell_place),)

    def line(self) -> QWidget:
        called: dict[Message, Callable[[], object]] = {SHOW: self.show_report, COPY: self.copy, DISMISS: self.dismiss}
        self._bar, self._said = offer_bar(self._host.look(), called)
        return self._bar

    def build(self, over: QWidget) -> None:
        self.show_next()
        self._panel = Lazy(partial(self._made_panel, over))

    def close(self) -> None:
        self._watch.listen(lambda: None)

    @property
    def report(self) -> Report | None:
        """The one that is spoken of."""
        return self._watch.reports[0] if self._watch.reports else None

    def show_next(self) -> None:
        """Speak of the oldest report that was not dismissed, if there is one."""
        if self._bar is None or self._said is None:
            return
        report = self.report
        set_shown(self._bar, report is not None)
        if report is not None:
            self._said.setText(self._host.look().text(_sentence(report)))

    def show_report(self) -> None:
        """Open the report."""
        if self._panel is not None and self.report is not None:
            self._panel().show_report(self.report)

    def copy(self) -> None:
        """Put the report into the clipboard."""
        if self.report is not None:
            QApplication.clipboard().setText(self.report.text)
            self._host.workbench.tell(message("The report is in the clipboard. It was sent nowhere."))

    def dismiss(self) -> None:
        """Speak of it no more; the file stays."""
        if self.report is not None:
            self._watch.reports.popleft()
        self.show_next()

    def _made_panel(self, over: QWidget) -> ReportPanel:

        return ReportPanel(self._host.look(), over)

    def _tell_place(self) -> None:
        self._host.workbench.tell(message("The log is {path}", path=str(log_file(self._logs))))


class _News(QObject):
    """Takes calls from any thread to the window's."""

    came = Signal()

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__()
        self.came.connect(call)


def _sentence(report: Report) -> Message:
    if report.crashed:
        return message("Tilescope ended by itself last time. A report was written, and sent nowhere: {path}", path=str(report.path))
    return message("Something in Tilescope failed; the rest goes on. A report was written, and sent nowhere: {path}", path=str(report.path))
