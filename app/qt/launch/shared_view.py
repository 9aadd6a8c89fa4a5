"""PLACEHOLDER."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from app.core.launch.selection import NOTHING, Selection
from app.core.launch.table import Table
from app.core.launch.verdict import Verdict
from app.core.stage_model import LaunchPicture
from app.qt.launch.view import LaunchView
from kernels.messages import Message, message


class SharedView(LaunchView):
    title = message("Shared memory")

    def paint(self, painter: QPainter, picture: LaunchPicture) -> None:
        pass

    def fact(self, picture: LaunchPicture) -> Message | None:
        return None

    def verdict(self, picture: LaunchPicture) -> Verdict | None:
        return None

    def selection_at(self, point: QPointF, picture: LaunchPicture) -> Selection:
        return NOTHING

    def tip(self, selection: Selection, picture: LaunchPicture) -> Message | None:
        return None

    def moved(self, selection: Selection, across: int, down: int, picture: LaunchPicture) -> Selection:
        return NOTHING

    def table(self, picture: LaunchPicture) -> Table:
        return Table((), ())
