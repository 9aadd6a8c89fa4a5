"""One side of a comparison: what the launch is, the lines that tell it from the other, the verdict, and the view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.core.compare.source_beside import changed, declaration, executed_line
from app.core.launch.views import View
from app.core.stage_model import LaunchPicture, StageModel
from app.qt.compare.verdict_label import VerdictLabel
from app.qt.launch.view import LaunchView
from app.qt.launch.views import VIEWS
from app.qt.look import Look
from app.qt.widgets.code_line import CodeLine
from app.qt.widgets.elided_label import ElidedLabel
from kernels.messages import Message

HEADER = 78


class CompareColumn(QWidget):
    """Shows one picture in one of the views. The views are made when they are first asked for."""

    def __init__(self, look: Look, model: StageModel) -> None:
        super().__init__()
        self._look = look
        self._model = model
        self._views: dict[View, LaunchView] = {}
        self._shown = View.MATRICES
        self.name = ElidedLabel()
        self.name.setFont(look.theme.font("step"))
        self.verdict = VerdictLabel(look)
        self.lines = CodeLine(look), CodeLine(look)
        """Where the array is declared, and what is executed."""
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header())
        column.addWidget(self._stack, 1)

    @property
    def view(self) -> LaunchView:
        """The view that is shown."""
        return self._view(self._shown)

    def show_view(self, view: View) -> LaunchView:
        """Show a view; returns its widget."""
        self._shown = view
        self._stack.setCurrentWidget(self.view)
        return self.view

    def show_name(self, name: Message) -> None:
        """Say what the launch is."""
        said = self._look.text(name)
        self.name.setText(said)
        self.setAccessibleName(said)

    def show_picture(self, picture: LaunchPicture | None, beside: LaunchPicture | None) -> None:
        """Show it, and of its lines what is not in those of the picture beside it."""
        self.view.show_picture(picture)
        self.verdict.show_verdict(self.view.verdict(picture) if picture is not None else None)
        own, other = _lines(picture), _lines(beside)
        for line, text, there in zip(self.lines, own, other, strict=True):
            line.show_line(text, changed(text, there) if there else ())

    def _view(self, view: View) -> LaunchView:
        if view not in self._views:
            self._views[view] = VIEWS[view](self._look.unzoomed, self._model)
            self._views[view].magnify(self._look)
            self._stack.addWidget(self._views[view])
        return self._views[view]

    def _header(self) -> QWidget:
        header = QWidget()
        header.setFixedHeight(self._look.px(HEADER))
        header.setProperty("surface", "canvas")
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self.name, 1)
        top.addWidget(self.verdict, 0, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(header)
        column.setContentsMargins(16, 6, 16, 2)
        column.setSpacing(0)
        column.addLayout(top)
        for line in self.lines:
            column.addWidget(line)
        return header


def _lines(picture: LaunchPicture | None) -> tuple[str, str]:
    if picture is None:
        return "", ""
    return declaration(picture.frame, picture.index), executed_line(picture.frame, picture.index)
