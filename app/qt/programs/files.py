"""Row of a program's page about the files beside it: what it wants to read, what it may read, and the press that changes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.core.programs.frame import ProgramFrame
from app.core.programs.page import ProgramPage
from app.core.programs.sentences import files_sentence
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from kernels.base.messages import message


class ProgramFiles(QWidget):
    """Row about the files beside a program, hidden where the program opens no file."""

    def __init__(self, look: Look, page: ProgramPage) -> None:
        super().__init__()
        self._look = look
        self._page = page
        self.said = label(look, "", "small")
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.choice = QToolButton()
        self.choice.setFont(look.theme.font("body"))
        self.choice.setStyleSheet(f"QToolButton {{ border: 1px solid {look.theme.line2.name()}; padding: 3px 10px; }}")
        self.choice.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.choice.clicked.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 14, 6)
        row.addWidget(self.said, 1)
        row.addWidget(self.choice)
        bind(self, page.frame, self._show)

    def _choose(self) -> None:
        if self._page.wanted_files:
            self._page.allow_files()
        else:
            self._page.withdraw_files()

    def _show(self, frame: ProgramFrame | None) -> None:
        said = None if frame is None else files_sentence(frame.run)
        set_shown(self, said is not None)
        if said is None:
            return
        self.said.setText(self._look.text(said))
        wants = bool(self._page.wanted_files)
        self.choice.setText(self._look.text(message("Allow it, and run again") if wants else message("No longer allow it")))
        set_shown(self.choice, self._page.program.path is not None)
