"""How a cache line looks: its hue says which matrix it is of, its shade how long ago it was used; a letter or a mark says it too."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.qt.theme import Theme

AGES = 4


def age_step(age: int, ways: int) -> int:
    """Of 0 (used last) to AGES - 1 (leaves next): the step of a line that so many others of its set were used after."""
    return min(age * AGES // max(ways, 1), AGES - 1)


def line_colour(name: str, step: int, theme: Theme) -> QColor:
    """The fill of a line of a matrix in one of the steps of age."""
    strong, middle, tint = theme.matrix(name)
    return (mixed(strong, middle, 0.7), middle, mixed(middle, tint, 0.5), tint)[step]


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """`share` of one colour, the rest of another."""
    rest = 1 - share
    return QColor.fromRgbF(
        share * one.redF() + rest * other.redF(), share * one.greenF() + rest * other.greenF(), share * one.blueF() + rest * other.blueF()
    )


def paint_mark(painter: QPainter, name: str, cell: QRectF, ink: QColor) -> None:
    """Where no letter fits: nothing for A, a bar below for B, a bar at the left for C, both for any other array."""
    thick = 1.0 if min(cell.width(), cell.height()) < 8 else 2.0
    if name != "A" and name != "C":
        painter.fillRect(QRectF(cell.left(), cell.bottom() - thick, cell.width(), thick), ink)
    if name != "A" and name != "B":
        painter.fillRect(QRectF(cell.left(), cell.top(), thick, cell.height()), ink)
