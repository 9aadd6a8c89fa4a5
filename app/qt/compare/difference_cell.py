"""One number of both sides of a comparison, and its change."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.compare.differences import Difference
from app.qt.look import Look
from app.qt.widgets.elided_label import ElidedLabel

WIDTH, HEIGHT = 128, 56
_GAP = 12


class DifferenceCell(QWidget):
    """Title, "65 536 → 2 048", "32 times fewer"."""

    def __init__(self, look: Look, row: Difference, parent: QWidget) -> None:
        super().__init__(parent)
        self.row = row
        self.wanted = look.px(WIDTH)
        """The width at which nothing is cut."""
        written = look.text(row.written)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, _GAP, 3)
        column.setSpacing(0)
        for text, role, rank in (
            (look.text(row.title), "small", 3),
            (written, "section", 2 if row.same else 1),
            (look.text(row.brief), "small", 3 if row.same else 2),
        ):
            line = ElidedLabel(text)
            line.setFont(look.theme.font(role))
            line.setProperty("rank", str(rank))
            column.addWidget(line)
            self.wanted = max(self.wanted, line.sizeHint().width() + _GAP)
        self.setAccessibleName(f"{look.text(row.title)}: {written}. {look.text(row.sentence)}")
