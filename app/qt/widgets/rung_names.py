"""Names of rungs where there is no room for all of one: so much of it that no other rung reads the same."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

from app.core.base.i18n import Translator
from app.qt.base.look import Look
from kernels.catalogue.catalogue import VARIANTS

_CUT = "…"


def rung_name(look: Look, name: str, font: QFont, width: float) -> str:
    """The name, or as much as `width` has room for, cut where what is left tells it from the names of all other rungs."""
    return _shortened(look.translator.language, name, font, width)


@cache
def _titles(language: str) -> frozenset[str]:
    translator = Translator(language)
    return frozenset(translator.text(variant.title) for variant in VARIANTS)


@lru_cache(maxsize=1024)
def _shortened(language: str, name: str, font: QFont, width: float) -> str:
    """Painters ask in every frame."""
    metrics = QFontMetricsF(font)
    if metrics.horizontalAdvance(name) <= width:
        return name
    others = _titles(language) - {name}
    half = len(name) // 2
    for begin in sorted(range(len(name)), key=lambda length: abs(length - half)):
        end = _end(name, begin, metrics, width)
        if end and not any(other.startswith(name[:begin]) and other.endswith(end) for other in others):
            return name[:begin].rstrip() + _CUT + end.lstrip()
    return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(width))


def _end(name: str, begin: int, metrics: QFontMetricsF, width: float) -> str:
    """The longest end that has room behind so much of the beginning."""
    starts = range(begin + 2, len(name))
    place = bisect_left(starts, -width, key=lambda start: -metrics.horizontalAdvance(name[:begin] + _CUT + name[start:]))
    return name[starts[place] :] if place < len(starts) else ""
