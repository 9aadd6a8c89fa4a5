"""Matrices have all the room that there is, also where no cell is so many whole pixels."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF

from app.core.frames.matrix import Arrangement
from app.qt.matrix.geometry import lay_out

SLIDE, SLIDE_RATIO = QSizeF(480, 345), 1.3333
"""The place of the drawing at 1280x720, in its own pixels, and how many of the screen's one of them has."""
VIEW = QSizeF(434, 520)
"""The view of the matrices beside an open settings panel at 1920x1080."""


def product(n: int, *, row_ticks: bool) -> Arrangement:
    return Arrangement((("A", (n, n)), ("B", (n, n)), ("C", (n, n))), row_ticks=row_ticks)


@pytest.mark.parametrize("n", [40, 48, 64, 96, 128])
def test_the_height_of_a_slide_is_used(n: int) -> None:
    places = lay_out(SLIDE, SLIDE_RATIO, product(n, row_ticks=False)).matrices
    left = places["B"].area.top() + SLIDE.height() - places["C"].area.bottom()
    assert left <= 70, "only for names, ticks and edges"


@pytest.mark.parametrize("n", [40, 48, 64, 96, 128])
def test_the_width_of_a_view_is_used(n: int) -> None:
    places = lay_out(VIEW, 1.0, product(n, row_ticks=True)).matrices
    left = places["A"].area.left() + VIEW.width() - places["C"].area.right() + places["C"].area.left() - places["A"].area.right()
    assert left <= 120, "only for ticks, edges and what is between them"
