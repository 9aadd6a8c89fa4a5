"""The loops of a kernel with their present indices, and below them what the step holds in registers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.core.i18n import MINUS
from app.core.launch.verdict import Verdict
from app.core.narration import exact_text
from app.core.nest.operands import Operand, operands
from app.core.stage_model import Picture
from app.core.table import Table
from app.qt.nest.operands_painter import paint_operands
from app.qt.stage.loops import paint_bars
from app.qt.views.view import StageView
from kernels.messages import Message, message

_EDGE = 14.0
_TITLES = (message("Loop or value"), message("Now"), message("First"), message("Last"))


class LoopsView(StageView[Picture]):
    """Loops over tiles stand above a line."""

    title = message("Loops")

    def paint(self, painter: QPainter, picture: Picture) -> None:
        area = QRectF(self.rect()).adjusted(_EDGE, 6, -_EDGE, -6)
        bottom = paint_bars(painter, (*picture.frame.calls, *picture.frame.loops), area, self.look)
        painter.fillRect(QRectF(area.left(), bottom + 8, area.width(), 1), self.look.theme.line)
        paint_operands(painter, operands(picture.index, picture.frame), area.adjusted(0, bottom + 17 - area.top(), 0, 0), self.look)

    def fact(self, picture: Picture) -> Message | None:
        outer = sum(loop.outer for loop in picture.frame.loops)
        inner = len(picture.frame.loops) - outer
        if picture.index.trace.chains:
            return message("call depth {count}", count=len(picture.frame.calls))
        if outer + inner == 1:
            return message("a single one")
        if not picture.index.tiled:
            return message("{count} of them, one in the other", count=outer + inner)
        return message("{outer} over tiles, {inner} inside a tile", outer=outer, inner=inner)

    def verdict(self, _picture: Picture) -> Verdict | None:
        return None

    def tip_at(self, _point: QPointF, _picture: Picture) -> Message | None:
        return None

    def table(self, picture: Picture) -> Table:
        loops = [
            (loop.name, "–" if loop.current is None else str(loop.current), str(loop.values[0]), str(loop.values[-1]))
            for loop in (*picture.frame.calls, *picture.frame.loops)
            if loop.values
        ]
        return Table(_TITLES, (*loops, *(_row(each) for each in operands(picture.index, picture.frame))))


def _row(operand: Operand) -> tuple[str, str, str, str]:
    values = [exact_text(float(value)).replace("-", MINUS) for value in operand.values.flat]
    return operand.name, values[0] if len(values) == 1 else "", values[0], values[-1]
