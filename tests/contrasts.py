"""Which texts of a window are too faint for what they stand on, as they are painted."""

from __future__ import annotations

from collections import Counter
from typing import Any

from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from tests.colour_vision import contrast

READABLE = 4.5
"""WCAG 2.2, level AA, for text."""
_LEAST_OPACITY = 0.99
"""What is drawn fainter than this is not to be read now."""
_SPOTS = 24
"""Pixels that are looked at along each side of a text."""

Said = tuple[str, QColor, QRect]


def faint(window: QWidget) -> list[str]:
    """The texts in sight, of labels, buttons and painters, with less contrast to most of what is around their letters than WCAG asks."""
    painted, image = _painted(window)
    found: dict[str, None] = {}
    for text, ink, place in (*painted, *_of_widgets(window)):
        ground = _ground(image, place, ink)
        if ground is not None and (ratio := contrast(_rgb(ink), _rgb(ground))) < READABLE:
            found[f"{text[:40]!r}: {ink.name()} on {ground.name()}, {ratio:.1f}"] = None
    return list(found)


def _painted(window: QWidget) -> tuple[list[Said], QImage]:
    """What painters write into the window, each with its ink and its place, and the picture that comes of it."""
    found: list[Said] = []
    draw = QPainter.drawText

    def noted(painter: QPainter, *given: Any) -> Any:
        text = given[-1] if isinstance(given[-1], str) else next((each for each in given if isinstance(each, str)), "")
        if text.strip() and painter.opacity() > _LEAST_OPACITY and painter.pen().color().alpha() == 255:
            place = given[0] if isinstance(given[0], QRect | QRectF) else None
            if place is not None and len(given) == 3:
                flags = int(getattr(given[1], "value", given[1])) if not isinstance(given[1], str) else 0
                around = painter.fontMetrics().boundingRect(QRectF(place).toRect(), flags, text)
                found.append((text, QColor(painter.pen().color()), painter.deviceTransform().mapRect(around)))
        return draw(painter, *given)

    QPainter.drawText = noted  # type: ignore[method-assign, assignment]
    try:
        picture = window.grab().toImage()
    finally:
        QPainter.drawText = draw  # type: ignore[method-assign]
    return found, picture


def _of_widgets(window: QWidget) -> list[Said]:
    found = []
    for each in window.findChildren(QWidget):
        if isinstance(each, QLabel | QAbstractButton) and each.isVisible() and each.isEnabled() and each.text().strip():
            if type(each).paintEvent is not getattr(QWidget, "paintEvent", None) and not type(each).__module__.startswith("PySide6"):
                continue  # it paints itself
            place = QRect(each.mapTo(window, QPoint(0, 0)), each.visibleRegion().boundingRect().size())
            if not each.visibleRegion().isEmpty() and each.visibleRegion().boundingRect() == each.rect():
                found.append((each.text(), each.palette().color(each.foregroundRole()), place))
    return found


def _ground(image: QImage, place: QRect, ink: QColor) -> QColor | None:
    """The colour that is most of the place of a text."""
    inside = place.intersected(image.rect())
    if inside.width() < 4 or inside.height() < 4:
        return None
    across, down = (max(1, side // _SPOTS) for side in (inside.width(), inside.height()))
    seen = Counter(
        image.pixel(x, y) for x in range(inside.left(), inside.right() + 1, across) for y in range(inside.top(), inside.bottom() + 1, down)
    )
    (most, count), *_ = seen.most_common(1)
    return QColor(most) if 2 * count > seen.total() and QColor(most).rgb() != ink.rgb() else None


def _rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
