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


@pytest.mark.parametrize("n", [100, 150, 200, 250, 300, 400, 1000, 16384])
def test_matrices_of_more_elements_than_pixels_are_about_as_large_as_small_ones(n: int) -> None:
    """At 1366x768: the matrices alone, and above the banks beside the settings."""
    for size in (QSizeF(438, 513), QSizeF(452, 284)):
        small, large = (lay_out(size, 1.0, product(each, row_ticks=True)).matrices["C"] for each in (64, n))
        assert 0.78 <= large.area.width() / small.area.width() <= 1.03
        assert large.area.right() <= size.width() - 10
        assert large.area.bottom() <= size.height() - 10


def test_an_array_takes_the_width_also_where_a_cell_stands_for_several_elements() -> None:
    area = lay_out(VIEW, 1.0, Arrangement((("x", (1, 500)),))).matrices["x"].area
    assert VIEW.width() - 40 <= area.width() <= VIEW.width() - 20


def test_the_row_of_a_name_ends_where_loops_begin_beside_its_matrix() -> None:
    """The tag behind the name of C lay over the names of the loops in a low view."""
    layout = lay_out(QSizeF(760, 180), 1.0, product(40, row_ticks=True), loops=True)
    assert layout.loops is not None
    assert layout.matrices["C"].area.right() < layout.room_of_name("C") < layout.loops.left()
    assert layout.room_of_name("A") == layout.next_to("A")


def test_matrices_that_are_no_operands_stand_in_a_row_where_that_shows_them_larger() -> None:
    """At 1366x768 above the sectors each was 64 pixels high, beside 380 empty ones, and the words on the way lay over the last."""
    given, flat = Arrangement((("in", (64, 64)), ("out", (64, 64)))), Arrangement((("x", (4, 64)), ("y", (4, 64)), ("z", (4, 64))))
    size = QSizeF(452, 284)
    a, c = lay_out(size, 1.0, given).matrices.values()
    assert (a.area.top(), a.cell) == (c.area.top(), 2.0)
    assert a.area.right() + 30 <= c.area.left()
    assert c.area.right() <= size.width() - 10
    for shape in (given, flat):
        assert max(place.area.bottom() for place in lay_out(size, 1.0, shape).matrices.values()) <= size.height() - 34
    tops = [place.area.top() for place in lay_out(size, 1.0, flat).matrices.values()]
    assert tops == sorted(set(tops)), "as wide as they are, they stay below each other"
