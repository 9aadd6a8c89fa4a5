"""A report, to be read before it is given to anybody."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.core.trouble.report import Report
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay
from kernels.messages import message

TITLE = message("Report of an error")
_SIZE = (820, 560)


class ReportPanel(Overlay):
    """The whole text, and where its file is."""

    def __init__(self, look: Look, over: QWidget) -> None:
        super().__init__(look, over, partial(_middle, look))
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


def _middle(look: Look, area: QRect) -> QRect:
    """In the middle of the window, as large as fits."""
    wide, high = map(look.px, _SIZE)
    width, height = min(wide, area.width() - 24), min(high, area.height() - 24)
    return QRect(area.center().x() - width // 2, area.center().y() - height // 2, width, height)
