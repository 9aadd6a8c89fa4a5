"""Which texts of a window are too faint for what they stand on, as they are painted."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from tests.screens.colour_vision import contrast

READABLE = 4.5
"""WCAG 2.2, level AA, for text."""
_LEAST_OPACITY = 0.99
"""What is drawn fainter than this is not to be read now."""
_SPOTS = 24
"""Pixels that are looked at along each side of a text."""

Said = tuple[str, QColor, QRect]
Pixels = npt.NDArray[np.uint32]


def faint(window: QWidget) -> list[str]:
    """The texts in sight, of labels, buttons and painters, with less contrast to most of what is around their letters than WCAG asks."""
    painted, image = _painted(window)
    pixels = _pixels(image)
    found: dict[str, None] = {}
    for text, ink, place in (*painted, *_of_widgets(window)):
        ground = _ground(pixels, place, ink)
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


def _pixels(image: QImage) -> Pixels:
    """Rows of pixels, each 0xAARRGGBB."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()).copy()


def _ground(pixels: Pixels, place: QRect, ink: QColor) -> QColor | None:
    """The colour that is most of the place of a text."""
    inside = place.intersected(QRect(0, 0, pixels.shape[1], pixels.shape[0]))
    if inside.width() < 4 or inside.height() < 4:
        return None
    across, down = (max(1, side // _SPOTS) for side in (inside.width(), inside.height()))
    seen = pixels[inside.top() : inside.bottom() + 1 : down, inside.left() : inside.right() + 1 : across]
    colours, counts = np.unique(seen, return_counts=True)
    most = QColor.fromRgb(int(colours[counts.argmax()]))
    return most if 2 * counts.max() > seen.size and most.rgb() != ink.rgb() else None


def _rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
