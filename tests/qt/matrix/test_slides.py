"""Matrices of a slide have all the room that there is, also where no cell is so many whole pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF

from app.core.frames.matrix import Arrangement
from app.qt.matrix.geometry import lay_out

SLIDE, RATIO = QSizeF(480, 345), 1.3333
"""The place of the drawing at 1280x720, in its own pixels, and how many of the screen's one of them has."""


@pytest.mark.parametrize("n", [40, 48, 64, 96, 128])
def test_the_height_of_a_slide_is_used(n: int) -> None:
    product = Arrangement((("A", (n, n)), ("B", (n, n)), ("C", (n, n))), row_ticks=False)
    loose, whole = lay_out(SLIDE, RATIO, product, whole=False), lay_out(SLIDE, RATIO, product)
    assert all(loose.matrices[name].cell >= whole.matrices[name].cell for name in "ABC")
    left = loose.matrices["B"].area.top() + SLIDE.height() - loose.matrices["C"].area.bottom()
    assert left <= 70, "only for names, ticks and edges"
