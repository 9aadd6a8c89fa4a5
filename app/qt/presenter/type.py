"""Type for a hall: sizes in units, of which a screen is 1080 high."""

from __future__ import annotations

from PySide6.QtGui import QFont

from app.qt.theme import CODE_FAMILIES, UI_FAMILIES

HEIGHT = 1080.0
"""Of a screen, in units."""
LABEL, BODY, NARRATION, QUESTION, NUMBER, HERO = 28.0, 36.0, 50.0, 58.0, 64.0, 170.0
SMALLEST = BODY
"""Nothing that the argument needs is smaller."""

REGULAR, STRONG = QFont.Weight.Normal, QFont.Weight.DemiBold


def type_of(units: float, unit: float, weight: QFont.Weight = REGULAR, *, code: bool = False) -> QFont:
    """A font of so many units; `unit` in pixels."""
    font = QFont()
    font.setFamilies(CODE_FAMILIES if code else UI_FAMILIES)
    font.setPixelSize(max(1, round(units * unit)))
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
