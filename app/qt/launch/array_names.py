"""Names of arrays beside their words: how wide a gutter they ask for, and in which lines a long one stands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtGui import QFontMetricsF

from app.qt.look import Look

NAME = "section"
"""The role of their font."""
_EDGES = 13.0
_PART = re.compile(r".+?(?:_+|(?<=[a-z0-9])(?=[A-Z])|$)")
"""Up to an underscore, or to a capital after a small letter: tile_|of_|a, tile|Of|A."""


def gutter_for(names: Iterable[str], look: Look) -> float:
    """The width of a gutter that has room for each name in one line."""
    metrics = QFontMetricsF(look.theme.font(NAME))
    return max((metrics.horizontalAdvance(name) + _EDGES for name in names), default=0.0)


def name_lines(name: str, metrics: QFontMetricsF, width: float) -> tuple[str, ...]:
    """The name in as few lines as `width` allows, broken between its parts; a part that is wider by itself is a line."""
    lines: list[str] = []
    for part in _PART.findall(name):
        if lines and metrics.horizontalAdvance(lines[-1] + part) <= width:
            lines[-1] += part
        else:
            lines.append(part)
    return tuple(lines)
