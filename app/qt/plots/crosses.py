"""Points without a time: crosses at the lower edge of a chart, with their number where several share an x."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from app.core.curves import CurvePoint
from app.qt.plots.style import paint_cross
from app.qt.theme import Theme
from kernels.measure.results import Status

CROSS = 10.0
PITCH = CROSS + 6
"""From a cross to the one above it."""
_BESIDE, _HIGH = CROSS - 2, 12.0

Crosses = Mapping[int, Mapping[bool, int]]
"""By x, how many points have no time: those with a wrong result (True) and the others."""


def crosses_of(refused: Mapping[int, Sequence[CurvePoint]]) -> Crosses:
    """The crosses for points without a time."""
    counted = {x: Counter(point.result.status is Status.WRONG for point in points) for x, points in refused.items()}
    return {x: dict(sorted(each.items())) for x, each in counted.items()}


def centres(crosses: Crosses, foot: Callable[[int], QPointF]) -> list[tuple[QPointF, bool, int]]:
    """The middle of each cross, whether it is of wrong results, and of how many: the first at the foot of its x, wrong ones above it."""
    return [
        (foot(x) - QPointF(0, PITCH * place), wrong, count)
        for x, each in crosses.items()
        for place, (wrong, count) in enumerate(each.items())
    ]


def number_place(centre: QPointF, width: float, right: float) -> QRectF:
    """Where the number of a cross stands: at its right, or at its left where it would reach beyond `right`, to the names of the lines."""
    left = centre.x() + _BESIDE if centre.x() + _BESIDE + width <= right else centre.x() - _BESIDE - width
    return QRectF(left, centre.y() - _HIGH / 2, width, _HIGH)


def paint_crosses(painter: QPainter, crosses: Crosses, foot: Callable[[int], QPointF], right: float, theme: Theme) -> None:
    """Draw them; numbers stand left of `right`."""
    font = theme.font("caption")
    painter.setFont(font)
    for centre, wrong, count in centres(crosses, foot):
        paint_cross(painter, theme.bad, centre, CROSS, wrong)
        if count > 1:
            painter.setPen(theme.bad)
            place = number_place(centre, QFontMetricsF(font).horizontalAdvance(str(count)), right)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, str(count))
