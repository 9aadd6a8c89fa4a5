"""A row of the overview strip: the height of a bar is the misses of a tile step, in the colours of the matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.core.nest.caches import StageCaches
from app.core.nest.strip import misses_by_tile
from app.qt.look import Look
from app.qt.nest.cache_colours import line_colour

_FULL = 97
"""The percentile of the tile steps that has the whole height: the first steps, in empty caches, would dwarf all others."""


class MissBars:
    """Made once for each execution."""

    def __init__(self, look: Look, caches: StageCaches) -> None:
        self._look = look
        self.caches = caches
        self._counts = misses_by_tile(caches)

    def paint(
        self, painter: QPainter, row: QRectF, names: float, x_of: Callable[[float], float], shade: Callable[[QColor], QColor]
    ) -> None:
        """Draw into `row`; the level's name stands in the `names` pixels left of it."""
        theme = self._look.theme
        font = theme.font("caption")
        font.setPixelSize(min(font.pixelSize(), max(round(row.height()), 8)))
        painter.setFont(font)
        painter.setPen(theme.t2)
        label = QRectF(row.left() - names, row.top() - 2, names - 4, row.height() + 4)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self.caches.levels[0].name)
        totals = self._counts.sum(axis=1)
        most = max(float(np.percentile(totals, _FULL)), 1.0) if len(totals) else 1.0
        starts = self.caches.index.groups.start.tolist()
        for group, counts in enumerate(self._counts.tolist()):
            left, right = x_of(starts[group]), x_of(starts[group + 1])
            gap, bottom = (1.0 if right - left >= 3 else 0.0), row.bottom()
            for name, count in zip(self.caches.history.arrays, counts, strict=True):
                height = min(row.height() * count / most, bottom - row.top())
                painter.fillRect(QRectF(left, bottom - height, right - left - gap, height), shade(line_colour(name, 1, theme)))
                bottom -= height
