"""Names of rungs where there is no room for all of one: so much of it that no other rung reads the same."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF

from app.qt.base.look import Look
from kernels.catalogue.catalogue import VARIANTS

_CUT = "…"


def rung_name(look: Look, name: str, metrics: QFontMetrics | QFontMetricsF, width: float) -> str:
    """The name, or as much as `width` has room for, cut where what is left tells it from the names of all other rungs."""
    if metrics.horizontalAdvance(name) <= width:
        return name
    others = {look.text(variant.title) for variant in VARIANTS} - {name}
    half = len(name) // 2
    for begin in sorted(range(len(name)), key=lambda length: abs(length - half)):
        end = _end(name, begin, metrics, width)
        if end and not any(other.startswith(name[:begin]) and other.endswith(end) for other in others):
            return name[:begin].rstrip() + _CUT + end.lstrip()
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(width))


def _end(name: str, begin: int, metrics: QFontMetrics | QFontMetricsF, width: float) -> str:
    """The longest end that has room behind so much of the beginning."""
    starts = range(begin + 2, len(name))
    return next((name[start:] for start in starts if metrics.horizontalAdvance(name[:begin] + _CUT + name[start:]) <= width), "")
