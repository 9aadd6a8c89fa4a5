"""The colours of a heat map: a shade for each share of the range, and ink that can be read on it."""

from __future__ import annotations

from PySide6.QtGui import QColor

from app.qt.theme import Theme

_INK, _PAPER = QColor("#000000"), QColor("#FFFFFF")


def heat_colour(theme: Theme, share: float) -> QColor:
    """Between the colours of the theme; `share` goes from 0, the least, to 1."""
    place = min(max(share, 0.0), 1.0) * (len(theme.heat) - 1)
    low = min(int(place), len(theme.heat) - 2)
    first, second, part = theme.heat[low], theme.heat[low + 1], place - low
    mixed = (one + (other - one) * part for one, other in zip(first.getRgb()[:3], second.getRgb()[:3], strict=True))  # type: ignore[index]
    return QColor(*map(round, mixed))


def ink_on(ground: QColor) -> QColor:
    """Dark or light, whichever stands out more."""
    return _INK if contrast(_INK, ground) >= contrast(_PAPER, ground) else _PAPER


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
