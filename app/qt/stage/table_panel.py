"""A view of the stage as a table: for readers of the screen, for copying, and for who wants every number."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QRect, Qt

from app.core.base.picture_parts import Table
from app.core.stage.model import AnyPicture, GpuPicture, StageModel
from app.qt.base.look import Look
from app.qt.base.refresh import IdleNotifier
from app.qt.gpu_view.view import GpuView
from app.qt.stage.panel import HEADER_HEIGHT, StagePanel
from app.qt.views.view import StageView
from app.qt.widgets.answer_first import TOLD_BY_COUNTS, TOLD_BY_TIMES, answer_first
from app.qt.widgets.overlay import TABLE, Overlay
from app.qt.widgets.text_table import TextTable
from kernels.base.messages import Message, message

_WIDTH = 520


class TablePanel(Overlay):
    """Panel with a view as a table. It lies over the right part of the stage. It follows the step whenever that rests."""

    behind = Overlay.behind - {TABLE}

    def __init__(self, look: Look, model: StageModel, stage: StagePanel) -> None:
        super().__init__(look, stage, partial(_right_part, look))
        self._model = model
        self._stage = stage
        self._view: StageView[Any] | None = None
        self.table = TextTable(look)
        note = answer_first(look, model.asking, {self.table: TOLD_BY_COUNTS | TOLD_BY_TIMES})
        self.column.addWidget(note, 1, Qt.AlignmentFlag.AlignTop)
        self.column.addWidget(self.table, 1)
        IdleNotifier(self, model, self._follow)

    def toggle(self) -> None:
        """Show the view that has the focus, else the one that is alone, else the first one; close where it is shown already."""
        focused = next((view for view in self._views() if view.hasFocus()), None)
        if not self.isHidden() and focused in (None, self._view):
            self.leave()
            return
        self._view = focused or next(iter(self._views()), None)
        self._fill(self._model.picture.value)
        self.open(self._heading(), self if self.table.isHidden() else self.table)

    def _views(self) -> list[StageView[Any]]:
        return [frame.view for frame in self._stage.frames]

    def _heading(self) -> Message:
        if self._stage.in_place is not None:
            return message("{view} as a table", view=self._stage.in_place.title)
        return message("{view} as a table", view=self._view.title) if self._view is not None else message("The step as a table")

    def _follow(self, picture: AnyPicture | None) -> None:
        """Fill the table from a picture, or leave where another kind of kernel is shown, as its views are others."""
        if self.isHidden():
            return
        if self._stage.in_place is not None:
            self._fill(picture)
        elif isinstance(picture, GpuPicture) is not isinstance(self._view, GpuView):
            self.leave()
        else:
            self._fill(picture)

    def _fill(self, picture: AnyPicture | None) -> None:
        if self._stage.in_place is not None:
            self.table.show_table(self._stage.in_place.table())
            return
        self.table.show_table(Table((), ()) if picture is None or self._view is None else self._view.table(picture))


def _right_part(look: Look, area: QRect) -> QRect:
    width, header = min(look.px(_WIDTH), area.width()), look.px(HEADER_HEIGHT)
    return QRect(area.right() + 1 - width, area.top() + header, width, area.height() - header)
